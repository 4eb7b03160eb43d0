/** `x: [S, H]` in a domain: the shape of x, where S and H are names that nothing else is said of, and not the interval from S to H. */
import { readNotation } from '../../../math/notation/read.ts';
import type { Expression, Statement } from '../../../math/notation/syntax.ts';
import type { FormalText } from '../../contract.ts';

/** `text` with a tensor of real numbers in place of each such list. */
export function withShapeLists(text: FormalText): FormalText {
  const { notation } = text;
  const declared = new Set(notation.statements.flatMap(({ body }) => subjectOf(body) ?? []));
  const statements = notation.statements.flatMap((one) => asTensor(one, text.text, declared) ?? [one]);
  return { ...text, notation: { ...notation, statements } };
}

/** The name of which `body` says what it is; a bound of a size does not. */
function subjectOf(body: Expression): string | null {
  const left = body.kind === 'relation' && ['∈', '='].includes(body.operators[0] ?? '') ? body.operands[0] : undefined;
  return left?.kind === 'name' ? left.text : null;
}

function asTensor({ body }: Statement, text: string, declared: ReadonlySet<string>): readonly Statement[] | null {
  const [member, list, more] = body.kind === 'relation' && body.operators[0] === '∈' ? body.operands : [];
  if (member?.kind !== 'name' || !list || more || !/^\s*:\s*\[/u.test(text.slice(member.range.end, list.range.end)))
    return null;
  const sizes = sizesOf(list);
  if (sizes.length === 0 || !sizes.every((size) => size.kind === 'name' && !declared.has(size.text))) return null;
  const shape = sizes.map(({ range }) => text.slice(range.start, range.end)).join(' × ');
  // Spaces keep the place in the text.
  const said = `${' '.repeat(body.range.start)}${member.text} ∈ ℝ^{${shape}}`;
  const { status, statements } = readNotation(said, 'domain');
  return status === 'math' ? statements : null;
}

function sizesOf(list: Expression): readonly Expression[] {
  if (list.kind === 'list' && !list.ellipsis) return list.items;
  return list.kind === 'interval' && !list.lowOpen && !list.highOpen ? [list.low, list.high] : [];
}
