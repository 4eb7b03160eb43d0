/** Operators that only move values: shapes, permutations, parts. */
import type { Problem } from '../../../base/problem.ts';
import { ok, type Result } from '../../../base/result.ts';
import { selection } from '../sparse-rows.ts';
import { integerOverflow, isInteger32, rounded } from './arithmetic.ts';
import type { AffineMap } from './builder.ts';
import {
  allowedSize,
  attributeOf,
  axesOf,
  axisOf,
  broadcastShape,
  broadcastSources,
  inputOf,
  integersFrom,
  offsets,
  reshaped,
  select,
  shapeProblem,
  sizeOf,
  strides,
  unsupported,
  type Context,
  type ReadOperator,
  type Value,
} from './values.ts';

const one = (value: Result<Value, Problem>): Result<readonly Value[], Problem> =>
  value.ok ? ok([value.value]) : value;

/** Its input as it is. */
const identity: ReadOperator = (context) => one(inputOf(context, 0));

/** At inference, its input as it is. */
const dropout: ReadOperator = (context) => {
  const mode = context.inputs[2];
  const isTest = attributeOf(context, 'is_test').integer ?? (context.opset < 7 ? 0 : 1);
  const isTraining = isTest === 0 || (mode && (mode.kind === 'variable' || mode.values[0] !== 0));
  return isTraining
    ? unsupported(context, 'drops values at random (training_mode): export the model in eval mode')
    : identity(context);
};

const cast: ReadOperator = (context) => {
  const value = inputOf(context, 0);
  if (!value.ok) return value;
  const to = attributeOf(context, 'to').integer;
  const types = { 1: 'float32', 6: 'integer', 7: 'integer', 11: 'float64' } as const;
  const type = to === 1 || to === 6 || to === 7 || to === 11 ? types[to] : null;
  if (type === null)
    return unsupported(context, `casts to type ${to ?? 0}; pv reads casts to float32, float64, int32 and int64`);
  if (value.value.kind === 'constant') {
    const from = value.value;
    const values = from.values.map((x) => rounded(type, x));
    const isExact =
      (type !== 'integer' || values.every(isInteger32)) && (from.type !== 'integer' || from.values.every(isInteger32));
    return isExact ? ok([{ ...from, type, values }]) : integerOverflow(context);
  }
  return type === context.float
    ? ok([value.value])
    : unsupported(context, `casts values of the network from ${context.float} to ${type}`);
};

const constant: ReadOperator = (context) => {
  const { attributes } = context.operator;
  if (attributes.size !== 1) return unsupported(context, `has ${attributes.size} values; it must have one`);
  const attribute = (name: string) => attributes.get(name);
  const tensor = attribute('value')?.tensor;
  if (tensor) return ok([{ kind: 'constant', ...tensor }]);
  const integers =
    attribute('value_ints')?.integers ?? (attribute('value_int') && [attribute('value_int')?.integer ?? 0]);
  const floats =
    attribute('value_floats')?.floats ?? (attribute('value_float') && [attribute('value_float')?.float ?? 0]);
  const values = integers ?? floats;
  if (values === undefined) return unsupported(context, 'has no value that pv reads');
  const isScalar = attribute('value_int') !== undefined || attribute('value_float') !== undefined;
  return ok([
    {
      kind: 'constant',
      type: integers ? 'integer' : 'float32',
      shape: isScalar ? [] : [values.length],
      values: Float64Array.from(values),
    },
  ]);
};

const constantOfShape: ReadOperator = (context) => {
  const shape = integersFrom(context, '', 0);
  if (!shape.ok) return shape;
  const sizes = shape.value ?? [];
  const size = allowedSize(context, sizes);
  if (!size.ok) return size;
  const tensor = attributeOf(context, 'value').tensor;
  if (tensor && tensor.values.length !== 1) return shapeProblem(context, 'its value is not one number');
  const values = new Float64Array(size.value).fill(tensor?.values[0] ?? 0);
  return ok([{ kind: 'constant', type: tensor?.type ?? 'float32', shape: sizes, values }]);
};

