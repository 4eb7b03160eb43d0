import { describe, expect, it } from 'vitest';
import type { Domain } from '../../../src/math/domain.ts';
import { sizesFor } from '../../../src/proof/instantiate/sizes-for.ts';
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
      16,
    );
    expect(chosen.ok && chosen.value.complete).toBe(false);
    expect(chosen.ok && chosen.value.scope).toMatch(/^\d+ of the sizes with n, m ≤ 16$/);
    expect(chosen.ok && chosen.value.sizes).toContainEqual([16, 16]);
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
      error: 'the harness limits q, which is no size of the claim: those to choose are n',
    });
    expect(sizesFor(domainOf('x ∈ F32^n, w ∈ F32^h, 1 ≤ n ≤ 8, h = 2·n'), 4, { h: 3 })).toEqual({
      ok: false,
      error: 'the harness limits h, which is computed from others: those to choose are n',
    });
  });
});
