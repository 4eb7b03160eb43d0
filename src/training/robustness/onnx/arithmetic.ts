/** Element-wise arithmetic, products with constants, sums and normalisation. */
import type { Problem } from '../../../base/problem.ts';
import { ok, type Result } from '../../../base/result.ts';
import { MIN_NORMAL_FLOAT32 } from '../../../numeric/float.ts';
import { selection } from '../sparse-rows.ts';
import type { AffineMap } from './builder.ts';
import {
  sizeOf,
  shapeProblem,
  unsupported,
  inputOf,
  broadcastShape,
  broadcastSources,
  allowedSize,
  numbers,
  type Constant,
  type Variable,
  type Value,
  type Context,
  type ReadOperator,
} from './values.ts';

/** The extremes are of constants only. */
type Operation = 'Add' | 'Sub' | 'Mul' | 'Div' | 'Max' | 'Min';

const compute: Readonly<Record<Operation, (a: number, b: number) => number>> = {
  Add: (a, b) => a + b,
  Sub: (a, b) => a - b,
  Mul: (a, b) => a * b,
  Div: (a, b) => a / b,
  Max: Math.max,
  Min: Math.min,
};

/** A number as its type keeps it. */
export const rounded = (type: Constant['type'], x: number): number =>
  type === 'float32' ? Math.fround(x) : type === 'integer' ? Math.trunc(x) : x;

/** Integers may have 32 bits, and would wrap around; those of 64 bits are read as the nearest float64. */
export const isInteger32 = (x: number): boolean => Math.abs(x) < 2 ** 31;

export const integerOverflow = (context: Context): Result<never, Problem> =>
  unsupported(context, 'computes with an integer of more than 32 bits; pv supports 32');

/** A variable that an affine map makes. */
export function affineValue(
  context: Context,
  shape: readonly number[],
  maps: readonly AffineMap[],
  bias: Float64Array,
  roundings: number,
): Result<Variable, Problem> {
  const node = context.builder.affine(maps, bias, roundings);
  return node.ok ? ok({ kind: 'variable', shape, node: node.value }) : node;
}

const elementwise =
  (operation: Operation): ReadOperator =>
  (context) => {
    if (context.operator.attributes.has('axis'))
      return unsupported(context, 'broadcasts along an axis, as before opset 7: convert the model to a newer opset');
    const a = inputOf(context, 0);
    if (!a.ok) return a;
    const b = inputOf(context, 1);
    if (!b.ok) return b;
    if (a.value.kind === 'constant' && b.value.kind === 'constant' && a.value.type !== 'integer')
      return unsupported(
        context,
        'computes with constants that engines may round differently: fold the constants first',
      );
    const value = combine(context, operation, a.value, b.value);
    return value.ok ? ok([value.value]) : value;
  };

/** a ∘ b, broadcast. */
export function combine(context: Context, operation: Operation, a: Value, b: Value): Result<Value, Problem> {
  const shape = broadcastShape(a.shape, b.shape);
  if (shape === null)
    return shapeProblem(context, 'its inputs do not fit together', a.shape.join(' × '), b.shape.join(' × '));
  const size = allowedSize(context, shape);
  if (!size.ok) return size;
  const [left, right] = [broadcastSources(a.shape, shape), broadcastSources(b.shape, shape)];
  if (a.kind === 'constant' && b.kind === 'constant') {
    const result = constantResult(operation, a, b, shape, left, right);
    return result.type === 'integer' && ![a, b, result].every(({ values }) => values.every(isInteger32))
      ? integerOverflow(context)
      : ok(result);
  }
  if (operation === 'Add' || operation === 'Sub')
    return sum(context, operation === 'Sub' ? -1 : 1, a, b, shape, [left, right]);
  if (a.kind === 'variable' && b.kind === 'variable')
    return unsupported(
      context,
      'multiplies or divides two values that depend on the input: the network is not piecewise linear',
    );
  if (operation === 'Div' && b.kind === 'variable')
    return unsupported(context, 'divides by a value that depends on the input');
  if (a.kind === 'variable') return scaled(context, operation, a, left, shape, (j) => factorOf(b, right, j, operation));
  return b.kind === 'variable'
    ? scaled(context, operation, b, right, shape, (j) => factorOf(a, left, j, operation))
    : ok(b);
}

