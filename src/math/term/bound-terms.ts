import type { Term } from './term.ts';

/** The terms of a lower bound `max(a, b)`, or of an upper one `min(a, b)`: each of them bounds by itself. */
export function boundTerms(term: Term, by: 'minimum' | 'maximum'): readonly Term[] {
  if (term.kind !== 'call' || term.fn !== by) return [term];
  return term.arguments.flatMap((argument) => boundTerms(argument, by));
}
