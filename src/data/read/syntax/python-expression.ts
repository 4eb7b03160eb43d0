/**
 * Constant expressions of Python: numbers, strings, True, False, None, names assigned above, arithmetic.
 * Nothing is run: what is not a constant is null.
 */

/** A constant of Python: `None` is null. */
export type PythonValue = number | string | boolean | null;

/** A value, or why there is none. */
export type Computed = { readonly value: PythonValue } | { readonly because: string };

interface Parser {
  readonly tokens: readonly string[];
  at: number;
  readonly names: ReadonlyMap<string, PythonValue>;
}

/** Nesting of parentheses and signs in one expression; a config has two. */
const MAX_DEPTH = 64;

const tokenPattern =
  /\s+|\\\r?\n|#[^\n]*|(?:[rRuU]|)(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][-+]?\d+)?|[A-Za-z_][\w.]*|\*\*|\/\/|[-+*/%(),]/y;

/** The value of an expression; `names` holds what was assigned above it. */
export function computePython(text: string, names: ReadonlyMap<string, PythonValue>): Computed {
  const tokens = tokenize(text);
  if (!tokens) return { because: 'it is more than a constant' };
  const parser: Parser = { tokens, at: 0, names };
  const value = sum(parser, 0);
  if ('because' in value) return value;
  return parser.at < tokens.length ? { because: `its value is followed by ${tokens[parser.at] ?? ''}` } : value;
}

function tokenize(text: string): readonly string[] | null {
  const tokens: string[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < text.length) {
    const token = tokenPattern.exec(text)?.[0];
    if (token === undefined || token === '') return null;
    if (!/^(?:\s|#|\\)/.test(token)) tokens.push(token);
  }
  return tokens;
}

function sum(parser: Parser, depth: number): Computed {
  let left = product(parser, depth);
  for (let op = parser.tokens[parser.at]; op === '+' || op === '-'; op = parser.tokens[parser.at]) {
    parser.at += 1;
    left = combine(left, op, product(parser, depth));
  }
  return left;
}

function product(parser: Parser, depth: number): Computed {
  let left = unary(parser, depth);
  for (
    let op = parser.tokens[parser.at];
    op === '*' || op === '/' || op === '//' || op === '%';
    op = parser.tokens[parser.at]
  ) {
    parser.at += 1;
    left = combine(left, op, unary(parser, depth));
  }
  return left;
}

/** A sign binds weaker than a power: -2**2 is -4. */
function unary(parser: Parser, depth: number): Computed {
  if (depth > MAX_DEPTH) return { because: 'it is nested too deep' };
  const sign = parser.tokens[parser.at];
  if (sign !== '+' && sign !== '-') return power(parser, depth);
  parser.at += 1;
  const operand = unary(parser, depth + 1);
  if ('because' in operand) return operand;
  if (typeof operand.value !== 'number') return { because: 'a sign needs a number' };
  return { value: sign === '-' ? -operand.value : operand.value };
}

function power(parser: Parser, depth: number): Computed {
  const base = atom(parser, depth);
  if (parser.tokens[parser.at] !== '**') return base;
  parser.at += 1;
  return combine(base, '**', unary(parser, depth + 1));
}

function atom(parser: Parser, depth: number): Computed {
  const token = parser.tokens[parser.at];
  if (token === undefined) return { because: 'a value is missing' };
  parser.at += 1;
  if (token === '(') return parenthesised(parser, depth);
  if (/^[\d.]/.test(token)) return { value: Number(token.replaceAll('_', '').toLowerCase()) };
  if (/^[rRuU]?["']/.test(token)) return strings(parser, token);
  if (parser.tokens[parser.at] === '(') return call(parser, token, depth);
  return named(parser, token);
}

function parenthesised(parser: Parser, depth: number): Computed {
  const inner = sum(parser, depth + 1);
  if (parser.tokens[parser.at] !== ')')
    return 'because' in inner ? inner : { because: 'it is a tuple, or a parenthesis is not closed' };
  parser.at += 1;
  return inner;
}

/** Adjacent strings are one. */
function strings(parser: Parser, first: string): Computed {
  let text = stringValue(first);
  for (
    let next = parser.tokens[parser.at];
    next !== undefined && /^[rRuU]?["']/.test(next);
    next = parser.tokens[parser.at]
  ) {
    parser.at += 1;
    text += stringValue(next);
  }
  return { value: text };
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', "'": "'", '"': '"' };

function stringValue(token: string): string {
  const inner = token.replace(/^[rRuU]?["']/, '').slice(0, -1);
  return /^[rR]/.test(token) ? inner : inner.replace(/\\([^])/g, (whole, letter: string) => escapes[letter] ?? whole);
}

const constants: ReadonlyMap<string, PythonValue> = new Map<string, PythonValue>([
  ['True', true],
  ['False', false],
  ['None', null],
]);

function named(parser: Parser, name: string): Computed {
  const value = constants.get(name) ?? (constants.has(name) ? null : parser.names.get(name));
  return value === undefined ? { because: `${name} is not a constant defined above it` } : { value };
}

const functions: ReadonlyMap<string, (values: readonly number[]) => number> = new Map([
  ['int', ([x = NaN]: readonly number[]) => Math.trunc(x)],
  ['float', ([x = NaN]: readonly number[]) => x],
  ['abs', ([x = NaN]: readonly number[]) => Math.abs(x)],
  ['min', (values: readonly number[]) => Math.min(...values)],
  ['max', (values: readonly number[]) => Math.max(...values)],
]);

/** Says in `names` that the text defines a function of this name itself, so that a builtin one is not meant. */
export function shadow(names: Map<string, PythonValue>, name: string): void {
  if (functions.has(name)) names.set(`${name}()`, null);
}

function call(parser: Parser, name: string, depth: number): Computed {
  const compute = parser.names.has(`${name}()`) ? undefined : functions.get(name);
  if (!compute) return { because: `it calls ${name}, and nothing is run` };
  parser.at += 1;
  const values: number[] = [];
  for (;;) {
    const argument = sum(parser, depth + 1);
    if ('because' in argument) return argument;
    if (typeof argument.value !== 'number') return { because: `${name} is set to something that is not a number` };
    values.push(argument.value);
    const next = parser.tokens[parser.at];
    parser.at += 1;
    if (next === ')') return { value: compute(values) };
    if (next !== ',') return { because: `the call of ${name} is not closed` };
  }
}

/** Python's arithmetic on numbers; `+` also joins strings. */
function combine(left: Computed, op: string, right: Computed): Computed {
  if ('because' in left) return left;
  if ('because' in right) return right;
  const [a, b] = [left.value, right.value];
  if (op === '+' && typeof a === 'string' && typeof b === 'string') return { value: a + b };
  if (typeof a !== 'number' || typeof b !== 'number') return { because: `${op} needs two numbers` };
  const value = arithmetic(a, op, b);
  return value === null ? { because: 'it divides by zero' } : { value };
}

function arithmetic(a: number, op: string, b: number): number | null {
  if (op === '+') return a + b;
  if (op === '-') return a - b;
  if (op === '*') return a * b;
  if (op === '**') return a ** b;
  if (b === 0) return null;
  if (op === '/') return a / b;
  return op === '//' ? Math.floor(a / b) : a - b * Math.floor(a / b);
}
