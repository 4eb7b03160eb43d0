/**
 * Random well-typed terms over fixed inputs: sizes n and m, vectors x and w of n floats, a matrix A of n×m,
 * scalars c (float), k (integer) and p (truth value), a vector y of n integers.
 */
import fc from 'fast-check';
import * as b from '../../src/math/term/build.ts';
import type { Binding } from '../../src/math/evaluate/interpret.ts';
import type { FunctionName } from '../../src/math/functions.ts';
import {
  BOOLEAN,
  FLOAT32,
  INTEGER,
  REAL,
  type IndexBinder,
  type ScalarType,
  type Term,
  type Type,
} from '../../src/math/term/term.ts';

export type Draw = fc.GeneratorValue;

const vector = (element: ScalarType): Type => ({ kind: 'tensor', element, shape: [b.variable('n', INTEGER)] });

export const sizes = ['n', 'm'] as const;
export const parameters: readonly { readonly name: string; readonly type: Type }[] = [
  { name: 'x', type: vector(FLOAT32) },
  { name: 'w', type: vector(FLOAT32) },
  {
    name: 'A',
    type: { kind: 'tensor', element: FLOAT32, shape: [b.variable('n', INTEGER), b.variable('m', INTEGER)] },
  },
  { name: 'y', type: vector(INTEGER) },
  { name: 'c', type: FLOAT32 },
  { name: 'k', type: INTEGER },
  { name: 'p', type: BOOLEAN },
];

interface Scope {
  readonly draw: Draw;
  readonly indices: readonly string[];
  /** Scalars and vectors that are bound by `let`. */
  readonly scalars: readonly Term[];
  readonly vectors: readonly Term[];
  readonly counter: { next: number };
  readonly functions: Functions;
}

/** What terms may call. */
export interface Functions {
  readonly unary: readonly FunctionName[];
  readonly binary: readonly FunctionName[];
  /** Whether terms may ask whether a number is finite, NaN, or near another. */
  readonly questions: boolean;
}

const pick = <T>(scope: Scope, options: readonly T[]): T => scope.draw(fc.constantFrom, ...options);
const name = (scope: Scope, letter: string): string => `${letter}${(scope.counter.next += 1)}`;
const input = (id: string): Term => {
  const found = parameters.find((parameter) => parameter.name === id);
  if (!found) throw new Error(`no input ${id}`);
  return b.variable(id, found.type);
};

function binder(scope: Scope, indexName: string): IndexBinder {
  const ends: Term[] = [b.variable('n', INTEGER), b.variable('m', INTEGER), b.integer(3), b.integer(0)];
  for (const outer of scope.indices) ends.push(b.call('add', b.variable(outer, INTEGER), b.integer(1)));
  return { name: indexName, from: b.integer(pick(scope, [0, 0, 0, 1])), to: pick(scope, ends) };
}

/** An index: mostly a loop variable, sometimes beyond the axis. */
function indexTerm(scope: Scope): Term {
  const options: Term[] = [b.integer(0), b.integer(2), b.variable('k', INTEGER), b.element(input('y'), [b.integer(0)])];
  for (const index of scope.indices) {
    const variable = b.variable(index, INTEGER);
    options.push(
      variable,
      variable,
      b.call('add', variable, b.integer(1)),
      b.call('floor-divide', variable, b.integer(2)),
      b.call('subtract', variable, b.integer(1)),
    );
  }
  return pick(scope, options);
}

const unary: readonly FunctionName[] = [
  'negate',
  'absolute',
  'sign',
  'floor',
  'ceiling',
  'round',
  'sqrt',
  'exp',
  'log',
  'sin',
  'tanh',
  'atan',
  'erf',
  'sigmoid',
  'softplus',
  'expm1',
  'log1p',
  'ulp32',
  'round32',
  'reciprocal-sqrt',
];
const binary: readonly FunctionName[] = [
  'add',
  'subtract',
  'multiply',
  'divide',
  'modulo',
  'floor-divide',
  'minimum',
  'maximum',
  'power',
  'ulp-distance',
];

