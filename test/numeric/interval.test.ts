/** Holds src/numeric/interval-elementary.ts. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextUp64, ulp64 } from '../../src/numeric/float.ts';
import {
  addIntervals,
  divideIntervals,
  enclose,
  intersect,
  multiplyIntervals,
  point,
  powerInterval,
  round32Interval,
  sqrtInterval,
  squareInterval,
  subtractIntervals,
  WHOLE,
  type Interval,
} from '../../src/numeric/interval.ts';
import { functionInterval, functionUlps, generalPower } from '../../src/numeric/interval-elementary.ts';
import {
  addRational,
  compareRational,
  divideRational,
  fraction,
  fromFloat,
  multiplyRational,
  subtractRational,
  type Rational,
} from '../../src/numeric/rational.ts';
import { argumentsFor, decimalOf, exactValue, measuredFunctions, measureFunction } from './function-errors.ts';

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const small = fc.double({ noNaN: true, min: -100, max: 100 });
/** Products of these do not underflow. */
const normal = small.filter((value) => value === 0 || Math.abs(value) > 1e-100);
const any = fc.oneof(finite, small, fc.integer({ min: -5, max: 5 }));
const interval = fc.tuple(any, any).map(([a, b]): Interval => ({ low: Math.min(a, b), high: Math.max(a, b) }));
/** An interval and a number in it. */
const member = fc.tuple(interval, fc.double({ min: 0, max: 1, noNaN: true })).map(([x, t]) => {
  const inside = x.low * (1 - t) + x.high * t;
  return { x, value: inside >= x.low && inside <= x.high ? inside : x.low };
});

function encloses({ low, high }: Interval, value: Rational): boolean {
  return (
    (low === -Infinity || (low !== Infinity && compareRational(fromFloat(low), value) <= 0)) &&
    (high === Infinity || (high !== -Infinity && compareRational(fromFloat(high), value) >= 0))
  );
}

