/** Another reading of a claim, and what readings ask of the problem that the claim has as it is written. */
import type { FormalText } from '../../contract.ts';
import type { Problem } from '../context/context.ts';
import type { Claim } from './claim-of.ts';

/** A claim with notation. */
export type FormalClaim = Claim & { readonly formal: FormalText };

/** Another claim, which says what the author's does if the names mean what is assumed. */
export interface ClaimReading {
  readonly claim: FormalClaim;
  /** What is assumed. */
  readonly said: string;
  /** As `NotGoal.widened`. */
  readonly widened: boolean;
}

/** The name that `problem` says nothing declares. */
export function unknownName({ formal }: FormalClaim, { code, text, range }: Problem): string | null {
  return code === 'PV-4001' && text.span === formal.span ? text.text.slice(range.start, range.end) : null;
}
