/** `RGB ∈ [0, 1]^3` next to `Y = 0.3·R + 0.6·G + 0.1·B`: the letters of the name are those of its components. */
import { readNotation } from '../../../math/notation/read.ts';
import type { Statement } from '../../../math/notation/syntax.ts';
import type { Equation } from '../../contract.ts';
import { namesOf } from '../context/syntax-parts.ts';

/** The equation with a declaration of each component in place of such a one; unchanged if it has none. */
export function withComponents(equation: Equation): Equation {
  const { formula, domain } = equation;
  if (domain === null) return equation;
  const used = new Set(
    formula.notation.statements.flatMap(({ body, definitions }) => [body, ...definitions].flatMap(namesOf)),
  );
  const said = (letter: string): boolean =>
    domain.notation.statements.some(({ body }) => body.kind === 'relation' && namesOf(body).includes(letter));
  const apart = (statement: Statement): readonly Statement[] => {
    const { body } = statement;
    const [left, set] = body.kind === 'relation' && body.operators.join('') === '∈' ? body.operands : [];
    if (left?.kind !== 'name' || set?.kind !== 'binary' || set.operator !== '^') return [statement];
    const letters = /^\p{Lu}{2,4}$/u.test(left.text) ? [...left.text] : [];
    const isOf = set.right.kind === 'number' && Number(set.right.value) === letters.length && !used.has(left.text);
    if (!isOf || letters.length === 0 || !letters.every((letter) => used.has(letter) && !said(letter)))
      return [statement];
    const within = domain.text.slice(set.left.range.start, set.left.range.end);
    return readNotation(`${letters.join(', ')} ∈ ${within}`, 'domain').statements;
  };
  const { notation } = domain;
  return {
    ...equation,
    domain: { ...domain, notation: { ...notation, statements: notation.statements.flatMap(apart) } },
  };
}
