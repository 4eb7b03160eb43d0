/** Structures that generators build: points of the simplex, increasing sequences. */
import { integer } from '../../../math/term/build.ts';
import { integerValue } from '../../../math/term/fold.ts';
import type { Expression } from '../../../math/notation/syntax.ts';
import type { FormalText } from '../../contract.ts';
import { reading, remark, type Context } from '../context/context.ts';
import { isOfShares, type DomainDraft, type DraftInput } from './domain-draft.ts';
import { resolveName } from '../context/names.ts';
import { lookup } from '../context/scope.ts';
import { freeIndices } from '../context/syntax-parts.ts';
import { targetOf, type Link } from './targets.ts';

/** `Σ_j p_j = 1` and `sum(p) = 1` over the last axis. */
export function simplexOf(draft: DomainDraft, link: Link): boolean {
  return link.operator === '=' && (sumsToOne(draft, link.left, link.right) || sumsToOne(draft, link.right, link.left));
}

function sumsToOne(draft: DomainDraft, side: Expression, one: Expression): boolean {
  const sum = sumOf(draft, side);
  if (sum === null || one.kind !== 'number' || Number(one.value) !== 1) return false;
  const over = sum.over ?? freeIndices(sum.body, draft.scope)[0];
  const target = targetOf(draft, sum.body);
  if (
    !target ||
    target.absolute ||
    target.input.shape.length === 0 ||
    (over !== undefined && lastIndex(draft, sum.body) !== over) ||
    (over === undefined && target.input.shape.length > 1)
  )
    return false;
  const { input } = target;
  if (input.choices !== null && !isZeroOrOne(input)) return false;
  if (input.choices !== null) {
    // One-hot: whole numbers from 0 to 1, one of which is 1.
    input.choices = null;
    input.lower = { value: integer(0), open: false };
    input.upper = { value: integer(1), open: false };
  }
  input.structure = 'simplex';
  return true;
}

/** Records each input whose rows sum to 1 and that has no lower bound: its elements are read as nonnegative shares. */
export function noteShares(ctx: Context, draft: DomainDraft, text: FormalText | null): void {
  const shares = [...draft.inputs.values()].filter(isOfShares);
  if (text === null || shares.length === 0) return;
  reading(ctx, text, () => {
    for (const { name, shape } of shares) {
      const element = `${name}_${'ijkl'.slice(0, shape.length)}`;
      const message = `${name} sums to 1 and has no lower bound; pv reads it as shares, none of them negative`;
      const hint = `write ${element} ≥ 0, or the lower bound that is meant: ${element} ≥ -1`;
      remark(ctx, 'PV-4052', { start: 0, end: text.text.length }, message, hint);
    }
  });
}

/** The index that a sum runs over, if its elements are those of an input. */
function sumOf(
  draft: DomainDraft,
  side: Expression,
): { readonly over: string | null; readonly body: Expression } | null {
  if (side.kind === 'big' && side.operator === 'sum' && side.upper === null && side.condition === null) {
    const [binder, more] = side.binders;
    return more || binder?.bound ? null : { over: binder?.name ?? null, body: side.body };
  }
  if (side.kind !== 'call' || side.callee.kind !== 'name' || side.callee.text !== 'sum') return null;
  const [argument, more] = side.arguments;
  if (!argument || more || argument.label !== null || lookup(draft.scope, 'sum') !== null) return null;
  return { over: null, body: argument.value };
}

function isZeroOrOne({ element, choices }: DraftInput): boolean {
  const values = choices?.map(integerValue) ?? [];
  return element.kind === 'integer' && values.length === 2 && values.includes(0) && values.includes(1);
}

function lastIndex(draft: DomainDraft, side: Expression): string | undefined {
  if (side.kind === 'index') {
    const item = side.items.at(-1);
    return item?.kind === 'at' && item.value.kind === 'name' ? item.value.text : undefined;
  }
  const resolved = side.kind === 'name' ? resolveName(side, draft.scope) : null;
  const last = resolved?.kind === 'indexed' ? resolved.indices.at(-1) : undefined;
  return last?.kind === 'name' ? last.text : undefined;
}

/** `x_i < x_{i+1}` along the last axis. */
export function increasingOf(draft: DomainDraft, link: Link): boolean {
  const { left, right } = link;
  if (link.operator !== '<' || right.kind !== 'index' || right.base.kind !== 'name' || right.items.length !== 1)
    return false;
  const [next] = right.items;
  const target = targetOf(draft, left);
  if (
    !target ||
    target.absolute ||
    target.input.name !== right.base.text ||
    target.input.shape.length !== 1 ||
    next?.kind !== 'at'
  )
    return false;
  const index = lastIndex(draft, left);
  const step = next.value;
  const successor =
    step.kind === 'binary' &&
    step.operator === '+' &&
    step.left.kind === 'name' &&
    step.left.text === index &&
    step.right.kind === 'number' &&
    step.right.value === '1';
  if (successor) target.input.structure = 'increasing';
  return successor;
}
