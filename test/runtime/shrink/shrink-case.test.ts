/**
 * Holds src/runtime/shrink/drop-slices.ts, src/runtime/shrink/fit-to-domain.ts, src/runtime/shrink/shrink-walk.ts,
 * src/runtime/shrink/simpler-texts.ts, src/runtime/shrink/simpler-values.ts.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Case } from '../../../src/math/compile/compiled.ts';
import type { Domain } from '../../../src/math/domain.ts';
import { recordInput } from '../../../src/runtime/case-text.ts';
import { createGenerator, type CaseGenerator } from '../../../src/runtime/generate/generator.ts';
import { violation } from '../../../src/runtime/generate/membership.ts';
import { shrinkCase, type Shrunk } from '../../../src/runtime/shrink/shrink-case.ts';
import { call, closed, domain, floats, input, name, numeral, open, size } from '../domains.ts';
import { randomDomainUpTo } from '../random-domains.ts';

function generatorOf(given: Domain, seed = 3): CaseGenerator {
  const generator = createGenerator(given, seed, 'shrink');
  if (!generator.ok) throw new Error(generator.error);
  return generator.value;
}

/** Shrinks the first generated case that fails. */
async function shrink(
  given: Domain,
  fails: (c: Case) => boolean,
  budget = 5000,
): Promise<Shrunk & { readonly start: Case }> {
  const generator = generatorOf(given);
  for (let index = 0; index < 20_000; index++) {
    const start = generator.at(index);
    if (start && fails(start)) return { start, ...(await shrinkCase({ plan: generator.plan, start, fails, budget })) };
  }
  throw new Error('nothing fails');
}

const array = (c: Case, index = 0): number[] => Array.from(c.values[index] as Float32Array);
const text = (given: Domain, c: Case): string =>
  Object.values(recordInput(given, c).values)
    .map((value) => value.text)
    .join(' ');

const vectors = domain([size('n', 1, 512)], [input('x', ['n'], { lower: closed(-1e4), upper: closed(1e4) })]);
const matrices = domain(
  [size('m', 1, 32), size('k', 1, 32), size('n', 1, 32)],
  [input('A', ['m', 'k']), input('B', ['k', 'n'])],
);

describe('shrinking finds', () => {
  it('one element where one is enough', async () => {
    const { smallest, shrinks } = await shrink(vectors, (c) => array(c).some((x) => x > 88.7));
    expect(array(smallest)).toEqual([89]);
    expect(shrinks).toBeGreaterThan(0);
  });

  it('the two elements that matter', async () => {
    const { smallest } = await shrink(vectors, (c) => array(c).some((x) => x >= 5) && array(c).some((x) => x <= -5));
    expect(array(smallest).toSorted((a, b) => a - b)).toEqual([-5, 5]);
  });

  it('a sum that is too large', async () => {
    const { smallest, evaluations } = await shrink(vectors, (c) => array(c).reduce((a, b) => a + b, 0) > 30_000);
    // No element is made larger, so how many are needed depends on the first failing case.
    expect(smallest.sizes[0]).toBeLessThan(16);
    expect(evaluations).toBeLessThan(1000);
  });

  it('ties, keeping them', async () => {
    const { smallest } = await shrink(
      vectors,
      (c) => new Set(array(c).filter((x) => x !== 0)).size < array(c).filter((x) => x !== 0).length,
    );
    expect(array(smallest)).toEqual([1, 1]);
  });

  it('the smallest size that fails, anywhere in the range', async () => {
    const { smallest } = await shrink(vectors, (c) => (c.sizes[0] ?? 0) >= 37);
    expect(smallest.sizes).toEqual([37]);
    expect(new Set(array(smallest))).toEqual(new Set([0]));
  });

  it('an element in the middle by dropping its neighbours', async () => {
    const { smallest } = await shrink(vectors, (c) =>
      array(c).some((x, i) => i > 0 && (array(c)[i - 1] ?? 0) > x + 3000),
    );
    expect(smallest.sizes).toEqual([2]);
  });

  it('consistent matrices: an inner size shrinks both', async () => {
    const { smallest } = await shrink(matrices, (c) => (c.sizes[1] ?? 0) >= 3 && array(c, 1).some((x) => x < -2));
    expect(smallest.sizes).toEqual([1, 3, 1]);
    expect(array(smallest)).toEqual([0, 0, 0]);
    expect(array(smallest, 1).toSorted((a, b) => a - b)).toEqual([-3, 0, 0]);
  });

  it('sizes by their multiples and derived axes by whole groups', async () => {
    const given = domain(
      [size('k', 2, 64, { multipleOf: 2 }), size('d', 2, 200, { definition: call('multiply', numeral(3), name('k')) })],
      [input('x', ['d']), input('y', ['k'])],
    );
    const { start, smallest } = await shrink(given, (c) => array(c, 1).length >= 6);
    expect(smallest.sizes).toEqual([6, 18]);
    expect(start.sizes[0]).toBeGreaterThanOrEqual(6);
  });

  it('targets that stay below a size that shrinks', async () => {
    const given = domain(
      [size('v', 1, 50)],
      [
        input('y', [], { element: { kind: 'integer' }, lower: closed(0), upper: { value: name('v'), open: true } }),
        input('z', ['v']),
      ],
    );
    const { smallest } = await shrink(given, (c) => array(c, 1).some((x) => x > 1));
    expect(text(given, smallest)).toBe('0 [2]');
  });

  it('probabilities that still sum to one', async () => {
    const given = domain(
      [size('n', 1, 40)],
      [input('p', ['n'], { structure: 'simplex', lower: closed(0), upper: closed(1) })],
    );
    const { smallest } = await shrink(given, (c) => array(c).length >= 3);
    expect(array(smallest).length).toBe(3);
    expect(array(smallest).reduce((a, b) => a + b, 0)).toBe(1);
  });

  it('rows that still sum to one and have a negative element', async () => {
    const given = domain(
      [size('n', 1, 40)],
      [input('p', ['n'], { structure: 'simplex', lower: closed(-10), upper: closed(10) })],
    );
    const { smallest } = await shrink(given, (c) => array(c).some((p) => p < 0));
    expect(array(smallest).length).toBeLessThanOrEqual(3);
    expect(Math.min(...array(smallest))).toBeLessThan(0);
    expect(array(smallest).reduce((a, b) => a + b, 0)).toBe(1);
  });

  it('readable numbers inside narrow bounds', async () => {
    const given = domain(
      [],
      [
        input('β', [], { lower: closed(0.9), upper: open(1) }),
        input('ε', [], { lower: open(0), upper: closed(1e-3) }),
        input('h', [], { element: floats('f16') }),
      ],
    );
    const { smallest } = await shrink(given, () => true);
    expect(text(given, smallest)).toBe('0.95 0.0001 0');
  });

  it('earlier choices and shorter strings', async () => {
    const given = domain(
      [],
      [
        input('a', [], { choices: [numeral(4), numeral(8), numeral(16)] }),
        input('s', [], { element: { kind: 'string' } }),
      ],
    );
    const { smallest } = await shrink(given, (c) => c.values[0] !== 4 && String(c.values[1]).length > 1);
    expect(smallest.values[0]).toBe(8);
    expect(String(smallest.values[1]).length).toBe(2);
  });

  it('NaN only where nothing finite fails', async () => {
    const given = domain([size('n', 1, 16)], [input('x', ['n'], { nonFinite: true })]);
    expect(array((await shrink(given, (c) => array(c).some(Number.isNaN))).smallest)).toEqual([NaN]);
    expect(array((await shrink(given, (c) => array(c).some((x) => !(x <= 9)))).smallest)).toEqual([10]);
  });
});

