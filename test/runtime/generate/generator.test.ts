/**
 * Holds src/runtime/generate/element-range.ts, src/runtime/generate/fillings.ts, src/runtime/generate/integer-format.ts,
 * src/runtime/generate/membership.ts, src/runtime/generate/sizes.ts, src/runtime/generate/structures.ts.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { floatFormats } from '../../../src/numeric/float-format.ts';
import type { Case } from '../../../src/math/compile/compiled.ts';
import type { Domain } from '../../../src/math/domain.ts';
import { recordInput } from '../../../src/runtime/case-text.ts';
import { fillings } from '../../../src/runtime/generate/fillings.ts';
import { createGenerator, SMALL_BLOCK_SIZE, type CaseGenerator } from '../../../src/runtime/generate/generator.ts';
import { violation } from '../../../src/runtime/generate/membership.ts';
import { call, closed, domain, floats, input, name, numeral, open, size, softmaxDomain } from '../domains.ts';
import { randomDomain } from '../random-domains.ts';

function generatorOf(given: Domain, seed = 7): CaseGenerator {
  const generator = createGenerator(given, seed, 'test');
  if (!generator.ok) throw new Error(generator.error);
  return generator.value;
}

function cases(given: Domain, count: number, seed = 7): Case[] {
  const generator = generatorOf(given, seed);
  return Array.from({ length: count }, (_, i) => generator.at(i)).filter((c) => c !== null);
}

function elements(given: Domain, count: number): number[] {
  return cases(given, count).flatMap(({ values }) =>
    values.flatMap((value) => (typeof value === 'number' ? [value] : typeof value === 'string' ? [] : [...value])),
  );
}

describe('every generated case', () => {
  it('lies inside its domain, whatever the domain', () => {
    let made = 0;
    fc.assert(
      fc.property(
        randomDomain,
        fc.integer(),
        fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 3, maxLength: 10 }),
        (given, seed, indices) => {
          const generator = createGenerator(given, seed, 'random');
          if (!generator.ok) return;
          for (const index of indices) {
            const drawn = generator.value.at(index);
            if (!drawn) continue;
            made++;
            expect(violation(generator.value.plan, drawn)).toBeNull();
          }
        },
      ),
      { numRuns: 600 },
    );
    expect(made).toBeGreaterThan(1000);
  });

  it('is the same for the same seed, alone or in order, in fresh or used storage', () => {
    fc.assert(
      fc.property(randomDomain, fc.integer(), fc.integer({ min: 0, max: 1000 }), (given, seed, index) => {
        const first = createGenerator(given, seed, 'a');
        const second = createGenerator(given, seed, 'a');
        if (!first.ok || !second.ok) return;
        const text = (c: Case | null): string => JSON.stringify(c && recordInput(given, c));
        const alone = text(first.value.at(index));
        const buffer = second.value.allocate(second.value.sizesAt(index));
        for (let i = 0; i < 5; i++) second.value.fillWith(index + i, buffer, () => null);
        const filled = second.value.fill(index, buffer);
        expect(filled ? text(buffer) : 'null').toBe(alone);
      }),
    );
  });

  it('differs between seeds and names', () => {
    const text = (seed: number, stream: string): string => {
      const generator = createGenerator(softmaxDomain, seed, stream);
      return generator.ok ? JSON.stringify(generator.value.at(500)?.values) : generator.error;
    };
    expect(new Set([text(1, 'a'), text(2, 'a'), text(1, 'b'), text(1, 'a')]).size).toBe(3);
  });
});

describe('sizes', () => {
  const seen = (given: Domain, blocks: number): number[][] => {
    const generator = generatorOf(given);
    return Array.from({ length: blocks }, (_, block) => [...generator.sizesAt(block * generator.blockSize)]);
  };

  it('are equal within a block, smallest first and largest second', () => {
    const generator = generatorOf(softmaxDomain);
    const { blockSize } = generator;
    expect([0, blockSize - 1, blockSize, 2 * blockSize - 1].map((i) => generator.sizesAt(i)[0])).toEqual([
      1, 1, 512, 512,
    ]);
  });

  it('comes to other sizes sooner in small blocks, and to the same ones', () => {
    const common = createGenerator(softmaxDomain, 7, 'test');
    const small = createGenerator(softmaxDomain, 7, 'test', SMALL_BLOCK_SIZE);
    if (!common.ok || !small.ok) throw new Error('the domain has cases');
    const blocks = Array.from({ length: 40 }, (_, block) => block);
    expect(blocks.map((block) => small.value.sizesAt(block * SMALL_BLOCK_SIZE))).toEqual(
      blocks.map((block) => common.value.sizesAt(block * common.value.blockSize)),
    );
    for (let index = 0; index < 40 * SMALL_BLOCK_SIZE; index++)
      expect(small.value.at(index)?.sizes).toEqual(small.value.sizesAt(index - (index % SMALL_BLOCK_SIZE)));
  });

  it('favour 1, 2, powers of two and their neighbours, and the largest', () => {
    const ns = seen(softmaxDomain, 157).map(([n]) => n ?? 0);
    for (const wanted of [1, 2, 3, 512]) expect(ns).toContain(wanted);
    const isNear = (n: number): boolean => [n - 1, n, n + 1].some((p) => p > 3 && (p & (p - 1)) === 0);
    expect(ns.filter(isNear).length).toBeGreaterThan(15);
    expect(ns.filter((n) => n > 128).length).toBeGreaterThan(15);
    expect(new Set(ns).size).toBeGreaterThan(40);
  });

  it('keep divisibility, definitions and preconditions over sizes without filtering', () => {
    const given = domain(
      [
        size('k', 1, 40, { multipleOf: 2 }),
        size('g', 1, 8),
        size('h', 1, 64, { definition: call('multiply', name('k'), name('g')) }),
      ],
      [input('x', ['h', 'k'])],
      [call('less', name('g'), name('k'))],
    );
    for (const [k = 0, g = 0, h = 0] of seen(given, 100))
      expect([k % 2, h, g < k, h <= 64]).toEqual([0, k * g, true, true]);
    expect(new Set(seen(given, 100).map(String)).size).toBeGreaterThan(10);
  });

  it('stay affordable when the domain is not', () => {
    const huge = domain(
      [size('n', 1, 1e9), size('m', 1, 1e9), size('k', 1, 2 ** 40)],
      [input('a', ['n', 'm']), input('b', ['m', 'k'])],
    );
    for (const [n = 0, m = 0, k = 0] of seen(huge, 200)) expect(n * m + m * k).toBeLessThanOrEqual(2 ** 16);
  });

  it('explains a domain that is too large or has no sizes', () => {
    const message = (given: Domain): string => {
      const generator = createGenerator(given, 1, '');
      return generator.ok ? 'made' : generator.error;
    };
    expect(message(domain([size('n', 1e6, 1e7)], [input('x', ['n'])]))).toContain(
      'too large to test: 1000000 numbers at n = 1000000',
    );
    expect(message(domain([size('n', 5, 4)], []))).toContain('no sizes satisfy the domain');
    expect(message(domain([size('n', 1, 9)], [], [call('greater', name('n'), numeral(20))]))).toContain(
      'no sizes satisfy the domain',
    );
    expect(message(domain([size('n', 1, 9)], [input('s', ['n'], { element: { kind: 'string' } })]))).toContain(
      'tensors of strings',
    );
  });

  it('may be zero', () => {
    const drawn = cases(
      domain([size('n', 0, 3)], [input('x', ['n']), input('y', ['n'], { structure: 'increasing' })]),
      400,
    );
    expect(drawn.some(({ sizes }) => sizes[0] === 0)).toBe(true);
    expect(drawn.length).toBe(400);
  });
});

describe('elements', () => {
  const unbounded = domain([size('n', 1, 64)], [input('x', ['n'])]);

  it('include every special value of float32', () => {
    const { smallestSubnormal, smallestNormal, maximum, nextUp, nextDown } = floatFormats.f32;
    const seen = new Set(elements(unbounded, 5000).map((x) => (Object.is(x, -0) ? '-0' : String(x))));
    const magnitudes = [
      0,
      smallestSubnormal,
      nextDown(smallestNormal),
      smallestNormal,
      1,
      nextUp(1),
      nextDown(1),
      maximum,
    ];
    for (const m of magnitudes) for (const x of [m, -m]) expect(seen).toContain(Object.is(x, -0) ? '-0' : String(x));
    for (const never of ['NaN', 'Infinity', '-Infinity']) expect(seen).not.toContain(never);
  });

  it('include NaN and the infinities exactly when the domain has them', () => {
    const seen = new Set(
      elements(domain([size('n', 1, 64)], [input('x', ['n'], { nonFinite: true })]), 3000).map(String),
    );
    for (const wanted of ['NaN', 'Infinity', '-Infinity']) expect(seen).toContain(wanted);
  });

  it('reach closed bounds exactly, and open ones up to their neighbour', () => {
    const given = domain(
      [],
      [input('a', [], { lower: closed(-2), upper: open(3) }), input('b', [], { lower: open(0), upper: closed(0.1) })],
    );
    const drawn = cases(given, 3000);
    const [as, bs] = [0, 1].map((v) => drawn.map(({ values }) => Number(values[v])));
    expect([Math.min(...(as ?? [])), Math.max(...(as ?? []))]).toEqual([-2, floatFormats.f32.nextDown(3)]);
    expect(Math.min(...(bs ?? []))).toBe(2 ** -149);
    expect(Math.max(...(bs ?? []))).toBe(floatFormats.f32.nextDown(Math.fround(0.1)));
  });

  it('are exact in their format', () => {
    for (const format of ['f16', 'bf16', 'f32'] as const) {
      const drawn = elements(
        domain(
          [size('n', 1, 16)],
          [input('x', ['n'], { element: floats(format) }), input('c', [], { element: floats(format) })],
        ),
        1000,
      );
      expect(drawn.every((x) => Object.is(floatFormats[format].round(x), x))).toBe(true);
    }
  });

  it('follow bounds over sizes and earlier scalars', () => {
    const given = domain(
      [size('v', 2, 40)],
      [
        input('c', [], { lower: closed(1), upper: closed(9) }),
        input('y', ['v'], { element: { kind: 'integer' }, lower: closed(0), upper: { value: name('v'), open: true } }),
        input('x', ['v'], { upper: { value: name('c'), open: false }, lower: closed(0) }),
      ],
    );
    const drawn = cases(given, 2000);
    for (const { sizes, values } of drawn) {
      const [c, y, x] = values as [number, Int32Array, Float32Array];
      expect(Math.max(...y)).toBeLessThan(sizes[0] ?? 0);
      expect(Math.max(...x)).toBeLessThanOrEqual(c);
    }
    expect(drawn.some(({ sizes, values }) => (values[1] as Int32Array).includes((sizes[0] ?? 0) - 1))).toBe(true);
  });

  it('avoid excluded values, zero in both signs', () => {
    const drawn = elements(
      domain(
        [size('n', 1, 8)],
        [input('x', ['n'], { lower: closed(-1), upper: closed(1), excluded: [numeral(0), numeral(1)] })],
      ),
      2000,
    );
    expect(drawn.some((x) => x === 0 || x === 1)).toBe(false);
    expect(drawn).toContain(-1);
    expect(drawn).toContain(floatFormats.f32.nextDown(1));
  });

  it('come from the listed choices only, each of them', () => {
    const given = domain(
      [size('n', 1, 8)],
      [
        input('x', ['n'], { choices: [numeral(-0.5), numeral(0.1), numeral(7)] }),
        input('b', ['n'], { element: { kind: 'boolean' } }),
      ],
    );
    const drawn = cases(given, 500);
    expect(new Set(drawn.flatMap(({ values }) => [...(values[0] as Float32Array)]))).toEqual(
      new Set([-0.5, Math.fround(0.1), 7]),
    );
    expect(new Set(drawn.flatMap(({ values }) => [...(values[1] as Int32Array)]))).toEqual(new Set([0, 1]));
  });

  it('cancel, tie, rise, are constant and equal an earlier input now and then', () => {
    const drawn = cases(domain([size('n', 6, 6)], [input('x', ['n']), input('y', ['n'])]), 4000).map(
      ({ values }) => values as [Float32Array, Float32Array],
    );
    const share = (holds: (x: Float32Array, y: Float32Array) => boolean): number =>
      drawn.filter(([x, y]) => holds(x, y)).length / drawn.length;
    expect(share((x) => x[0] === -(x[1] ?? NaN) && x[0] !== 0)).toBeGreaterThan(0.02);
    expect(share((x) => new Set(x).size === 1)).toBeGreaterThan(0.01);
    expect(share((x) => new Set(x).size === 2)).toBeGreaterThan(0.01);
    expect(share((x) => x.every((v, i) => i === 0 || v > (x[i - 1] ?? NaN)))).toBeGreaterThan(0.005);
    expect(share((x, y) => x.every((v, i) => Object.is(v, y[i])))).toBeGreaterThan(0.02);
    expect(share((x) => x.filter((v) => v === 0).length >= 4)).toBeGreaterThan(0.02);
    expect(
      share((x) => x.some((v) => Math.abs(v) > 1e30) && x.some((v) => v !== 0 && Math.abs(v) < 1e-30)),
    ).toBeGreaterThan(0.02);
  });

  it('are empty, and so left out, when bounds contradict each other', () => {
    const given = domain(
      [],
      [
        input('a', [], { lower: closed(0), upper: closed(10) }),
        input('b', [], { lower: closed(5), upper: { value: name('a'), open: false } }),
      ],
    );
    const drawn = cases(given, 1000);
    expect(drawn.length).toBeGreaterThan(50);
    expect(drawn.length).toBeLessThan(1000);
  });

  it('come from fillings that all have a name and a weight', () => {
    expect(new Set(fillings.map((filling) => filling.name)).size).toBe(fillings.length);
    expect(fillings.every((filling) => filling.weight > 0)).toBe(true);
  });
});

describe('structures', () => {
  it('are exact points of the simplex with corners, centre and skewed points', () => {
    const drawn = cases(
      domain(
        [size('m', 1, 4), size('n', 1, 50)],
        [input('p', ['m', 'n'], { structure: 'simplex', lower: closed(0), upper: closed(1) })],
      ),
      1500,
    );
    expect(drawn.length).toBe(1500);
    const rows = drawn.flatMap(({ sizes: [m = 0, n = 0], values }) =>
      Array.from({ length: m }, (_, r) => (values[0] as Float32Array).subarray(r * n, (r + 1) * n)),
    );
    expect(rows.every((row) => row.reduceRight((sum, p) => sum + p, 0) === 1)).toBe(true);
    expect(rows.some((row) => row.length > 3 && row.includes(1))).toBe(true);
    expect(rows.some((row) => row.length > 3 && row.every((p) => Math.abs(p - 1 / row.length) < 1e-6))).toBe(true);
  });

  it.each([
    ['f32', -10, 10, 16],
    ['f32', -1e30, 1e30, 50],
    ['f32', -0.25, 0.5, 50],
    ['f16', -100, 3, 50],
    ['bf16', -10, 10, 16],
    ['bf16', -10, 0.0625, 16],
    ['f64', -1e6, 1e6, 50],
  ] as const)('sum to 1 in any order with elements from %s %d to %d', (format, low, high, largest) => {
    const bounds = { lower: closed(low), upper: closed(high) };
    const signed = input('p', ['n'], { structure: 'simplex', element: floats(format), ...bounds });
    const drawn = cases(domain([size('n', Math.ceil(1 / high), largest)], [signed]), 1000);
    expect(drawn.length).toBe(1000);
    const { round } = floatFormats[format];
    const rows = drawn.map(({ values: [p] }) => Array.from(p as Float32Array | Float64Array));
    for (const row of rows) {
      expect(row.every((p) => low <= p && p <= high)).toBe(true);
      for (const order of [row, row.toReversed(), row.toSorted((a, b) => a - b), row.toSorted((a, b) => b - a)])
        expect(order.reduce((sum, p) => round(sum + p), 0)).toBe(1);
    }
    if (high * largest > 1) expect(rows.filter((row) => row.some((p) => p < 0)).length).toBeGreaterThan(500);
  });

  it('reach the bounds of a row with negative elements', () => {
    const bounds = { lower: closed(-10), upper: closed(10) };
    const drawn = cases(domain([size('n', 2, 16)], [input('p', ['n'], { structure: 'simplex', ...bounds })]), 500);
    const drawnElements = drawn.flatMap(({ values: [p] }) => Array.from(p as Float32Array));
    expect([Math.min(...drawnElements), Math.max(...drawnElements)]).toEqual([-10, 10]);
  });

  it('of whole numbers sum to 1 with negative ones too', () => {
    const bounds = { element: { kind: 'integer' }, lower: closed(-3), upper: closed(5) } as const;
    const drawn = cases(domain([size('n', 2, 16)], [input('p', ['n'], { structure: 'simplex', ...bounds })]), 500);
    const rows = drawn.map(({ values: [p] }) => Array.from(p as Int32Array));
    expect(rows.every((row) => row.reduce((sum, p) => sum + p, 0) === 1)).toBe(true);
    expect(rows.some((row) => row.includes(-3)) && rows.some((row) => row.includes(5))).toBe(true);
  });

  it('increase strictly, even where the bounds leave room for nothing else', () => {
    const given = domain(
      [size('n', 1, 11)],
      [
        input('x', ['n'], {
          structure: 'increasing',
          element: { kind: 'integer' },
          lower: closed(0),
          upper: closed(10),
        }),
      ],
    );
    const generator = generatorOf(given);
    const drawn = cases(given, 800);
    expect(drawn.length).toBe(800);
    expect(drawn.every((c) => violation(generator.plan, c) === null)).toBe(true);
  });
});
