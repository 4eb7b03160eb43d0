/** The values that flow through a graph while it is read: constants, and variables that are nodes of the network. */
import { wrong, type Problem } from '../../../base/problem.ts';
import { ok, type Result } from '../../../base/result.ts';
import { selection } from '../sparse-rows.ts';
import type { Builder } from './builder.ts';
import type { Attribute } from './attribute.ts';
import type { Budget } from './budget.ts';
import type { Operator } from './model.ts';

export interface Constant {
  readonly kind: 'constant';
  readonly shape: readonly number[];
  readonly values: Float64Array;
  readonly type: 'float32' | 'float64' | 'integer' | 'boolean';
}

export interface Variable {
  readonly kind: 'variable';
  readonly shape: readonly number[];
  readonly node: number;
}

export type Value = Constant | Variable;

/** The context in which an operator is read. */
export interface Context {
  readonly builder: Builder;
  readonly operator: Operator;
  /** The version of the standard operators. */
  readonly opset: number;
  /** Null where an optional input is left out. */
  readonly inputs: readonly (Value | null)[];
  /** The type of the input, and of everything that depends on it. */
  readonly float: 'float32' | 'float64';
  /** Charged for the inputs of every operator and for what it makes. */
  readonly budget: Budget;
}

/** Turns an operator into values, one for each of its outputs. */
export type ReadOperator = (context: Context) => Result<readonly Value[], Problem>;

export const sizeOf = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1);

/** `Conv 'conv1'`. */
export const named = ({ type, name }: Operator): string => (name === '' ? type : `${type} '${name}'`);

/** A shape or an attribute that is invalid for the operator. */
export const shapeProblem = (
  { operator }: Context,
  message: string,
  expected?: string,
  actual?: string,
): Result<never, Problem> =>
  wrong('PV-8302', 'shapes', `${named(operator)}: ${message}`, {
    offset: operator.offset,
    ...(expected !== undefined && { expected }),
    ...(actual !== undefined && { actual }),
  });

/** A form of an operator that pv does not support. */
export const unsupported = ({ operator }: Context, message: string): Result<never, Problem> =>
  wrong('PV-8303', 'operator', `${named(operator)}: ${message}`, { offset: operator.offset });

/** An input that must be there. */
export function inputOf(context: Context, index: number): Result<Value, Problem> {
  const value = context.inputs[index];
  return value ? ok(value) : shapeProblem(context, `its input ${index + 1} is missing`);
}

/** An input that must be a constant, such as weights or a shape. */
export function constantOf(context: Context, index: number): Result<Constant, Problem> {
  const value = inputOf(context, index);
  if (!value.ok) return value;
  if (value.value.kind === 'variable')
    return unsupported(
      context,
      `its input ${index + 1} depends on the input of the network; pv reads it only as a constant`,
    );
  return ok(value.value);
}

const noAttribute: Attribute = {
  type: null,
  float: null,
  integer: null,
  text: null,
  tensor: null,
  floats: [],
  integers: [],
};
export const attributeOf = ({ operator }: Context, name: string): Attribute =>
  operator.attributes.get(name) ?? noAttribute;

/** Integers that an operator has as an attribute in old opsets and as an input in new ones; null if it has neither. */
export function integersFrom(context: Context, name: string, index: number): Result<readonly number[] | null, Problem> {
  const isAttribute = context.operator.attributes.has(name);
  if (!isAttribute && !context.inputs[index]) return ok(null);
  const constant = isAttribute ? ok({ values: attributeOf(context, name).integers }) : constantOf(context, index);
  if (!constant.ok) return constant;
  const { values } = constant.value;
  if (values.length <= mostIntegers) return ok([...values]);
  return shapeProblem(
    context,
    `its input ${index + 1} is too long a list`,
    `at most ${mostIntegers} integers`,
    `${values.length}`,
  );
}

/** More than the axes of any value, and the parts that any operator splits a value into. */
const mostIntegers = 10_000;

/** The only number of an input that must be a constant; null if it is left out. */
export function scalarOf(context: Context, index: number): Result<number | null, Problem> {
  if (!context.inputs[index]) return ok(null);
  const constant = constantOf(context, index);
  if (!constant.ok) return constant;
  const [value, ...more] = constant.value.values.subarray(0, 2);
  return value !== undefined && more.length === 0
    ? ok(value)
    : shapeProblem(context, `its input ${index + 1} is not one number`, '1', `${constant.value.values.length}`);
}

