import { describe, expect, it } from 'vitest';
import { generateSigner, parseSignerKey } from '../../../src/notes/signer.ts';
import { leastThreshold, secureRound, type SecureParameters } from '../../../src/federated/secure/secure-round.ts';
import { codeOf, nameOf, parametersOf, signers, value } from './parties.ts';

const fair = parametersOf({ count: 5 });
const refusal = (change: Partial<SecureParameters>): string => {
  const result = secureRound({ ...fair, ...change });
  return result.ok ? 'accepted' : result.error.detail;
};

describe('the parameters of a secure round', () => {
  it('have a threshold above half, or above two thirds against an active coordinator, and never below 3', () => {
    for (let n = 3; n <= 255; n++) {
      const [half, third] = [
        leastThreshold(n, 'semi-honest', 'double_mask'),
        leastThreshold(n, 'active', 'double_mask'),
      ];
      expect(half).toBeGreaterThan(n / 2);
      expect(third).toBeGreaterThan((2 * n) / 3);
      expect(Math.min(half, third)).toBeGreaterThanOrEqual(3);
      expect(leastThreshold(n, 'active', 'additive_pairwise')).toBe(n);
    }
    expect(refusal({ threshold: 2 })).toContain('from 3 to 5');
    expect(refusal({ threshold: 3, adversary: 'active' })).toContain('from 4 to 5');
    expect(refusal({ threshold: 6 })).toContain('from 3 to 5');
    expect(refusal({ threshold: 3.5 })).toContain('not 3.5');
    expect(refusal({ threshold: 4, scheme: 'additive_pairwise' })).toContain('from 5 to 5');
  });

  it('refuse sums that could wrap around', () => {
    expect(refusal({ fractionBits: 30, bound: 1, maxWeight: 1 })).toContain('could wrap around');
  });

  it('refuse fewer than 3 participants, and one person under two names', () => {
    expect(refusal({ participants: fair.participants.slice(0, 2) })).toContain('not 2');
    expect(refusal({ participants: Array.from({ length: 256 }, (_, i) => String(i)) })).toContain('not 256');
    expect(refusal({ participants: [...fair.participants.slice(0, 4), fair.participants[0] ?? ''] })).toContain(
      'same public key',
    );
    const again = value(
      parseSignerKey(value(generateSigner('another.example', 'ed25519', new Uint8Array(32).fill(1))).signerKey),
    );
    expect(refusal({ participants: [...fair.participants.slice(0, 4), nameOf(again)] })).toContain('same public key');
    expect(refusal({ participants: [...fair.participants.slice(0, 4), 'node+1'] })).toContain('verifier key');
  });

  it('refuse what is not a round, a manifest or a length', () => {
    for (const change of [
      { roundId: '' },
      { roundId: '\ud800' },
      { roundId: 'x'.repeat(65) },
      { manifestSha: 'AB'.repeat(32) },
      { manifestSha: 'ab' },
      { length: 0 },
      { length: 1.5 },
      { length: 2 ** 26 + 1 },
    ])
      expect(codeOf(secureRound({ ...fair, ...change }))).toBe('secure_round_invalid');
  });

  it('are all part of the context, which the order of participants does not change', () => {
    const { context } = value(secureRound(fair));
    expect(value(secureRound({ ...fair, participants: fair.participants.toReversed() })).context).toBe(context);
    const changes: Partial<SecureParameters>[] = [
      { roundId: 'other' },
      { manifestSha: 'cd'.repeat(32) },
      { threshold: 4 },
      { adversary: 'active', threshold: 4 },
      { length: 6 },
      { bound: 0.5 },
      { maxWeight: 9 },
      { fractionBits: 15 },
      { scheme: 'additive_pairwise', threshold: 5 },
      { participants: signers(6).slice(1).map(nameOf) },
    ];
    const contexts = changes.map((change) => value(secureRound({ ...fair, ...change })).context);
    expect(new Set([context, ...contexts]).size).toBe(changes.length + 1);
  });
});
