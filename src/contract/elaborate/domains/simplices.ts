/** `p ∈ Δ^n`: n numbers from 0 that sum to 1, as papers on learning count; in `Δ^{n-1}`, which has n of them too, the dimension is meant. */
import { readNotation } from '../../../math/notation/read.ts';
import type { Expression, Statement } from '../../../math/notation/syntax.ts';
import type { FormalText } from '../../contract.ts';
import { namesOf } from '../context/syntax-parts.ts';

/** `text` with a vector, its bounds and its sum in place of each simplex. */
export function withSimplices(text: FormalText): FormalText {
  const { notation } = text;
  const names = new Set(notation.statements.flatMap(({ body }) => namesOf(body)));
  const index = ['i', 'j', 'k', 'l'].find((letter) => !names.has(letter));
  if (index === undefined || !names.has('Δ')) return text;
  const statements = notation.statements.flatMap((one) => ofSimplex(one, text.text, index) ?? [one]);
  return { ...text, notation: { ...notation, statements } };
}

function ofSimplex({ body }: Statement, text: string, index: string): readonly Statement[] | null {
  const [member, set] = body.kind === 'relation' && body.operators.join('') === '∈' ? body.operands : [];
  const isSimplex = set?.kind === 'binary' && set.operator === '^' && set.left.kind === 'name' && set.left.text === 'Δ';
  if (member?.kind !== 'name' || !isSimplex) return null;
  const written = ({ range }: Expression): string => text.slice(range.start, range.end);
  const { right } = set;
  const isDimension =
    right.kind === 'binary' && right.operator === '-' && right.right.kind === 'number' && right.right.value === '1';
  const size = isDimension ? written(right.left) : written(right).replaceAll(/^\{|\}$/gu, '');
  const name = member.text;
  const said = `${name} ∈ ℝ^{${size}}, ${name}_${index} ≥ 0, Σ_${index} ${name}_${index} = 1`;
  // Spaces keep the place in the text.
  const { status, statements } = readNotation(' '.repeat(body.range.start) + said, 'domain');
  return status === 'math' ? statements : null;
}
