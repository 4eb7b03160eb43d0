/**
 * A tolerance that grows with sizes until it accepts anything is hollow where it is largest, whatever wrong kernels it catches at
 * small sizes; one that grows as rounding does is not.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { audited, doublingContract, doublingKernel, type ClaimText } from '../audit/audited.ts';
import type { ClaimReport } from '../../src/report/report.ts';

const equal = 'D(x) ≈ D_ref(x)';
const hollow: readonly ClaimText[] = [
  [equal, 'tolerance: { abs: 0.1, per: n³ }'],
  [equal, 'tolerance: { abs: 1e-2, per: 2^n }'],
  [equal, 'tolerance: { abs: 1e-3, per: exp(n) }'],
  [equal, 'tolerance: { abs: 1e-2, per: n^4 }'],
  [equal, 'tolerance: { rel: 1e-3, abs: 1e-2, per: n^4 }'],
  // Most is allowed in the middle.
  [equal, 'tolerance: { abs: 1e-3, per: "1 + 1e6·(n - 1)·(16 - n)" }'],
  // The same bounds without a tolerance.
  ['|D(x)_i - 2·x_i| ≤ 0.01·n⁴'],
  ['0.01·n⁴ ≥ |2·x_i - D(x)_i|'],
  ['(D(x)_i - 2·x_i)² ≤ 1e-4·n⁸'],
  ['max_i |D(x)_i - 2·x_i| ≤ t where t = 0.01·n⁴'],
  ['D(x)_i ≤ 2·x_i + 0.01·n⁴ ∧ D(x)_i ≥ 2·x_i - 0.01·n⁴'],
  // 0 satisfies it at every size.
  ['|D(-x)_i + D(x)_i - 0·x_i| ≤ 0.01·n⁴'],
];

const honest: readonly ClaimText[] = [
  [equal, 'tolerance: { abs: 1e-6, per: n }'],
  [equal, 'tolerance: { abs: 1e-6, per: log(n + 1) }'],
  [equal, 'tolerance: { abs: 1e-6, per: √n }'],
  [equal, 'tolerance: { abs: 1e-6, per: n² }'],
  [equal, 'tolerance: { abs: 1e-3, per: 1 / n }'],
  [equal, 'tolerance: { abs: 1, per: n }'],
  ['Σ_i D(x)_i ≈ 2·(Σ_i x_i)', 'tolerance: { abs: 2e-5, per: n }'],
  ['|D(x)_i - 2·x_i| ≤ 1e-6·n'],
  ['D(x)_i ≤ 2·x_i + 1e-6·n ∧ D(x)_i ≥ 2·x_i - 1e-6·n'],
  ['|D(-x)_i + D(x)_i| ≤ 1e-6·n'],
  ['|Σ_i D(x)_i| ≤ 200·n'],
  // Said of few sizes only, where it is strict.
  ['n ≤ 4 ⟹ |D(x)_i - 2·x_i| ≤ 1e-2·n⁴'],
  ['D(x) ≈ D_ref(x) when n ≤ 4', 'tolerance: { abs: 1e-2, per: n^4 }'],
];

let claims: readonly ClaimReport[] = [];
beforeAll(async () => {
  claims = (await audited('double-v1', doublingContract([...hollow, ...honest]), [doublingKernel], 500)).claims;
});

const shown = (at: number): unknown => [claims[at]?.verdict, claims[at]?.reason ?? null];

describe('a tolerance that accepts anything at some sizes is hollow', () => {
  it.each(hollow.map(([formal, more = ''], at) => [`${formal} ${more}`, at] as const))('%s', (_, at) => {
    expect(shown(at)).toEqual([
      'vacuous',
      expect.stringMatching(
        /^at n = \d+, where its tolerance allows most, wrong kernels pass that it catches at other/,
      ),
    ]);
  });
});

describe('a tolerance that grows and stays strict is not', () => {
  it.each(honest.map(([formal, more = ''], at) => [`${formal} ${more}`, at] as const))('%s', (_, at) => {
    expect(shown(hollow.length + at)).toEqual(['tested', null]);
  });
});
