/**
 * Holds src/math/compile/scalar.ts, src/math/evaluate/exact.ts, src/math/evaluate/floats.ts,
 * src/math/evaluate/limits.ts, src/math/evaluate/machine.ts, src/math/evaluate/reduce.ts.
 */
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as b from '../../../src/math/term/build.ts';
import { compileScalar } from '../../../src/math/compile/scalar.ts';
import { decimalArithmetic, evaluateExact, interpretExact } from '../../../src/math/evaluate/exact.ts';
import { float32, float64 } from '../../../src/math/evaluate/floats.ts';
import { evaluateTerm, interpret } from '../../../src/math/evaluate/interpret.ts';
import { termProblem } from '../../../src/math/evaluate/limits.ts';
import {
  BOOLEAN,
  FLOAT32,
  INTEGER,
  REAL,
  type IndexBinder,
  type ReduceOperator,
  type Term,
} from '../../../src/math/term/term.ts';
import { index, over, softmax, x } from '../equations.ts';

const vector = (...data: number[]): Map<string, number | { shape: number[]; data: number[] }> =>
  new Map<string, number | { shape: number[]; data: number[] }>([
    ['n', data.length],
    ['x', { shape: [data.length], data }],
  ]);
const each = (operator: ReduceOperator, body: Term = b.element(x, [index('i')]), condition: Term | null = null): Term =>
  b.reduce(operator, [over('i')], body, condition);
const positive = b.call('greater', b.element(x, [index('i')]), b.integer(0));

const digitsOf = (value: unknown): string => (value instanceof Decimal ? value.toString() : 'no number');

describe('reductions', () => {
  test('of nothing', () => {
    const value = (operator: ReduceOperator): unknown =>
      evaluateTerm(
        each(operator, operator === 'all' || operator === 'any' || operator === 'count' ? positive : undefined),
        vector(),
      );
    expect(
      ['sum', 'product', 'max', 'min', 'all', 'any', 'count', 'argmax', 'argmin'].map((operator) =>
        value(operator as ReduceOperator),
      ),
    ).toEqual([0, 1, -Infinity, Infinity, true, false, 0, Number.NaN, Number.NaN]);
  });

  test('take the lowest index of ties, the first NaN before any number', () => {
    expect([
      evaluateTerm(each('argmax'), vector(1, 3, 3)),
      evaluateTerm(each('argmin'), vector(2, 1, 1)),
      evaluateTerm(each('argmax'), vector(-Infinity, -Infinity)),
    ]).toEqual([1, 1, 0]);
    expect([
      evaluateTerm(each('argmax'), vector(1, Number.NaN, 9, Number.NaN)),
      evaluateTerm(each('max'), vector(1, Number.NaN, 9)),
    ]).toEqual([1, Number.NaN]);
  });

  test('over several indices count row-major positions', () => {
    const body = b.call(
      'subtract',
      b.integer(0),
      b.call(
        'absolute',
        b.call('subtract', b.call('add', b.call('multiply', b.integer(3), index('i')), index('j')), b.integer(4)),
      ),
    );
    expect(evaluateTerm(b.reduce('argmax', [over('i', b.integer(2)), over('j', b.integer(3))], body), new Map())).toBe(
      4,
    );
  });

  test('keep to their condition', () => {
    expect(evaluateTerm(each('sum', undefined, positive), vector(-5, 2, 3))).toBe(5);
    expect(evaluateTerm(each('argmax', b.call('negate', b.element(x, [index('i')])), positive), vector(-5, 2, 3))).toBe(
      1,
    );
    expect(evaluateTerm(each('count', positive), vector(-5, 2, 3))).toBe(2);
  });

  test('have ranges that depend on outer indices', () => {
    const triangle = b.reduce('sum', [over('i', b.integer(4)), over('j', index('i'))], b.integer(1));
    expect(evaluateTerm(triangle, new Map())).toBe(6);
  });
});

