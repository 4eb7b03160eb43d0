/** Operators on values: scalars are broadcast, equal shapes combine elementwise, `·` of tensors is the dot or matrix product. */
import { call, integer, reduce, variable } from '../../../math/term/build.ts';
import type { Range } from '../../../diagnostics/source.ts';
import type { FunctionName } from '../../../math/functions.ts';
import type { BinaryOperator } from '../../../math/notation/syntax.ts';
import { INTEGER, type Term } from '../../../math/term/term.ts';
import { isNumeric, resultType } from '../../../math/term/types.ts';
import { printTerm } from '../../../math/term/print-term.ts';
import { bitsOf } from '../../exact/ground-value.ts';
import { equalShapes, equalSizes } from './binders.ts';
import { fail, giveUp, type Context } from '../context/context.ts';
import { quotientOperator } from './machine-quotient.ts';
import { inFrame, openFrame, share } from '../context/frames.ts';
import type { TensorValue, Value } from '../context/value.ts';
import { mapTensor, materialize, scalar, tensor, valueText } from '../context/values.ts';

const elementwise: Partial<Readonly<Record<BinaryOperator, FunctionName>>> = {
  '+': 'add',
  '-': 'subtract',
  '/': 'divide',
  '//': 'floor-divide',
  mod: 'modulo',
  '⊙': 'multiply',
  '++': 'string-concat',
};

/** `a op b`. */
export function combine(ctx: Context, operator: BinaryOperator, a: Value, b: Value, range: Range): Value {
  if (ctx.problem) return a;
  switch (operator) {
    case '·':
    case '×':
    case '@':
      return productOf(ctx, a, b, range);
    case '^':
      return powerOf(ctx, a, b, range);
    case '&':
      return bitsOfNumbers(a, b) ?? giveUp(ctx, range, 'pv has no executable meaning for &');
    default: {
      const fn = elementwise[operator === '/' ? quotientOperator(ctx, a, b, range) : operator];
      return fn ? lift(ctx, fn, [a, b], range) : giveUp(ctx, range, `pv has no executable meaning for ${operator}`);
    }
  }
}

/** `6 & 3` as it is written. */
function bitsOfNumbers(a: Value, b: Value): Value | null {
  const [left = -1, right = -1] = [a, b].map((one) =>
    one.kind === 'scalar' && one.term.kind === 'number' ? Number(one.term.value) : -1,
  );
  if (!Number.isSafeInteger(left) || !Number.isSafeInteger(right)) return null;
  const bits = bitsOf(BigInt(left), BigInt(right));
  return bits === null ? null : scalar(integer(Number(bits)));
}

/** `fn` of scalars, broadcast over tensors of one shape. */
export function lift(ctx: Context, fn: FunctionName, args: readonly Value[], range: Range): Value {
  if (ctx.problem) return args[0] ?? scalar(integer(0));
  let shape: readonly Term[] | null = null;
  for (const arg of args) {
    if (arg.kind === 'family')
      return fail(ctx, 'PV-4006', range, `${arg.name} must be indexed here: nothing says how far its indices run`);
    if (!checkOperand(ctx, fn, arg, range)) return arg;
    if (arg.kind !== 'tensor') continue;
    if (shape !== null && !equalShapes(ctx, shape, arg.shape)) return toEachRow(ctx, fn, args, range);
    shape ??= arg.shape;
  }
  const apply = (indices: readonly Term[]): Term => call(fn, ...args.map((arg) => elementAt(arg, indices)));
  if (shape === null) return scalar(apply([]));
  const rows = args.flatMap((arg) => (arg.kind === 'tensor' ? [arg.row === true] : []));
  const isRow = rows.includes(true);
  if (isRow && rows.includes(false)) return mismatch(ctx, args, range);
  const kinds = args.map((arg) =>
    variable('', arg.kind === 'tensor' ? arg.element : arg.kind === 'scalar' ? arg.term.type : INTEGER),
  );
  const result = tensor(resultType(fn, kinds), shape, apply);
  return isRow ? { ...result, row: true } : result;
}

