/** Operators that take parts of a value, or put one into a frame. */
import type { Problem } from '../../../base/problem.ts';
import { ok, type Result } from '../../../base/result.ts';
import {
  allowedSize,
  attributeOf,
  axesOf,
  axisOf,
  constantOf,
  inputOf,
  integersFrom,
  offsets,
  scalarOf,
  select,
  shapeProblem,
  sizeOf,
  strides,
  unsupported,
  type Context,
  type ReadOperator,
  type Value,
} from './values.ts';

/** Along each axis: where to start, by how much to step, how many to take. */
interface Range {
  readonly start: number;
  readonly step: number;
  readonly count: number;
}

function take(context: Context, value: Value, ranges: readonly Range[]): Result<Value, Problem> {
  const own = strides(value.shape);
  const shape = ranges.map(({ count }) => count);
  const start = ranges.reduce((sum, range, d) => sum + range.start * (own[d] ?? 0), 0);
  return select(
    context,
    value,
    shape,
    offsets(
      shape,
      ranges.map(({ step }, d) => step * (own[d] ?? 0)),
      start,
    ),
  );
}

const whole = (value: Value): Range[] => value.shape.map((count) => ({ start: 0, step: 1, count }));

/** The range from `start` towards `end`, both from the back where negative, cut off at the axis. */
function rangeOf(size: number, start: number, end: number, step: number): Range {
  const inside = (at: number, least: number, most: number): number =>
    Math.min(Math.max(at < 0 ? at + size : at, least), most);
  const first = step > 0 ? inside(start, 0, size) : inside(start, 0, size - 1);
  const last = step > 0 ? inside(end, 0, size) : inside(end, -1, size - 1);
  return { start: first, step, count: Math.max(0, Math.ceil((last - first) / step)) };
}

const slice: ReadOperator = (context) => {
  const value = inputOf(context, 0);
  if (!value.ok) return value;
  const lists: (readonly number[] | null)[] = [];
  for (const [index, name] of ['starts', 'ends', 'axes', 'steps'].entries()) {
    const list = integersFrom(context, name, index + 1);
    if (!list.ok) return list;
    lists.push(list.value);
  }
  const [starts, ends, axes, steps] = lists;
  if (!starts || ends?.length !== starts.length || [axes, steps].some((list) => list && list.length !== starts.length))
    return shapeProblem(context, 'its starts, ends, axes and steps are not lists of one length');
  const ranges = whole(value.value);
  const places = axesOf(context, axes ?? [...starts.keys()], ranges.length);
  if (!places.ok) return places;
  for (const [k, axis] of [...places.value].entries()) {
    const step = steps?.[k] ?? 1;
    if (step === 0) return shapeProblem(context, 'a step is 0');
    ranges[axis] = rangeOf(value.value.shape[axis] ?? 0, starts[k] ?? 0, ends[k] ?? 0, step);
  }
  const taken = take(context, value.value, ranges);
  return taken.ok ? ok([taken.value]) : taken;
};

/** The sizes of the parts of an axis. */
function partsOf(context: Context, size: number): Result<readonly number[], Problem> {
  const given = integersFrom(context, 'split', 1);
  if (!given.ok) return given;
  const parts = context.operator.outputs.length;
  const said = attributeOf(context, 'num_outputs').integer;
  if ((said !== null && said !== parts) || (given.value !== null && given.value.length !== parts))
    return shapeProblem(
      context,
      'it does not have as many outputs as parts',
      `${said ?? given.value?.length ?? 0}`,
      `${parts}`,
    );
  if (given.value === null && said === null && size % parts !== 0)
    return shapeProblem(context, 'the axis does not split into equal parts', `a multiple of ${parts}`, `${size}`);
  const each = Math.ceil(size / Math.max(parts, 1));
  const sizes = given.value ?? Array.from({ length: parts }, (_, k) => Math.min(each, size - k * each));
  return sizes.every((part) => part >= 0) && sizes.reduce((sum, part) => sum + part, 0) === size
    ? ok(sizes)
    : shapeProblem(context, 'the parts do not add up', `${size}`, sizes.join(' + '));
}

