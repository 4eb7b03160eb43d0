import { describe, expect, it } from 'vitest';
import { fraction } from '../../src/numeric/rational.ts';
import { integerRoot, rationalRoot } from '../../src/numeric/rational-root.ts';

describe('the largest whole number whose square is at most', () => {
  it.each([0n, 1n, 2n, 3n, 4n, 8n, 9n, 10n, 99n, 100n, 2n ** 53n, 10n ** 40n + 7n, 2n ** 3001n - 1n])('%d', (value) => {
    const root = integerRoot(value);
    expect(root * root).toBeLessThanOrEqual(value);
    expect((root + 1n) ** 2n).toBeGreaterThan(value);
  });

  it('a square is its root, and just below it one less', () => {
    for (const root of [1n, 2n, 7n, 10n ** 20n + 1n, 2n ** 700n + 3n]) {
      expect(integerRoot(root * root)).toBe(root);
      expect(integerRoot(root * root - 1n)).toBe(root - 1n);
    }
  });
});

describe('the root of a fraction', () => {
  it('is one where it is the square of one', () => {
    expect(rationalRoot(fraction(9n, 4n))).toEqual(fraction(3n, 2n));
    expect(rationalRoot(fraction(0n))).toEqual(fraction(0n));
    expect(rationalRoot(fraction(2n))).toBeNull();
    expect(rationalRoot(fraction(1n, 2n))).toBeNull();
    expect(rationalRoot(fraction(-4n))).toBeNull();
  });
});
