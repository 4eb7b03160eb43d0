/**
 * Holds src/math/functions/arithmetic.ts, src/math/functions/comparison.ts, src/math/functions/elementary.ts,
 * src/math/functions/exact-arithmetic.ts, src/math/functions/exact-elementary.ts, src/math/functions/logic.ts.
 */
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactOf } from '../../../src/math/functions/exact-comparison.ts';
import { functionNames, functionTable, type FunctionName } from '../../../src/math/functions.ts';
import { mathematics } from '../../../src/math/compile/support.ts';
import { loadEquation } from '../../../src/math/compile/load.ts';
import { float32, float64 } from '../../../src/math/evaluate/floats.ts';
import { interpret } from '../../../src/math/evaluate/interpret.ts';
import { interpretExact } from '../../../src/math/evaluate/exact.ts';
import { ulp64 } from '../../../src/numeric/float.ts';
import { BOOLEAN, REAL, STRING, type ScalarType, type Term } from '../../../src/math/term/term.ts';

const D = Decimal.clone({ precision: 40 });
const letters = ['a', 'b', 'c'] as const;

test('every name has a row and every row a name', () => {
  expect(Object.keys(functionTable).sort()).toEqual([...functionNames].sort());
});

describe.each([...functionNames])('%s', (fn: FunctionName) => {
  const row = functionTable[fn];

  test('says how it is printed and what no back end knows yet', () => {
    for (const notation of [row.text, row.latex]) {
      expect(['infix', 'prefix', 'postfix', 'call', 'around', 'command']).toContain(notation.style);
      if (notation.style === 'infix') expect(row.arguments).toHaveLength(2);
    }
    expect(row.text.style).not.toBe('command');
    expect(row.smt).toBe('none yet');
    expect(row.interval).toBe('none yet');
  });

  test('is written in JavaScript with each argument and only what the module gives', () => {
    const text = row.javascript('a', 'b', 'c');
    for (const letter of letters.slice(0, row.arguments.length)) expect(text).toMatch(new RegExp(`\\b${letter}\\b`));
    for (const [, name] of text.matchAll(/\bm\.(\w+)/g)) expect(Object.keys(mathematics)).toContain(name);
  });
});

const numericNames = functionNames.filter(
  (fn) =>
    functionTable[fn].kind === 'numeric' ||
    functionTable[fn].kind === 'predicate' ||
    functionTable[fn].kind === 'equality',
);
const special = [Number.NaN, Infinity, -Infinity, 0, -0, 1, -1, 2, 2.5, -2.5, 0.5, -0.5, 3, 7, 2 ** -10, 700];

function termOf(fn: FunctionName, types: readonly ScalarType[]): Term {
  const row = functionTable[fn];
  const type = row.kind === 'numeric' || row.kind === 'length' ? REAL : row.kind === 'concat' ? STRING : BOOLEAN;
  const operands = letters
    .slice(0, row.arguments.length)
    .map((name, k): Term => ({ kind: 'variable', name, type: types[k] ?? REAL, origin: null }));
  return { kind: 'call', fn, arguments: operands, type, origin: null };
}

const shown = (value: unknown): string => (value instanceof Decimal ? value.toString() : JSON.stringify(value));

function tuples(arity: number): number[][] {
  return arity === 0 ? [[]] : tuples(arity - 1).flatMap((rest) => special.map((value) => [...rest, value]));
}

/** The largest error of the float64 meaning, in its units in the last place, that a row may show. */
const allowedUlps: Partial<Record<FunctionName, number>> = {
  power: 4,
  tan: 2,
  tanh: 4,
  sinh: 4,
  cosh: 4,
  erf: 2,
  sigmoid: 4,
  softplus: 4,
  log2: 2,
  log10: 2,
  modulo: 2,
  factorial: 4,
  'reciprocal-sqrt': 2,
};