describe('elements', () => {
  test('outside the tensor are NaN, in every axis', () => {
    const A = b.variable('A', { kind: 'tensor', element: FLOAT32, shape: [b.integer(2), b.integer(2)] });
    const at = (i: number, j: number): unknown =>
      evaluateTerm(b.element(A, [b.integer(i), b.integer(j)]), new Map([['A', { shape: [2, 2], data: [1, 2, 3, 4] }]]));
    expect([at(1, 1), at(0, 2), at(-1, 1), at(2, 0)]).toEqual([4, Number.NaN, Number.NaN, Number.NaN]);
  });

  test('outside a tensor of truth values are false', () => {
    const flags = b.tabulate([over('i')], positive, BOOLEAN);
    expect(evaluateTerm(b.element(flags, [b.integer(9)]), vector(1))).toBe(false);
  });
});

test('names end with the let or loop that binds them', () => {
  const y = b.variable('y', REAL);
  const term = b.call('add', b.letIn('y', b.call('add', y, b.integer(1)), b.call('multiply', y, b.integer(10))), y);
  expect(evaluateTerm(term, new Map([['y', 2]]))).toBe(32);
});

test('float32 rounds each operation, integers stay exact', () => {
  const tenth = b.decimal('0.1');
  const value = (term: Term): unknown => {
    const result = interpret(term, new Map([['k', 16777217]]), float32);
    return result.ok && result.value;
  };
  expect(value(b.call('add', tenth, tenth))).toBe(Math.fround(Math.fround(0.1) * 2));
  expect(value(b.call('multiply', b.variable('k', INTEGER), b.integer(3)))).toBe(50331651);
  expect(value(b.call('multiply', b.variable('k', REAL), b.integer(3)))).toBe(Math.fround(50331651));
});

describe('exact evaluation', () => {
  test('takes inputs digit for digit', () => {
    expect(digitsOf(evaluateExact(b.variable('c', REAL), new Map([['c', 0.1]]), 60))).toBe(
      '0.1000000000000000055511151231257827021181583404541015625',
    );
    expect(digitsOf(evaluateExact(b.decimal('0.1'), new Map(), 60))).toBe('0.1');
  });

  test('of softmax sums to one within its digits', () => {
    for (const digits of [20, 50, 100]) {
      const total = b.reduce('sum', [over('i')], b.element(softmax.body, [index('i')]));
      const sum = evaluateExact(total, vector(1, 2, 88.5, -3), digits);
      expect(
        sum instanceof Decimal &&
          sum
            .minus(1)
            .abs()
            .lessThan(new Decimal(10).toPower(-digits + 2)),
      ).toBe(true);
    }
  });

  test('keeps the digits that cancel', () => {
    const small = evaluateExact(b.call('expm1', b.decimal('1e-30')), new Map(), 30);
    expect(digitsOf(small)).toMatch(/^1\.0000000000000000000000000000005e-30$|^1e-30$/);
    expect(digitsOf(evaluateExact(b.call('log1p', b.decimal('1e-200')), new Map(), 30))).toBe('1e-200');
    const sine = evaluateExact(b.call('sin', b.decimal('1e40')), new Map(), 20);
    expect(sine instanceof Decimal && sine.toFixed(12)).toBe('-0.569633400954');
  });

  test('rounds to float32 once', () => {
    // Just above the midpoint of 1 and its successor by less than float64 can tell: rounding twice would give 1.
    const text = '1.000000059604644775390625';
    const above = b.call('round32', b.call('add', b.decimal(text), b.decimal('1e-40')));
    expect(Number(evaluateExact(above, new Map(), 60))).toBe(1 + 2 ** -23);
    expect(Number(evaluateExact(b.call('round32', b.decimal(text)), new Map(), 60))).toBe(1);
  });

  test('stops at angles and factorials that it cannot evaluate in reasonable time', () => {
    expect(interpretExact(b.call('sin', b.decimal('1e1000')), new Map(), 20)).toMatchObject({ ok: false });
    expect(interpretExact(b.call('factorial', b.integer(10001)), new Map(), 20)).toMatchObject({ ok: false });
    expect(decimalArithmetic(20).name).toBe('decimal20');
  });

  test('of composed smooth functions is what float64 says, nearly', () => {
    const smooth = fc.letrec<{ term: Term }>((tie) => ({
      term: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        fc.constantFrom(b.variable('c', REAL), b.decimal('0.3'), b.decimal('-1.7')),
        fc
          .tuple(
            fc.constantFrom('sin', 'cos', 'tanh', 'sigmoid', 'erf', 'atan', 'softplus', 'round32' as const),
            tie('term'),
          )
          .map(([fn, a]) => b.call(fn === 'round32' ? 'negate' : fn, a)),
        fc
          .tuple(fc.constantFrom('add', 'subtract', 'multiply' as const), tie('term'), tie('term'))
          .map(([fn, a, c]) => b.call(fn, a, c)),
        fc
          .tuple(tie('term'), tie('term'))
          .map(([a, c]) => b.call('divide', a, b.call('add', b.integer(2), b.call('multiply', c, c)))),
        tie('term').map((a) =>
          b.reduce(
            'sum',
            [{ name: 'q', from: b.integer(0), to: b.integer(3) } satisfies IndexBinder],
            b.call('divide', a, b.call('add', b.variable('q', INTEGER), b.integer(1))),
          ),
        ),
      ),
    })).term;
    fc.assert(
      fc.property(smooth, fc.double({ min: -2, max: 2, noNaN: true }), (term, c) => {
        const environment = new Map([['c', c]]);
        const exact = Number(evaluateExact(term, environment, 40));
        expect(Math.abs(Number(evaluateTerm(term, environment)) - exact)).toBeLessThan(1e-8 * (1 + Math.abs(exact)));
      }),
      { numRuns: 200, seed: 5 },
    );
  });
});

