import { describe, expect, it } from 'vitest';
import { call, integer, variable } from '../../../src/math/term/build.ts';
import type { Domain, SizeVariable } from '../../../src/math/domain.ts';
import { INTEGER, type Term } from '../../../src/math/term/term.ts';
import { neverEqual, withEqualShapes } from '../../../src/methods/adequacy/equal-sizes.ts';
import { createGenerator } from '../../../src/runtime/generate/generator.ts';

const size = (
  name: string,
  minimum: number,
  maximum: number,
  multipleOf = 1,
  definition: Term | null = null,
): SizeVariable => ({
  name,
  minimum,
  maximum,
  multipleOf,
  definition,
});
const domainOf = (...sizes: readonly SizeVariable[]): Domain => ({ sizes, variables: [], preconditions: [] });
const [n, m, k] = ['n', 'm', 'k'].map((name) => variable(name, INTEGER)) as [Term, Term, Term];

/** Sizes of 40 blocks of cases. */
function drawn(domain: Domain | null): readonly (readonly number[])[] {
  const generator = domain && createGenerator(domain, 1, 'test');
  if (!generator?.ok) throw new Error('the domain has no cases');
  return Array.from({ length: 40 }, (_, block) => generator.value.sizesAt(64 * block));
}

describe('sizes are tied', () => {
  it('to each other, within the bounds of both', () => {
    const sizes = drawn(withEqualShapes(domainOf(size('n', 1, 40, 2), size('m', 10, 100, 3)), [m], [n]));
    expect(sizes.every(([a, b]) => a === b)).toBe(true);
    expect(new Set(sizes.map(([a]) => a)).size).toBeGreaterThan(3);
    expect(sizes.every(([a = 0]) => a >= 10 && a <= 40 && a % 6 === 0)).toBe(true);
  });

  it('along every axis, and to numbers', () => {
    const sizes = drawn(
      withEqualShapes(domainOf(size('n', 1, 40), size('m', 1, 40), size('k', 1, 40)), [n, m], [m, k]),
    );
    expect(sizes.every(([a, b, c]) => a === b && b === c)).toBe(true);
    expect(drawn(withEqualShapes(domainOf(size('n', 1, 40)), [n], [integer(7)])).flat()).toEqual(Array(40).fill(7));
  });

  it('to a size that others are computed from', () => {
    const double = size('k', 1, 80, 1, call('multiply', integer(2), n));
    const sizes = drawn(withEqualShapes(domainOf(size('n', 1, 40), size('m', 1, 40), double), [n], [m]));
    expect(sizes.every(([a = 0, b, c]) => a === b && c === 2 * a)).toBe(true);
  });
});

describe('a tied size', () => {
  const tied = (first: SizeVariable, second: SizeVariable): unknown =>
    withEqualShapes(domainOf(first, second), [n], [m])?.sizes ?? null;

  it('has the values that both may have, and the later one follows the earlier', () => {
    const expected = [size('n', 10, 40), size('m', 10, 50, 1, n)];
    expect(tied(size('n', 1, 40), size('m', 10, 50))).toEqual(expected);
    expect(withEqualShapes(domainOf(size('n', 1, 40), size('m', 10, 50)), [m], [n])?.sizes).toEqual(expected);
    expect(tied(size('n', 1, 40), size('m', 40, 50))).toEqual([size('n', 40, 40), size('m', 40, 50, 1, n)]);
    expect(tied(size('n', 1, 39), size('m', 40, 50))).toBeNull();
  });

  it('is a multiple of both', () => {
    expect(tied(size('n', 1, 12, 4), size('m', 1, 90, 6))).toEqual([size('n', 1, 12, 12), size('m', 1, 90, 6, n)]);
    expect(tied(size('n', 1, 11, 4), size('m', 1, 90, 6))).toBeNull();
    expect(tied(size('n', 13, 23, 12), size('m', 1, 90))).toBeNull();
  });

  it('to a number is that number, where it may be', () => {
    const pinned = (value: number, multipleOf = 1): unknown =>
      withEqualShapes(domainOf(size('n', 2, 40, multipleOf)), [integer(value)], [n])?.sizes ?? null;
    expect(pinned(2)).toEqual([size('n', 2, 2)]);
    expect(pinned(40, 8)).toEqual([size('n', 40, 40, 8)]);
    expect([pinned(1), pinned(41), pinned(12, 8)]).toEqual([null, null, null]);
  });

  it('leaves the others as they were', () => {
    const third = size('k', 1, 3);
    expect(withEqualShapes(domainOf(size('n', 1, 4), size('m', 1, 4), third), [n], [m])?.sizes[2]).toBe(third);
  });
});

describe('sizes are left alone', () => {
  const domain = domainOf(size('n', 1, 40), size('m', 50, 60), size('k', 1, 80, 1, call('multiply', integer(2), n)));

  it('where the shapes are equal anyway', () => {
    expect(withEqualShapes(domain, [n, k], [n, k])).toBe(domain);
  });

  it.each([
    ['bounds that do not meet', [n], [m]],
    ['ranks that differ', [n], [n, n]],
    ['a size that is computed', [m], [k]],
    ['a number out of bounds', [n], [integer(41)]],
    ['terms', [call('add', n, integer(1))], [m]],
  ] as const)('for %s', (_, a, b) => {
    expect(withEqualShapes(domain, a, b)).toBeNull();
  });
});

describe('shapes that no size makes equal', () => {
  it('differ in numbers, or in the number of their axes', () => {
    expect(neverEqual([integer(12)], [integer(128)])).toBe(true);
    expect(neverEqual([n, integer(2)], [n, integer(3)])).toBe(true);
    expect(neverEqual([n], [n, m])).toBe(true);
  });

  it('are not those of which a size may be any number', () => {
    expect(neverEqual([n], [integer(128)])).toBe(false);
    expect(neverEqual([n, integer(2)], [m, integer(2)])).toBe(false);
  });
});
