/**
 * Claims that any kernel of finite outputs satisfies must not be green, and honest claims of the same form must be.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { ClaimReport } from '../../src/report/report.ts';
import { audited, doublingContract, doublingKernel, type ClaimText } from './audited.ts';

const hollow: readonly ClaimText[] = [
  // Of one output alone, by arithmetic.
  ['D(x)_i - D(x)_i = 0'],
  ['min(max(D(x)_i, 0), 0) = 0'],
  ['D(x)_i · 0 = 0'],
  ['|D(x)_i| ≥ 0'],
  ['D(x)_i² ≥ 0'],
  ['D(x)_i + 1 > D(x)_i'],
  ['D(x)_i = -(-D(x)_i)'],
  ['sign(D(x)_i)² ≤ 1'],
  ['floor(D(x)_i) ≤ D(x)_i'],
  ['sin(D(x)_i)² + cos(D(x)_i)² ≈ 1', 'tolerance: { abs: 1e-6 }'],
  ['tanh(D(x)_i) ≤ 1'],
  ['D(x)_i / (1 + D(x)_i²) ≤ 1'],
  // Of all outputs together.
  ['min(D(x)) ≤ max(D(x))'],
  ['D(x)_i ≤ max(D(x))'],
  ['Σ_i D(x)_i² ≥ 0'],
  ['D(x)_i = D(1·x)_i'],
  // Tolerances and bounds that no output reaches.
  ['D(x)_i ≈ 7·x_i', 'tolerance: { abs: 1e30 }'],
  ['D(x)_i ≈ 7·x_i', 'tolerance: { abs: 1e3 }'],
  ['D(x)_i ≈ 7·x_i', 'tolerance: { rel: 1e30 }'],
  ['D(x)_i ≈ -x_i', 'tolerance: { rel: 4 }'],
  ['D(x)_i ≈ 7·x_i', 'tolerance: { ulp: 1e9 }'],
  ['|D(x)_i| ≤ 1e30'],
  ['|D(x)_i| ≤ 1000'],
  ['|D(x)_i - 2·x_i| ≤ 1000'],
  ['D(x)_i ≥ -1e6'],
  ['max(D(x)_i, 1e9) = 1e9'],
  ['D(x)_i ≠ 123456.5'],
  // What the domain or a tautology says already.
  ['|x_i| ≤ 100 ∨ D(x)_i = 0'],
  ['D(x)_i > 0 ⟹ |x_i| ≤ 100'],
  ['D(x)_i = 2·x_i ∨ |D(x)_i| ≥ 0'],
  ['n ≥ 1 ∧ |D(x)_i| ≥ 0'],
  ['x_i > 1000 ⟹ D(x)_i = 5'],
  // Finiteness, but not of outputs, or only in a premise.
  ['is_finite(x_i) ∧ D(x)_i - D(x)_i = 0'],
  ['is_finite(D(x)_i) ⟹ D(x)_i ≈ 7·x_i', 'tolerance: { abs: 1e30 }'],
  ['is_finite(D(x)_i) ∨ is_nan(D(x)_i) ∨ |D(x)_i| ≥ 1'],
];

const honest: readonly ClaimText[] = [
  ['D(x)_i - 2·x_i = 0'],
  ['min(max(D(x)_i, -200), 200) = D(x)_i'],
  ['D(x)_i · 0.5 = x_i'],
  ['|D(x)_i| ≥ |x_i|'],
  ['D(x)_i² ≈ 4·x_i²', 'tolerance: { rel: 1e-6 }'],
  ['D(x)_i = x_i + x_i'],
  ['D(x)_i = -(-2·x_i)'],
  ['sign(D(x)_i) = sign(x_i)'],
  ['floor(D(x)_i) ≤ 2·x_i'],
  ['min(D(x)) = 2·min(x)'],
  ['D(x)_i ≤ 2·max(x)'],
  ['Σ_i D(x)_i ≈ 2·(Σ_i x_i)', 'tolerance: { abs: 1e-2 }'],
  ['D(-x)_i = -D(x)_i'],
  ['D(x)_i ≈ 2·x_i', 'tolerance: { abs: 1e-3 }'],
  ['D(x)_i ≈ 2·x_i', 'tolerance: { rel: 0.5 }'],
  ['D(x)_i ≈ 2·x_i', 'tolerance: { ulp: 4 }'],
  ['|D(x)_i| ≤ 200'],
  ['|D(x)_i| ≤ 500'],
  ['D(x)_i ≥ -200'],
  ['D(x)_i ≠ 3·x_i ∨ x_i = 0'],
  ['D(x)_i = 2·x_i ∨ x_i = 7'],
  ['x_i ≥ 0 ⟹ D(x)_i ≥ 0'],
  ['x_i = 0 ⟹ D(x)_i = 0'],
  // What only NaN and infinities break, and rightly so.
  ['is_finite(D(x)_i)'],
  ['|D(x)_i| < ∞'],
  ['¬is_nan(D(x)_i)'],
  ['is_finite(x_i) ⟹ is_finite(D(x)_i)'],
];

let claims: readonly ClaimReport[] = [];
beforeAll(async () => {
  claims = (await audited('double-v1', doublingContract([...hollow, ...honest]), [doublingKernel], 500)).claims;
});

const claim = (at: number): ClaimReport => {
  const found = claims[at];
  if (!found) throw new Error(`there is no claim ${at}`);
  return found;
};
const named = (texts: readonly ClaimText[]): readonly (readonly [name: string, at: number])[] =>
  texts.map(([formal, more = ''], at) => [`${formal} ${more}`.trim(), at]);

describe('a hollow claim is vacuous', () => {
  it.each(named(hollow))('%s', (_, at) => {
    const { verdict, reason } = claim(at);
    expect([verdict, reason]).toEqual([
      'vacuous',
      expect.stringMatching(
        /^it catches 0 of \d+|infinite or four times larger|accepts 0 in place|no premise of an implication/,
      ),
    ]);
  });
});

describe('an honest claim is green', () => {
  it.each(named(honest))('%s', (_, at) => {
    const { verdict, reason, counterexample } = claim(hollow.length + at);
    expect([verdict, reason, counterexample?.explanation]).toEqual(['tested', null, undefined]);
  });
});
