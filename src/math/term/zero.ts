/** The number 0, which sums and products of terms leave out. */
import { integer } from './build.ts';
import type { Term } from './term.ts';

export const zero: Term = integer(0);

export function isZero(term: Term): boolean {
  return term.kind === 'number' && Number(term.value) === 0;
}
