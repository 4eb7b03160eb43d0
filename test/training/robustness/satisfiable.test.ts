/** The exact simplex method: systems around a known solution, and systems with a proof that they have none. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addRational, fraction, multiplyRational, ZERO, type Rational } from '../../../src/numeric/rational.ts';
import { closedRange } from '../../../src/training/robustness/input-range.ts';
import type { LinearConstraint } from '../../../src/training/robustness/property.ts';
import { isSatisfiable } from '../../../src/training/robustness/satisfiable.ts';

interface Row {
  readonly inputs: readonly Rational[];
  readonly outputs: readonly Rational[];
}

const rational = fc
  .tuple(fc.integer({ min: -6, max: 6 }), fc.integer({ min: 1, max: 4 }))
  .map(([n, d]) => fraction(BigInt(n), BigInt(d)));
const row = fc.record({
  inputs: fc.tuple(rational, rational),
  outputs: fc.tuple(rational, rational, rational),
}) satisfies fc.Arbitrary<Row>;

const constraint = ({ inputs, outputs }: Row, bound: Rational, isStrict: boolean): LinearConstraint => {
  const terms = (values: readonly Rational[]) =>
    values.flatMap((value, i) => (value.numerator === 0n ? [] : [[i, value] as const]));
  return {
    inputs: null,
    outputs: null,
    bound: NaN,
    isStrict,
    exact: { inputs: terms(inputs), outputs: terms(outputs), bound },
  };
};

const box = [closedRange(-10, 10), closedRange(-10, 10)];
const dot = (a: readonly Rational[], b: readonly Rational[]): Rational =>
  a.reduce((sum, value, i) => addRational(sum, multiplyRational(value, b[i] ?? ZERO)), ZERO);
const decided = (constraints: readonly LinearConstraint[]): boolean | null =>
  isSatisfiable(box, constraints, { left: 1e6 });

describe('a system of linear constraints', () => {
  it('is satisfiable if all were made to hold at one point', () => {
    const slack = fc.tuple(fc.integer({ min: 0, max: 2 }), fc.boolean());
    fc.assert(
      fc.property(
        fc.tuple(rational, rational),
        fc.tuple(rational, rational, rational),
        fc.array(fc.tuple(row, slack), { maxLength: 12 }),
        (x, y, rows) => {
          const constraints = rows.map(([one, [room, isStrict]]) => {
            const value = addRational(dot(one.inputs, x), dot(one.outputs, y));
            return constraint(one, addRational(value, fraction(BigInt(room))), isStrict && room > 0);
          });
          expect(decided(constraints)).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is not if a sum of constraints with factors says 0 < 0', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(row, rational, fc.integer({ min: 1, max: 5 })), { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        (rows, isStrict) => {
          // The last constraint is the opposite of what the others add up to.
          const added = (values: (one: Row) => readonly Rational[], size: number) =>
            Array.from({ length: size }, (_, i) =>
              rows.reduce(
                (sum, [one, , factor]) =>
                  addRational(sum, multiplyRational(fraction(BigInt(-factor)), values(one)[i] ?? ZERO)),
                ZERO,
              ),
            );
          const opposite = { inputs: added(({ inputs }) => inputs, 2), outputs: added(({ outputs }) => outputs, 3) };
          const bound = rows.reduce(
            (sum, [, one, factor]) => addRational(sum, multiplyRational(fraction(BigInt(-factor)), one)),
            ZERO,
          );
          const below = isStrict ? bound : addRational(bound, fraction(-1n, 1000000n));
          const constraints = rows.map(([one, limit]) => constraint(one, limit, false));
          expect(decided([...constraints, constraint(opposite, below, isStrict)])).toBe(false);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('heeds the box, and whether its ends belong to it', () => {
    const one = fraction(1n);
    const sum = { inputs: [fraction(-1n), fraction(-1n)], outputs: [] };
    const range = closedRange(0, 1);
    const open = { lo: range.lo, hi: { value: one, isOpen: true } };
    const atLeast2 = [constraint(sum, fraction(-2n), false)];
    expect(isSatisfiable([range, range], atLeast2, { left: 1000 })).toBe(true);
    expect(isSatisfiable([range, open], atLeast2, { left: 1000 })).toBe(false);
    expect(isSatisfiable([range, range], [constraint(sum, fraction(-2n), true)], { left: 1000 })).toBe(false);
  });

  it('is left undecided when the effort is spent', () => {
    const orders = Array.from({ length: 40 }, (_, j) =>
      constraint(
        {
          inputs: [],
          outputs: Array.from({ length: 40 }, (_k, k) => fraction(k === j ? 1n : k === (j + 1) % 40 ? -1n : 0n)),
        },
        ZERO,
        true,
      ),
    );
    expect(isSatisfiable([], orders, { left: 1e6 })).toBe(false);
    expect(isSatisfiable([], orders, { left: 300 })).toBe(null);
  });
});