describe('hostile terms', () => {
  const deep = (levels: number): Term =>
    Array.from({ length: levels }).reduce<Term>((term) => b.call('exp', term), b.variable('c', REAL));

  test('that are nested too deep are refused without recursion', () => {
    expect(termProblem(deep(500))).toBeNull();
    expect(termProblem(deep(5000))).toMatch(/nested deeper/);
    expect(interpret(deep(100_000), new Map([['c', 0]]), float64)).toMatchObject({ ok: false });
    expect(() => evaluateTerm(deep(5000), new Map([['c', 0]]))).toThrow(RangeError);
  });

  test('that loop too long stop', () => {
    const endless = b.reduce('sum', [over('i', b.decimal('1000000000000'))], b.integer(1));
    expect(interpret(endless, new Map(), float64, { maxSteps: 10_000 })).toMatchObject({ ok: false });
    const infinite = b.reduce('sum', [over('i', b.variable('c', REAL))], b.integer(1));
    expect(interpret(infinite, new Map([['c', Infinity]]), float64, { maxSteps: 10_000 })).toMatchObject({ ok: false });
    expect(evaluateTerm(infinite, new Map([['c', Number.NaN]]))).toBe(0);
  });

  test('that share parts exponentially are refused', () => {
    let shared: Term = b.variable('c', REAL);
    for (let k = 0; k < 100; k++) shared = b.call('add', shared, shared);
    expect(interpret(shared, new Map([['c', 1]]), float64)).toMatchObject({
      ok: false,
      error: expect.stringContaining('written out'),
    });
  });

  test('with long chains of let are not deep', () => {
    const chain = Array.from({ length: 20_000 }, (_, k) => `v${k}`).reduceRight<Term>(
      (rest, name) => b.letIn(name, b.integer(1), rest),
      b.variable('v7', INTEGER),
    );
    expect(evaluateTerm(chain, new Map())).toBe(1);
  });
});

describe('compileScalar', () => {
  const lookup = (name: string): number => ({ n: 6, m: 4 })[name] ?? Number.NaN;

  test('is what the interpreter says', () => {
    const n = b.variable('n', INTEGER);
    const m = b.variable('m', INTEGER);
    const terms = [
      b.call('floor-divide', n, m),
      b.call('multiply', n, b.call('add', m, b.integer(1))),
      b.choose(b.call('less', n, m), n, m),
      b.call('less', m, n),
      b.reduce('sum', [over('i', n)], index('i')),
      b.letIn('k', n, b.call('multiply', b.variable('k', INTEGER), m)),
      b.decimal('-1e4'),
    ];
    for (const term of terms)
      expect(compileScalar(term)(lookup)).toBe(
        Number(
          evaluateTerm(
            term,
            new Map([
              ['n', 6],
              ['m', 4],
            ]),
          ),
        ),
      );
  });

  test('refuses what is too deep', () => {
    expect(() =>
      compileScalar(Array.from({ length: 5000 }).reduce<Term>((term) => b.call('exp', term), b.variable('n', REAL))),
    ).toThrow(RangeError);
  });
});
