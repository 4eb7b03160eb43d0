/**
 * The ledger of a formal field: which parts of it reached a term, a bound or a declaration.
 *
 * Elaboration records every name and number that it interprets. If a written name or number is not recorded in the end, nothing
 * executes it, so the field is not evaluated. A form that drops a part is thus refused without a special rule.
 */
import { quoted } from '../../../base/text.ts';
import type { Range } from '../../../diagnostics/source.ts';
import type { Binder, Expression } from '../../../math/notation/syntax.ts';
import type { FormalText } from '../../contract.ts';
import { fail, reading, type Context, type Ledger, type Place } from './context.ts';
import type { Definition } from './scope.ts';
import { childrenOf, isLeaf, mentions, namesOf, nameRange } from './syntax-parts.ts';

/** Records a name or number of the current text. */
export function use(ctx: Context, { start, end }: Range): void {
  const { span, text } = ctx.text;
  const used = ctx.ledger.get(span) ?? new Uint8Array(text.length);
  ctx.ledger.set(span, used.fill(1, start, end));
}

/** Records all of `expression`. */
export function useAll(ctx: Context, expression: Expression): void {
  for (const range of leavesOf(expression)) use(ctx, range);
}

/**
 * Records the left side of a definition. An argument that the right side does not contain is not recorded, unless the function
 * is a number.
 */
export function useHead(ctx: Context, equation: Expression): void {
  const [left, right] = equation.kind === 'relation' ? equation.operands : [];
  if (!left || !right) return;
  const names = namesOf(right);
  const isIdle = (part: Expression): boolean =>
    part.kind === 'name' && names.length > 0 && !mentions(right, (name) => name.includes(part.text));
  const head = left.kind === 'index' ? left.base : left;
  const idle = head.kind === 'call' ? head.arguments.map(({ value }) => value).filter(isIdle) : [];
  for (const range of leavesOf(left)) if (!idle.some((part) => part.range === range)) use(ctx, range);
}

/** Reports that a part of a text would not be executed. */
export function notUsed(ctx: Context, range: Range, why: string, hint: string | null = null): void {
  fail(ctx, 'PV-4031', range, `this part is not used: ${why}`, hint);
}

/** Reports the first unused part of `texts`, except parts set `aside` to be executed elsewhere. */
export function checkLedger(ctx: Context, texts: readonly FormalText[], aside: readonly Place[] = []): void {
  for (const text of texts) {
    if (ctx.problem || text.notation.status !== 'math') continue;
    const others = aside.filter((one) => one.text.span === text.span);
    const part = unusedIn(ctx.ledger, text).find((range) => !others.some((one) => isInside(range, one.range)));
    if (!part) continue;
    const shown = quoted(text.text.slice(part.start, part.end).trim());
    const hint = 'leave it out, or use it in the expression that it is meant to change';
    reading(ctx, text, () => {
      notUsed(ctx, part, `nothing that is executed contains this ${shown}`, hint);
    });
  }
}

/** The unused helpers. */
export function unusedHelpers(ledger: Ledger, helpers: Iterable<Definition>): readonly Definition[] {
  return [...helpers].filter(
    ({ text, cases }) =>
      !cases.some(({ body: { range } }) => ledger.get(text.span)?.subarray(range.start, range.end).includes(1)),
  );
}

/** The names and numbers of `text` that are not recorded, in the order of the text. */
function unusedIn(ledger: Ledger, text: FormalText): readonly Range[] {
  const used = ledger.get(text.span);
  return text.notation.statements
    .flatMap(({ body, binders, conditions, definitions }) => [
      ...leavesOf(body),
      ...binders.flatMap(leavesOfBinder),
      ...[...conditions, ...definitions].flatMap(leavesOf),
    ])
    .filter(({ start, end }) => used?.subarray(start, end).includes(0) ?? true)
    .toSorted((a, b) => a.start - b.start);
}

function leavesOf(expression: Expression): readonly Range[] {
  const binders = expression.kind === 'big' || expression.kind === 'quantified' ? expression.binders : [];
  if (isLeaf(expression)) return [expression.range];
  return [...binders.flatMap(leavesOfBinder), ...childrenOf(expression).flatMap(leavesOf)];
}

function leavesOfBinder(binder: Binder): readonly Range[] {
  return [nameRange(binder), ...(binder.bound ? leavesOf(binder.bound) : [])];
}

function isInside(inner: Range, outer: Range): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}
