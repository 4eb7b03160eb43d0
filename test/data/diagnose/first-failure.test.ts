/** The rows in which a claim fails first: those of one step, and how far ahead the claim looks from there. */
import { describe, expect, it } from 'vitest';
import { firstFailure } from '../../../src/data/diagnose/first-failure.ts';
import { bindInputs } from '../../../src/data/judge/inputs.ts';
import { claims, modelOf } from '../judge/claims.ts';
import { config, log } from '../judge/data-sets.ts';

async function failureOf(
  formal: string,
  columns: Parameters<typeof log>[0],
  domain = 'step ∈ F64^T, x ∈ F64_ext^T, lag ∈ ℕ',
) {
  const contract = claims('log', domain, [formal]);
  const model = modelOf(contract);
  const [goal] = contract.dataGoals;
  if (!goal) throw new Error('it is a claim');
  const bound = bindInputs(contract.contract, model, [log(columns), config({ lag: 2 })], new Map());
  const found = await firstFailure(goal, model, bound);
  return found && { ...found, places: found.places.map(({ path, at }) => `${path}:${at}`) };
}

describe('the first failure', () => {
  it('does not exist where the claim holds, or is about no rows', async () => {
    expect(await failureOf('x_t ≤ 9', { x: [1, 2] })).toBeNull();
    expect(await failureOf('Σ_t x_t ≤ 1', { x: [1, 2] })).toBeNull();
  });

  it('is of all rows where they have no step', async () => {
    expect(await failureOf('x_t ≤ 1', { x: [1, 2, 0, 3] })).toEqual({
      step: null,
      seenBy: null,
      evaluated: 4,
      failed: 2,
      places: ['run.jsonl:2', 'run.jsonl:4'],
    });
  });

  it('is of the rows of its step alone', async () => {
    const columns = { step: [0, 0, 5, 5, 5, 7], x: [1, 1, 1, 2, 3, 4] };
    expect(await failureOf('x_t ≤ 1', columns)).toEqual({
      step: 5,
      seenBy: 5,
      evaluated: 3,
      failed: 2,
      places: ['run.jsonl:4', 'run.jsonl:5'],
    });
  });

  it('counts only rows that the claim says something about', async () => {
    const columns = { step: [5, 5, 5, 5], x: [0, 2, 3, 4] };
    expect(await failureOf('x_t > 2 ⟹ x_t ≤ 3', columns)).toMatchObject({ evaluated: 2, failed: 1 });
  });

  it('is where the rows of the file are, of those that have all columns', async () => {
    const columns = { step: [1, 2, 3], x: [null, 1, 9] };
    expect(await failureOf('x_t ≤ 1', columns)).toMatchObject({ step: 3, places: ['run.jsonl:3'] });
  });

  it('has no step where the row has none', async () => {
    expect(await failureOf('x_t ≤ 1', { step: [1, null], x: [1, 9] })).toMatchObject({ step: null, seenBy: null });
    expect(await failureOf('x_t ≤ 1', { step: [1, Number.NaN], x: [1, 9] })).toMatchObject({ step: null });
  });

  it.each([
    ['∀ t ∈ [0, T-2): x_{t+2} ≤ x_t', 30],
    ['∀ t ∈ [0, T-lag): x_{t+lag} ≤ x_t', 30],
    ['∀ t ∈ [0, T-2): max(x_{t+1}, x_t) ≤ x_t', 30],
    ['∀ t ∈ [0, T-2): Σ_{k<2} x_{t+k} ≤ 2', 20],
    ['t ≥ 1 ⟹ x_t ≤ x_{t-1}', 30],
  ])('is seen as late as the last row that the claim reads: %s', async (formal, seenBy) => {
    const found = await failureOf(formal, { step: [10, 20, 30, 40], x: [1, 1, 2, 3] });
    expect(found?.seenBy).toBe(seenBy);
  });

  it('shows at most eight rows', async () => {
    const found = await failureOf('x_t ≤ 1', { x: Array.from({ length: 12 }, () => 2) });
    expect([found?.failed, found?.places.length]).toEqual([12, 8]);
  });
});
