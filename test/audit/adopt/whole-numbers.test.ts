/** Holds src/audit/adopt/whole-numbers.ts. */
import { describe, expect, it } from 'vitest';
import { saidOfEach, wordsOf } from './adopted.ts';

describe('whole numbers, which programs do not round', () => {
  it.each([
    ['rank = (d·P + p)·T + t', 'd, p, t ∈ ℕ; P, T ∈ ℕ⁺; p < P; t < T', ['rank mod T = t', '⌊rank / T⌋ mod P = p']],
    ['w = d·t·p', 'd, t, p ∈ ℕ⁺', ['w mod t = 0', 'w ≥ max(d, t, p)']],
  ])('are held where only floats break them: %s', async (formula, domain, claims) => {
    for (const said of await saidOfEach(formula, domain, claims))
      expect(said, said.reason).toMatchObject({ word: 'held' });
  });

  it('are false where exact arithmetic breaks them', async () => {
    const claims = ['rank mod P = p', '⌊rank / P⌋ mod T = t'];
    expect(await wordsOf('rank = (d·P + p)·T + t', 'd, p, t ∈ ℕ; P, T ∈ ℕ⁺; p < P; t < T', claims)).toEqual([
      'false',
      'false',
    ]);
  });

  it('are rounded by quotients and roots of small numbers, as everywhere', async () => {
    expect(await wordsOf('r = 1/n', 'n ∈ ℕ⁺, n ≤ 1000', ['r·n = 1'])).toEqual(['false-in-float32']);
    expect(await wordsOf('r = √n', 'n ∈ ℕ⁺, n ≤ 1000', ['r·r = n'])).toEqual(['false-in-float32']);
  });

  it('say where floats round them', async () => {
    const [said] = await saidOfEach('w = d·t', 'd, t ∈ ℕ⁺', ['w mod t = 0']);
    expect(said?.reason).toMatch(
      /; float arithmetic breaks it where it rounds whole numbers, such as d = \d+, t = \d+$/u,
    );
  });
});