const split: ReadOperator = (context) => {
  const value = inputOf(context, 0);
  if (!value.ok) return value;
  const axis = axisOf(context, attributeOf(context, 'axis').integer ?? 0, value.value.shape.length);
  if (!axis.ok) return axis;
  const sizes = partsOf(context, value.value.shape[axis.value] ?? 0);
  if (!sizes.ok) return sizes;
  const out: Value[] = [];
  let start = 0;
  for (const part of sizes.value) {
    const from = start;
    const taken = take(
      context,
      value.value,
      whole(value.value).map((range, d) => (d === axis.value ? { start: from, step: 1, count: part } : range)),
    );
    if (!taken.ok) return taken;
    out.push(taken.value);
    start += part;
  }
  return ok(out);
};

const gather: ReadOperator = (context) => {
  const value = inputOf(context, 0);
  if (!value.ok) return value;
  const indices = constantOf(context, 1);
  if (!indices.ok) return indices;
  const sizes = value.value.shape;
  const axis = axisOf(context, attributeOf(context, 'axis').integer ?? 0, sizes.length);
  if (!axis.ok) return axis;
  const length = sizes[axis.value] ?? 0;
  const shape = [...sizes.slice(0, axis.value), ...indices.value.shape, ...sizes.slice(axis.value + 1)];
  const size = allowedSize(context, shape);
  if (!size.ok) return size;
  const wrongIndex = indices.value.values.find((at) => !(Number.isInteger(at) && at >= -length && at < length));
  if (wrongIndex !== undefined)
    return shapeProblem(context, 'an index is outside the axis', `from ${-length} to ${length - 1}`, `${wrongIndex}`);
  const inner = sizeOf(sizes.slice(axis.value + 1));
  const count = indices.value.values.length;
  const sources = new Int32Array(size.value);
  for (let j = 0; j < sources.length; j++) {
    const at = indices.value.values[Math.floor(j / inner) % count] ?? 0;
    sources[j] = Math.floor(j / (inner * count)) * length * inner + (at < 0 ? at + length : at) * inner + (j % inner);
  }
  const taken = select(context, value.value, shape, sources);
  return taken.ok ? ok([taken.value]) : taken;
};

const pad: ReadOperator = (context) => {
  const value = inputOf(context, 0);
  if (!value.ok) return value;
  const mode = attributeOf(context, 'mode').text ?? 'constant';
  if (mode !== 'constant') return unsupported(context, `pads in mode '${mode}'; pv reads 'constant'`);
  if (context.inputs[3]) return unsupported(context, 'pads along given axes, which pv does not read');
  const pads = integersFrom(context, 'pads', 1);
  if (!pads.ok) return pads;
  const fill = scalarOf(context, 2);
  if (!fill.ok) return fill;
  const sizes = value.value.shape;
  const before = (pads.value ?? []).slice(0, sizes.length);
  const after = (pads.value ?? []).slice(sizes.length);
  if (before.length !== sizes.length || after.length !== sizes.length || [...before, ...after].some((n) => !(n >= 0)))
    return shapeProblem(context, 'the padding does not fit the shape', `${2 * sizes.length} numbers of 0 or more`);
  const shape = sizes.map((size, d) => size + (before[d] ?? 0) + (after[d] ?? 0));
  const size = allowedSize(context, shape);
  if (!size.ok) return size;
  const own = strides(shape);
  const to = offsets(
    sizes,
    own,
    before.reduce((sum, n, d) => sum + n * (own[d] ?? 0), 0),
  );
  const sources = new Int32Array(size.value).fill(-1);
  for (let k = 0; k < to.length; k++) sources[to[k] ?? 0] = k;
  const padded = select(context, value.value, shape, sources, fill.value ?? attributeOf(context, 'value').float ?? 0);
  return padded.ok ? ok([padded.value]) : padded;
};

export const partOperators: Readonly<Record<string, ReadOperator>> = {
  Slice: slice,
  Split: split,
  Gather: gather,
  Pad: pad,
};
