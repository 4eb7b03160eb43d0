/** `Σ_i p_i - q_i`: the index of a reduction, used again where its body has ended, may be meant as another index or as the same. */
import type { Expression } from '../../../math/notation/syntax.ts';
import { giveUp, type Context } from '../context/context.ts';
import type { Scope } from '../context/scope.ts';
import { childrenOf, freeIndices } from '../context/syntax-parts.ts';

type Binary = Extract<Expression, { kind: 'binary' }>;
type Big = Extract<Expression, { kind: 'big' }>;

/** Leaves a claim open if one of `indices`, which nothing quantifies, is to the right of a reduction over it. */
export function refuseAfterReduction(ctx: Context, scope: Scope, claim: Expression, indices: readonly string[]): void {
  for (const index of indices) {
    const found = after(ctx, scope, claim, index);
    if (!found) continue;
    const { big, whole } = found;
    const { text } = ctx.text;
    const head = text.slice(big.range.start, big.body.range.start).replace(/[(\s]+$/u, '');
    const body = text.slice(big.range.start + head.length, big.range.end).trim();
    const rest = text.slice(big.range.end, whole.range.end);
    const readings = `${head} (${body}${rest}) or (${head} ${body})${rest} for all ${index}`;
    const used = text.slice(whole.right.range.start, whole.right.range.end);
    giveUp(ctx, whole.range, `${index} is bound by ${head}, whose body ends before ${used}: write ${readings}`);
  }
}

/** A sum or product with such an index, except in a relation whose other side has it too. */
function after(
  ctx: Context,
  scope: Scope,
  part: Expression,
  index: string,
): { readonly big: Big; readonly whole: Binary } | null {
  const has = (one: Expression): boolean => freeIndices(one, scope).includes(index);
  if (part.kind === 'relation' && part.operands.filter(has).length > 1) return null;
  if (part.kind === 'binary' && part.operator !== '^' && has(part.right)) {
    const big = reductionsIn(part.left).find((one) => binds(one, scope, index) && !isClosed(ctx, one));
    if (big) return { big, whole: part };
  }
  if (!has(part)) return null;
  for (const child of childrenOf(part)) {
    const found = after(ctx, scope, child, index);
    if (found) return found;
  }
  return null;
}

/** The reductions that are terms or factors of an expression. */
function reductionsIn(part: Expression): readonly Big[] {
  if (part.kind === 'big') return [part];
  return part.kind === 'binary' || part.kind === 'negate' ? childrenOf(part).flatMap(reductionsIn) : [];
}

const binds = ({ binders, body }: Big, scope: Scope, index: string): boolean =>
  binders.length > 0 ? binders.some(({ name }) => name === index) : freeIndices(body, scope).join() === index;

/** `(Σ_i p_i) - q_i`: brackets show where the body ends. */
const isClosed = (ctx: Context, { range }: Big): boolean => /^\s*[)\]}]/u.test(ctx.text.text.slice(range.end));