/** `X·W + b` of a matrix and a vector as long as its rows: b is added to each row, unless its columns are as long. */
function toEachRow(ctx: Context, fn: FunctionName, args: readonly Value[], range: Range): Value {
  const [a, b] = args;
  const [rows, columns] = a?.kind === 'tensor' && a.shape.length === 2 ? a.shape : [];
  const [length, more] = b?.kind === 'tensor' ? b.shape : [];
  const fits = rows && columns && length && !more && equalSizes(ctx, columns, length) && !equalSizes(ctx, rows, length);
  if (!a || !b || !fits || (fn !== 'add' && fn !== 'subtract')) return mismatch(ctx, args, range);
  const each = tensor(b.kind === 'tensor' ? b.element : INTEGER, [rows, columns], (at) => elementAt(b, at.slice(1)));
  return lift(ctx, fn, [a, each], range);
}

function elementAt(value: Value, indices: readonly Term[]): Term {
  if (value.kind === 'scalar') return value.term;
  return value.kind === 'tensor' ? value.at(indices) : integer(0);
}

/** Numbers for arithmetic, truths for logic, texts for text functions. */
function checkOperand(ctx: Context, fn: FunctionName, value: Value, range: Range): boolean {
  const type = value.kind === 'tensor' ? value.element : value.kind === 'scalar' ? value.term.type : INTEGER;
  const wanted = fn === 'string-length' || fn === 'string-concat' ? 'string' : logical.has(fn) ? 'boolean' : 'number';
  const fits = wanted === 'number' ? isNumeric(type) : type.kind === wanted;
  if (!fits)
    fail(
      ctx,
      'PV-4003',
      range,
      `${fn} needs ${wanted === 'number' ? 'numbers' : wanted === 'string' ? 'texts' : 'propositions'}, and this is ${valueText(value)}`,
    );
  return fits;
}

const logical: ReadonlySet<FunctionName> = new Set(['and', 'or', 'not', 'implies', 'iff', 'xor'] as const);

function mismatch(ctx: Context, args: readonly Value[], range: Range): Value {
  const texts = args.map(valueText);
  return fail(
    ctx,
    'PV-4007',
    range,
    `${texts.join(' and ')} do not combine`,
    'elementwise operations need equal shapes, or a single number on one side',
  );
}

function powerOf(ctx: Context, a: Value, b: Value, range: Range): Value {
  if (a.kind === 'tensor' && a.shape.length > 1) {
    return fail(
      ctx,
      'PV-4007',
      range,
      `a power of ${valueText(a)} could mean elements or matrices`,
      'index it: A_ij^2, or write A·A',
    );
  }
  return lift(ctx, 'power', [a, b], range);
}

/** `a * b`, as programs write it: of tensors of one shape elementwise, of matrices that fit each other their product. */
export function starProduct(ctx: Context, a: Value, b: Value, range: Range): Value {
  const isOfOneShape =
    a.kind === 'tensor' && b.kind === 'tensor' && a.row === b.row && equalShapes(ctx, a.shape, b.shape);
  if (!isOfOneShape) return combine(ctx, '·', a, b, range);
  const [rows, columns] = a.shape;
  if (a.shape.length === 2 && rows && columns && equalSizes(ctx, rows, columns))
    return giveUp(ctx, range, 'of square matrices, * may multiply them or their elements: write · or ⊙');
  return lift(ctx, 'multiply', [a, b], range);
}