describe.each(numericNames)('%s means the same in every arithmetic', (fn: FunctionName) => {
  const row = functionTable[fn];
  const term = termOf(fn, []);
  const names = letters.slice(0, row.arguments.length);
  const environment = (values: readonly number[]): Map<string, number> =>
    new Map(names.map((name, k) => [name, values[k] ?? 0]));

  test('compiled as interpreted, at special values', async () => {
    const parameters = names.map((name) => ({ name, type: REAL }));
    for (const [name, arithmetic] of [
      ['float64', float64],
      ['float32', float32],
    ] as const) {
      const equation = await loadEquation({ name: fn, sizes: [], parameters, body: term }, { arithmetic: name });
      for (const values of tuples(names.length)) {
        const interpreted = interpret(term, environment(values), arithmetic);
        expect(interpreted.ok && Number(interpreted.value), `${name} ${fn}(${values.join(', ')})`).toEqual(
          equation([], values)[0],
        );
      }
    }
  });

  test('exact as float64, at special values', () => {
    for (const values of tuples(names.length)) {
      const float = interpret(term, environment(values), float64);
      const exact = interpretExact(term, environment(values), 40);
      if (!float.ok || !exact.ok) throw new Error('small terms are evaluated');
      const label = `${fn}(${values.join(', ')}): float64 ${shown(float.value)}, exact ${shown(exact.value)}`;
      if (!(exact.value instanceof Decimal)) expect(exact.value, label).toBe(float.value);
      else expect(agree(Number(float.value), exact.value, allowedUlps[fn] ?? 1), label).toBe(true);
    }
  });

  test('exact as float64, at random values', () => {
    const value = fc.oneof(
      fc.double({ min: -20, max: 20, noNaN: true }),
      fc.integer({ min: -20, max: 20 }),
      fc.double({ min: 1e-12, max: 1e-3 }),
    );
    fc.assert(
      fc.property(fc.tuple(value, value, value), (values) => {
        const float = interpret(term, environment(values), float64);
        const exact = interpretExact(term, environment(values), 40);
        if (!float.ok || !exact.ok) throw new Error('small terms are evaluated');
        if (exact.value instanceof Decimal)
          expect(
            agree(Number(float.value), exact.value, allowedUlps[fn] ?? 1),
            `${shown(float.value)} against ${shown(exact.value)}`,
          ).toBe(true);
      }),
      { numRuns: 60, seed: 11 },
    );
  });
});

function agree(float: number, exact: Decimal, ulps: number): boolean {
  const nearest = exact.toNumber();
  if (!Number.isFinite(nearest) || !Number.isFinite(float)) return Object.is(nearest, float);
  return exactOf(D, float)
    .minus(exact)
    .abs()
    .lessThanOrEqualTo(exactOf(D, ulp64(nearest)).times(ulps));
}

test('logic and strings', async () => {
  const truth = [0, 1];
  for (const fn of ['and', 'or', 'implies', 'iff', 'xor', 'not'] as const) {
    const term = termOf(fn, [BOOLEAN, BOOLEAN]);
    const parameters = letters.slice(0, functionTable[fn].arguments.length).map((name) => ({ name, type: BOOLEAN }));
    const equation = await loadEquation({ name: fn, sizes: [], parameters, body: term }, { arithmetic: 'float64' });
    for (const a of truth) {
      for (const b of truth) {
        const interpreted = interpret(
          term,
          new Map([
            ['a', a === 1],
            ['b', b === 1],
          ]),
          float64,
        );
        expect(interpreted.ok && Number(interpreted.value), `${fn} ${a} ${b}`).toBe(equation([], [a, b])[0]);
      }
    }
  }
  const length = {
    ...termOf('string-length', [STRING]),
    arguments: [termOf('string-concat', [STRING, STRING])],
  } as Term;
  const equation = await loadEquation(
    {
      name: 'length',
      sizes: [],
      parameters: [
        { name: 'a', type: STRING },
        { name: 'b', type: STRING },
      ],
      body: length,
    },
    { arithmetic: 'float32' },
  );
  expect([...equation([], ['ab`${', '"\\\u2028'])]).toEqual([8]);
  const same = interpret(
    length,
    new Map([
      ['a', 'ab`${'],
      ['b', '"\\\u2028'],
    ]),
    float64,
  );
  expect(same.ok && same.value).toBe(8);
});