describe('arithmetic encloses every exact result', () => {
  const operations = [
    ['+', addIntervals, addRational],
    ['−', subtractIntervals, subtractRational],
    ['×', multiplyIntervals, multiplyRational],
    ['÷', divideIntervals, divideRational],
  ] as const;
  test.each(operations)('%s', (name, over, exact) => {
    fc.assert(
      fc.property(member, member, (a, b) => {
        if (name === '÷' && b.value === 0) return;
        expect(encloses(over(a.x, b.x), exact(fromFloat(a.value), fromFloat(b.value)))).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });

  test('squares, roots and powers', () => {
    fc.assert(
      fc.property(member, fc.integer({ min: 0, max: 9 }), (a, k) => {
        const value = fromFloat(a.value);
        expect(encloses(squareInterval(a.x), multiplyRational(value, value))).toBe(true);
        expect(squareInterval(a.x).low).toBeGreaterThanOrEqual(0);
        let power = fraction(1n);
        for (let i = 0; i < k; i++) power = multiplyRational(power, value);
        expect(encloses(powerInterval(a.x, k), power)).toBe(true);
        if (a.value >= 0) {
          const root = sqrtInterval(a.x);
          expect(compareRational(square(root.low), value)).toBeLessThanOrEqual(0);
          expect(compareRational(square(root.high), value)).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

function square(value: number): Rational {
  return multiplyRational(fromFloat(value), fromFloat(value));
}

test('one float64 each way at most, and none where the result is exact', () => {
  fc.assert(
    fc.property(normal, normal, (a, b) => {
      const sum = addIntervals(point(a), point(b));
      expect(sum.high === sum.low || sum.high === nextUp64(sum.low)).toBe(true);
      const product = multiplyIntervals(point(a), point(b));
      expect(product.high === product.low || product.high === nextUp64(product.low)).toBe(true);
    }),
    { numRuns: 3000 },
  );
  expect(addIntervals({ low: 0, high: 1 }, { low: 0, high: 1 })).toEqual({ low: 0, high: 2 });
  expect(multiplyIntervals({ low: 0, high: 0 }, WHOLE)).toEqual(point(0));
  expect(divideIntervals(point(1), point(4))).toEqual(point(0.25));
  expect(sqrtInterval(point(9))).toEqual(point(3));
});

test('signs survive underflow', () => {
  const tiny = { low: 2 ** -1000, high: 1 };
  expect(multiplyIntervals(tiny, tiny).low).toBe(0);
  expect(divideIntervals(tiny, { low: 1, high: 2 ** 900 }).low).toBe(0);
});

test('divisors around zero bound nothing', () => {
  expect(divideIntervals(point(1), { low: -1, high: 1 })).toEqual(WHOLE);
  expect(divideIntervals(point(1), { low: 0, high: 1 })).toEqual({ low: 1, high: Infinity });
  expect(divideIntervals({ low: -2, high: 1 }, { low: 0, high: 1 })).toEqual(WHOLE);
  expect(divideIntervals(point(0), point(0))).toEqual(WHOLE);
});

test('results beyond the range keep a finite end', () => {
  const huge = point(1e300);
  expect(multiplyIntervals(huge, huge)).toEqual({ low: Number.MAX_VALUE, high: Infinity });
  expect(addIntervals(point(Number.MAX_VALUE), point(Number.MAX_VALUE)).low).toBe(Number.MAX_VALUE);
  expect(enclose(fraction(10n ** 400n))).toEqual({ low: Number.MAX_VALUE, high: Infinity });
});

test('a rational number lies in its enclosure, which is as narrow as can be', () => {
  expect(enclose(fraction(1n, 4n))).toEqual(point(0.25));
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 90n), max: 2n ** 90n }), fc.bigInt({ min: 1n, max: 2n ** 90n }), (a, b) => {
      const around = enclose(fraction(a, b));
      expect(encloses(around, fraction(a, b))).toBe(true);
      expect(around.high === around.low || around.high === nextUp64(around.low)).toBe(true);
    }),
  );
});

test('rounding to float32 maps intervals exactly', () => {
  expect(round32Interval({ low: 0.1, high: 1e39 })).toEqual({ low: Math.fround(0.1), high: Infinity });
  expect(round32Interval({ low: 1e39, high: 1e40 }).low).toBe(3.4028234663852886e38);
});

test('disjoint intervals meet nowhere', () => {
  expect(intersect(point(1), point(2))).toBeNull();
  expect(intersect({ low: 0, high: 2 }, { low: 1, high: 3 })).toEqual({ low: 1, high: 2 });
});

describe('elementary functions', () => {
  test.each(measuredFunctions)('%s errs by at most half of what the table allows', (fn) => {
    expect(measureFunction(fn, 300, 7).worst).toBeLessThanOrEqual(functionUlps[fn] / 2);
  });

  test.each(measuredFunctions)('%s encloses the exact values of all numbers of an interval', (fn) => {
    let previous: readonly [number, number] | null = null;
    for (const [x, y] of argumentsFor(fn, 200, 11)) {
      const value = exactValue(fn, x, y);
      if (fn === 'pow') {
        const result = generalPower(point(x), point(y));
        if (Number.isFinite(result.high)) expect(value.lte(decimalOf(result.high))).toBe(true);
        expect(value.gte(decimalOf(result.low))).toBe(true);
        continue;
      }
      const around = { low: Math.min(x, previous?.[0] ?? x), high: Math.max(x, previous?.[0] ?? x) };
      for (const range of [point(x), around, { low: x, high: x + Math.abs(x) * 1e-3 }, { low: x - 2, high: x }]) {
        const result = functionInterval(fn, range);
        if (Number.isFinite(result.high)) expect(value.lte(decimalOf(result.high))).toBe(true);
        if (Number.isFinite(result.low)) expect(value.gte(decimalOf(result.low))).toBe(true);
      }
      previous = [x, y];
    }
  });

  test('exact results stay exact, and no result leaves the range of its function', () => {
    expect(functionInterval('exp', { low: -Infinity, high: 0 })).toEqual({ low: 0, high: 1 });
    expect(functionInterval('log', point(1))).toEqual(point(0));
    expect(functionInterval('tanh', WHOLE)).toEqual({ low: -1, high: 1 });
    expect(functionInterval('cosh', { low: -1, high: 1 }).low).toBe(1);
    expect(functionInterval('sin', { low: 1, high: 2 }).high).toBe(1);
    expect(functionInterval('cos', { low: 3, high: 4 }).low).toBe(-1);
    expect(functionInterval('tan', { low: 1, high: 2 })).toEqual(WHOLE);
    expect(functionInterval('sin', { low: 1e300, high: 1e300 })).toEqual({ low: -1, high: 1 });
    expect(functionInterval('log', { low: -1, high: 1 })).toEqual({ low: -Infinity, high: 0 });
    expect(functionInterval('exp', point(1000)).low).toBeGreaterThan(1e308);
  });

  test('the constants that V8 is known to miss by two units are inside', () => {
    const x = 0.6765946426169823;
    const { low, high } = functionInterval('tanh', point(x));
    expect(high - low).toBeGreaterThanOrEqual(4 * ulp64(Math.tanh(x)));
  });
});
