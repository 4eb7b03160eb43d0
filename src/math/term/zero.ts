/** The number 0, which sums and products of terms leave out. */
import { integer } from './build.ts';
import type { Term } from './term.ts';

/** The integer 0. */
export const zero: Term = integer(0);

/** Whether a term is a literal zero, −0 and 0.0 included. */
export function isZero(term: Term): boolean {
  return term.kind === 'number' && Number(term.value) === 0;
}
