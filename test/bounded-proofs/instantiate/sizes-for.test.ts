import { describe, expect, it } from 'vitest';
import type { Domain } from '../../../src/math/domain.ts';
import { leftOut, sizesFor } from '../../../src/bounded-proofs/instantiate/sizes-for.ts';
import { elaborated, goal } from '../../contract/elaborate/support.ts';

function domainOf(domain: string): Domain {
  return goal(
    elaborated({
      equations: `f:\n  formula: "f(x)_i = x_i"\n  domain: "${domain}"\n  codomain: "f(x) ∈ F32^n"`,
      obligations: '- { id: C, type: invariant, property: p, formal: "f(x)_i = x_i" }',
    }),
  ).domain;
}

describe('the sizes of a bounded proof', () => {
  it('are all sizes up to the bound, the smallest first', () => {
    const chosen = sizesFor(domainOf('x ∈ F32^n, 1 ≤ n ≤ 4096'), 16);
    expect(chosen).toMatchObject({ ok: true, value: { complete: true, scope: 'every n from 1 to 16' } });
    expect(chosen.ok && chosen.value.sizes.map(([n]) => n)).toEqual(Array.from({ length: 16 }, (_, i) => i + 1));
  });

  it('end where the domain ends', () => {
    expect(sizesFor(domainOf('x ∈ F32^n, 2 ≤ n ≤ 3'), 16)).toMatchObject({
      value: { sizes: [[2], [3]], complete: true },
    });
  });

  it('satisfy what the domain demands of sizes', () => {
    const chosen = sizesFor(domainOf('x ∈ F32^n, 1 ≤ n ≤ 64, n mod 4 = 0'), 16);
    expect(chosen).toMatchObject({
      value: { sizes: [[4], [8], [12], [16]], scope: 'every n divisible by 4 from 1 to 16' },
    });
  });

  it('are some of many, and the scope says so', () => {
    const contract = domainOf('x ∈ F32^n, A ∈ F32^{m×n}, 1 ≤ n ≤ 512, 1 ≤ m ≤ 512');
    const chosen = sizesFor(
      {
        ...contract,
        sizes: ['n', 'm'].map((name) => ({ name, minimum: 1, maximum: 512, multipleOf: 1, definition: null })),
      },
      32,
    );
    expect(chosen.ok && chosen.value.complete).toBe(false);
    expect(chosen.ok && chosen.value.scope).toMatch(/^\d+ of the sizes with n, m ≤ 32$/);
    expect(chosen.ok && chosen.value.sizes).toContainEqual([32, 32]);
    expect(chosen.ok && chosen.value.sizes).toContainEqual([1, 1]);
  });

  it('do not exist if the smallest exceeds the bound', () => {
    expect(sizesFor(domainOf('x ∈ F32^n, 8 ≤ n ≤ 64'), 4)).toEqual({
      ok: false,
      error: 'n is at least 8, which is more than the bound 4',
    });
  });

  it('do not exist if a limit names a size that the claim lacks or does not choose', () => {
    expect(sizesFor(domainOf('x ∈ F32^n, 1 ≤ n ≤ 64'), 4, { q: 3 })).toEqual({
      ok: false,
      error: 'the harness limits q, which is not a size of the claim: those to choose are n',
    });
    expect(sizesFor(domainOf('x ∈ F32^n, w ∈ F32^h, 1 ≤ n ≤ 8, h = 2·n'), 4, { h: 3 })).toEqual({
      ok: false,
      error: 'the harness limits h, which is computed from others: those to choose are n',
    });
  });
});

