/**
 * Shamir's secret sharing over GF(2⁸) with x⁸ + x⁴ + x³ + x + 1, byte by byte (Shamir 1979, How to Share a Secret).
 *
 * Fewer shares than the threshold say nothing about the secret. A wrong share gives a wrong secret and no error: commit to the secret
 * and to each share. No branch and no index depends on a secret.
 */
import { invariant } from '../../base/invariant.ts';

/** Points are 1 … 255; 0 is the secret's. */
export const mostShares = 255;

/** One share: the polynomials' values at `point`, as many bytes as the secret has. */
export interface Share {
  readonly point: number;
  readonly bytes: Uint8Array;
}

function multiply(left: number, right: number): number {
  let product = 0;
  let a = left;
  for (let b = right, bit = 0; bit < 8; bit++, b >>= 1) {
    product ^= a & -(b & 1);
    a = ((a << 1) & 0xff) ^ (0x1b & -(a >> 7));
  }
  return product;
}

/** a²⁵⁴, which is 1/a. */
function inverse(a: number): number {
  let result = a;
  for (let i = 0; i < 6; i++) result = multiply(multiply(result, result), a);
  return multiply(result, result);
}

/**
 * The share of `secret` at `point`. `coefficients` are those of x¹, x², …, each as long as the secret: uniformly random, secret, and used
 * for this secret alone. The threshold is one more than there are.
 */
export function shareAt(point: number, secret: Uint8Array, coefficients: readonly Uint8Array[]): Share {
  invariant(Number.isInteger(point) && point >= 1 && point <= mostShares, 'a share has a point from 1 to 255');
  const bytes = new Uint8Array(secret.length);
  for (const terms of [...coefficients.toReversed(), secret]) {
    invariant(terms.length === secret.length, 'coefficients are as long as the secret');
    for (let i = 0; i < bytes.length; i++) bytes[i] = multiply(bytes[i] ?? 0, point) ^ (terms[i] ?? 0);
  }
  return { point, bytes };
}

/** The secret of exactly as many shares as the threshold, by Lagrange's formula at 0; their points must differ. */
export function combineShares(shares: readonly Share[]): Uint8Array {
  const points = shares.map(({ point }) => point);
  invariant(new Set(points).size === points.length && !points.includes(0), 'the points of shares differ');
  const secret = new Uint8Array(shares[0]?.bytes.length ?? 0);
  for (const { point, bytes } of shares) {
    let factor = 1;
    for (const other of points) {
      if (other !== point) factor = multiply(factor, multiply(other, inverse(other ^ point)));
    }
    for (let i = 0; i < secret.length; i++) secret[i] = (secret[i] ?? 0) ^ multiply(factor, bytes[i] ?? 0);
  }
  return secret;
}
