/** `f(x) = a ≈ b` names two functions: `f_exact` computes a and `f_approx` computes b, unless the contract defines these names itself. */
import type { Expression } from '../../../math/notation/syntax.ts';
import type { Equation } from '../../contract.ts';
import { childScope, lookup, type Entry, type Scope } from '../context/scope.ts';
import { elaborateEquation, type ElaboratedEquation } from './equation.ts';

const exact = ['exact'];
const approximate = ['approx', 'approximate'];

/** `scope` with these names. They mean the mathematics: a kernel that is bound computes f. */
export function withApproximations(scope: Scope, equations: readonly ElaboratedEquation[]): Scope {
  const entries = equations.flatMap(({ equation, symbol, model }): readonly (readonly [string, Entry])[] => {
    const approximation = approximationOf(equation);
    if (symbol === null || !model || !approximation) return [];
    const entry = (suffix: string, of: () => typeof model | null): readonly [string, Entry] => [
      `${symbol}_${suffix}`,
      { kind: 'equation', name: equation.name, model: of, reference: true, inlined: true },
    ];
    return [
      ...exact.map((suffix) => entry(suffix, () => model)),
      ...approximate.map((suffix) => entry(suffix, () => elaborateEquation(approximation, scope).model)),
    ];
  });
  const added = entries.filter(([name]) => lookup(scope, name) === null);
  return added.length === 0 ? scope : childScope(scope, added);
}

/** `f(x) = b` of `f(x) = a ≈ b`; null for a formula of another form. */
function approximationOf(equation: Equation): Equation | null {
  const { notation } = equation.formula;
  const [statement, more] = notation.statements;
  const body = statement?.body;
  if (!statement || more || body?.kind !== 'relation' || body.operators.join(' ') !== '= ≈') return null;
  const [head, , approximation] = body.operands;
  if (head?.kind !== 'call' || !approximation) return null;
  const alone: Expression = { ...body, operands: [head, approximation], operators: ['='] };
  // Parts of texts are accounted for by their spans.
  const formula = {
    ...equation.formula,
    span: { ...equation.formula.span },
    notation: { ...notation, statements: [{ ...statement, body: alone }] },
  };
  return { ...equation, formula };
}
