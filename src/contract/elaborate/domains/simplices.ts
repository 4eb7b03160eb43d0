/** `p ∈ Δ^n`: n numbers from 0 that sum to 1, as papers on learning count; in `Δ^{n-1}`, which has n of them too, the dimension is meant. */
import { readNotation } from '../../../math/notation/read.ts';
import type { Expression, Statement } from '../../../math/notation/syntax.ts';
import { printText } from '../../../math/print/text.ts';
import type { FormalText } from '../../contract.ts';
import { namesOf } from '../context/syntax-parts.ts';

type Simplex = Extract<Expression, { kind: 'binary' }>;

/** Whether `set` is `Δ^n`. */
export function isSimplex(set: Expression | undefined): set is Simplex {
  return set?.kind === 'binary' && set.operator === '^' && set.left.kind === 'name' && set.left.text === 'Δ';
}

/** `text` with a vector, its bounds and its sum in place of each simplex; of a matrix, each row is a point. */
export function withSimplices(text: FormalText): FormalText {
  const { notation } = text;
  const names = [...new Set(notation.statements.flatMap(({ body }) => namesOf(body)))];
  const [index, row] = ['i', 'j', 'k', 'l', 'r', 's'].filter((letter) => !names.some((name) => name.includes(letter)));
  if (index === undefined || row === undefined || !names.includes('Δ')) return text;
  const statements = notation.statements.flatMap((one) => ofSimplex(one, index, row) ?? [one]);
  return { ...text, notation: { ...notation, statements } };
}

function ofSimplex({ body }: Statement, index: string, row: string): readonly Statement[] | null {
  const [member, set] = body.kind === 'relation' && body.operators.join('') === '∈' ? body.operands : [];
  if (member?.kind !== 'name' || !isSimplex(set)) return null;
  const { right } = set;
  const isMatrix = right.kind === 'binary' && right.operator === '×';
  const shape = isMatrix ? `${printText(right.left)} × ${vertices(right.right)}` : vertices(right);
  const element = `${member.text}_{${isMatrix ? `${row}, ` : ''}${index}}`;
  const said = `${member.text} ∈ ℝ^{${shape}}, ${element} ≥ 0, Σ_${index} ${element} = 1`;
  // Spaces keep the place in the text.
  const { status, statements } = readNotation(' '.repeat(body.range.start) + said, 'domain');
  return status === 'math' ? statements : null;
}

/** n of `Δ^n` and of `Δ^{n-1}`. */
function vertices(exponent: Expression): string {
  const isDimension =
    exponent.kind === 'binary' &&
    exponent.operator === '-' &&
    exponent.right.kind === 'number' &&
    exponent.right.value === '1';
  return printText(isDimension ? exponent.left : exponent);
}
