/** Holds src/contract/elaborate/domains/declared-first.ts. */
import { describe, expect, it } from 'vitest';
import { elaborateEquationFromText } from '../../../../src/contract/elaborate/equations/from-text.ts';
import { adopted, contractOf, saidOf } from '../../../audit/adopt/adopted.ts';

describe('a domain that bounds a name after it uses it', () => {
  it.each([
    ['lr(t) = t / T', '0 ≤ t ≤ T, T ≥ 1'],
    ['lr(t) = t / T', 't ∈ [0, T], T > 0'],
    ['lr(t) = a + t / T', '0 ≤ a ≤ T, 0 ≤ t ≤ T, T ≥ 1'],
  ])('is understood as a whole: %s over %s', (formula, domain) => {
    const { model } = elaborateEquationFromText({ formula, domain });
    expect(model?.unread).toBeUndefined();
    expect(model).not.toBeNull();
  });

  it('holds both bounds', async () => {
    const claims = ['lr(t) ≤ 1', 'lr(t) ≥ 0', 'lr(t) ≤ 1/2', 'T ≥ 2'];
    for (const domain of ['0 ≤ t ≤ T, T ≥ 1', 't ∈ [0, T], T ≥ 1', 'T ≥ 1, 0 ≤ t ≤ T']) {
      const adoption = await adopted({ 'c-v1': contractOf('lr(t) = t / T', domain, claims) });
      expect(
        ['C-1', 'C-2', 'C-3'].map((claim) => saidOf(adoption, claim).word),
        domain,
      ).toEqual(['held', 'held', 'false']);
    }
  });

  it('stays open where nothing says more of either name', () => {
    expect(elaborateEquationFromText({ formula: 'lr(t) = t / T', domain: '0 ≤ t < T' }).model?.unread).toBeDefined();
  });
});