const shape: ReadOperator = (context) => {
  const value = inputOf(context, 0);
  if (!value.ok) return value;
  if (['start', 'end'].some((name) => context.operator.attributes.has(name)))
    return unsupported(context, 'takes a part of the shape (start, end), which pv does not read');
  const sizes = value.value.shape;
  return ok([{ kind: 'constant', type: 'integer', shape: [sizes.length], values: Float64Array.from(sizes) }]);
};

const reshape: ReadOperator = (context) => {
  const value = inputOf(context, 0);
  if (!value.ok) return value;
  const wanted = integersFrom(context, 'shape', 1);
  if (!wanted.ok) return wanted;
  const from = value.value.shape;
  const sizes = (wanted.value ?? []).map((size, d) =>
    size === 0 && attributeOf(context, 'allowzero').integer !== 1 ? (from[d] ?? 0) : size,
  );
  const known = sizes.reduce((product, size) => (size === -1 ? product : product * size), 1);
  const open = sizes.filter((size) => size === -1).length;
  const whole = sizes.map((size) => (size === -1 ? sizeOf(from) / known : size));
  if (open > 1 || sizeOf(whole) !== sizeOf(from) || !whole.every((size) => Number.isInteger(size) && size >= 0))
    return shapeProblem(
      context,
      'the new shape does not have as many elements',
      `${sizeOf(from)} elements`,
      sizes.join(' × '),
    );
  return ok([reshaped(value.value, whole)]);
};

const flatten: ReadOperator = (context) => {
  const value = inputOf(context, 0);
  if (!value.ok) return value;
  const sizes = value.value.shape;
  const given = attributeOf(context, 'axis').integer ?? 1;
  // Unlike elsewhere the axis may be behind the last dimension.
  const axis = given < 0 ? given + sizes.length : given;
  if (!(axis >= 0 && axis <= sizes.length))
    return shapeProblem(context, 'an axis is outside the shape', `from 0 to ${sizes.length}`, `${given}`);
  return ok([reshaped(value.value, [sizeOf(sizes.slice(0, axis)), sizeOf(sizes.slice(axis))])]);
};

const squeeze: ReadOperator = (context) => {
  const value = inputOf(context, 0);
  if (!value.ok) return value;
  const axes = integersFrom(context, 'axes', 1);
  if (!axes.ok) return axes;
  const sizes = value.value.shape;
  if (axes.value?.length === 0) return unsupported(context, 'removes no axis, or all of length 1: engines disagree');
  const removed = axesOf(context, axes.value ?? sizes.flatMap((size, d) => (size === 1 ? [d] : [])), sizes.length);
  if (!removed.ok) return removed;
  if ([...removed.value].some((d) => sizes[d] !== 1))
    return shapeProblem(context, 'an axis to remove is not of length 1', '1', sizes.join(' × '));
  return ok([
    reshaped(
      value.value,
      sizes.filter((_, d) => !removed.value.has(d)),
    ),
  ]);
};

const unsqueeze: ReadOperator = (context) => {
  const value = inputOf(context, 0);
  if (!value.ok) return value;
  const axes = integersFrom(context, 'axes', 1);
  if (!axes.ok) return axes;
  if (axes.value === null) return shapeProblem(context, 'it has no axes');
  const rank = value.value.shape.length + axes.value.length;
  const added = axesOf(context, axes.value, rank);
  if (!added.ok) return added;
  const rest = [...value.value.shape];
  return ok([
    reshaped(
      value.value,
      Array.from({ length: rank }, (_, d) => (added.value.has(d) ? 1 : (rest.shift() ?? 1))),
    ),
  ]);
};

