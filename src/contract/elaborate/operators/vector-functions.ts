/** `reverse(x)`, `swap(pair)` and `|unique(x)|`: functions of vectors that papers and programs use without defining them. */
import type { Range } from '../../../diagnostics/source.ts';
import type { Expression } from '../../../math/notation/syntax.ts';
import { call, integer, reduce, variable } from '../../../math/term/build.ts';
import { INTEGER } from '../../../math/term/term.ts';
import { integerValue } from '../../../math/term/fold.ts';
import { use } from '../context/ledger.ts';
import { lookup, type Scope } from '../context/scope.ts';
import { fail, type Context } from '../context/context.ts';
import { inFrame, openFrame } from '../context/frames.ts';
import { overAxes, scalar, tensor, valueText } from '../context/values.ts';
import type { TensorValue, Value } from '../context/value.ts';

/** The elements from the last to the first. */
export function reversed(ctx: Context, value: Value, range: Range): Value {
  const vector = vectorOf(ctx, value, range);
  if (vector === null) return value;
  const [length = integer(0)] = vector.shape;
  const last = call('subtract', length, integer(1));
  return tensor(vector.element, vector.shape, ([i = integer(0)]) => vector.at([call('subtract', last, i)]));
}

/** `[b, a]` of `[a, b]`. */
export function swapped(ctx: Context, value: Value, range: Range): Value {
  const [length] = value.kind === 'tensor' ? value.shape : [];
  if (ctx.problem || (length && integerValue(length) === 2)) return reversed(ctx, value, range);
  return fail(ctx, 'PV-4003', range, `swap is about a pair, and this is ${valueText(value)}`);
}

const setNames: ReadonlySet<string> = new Set(['unique', 'distinct', 'set']);

/** How many different elements x has, of `unique(x)`: those that equal none before them. Null for anything else. */
export function distinctCount(ctx: Context, part: Expression, scope: Scope): Value | null {
  const [only, more] = part.kind === 'call' ? part.arguments : [];
  const callee = part.kind === 'call' && part.callee.kind === 'name' ? part.callee : null;
  if (!callee || !only || more || !setNames.has(callee.text) || lookup(scope, callee.text)) return null;
  use(ctx, callee.range);
  const value = ctx.elaborate(only.value, scope);
  const vector = vectorOf(ctx, value, part.range);
  if (vector === null || vector.element.kind === 'boolean') return value;
  const { body, binders } = overAxes(ctx, vector.shape, ([i = integer(0)]) => {
    const name = ctx.fresh('j');
    const before = variable(name, INTEGER);
    const differs = inFrame(ctx, openFrame('binder', [name]), () =>
      call('not-equal', vector.at([i]), vector.at([before])),
    );
    return reduce('all', [{ name, from: integer(0), to: i }], differs);
  });
  return scalar(reduce('count', binders, body));
}

function vectorOf(ctx: Context, value: Value, range: Range): TensorValue | null {
  if (ctx.problem) return null;
  if (value.kind === 'tensor' && value.shape.length === 1) return value;
  fail(ctx, 'PV-4003', range, `a vector is expected here, and this is ${valueText(value)}`);
  return null;
}
