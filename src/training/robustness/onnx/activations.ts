/** Piecewise linear activations, all made of ReLUs: max(a, b) = b + ReLU(a − b). */
import type { Problem } from '../../../base/problem.ts';
import { ok, type Result } from '../../../base/result.ts';
import { MIN_NORMAL_FLOAT32 } from '../../../numeric/float.ts';
import { combine } from './arithmetic.ts';
import { windowsOf } from './convolution.ts';
import {
  allowedSize,
  attributeOf,
  broadcastSources,
  constantOf,
  inputOf,
  numbers,
  scalarOf,
  select,
  shapeProblem,
  sizeOf,
  unsupported,
  type Constant,
  type Context,
  type ReadOperator,
  type Value,
} from './values.ts';

const scalar = (value: number): Constant => ({
  kind: 'constant',
  type: 'float32',
  shape: [],
  values: Float64Array.of(value),
});

function activated(context: Context, value: Value, slopeOf: (j: number) => number): Result<Value, Problem> {
  const slopes = numbers(sizeOf(value.shape), slopeOf);
  // A smaller slope may be flushed to zero.
  const odd = slopes.find((slope) => slope !== 0 && !(slope >= MIN_NORMAL_FLOAT32 && slope <= 1));
  if (odd !== undefined)
    return unsupported(
      context,
      `has the slope ${odd} for negative values; pv certifies slopes from ${MIN_NORMAL_FLOAT32} to 1, and 0`,
    );
  if (value.kind === 'constant')
    return slopes.every((slope) => slope === 0)
      ? ok({ ...value, values: value.values.map((x) => Math.max(x, 0)) })
      : unsupported(context, 'is applied to a constant: fold the constants of the model first');
  const node = context.builder.activation(value.node, slopes);
  return node.ok ? ok({ ...value, node: node.value }) : node;
}

const one = (value: Result<Value, Problem>): Result<readonly Value[], Problem> =>
  value.ok ? ok([value.value]) : value;

const withSlope =
  (slopeOf: (context: Context) => number): ReadOperator =>
  (context) => {
    const value = inputOf(context, 0);
    if (!value.ok) return value;
    const slope = slopeOf(context);
    return one(activated(context, value.value, () => slope));
  };

const pRelu: ReadOperator = (context) => {
  const value = inputOf(context, 0);
  if (!value.ok) return value;
  const slopes = constantOf(context, 1);
  if (!slopes.ok) return slopes;
  if (context.opset < 7 && slopes.value.values.length > 1)
    return unsupported(
      context,
      'has one slope for each channel, as before opset 7: convert the model to a newer opset',
    );
  const { shape } = value.value;
  const fits = slopes.value.shape.every(
    (size, d) => size === 1 || size === shape[d - slopes.value.shape.length + shape.length],
  );
  if (!fits || slopes.value.shape.length > shape.length)
    return shapeProblem(context, 'the slopes do not fit the input');
  const sources = broadcastSources(slopes.value.shape, shape);
  return one(activated(context, value.value, (j) => slopes.value.values[sources[j] ?? 0] ?? 0));
};

/** The larger of two values, element by element. */
function larger(context: Context, a: Value, b: Value): Result<Value, Problem> {
  if (a.kind === 'constant' && b.kind === 'constant') return combine(context, 'Max', a, b);
  context.builder.rewrite();
  const difference = combine(context, 'Sub', a, b);
  if (!difference.ok) return difference;
  const above = activated(context, difference.value, () => 0);
  return above.ok ? combine(context, 'Add', b, above.value) : above;
}

/** The smaller: a − ReLU(a − b). */
function smaller(context: Context, a: Value, b: Value): Result<Value, Problem> {
  if (a.kind === 'constant' && b.kind === 'constant') return combine(context, 'Min', a, b);
  context.builder.rewrite();
  const difference = combine(context, 'Sub', a, b);
  if (!difference.ok) return difference;
  const above = activated(context, difference.value, () => 0);
  return above.ok ? combine(context, 'Sub', a, above.value) : above;
}

