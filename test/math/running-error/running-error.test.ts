/**
 * E(term) against float32: evaluating operation by operation stays within u·E of the exact value, times the number of
 * additions in a row where there are sums; and E is not idle.
 *
 * Holds src/math/running-error/running-error.ts, src/math/derivative/slopes.ts, src/math/term/zero.ts.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateTerm, interpret, type Binding } from '../../../src/math/evaluate/interpret.ts';
import { float32 } from '../../../src/math/evaluate/floats.ts';
import { runningError } from '../../../src/math/running-error/running-error.ts';
import { freshNames } from '../../../src/math/term/symbols.ts';
import type { Term } from '../../../src/math/term/term.ts';
import { termSize } from '../../../src/math/term/traverse.ts';
import { model } from '../../contract/elaborate/support.ts';

const u = 2 ** -24;
/** Room for the terms of second order. */
const slack = 1.0001;

function errorTerm(term: Term): Term {
  return runningError(term, { fresh: freshNames([]), errorOf: () => null });
}

function list(value: ReturnType<typeof evaluateTerm>): readonly number[] {
  return typeof value === 'object' ? value.data.map(Number) : [Number(value)];
}

/** Exact value, float32 value and bound at each element. */
function measure(
  term: Term,
  env: ReadonlyMap<string, Binding>,
): readonly { exact: number; rounded: number; bound: number }[] {
  const single = interpret(term, env, float32);
  if (!single.ok) throw new Error(single.error);
  const rounded = list(single.value);
  const bound = list(evaluateTerm(errorTerm(term), env));
  return list(evaluateTerm(term, env)).map((exact, i) => ({
    exact,
    rounded: rounded[i] ?? NaN,
    bound: bound[i] ?? NaN,
  }));
}

const float = fc
  .float({ noNaN: true, noDefaultInfinity: true, min: Math.fround(0.01), max: 10 })
  .map((x) => Math.fround(x));
const vector = fc.array(
  fc.tuple(float, fc.boolean()).map(([x, negative]) => (negative ? -x : x)),
  { minLength: 1, maxLength: 12 },
);

describe('the running error bounds float32', () => {
  it.each([
    ['f(x) = Σ_i x_i', 'x ∈ F32^n'],
    ['f(x) = Σ_i x_i·x_i', 'x ∈ F32^n'],
    ['f(x)_i = exp(x_i - max(x)) / Σ_j exp(x_j - max(x))', 'x ∈ F32^n'],
    ['f(x)_i = x_i / √(Σ_j x_j² / n + 0.1)', 'x ∈ F32^n'],
    ['f(x)_i = (x_i + 0.1)·(x_i - 0.3)·(x_i + 7)', 'x ∈ F32^n'],
    ['f(x) = log(Σ_i exp(x_i))', 'x ∈ F32^n'],
    ['f(x)_i = 0.5·x_i·(1 + tanh(0.797·(x_i + 0.044715·x_i^3)))', 'x ∈ F32^n'],
    ['f(x)_i = x_i·σ(x_i)', 'x ∈ F32^n'],
    ['f(x)_i = sin(x_i)·cos(x_i) + erf(x_i/2)', 'x ∈ F32^n'],
    ['f(x) = ‖x‖', 'x ∈ F32^n'],
    ['f(x)_i = { x_i·1.1 if x_i > 0; x_i/3 otherwise }', 'x ∈ F32^n'],
    ['f(x) = max_i (x_i·x_i)', 'x ∈ F32^n'],
    ['f(x) = a·a + b where a = Σ_i x_i, b = mean(x)', 'x ∈ F32^n'],
    ['f(x)_i = |x_i|^1.5', 'x ∈ F32^n'],
    ['f(x) = ∏_i (1 + x_i/100)', 'x ∈ F32^n'],
  ])('%s', (formula, domain) => {
    const { body } = model(formula, domain);
    fc.assert(
      fc.property(vector, (x) => {
        for (const { exact, rounded, bound } of measure(
          body,
          new Map<string, Binding>([
            ['n', x.length],
            ['x', { shape: [x.length], data: x }],
          ]),
        )) {
          expect(Math.abs(rounded - exact)).toBeLessThanOrEqual(
            u * bound * slack * (/[Σ‖]|mean/.test(formula) ? x.length : 1) + 1e-44,
          );
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('the rules', () => {
  const E = (formula: string, values: Readonly<Record<string, number>>): number =>
    Number(evaluateTerm(errorTerm(model(`f = ${formula}`, 'a, b, c ∈ F32').body), new Map(Object.entries(values))));
  const at = { a: 3, b: -5, c: 2 };
  it.each([
    ['a', 0],
    ['a + b', 2],
    ['a - b', 8],
    ['a·b', 15],
    ['a·b + c', 15 + 13],
    ['a / c', 1.5],
    ['√a', Math.sqrt(3)],
    ['√(a + b + 4)', (0.5 / Math.sqrt(2)) * (2 + 2) + Math.sqrt(2)],
    ['|a·b|', 15],
    ['-(a·b)', 15],
    ['max(a·b, a + b)', 15],
    ['⌊a·b⌋', 0],
    ['0.5·a', 1.5],
    ['0.1·a', 0.3 + 0.3],
    ['a²', 9],
  ])('E(%s) = %d', (formula, expected) => expect(E(formula, at)).toBeCloseTo(expected, 12));

  it('gives a dot product 2·Σ|a||b|', () => {
    const { body } = model('f(x, y) = x·y', 'x, y ∈ F32^n');
    const env = new Map<string, Binding>([
      ['n', 3],
      ['x', { shape: [3], data: [1, -2, 3] }],
      ['y', { shape: [3], data: [4, 5, -6] }],
    ]);
    expect(evaluateTerm(errorTerm(body), env)).toBe(2 * (4 + 10 + 18));
  });
});

it('is linear in the size of the term', () => {
  const chain = (length: number): Term =>
    model(`f = ${'('.repeat(length)}a${')·b + c'.repeat(length)}`, 'a, b, c ∈ F32').body;
  const growth = (length: number): number => termSize(errorTerm(chain(length))) / termSize(chain(length));
  expect(growth(60)).toBeLessThan(1.5 * growth(15));
});

it('is not zero where something is rounded, so that no tolerance is idle', () => {
  const { body } = model('f(x)_i = exp(x_i - max(x)) / Σ_j exp(x_j - max(x))', 'x ∈ F32^n');
  for (const { bound, exact } of measure(
    body,
    new Map<string, Binding>([
      ['n', 2],
      ['x', { shape: [2], data: [1, 2] }],
    ]),
  )) {
    expect(bound).toBeGreaterThan(exact);
    expect(bound).toBeLessThan(40 * exact);
  }
});
