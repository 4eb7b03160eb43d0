import { describe, expect, it } from 'vitest';
import {
  ceilingFloat32,
  floorFloat32,
  isFloat32Value,
} from '../../../../src/bounded-proofs/engines/smt/float32-bounds.ts';
import { MAX_FLOAT32, nextDown32, nextUp32 } from '../../../../src/numeric/float.ts';
import { fraction, fromFloat } from '../../../../src/numeric/rational.ts';

const tenth = Math.fround(0.1);

describe('the float32 around a number', () => {
  it.each([
    ['1', fraction(1n), 1, 1],
    ['a tenth, which the nearest float32 is above', fraction(1n, 10n), nextDown32(tenth), tenth],
    ['minus a tenth', fraction(-1n, 10n), -tenth, -nextDown32(tenth)],
    ['just above 1', fraction(2n ** 60n + 1n, 2n ** 60n), 1, nextUp32(1)],
    ['just below 1', fraction(2n ** 60n - 1n, 2n ** 60n), nextDown32(1), 1],
    ['the greatest', fromFloat(MAX_FLOAT32), MAX_FLOAT32, MAX_FLOAT32],
    ['the least', fromFloat(-MAX_FLOAT32), -MAX_FLOAT32, -MAX_FLOAT32],
    ['beyond the greatest', fromFloat(1e39), MAX_FLOAT32, null],
    ['beyond the least', fromFloat(-1e39), null, -MAX_FLOAT32],
  ])('%s', (_, value, below, above) => {
    expect(floorFloat32(value)).toBe(below);
    expect(ceilingFloat32(value)).toBe(above);
    expect(isFloat32Value(value)).toBe(below === above);
  });
});