const extreme =
  (choose: typeof larger): ReadOperator =>
  (context) => {
    let value = inputOf(context, 0);
    for (let i = 1; i < context.inputs.length && value.ok; i++) {
      const next = inputOf(context, i);
      value = next.ok ? choose(context, value.value, next.value) : next;
    }
    return one(value);
  };

const mostFloat32 = (2 - 2 ** -23) * 2 ** 127;

const clip: ReadOperator = (context) => {
  let value = inputOf(context, 0);
  let least: number | null = null;
  for (const [index, name] of ['min', 'max'].entries()) {
    if (!value.ok) return value;
    const given = scalarOf(context, index + 1);
    if (!given.ok) return given;
    const limit = given.value ?? attributeOf(context, name).float;
    if (name === 'max' && limit !== null && least !== null && limit < least)
      return unsupported(context, `has the limits ${least} and ${limit}: engines disagree about an empty range`);
    least ??= limit;
    // Limits that no number of the type exceeds: the defaults of old opsets.
    const most = context.float === 'float32' ? mostFloat32 : Number.MAX_VALUE;
    if (limit === null || (name === 'min' ? limit <= -most : limit >= most)) continue;
    value = (name === 'min' ? larger : smaller)(context, value.value, scalar(limit));
  }
  return one(value);
};

const absolute: ReadOperator = (context) => {
  const value = inputOf(context, 0);
  if (!value.ok) return value;
  const negative = combine(context, 'Mul', value.value, scalar(-1));
  return negative.ok ? one(larger(context, value.value, negative.value)) : negative;
};

const maxPool: ReadOperator = (context) => {
  const windows = windowsOf(context, attributeOf(context, 'kernel_shape').integers);
  if (!windows.ok) return windows;
  if (attributeOf(context, 'ceil_mode').integer === 1)
    return unsupported(context, 'rounds the output size up (ceil_mode)');
  const { input, channels, from, kernel, to, places } = windows.value;
  const [perInput, perOutput, window] = [sizeOf(from), sizeOf(to), sizeOf(kernel)];
  const work = allowedSize(context, [channels, perOutput], window);
  if (!work.ok) return work;
  const sources = Array.from({ length: window }, () => new Int32Array(channels * perOutput));
  for (let output = 0; output < perOutput; output++) {
    const inside = places(output).slice();
    // A place in the padding never wins, so another place of the window replaces it.
    const stand = inside.find((place) => place >= 0);
    if (stand === undefined) return unsupported(context, 'has a window that is all padding');
    for (let k = 0; k < window; k++) {
      const place = inside[k] ?? -1;
      for (let channel = 0; channel < channels; channel++)
        sources[k]?.fill(
          channel * perInput + (place < 0 ? stand : place),
          channel * perOutput + output,
          channel * perOutput + output + 1,
        );
    }
  }
  const shape = [1, channels, ...to];
  let candidates: Value[] = [];
  for (const own of sources) {
    const taken = select(context, input, shape, own);
    if (!taken.ok) return taken;
    candidates.push(taken.value);
  }
  while (candidates.length > 1) {
    const winners: Value[] = [];
    for (let k = 0; k < candidates.length; k += 2) {
      const [a, b] = [candidates[k], candidates[k + 1]];
      if (a === undefined) continue;
      const winner = b === undefined ? ok(a) : larger(context, a, b);
      if (!winner.ok) return winner;
      winners.push(winner.value);
    }
    candidates = winners;
  }
  const [winner] = candidates;
  return winner === undefined ? shapeProblem(context, 'the window is empty') : ok([winner]);
};

export const activationOperators: Readonly<Record<string, ReadOperator>> = {
  Relu: withSlope(() => 0),
  LeakyRelu: withSlope((context) => attributeOf(context, 'alpha').float ?? Math.fround(0.01)),
  PRelu: pRelu,
  Clip: clip,
  Abs: absolute,
  Max: extreme(larger),
  Min: extreme(smaller),
  MaxPool: maxPool,
};
