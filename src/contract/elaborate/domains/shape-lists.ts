/** `x: [S, H]` in a domain: the shape of x, where S and H are names that nothing else is said of, and not the interval from S to H. */
import { readNotation } from '../../../math/notation/read.ts';
import type { Expression, Statement } from '../../../math/notation/syntax.ts';
import type { Equation, FormalText } from '../../contract.ts';
import { namesOf } from '../context/syntax-parts.ts';
import { readType } from '../inputs/type-expressions.ts';

/** `text` with a tensor of real numbers in place of each such list. */
export function withShapeLists(text: FormalText): FormalText {
  const { notation } = text;
  const declared = new Set(notation.statements.flatMap(({ body }) => subjectOf(body) ?? []));
  const statements = notation.statements.flatMap((one) => asTensor(one, text.text, declared) ?? [one]);
  return { ...text, notation: { ...notation, statements } };
}

/**
 * The codomain `[d_out, seq]`, or `y: [d_out, seq]`, as the shape of the result, where the domain has tensors of these sizes; null of any
 * other, such as the interval from `low` to `high`. Of a number it may be an interval all the same.
 */
export function shapeCodomain({ codomain, domain }: Pick<Equation, 'codomain' | 'domain'>): FormalText | null {
  if (codomain === null || domain === null) return null;
  const body = readNotation(codomain.text, 'domain').statements[0]?.body;
  const member = body?.kind === 'relation' && body.operators.join('') === '∈' ? body.operands : [];
  const list = member[1] ?? body;
  if (member[0] && !/^\s*:/u.test(codomain.text.slice(member[0].range.end))) return null;
  const sizes = list ? listedSizes(list) : [];
  const axes = new Set(axesOf(domain));
  if (!list || sizes.length === 0 || !sizes.every((size) => size.kind === 'name' && axes.has(size.text))) return null;
  const name = member[0]?.kind === 'name' ? `${member[0].text} ∈ ` : '';
  const shape = sizes.map(({ range }) => codomain.text.slice(range.start, range.end)).join(' × ');
  return { ...codomain, notation: readNotation(`${name}ℝ^{${shape}}`, 'domain') };
}

/** The names of sizes in the types that a domain declares. */
export const axesOf = (domain: FormalText): readonly string[] =>
  withShapeLists(domain).notation.statements.flatMap(axesIn);
function axesIn({ body }: Statement): readonly string[] {
  const [, type] = body.kind === 'relation' && body.operators[0] === '∈' ? body.operands : [];
  return (type && readType(type)?.axes.flatMap(namesOf)) ?? [];
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
  const sizes = listedSizes(list);
  if (sizes.length === 0 || !sizes.every((size) => size.kind === 'name' && !declared.has(size.text))) return null;
  const shape = sizes.map(({ range }) => text.slice(range.start, range.end)).join(' × ');
  // Spaces keep the place in the text.
  const said = `${' '.repeat(body.range.start)}${member.text} ∈ ℝ^{${shape}}`;
  const { status, statements } = readNotation(said, 'domain');
  return status === 'math' ? statements : null;
}

/** The items of `[m, n]`, which may read as an interval; none of anything else. */
export function listedSizes(list: Expression): readonly Expression[] {
  if (list.kind === 'list' && !list.ellipsis) return list.items;
  return list.kind === 'interval' && !list.lowOpen && !list.highOpen ? [list.low, list.high] : [];
}