describe('shrinking', () => {
  it('keeps failing, stays inside the domain and is deterministic, whatever the domain', async () => {
    await fc.assert(
      fc.asyncProperty(
        randomDomainUpTo(8),
        fc.integer({ min: 0, max: 5000 }),
        fc.integer({ min: 0, max: 997 }),
        async (given, index, salt) => {
          const generator = createGenerator(given, 1, 'any');
          const start = generator.ok ? generator.value.at(index) : null;
          if (!generator.ok || !start) return;
          const { plan } = generator.value;
          // An arbitrary but deterministic verdict, true for the start.
          const hash = (c: Case): number =>
            [...JSON.stringify(recordInput(given, c))].reduce((h, ch) => (h * 31 + ch.charCodeAt(0)) % 1009, salt);
          const first = hash(start);
          const seen: Case[] = [];
          const fails = (c: Case): boolean => (seen.push(c), hash(c) % 3 === first % 3);
          const shrunk = await shrinkCase({ plan, start, fails, budget: 300 });
          expect(shrunk.evaluations).toBeLessThanOrEqual(300);
          expect(shrunk.smallest === start || hash(shrunk.smallest) % 3 === first % 3).toBe(true);
          for (const candidate of seen) expect(violation(plan, candidate)).toBeNull();
          expect(recordInput(given, (await shrinkCase({ plan, start, fails, budget: 300 })).smallest)).toEqual(
            recordInput(given, shrunk.smallest),
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  it('waits for asynchronous answers', async () => {
    const generator = generatorOf(vectors);
    const start = generator.at(70);
    if (!start) throw new Error('no case');
    const { smallest } = await shrinkCase({
      plan: generator.plan,
      start,
      fails: async (c) => (c.sizes[0] ?? 0) >= 3,
      budget: 5000,
    });
    expect(smallest.sizes).toEqual([3]);
  });

  it('keeps the best case when the budget ends', async () => {
    const { smallest, evaluations } = await shrink(vectors, (c) => (c.sizes[0] ?? 0) >= 100, 5);
    expect(evaluations).toBeLessThanOrEqual(5);
    expect(smallest.sizes[0]).toBeGreaterThanOrEqual(100);
  });

  it('ends by itself even when everything fails', async () => {
    const { evaluations } = await shrink(matrices, () => true, 1e6);
    expect(evaluations).toBeLessThan(200);
  });

  it('does not change the case it starts from', async () => {
    const generator = generatorOf(vectors);
    const start = generator.at(70);
    const before = JSON.stringify(start);
    if (start) await shrinkCase({ plan: generator.plan, start, fails: () => true, budget: 1000 });
    expect(JSON.stringify(start)).toBe(before);
  });
});
