/** What a domain says about strings and sequences: how long they are, and of which characters. */
import type { Expression, RelationOperator } from '../../../math/notation/syntax.ts';
import { lengthName } from '../../../math/term/sequences.ts';
import { integerValue } from '../../../math/term/fold.ts';
import { INTEGER, type Term } from '../../../math/term/term.ts';
import { freeVariables } from '../../../math/term/traverse.ts';
import { boundTerm, narrowSize, turned } from './bounds.ts';
import { fail, type Context } from '../context/context.ts';
import type { DomainDraft, DraftInput, DraftSize } from '../inputs/domain-draft.ts';
import { narrowEnd, type Narrowable } from '../inputs/tighter-bound.ts';
import { useAll } from '../context/ledger.ts';
import { freeIndices } from '../context/syntax-parts.ts';
import type { Link } from '../inputs/targets.ts';

/** Adds a bound such as `|s| ≤ 32`, `1 ≤ |ids|`, `s_i ∈ {"a", "b"}`; false for everything else. */
export function stringLink(ctx: Context, draft: DomainDraft, link: Link): boolean {
  if (ctx.problem) return true;
  const back = turned(link);
  return (
    alphabetOf(ctx, draft, link) || boundLength(ctx, draft, link) || (back !== null && boundLength(ctx, draft, back))
  );
}

function boundLength(ctx: Context, draft: DomainDraft, link: Link): boolean {
  const measured = measuredName(link.left);
  const input = measured === null ? undefined : draft.inputs.get(measured);
  const size = measured === null ? undefined : draft.sizes.get(lengthName(measured));
  if ((input?.element.kind !== 'string' && !size) || freeIndices(link.right, draft.scope).length > 0) return false;
  const value = boundTerm(ctx, draft, link.right);
  if (value === null || ctx.problem) return true;
  useAll(ctx, link.left);
  if (size) return boundSequence(ctx, size, link, value);
  const known = [...freeVariables(value)].every((name) => draft.sizes.has(name));
  return known && value.type.kind === 'integer' && input !== undefined && boundString(input, link.operator, value);
}

/** `s` of `|s|` and `len(s)`. */
function measuredName(side: Expression): string | null {
  if (side.kind === 'absolute') return side.operand.kind === 'name' ? side.operand.text : null;
  if (side.kind !== 'call' || side.callee.kind !== 'name') return null;
  const [only, more] = side.arguments;
  const measures = side.callee.text === 'len' || side.callee.text === 'length';
  return measures && only?.value.kind === 'name' && !more ? only.value.text : null;
}

function boundSequence(ctx: Context, size: DraftSize, { operator, range }: Link, value: Term): boolean {
  const limit = integerValue(value);
  if (limit === null || operator === '≠' || operator === '∈') return false;
  const both: readonly RelationOperator[] = operator === '=' ? ['≤', '≥'] : [operator];
  for (const one of both) narrowSize(ctx, size, one, limit, range);
  return true;
}

/** The bounds of a string are those of its length, a whole number. */
function boundString(input: DraftInput, operator: RelationOperator, value: Term): boolean {
  const open = operator === '<' || operator === '>';
  const isUpper = operator === '≤' || operator === '<' || operator === '=';
  const isLower = operator === '≥' || operator === '>' || operator === '=';
  const { lower, upper } = input;
  const length: Narrowable = { element: INTEGER, lower, upper, excluded: [] };
  if (isUpper) narrowEnd(length, 'upper', { value, open });
  if (isLower) narrowEnd(length, 'lower', { value, open });
  input.lower = length.lower;
  input.upper = length.upper;
  return isUpper || isLower;
}

/** More characters than any alphabet that is written out as a range. */
const LARGEST_ALPHABET = 0x3000;

/** `s_i ∈ {"a", "b"}`, `s_i ∈ {"a", …, "z"}`. */
function alphabetOf(ctx: Context, draft: DomainDraft, { left, operator, right }: Link): boolean {
  const [, name = '', index] = left.kind === 'name' ? (/^(.+)_([^_]+)$/u.exec(left.text) ?? []) : [];
  const input = index === undefined || draft.inputs.has(`${name}_${index}`) ? undefined : draft.inputs.get(name);
  if (operator !== '∈' || input?.element.kind !== 'string' || input.shape.length > 0 || right.kind !== 'set')
    return false;
  const listed = right.items.flatMap((item) =>
    item.kind === 'string' && [...item.value].length === 1 ? [item.value] : [],
  );
  const characters = right.ellipsis ? between(listed[0], listed.at(-1)) : listed;
  if (listed.length < right.items.length || characters.length === 0)
    fail(
      ctx,
      'PV-4002',
      right.range,
      'an alphabet lists single characters',
      'write s_i ∈ {"a", "b", " "} or s_i ∈ {"a", …, "z"}',
    );
  useAll(ctx, left);
  useAll(ctx, right);
  input.alphabet = input.alphabet?.filter((character) => characters.includes(character)) ?? characters;
  return true;
}

/** The characters from `first` to `last`, without surrogates, which are not characters. */
function between(first: string | undefined, last: string | undefined): readonly string[] {
  const [from, to] = [first?.codePointAt(0) ?? 0, last?.codePointAt(0) ?? -1];
  const count = Math.min(LARGEST_ALPHABET, Math.max(0, to - from + 1));
  return Array.from({ length: count }, (_, i) => from + i)
    .filter((point) => point < 0xd800 || point > 0xdfff)
    .map((point) => String.fromCodePoint(point));
}