function leaf(scope: Scope): Term {
  const options: Term[] = [
    b.variable('c', FLOAT32),
    b.variable('k', INTEGER),
    b.variable('n', INTEGER),
    b.decimal('0.1'),
    b.integer(2),
    b.decimal('-1.5'),
  ];
  options.push(...scope.scalars);
  for (const index of scope.indices) options.push(b.variable(index, INTEGER));
  options.push(b.element(input('x'), [indexTerm(scope)]), b.element(input('A'), [indexTerm(scope), indexTerm(scope)]));
  return pick(scope, options);
}

export function numberTerm(scope: Scope, depth: number): Term {
  if (depth <= 0) return leaf(scope);
  const below = depth - 1;
  switch (
    pick(scope, [
      'leaf',
      'unary',
      'binary',
      'binary',
      'if',
      'element',
      'reduce',
      'reduce',
      'let',
      'clamp',
      'normalise',
    ] as const)
  ) {
    case 'leaf':
      return leaf(scope);
    case 'unary':
      return b.call(pick(scope, scope.functions.unary), numberTerm(scope, below));
    case 'binary':
      return b.call(pick(scope, scope.functions.binary), numberTerm(scope, below), numberTerm(scope, below));
    case 'clamp':
      return b.call('clamp', numberTerm(scope, below), b.integer(-2), b.integer(5));
    case 'if':
      return b.choose(booleanTerm(scope, below), numberTerm(scope, below), numberTerm(scope, below), REAL);
    case 'element':
      return b.element(vectorTerm(scope, below), [indexTerm(scope)]);
    case 'reduce':
      return reduction(scope, below);
    case 'let':
      return letTerm(scope, below);
    case 'normalise':
      return normalised(scope, below);
  }
}

/** One element of a vector over the sum of all: what the compiler stores in a row. */
function normalised(scope: Scope, depth: number): Term {
  const vector = vectorTerm(scope, depth);
  const id = name(scope, 'i');
  const all = b.reduce(
    pick(scope, ['sum', 'max', 'min'] as const),
    [{ name: id, from: b.integer(0), to: b.variable('n', INTEGER) }],
    b.element(vector, [b.variable(id, INTEGER)]),
  );
  return b.call('divide', b.element(vector, [indexTerm(scope)]), all);
}

function reduction(scope: Scope, depth: number): Term {
  const operator = pick(scope, ['sum', 'sum', 'max', 'min', 'product', 'argmax', 'argmin', 'count'] as const);
  const ids = scope.draw(fc.boolean) ? [name(scope, 'i')] : [name(scope, 'i'), name(scope, 'j')];
  let inner = scope;
  const binders = ids.map((id) => {
    const made = binder(inner, id);
    inner = { ...inner, indices: [...inner.indices, id] };
    return made;
  });
  const body = operator === 'count' ? booleanTerm(inner, depth) : numberTerm(inner, depth);
  return b.reduce(operator, binders, body, scope.draw(fc.boolean) ? null : booleanTerm(inner, depth - 1));
}

function letTerm(scope: Scope, depth: number): Term {
  const id = name(scope, 'v');
  if (scope.draw(fc.boolean)) {
    const value = numberTerm(scope, depth);
    const scalars = [...scope.scalars, b.variable(id, value.type)];
    return b.letIn(id, value, numberTerm({ ...scope, scalars }, depth));
  }
  const value = vectorTerm(scope, depth);
  return b.letIn(id, value, numberTerm({ ...scope, vectors: [...scope.vectors, b.variable(id, value.type)] }, depth));
}

/** A vector of n numbers. */
export function vectorTerm(scope: Scope, depth: number): Term {
  const kind = depth <= 0 ? 'variable' : pick(scope, ['variable', 'tabulate', 'tabulate', 'if'] as const);
  if (kind === 'variable') return pick(scope, [input('x'), input('w'), ...scope.vectors]);
  if (kind === 'if')
    return b.choose(booleanTerm(scope, depth - 1), vectorTerm(scope, depth - 1), vectorTerm(scope, depth - 1));
  const id = name(scope, 'i');
  const body = numberTerm({ ...scope, indices: [...scope.indices, id] }, depth - 1);
  return b.tabulate([{ name: id, from: b.integer(0), to: b.variable('n', INTEGER) }], body, REAL);
}

