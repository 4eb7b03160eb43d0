/**
 * Bounds charged to a tolerance (`charging.ts`, `tolerance.ts`): sizes as the tolerance has them, and one number for what it holds.
 *
 * Holds src/bounded-proofs/engines/rounding/tolerance.ts.
 */
import { describe, expect, it } from 'vitest';
import { effortUpTo } from '../../../../src/bounded-proofs/engines/algebra/effort.ts';
import { boxOf, createRanges } from '../../../../src/bounded-proofs/engines/interval/ranges.ts';
import type { Bound } from '../../../../src/bounded-proofs/engines/rounding/bound.ts';
import { charging } from '../../../../src/bounded-proofs/engines/rounding/charging.ts';
import { Graph } from '../../../../src/bounded-proofs/expression.ts';
import { number, print, problemIn } from '../../notation.ts';
import { boundText } from './form-text.ts';

/** Coefficients by what they are of. */
type Given = Readonly<Record<string, number>>;

/** a to d are in [0, 4], e is in [−10, 10]. */
function chargedTo(allowed: string) {
  const graph = new Graph();
  const over = { a: [0, 4], b: [0, 4], c: [0, 4], d: [0, 4] } as const;
  const posed = problemIn(graph, 'a + b + c + d + e = 0', { over });
  const ranges = createRanges(boxOf(posed), []);
  const made = charging({ graph, ranges, allowed: number(graph, allowed), effort: effortUpTo(100_000) });
  return {
    ...made,
    at: (text: string) => number(graph, text),
    bound: (given: Given): Bound => new Map(Object.entries(given).map(([text, share]) => [number(graph, text), share])),
  };
}

describe('the size of', () => {
  it.each<readonly [text: string, allowed: string, bound: string, covered: boolean, more: boolean]>([
    ['a', 'a + b', '1 · a', true, false],
    ['a + b', 'a + b', '1 · a + b', true, false],
    ['a + b', 'a', '1 · a + 1 · b', false, false],
    ['a + b', 'c', '1 · a + 1 · b', false, false],
    ['a · (b + c)', 'a · b + a · c', '1 · a · b + 1 · a · c', true, false],
    ['a · (b + c)', 'a · (b + c)', '1 · a · b + 1 · a · c', true, false],
    ['a · b', 'a · (b + c)', '1 · a · b', true, false],
    ['a · c', 'a · (b + (c + d))', '1 · a · c', true, false],
    [
      '(a + b) · (c + d)',
      'a · c + a · d + b · c + b · d',
      '1 · a · c + 1 · a · d + 1 · b · c + 1 · b · d',
      true,
      false,
    ],
    ['(a + b) · (c + d)', 'e', '1 · a · c + 1 · a · d + 1 · b · c + 1 · b · d', false, false],
    ['2 · a', 'a + b', '2 · a', false, false],
    ['3', 'a + 3', '3', true, false],
    ['0 · a', 'a', '0', true, true],
    ['|e|', '|e| + a', '1 · |e|', true, false],
    ['e', '|e| + a', '1 · |e|', true, false],
    ['a − b', 'a + b', '1 · a + 1 · b', true, false],
    ['max(a, b)', 'max(a, b)', '1 · max(a, b)', true, false],
    ['max(a, b)', 'a + b', '1 · max(a, b)', false, false],
    ['a · max(b, c)', 'a · max(b, c)', '1 · a · max(b, c)', true, false],
    ['a / b', '(a + c) / b', '1 · a / b', true, false],
    ['(a + c) / b', 'a / b + c / b', '1 · a / b + 1 · c / b', true, false],
    ['a · a', 'a · a + b', '1 · a · a', true, false],
    ['a · b · c', 'a · b · (c + d)', '1 · a · b · c', true, false],
    ['a + b + c + d', 'a + b + c + d', '1 · a + b + c + d', true, false],
    ['a + b + c', 'a + b + c + d', '1 · a + b + c', true, false],
    ['a · (b + c)', '(a + d) · (b + c)', '1 · a · b + 1 · a · c', false, false],
    ['(a + b) · c', '(a + b + d) · c', '1 · a · c + 1 · b · c', true, false],
  ])('%s, charged to %s, is %s', (text, allowed, bound, covered, more) => {
    const { bounds, at, covers } = chargedTo(allowed);
    expect(boundText(bounds.size(at(text), 1))).toBe(bound);
    expect(covers(bounds.size(at(text), 1))).toBe(covered);
    expect(covers(bounds.size(at(text), 1.5))).toBe(more);
  });
});

