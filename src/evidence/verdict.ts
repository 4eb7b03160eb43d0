/** What evidence says about a goal for a subject. Never reduce it to a boolean. */
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

/** One of `verdicts`. */
export type Verdict = (typeof verdicts)[number];

/** Whether an input breaks the claim for the kernel, or for the equation itself in float32. */
export function isRefuted(verdict: Verdict): boolean {
  return verdict === 'falsified' || verdict === 'unsound';
}

/** Only these two pass a gate. */
export function isGreen(verdict: Verdict): boolean {
  return verdict === 'tested' || verdict === 'proved';
}

/** From the weakest to the strongest; docs/evidence.md says what each requires. */
export const levels = ['L0', 'L1', 'L2', 'L3', 'L4', 'L5'] as const;

/** How strong the evidence of a claim is. */
export type Level = (typeof levels)[number];

/** What a level means, stated once: the documents repeat it, and a test compares them. */
export const levelMeanings: Readonly<Record<Level, string>> = {
  L0: 'no evidence, or evidence against it',
  L1: "the binding resolves, and the kernel's types fit",
  L2: 'falsification tests held, or property tests with fewer than 10,000 cases',
  L3:
    'every property test held on 10,000 generated cases or more, of a kernel in float32; each claim catches wrong kernels, and ' +
    'together the claims catch every one',
  L4: 'as L3, and every bounded proof that the contract requires holds, and for each claim one of them covers every combination of sizes up to its bound',
  L5: 'reserved for code that is proved for every size: never claimed',
};
