import { bytesToHex } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { combineShares, mostShares, shareAt } from '../../../src/federated/secure/shamir.ts';

const secretOf = fc.uint8Array({ minLength: 4, maxLength: 4 });
const sharing = fc.integer({ min: 1, max: 12 }).chain((threshold) =>
  fc.record({
    threshold: fc.constant(threshold),
    secret: secretOf,
    coefficients: fc.array(secretOf, { minLength: threshold - 1, maxLength: threshold - 1 }),
    points: fc.uniqueArray(fc.integer({ min: 1, max: mostShares }), { minLength: threshold, maxLength: threshold }),
  }),
);

describe('shares of a secret', () => {
  it('give it back, as many as the threshold and in any order', () => {
    fc.assert(
      fc.property(sharing, ({ secret, coefficients, points }) => {
        const shares = points.map((point) => shareAt(point, secret, coefficients));
        expect(combineShares(shares)).toEqual(secret);
        expect(combineShares(shares.toReversed())).toEqual(secret);
      }),
    );
  });

  it('say nothing about it, one fewer than the threshold: every secret fits them equally well', () => {
    // Of one byte: for two shares and each secret there is exactly one pair of coefficients.
    const [first, second] = [
      shareAt(3, Uint8Array.of(7), [Uint8Array.of(9), Uint8Array.of(200)]),
      shareAt(8, Uint8Array.of(7), [Uint8Array.of(9), Uint8Array.of(200)]),
    ];
    const fitting = new Set<string>();
    for (let third = 0; third < 256; third++)
      fitting.add(bytesToHex(combineShares([first, second, { point: 77, bytes: Uint8Array.of(third) }])));
    expect(fitting.size).toBe(256);
  });

  it('are those of the field of AES: 0x53 · 0xca = 1', () => {
    // Horner's rule at 0x53 with the coefficient 0xca of x.
    expect(shareAt(0x53, Uint8Array.of(0), [Uint8Array.of(0xca)]).bytes).toEqual(Uint8Array.of(1));
  });

  it('give another secret without any error if one of them is wrong', () => {
    const shares = [1, 2, 3].map((point) =>
      shareAt(point, Uint8Array.of(1, 2), [Uint8Array.of(5, 6), Uint8Array.of(7, 8)]),
    );
    const [one, ...others] = shares;
    expect(
      combineShares([{ point: 1, bytes: Uint8Array.from(one?.bytes ?? [], (byte) => byte ^ 1) }, ...others]),
    ).not.toEqual(Uint8Array.of(1, 2));
  });

  it('take no point twice, and none outside 1 to 255', () => {
    const share = shareAt(1, Uint8Array.of(1), []);
    expect(() => combineShares([share, share])).toThrow('the points of shares differ');
    for (const point of [0, 256, 1.5, Number.NaN])
      expect(() => shareAt(point, Uint8Array.of(1), [])).toThrow('a share has a point from 1 to 255');
  });
});