describe('a bound that is settled', () => {
  it.each<readonly [given: Given, allowed: string, bound: string, covered: boolean]>([
    [{ a: 1, b: 2 }, 'a + b', '2 · a + b', false],
    [{ a: 1, b: 2 }, 'a', '1 · a + 2 · b', false],
    [{ a: 1, b: 2, c: 1 }, 'a + b + c', '2 · a + b + c', false],
    [{ a: 1, b: 2 }, 'a + b + c', '2 · a + b', false],
    [{ '1': 0.5, a: 1, b: 2 }, 'a + b', '0.5 + 2 · a + b', false],
    [{ '1': 0.5, a: 1 }, 'a + b', '0.5 + 1 · a', false],
    [{ a: 1e-40, b: 2, c: 1 }, 'b + c', '2 · b + c + 4e-40', false],
    [{ 'a + b': 1, c: 2 }, 'a + b + c', '2 · a + b + c', false],
    [{ 'a · b': 1, 'a · c': 2 }, 'a · (b + c)', '1 · a · b + 2 · a · c', false],
    [{ a: 1 }, 'a + b', '1 · a', true],
    [{ a: 1, b: 1 }, '2 · a + b', '1 · 2 · a + b', true],
    [{ a: 1, b: 1, c: 1 }, 'max(a, b) + c', '2 · max(a, b) + c', false],
  ])('of %o, charged to %s, is %s', (given, allowed, bound, covered) => {
    const made = chargedTo(allowed);
    expect(boundText(made.bounds.settle(made.bound(given)))).toBe(bound);
    expect(made.covers(made.bound(given))).toBe(covered);
  });
});

describe('at least both', () => {
  it.each<readonly [one: Given, other: Given, allowed: string, bound: string]>([
    [{ a: 1 }, { b: 2 }, 'max(a, b)', '2 · max(a, b)'],
    [{ a: 1 }, { b: 2 }, 'a + b', '2 · a + b'],
    [{ a: 1 }, { a: 2 }, 'a + b', '2 · a'],
    [{ a: 1, b: 1 }, { b: 2 }, 'a + b', '1 · a + 2 · b'],
    [{ '1': 3, a: 1 }, { '1': 4, b: 2 }, 'max(a, b)', '2 · max(a, b) + 4'],
    [{}, { b: 2 }, 'a + b', '2 · b'],
    [{ b: 1 }, {}, 'a', '1 · b'],
    [{ '1': 2 }, { '1': 3 }, 'a', '3'],
    [{ a: 1 }, { b: 1 }, 'max(a + c, b + c)', '1 · max(a + c, b + c)'],
  ])('of %o and %o, charged to %s, is %s', (one, other, allowed, expected) => {
    const { bounds, bound } = chargedTo(allowed);
    expect(boundText(bounds.larger(bound(one), bound(other)))).toBe(expected);
  });
});

describe('products and quotients', () => {
  const times = { a: 1, '1': 2 };

  it('multiply each term', () => {
    const { bounds, bound, at } = chargedTo('a · b + b');
    expect(boundText(bounds.times(bound(times), at('b')))).toBe('1 · a · b + 2 · b');
    const sized = chargedTo('a · |e|');
    expect(boundText(sized.bounds.timesSize(sized.bound({ a: 1 }), sized.at('e')))).toBe('1 · a · |e|');
  });

  it('of two bounds multiply each with each', () => {
    const { bounds, bound } = chargedTo('a · b + a + b + 1');
    expect(boundText(bounds.product(bound({ a: 1, '1': 3 }), bound({ b: 2, '1': 5 })))).toBe(
      '15 + 2 · a · b + 5 · a + 6 · b',
    );
  });

  it('divide each term, and a number by the least divisor', () => {
    const { bounds, bound, at } = chargedTo('a / b');
    expect(boundText(bounds.over(bound({ a: 1, '1': 3 }), at('b'), 0.5))).toBe('1 · a / b + 6');
    expect(boundText(bounds.over(bound({ '1': 3 }), at('b'), 0))).toBe('3 · 1 / b');
  });
});

it('sums are looked at from outside', () => {
  const { sumsIn, bound } = chargedTo('a');
  expect([...sumsIn(bound({ '(a + b) · c': 1, 'max(a, b)': 2, a: 1 }))].map(print)).toEqual(['a + b', 'max(a, b)']);
});
