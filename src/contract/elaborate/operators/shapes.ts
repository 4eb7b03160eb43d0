/** `shape(x)`, `rows(A)`, `cols(A)`: facts of a tensor's type. */
import type { Range } from '../../../diagnostics/source.ts';
import { call, choose, integer } from '../../../math/term/build.ts';
import { INTEGER } from '../../../math/term/term.ts';
import { fail, type Context } from '../context/context.ts';
import { scalar, shapeOfValue, tensor, valueText } from '../context/values.ts';
import type { Value } from '../context/value.ts';

/** The sizes of the axes, outermost first, as a vector. */
export function shapeOf(ctx: Context, value: Value, range: Range): Value {
  const sizes = sizesOf(ctx, value, 1, range);
  const [first = integer(0), ...others] = sizes;
  return tensor(INTEGER, [integer(sizes.length)], ([place = integer(0)]) =>
    others.reduceRight(
      (rest, size, i) => choose(call('equal', place, integer(i + 1)), size, rest),
      // The last condition that is tried is that of the first axis.
      first,
    ),
  );
}

/** The size of one axis: rows are axis 0 of a matrix. */
export function axisOf(ctx: Context, value: Value, axis: 0 | 1, range: Range): Value {
  return scalar(sizesOf(ctx, value, 2, range)[axis] ?? integer(0));
}

function sizesOf(ctx: Context, value: Value, rank: 1 | 2, range: Range): ReturnType<typeof shapeOfValue> {
  const sizes = shapeOfValue(value);
  if (ctx.claim) ctx.claim.asksShapes = true;
  if (!ctx.problem && (sizes.length < rank || (rank === 2 && sizes.length !== 2)))
    fail(ctx, 'PV-4003', range, `a ${rank === 2 ? 'matrix' : 'tensor'} has them, and this is ${valueText(value)}`);
  return sizes;
}
