import { describe, expect, it } from 'vitest';
import { candidatesNear, numberNear } from '../../../../src/bounded-proofs/engines/smt/candidates.ts';
import { Graph } from '../../../../src/bounded-proofs/expression.ts';
import type { ProofVariable } from '../../../../src/bounded-proofs/problem.ts';
import { present } from '../../../../src/base/invariant.ts';
import { fraction, fromFloat, type Rational } from '../../../../src/numeric/rational.ts';
import { variables } from '../../graphs.ts';

const graph = new Graph();
function variable(name: string, low: number, high: number, format: ProofVariable['format'] = 'f32'): ProofVariable {
  return present(variables([graph.variable(name)], low, high, format)[0], 'one variable');
}
const near = (of: ProofVariable, value: Rational) => ([-1, 0, 1] as const).map((steps) => numberNear(of, value, steps));
const third = fraction(1n, 3n);

describe('numbers of the format near a value, and their neighbours', () => {
  it.each([
    ['f32', [0.3333333134651184, 0.3333333432674408, 0.3333333730697632]],
    ['f16', [0.33301, 0.33325, 0.3335]],
    ['f64', [0.33333333333333326, 0.3333333333333333, 0.33333333333333337]],
    ['real', [0.33333333333333326, 0.3333333333333333, 0.33333333333333337]],
    ['integer', [-1, 0, 1]],
  ] as const)('%s', (format, expected) => {
    const found = near(variable('a', -5, 5, format), third);
    found.forEach((value, i) => expect(value).toBeCloseTo(expected[i] ?? Number.NaN, format === 'f16' ? 4 : 17));
  });

  it('of a whole number: the one below', () => {
    expect(near(variable('n', -5, 5, 'integer'), fraction(5n, 2n))).toEqual([1, 2, 3]);
    expect(near(variable('n', -5, 5, 'integer'), fraction(-5n, 2n))).toEqual([-4, -3, -2]);
  });

  it('never outside the domain', () => {
    expect(near(variable('a', 1, 2), fraction(5n))).toEqual([1.9999998807907104, 2, 2]);
    expect(near(variable('a', 1, 2), fraction(-5n))).toEqual([1, 1, 1.0000001192092896]);
    expect(near(variable('n', 1, 3, 'integer'), fraction(3n))).toEqual([2, 3, 3]);
    expect(near({ ...variable('a', 1, 2), low: null }, fraction(-5n))[1]).toBe(-5);
    expect(near({ ...variable('a', 1, 2), high: null }, fraction(5n))[1]).toBe(5);
  });

  it('are finite, however large the value', () => {
    const unbounded = { ...variable('a', 0, 1, 'f64'), low: null, high: null };
    expect(numberNear(unbounded, fromFloat(Number.MAX_VALUE), 1)).toBe(Number.MAX_VALUE);
    expect(numberNear(unbounded, fromFloat(-Number.MAX_VALUE), -1)).toBe(-Number.MAX_VALUE);
  });

  it('of choices: the nearest', () => {
    const chosen = { ...variable('a', 0, 9), choices: [fraction(1n), fraction(4n), fraction(9n)] };
    expect(near(chosen, fraction(5n))).toEqual([4, 4, 4]);
    expect(near(chosen, fraction(7n))).toEqual([9, 9, 9]);
    expect(near(chosen, fraction(-7n))).toEqual([1, 1, 1]);
  });
});

describe('inputs to try', () => {
  const [a, b] = [variable('a', 2, 4, 'integer'), variable('b', -3, 9, 'integer')];

  it('where all are known: near them, and a step down and up', () => {
    const values = new Map([
      ['a', fraction(3n)],
      ['b', fraction(5n)],
    ]);
    expect(candidatesNear([a, b], values).map((each) => [...each.values()])).toEqual([
      [3, 5],
      [2, 4],
      [4, 6],
    ]);
  });

  it('where one is open: nearest to zero, and also at its ends', () => {
    expect(candidatesNear([a, b], new Map([['b', fraction(5n)]])).map((each) => [...each.values()])).toEqual([
      [2, 5],
      [2, 4],
      [3, 6],
      [2, 5],
      [4, 5],
    ]);
    const unbounded = { ...a, low: null, high: null };
    expect(candidatesNear([unbounded], new Map()).map((each) => [...each.values()])).toEqual([
      [0],
      [-1],
      [1],
      [0],
      [0],
    ]);
  });
});
