/** Holds src/contract/elaborate/equations/unreached-reads.ts. */
import { describe, expect, it } from 'vitest';
import { saidOfEach, wordsOf } from '../../../audit/adopt/adopted.ts';

describe('a case that begins where the index of the other ends', () => {
  it.each([
    ['C_i = { A_i if i < a; B_{i-a} otherwise }', 'sum(C) = sum(A) + sum(B)'],
    ['C_i = { B_{i-a} if i ≥ a; A_i otherwise }', 'sum(C) = sum(A) + sum(B)'],
    ['C_i = { A_i if a > i; B_{i-a} otherwise }', 'sum(C) = sum(A) + sum(B)'],
    ['C_i = { B_{i-a} if a ≤ i; A_i otherwise }', 'sum(C) = sum(A) + sum(B)'],
    ['P = sum(S) where S_i = A_i if i < a else B_{i-a}', 'P = sum(A) + sum(B)'],
  ])('leaves the equation unread: %s', async (formula, claim) => {
    const [said] = await saidOfEach(formula, 'A ∈ ℝ^a, B ∈ ℝ^b', [claim]);
    expect(said).toMatchObject({ word: 'not-run', counterexample: null });
  });

  it('is reached where the codomain says so', async () => {
    const [said] = await saidOfEach(
      'C_i = { A_i if i < a; B_{i-a} otherwise }',
      'A ∈ [0, 1]^a, B ∈ [0, 1]^b, C ∈ ℝ^{a+b}',
      ['sum(C) ≥ 0', 'C_a ≥ 2'],
    );
    expect(said?.word).not.toBe('false');
  });

  it('may read nothing, or nothing at the index', async () => {
    expect(await wordsOf('P_i = { A_i if i < a; 0 otherwise }', 'A ∈ [0, 1]^a', ['P ≥ 0'])).toEqual(['held']);
    expect(await wordsOf('P_i = { A_i if i < a; A_0 otherwise }', 'A ∈ [0, 1]^a', ['P ≥ 0'])).toEqual(['held']);
    expect(await wordsOf('P_i = { A_i if i < 3; 2·A_i otherwise }', 'A ∈ [0, 1]^a', ['P ≥ 0'])).toEqual(['held']);
  });
});
