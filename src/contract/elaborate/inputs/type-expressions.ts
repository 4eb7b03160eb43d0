/** Types and sets as domains write them: `F32^{m×k}`, `ℕ`, `{0, …, C-1}^B`, `[0, 1]^n`, `(0, 1)`. */
import { decimal, integer } from '../../../math/term/build.ts';
import type { Expression } from '../../../math/notation/syntax.ts';
import {
  BOOLEAN,
  FLOAT32,
  INTEGER,
  STRING,
  type FloatFormat,
  type ScalarType,
  type Term,
} from '../../../math/term/term.ts';
import type { Context } from '../context/context.ts';
import { use, useAll } from '../context/ledger.ts';

/** A bound as written; the number 0 of ℕ and ℝ_≥0 needs no text. */
export interface WrittenBound {
  readonly value: Expression | Term;
  readonly open: boolean;
}

/** A type or set as written: element type, axes, and bounds that are not yet elaborated. */
export interface TypeExpression {
  readonly element: ScalarType;
  /** Whether any real number is meant, which a kernel receives as a number of `element`. */
  readonly real: boolean;
  readonly axes: readonly Expression[];
  readonly lower: WrittenBound | null;
  readonly upper: WrittenBound | null;
  readonly choices: readonly Expression[] | null;
  readonly nonFinite: boolean;
  /** Of an integer with so many bits, whether it has a sign. */
  readonly machine?: 'signed' | 'unsigned';
}

/** What `expression` says as a type or set; null if it is neither. */
export function readType(expression: Expression): TypeExpression | null {
  if (expression.kind === 'binary' && expression.operator === '^') {
    const base = readElement(expression.left);
    return base && { ...base, axes: axesOf(expression.right) };
  }
  // `F32^T` reads as a transpose; of a set it is a vector of T elements.
  if (expression.kind === 'transpose') {
    const base = readElement(expression.operand);
    return base && { ...base, axes: [{ kind: 'name', text: 'T', range: expression.range }] };
  }
  return readElement(expression);
}

/**
 * Records the parts of a type that give no bound, axis or choice: the name of its format, ±∞, the first steps of `{0, 1,
 * …, n}`.
 */
export function useType(ctx: Context, written: Expression): void {
  if (written.kind === 'binary' && written.operator === '^') return useType(ctx, written.left);
  if (written.kind === 'transpose') return useType(ctx, written.operand);
  if (written.kind === 'name') use(ctx, written.range);
  if (written.kind === 'interval')
    for (const side of [written.low, written.high]) if (end(side, false) === null) useAll(ctx, side);
  if (written.kind === 'set' && written.ellipsis)
    written.items
      .filter((item, i) => i < written.items.length - 1 || end(item, false) === null)
      .forEach((item) => useAll(ctx, item));
}

function axesOf(exponent: Expression): readonly Expression[] {
  if (exponent.kind === 'binary' && exponent.operator === '×')
    return [...axesOf(exponent.left), ...axesOf(exponent.right)];
  return exponent.kind === 'tuple' ? exponent.items : [exponent];
}

const plain = { real: false, axes: [], lower: null, upper: null, choices: null, nonFinite: false } as const;

function readElement(expression: Expression): TypeExpression | null {
  switch (expression.kind) {
    case 'name':
      return namedType(expression.text);
    case 'interval': {
      const whole = isIntegerRange(expression);
      return {
        ...plain,
        element: whole ? INTEGER : FLOAT32,
        real: !whole,
        lower: end(expression.low, expression.lowOpen),
        upper: end(expression.high, expression.highOpen),
      };
    }
    case 'span':
      return expression.from && expression.to
        ? {
            ...plain,
            element: INTEGER,
            lower: end(expression.from, false),
            upper: end(expression.to, !expression.inclusive),
          }
        : null;
    case 'set':
      return setType(expression);
    default:
      return null;
  }
}

function end(side: Expression, open: boolean): WrittenBound | null {
  const infinite = side.kind === 'infinity' || (side.kind === 'negate' && side.operand.kind === 'infinity');
  return infinite ? null : { value: side, open };
}

/** `[0, n)`: half-open up to a size, the way indices are written. `[0, 1)` is an interval of reals. */
function isIntegerRange(interval: Extract<Expression, { kind: 'interval' }>): boolean {
  const symbolic =
    interval.high.kind !== 'number' && interval.high.kind !== 'negate' && interval.high.kind !== 'infinity';
  return (
    symbolic &&
    !interval.lowOpen &&
    interval.highOpen &&
    interval.low.kind === 'number' &&
    /^\d+$/.test(interval.low.value)
  );
}

function setType(set: Extract<Expression, { kind: 'set' }>): TypeExpression | null {
  const first = set.items[0];
  const last = set.items.at(-1);
  if (!first || !last) return null;
  if (set.ellipsis && !isConsecutive(set.items)) return null;
  if (set.ellipsis)
    return { ...plain, element: INTEGER, lower: { value: first, open: false }, upper: end(last, false) };
  const [only] = set.items;
  if (set.items.length === 1 && only?.kind === 'span') return readElement(only);
  if (set.items.every((item) => item.kind === 'string')) return { ...plain, element: STRING, choices: set.items };
  if (set.items.every((item) => item.kind === 'boolean')) return { ...plain, element: BOOLEAN, choices: set.items };
  const whole = set.items.every(isWhole);
  return { ...plain, element: whole ? INTEGER : FLOAT32, real: !whole, choices: set.items };
}

