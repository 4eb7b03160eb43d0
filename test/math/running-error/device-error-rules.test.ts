/**
 * The bound of WGSL's envelope against the worst that it lets a device do: each operation errs by as much as it may, up or
 * down as a stream of coins says, and whatever is subnormal becomes 0.
 *
 * Holds src/math/running-error/device-error-rules.ts, src/math/running-error/error-rules.ts.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deviceErrors } from '../../../src/math/running-error/device-error-rules.ts';
import type { Arithmetic } from '../../../src/math/evaluate/arithmetic.ts';
import { float64 } from '../../../src/math/evaluate/floats.ts';
import { evaluateTerm, interpret, type Binding } from '../../../src/math/evaluate/interpret.ts';
import { functionTable, type FunctionName } from '../../../src/math/functions.ts';
import type { NumericRow } from '../../../src/math/functions/row.ts';
import { runningError } from '../../../src/math/running-error/running-error.ts';
import { freshNames } from '../../../src/math/term/symbols.ts';
import type { Term } from '../../../src/math/term/term.ts';
import { model } from '../../contract/elaborate/support.ts';

const u = 2 ** -24;

function boundTerm(term: Term): { readonly bound: Term; readonly unbounded: ReadonlySet<string> } {
  const unbounded = new Set<string>();
  const rules = deviceErrors((operation) => unbounded.add(operation));
  return { bound: runningError(term, { fresh: freshNames([]), errorOf: () => null, rules }), unbounded };
}

const names = new Map<NumericRow, FunctionName>(
  Object.entries(functionTable).flatMap(([name, row]) => (row.kind === 'numeric' ? [[row, name as FunctionName]] : [])),
);

/** What WGSL allows beside the exact value, as an absolute error: written again, from the specification. */
function allowed(fn: FunctionName | undefined, value: number, [x = 0, y = 0]: readonly number[]): number {
  const ulp = 2 ** (Math.floor(Math.log2(Math.max(Math.abs(value), 2 ** -126))) - 23);
  const logarithm = (z: number): number =>
    z >= 0.5 && z <= 2 ? 2 ** -21 : 3 * 2 ** (Math.floor(Math.log2(Math.abs(Math.log2(z)))) - 23);
  switch (fn) {
    case 'divide':
      return 2.5 * ulp;
    case 'sqrt':
      return 4.5 * ulp;
    case 'exp':
      return (3 + 2 * Math.abs(x)) * ulp;
    case 'log':
      return x >= 0.5 && x <= 2 ? 2 ** -21 : 3 * ulp;
    case 'tanh':
      return 1e-5;
    case 'power': {
      if (Number.isInteger(y)) return Math.max(0, Math.abs(y) - 1) * ulp;
      const product = y * Math.log2(x);
      return (Math.abs(y) * logarithm(x) * Math.LN2 + (3 + 2 * Math.abs(product)) * 2 ** -23) * Math.abs(value);
    }
    default:
      return ulp;
  }
}

/** A device that errs as much as it may, in the direction of the next coin. */
function adversary(coins: readonly boolean[]): Arithmetic<number> {
  let next = 0;
  const flush = (x: number): number => (Math.abs(x) < 2 ** -126 ? 0 : x);
  return {
    ...float64,
    name: 'adversary',
    constant: (text, integral) => (integral ? Number(text) : Math.fround(Number(text))),
    numeric: (row, operands, integral) => {
      const [a = NaN, b = NaN, c = NaN] = operands;
      const value = row.float64(a, b, c);
      if (integral || row.float32 === 'exact' || Math.fround(value) === value) return flush(value);
      const up = coins[next++ % coins.length] ?? true;
      return flush(value + (up ? 1 : -1) * 0.999 * allowed(names.get(row), value, operands));
    },
  };
}

const element = fc.float({ noNaN: true, noDefaultInfinity: true, min: Math.fround(0.01), max: 10 }).map(Math.fround);
const vector = fc.array(
  fc.tuple(element, fc.boolean()).map(([x, negative]) => (negative ? -x : x)),
  { minLength: 1, maxLength: 8 },
);

function list(value: ReturnType<typeof evaluateTerm>): readonly number[] {
  return typeof value === 'object' ? value.data.map(Number) : [Number(value)];
}

describe('the envelope of WGSL bounds the worst device that it permits', () => {
  it.each([
    'f(x) = Σ_i x_i·x_i',
    'f(x)_i = x_i - 0.9·x_i',
    'f(x)_i = exp(x_i - max(x)) / Σ_j exp(x_j - max(x))',
    'f(x)_i = exp(-88 + x_i)',
    'f(x)_i = x_i / √(Σ_j x_j² / n + 0.1)',
    'f(x) = log(Σ_i exp(x_i))',
    'f(x)_i = 0.5·x_i·(1 + tanh(0.797·(x_i + 0.044715·x_i^3)))',
    'f(x)_i = x_i / (1 + exp(-x_i))',
    'f(x)_i = x_i / (1 - 0.9^|x_i|)',
    'f(x)_i = 1e-30·x_i·x_i·1e-8',
  ])('%s', (formula) => {
    const { body } = model(formula, 'x ∈ F32^n');
    const { bound, unbounded } = boundTerm(body);
    expect([...unbounded]).toEqual([]);
    fc.assert(
      fc.property(vector, fc.array(fc.boolean(), { minLength: 1, maxLength: 16 }), (x, coins) => {
        const env = new Map<string, Binding>([
          ['n', x.length],
          ['x', { shape: [x.length], data: x }],
        ]);
        const onDevice = interpret(body, env, adversary(coins));
        if (!onDevice.ok) throw new Error(onDevice.error);
        const computed = list(onDevice.value);
        const bounds = list(evaluateTerm(bound, env));
        for (const [i, exact] of list(evaluateTerm(body, env)).entries()) {
          // 1 % for what is of second order.
          expect(Math.abs((computed[i] ?? NaN) - exact)).toBeLessThanOrEqual(1.01 * u * (bounds[i] ?? NaN));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('is reached: a device that errs most comes near it', () => {
    const { body } = model('f(x, y) = exp(x - y)', 'x, y ∈ F32');
    const env = new Map<string, Binding>([
      ['x', 1.1],
      ['y', 60.3],
    ]);
    const worst = interpret(body, env, adversary([true]));
    if (!worst.ok) throw new Error(worst.error);
    const error = Math.abs(Number(worst.value) - Number(evaluateTerm(body, env)));
    expect(error / (u * Number(evaluateTerm(boundTerm(body).bound, env)))).toBeGreaterThan(0.4);
  });
});

it.each([
  ['sin(a)', 'sin'],
  ['cos(a)·tan(b)', 'cos'],
  ['erf(a)', 'erf'],
])('tells that it says nothing of %s', (formula, operation) => {
  const { body } = model(`f = ${formula}`, 'a, b ∈ F32');
  expect([...boundTerm(body).unbounded]).toContain(operation);
});
