/** The rules of `pv scan`, in the order of their codes. The command line offers these names without loading a rule. */
export const ruleNames = [
  'optimizer-defaults',
  'console-diagnostics',
  'eval-mode-restore',
  'pipeline-texture-reuse',
  'unsynchronised-readback',
  'buffer-size',
  'gemm-argument-order',
  'unseeded-randomness',
  'platform-math',
  'kernel-outside-names',
  'kernel-form',
  'kernel-loop-limit',
  'kernel-nan-test',
  'kernel-negative-power',
  'kernel-unclamped-tanh',
  'kernel-unguarded-log',
  'kernel-input-write',
  'kernel-index-range',
  'kernel-settings',
  'kernel-infinite-literal',
  'kernel-compensation',
  'kernel-unshifted-exp',
] as const;

export type RuleName = (typeof ruleNames)[number];

export function isRuleName(name: string): name is RuleName {
  return ruleNames.some((known) => known === name);
}
