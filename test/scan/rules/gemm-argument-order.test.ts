/** Holds src/scan/types.ts. */
import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../src/scan/edits.ts';
import { pointedAt, scanCode } from '../../support/scan-code.ts';

const rule = 'gemm-argument-order';
const gemm = 'function gemm(m: number, n: number, k: number, a: X, b: X, c: X) {}\n';
const backward =
  'class GemmBackwardAKernel { static tiledUnrolled(m: number, n: number, k: number, tile: number) {} }\n';

describe('gemm-argument-order finds', () => {
  it.each([
    ['two swapped', `${gemm}gemm(m, k, n, a, b, c);`, 'k, n'],
    ['three rotated', `${gemm}gemm(k, m, n, a, b, c);`, 'k, m, n'],
    ['fields', `${gemm}gemm(s.n, s.m, s.k, a, b, c);`, 's.n, s.m'],
    ['the bug of ALB-059', `${backward}GemmBackwardAKernel.tiledUnrolled(m, k, n, 32);`, 'k, n'],
    [
      'a constructor',
      'class MatmulKernel { constructor(M: number, N: number, K: number) {} }\nnew MatmulKernel(M, K, N);',
      'K, N',
    ],
    [
      'longer names',
      'function matmul(a: X, b: X, rows: number, cols: number, inner: number) {}\nmatmul(a, b, numRows, inner, cols);',
      'inner, cols',
    ],
    ['a namespace', `${gemm}const ops = { gemm };\ngemm(m, k, n, x, y, z);`, 'k, n'],
  ])('%s', async (_name, text, expected) => {
    expect(await pointedAt(rule, text)).toEqual([expected]);
  });

  it('resolves methods of values with types', async () => {
    const files = {
      'src/ops.ts':
        'export interface Ops { gemm(m: number, n: number, k: number): void }\nexport function make(): Ops { return { gemm() {} }; }\n',
      'src/run.ts':
        "import { make } from './ops.ts';\nexport function run(m: number, n: number, k: number) { make().gemm(m, k, n); }\n",
    };
    const found = async (types: boolean) => (await scanCode(files, { rules: [rule], types })).findings.length;
    expect([await found(false), await found(true)]).toEqual([0, 1]);
  });

  it('puts the sizes in order', async () => {
    const text = `${gemm}gemm(k, m, n, a, b, c);`;
    const { findings } = await scanCode({ 'a.ts': text }, { rules: [rule] });
    expect(applyEdits(text, findings[0]?.fix ?? [])).toBe(`${gemm}gemm(m, n, k, a, b, c);`);
  });
});

describe('gemm-argument-order leaves alone', () => {
  it.each([
    ['the right order', `${gemm}gemm(m, n, k, a, b, c);`],
    [
      'another order of the signature',
      'function gemm(a: X, b: X, c: X, M: number, K: number, N: number) {}\ngemm(a, b, c, m, k, n);',
    ],
    ['a gradient of a plain product', `${gemm}gemm(m, k, n, gradOut, wT, gradIn);`],
    ['a backward function', `${gemm}function backward() { gemm(m, k, n, x, y, z); }`],
    ['a transposed operand', `${gemm}gemm(m, k, n, a, transpose(b), c);`],
    [
      'a flag for transposition',
      'function gemm(m: number, n: number, k: number, a: X, transB: boolean) {}\ngemm(m, k, n, a, true);',
    ],
    ['a square', `${gemm}gemm(n, n, k, a, b, c);`],
    ['names of other things', `${gemm}gemm(batch, width, depth, a, b, c);`],
    ['an unknown callee', 'blas.gemm(m, k, n);'],
    ['another function', 'function area(m: number, n: number) {}\narea(n, m);'],
    ['a spread', `${gemm}gemm(...sizes, a, b, c);`],
    [
      'a parameter with the name of the product',
      `${gemm}function run(gemm: Other, m: number, n: number, k: number) { gemm(m, k, n, x, y, z); }`,
    ],
  ])('%s', async (_name, text) => {
    expect(await pointedAt(rule, text)).toEqual([]);
  });
});
