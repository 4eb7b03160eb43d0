/** Literal inputs: numbers, nested lists, and builders such as `zeros(8)`, evaluated to arrays. */
import type { Expression } from '../../../math/notation/syntax.ts';

/** A value that is written out: a number, a tensor or a string. */
export interface Literal {
  readonly shape: readonly number[];
  /** Row-major; empty for a string. */
  readonly data: readonly number[];
  /** The value of a string; absent: numbers. */
  readonly text?: string;
}

/** Longest array that a builder makes. */
const maximumElements = 1_000_000;

/** The value of a literal, or what is wrong with it. */
export function readLiteral(expression: Expression): Literal | string {
  switch (expression.kind) {
    case 'number':
      return expression.unit === null || expression.unit === '%'
        ? scalarLiteral(Number(expression.value) / (expression.unit === '%' ? 100 : 1))
        : `a number with the unit ${expression.unit}`;
    case 'string':
      return { shape: [], data: [], text: expression.value };
    case 'boolean':
      return scalarLiteral(expression.value ? 1 : 0);
    case 'infinity':
      return scalarLiteral(Infinity);
    case 'name':
      return namedLiteral(expression.text);
    case 'negate':
      return map(readLiteral(expression.operand), (x) => -x);
    case 'square-root':
      return map(readLiteral(expression.operand), Math.sqrt);
    case 'binary':
      return combine(expression);
    case 'list':
      return expression.ellipsis ? 'pv does not guess what … stands for' : stack(expression.items.map(readLiteral));
    case 'call':
      return build(expression);
    default:
      return `not a literal input (${expression.kind})`;
  }
}

function scalarLiteral(value: number): Literal {
  return { shape: [], data: [value] };
}

function namedLiteral(name: string): Literal | string {
  if (/^nan$/i.test(name)) return scalarLiteral(NaN);
  if (/^inf(inity)?$/i.test(name)) return scalarLiteral(Infinity);
  return name === 'π' || name === 'pi' ? scalarLiteral(Math.PI) : `${name} is not a number`;
}

function map(literal: Literal | string, change: (value: number) => number): Literal | string {
  if (typeof literal === 'string') return literal;
  return literal.text === undefined ? { shape: literal.shape, data: literal.data.map(change) } : noNumber;
}

const noNumber = 'a string is not a number';

/** `"a" ++ "b"`. */
function joined(operator: string, a: string | undefined, b: string | undefined): Literal | string {
  return operator === '++' && a !== undefined && b !== undefined ? { shape: [], data: [], text: a + b } : noNumber;
}

function combine(expression: Extract<Expression, { kind: 'binary' }>): Literal | string {
  const a = readLiteral(expression.left);
  const b = readLiteral(expression.right);
  if (typeof a === 'string') return a;
  if (typeof b === 'string') return b;
  if (a.text !== undefined || b.text !== undefined) return joined(expression.operator, a.text, b.text);
  const operate = operations[expression.operator];
  if (!operate) return `the operator ${expression.operator} in a literal input`;
  const [x, y] = [a.data[0] ?? NaN, b.data[0] ?? NaN];
  if (a.shape.length === 0) return { shape: b.shape, data: b.data.map((value) => operate(x, value)) };
  if (b.shape.length === 0) return { shape: a.shape, data: a.data.map((value) => operate(value, y)) };
  if (a.shape.join() !== b.shape.join()) return 'arrays of different shapes';
  return { shape: a.shape, data: a.data.map((value, i) => operate(value, b.data[i] ?? NaN)) };
}

// `2^10` and `10^-3` are exact or correctly rounded here: repeated multiplication of a whole power, one division.
function power(base: number, exponent: number): number {
  if (!Number.isInteger(exponent) || Math.abs(exponent) > 1100) return NaN;
  let product = 1;
  for (let i = 0; i < Math.abs(exponent); i++) product *= base;
  return exponent < 0 ? 1 / product : product;
}

const operations: Readonly<Partial<Record<string, (a: number, b: number) => number>>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '·': (a, b) => a * b,
  '×': (a, b) => a * b,
  '⊙': (a, b) => a * b,
  '/': (a, b) => a / b,
  '^': power,
};

function stack(items: readonly (Literal | string)[]): Literal | string {
  const rows: Literal[] = [];
  for (const item of items) {
    if (typeof item === 'string') return item;
    rows.push(item);
  }
  const shape = rows[0]?.shape ?? [];
  if (rows.some((row) => row.text !== undefined)) return 'pv takes no lists of strings';
  if (rows.some((row) => row.shape.join() !== shape.join())) return 'the rows of a list have different lengths';
  return { shape: [rows.length, ...shape], data: rows.flatMap((row) => row.data) };
}

/** `zeros(8)`, `ones(2, 3)`, `full(4, 1e4)`, `basis(8, 3)` (1 at index 3), `range(8)` (0 … 7). */
function build(expression: Extract<Expression, { kind: 'call' }>): Literal | string {
  const name = expression.callee.kind === 'name' ? expression.callee.text : '';
  const args: number[] = [];
  for (const argument of expression.arguments) {
    const value = readLiteral(argument.value);
    if (typeof value === 'string' || value.shape.length > 0 || value.text !== undefined)
      return `an argument of ${name} is a number`;
    args.push(value.data[0] ?? NaN);
  }
  const shape = name === 'full' ? args.slice(0, -1) : name === 'basis' || name === 'range' ? args.slice(0, 1) : args;
  const size = shape.reduce((product, axis) => product * axis, 1);
  if (shape.length === 0 || !shape.every((axis) => Number.isInteger(axis) && axis > 0) || size > maximumElements)
    return `${name} needs sizes of at least 1, and at most ${maximumElements} elements`;
  const fill = (valueAt: (i: number) => number): Literal => ({
    shape,
    data: Array.from({ length: size }, (_, i) => valueAt(i)),
  });
  switch (name) {
    case 'zeros':
      return fill(() => 0);
    case 'ones':
      return fill(() => 1);
    case 'full':
      return fill(() => args.at(-1) ?? 0);
    case 'range':
      return args.length === 1 ? fill((i) => i) : 'range takes one size';
    case 'basis': {
      const at = args[1];
      return at !== undefined && Number.isInteger(at) && at >= 0 && at < size
        ? fill((i) => (i === at ? 1 : 0))
        : 'basis(n, k) needs 0 ≤ k < n';
    }
    default:
      return `${name || 'this'} does not build an input; zeros, ones, full, basis and range do`;
  }
}
