/** Products in WebAssembly against the plain loops, bit by bit. Holds src/training/model/plain-products.ts. */
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { streamFor, nextUint32, uniformInteger } from '../../../src/numeric/xoshiro.ts';
import * as plain from '../../../src/training/model/plain-products.ts';
import { createSimdProduct, type AddProduct } from '../../../src/training/model/simd.ts';

const made = createSimdProduct();
if (made === null) throw new Error('these tests need WebAssembly SIMD');
const add: AddProduct = made;

/** Any bits: NaN, infinities, subnormal numbers and zeros of both signs among them. */
const anyBits = (s: ReturnType<typeof streamFor>): number =>
  new Float32Array(Uint32Array.of(nextUint32(s)).buffer)[0] ?? NaN;
const edges = [0, -0, 1e-45, -1e-45, 1.1754942e-38, 3.4028235e38, -3.4028235e38, Infinity, -Infinity, NaN, 1, -1];
const kinds: Readonly<Record<string, (s: ReturnType<typeof streamFor>) => number>> = {
  ordinary: (s) => (uniformInteger(s, 0, 2 ** 24) / 2 ** 20 - 8) * 1.1,
  'any bits': anyBits,
  edges: (s) => edges[uniformInteger(s, 0, edges.length - 1)] ?? 0,
  subnormal: (s) => (uniformInteger(s, 0, 2 ** 20) - 2 ** 19) * 2 ** -140,
};

/** Bits, with every NaN alike: its payload is the processor's, in WebAssembly and in JavaScript. */
const bitsOf = (x: Float32Array): Uint32Array =>
  new Uint32Array(x.map((one) => (Number.isNaN(one) ? NaN : one)).buffer);

/** The three products on both paths. */
function compare(kind: string, m: number, k: number, n: number): void {
  const stream = streamFor(m * 10_000 + k * 100 + n, kind);
  const draw = (length: number): Float32Array => Float32Array.from({ length }, () => kinds[kind]?.(stream) ?? NaN);
  const [a, b, g] = [draw(m * k), draw(k * n), draw(m * n)];
  const both = (size: number): readonly [Float32Array, Float32Array] => [
    new Float32Array(size).fill(7),
    new Float32Array(size),
  ];
  const [product, product2] = both(m * n);
  plain.multiply(product, a, b, m, k, n);
  add(product2, { data: a, row: k, column: 1 }, { data: b, row: n, column: 1 }, m, k, n);
  expect(bitsOf(product2)).toEqual(bitsOf(product));
  const [left, left2] = both(k * n);
  plain.multiplyTransposedLeft(left, a, g, m, k, n);
  add(left2, { data: a, row: 1, column: k }, { data: g, row: n, column: 1 }, k, m, n);
  expect(bitsOf(left2)).toEqual(bitsOf(left));
  const [right, right2] = both(m * k);
  plain.multiplyTransposedRight(right, g, b, m, k, n);
  add(right2, { data: g, row: n, column: 1 }, { data: b, row: 1, column: n }, m, n, k);
  expect(bitsOf(right2)).toEqual(bitsOf(right));
}

const size = fc.integer({ min: 0, max: 40 });

describe.each(Object.keys(kinds))('the bits of the plain loops: %s', (kind) => {
  it('for small shapes', () => {
    fc.assert(
      fc.property(size, size, size, (m, k, n) => compare(kind, m, k, n)),
      { numRuns: 60 },
    );
  });

  // A piece has 64 rows, 256 terms and 512 columns.
  it.each([
    [1, 1, 1],
    [64, 256, 16],
    [65, 257, 17],
    [3, 513, 5],
    [130, 3, 9],
    [2, 2, 513],
    [5, 300, 530],
    [300, 2, 7],
  ])('for %i×%i·%i, at the edges of pieces', (m, k, n) => compare(kind, m, k, n));
});

describe('without SIMD', () => {
  afterEach(() => {
    vi.doUnmock('../../../src/host/web-assembly.ts');
    vi.resetModules();
  });

  it('there is no such product', () => {
    expect(createSimdProduct(null)).toBeNull();
  });

  it('a run leaves the same bytes in every file', async () => {
    const files = async (model: object, data: object) => {
      const { trainedFiles, document } = await import('../run/small-run.ts');
      return trainedFiles(
        { ...document, model, data } as typeof document,
        new TextEncoder().encode('to be or not to be, '.repeat(9)),
      );
    };
    const runs = [
      [
        { kind: 'gnn', hidden: [24] },
        { kind: 'planted_graph', nodes: 90, classes: 3, features: 16, degree: 3, homophily: 0.9, labelled: 0.6 },
      ],
      [
        { kind: 'char_transformer', width: 24, heads: 2, layers: 1, context: 20 },
        { kind: 'text', file: 'x.txt', batch: 3 },
      ],
    ] as const;
    const withSimd = await Promise.all(runs.map(([model, data]) => files(model, data)));
    vi.resetModules();
    vi.doMock('../../../src/host/web-assembly.ts', () => ({ webAssembly: undefined }));
    const { createSimdProduct: again } = await import('../../../src/training/model/simd.ts');
    expect(again()).toBeNull();
    const without = await Promise.all(runs.map(([model, data]) => files(model, data)));
    expect(without).toEqual(withSimd);
  });
});
