/** Strings and sequences: how long they are, their bytes and characters, one after another. */
import type { Range } from '../../../diagnostics/source.ts';
import { call, choose, integer } from '../../../math/term/build.ts';
import type { FunctionName } from '../../../math/functions.ts';
import { isLengthName } from '../../../math/term/sequences.ts';
import { INTEGER, type Term } from '../../../math/term/term.ts';
import { commonType } from '../../../math/term/types.ts';
import { lift, unary } from './arithmetic.ts';
import { fail, type Context } from '../context/context.ts';
import type { TensorValue, Value } from '../context/value.ts';
import { scalar, tensor, valueText } from '../context/values.ts';

const textMeasures: ReadonlySet<FunctionName> = new Set(['string-length', 'utf8-length'] as const);

/** Whether the length is known only in a run, so that no index range or shape can use it. */
function isRunTimeLength(size: Term): boolean {
  if (size.kind === 'variable') return isLengthName(size.name);
  return size.kind === 'call' && (textMeasures.has(size.fn) || size.arguments.some(isRunTimeLength));
}

/** Whether `value` is a sequence: `encode(s)`, `utf8(s)`, `ids ∈ ℤ*`. */
export function isSequenceValue(value: Value): value is TensorValue {
  const [axis, more] = value.kind === 'tensor' ? value.shape : [];
  return axis !== undefined && more === undefined && isRunTimeLength(axis);
}

/** `|s|` of a string is how many characters it has, `|ids|` of a sequence how many elements, `|x|` of numbers their magnitude. */
export function absoluteOf(ctx: Context, value: Value, range: Range): Value {
  const isText = value.kind === 'scalar' && value.term.type.kind === 'string';
  return isText || isSequenceValue(value) ? lengthOf(ctx, value, range) : unary(ctx, 'absolute', value, range);
}

/** `len(x)`: characters of a string, elements of a vector. */
export function lengthOf(ctx: Context, value: Value, range: Range): Value {
  const [axis, more] = value.kind === 'tensor' ? value.shape : [];
  if (axis && !more) return scalar(axis);
  return value.kind === 'scalar'
    ? lift(ctx, 'string-length', [value], range)
    : fail(ctx, 'PV-4003', range, `a string or a vector has a length, and this is ${valueText(value)}`);
}

/** `utf8(s)`: the bytes of a string; `code_points(s)`: its characters as numbers. */
export function unitsOf(ctx: Context, value: Value, unit: 'utf8' | 'code point', range: Range): Value {
  if (value.kind !== 'scalar' || value.term.type.kind !== 'string')
    return fail(ctx, 'PV-4003', range, `this takes a string, and this is ${valueText(value)}`);
  const { term } = value;
  const [length, at] =
    unit === 'utf8' ? (['utf8-length', 'utf8-at'] as const) : (['string-length', 'code-point-at'] as const);
  return tensor(INTEGER, [call(length, term)], ([place = integer(0)]) => call(at, term, place));
}

/** `a ++ b`: the elements of `a`, then those of `b`; for strings, their concatenation. */
export function concatenated(ctx: Context, a: Value, b: Value, range: Range): Value {
  if (a.kind === 'scalar' && b.kind === 'scalar') return lift(ctx, 'string-concat', [a, b], range);
  const [first, firstMore] = a.kind === 'tensor' ? a.shape : [];
  const [second, secondMore] = b.kind === 'tensor' ? b.shape : [];
  const element = a.kind === 'tensor' && b.kind === 'tensor' ? commonType(a.element, b.element) : null;
  if (a.kind !== 'tensor' || b.kind !== 'tensor' || !first || !second || firstMore || secondMore || element === null)
    return fail(ctx, 'PV-4007', range, `${valueText(a)} ++ ${valueText(b)}: pv joins two strings or two vectors`);
  return tensor(element, [call('add', first, second)], ([place = integer(0)]) =>
    choose(call('less', place, first), a.at([place]), b.at([call('subtract', place, first)]), element),
  );
}
