/** Products of matrices, where one factor is a constant. */
import type { Problem } from '../../../base/problem.ts';
import { ok, type Result } from '../../../base/result.ts';
import { sparseRows } from '../sparse-rows.ts';
import { affineValue, combine, integerOverflow, isInteger32 } from './arithmetic.ts';
import {
  shapeProblem,
  unsupported,
  inputOf,
  numbers,
  attributeOf,
  broadcastShape,
  broadcastSources,
  allowedSize,
  type Constant,
  type Value,
  type Variable,
  type Context,
  type ReadOperator,
} from './values.ts';

/** Matrix products over the last two axes, where one factor is a constant. */
const matMul: ReadOperator = (context) => {
  const a = inputOf(context, 0);
  if (!a.ok) return a;
  const b = inputOf(context, 1);
  if (!b.ok) return b;
  const product = matrixProduct(context, a.value, b.value);
  return product.ok ? ok([product.value]) : product;
};

/** How the elements of a product are made of those of its factors. */
interface Plan {
  readonly shape: readonly number[];
  /** How many elements the product has, and how many summands each of them. */
  readonly size: number;
  readonly summands: number;
  /** For summand p of element r: an element of each factor. */
  readonly factors: (r: number, p: number) => readonly [number, number];
}

function planOf(context: Context, a: readonly number[], b: readonly number[]): Result<Plan, Problem> {
  const left = a.length === 1 ? [1, ...a] : a;
  const right = b.length === 1 ? [...b, 1] : b;
  const [m = 1, k = 1] = left.slice(-2);
  const [k2 = 1, n = 1] = right.slice(-2);
  const batch = broadcastShape(left.slice(0, -2), right.slice(0, -2));
  if (k !== k2 || batch === null || a.length === 0 || b.length === 0)
    return shapeProblem(context, 'the matrices do not fit together', a.join(' × '), b.join(' × '));
  const size = allowedSize(context, [...batch, m, n], k);
  if (!size.ok) return size;
  const [ofLeft, ofRight] = [broadcastSources(left.slice(0, -2), batch), broadcastSources(right.slice(0, -2), batch)];
  return ok({
    shape: [...batch, ...(a.length === 1 ? [] : [m]), ...(b.length === 1 ? [] : [n])],
    size: size.value,
    summands: k,
    factors: (r, p) => {
      const [one, i, j] = [Math.floor(r / (m * n)), Math.floor(r / n) % m, r % n];
      return [(ofLeft[one] ?? 0) * m * k + i * k + p, (ofRight[one] ?? 0) * k * n + p * n + j];
    },
  });
}

function matrixProduct(context: Context, a: Value, b: Value): Result<Value, Problem> {
  const plan = planOf(context, a.shape, b.shape);
  if (!plan.ok) return plan;
  if (a.kind === 'variable')
    return b.kind === 'variable'
      ? unsupported(context, 'multiplies two matrices that depend on the input: the network is not piecewise linear')
      : timesConstant(context, plan.value, a, 0, b);
  if (b.kind === 'variable') return timesConstant(context, plan.value, b, 1, a);
  // The order of float32 sums differs between engines, and so would the weights.
  return a.type !== 'integer' || b.type !== 'integer'
    ? unsupported(context, 'multiplies two constant matrices: fold the constants of the model first')
    : constantProduct(context, plan.value, a, b);
}

/** The product of a variable, which is the left factor (0) or the right one (1), and a constant. */
function timesConstant(
  context: Context,
  plan: Plan,
  variable: Variable,
  own: 0 | 1,
  constant: Constant,
): Result<Value, Problem> {
  const { shape, size, summands, factors } = plan;
  const rows = sparseRows(size, context.builder.size(variable.node), size * summands);
  for (let r = 0; r < size; r++) {
    for (let p = 0; p < summands; p++) {
      const places = factors(r, p);
      rows.add(places[own], constant.values[places[own === 0 ? 1 : 0]] ?? 0);
    }
    rows.endRow();
  }
  return affineValue(
    context,
    shape,
    [{ from: variable.node, matrix: rows.matrix() }],
    new Float64Array(size),
    summands,
  );
}

/** Of integers. */
function constantProduct(
  context: Context,
  { shape, size, summands, factors }: Plan,
  a: Constant,
  b: Constant,
): Result<Constant, Problem> {
  let isExact = [a, b].every((factor) => factor.values.every(isInteger32));
  const values = new Float64Array(size);
  for (let r = 0; r < size; r++) {
    for (let p = 0; p < summands; p++) {
      const [x, y] = factors(r, p);
      values[r] = (values[r] ?? 0) + (a.values[x] ?? 0) * (b.values[y] ?? 0);
      isExact &&= isInteger32(values[r] ?? 0);
    }
  }
  return isExact ? ok({ kind: 'constant', type: 'integer', shape, values }) : integerOverflow(context);
}

const gemm: ReadOperator = (context) => {
  const factors: Value[] = [];
  for (const [index, name] of ['transA', 'transB'].entries()) {
    const value = inputOf(context, index);
    if (!value.ok) return value;
    if (value.value.shape.length !== 2)
      return shapeProblem(context, 'a factor is not a matrix', 'two dimensions', value.value.shape.join(' × '));
    const isTransposed = attributeOf(context, name).integer === 1;
    if (isTransposed && value.value.kind === 'variable')
      return unsupported(context, 'transposes the values of the network');
    factors.push(isTransposed && value.value.kind === 'constant' ? transposed(value.value) : value.value);
  }
  const [a, b] = factors;
  if (a === undefined || b === undefined) return shapeProblem(context, 'a factor is missing');
  const product = matrixProduct(context, a, b);
  if (!product.ok) return product;
  if (product.value.kind === 'constant') return unsupported(context, 'multiplies two constant matrices');
  // Not rounded: an engine that fuses the product and the sum does not round it either.
  const scale = (value: Value, name: string): Result<Value, Problem> => {
    const factor = attributeOf(context, name).float ?? 1;
    if (factor === 1) return ok(value);
    if (value.kind === 'constant')
      return ok({ ...value, type: 'float64', values: value.values.map((one) => factor * one) });
    return combine(context, 'Mul', value, {
      kind: 'constant',
      type: 'float64',
      shape: [],
      values: Float64Array.of(factor),
    });
  };
  const out = scale(product.value, 'alpha');
  if (!out.ok || !context.inputs[2]) return out.ok ? ok([out.value]) : out;
  const c = scale(context.inputs[2], 'beta');
  if (!c.ok) return c;
  const { shape } = out.value;
  if (broadcastShape(c.value.shape, shape)?.join() !== shape.join())
    return shapeProblem(
      context,
      'the matrix to add does not fit the product',
      shape.join(' × '),
      c.value.shape.join(' × '),
    );
  const total = combine(context, 'Add', out.value, c.value);
  return total.ok ? ok([total.value]) : total;
};

function transposed(matrix: Constant): Constant {
  const [rows = 0, columns = 0] = matrix.shape;
  const values = numbers(matrix.values.length, (j) => matrix.values[(j % rows) * columns + Math.floor(j / rows)] ?? 0);
  return { ...matrix, shape: [columns, rows], values };
}

export const productOperators: Readonly<Record<string, ReadOperator>> = { MatMul: matMul, Gemm: gemm };
