/** Normalisation with stored statistics, and sums over axes. */
import type { Problem } from '../../../base/problem.ts';
import { ok, type Result } from '../../../base/result.ts';
import { MIN_NORMAL_FLOAT32 } from '../../../numeric/float.ts';
import type { SparseMatrix } from '../matrix.ts';
import { selection, sparseRows } from '../sparse-rows.ts';
import { affineValue, combine, reciprocals } from './arithmetic.ts';
import {
  sizeOf,
  shapeProblem,
  unsupported,
  inputOf,
  numbers,
  constantOf,
  attributeOf,
  integersFrom,
  axesOf,
  offsets,
  strides,
  type Constant,
  type Context,
  type ReadOperator,
  type Value,
} from './values.ts';

/** The stored statistics of a normalisation, one number for each channel. */
type Statistics = Readonly<Record<'scale' | 'bias' | 'mean' | 'width', (channel: number) => number>>;

function statisticsOf(context: Context, channels: number): Result<Statistics, Problem> {
  const { operator, opset } = context;
  const isTest = attributeOf(context, 'is_test').integer ?? (opset < 7 ? 0 : 1);
  const trains = attributeOf(context, 'training_mode').integer === 1 || isTest === 0 || operator.outputs.length > 1;
  if (trains || attributeOf(context, 'spatial').integer === 0)
    return unsupported(context, 'does not normalise by stored statistics of channels: export the model in eval mode');
  const constants: Constant[] = [];
  for (const index of [1, 2, 3, 4]) {
    const constant = constantOf(context, index);
    if (!constant.ok) return constant;
    constants.push(constant.value);
  }
  const [scale, bias, mean, variance] = constants.map(({ values }) => values);
  const epsilon = attributeOf(context, 'epsilon').float ?? Math.fround(1e-5);
  if (constants.some(({ values }) => values.length !== channels))
    return shapeProblem(
      context,
      'its parameters are not one for each channel',
      `${channels}`,
      constants.map(({ values }) => values.length).join(', '),
    );
  const odd = variance?.find((one) => !(one >= 0 && epsilon >= 0 && one + epsilon >= MIN_NORMAL_FLOAT32));
  if (odd !== undefined)
    return unsupported(context, `divides by the root of ${odd} + ${epsilon}, which is not a positive variance`);
  return ok({
    scale: (c) => scale?.[c] ?? 0,
    bias: (c) => bias?.[c] ?? 0,
    mean: (c) => mean?.[c] ?? 0,
    width: (c) => 1 / Math.sqrt((variance?.[c] ?? 0) + epsilon),
  });
}

/** scale · (x − mean) / √(variance + ε) + bias for each channel. */
const batchNormalization: ReadOperator = (context) => {
  const value = inputOf(context, 0);
  if (!value.ok) return value;
  const channels = value.value.shape[1] ?? 1;
  const statistics = statisticsOf(context, channels);
  if (!statistics.ok) return statistics;
  const { scale, bias, mean, width } = statistics.value;
  const shape = [channels, ...value.value.shape.slice(2).map(() => 1)];
  const perChannel = (of: (c: number) => number): Constant => ({
    kind: 'constant',
    type: 'float64',
    shape,
    values: numbers(channels, of),
  });
  let out: Result<Value, Problem> = value;
  // In this order, in another, or merged into one factor and one bias: the analysis covers each.
  for (const [operation, of] of [
    ['Sub', mean],
    ['Mul', width],
    ['Mul', scale],
    ['Add', bias],
  ] as const)
    if (out.ok) out = combine(context, operation, out.value, perChannel(of));
  if (!out.ok) return out;
  if (out.value.kind === 'constant') return unsupported(context, 'is applied to a constant');
  const copy = selection(offsets(out.value.shape, strides(out.value.shape)), context.builder.size(out.value.node));
  // The engine also rounds the variance, its root, the quotient, and what it merges.
  const whole = affineValue(
    context,
    out.value.shape,
    [{ from: out.value.node, matrix: copy }],
    new Float64Array(copy.rows),
    6,
  );
  return whole.ok ? ok([whole.value]) : whole;
};

/** The sums over some of the axes of a shape: a row for each of the places of the others. */
function sumsOver(shape: readonly number[], axes: ReadonlySet<number>): SparseMatrix {
  const own = strides(shape);
  const firsts = offsets(
    shape.map((size, d) => (axes.has(d) ? 1 : size)),
    own,
  );
  const steps = offsets(
    shape.map((size, d) => (axes.has(d) ? size : 1)),
    own,
  );
  const rows = sparseRows(firsts.length, sizeOf(shape), firsts.length * steps.length);
  for (const first of firsts) {
    for (const step of steps) rows.add(first + step, 1);
    rows.endRow();
  }
  return rows.matrix();
}

/** Sums or means over axes. */
const reduction =
  (isMean: boolean): ReadOperator =>
  (context) => {
    const value = inputOf(context, 0);
    if (!value.ok) return value;
    if (value.value.kind === 'constant') return unsupported(context, 'reduces a constant');
    const given = integersFrom(context, 'axes', 1);
    if (!given.ok) return given;
    const listed = given.value ?? [];
    if (listed.length === 0 && attributeOf(context, 'noop_with_empty_axes').integer === 1) return ok([value.value]);
    const from = value.value.shape;
    const axes = axesOf(context, listed.length > 0 ? listed : [...from.keys()], from.length);
    if (!axes.ok) return axes;
    const count = sizeOf(from.filter((_, d) => axes.value.has(d)));
    const keeps = (attributeOf(context, 'keepdims').integer ?? 1) === 1;
    const shape = from.flatMap((size, d) => (axes.value.has(d) ? (keeps ? [1] : []) : [size]));
    const matrix = sumsOver(from, axes.value);
    const sum = affineValue(context, shape, [{ from: value.value.node, matrix }], new Float64Array(matrix.rows), count);
    const out = isMean && sum.ok ? combine(context, 'Mul', sum.value, reciprocals([], [count])) : sum;
    return out.ok ? ok([out.value]) : out;
  };

export const normalisationOperators: Readonly<Record<string, ReadOperator>> = {
  BatchNormalization: batchNormalization,
  ReduceMean: reduction(true),
  ReduceSum: reduction(false),
};
