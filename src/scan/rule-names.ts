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
] as const;

export type RuleName = (typeof ruleNames)[number];

export function isRuleName(name: string): name is RuleName {
  return ruleNames.some((known) => known === name);
}