/** Scaling, the dot product, and the products of matrices and vectors. */
export function productOf(ctx: Context, a: Value, b: Value, range: Range): Value {
  if (a.kind !== 'tensor' || b.kind !== 'tensor') return lift(ctx, 'multiply', [a, b], range);
  if (a.row || b.row) return rowProduct(ctx, a, b, range);
  const ranks = `${a.shape.length}${b.shape.length}`;
  if (!['11', '12', '21', '22'].includes(ranks))
    return fail(
      ctx,
      'PV-4007',
      range,
      `${valueText(a)} · ${valueText(b)} is not a product of vectors or matrices`,
      'write the indices: Σ_k A_ik·B_kj',
    );
  const inner = a.shape.at(-1) ?? integer(0);
  const facing = b.shape[0] ?? integer(0);
  if (!equalSizes(ctx, inner, facing)) {
    return fail(
      ctx,
      'PV-4007',
      range,
      `${valueText(a)} · ${valueText(b)}: the inner sizes ${printTerm(inner)} and ${printTerm(facing)} differ`,
      'one side may have to be transposed: A·B^T',
    );
  }
  // Each element of an operand is read once per row or column of the other: computed once, it stays cubic.
  const left = a.shape.length + b.shape.length > 2 ? materialize(ctx, a, range, 'left') : a;
  const right = a.shape.length + b.shape.length > 2 ? materialize(ctx, b, range, 'right') : b;
  return contraction(ctx, left, right, inner);
}

const asVector = ({ kind, element, shape, at, whole }: TensorValue): TensorValue => ({
  kind,
  element,
  shape,
  at,
  whole,
});

/** `x^T y`, `x^T A` and `x y^T` of vectors. */
function rowProduct(ctx: Context, a: TensorValue, b: TensorValue, range: Range): Value {
  if (a.row && !b.row) {
    const product = productOf(ctx, asVector(a), b, range);
    return product.kind === 'tensor' ? { ...product, row: true } : product;
  }
  if (a.row || a.shape.length !== 1)
    return fail(ctx, 'PV-4007', range, `a row does not multiply ${valueText(a)} from the right`);
  const type = resultType('multiply', [variable('', a.element), variable('', b.element)]);
  return tensor(type, [...a.shape, ...b.shape], ([i = integer(0), j = integer(0)]) =>
    call('multiply', a.at([i]), b.at([j])),
  );
}

function contraction(ctx: Context, a: TensorValue, b: TensorValue, inner: Term): Value {
  const rows = a.shape.slice(0, -1);
  const shape = [...rows, ...b.shape.slice(1)];
  const at = (indices: readonly Term[]): Term => {
    const name = ctx.fresh('k');
    const k = variable(name, INTEGER);
    const body = inFrame(ctx, openFrame('binder', [name]), () =>
      call('multiply', a.at([...indices.slice(0, rows.length), k]), b.at([k, ...indices.slice(rows.length)])),
    );
    return share(ctx, reduce('sum', [{ name, from: integer(0), to: inner }], body), 'sum');
  };
  const type = resultType('multiply', [variable('', a.element), variable('', b.element)]);
  return shape.length === 0 ? scalar(at([])) : tensor(type, shape, at);
}

/** The transpose of a matrix; of a vector the row, and of a row the vector. PV-4007 for any other value. */
export function transposed(ctx: Context, value: Value, range: Range): Value {
  if (ctx.problem) return value;
  if (value.kind !== 'tensor' || value.shape.length > 2) {
    return fail(ctx, 'PV-4007', range, `only a matrix or a vector has a transpose, and this is ${valueText(value)}`);
  }
  if (value.shape.length === 1) {
    return value.row ? asVector(value) : { ...value, row: true };
  }
  return tensor(value.element, [...value.shape].reverse(), (indices) => value.at([...indices].reverse()));
}

/** `-a`, `|a|`, `√a`, …: one function on each element. */
export function unary(ctx: Context, fn: FunctionName, value: Value, range: Range): Value {
  if (value.kind === 'tensor' && !ctx.problem && isNumeric(value.element)) {
    return mapTensor(value, resultType(fn, [variable('', value.element)]), (term) => call(fn, term));
  }
  return lift(ctx, fn, [value], range);
}
