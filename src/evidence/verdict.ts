/** What evidence says about a goal on a subject. Never collapse it to a boolean. */
export const verdicts = [
  'falsified',
  'unsound',
  'vacuous',
  'incomplete',
  'undetermined',
  'stale',
  'unbound',
  'prose',
  'waived',
  'tested',
  'proved',
] as const;

export type Verdict = (typeof verdicts)[number];

/** Whether an input breaks the claim: of the kernel, or of the equation itself in float32. */
export function isRefuted(verdict: Verdict): boolean {
  return verdict === 'falsified' || verdict === 'unsound';
}

/** Only these two pass a gate. */
export function isGreen(verdict: Verdict): boolean {
  return verdict === 'tested' || verdict === 'proved';
}

/** L0 review · L1 types · L2 falsification tests · L3 property tests (≥ 10,000 cases) · L4 bounded proof · L5 proof over the reals. */
export const levels = ['L0', 'L1', 'L2', 'L3', 'L4', 'L5'] as const;

export type Level = (typeof levels)[number];