/** `{0, …, n}`, `{0, 1, …, n}`: the … follows a first number and its successors. `{0, 2, …, n}` is something else. */
export function isConsecutive(items: readonly Expression[]): boolean {
  const [first, ...more] = items.slice(0, -1);
  return more.every(
    (item, i) => first && isWhole(first) && isWhole(item) && wholeNumber(item) === wholeNumber(first) + i + 1,
  );
}

function wholeNumber(item: Expression): number {
  if (item.kind === 'negate') return -wholeNumber(item.operand);
  return item.kind === 'number' ? Number(item.value) : Number.NaN;
}

function isWhole(item: Expression): boolean {
  const number = item.kind === 'negate' ? item.operand : item;
  return number.kind === 'number' && /^\d+$/.test(number.value);
}

/** How a sparse matrix of real numbers is stored: `A ∈ CSR^{m×n}`. */
const sparse = ['CSR', 'CSC', 'COO', 'BSR', 'ELL'] as const;
const realNames: ReadonlySet<string> = new Set(['ℝ', 'R', 'Real', ...sparse]);
const floats: ReadonlyMap<string, FloatFormat> = new Map([
  ['F16', 'f16'],
  ['BF16', 'bf16'],
  ['F32', 'f32'],
  ['F64', 'f64'],
  ['f16', 'f16'],
  ['bf16', 'bf16'],
  ['f32', 'f32'],
  ['f64', 'f64'],
  ['ℝ', 'f32'],
  ['R', 'f32'],
  ['Real', 'f32'],
  ['float', 'f32'],
  ['float32', 'f32'],
  ['scalar', 'f32'],
  ['scalars', 'f32'],
  ...sparse.map((name) => [name, 'f32'] as const),
]);
const integers: ReadonlySet<string> = new Set(['ℤ', 'Z', 'Int', 'int', 'integer']);
const naturals: ReadonlySet<string> = new Set(['ℕ', 'N', 'Nat', 'ℕ_0', 'N_0']);

/** Whole numbers of so many bits, signed or not. */
const machineIntegers: ReadonlyMap<string, readonly [bits: number, signed: boolean]> = new Map([
  ['i8', [8, true]],
  ['u8', [8, false]],
  ['i16', [16, true]],
  ['u16', [16, false]],
  ['i32', [32, true]],
  ['I32', [32, true]],
  ['int32', [32, true]],
  ['u32', [32, false]],
  ['U32', [32, false]],
  ['i64', [64, true]],
  ['I64', [64, true]],
  ['u64', [64, false]],
  ['U64', [64, false]],
  ['isize', [64, true]],
  ['usize', [64, false]],
]);

const zero: WrittenBound = { value: integer(0), open: false };
/** The lower end of ℤ⁺ and ℕ⁺, which some papers let begin at 0. */
const one: WrittenBound = { value: integer(1), open: false };

function machineInteger(bits: number, signed: boolean): TypeExpression {
  const values = 2n ** BigInt(signed ? bits - 1 : bits);
  const closed = (value: bigint): WrittenBound => ({ value: decimal(String(value)), open: false });
  return {
    ...plain,
    element: INTEGER,
    lower: signed ? closed(-values) : zero,
    upper: closed(values - 1n),
    machine: signed ? 'signed' : 'unsigned',
  };
}

function namedType(text: string): TypeExpression | null {
  const machine = machineIntegers.get(text);
  if (machine) return machineInteger(...machine);
  if (integers.has(text)) return { ...plain, element: INTEGER };
  if (naturals.has(text)) return { ...plain, element: INTEGER, lower: zero };
  if (text === 'Bool' || text === 'bool' || text === 'boolean') return { ...plain, element: BOOLEAN };
  if (text === 'String' || text === 'string') return { ...plain, element: STRING };
  return floatType(text, null) ?? partOf(text);
}

function floatType(text: string, lower: WrittenBound | null): TypeExpression | null {
  const extended = text.endsWith('_ext');
  const name = extended ? text.slice(0, -4) : text;
  const format = floats.get(name);
  if (format === undefined) return null;
  const element: ScalarType = { kind: 'float', format };
  return { ...plain, element, real: realNames.has(name), lower, nonFinite: extended };
}

/** `ℤ⁺`, `ℝ_>0`, `ℕ_≥2`: a set from a number on. Papers differ on whether 0 is in ℝ⁺: including it covers both readings. */
function partOf(text: string): TypeExpression | null {
  const [, name, relation, number] = /^(.+)(?:⁺|_(≥|>)(\d+))$/u.exec(text) ?? [];
  if (name === undefined) return null;
  const from = number === undefined ? null : { value: integer(Number(number)), open: relation === '>' };
  const real = floatType(name, from ?? zero);
  if (real) return real;
  const whole = namedType(name);
  return whole?.element.kind === 'integer' ? { ...whole, lower: from ?? one } : null;
}

/** Whether the bound is a finished term. */
export function isTerm(value: Expression | Term): value is Term {
  return 'type' in value;
}
