/** Holds src/methods/steering/ranges.ts and src/plan/all-tried.ts. */
import { describe, expect, it } from 'vitest';
import { equationKernel } from '../../../src/backends/equation-kernel.ts';
import { emptyTally, gradeTally, note } from '../../../src/methods/runs/tally.ts';
import { emptyOutcome } from '../../../src/runtime/check-case.ts';
import { saidOfEach } from '../../audit/adopt/adopted.ts';

describe('a premise that no input met', () => {
  it('is empty where ranges show it', async () => {
    const claims = [
      'f < 0 ⟹ f > 1',
      '|x| + 1 < 1 ⟹ f > 1',
      'min(n, 3) > 3 ⟹ f > 1',
      'n = 2.5 ⟹ f > 1',
      'exp(x) < 0 ⟹ f > 1',
    ];
    const said = await saidOfEach('f = x^2', 'x ∈ ℝ, n ∈ ℕ, n ≤ 50', claims);
    expect(said.map(({ word }) => word)).toEqual(claims.map(() => 'vacuous'));
    expect(said[0]).toMatchObject({ reason: 'no input of the domain meets its premise' });
  });

  it('is empty where all inputs were tried', async () => {
    const [said] = await saidOfEach('f = n^2', 'n ∈ ℕ, n ≤ 50', ['n^2 = 50 ⟹ f > 1']);
    expect(said).toMatchObject({ word: 'vacuous', reason: expect.stringContaining('none of 51 inputs') });
  });

  it('may be met by others', async () => {
    const claims = ['1 / x + 1 / y < 0 ⟹ f > 1', 'x·y < 0 ⟹ f > 1'];
    const said = await saidOfEach('f = x^2', 'x, y ∈ ℝ, 1 ≤ x ≤ 4, 1 ≤ y ≤ 4', claims);
    expect(said.map(({ word, reason }) => [word, /^none of [\d,]+ inputs met its premise$/u.test(reason)])).toEqual([
      ['not-run', true],
      ['vacuous', false],
    ]);
  });

  it('does not make a claim hold where hardly any met it', async () => {
    const claims = ['a·b·c = 1000003·a ⟹ f > 0'];
    const [said] = await saidOfEach(
      'f = a^2',
      'a, b, c ∈ ℕ, 900 ≤ a ≤ 30000, 900 ≤ b ≤ 30000, 900 ≤ c ≤ 30000',
      claims,
    );
    expect(said?.word).toBe('not-run');
  });
});

it('the reason says how many inputs met the premise', async () => {
  const [said] = await saidOfEach('f = x^2', 'x ∈ ℝ', ['x > 2 ⟹ f > 4']);
  expect(said?.word).toBe('held');
  expect(said?.reason).toMatch(
    /^held on \d+ inputs over ℝ and [\d,]+ inputs in float arithmetic that meet its premise \(of \d+ and [\d,]+ tried\)$/u,
  );
});

describe('an empty domain', () => {
  it('is named, with the bounds that contradict', async () => {
    const claims = ['f ≥ 1', 'f ≠ 0'];
    const said = await saidOfEach('f = 2·x', 'x ∈ ℝ, x ≥ 3, x ≤ 2', claims);
    for (const one of said) {
      expect(one).toMatchObject({ word: 'vacuous', reason: 'the domain is empty: no x is at least 3 and at most 2' });
      expect(one.mend).toMatch(/^change the domain/u);
    }
  });

  it('is none that a single number meets, which shows little', async () => {
    const said = await saidOfEach('f = 2·x', 'x ∈ ℝ, x ≥ 3, x ≤ 3', ['f = 6', 'f = 7']);
    expect(said.map(({ word }) => word)).toEqual(['not-run', 'false']);
    expect(said[0]?.reason).toContain('only one input');
  });
});

it('a claim with ≠ is not asked for a tolerance', async () => {
  const [said] = await saidOfEach('f = x + 1', 'x ∈ ℝ, 1e8 ≤ x ≤ 1e9', ['f ≠ x']);
  expect(said).toMatchObject({ word: 'false-in-float32', mend: expect.stringMatching(/^correct the claim/u) });
});

describe('a loop that is too long to run', () => {
  it('is left out and counted, and breaks nothing', () => {
    const tooLong = (): never => {
      throw new RangeError('a loop from 1 to 151836372 is longer than 134217728 steps');
    };
    const kernel = equationKernel({ equation: tooLong, arithmetic: 'f32', parameters: 1, sizes: 0 });
    const ran = kernel.runSync?.({ arguments: [151836372], shapes: [[]], outputShape: [] });
    expect(ran).toMatchObject({ ok: false, failure: { kind: 'too-long' } });
    const tally = emptyTally();
    const candidate = { sizes: [], values: [1] };
    const problem = { kind: 'too-long', message: 'a loop is too long' };
    expect(note(tally, 'broken', candidate, { ...emptyOutcome(), problem })).toBe(true);
    expect(gradeTally(tally, 2, false).verdict).toBe('undetermined');
    expect(note(tally, 'held', candidate, emptyOutcome())).toBe(true);
    expect(tally).toMatchObject({ broken: null, cases: 1 });
    expect(gradeTally(tally, 2, false)).toEqual({
      verdict: 'incomplete',
      reason: '1 of 2 inputs were left out: a loop is too long',
    });
  });
});

it('what holds in float arithmetic and is false over ℝ is marked', async () => {
  const [said] = await saidOfEach('f(x) = 1 / (1 + exp(-x))', 'x ∈ ℝ, 20 ≤ x ≤ 80', ['f(x) ≥ 1']);
  expect(said).toMatchObject({ word: 'held', roundedOnly: true });
});
