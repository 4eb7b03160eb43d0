/**
 * The law of arithmetic over the reals: no computed number is further from its real number than its error says.
 *
 * Holds src/math/evaluate/absorbed.ts, src/math/evaluate/bounded.ts, src/math/evaluate/infinite-errors.ts,
 * src/math/functions.ts, src/math/term/integral.ts.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as b from '../../../src/math/term/build.ts';
import { sizeOf } from '../../../src/math/evaluate/bounded.ts';
import { interpret } from '../../../src/math/evaluate/interpret.ts';
import { realArithmetic, type Real } from '../../../src/math/evaluate/real-arithmetic.ts';
import { functionNames, functionTable, type FunctionName } from '../../../src/math/functions.ts';
import { REAL, type Term } from '../../../src/math/term/term.ts';

const x = b.variable('x', REAL);

/** Functions left out: they jump at so many places that few terms would be left to compare. */
const stepped: ReadonlySet<FunctionName> = new Set(['factorial', 'ulp32', 'round32', 'ulp-distance']);

const ofNumbers = (arity: number): readonly FunctionName[] =>
  functionNames.filter((name) => {
    const { kind, arguments: kinds } = functionTable[name];
    return kind === 'numeric' && kinds.length === arity && kinds.every((one) => one === 'number') && !stepped.has(name);
  });
const unary = ofNumbers(1);
// Cancellation is where errors grow.
const binary = [...ofNumbers(2), 'subtract'] as const;

const term: fc.Arbitrary<Term> = fc.letrec<{ term: Term }>((tie) => ({
  term: fc.oneof(
    { maxDepth: 5, depthIdentifier: 'real' },
    fc.constantFrom<Term>(x, x, b.integer(1), b.integer(2), b.decimal('0.1'), b.decimal('1e-30'), b.decimal('1e30')),
    fc.tuple(fc.constantFrom(...unary), tie('term')).map(([fn, a]) => b.call(fn, a)),
    fc.tuple(fc.constantFrom(...binary), tie('term'), tie('term')).map(([fn, a, c]) => b.call(fn, a, c)),
  ),
})).term;

const value = fc.oneof(
  fc.constantFrom(0, 1, -1, 0.5, 3, 91, 1e-20, -1e20, 700),
  fc.double({ min: -100, max: 100, noNaN: true }),
);

function at(digits: number, of: Term, input: number): Real | null {
  let found: Real | null = null;
  const arithmetic = realArithmetic(digits);
  const kept = { ...arithmetic, equal: (a: Real): boolean => ((found = a), true) };
  try {
    interpret(b.call('equal', of, b.integer(0)), new Map([['x', input]]), kept);
  } catch (thrown) {
    // Angles and factorials that are too large to compute.
    if (!(thrown instanceof RangeError)) throw thrown;
  }
  return found;
}

describe('what is known of a real number', () => {
  it('is within its error, which more digits make smaller', () => {
    let compared = 0;
    fc.assert(
      fc.property(term, value, (of, input) => {
        const [few, many] = [at(40, of, input), at(120, of, input)];
        if (!few?.value.isFinite() || !many?.value.isFinite()) return;
        compared += 1;
        const apart = sizeOf(many.value.minus(few.value));
        const allowed = Math.max(few.error, many.error) + 0.31;
        expect(apart <= allowed || apart === -Infinity, `${apart} ≤ ${allowed}: ${JSON.stringify(of)}`).toBe(true);
        if (few.positive)
          expect(many.value.isNegative() && !many.value.isZero() && sizeOf(many.value) > many.error).toBe(false);
      }),
      { numRuns: Number(process.env['PV_RUNS'] ?? 300) },
    );
    expect(compared).toBeGreaterThan(100);
  });

  it.each([
    ['e to the power of 5e8', b.call('power', b.call('e'), x), 5e8],
    ['e to the power of 123,456,789', b.call('power', b.call('e'), x), 123_456_789],
    ['π to the power of 1e12', b.call('power', b.call('pi'), x), 1e12],
    ['a root of 2, near 1, to a power', b.call('power', b.call('sqrt', b.decimal('1.00000014')), x), 1e9],
    ['a number near 1 to an inexact power', b.call('power', b.decimal('1.00000004'), b.call('exp', x)), 28],
    ['0 to the power of 1e5', b.call('power', b.integer(0), x), 1e5],
  ])('is within its error where a size is multiplied by a large exponent: %s', (_, of, input) => {
    for (let digits = 40; digits < 60; digits++) {
      const [few, many] = [at(digits, of, input), at(200, of, input)];
      if (!few || !many) throw new Error('it was not computed');
      const apart = sizeOf(many.value.minus(few.value));
      expect(apart === -Infinity || apart <= few.error, `${apart} ≤ ${few.error} in ${digits} digits`).toBe(true);
      // Enough is left to tell numbers apart.
      if (!few.value.isZero()) expect(few.error - sizeOf(few.value), `in ${digits} digits`).toBeLessThan(-digits / 2);
    }
  });
});
