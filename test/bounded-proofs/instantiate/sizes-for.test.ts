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

  it('are none where the smallest exceeds the bound', () => {
    expect(sizesFor(domainOf('x ∈ F32^n, 8 ≤ n ≤ 64'), 4)).toEqual({
      ok: false,
      error: 'n is at least 8, which is more than the bound 4',
    });
  });

  it('are none where a limit is of a size that the claim does not have, or does not choose', () => {
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
