import type { Receipt } from './receipt.ts';
import { isGreen, isRefuted, type Verdict } from './verdict.ts';

/** If preconditions filter out more than this share of the inputs, the tested domain is not the declared one. */
const maxFilteredShare = 0.2;

/** A verdict and, unless it is plainly good, its reason. */
export interface Grade {
  readonly verdict: Verdict;
  readonly reason: string | null;
}

/**
 * The best grade that a receipt supports, whatever verdict it carries: a green one must have run every declared case inside the
 * domain, met its premises, stayed within its tolerance and found no counterexample.
 */
export function gradeReceipt(receipt: Receipt): Grade {
  const { counterexample } = receipt;
  if (counterexample !== null) return { verdict: refuted(receipt), reason: counterexample.explanation };
  if (!isGreen(receipt.verdict))
    return {
      verdict: isRefuted(receipt.verdict) ? refuted(receipt) : receipt.verdict,
      reason: receipt.reason ?? `${receipt.method}: ${receipt.verdict}`,
    };
  const doubt =
    receipt.method === 'bounded' ? doubtAboutProof(receipt) : samples(receipt) ? doubtAboutSamples(receipt) : null;
  return doubt ?? { verdict: receipt.verdict, reason: null };
}

/** A soundness check runs the equation itself, so a failure there is not the kernel's. */
const refuted = ({ method }: Receipt): Verdict => (method === 'soundness' ? 'unsound' : 'falsified');

/** Methods whose evidence is a number of executed cases. */
function samples(receipt: Receipt): boolean {
  return receipt.method !== 'types' && receipt.method !== 'adequacy';
}

/** A proof that leaves a statement open, is vacuous, or never refused a wrong kernel proves nothing. */
function doubtAboutProof({ proof, verdict }: Receipt): Grade | null {
  if (proof === null || verdict !== 'proved')
    return { verdict: 'undetermined', reason: 'there is no record of what was proved' };
  const { statements, proved, conditions, safe, witness, refuted } = proof;
  if (statements === 0) return { verdict: 'vacuous', reason: 'nothing was stated' };
  if (proved < statements || safe < conditions)
    return {
      verdict: 'undetermined',
      reason: `${proved} of ${statements} statements and ${safe} of ${conditions} conditions were proved`,
    };
  if (witness === null) return { verdict: 'vacuous', reason: 'no input satisfies the preconditions' };
  if (refuted === null) return { verdict: 'vacuous', reason: 'no wrong kernel was refuted within the bound' };
  return null;
}

function doubtAboutSamples(receipt: Receipt): Grade | null {
  const { cases, declaredCases, filtered, premiseHits, worst } = receipt;
  if (cases === 0) return { verdict: 'vacuous', reason: 'no case was run' };
  if (cases < declaredCases) return { verdict: 'incomplete', reason: `${cases} of ${declaredCases} cases were run` };
  if (filtered > maxFilteredShare * (cases + filtered)) {
    return {
      verdict: 'incomplete',
      reason: `${filtered} of ${cases + filtered} inputs were filtered out by the preconditions`,
    };
  }
  if (premiseHits === 0) return { verdict: 'vacuous', reason: `the premise held in 0 of ${cases} cases` };
  // Written so that NaN counts as outside the tolerance.
  if (worst !== null && !(worst.ratio <= 1))
    return { verdict: refuted(receipt), reason: `the worst error is ${worst.ratio} times what is allowed` };
  if (receipt.verdict === 'proved')
    return { verdict: 'undetermined', reason: `${receipt.method} samples and cannot prove` };
  return null;
}