describe('sizes with a list of values', () => {
  const one = domainOf('x ∈ F32^n, 1 ≤ n ≤ 64');
  const of = (
    ...sizes: readonly (readonly [name: string, minimum: number, maximum: number, multipleOf?: number])[]
  ): Domain => ({
    ...one,
    sizes: sizes.map(([name, minimum, maximum, multipleOf = 1]) => ({
      name,
      minimum,
      maximum,
      multipleOf,
      definition: null,
    })),
  });
  const chosen = (domain: Domain, bound: number, limits: Parameters<typeof sizesFor>[2] = {}) => {
    const found = sizesFor(domain, bound, limits);
    return found.ok ? found.value : found.error;
  };

  it.each([
    ['are those of the list', of(['n', 1, 64]), 4, { n: [2, 16] }, { sizes: [[2], [16]], scope: 'n ∈ {2, 16}' }],
    ['are one', of(['n', 1, 64]), 4, { n: [16] }, { sizes: [[16]], scope: 'n = 16' }],
    [
      'lie in the domain',
      of(['n', 2, 8, 2]),
      4,
      { n: [1, 2, 3, 8, 10] },
      { sizes: [[2], [8]], scope: 'n ∈ {1, 2, 3, 8, 10}' },
    ],
    [
      'go with all of the others',
      of(['n', 1, 64], ['m', 1, 3]),
      4,
      { n: [7] },
      {
        sizes: [
          [7, 1],
          [7, 2],
          [7, 3],
        ],
        scope: 'n = 7, m ≤ 3',
      },
    ],
    ['may be none', of(['n', 4, 64]), 4, { n: [1, 2] }, 'none of the values listed for n is in the domain'],
    ['do not matter to a claim without sizes', of(), 4, {}, { sizes: [[]], scope: 'the claim has no sizes' }],
  ] as const)('%s', (_, domain, bound, limits, expected) => {
    const found = chosen(domain, bound, limits);
    if (typeof expected === 'string') expect(found).toBe(expected);
    else expect(found).toEqual({ ...expected, complete: true });
  });

  it('say how far each goes where they differ', () => {
    expect(chosen(of(['n', 1, 2], ['m', 1, 3]), 4)).toEqual({
      sizes: [
        [1, 1],
        [1, 2],
        [1, 3],
        [2, 1],
        [2, 2],
        [2, 3],
      ],
      complete: true,
      scope: 'all 6 sizes with n ≤ 2, m ≤ 3',
    });
    expect(chosen(of(['n', 1, 2], ['m', 1, 2]), 4)).toMatchObject({ scope: 'all 4 sizes with n, m ≤ 2' });
    expect(chosen(of(['n', 3, 64, 5]), 12)).toMatchObject({ sizes: [[5], [10]] });
  });

  it('of too many to try all are the ends of each, and six between them, with the others at an end', () => {
    const found = chosen(of(['n', 1, 100], ['m', 1, 100]), 100);
    if (typeof found === 'string') throw new Error(found);
    expect(found.complete).toBe(false);
    expect(found.scope).toBe('28 of the sizes with n, m ≤ 100');
    const ns = [...new Set(found.sizes.map(([n]) => n))].toSorted((a, b) => (a ?? 0) - (b ?? 0));
    expect(ns).toEqual([1, 15, 29, 43, 58, 72, 86, 100]);
    expect(found.sizes).toContainEqual([15, 1]);
    expect(found.sizes).toContainEqual([100, 86]);
    expect(found.sizes).not.toContainEqual([15, 15]);
    expect(found.sizes[0]).toEqual([1, 1]);
    expect(found.sizes.at(-1)).toEqual([100, 100]);
    const products = found.sizes.map(([n = 0, m = 0]) => n * m);
    expect(products).toEqual(products.toSorted((a, b) => a - b));
    const listed = chosen(of(['n', 1, 100], ['m', 1, 100], ['k', 1, 9]), 100, { k: [1, 9] });
    expect(listed).toMatchObject({
      complete: false,
      scope: expect.stringMatching(/^\d+ of the sizes with n ≤ 100, m ≤ 100, k ∈ \{1, 9\}$/),
    });
  });

  it('of up to 512 are all of them', () => {
    expect(chosen(of(['n', 1, 16], ['m', 1, 32]), 64)).toMatchObject({ complete: true });
    expect(chosen(of(['n', 1, 19], ['m', 1, 27]), 64)).toMatchObject({ complete: false });
  });

  it('that others are computed from fit them', () => {
    const computed = domainOf('x ∈ F32^n, w ∈ F32^h, 1 ≤ n ≤ 8, h = 2·n');
    expect(chosen(computed, 3)).toMatchObject({
      sizes: [
        [1, 2],
        [2, 4],
        [3, 6],
      ],
    });
    const narrow = {
      ...computed,
      sizes: computed.sizes.map((size) => (size.name === 'h' ? { ...size, maximum: 4 } : size)),
    };
    expect(chosen(narrow, 3)).toMatchObject({
      sizes: [
        [1, 2],
        [2, 4],
      ],
    });
    const none = {
      ...computed,
      sizes: computed.sizes.map((size) => (size.name === 'h' ? { ...size, maximum: 1 } : size)),
    };
    expect(chosen(none, 3)).toBe('no sizes up to 3 are in the domain');
  });

  it('name the limit without a size, if there are no sizes to choose', () => {
    expect(chosen(of(), 4, { n: 3 })).toBe('the harness limits n, which is not a size of the claim: it has none');
  });
});

describe('what a harness leaves out', () => {
  const one = domainOf('x ∈ F32^n, 1 ≤ n ≤ 64');
  const of = (...sizes: readonly (readonly [name: string, minimum: number, maximum: number])[]): Domain => ({
    ...one,
    sizes: sizes.map(([name, minimum, maximum]) => ({ name, minimum, maximum, multipleOf: 1, definition: null })),
  });
  const matrix = of(['n', 1, 512], ['m', 1, 512]);

  it.each([
    ['a value below the largest of a list', 16, { n: [1, 2, 16] }, 'n = 3 is left out'],
    ['the least value of a list', 8, { m: [4] }, 'm = 1 is left out'],
    ['every size but 1', 1, {}, 'no size reaches 2'],
    ['every size but 1, size by size', 16, { n: 1, m: 1 }, 'no size reaches 2'],
    ['every size but 1, as lists', 16, { n: [1], m: [1] }, 'no size reaches 2'],
  ])('%s', (_, bound, limits, why) => {
    expect(leftOut(matrix, bound, limits)).toBe(why);
  });

  it.each([
    ['sizes to 2', matrix, 2, {}],
    ['one size to 16, the other 1, which the scope says', matrix, 16, { m: 1 }],
    ['a list of every value', matrix, 1, { n: [1, 2, 3] }],
    ['the only size that there is', of(['n', 1, 1]), 1, {}],
    ['a size that never changes', of(['n', 4, 4]), 4, {}],
    ['no sizes', of(), 1, {}],
  ])('is nothing of %s', (_, domain, bound, limits) => {
    expect(leftOut(domain, bound, limits)).toBeNull();
  });
});
