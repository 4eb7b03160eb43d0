/** Claims that name a row which the data do not have are open, neither satisfied nor violated. */
import { describe, expect, it } from 'vitest';
import { checkData } from '../../../src/data/judge/check-data.ts';
import { dataContract, log } from './data-sets.ts';

const contractOf = (formal: string) =>
  dataContract(`
data:
  kind: log
  domain: "loss ∈ F64_ext^T"
proof_obligations:
  - { id: CLAIM, type: bound, property: a row by its number, formal: "${formal}" }
`);

const verdictOn = async (formal: string, loss: readonly number[]) => {
  const found = await checkData(contractOf(formal), [log({ loss })], new Map());
  const [one] = found.obligations;
  return { verdict: one?.verdict, reason: one?.reason };
};

describe('a claim about a row by its number', () => {
  it.each([
    'loss_7 ≠ 2',
    'loss_7 ≤ 2',
    'loss_0 = 5 ∧ loss_7 = 1',
    'T > 1 ⟹ loss_7 ≠ 2',
    'Σ_t loss_t ≥ loss_2 ∨ loss_0 = 5',
  ])('is open where the data end before it: %s', async (formal) => {
    const { verdict, reason } = await verdictOn(formal, [5, 4]);
    expect(verdict).toBe('undetermined');
    expect(reason).toMatch(/^loss_[27] is beyond the last of 2 rows$/);
  });

  it.each([
    ['loss_1 ≠ 2', 'satisfied'],
    ['loss_1 ≤ 2', 'violated'],
    ['T > 7 ⟹ loss_7 ≤ 2', 'vacuous'],
    ['loss_0 = 4 ∧ loss_7 = 1', 'violated'],
  ])('is judged as before where it need not be read: %s is %s', async (formal, verdict) => {
    expect((await verdictOn(formal, [5, 4])).verdict).toBe(verdict);
  });

  it('is judged where the row is there', async () => {
    expect((await verdictOn('loss_7 ≠ 2', [1, 1, 1, 1, 1, 1, 1, 2])).verdict).toBe('violated');
    expect((await verdictOn('T > 7 ⟹ loss_7 ≤ 2', [1, 1, 1, 1, 1, 1, 1, 2])).verdict).toBe('satisfied');
  });
});
