/** Goals in which something means what another convention says. */
import { canonicalJson } from '../../base/canonical-json.ts';
import type { EquationModel, Goal } from '../../contract/goal.ts';
import { sha256 } from '../../evidence/digest.ts';
import type { Term } from '../../math/term/term.ts';
import { mapParts } from '../../math/term/traverse.ts';
import { checksOf, type AdoptedGoal, type AdoptionOptions } from './adoption-checks.ts';

/** What a term means by it; null for a term that it does not concern. */
export interface Convention {
  readonly name: string;
  readonly read: (term: Term) => Term | null;
}

/** The goal with the convention in its formulas and in itself; null if it concerns none of them. */
export function underConvention(
  adopted: AdoptedGoal,
  { name, read }: Convention,
  options: AdoptionOptions,
): AdoptedGoal | null {
  let isChanged = false;
  const changed = (term: Term): Term => {
    const inner = mapParts(term, changed);
    const other = read(inner);
    isChanged ||= other !== null;
    return other ?? inner;
  };
  const digestOf = (digest: string): string => sha256(canonicalJson([name, digest]));
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
