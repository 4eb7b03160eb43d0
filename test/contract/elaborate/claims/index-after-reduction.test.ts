import { describe, expect, it } from 'vitest';
import { elaborated } from '../support.ts';

const said = (formal: string): readonly string[] => {
  const { diagnostics } = elaborated({
    equations: 'd: { formula: "D(p, q) = Σ_i |p_i - q_i|", domain: "p, q ∈ Δ^n, q_i > 0" }',
    obligations: `- { id: C, type: bound, property: p, formal: "${formal}" }`,
  });
  return diagnostics.filter(({ code }) => code === 'PV-4020').map(({ message }) => message);
};

describe('an index that is used again where the body of its reduction has ended', () => {
  it.each([
    [
      'D(p, q) ≥ Σ_i p_i - q_i',
      'i is bound by Σ_i, whose body ends before q_i: write Σ_i (p_i - q_i) or (Σ_i p_i) - q_i for all i',
    ],
    [
      '1 + D(p, q) > 0 and max_i p_i / q_i ≥ 1',
      'i is bound by max_i, whose body ends before q_i: write max_i (p_i / q_i) or (max_i p_i) / q_i for all i',
    ],
    [
      'D(p, q) ≥ 1 - Σ (p_i) + 2·q_i',
      'i is bound by Σ, whose body ends before 2·q_i: write Σ ((p_i) + 2·q_i) or (Σ (p_i)) + 2·q_i for all i',
    ],
  ])('leaves the claim open: %s', (formal, message) => {
    expect(said(formal)).toEqual([message]);
  });

  it.each([
    'D(p, q) ≥ Σ_i (p_i - q_i)',
    'D(p, q) ≥ (Σ_i p_i) - q_i - 1',
    'D(p, q) + 2 ≥ Σ_i p_i - q_i for all i',
    '∀ i: D(p, q) + 2 ≥ Σ_i p_i - q_i',
    'q_i/2 ≤ Σ_i p_i - q_i + 1',
    'p_i - Σ_i p_i ≤ 0',
    'p_i/Σ_i p_i ≤ 1',
    'Σ_i p_i / q_i ≥ 1',
    'D(p, q) ≥ Σ_i p_i - Σ_i q_i',
  ])('is not doubted in %s', (formal) => {
    expect(said(formal)).toEqual([]);
  });
});
