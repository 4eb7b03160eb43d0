import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Case } from '../../../src/math/compile/compiled.ts';
import type { Domain } from '../../../src/math/domain.ts';
import { floatFormats } from '../../../src/numeric/float-format.ts';
import { recordInput } from '../../../src/runtime/case-text.ts';
import { edgeCases } from '../../../src/runtime/generate/edge-cases.ts';
import { createGenerator } from '../../../src/runtime/generate/generator.ts';
import { violation } from '../../../src/runtime/generate/membership.ts';
import { closed, domain, input, size, softmaxDomain } from '../domains.ts';
import { randomDomainUpTo } from '../random-domains.ts';

function edges(given: Domain, limit = 2000): Case[] {
  const generator = createGenerator(given, 1, 'edges');
  if (!generator.ok) throw new Error(generator.error);
  return [...edgeCases(generator.value, limit)];
}

describe('edge cases', () => {
  it('hold every special value as a constant vector at the smallest and the largest size', () => {
    const all = edges(domain([size('n', 1, 100)], [input('x', ['n'])])).map(({ sizes, values }) => ({
      n: sizes[0],
      x: [...(values[0] as Float32Array)],
    }));
    const { smallestSubnormal, smallestNormal, maximum, nextUp } = floatFormats.f32;
    for (const special of [0, -0, smallestSubnormal, -smallestNormal, maximum, -maximum, nextUp(1)]) {
      for (const n of [1, 100])
        expect(all.some((edge) => edge.n === n && edge.x.every((v) => Object.is(v, special)))).toBe(true);
    }
  });

  it('vary one input at a time too', () => {
    const all = edges(
      domain([size('n', 2, 4)], [input('x', ['n']), input('c', [], { lower: closed(1), upper: closed(2) })]),
      5000,
    );
    const alone = all.filter(({ values }) => values[1] === 2 && new Set(values[0] as Float32Array).size > 1);
    expect(alone.length).toBeGreaterThan(3);
  });

  it('have exchanged axes of different length', () => {
    const all = edges(domain([size('m', 1, 64), size('n', 1, 64)], [input('A', ['m', 'n'])]));
    expect(all.some(({ sizes: [m = 0, n = 0] }) => m < n && m > 1)).toBe(true);
  });

  it('see all sizes within a small limit', () => {
    const sizes = new Set(edges(softmaxDomain, 40).map((c) => c.sizes[0]));
    for (const wanted of [1, 2, 3, 7, 8, 9, 512]) expect(sizes).toContain(wanted);
  });

  it('are inside the domain, different from each other, bounded and the same every time', () => {
    fc.assert(
      fc.property(randomDomainUpTo(50), fc.nat(300), (given, limit) => {
        const generator = createGenerator(given, 1, 'edges');
        if (!generator.ok) return;
        const all = [...edgeCases(generator.value, limit)];
        expect(all.length).toBeLessThanOrEqual(limit);
        for (const edge of all) expect(violation(generator.value.plan, edge)).toBeNull();
        const texts = all.map((edge) => JSON.stringify(recordInput(given, edge)));
        expect(new Set(texts).size).toBe(all.length);
        expect([...edgeCases(generator.value, limit)].map((edge) => JSON.stringify(recordInput(given, edge)))).toEqual(
          texts,
        );
      }),
      { numRuns: 15 },
    );
  });

  it('of a domain without inputs are one', () => {
    expect(edges(domain([], []))).toEqual([{ sizes: [], values: [] }]);
  });
});