const transpose: ReadOperator = (context) => {
  const value = inputOf(context, 0);
  if (!value.ok) return value;
  const sizes = value.value.shape;
  const given = context.operator.attributes.get('perm')?.integers;
  const order = given ?? sizes.map((_, d) => sizes.length - 1 - d);
  if (
    order.length !== sizes.length ||
    new Set(order).size !== order.length ||
    !order.every((d) => d >= 0 && d < sizes.length)
  )
    return shapeProblem(
      context,
      'perm is not an order of the axes',
      `each of 0 to ${sizes.length - 1}`,
      order.join(', '),
    );
  const own = strides(sizes);
  const to = order.map((d) => sizes[d] ?? 1);
  return one(
    select(
      context,
      value.value,
      to,
      offsets(
        to,
        order.map((d) => own[d] ?? 0),
      ),
    ),
  );
};

const concat: ReadOperator = (context) => {
  const parts: Value[] = [];
  for (let i = 0; i < context.inputs.length; i++) {
    const part = inputOf(context, i);
    if (!part.ok) return part;
    parts.push(part.value);
  }
  const first = parts[0]?.shape ?? [];
  const given = attributeOf(context, 'axis').integer;
  if (given === null) return unsupported(context, 'has no axis');
  const axis = axisOf(context, given, first.length);
  if (!axis.ok) return axis;
  const fits = parts.every(
    ({ shape }) => shape.length === first.length && shape.every((size, d) => d === axis.value || size === first[d]),
  );
  if (!fits)
    return shapeProblem(
      context,
      'its inputs do not fit together',
      first.join(' × '),
      parts.map(({ shape }) => shape.join(' × ')).join(', '),
    );
  const along = parts.reduce((sum, { shape }) => sum + (shape[axis.value] ?? 0), 0);
  const to = first.map((size, d) => (d === axis.value ? along : size));
  const size = allowedSize(context, to, parts.length);
  return size.ok ? one(joined(context, parts, to, axis.value)) : size;
};

/** Parts side by side along an axis. */
function joined(
  { builder }: Context,
  parts: readonly Value[],
  shape: readonly number[],
  axis: number,
): Result<Value, Problem> {
  const own = strides(shape);
  const values = new Float64Array(sizeOf(shape));
  const maps: AffineMap[] = [];
  let start = 0;
  for (const part of parts) {
    const to = offsets(part.shape, own, start * (own[axis] ?? 1));
    start += part.shape[axis] ?? 0;
    if (part.kind === 'constant') {
      for (let k = 0; k < to.length; k++) values[to[k] ?? 0] = part.values[k] ?? 0;
      continue;
    }
    const sources = new Int32Array(values.length).fill(-1);
    for (let k = 0; k < to.length; k++) sources[to[k] ?? 0] = k;
    maps.push({ from: part.node, matrix: selection(sources, builder.size(part.node)) });
  }
  const [first] = parts;
  if (maps.length === 0 && first?.kind === 'constant') return ok({ kind: 'constant', type: first.type, shape, values });
  const node = builder.affine(maps, values, 0);
  return node.ok ? ok({ kind: 'variable', shape, node: node.value }) : node;
}

const expand: ReadOperator = (context) => {
  const value = inputOf(context, 0);
  if (!value.ok) return value;
  const wanted = integersFrom(context, '', 1);
  if (!wanted.ok) return wanted;
  const sizes = wanted.value ?? [];
  const to = broadcastShape(value.value.shape, sizes);
  if (to === null)
    return shapeProblem(context, 'the shapes do not fit', value.value.shape.join(' × '), sizes.join(' × '));
  const size = allowedSize(context, to);
  return size.ok ? one(select(context, value.value, to, broadcastSources(value.value.shape, to))) : size;
};

export const placeOperators: Readonly<Record<string, ReadOperator>> = {
  Identity: identity,
  Dropout: dropout,
  Cast: cast,
  Constant: constant,
  ConstantOfShape: constantOfShape,
  Shape: shape,
  Reshape: reshape,
  Flatten: flatten,
  Squeeze: squeeze,
  Unsqueeze: unsqueeze,
  Transpose: transpose,
  Concat: concat,
  Expand: expand,
};
