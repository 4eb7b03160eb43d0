import { describe, expect, it } from 'vitest';
import { MAX_FLOAT32 } from '../../src/numeric/float.ts';
import { floatLimit } from '../../src/runtime/float-limits.ts';

describe('what float32 has to do with a difference', () => {
  it('is overflow where the right side is not a float32 number any more', () => {
    expect(floatLimit(Infinity, 4e38, true)).toContain('beyond the largest float32 number');
    expect(floatLimit(-Infinity, -4e38, false)).toContain('beyond the largest float32 number');
    expect(floatLimit(Infinity, MAX_FLOAT32, true)).toBeNull();
    expect(floatLimit(Infinity, Infinity, true)).toBeNull();
    expect(floatLimit(1, 4e38, true)).toBeNull();
  });
  it('is few digits near zero, which a tolerance has to allow for', () => {
    expect(floatLimit(1.401298464324817e-45, 1.4012970630263563e-45, true)).toContain('abs: 1.2e-38');
    expect(floatLimit(0, 1e-40, true)).toContain('absolute part');
    expect(floatLimit(1, 1e-40, true)).toBeNull();
    expect(floatLimit(1.01, 1, true)).toBeNull();
  });
  it('is the nearest number where a decimal is not a float', () => {
    expect(floatLimit(Math.fround(-0.01), -0.01, false)).toContain('compare with ≈');
    expect(floatLimit(0.5, 0.25, false)).toBeNull();
    expect(floatLimit(NaN, 0.1, false)).toBeNull();
  });
});
