/**
 * Wrong variants of the claims of a contract over data. An equation that several claims use is edited once, in all of them: its
 * mutants are listed with the first of these claims.
 */
import type { EquationModel, Goal } from '../../contract/goal.ts';
import { variable } from '../../math/term/build.ts';
import { mutateEquation } from '../../math/mutate.ts';
import { termKey } from '../../math/term/term-key.ts';
import type { Term } from '../../math/term/term.ts';
import { freeVariables, mapParts, substitute } from '../../math/term/traverse.ts';
import { makeType } from '../../math/term/types.ts';

/** One edit of one claim or equation; the controls must detect it. */
export interface ClaimMutant {
  /** `equation:a < b → a ≤ b` for an edit of the claim, `equation:in f: …` for one of the equation `f`. */
  readonly id: string;
  /** The claims with the edit: the one that is edited, or all that rest on the equation. */
  readonly goals: readonly Goal[];
}

/** The maximum number of mutants of one term; if there are more, they are sampled evenly. */
const LIMIT = 40;

/** A term whose equations are folded back into variables. */
interface Named {
  readonly equation: EquationModel;
  readonly key: string;
  readonly body: Term;
}

/** The mutants that are listed with `goal`; `goals` are all claims about data of its contract. */
export function mutantsOfClaim(
  goal: Goal,
  goals: readonly Goal[],
  equations: readonly EquationModel[],
): readonly ClaimMutant[] {
  const named = nameEquations(equations);
  const definitions = new Map(named.map(({ equation, body }) => [equation.symbol, body]));
  const own = mutantsOf(goal, goal.claim, folded(goal.predicate, named), named).map(({ id, body }) => ({
    id,
    goals: [{ ...goal, predicate: unfolded(body, definitions) }],
  }));
  const first = new Set(
    named.filter(({ equation }) => goals.find((one) => restsOn(one, equation.symbol, named))?.id === goal.id),
  );
  const shared = [...first].flatMap(({ equation, body }) => {
    const affected = goals.filter((one) => restsOn(one, equation.symbol, named));
    return mutantsOf(goal, equation.name, body, named).map((wrong) => ({
      id: wrong.id.replace('equation:', `equation:in ${equation.symbol}: `),
      goals: affected.map((one) => ({
        ...one,
        predicate: unfolded(folded(one.predicate, named), new Map(definitions).set(equation.symbol, wrong.body)),
      })),
    }));
  });
  return [...own, ...shared];
}

function mutantsOf(
  { domain }: Goal,
  name: string,
  body: Term,
  named: readonly Named[],
): readonly { readonly id: string; readonly body: Term }[] {
  const mentioned = freeVariables(body);
  const parameters = [
    ...domain.variables.map((one) => ({ name: one.name, type: makeType(one.element, one.shape) })),
    ...named.map(({ equation }) => ({ name: equation.symbol, type: equation.result })),
  ].filter((one) => mentioned.has(one.name));
  const sizes = domain.sizes.map((size) => size.name);
  return mutateEquation({ name, parameters, sizes, body }, { limit: LIMIT }).map(({ id, model }) => ({
    id,
    body: model.body,
  }));
}

/** The equations with a single value; those with an index are different terms wherever they are used. */
function nameEquations(equations: readonly EquationModel[]): readonly Named[] {
  const scalars = equations.filter(({ result, body }) => result.kind !== 'tensor' && body.kind !== 'variable');
  const whole = scalars.map((equation) => ({ equation, key: termKey(equation.body), body: equation.body }));
  return whole.map((one) => {
    const others = whole.filter(({ equation }) => equation !== one.equation);
    return { ...one, body: mapParts(one.body, (part) => folded(part, others)) };
  });
}

/** `term` with a variable in place of each equation's formula. */
function folded(term: Term, named: readonly Named[]): Term {
  if (term.kind === 'variable' || term.kind === 'number' || term.kind === 'boolean' || term.kind === 'string')
    return term;
  const key = termKey(term);
  const found = named.find((one) => one.key === key);
  if (found) return variable(found.equation.symbol, term.type);
  return mapParts(term, (part) => folded(part, named));
}

/** The inverse of {@link folded}: equations depend on each other without cycles. */
function unfolded(term: Term, definitions: ReadonlyMap<string, Term>): Term {
  let count = 0;
  let result = term;
  for (let depth = 0; depth <= definitions.size; depth++) {
    if (![...freeVariables(result)].some((name) => definitions.has(name))) return result;
    result = substitute(result, definitions, (hint) => `${hint.replace(/~.*$/, '')}~${(count += 1)}`);
  }
  return result;
}

function restsOn(goal: Goal, symbol: string, named: readonly Named[]): boolean {
  const seen = new Set<string>();
  const mentions = (term: Term): boolean =>
    [...freeVariables(term)].some((name) => {
      if (name === symbol) return true;
      const next = named.find(({ equation }) => equation.symbol === name);
      if (!next || seen.has(name)) return false;
      seen.add(name);
      return mentions(next.body);
    });
  return mentions(folded(goal.predicate, named));
}