const questions = ['question', 'near'] as const;

export function booleanTerm(scope: Scope, depth: number): Term {
  if (depth <= 0)
    return pick(scope, [
      b.variable('p', BOOLEAN),
      b.call('less', leaf(scope), leaf(scope)),
      b.call('equal', leaf(scope), leaf(scope)),
    ]);
  const below = depth - 1;
  switch (
    pick(scope, [
      'compare',
      'compare',
      'logic',
      'not',
      'each',
      ...(scope.functions.questions ? questions : []),
    ] as const)
  ) {
    case 'compare':
      return b.call(
        pick(scope, ['less', 'less-equal', 'greater', 'greater-equal', 'equal', 'not-equal'] as const),
        numberTerm(scope, below),
        numberTerm(scope, below),
      );
    case 'logic':
      return b.call(
        pick(scope, ['and', 'or', 'implies', 'iff', 'xor'] as const),
        booleanTerm(scope, below),
        booleanTerm(scope, below),
      );
    case 'not':
      return b.call('not', booleanTerm(scope, below));
    case 'question':
      return b.call(pick(scope, ['is-finite', 'is-nan'] as const), numberTerm(scope, below));
    case 'near':
      return b.call('approximately', numberTerm(scope, below), numberTerm(scope, below), b.decimal('0.5'));
    case 'each': {
      const id = name(scope, 'i');
      const inner = { ...scope, indices: [...scope.indices, id] };
      return b.reduce(
        pick(scope, ['all', 'any'] as const),
        [binder(scope, id)],
        booleanTerm(inner, below),
        scope.draw(fc.boolean) ? null : booleanTerm(inner, 0),
      );
    }
  }
}

export function topScope(draw: Draw, functions: Functions = { unary, binary, questions: true }): Scope {
  return { draw, indices: [], scalars: [], vectors: [], counter: { next: 0 }, functions };
}

export interface Inputs {
  readonly sizes: readonly number[];
  readonly values: readonly (number | Float32Array | Int32Array)[];
}

const special = [0, -0, 1, -1, 0.5, 3.25, -7, 1e-30, 1e30, 88.7, Infinity, -Infinity, Number.NaN];

/** Values for the inputs; `anyFloat` mixes in numbers that are infinite, NaN, huge or tiny. */
export function drawInputs(draw: Draw, anyFloat = true): Inputs {
  const n = draw(fc.integer, { min: 1, max: 4 });
  const m = draw(fc.integer, { min: 1, max: 3 });
  const float = (): number =>
    anyFloat && draw(fc.boolean)
      ? draw(fc.constantFrom, ...special)
      : Math.fround(draw(fc.integer, { min: -4000, max: 4000 }) / 512);
  const floats = (length: number): Float32Array => Float32Array.from({ length }, float);
  const integers = Int32Array.from({ length: n }, () => draw(fc.integer, { min: -1, max: 4 }));
  return {
    sizes: [n, m],
    values: [
      floats(n),
      floats(n),
      floats(n * m),
      integers,
      float(),
      draw(fc.integer, { min: -2, max: 5 }),
      draw(fc.integer, { min: 0, max: 1 }),
    ],
  };
}

export function environmentOf({ sizes: extents, values }: Inputs): Map<string, Binding> {
  const [n = 0, m = 0] = extents;
  const environment = new Map<string, Binding>([
    ['n', n],
    ['m', m],
  ]);
  parameters.forEach(({ name: id, type }, k) => {
    const value = values[k] ?? 0;
    const shape = id === 'A' ? [n, m] : [n];
    environment.set(
      id,
      typeof value === 'number' ? (type.kind === 'boolean' ? value !== 0 : value) : { shape, data: value },
    );
  });
  return environment;
}
