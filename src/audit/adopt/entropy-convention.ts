/**
 * 0·log 0 = 0, which entropies, divergences and information gains take for granted: `-Σ_i p_i·log(p_i)` has no value at p_i = 0 otherwise.
 *
 * Only a product of one quantity t, a logarithm of t or of t / q, and numbers is read this way, and only at t = 0: there it is the limit of
 * t·log t. `y·log(p)` has no such limit and is left alone.
 */
import { call, choose, decimal, integer } from '../../math/term/build.ts';
import { termKey } from '../../math/term/term-key.ts';
import type { Term } from '../../math/term/term.ts';
import { freeVariables } from '../../math/term/traverse.ts';
import type { AdoptedGoal, AdoptionOptions } from './adoption-checks.ts';
import { underConvention } from './under-convention.ts';

/** What a judgement says that rests on it. */
export const conventionText = '0·log 0 = 0 is assumed';

/** The goal with the convention in its formulas and in itself; null if none of them has such a product. */
export function withEntropyConvention(adopted: AdoptedGoal, options: AdoptionOptions): AdoptedGoal | null {
  const extended = (term: Term): Term | null => {
    const zero = vanishing(term);
    return zero && choose(call('equal', zero, integer(0)), decimal('0'), term, term.type);
  };
  return underConvention(adopted, { name: conventionText, read: extended }, options);
}

/** The factor t of `c·t·log(t)` and `c·t·log(t / q)`, where c is a number; null for any other term. */
function vanishing(term: Term): Term | null {
  if (term.kind !== 'call' || term.fn !== 'multiply') return null;
  const factors = factorsOf(term).filter((factor) => freeVariables(factor).size > 0);
  const [first, second, more] = factors;
  if (!first || !second || more) return null;
  const isPair = (t: Term, log: Term): boolean => termKey(t) === argumentKey(log);
  if (isPair(first, second)) return first;
  return isPair(second, first) ? second : null;
}

function factorsOf(term: Term): readonly Term[] {
  if (term.kind !== 'call') return [term];
  if (term.fn === 'multiply' || term.fn === 'negate') return term.arguments.flatMap(factorsOf);
  const [left, right] = term.arguments;
  const isByNumber = term.fn === 'divide' && left && right && freeVariables(right).size === 0;
  return isByNumber ? [...factorsOf(left), right] : [term];
}

/** Of a logarithm: the key of its argument, or of the numerator of that. */
function argumentKey(term: Term): string | null {
  if (term.kind !== 'call' || !['log', 'log2', 'log10'].includes(term.fn)) return null;
  const [argument] = term.arguments;
  if (!argument) return null;
  const numerator = argument.kind === 'call' && argument.fn === 'divide' ? argument.arguments[0] : argument;
  return termKey(numerator ?? argument);
}