const factorOf = (value: Value, sources: Int32Array, j: number, operation: Operation): number => {
  const factor = value.kind === 'constant' ? (value.values[sources[j] ?? 0] ?? 0) : 0;
  return operation === 'Div' ? 1 / factor : factor;
};

function scaled(
  context: Context,
  operation: Operation,
  { node }: Variable,
  sources: Int32Array,
  shape: readonly number[],
  factor: (j: number) => number,
): Result<Value, Problem> {
  const bias = new Float64Array(sources.length);
  const smallest = context.float === 'float32' ? MIN_NORMAL_FLOAT32 : 2 ** -1022;
  if (operation === 'Div') context.builder.rewrite();
  for (let j = 0; j < bias.length && operation === 'Div'; j++) {
    const reciprocal = Math.abs(factor(j));
    // An engine may multiply by the reciprocal, and flush either to zero.
    if (!(reciprocal >= smallest && reciprocal <= 1 / smallest))
      return unsupported(
        context,
        `divides by ${1 / factor(j)}; pv supports divisors from ${smallest} to ${1 / smallest}`,
      );
  }
  // A factor that is not finite would be lost in a sparse matrix if it met a zero; it is reported with the weights.
  for (let j = 0; j < bias.length; j++) if (!Number.isFinite(factor(j))) bias[j] = Number.NaN;
  // The reciprocal and the product.
  return affineValue(
    context,
    shape,
    [{ from: node, matrix: selection(sources, context.builder.size(node), factor) }],
    bias,
    2,
  );
}

function sum(
  context: Context,
  sign: 1 | -1,
  a: Value,
  b: Value,
  shape: readonly number[],
  sources: readonly [Int32Array, Int32Array],
): Result<Value, Problem> {
  const bias = new Float64Array(sizeOf(shape));
  const maps: AffineMap[] = [];
  for (const [value, own, factor] of [
    [a, sources[0], 1],
    [b, sources[1], sign],
  ] as const) {
    if (value.kind === 'variable')
      maps.push({ from: value.node, matrix: selection(own, context.builder.size(value.node), () => factor) });
    else for (let j = 0; j < bias.length; j++) bias[j] = factor * (value.values[own[j] ?? 0] ?? 0);
  }
  return affineValue(context, shape, maps, bias, 1);
}

function constantResult(
  operation: Operation,
  a: Constant,
  b: Constant,
  shape: readonly number[],
  left: Int32Array,
  right: Int32Array,
): Constant {
  const type = a.type === 'integer' ? b.type : a.type;
  const of = compute[operation];
  const values = numbers(left.length, (j) =>
    rounded(type, of(a.values[left[j] ?? 0] ?? 0, b.values[right[j] ?? 0] ?? 0)),
  );
  return { kind: 'constant', type, shape, values };
}

/** What a sum of so many values is multiplied by for their mean. */
export const reciprocals = (shape: readonly number[], counts: readonly number[]): Constant => ({
  kind: 'constant',
  type: 'float64',
  shape,
  values: Float64Array.from(counts, (count) => 1 / count),
});

const negated: ReadOperator = (context) => {
  const value = inputOf(context, 0);
  if (!value.ok) return value;
  const minusOne: Constant = { kind: 'constant', type: 'integer', shape: [], values: Float64Array.of(-1) };
  const product = combine(context, 'Mul', value.value, minusOne);
  return product.ok ? ok([product.value]) : product;
};

export const arithmeticOperators: Readonly<Record<string, ReadOperator>> = {
  Add: elementwise('Add'),
  Sub: elementwise('Sub'),
  Mul: elementwise('Mul'),
  Div: elementwise('Div'),
  Neg: negated,
};