/** The value with other places: element j is element `sources[j]`, or `fill` where that is negative. */
export function select(
  context: Context,
  value: Value,
  shape: readonly number[],
  sources: Int32Array,
  fill = 0,
): Result<Value, Problem> {
  const at = (j: number): number => sources[j] ?? 0;
  if (value.kind === 'constant') {
    const values = numbers(sources.length, (j) => (at(j) < 0 ? fill : (value.values[at(j)] ?? 0)));
    return ok({ ...value, shape, values });
  }
  const { builder } = context;
  const matrix = selection(sources, builder.size(value.node));
  const node = builder.affine(
    [{ from: value.node, matrix }],
    numbers(sources.length, (j) => (at(j) < 0 ? fill : 0)),
    0,
  );
  return node.ok ? ok({ kind: 'variable', shape, node: node.value }) : node;
}

/** So many numbers; the constructors of typed arrays take many times as long. */
export function numbers(length: number, of: (j: number) => number): Float64Array {
  const values = new Float64Array(length);
  for (let j = 0; j < length; j++) values[j] = of(j);
  return values;
}

/** The value with another shape of the same size. */
export const reshaped = (value: Value, shape: readonly number[]): Value => ({ ...value, shape });

/** An axis from −rank to rank − 1, counted from the front. */
export function axisOf(context: Context, axis: number, rank: number): Result<number, Problem> {
  if (!Number.isInteger(axis) || axis < -rank || axis >= Math.max(rank, 1))
    return shapeProblem(context, 'an axis is outside the shape', `from ${-rank} to ${rank - 1}`, `${axis}`);
  return ok(axis < 0 ? axis + rank : axis);
}

/** Different axes, each counted from the front. */
export function axesOf(context: Context, axes: readonly number[], rank: number): Result<ReadonlySet<number>, Problem> {
  const places = new Set<number>();
  for (const axis of axes) {
    const place = axisOf(context, axis, rank);
    if (!place.ok) return place;
    if (places.has(place.value)) return shapeProblem(context, `the axis ${axis} is given twice`);
    places.add(place.value);
  }
  return ok(places);
}

/** Strides of a row-major shape. */
export function strides(shape: readonly number[]): readonly number[] {
  const out = shape.map(() => 1);
  for (let d = shape.length - 2; d >= 0; d--) out[d] = (out[d + 1] ?? 1) * (shape[d + 1] ?? 1);
  return out;
}

/** For each element of `shape` in row-major order, the sum of its indices times `steps`, plus `start`. */
export function offsets(shape: readonly number[], steps: readonly number[], start = 0): Int32Array {
  const out = new Int32Array(sizeOf(shape));
  const index = shape.map(() => 0);
  let at = start;
  for (let j = 0; j < out.length; j++) {
    out[j] = at;
    for (let d = shape.length - 1; d >= 0; d--) {
      index[d] = (index[d] ?? 0) + 1;
      at += steps[d] ?? 0;
      if ((index[d] ?? 0) < (shape[d] ?? 1)) break;
      at -= (steps[d] ?? 0) * (shape[d] ?? 1);
      index[d] = 0;
    }
  }
  return out;
}

/** The shape of an element-wise operation (numpy's broadcasting), or null where the shapes do not fit. */
export function broadcastShape(a: readonly number[], b: readonly number[]): readonly number[] | null {
  const rank = Math.max(a.length, b.length);
  const out: number[] = [];
  for (let d = 0; d < rank; d++) {
    const p = a[d - rank + a.length] ?? 1;
    const q = b[d - rank + b.length] ?? 1;
    if (p !== q && p !== 1 && q !== 1) return null;
    out.push(p === 1 ? q : p);
  }
  return out;
}

/** For each element of `shape`, the element of a value that is broadcast to it. */
export function broadcastSources(from: readonly number[], shape: readonly number[]): Int32Array {
  const own = strides(from);
  const lead = shape.length - from.length;
  return offsets(
    shape,
    shape.map((_, d) => (d < lead || from[d - lead] === 1 ? 0 : (own[d - lead] ?? 0))),
  );
}

/** More than any operator takes. */
export const mostDimensions = 16;

/** More numbers in one value than a network that can be certified has. */
const mostElements = 4_000_000;

/** The number of elements of a shape that is about to be made, each in so many steps. */
export function allowedSize(context: Context, shape: readonly number[], steps = 1): Result<number, Problem> {
  const size = sizeOf(shape);
  if (shape.length > mostDimensions)
    return shapeProblem(context, `a value would have more than ${mostDimensions} dimensions`);
  if (size >= 0 && size <= mostElements && shape.every((length) => Number.isInteger(length) && length >= 0)) {
    const allowed = context.budget.spend(size * steps, context.operator.offset);
    return allowed.ok ? ok(size) : allowed;
  }
  return shapeProblem(
    context,
    'a value would be larger than pv reads',
    `at most ${mostElements} numbers`,
    shape.join(' × '),
  );
}
