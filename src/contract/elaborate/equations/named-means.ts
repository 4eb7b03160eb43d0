/** `μ_x`, `mu_x`, `mean_x`, `x_bar` for the mean of a vector x that the domain declares, where nothing says what they are. */
import type { Expression, Statement } from '../../../math/notation/syntax.ts';
import type { Equation } from '../../contract.ts';
import { mapExpression } from '../context/map-expression.ts';
import { namesOf } from '../context/syntax-parts.ts';
import { sidesOf } from '../domains/definition-heads.ts';

const written = /^(?:(?:μ|mu|mean)_(\p{L}\p{M}?)|(\p{L}\p{M}?)_(?:bar|mean))$/u;

/** The equation with `mean(x)` in their place; unchanged if it has none. */
export function withNamedMeans(equation: Equation): Equation {
  const { formula, domain } = equation;
  if (domain === null || !/(?:μ|mu|mean)_|_(?:bar|mean)/u.test(formula.text)) return equation;
  const { statements } = formula.notation;
  const vectors = new Set(domain.notation.statements.flatMap(vectorsIn));
  const said = new Set([
    ...statements.flatMap(definedIn),
    ...domain.notation.statements.flatMap(({ body }) => namesOf(body)),
  ]);
  const change = (part: Expression): Expression => {
    const [, below, before] = (part.kind === 'name' && !said.has(part.text) && written.exec(part.text)) || [];
    const vector = below ?? before;
    if (vector === undefined || !vectors.has(vector)) return mapExpression(part, change);
    const { range } = part;
    const value: Expression = { kind: 'name', text: vector, range };
    return { kind: 'call', callee: { kind: 'name', text: 'mean', range }, arguments: [{ label: null, value }], range };
  };
  const changed = statements.map((one): Statement => ({
    ...one,
    body: change(one.body),
    definitions: one.definitions.map(change),
  }));
  return { ...equation, formula: { ...formula, notation: { ...formula.notation, statements: changed } } };
}

/** x of `x ∈ ℝ^n`. */
function vectorsIn({ body }: Statement): readonly string[] {
  const [left, set] = body.kind === 'relation' && body.operators.join('') === '∈' ? body.operands : [];
  const names = left?.kind === 'tuple' ? left.items : [left];
  if (set?.kind !== 'binary' || set.operator !== '^') return [];
  return names.flatMap((name) => (name?.kind === 'name' ? [name.text] : []));
}

/** What the formula defines itself: `μ_x = …`. */
const definedIn = ({ body, definitions }: Statement): readonly string[] =>
  [body, ...definitions].flatMap((part) => {
    const left = sidesOf(part)?.left;
    return left ? namesOf(left) : [];
  });
