/** `Q^T Q = I`, `A - I`: the identity matrix, as large as the square matrix on the other side of the sign. */
import { call, choose, integer } from '../../../math/term/build.ts';
import type { Expression } from '../../../math/notation/syntax.ts';
import { INTEGER } from '../../../math/term/term.ts';
import { equalSizes } from './binders.ts';
import type { Context } from '../context/context.ts';
import { use } from '../context/ledger.ts';
import { resolveName } from '../context/names.ts';
import type { Scope } from '../context/scope.ts';
import type { Value } from '../context/value.ts';
import { tensor } from '../context/values.ts';

const isIdentity = (part: Expression, scope: Scope): boolean =>
  part.kind === 'name' && part.text === 'I' && resolveName(part, scope) === null;

/** Both sides, where one may be I and nothing else has that name. */
export function withIdentity(
  ctx: Context,
  left: Expression,
  right: Expression,
  scope: Scope,
): readonly [left: Value, right: Value] {
  const [first, second] = [isIdentity(left, scope), isIdentity(right, scope)];
  if (first === second) return [ctx.elaborate(left, scope), ctx.elaborate(right, scope)];
  const [written, other] = first ? [left, right] : [right, left];
  const value = ctx.elaborate(other, scope);
  const identity = identityLike(ctx, value) ?? ctx.elaborate(written, scope);
  if (!ctx.problem) use(ctx, written.range);
  return first ? [identity, value] : [value, identity];
}

/** Null if `value` is not a square matrix. */
function identityLike(ctx: Context, value: Value): Value | null {
  const [rows, columns, more] = value.kind === 'tensor' ? value.shape : [];
  if (ctx.problem || !rows || !columns || more || !equalSizes(ctx, rows, columns)) return null;
  return tensor(INTEGER, [rows, columns], ([i = integer(0), j = integer(0)]) =>
    choose(call('equal', i, j), integer(1), integer(0)),
  );
}
