/**
 * 0·log 0 = 0, which entropies, divergences and information gains take for granted: `-Σ_i p_i·log(p_i)` has no value at p_i = 0 otherwise.
 *
 * Only a product of one quantity t, a logarithm of t or of t / q, and numbers is read this way, and only at t = 0: there it is the limit of
 * t·log t. `y·log(p)` has no such limit and is left alone.
 */
import { canonicalJson } from '../../base/canonical-json.ts';
import type { EquationModel, Goal } from '../../contract/goal.ts';
import { sha256 } from '../../evidence/digest.ts';
import { call, choose, decimal, integer } from '../../math/term/build.ts';
import { termKey } from '../../math/term/term-key.ts';
import type { Term } from '../../math/term/term.ts';
import { freeVariables, mapParts } from '../../math/term/traverse.ts';
import { checksOf, type AdoptedGoal, type AdoptionOptions } from './adoption-checks.ts';

/** What a judgement says that rests on it. */
export const conventionText = '0·log 0 = 0 is assumed';

/** The goal with the convention in its formulas and in itself; null if none of them has such a product. */
export function withEntropyConvention(adopted: AdoptedGoal, options: AdoptionOptions): AdoptedGoal | null {
  let isChanged = false;
  const changed = (term: Term): Term => {
    const inner = mapParts(term, changed);
    const zero = vanishing(inner);
    if (zero === null) return inner;
    isChanged = true;
    return choose(call('equal', zero, integer(0)), decimal('0'), inner, inner.type);
  };
  const digestOf = (digest: string): string => sha256(canonicalJson([conventionText, digest]));
  const model = (one: EquationModel): EquationModel => ({
    ...one,
    body: changed(one.body),
    digest: digestOf(one.digest),
  });
  const goalOf = (one: Goal): Goal => ({
    ...one,
    predicate: changed(one.predicate),
    digest: digestOf(one.digest),
    overReals: one.overReals && {
      equations: one.overReals.equations.map((applied) => ({ ...applied, model: model(applied.model) })),
    },
  });
  const goal = goalOf(adopted.goal);
  const subjects = adopted.subjects.map((one) => ({ ...one, model: model(one.model) }));
  const mathematics = adopted.mathematics && goalOf(adopted.mathematics);
  if (!isChanged) return null;
  return { ...adopted, goal, subjects, mathematics, ...checksOf(goal, subjects, mathematics, options) };
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
