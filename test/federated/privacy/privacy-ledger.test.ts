import { expect, test } from 'vitest';
import { gaussianEpsilon } from '../../../src/federated/privacy/gaussian.ts';
import {
  spend,
  spentEpsilon,
  type PrivacyAccount,
  type RoundReleases,
} from '../../../src/federated/privacy/privacy-ledger.ts';

const empty: PrivacyAccount = {
  client: 'a',
  neighbours: 'add-or-remove-one',
  delta: 1e-5,
  budget: 6,
  releases: [],
};
const release = (roundId: string, noiseMultiplier = 2): RoundReleases => ({
  roundId,
  noiseMultiplier,
  samplingRate: 1,
  count: 1,
});

test('rounds add up as one release with their joint noise', () => {
  let account = empty;
  for (const [i, sigma] of [2, 3, 6].entries()) {
    const next = spend(account, release(`r${i}`, sigma));
    if (!next.ok) expect.fail(next.error.message);
    account = next.value;
  }
  expect(spentEpsilon(account)).toBe(gaussianEpsilon(Math.sqrt(1 / 4 + 1 / 9 + 1 / 36), 1e-5));
  expect(spentEpsilon(empty)).toBe(0);
});

test('replacing a contribution doubles the sensitivity and credits no sampling', () => {
  const spent = { ...empty, releases: [{ ...release('r', 4), samplingRate: 0.01 }] };
  expect(spentEpsilon({ ...spent, neighbours: 'replace-one' })).toBe(gaussianEpsilon(0.5, 1e-5));
  expect(spentEpsilon(spent)).toBeLessThan(gaussianEpsilon(0.25, 1e-5));
});

test('the budget ends a series of rounds, and the refusal says what it would have cost', () => {
  let account = empty;
  let rounds = 0;
  for (;;) {
    const next = spend(account, release(`r${rounds}`));
    if (!next.ok) {
      expect(next.error.name).toBe('budget_exceeded');
      expect(next.error.epsilon).toBeGreaterThan(6);
      break;
    }
    account = next.value;
    rounds += 1;
  }
  expect(rounds).toBeGreaterThan(2);
  expect(spentEpsilon(account)).toBeLessThanOrEqual(6);
});

test('no noise, a repeated round and wild numbers are refused', () => {
  const name = (one: RoundReleases, account = empty) => {
    const next = spend(account, one);
    return next.ok ? 'ok' : next.error.name;
  };
  for (const sigma of [0, -1, NaN]) expect(name(release('r', sigma))).toBe('no_noise');
  for (const count of [NaN, -1, 0, 0.5, Infinity]) expect(name({ ...release('r'), count })).toBe('release_invalid');
  for (const samplingRate of [NaN, -1, 0, 2]) expect(name({ ...release('r'), samplingRate })).toBe('release_invalid');
  expect(name(release('r'), { ...empty, releases: [release('r')] })).toBe('round_repeated');
  expect(name(release('r'), { ...empty, budget: NaN })).toBe('budget_exceeded');
});
