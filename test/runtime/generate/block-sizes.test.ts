import { describe, expect, it } from 'vitest';
import type { Domain } from '../../../src/math/domain.ts';
import { countCombinations } from '../../../src/runtime/generate/block-sizes.ts';
import { createGenerator, type CaseGenerator } from '../../../src/runtime/generate/generator.ts';
import { call, domain, input, name, numeral, size } from '../domains.ts';

const CASES = 10_000;

function generatorOf(given: Domain, seed = 5): CaseGenerator {
  const generator = createGenerator(given, seed, 'blocks');
  if (!generator.ok) throw new Error(generator.error);
  return generator.value;
}

/** The combinations of sizes that a property test meets, in their order. */
function met(given: Domain, seed?: number): readonly string[] {
  const { sizesAt, blockSize } = generatorOf(given, seed);
  return Array.from({ length: Math.ceil(CASES / blockSize) }, (_, block) => String(sizesAt(block * blockSize)));
}

const vectors = domain([size('n', 1, 128)], [input('x', ['n'])]);
const matrices = domain([size('m', 1, 32), size('n', 1, 32)], [input('A', ['m', 'n'])]);
const narrowed = domain(
  [size('m', 1, 24), size('k', 2, 24, { multipleOf: 2 })],
  [input('A', ['m', 'k'])],
  [call('less', name('m'), name('k'))],
);
const derived = domain(
  [size('g', 1, 8), size('q', 1, 8), size('h', 1, 64, { definition: call('multiply', name('g'), name('q')) })],
  [input('x', ['h'])],
);

describe('every combination of sizes', () => {
  it.each([
    ['of one size', vectors, 128],
    ['of two sizes', matrices, 1024],
    ['with multiples and a precondition', narrowed, 144],
    ['with a size that is computed', derived, 64],
  ])('%s runs within the cases of a property test', (_, given, all) => {
    for (const seed of [1, 2, 3]) expect(new Set(met(given, seed)).size).toBe(all);
    expect(countCombinations(generatorOf(given).plan)).toBe(all);
  });

  it('of a larger domain runs at most once, and every value of each size runs', () => {
    const given = domain(
      [size('m', 1, 12), size('k', 1, 24), size('n', 1, 12)],
      [input('A', ['m', 'k']), input('B', ['k', 'n'])],
    );
    const seen = met(given);
    expect(countCombinations(generatorOf(given).plan)).toBe(3456);
    expect(new Set(seen).size).toBe(seen.length);
    for (const [axis, most] of [12, 24, 12].entries())
      expect(new Set(seen.map((sizes) => sizes.split(',')[axis])).size).toBe(most);
  });

  it('is not listed where there are too many', () => {
    const given = domain([size('n', 1, 1e6)], [input('x', ['n'])]);
    expect(countCombinations(generatorOf(given).plan)).toBeNull();
    expect(new Set(met(given)).size).toBeGreaterThan(50);
  });

  it('is left out where one case would cost too much, and counted all the same', () => {
    const given = domain([size('m', 1, 2), size('n', 1, 20_000, { multipleOf: 1000 })], [input('A', ['m', 'n'])]);
    expect(countCombinations(generatorOf(given).plan)).toBe(40);
    expect(new Set(met(given)).size).toBeLessThan(40);
  });

  it('comes in an order that depends on the seed', () => {
    expect(met(matrices, 1)).not.toEqual(met(matrices, 2));
    expect(met(matrices, 1)).toEqual(met(matrices, 1));
  });

  it('is the same whichever case is made first', () => {
    const [forward, backward] = [generatorOf(matrices), generatorOf(matrices)];
    const late = backward.sizesAt(9000);
    expect(forward.sizesAt(0)).toEqual(backward.sizesAt(0));
    expect(forward.sizesAt(9000)).toEqual(late);
  });
});

it('takes no longer for a case of any number', () => {
  const { at } = generatorOf(matrices);
  for (const index of [2 ** 31, 2 ** 32 - 1]) expect(at(index)?.sizes).toEqual(at(index)?.sizes);
});

it('is one where a domain fixes its sizes', () => {
  expect(countCombinations(generatorOf(domain([size('n', 4, 4)], [input('x', ['n'])])).plan)).toBe(1);
  expect(countCombinations(generatorOf(domain([], [input('x', [], { choices: [numeral(1)] })])).plan)).toBe(1);
});
