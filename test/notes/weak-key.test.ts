/**
 * Keys under which a signature says nothing, and Ed25519 held to the vectors of others.
 *
 * Holds src/notes/key.ts.
 */
import { existsSync, readFileSync } from 'node:fs';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it, test } from 'vitest';
import { verifyEd25519 } from '../../src/notes/ed25519.ts';
import { formatVerifierKey, parseVerifierKey, verifierKey } from '../../src/notes/key.ts';
import { weaknessOf } from '../../src/notes/weak-key.ts';

/** Edwards25519 as RFC 8032, section 5.1, defines it. */
const p = 2n ** 255n - 19n;
const mod = (value: bigint): bigint => ((value % p) + p) % p;
function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let bit = exponent, square = mod(base); bit > 0n; bit >>= 1n, square = mod(square * square)) {
    if (bit & 1n) result = mod(result * square);
  }
  return result;
}
const inverse = (value: bigint): bigint => power(value, p - 2n);
const d = mod(-121665n * inverse(121666n));

function littleEndian(value: bigint): Uint8Array {
  return hexToBytes(value.toString(16).padStart(64, '0')).reverse();
}

/** A number whose square is `square`, or null: section 5.1.3. */
function squareRoot(square: bigint): bigint | null {
  const root = power(square, (p + 3n) / 8n);
  const candidates = [root, mod(root * power(2n, (p - 1n) / 4n))];
  return candidates.find((candidate) => mod(candidate * candidate) === mod(square)) ?? null;
}

/** x² = (y² − 1) / (d·y² + 1). */
const xOf = (y: bigint): bigint | null => squareRoot(mod((y * y - 1n) * inverse(mod(d * y * y + 1n))));

/** The y of 2·(x, y). */
function doubled(x: bigint, y: bigint): [bigint, bigint] {
  const product = mod(d * x * x * y * y);
  return [mod(2n * x * y * inverse(1n + product)), mod((y * y + x * x) * inverse(mod(1n - product)))];
}

/** The smallest k ≤ 3 for which 2ᵏ·(x, y) is the neutral point (0, 1); null where there is none. */
function orderLog(y: bigint): number | null {
  const x = xOf(y);
  if (x === null) return null;
  let point: [bigint, bigint] = [x, y];
  for (let doublings = 0; doublings <= 3; doublings += 1) {
    if (point[0] === 0n && point[1] === 1n) return doublings;
    point = doubled(...point);
  }
  return null;
}

/** The y of order 8: doubled they give y = 0, which is y² = −x², and with it d·y⁴ + 2·y² − 1 = 0. */
function yOfOrder8(): bigint[] {
  const root = squareRoot(mod(1n + d)) ?? 0n;
  return [mod((-1n + root) * inverse(d)), mod((-1n - root) * inverse(d))].flatMap((square) => {
    const y = squareRoot(square);
    return y === null ? [] : [y, p - y];
  });
}

describe('weak keys', () => {
  const small = [0n, 1n, p - 1n, ...yOfOrder8()].filter((y) => orderLog(y) !== null);

  it('are all points of an order of 1, 2, 4 and 8, with either sign', () => {
    expect(small.map(orderLog)).toEqual([2, 0, 1, 3, 3]);
    for (const y of small) {
      const bytes = littleEndian(y);
      expect(weaknessOf(bytes), bytesToHex(bytes)).toMatch('small order');
      bytes[31] = (bytes[31] ?? 0) | 0x80;
      expect(weaknessOf(bytes), bytesToHex(bytes)).toMatch('small order');
    }
  });

  it('are the encodings beyond the field, and not the largest within it', () => {
    for (let over = 0n; over < 19n; over += 1n) expect(weaknessOf(littleEndian(p + over))).toMatch('RFC 8032');
    expect(weaknessOf(littleEndian(p - 2n))).toBeNull();
    for (const at of [1, 7, 30, 31]) {
      const nearly = littleEndian(p);
      nearly[at] = (nearly[at] ?? 0) - 1;
      expect(weaknessOf(nearly), `byte ${at}`).toBeNull();
    }
  });

  it('are not verifier keys, and nothing is signed by them', async () => {
    const message = new TextEncoder().encode('anything');
    for (const y of small) {
      const key = verifierKey('example.org/a', 'ed25519', littleEndian(y));
      const parsed = parseVerifierKey(formatVerifierKey(key));
      expect(parsed.ok ? null : parsed.error).toMatchObject({ code: 'PV-8051', check: 'key strength' });
      // R = −h·A is one of the eight points whatever the message is, and s = 0: one of them always fits.
      for (const point of small) {
        for (const sign of [0, 0x80]) {
          const signature = new Uint8Array(64);
          signature.set(littleEndian(point));
          signature[31] = (signature[31] ?? 0) | sign;
          expect(await verifyEd25519(key.publicKey, message, signature)).toBe('invalid');
        }
      }
    }
  });
});

interface Wycheproof {
  readonly testGroups: readonly {
    readonly publicKey: { readonly pk: string };
    readonly tests: readonly {
      readonly tcId: number;
      readonly msg: string;
      readonly sig: string;
      readonly result: string;
    }[];
  }[];
}
interface EdgeCase {
  readonly message: string;
  readonly pub_key: string;
  readonly signature: string;
}
const folder = new URL('../../../shared/data/crypto/', import.meta.url);
const present = existsSync(folder);
const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));

test.each(present ? [] : ['shared data absent: no published Ed25519 vector was checked'])('%s', () => {
  expect(present).toBe(false);
});

describe.runIf(present)('vectors of others (../shared/data/crypto)', () => {
  it('agrees with all of Wycheproof', async () => {
    const wrong: number[] = [];
    let count = 0;
    // The cast: what the file holds is stated by its README.
    const { testGroups } = read('wycheproof_ed25519_test.json') as Wycheproof;
    for (const { publicKey, tests } of testGroups) {
      for (const { tcId, msg, sig, result } of tests) {
        const state = await verifyEd25519(hexToBytes(publicKey.pk), hexToBytes(msg), hexToBytes(sig));
        if (state !== result) wrong.push(tcId);
        count += 1;
      }
    }
    expect({ count, wrong }).toEqual({ count: 151, wrong: [] });
  });

  it('accepts of the edge cases those that every verifier without cofactor accepts under a key that is not weak', async () => {
    const accepted: number[] = [];
    for (const [index, edge] of (read('ed25519-speccheck-cases.json') as EdgeCase[]).entries()) {
      const [key, message, signature] = [edge.pub_key, edge.message, edge.signature].map(hexToBytes);
      if (key === undefined || message === undefined || signature === undefined) continue;
      if ((await verifyEd25519(key, message, signature)) === 'valid') accepted.push(index);
    }
    expect(accepted).toEqual([3, 4]);
  });
});
