import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { floatFormats } from '../../src/numeric/float-format.ts';
import { shortestText } from '../../src/numeric/shortest-text.ts';

describe('shortestText', () => {
  it.each(['f16', 'bf16', 'f32', 'f64'] as const)('reads back in %s', (format) => {
    fc.assert(
      fc.property(fc.double(), (x) => {
        const value = floatFormats[format].round(x);
        expect(floatFormats[format].round(Number(shortestText(value, format)))).toBe(value);
      }),
    );
  });

  it('is short', () => {
    const texts = [0.1, 1 / 3, 3.4028234663852886e38, 2 ** -149, 1e10, 16777216, -0, 100, NaN, -Infinity].map((x) =>
      shortestText(Math.fround(x), 'f32'),
    );
    expect(texts).toEqual([
      '0.1',
      '0.33333334',
      '3.4028235e38',
      '1e-45',
      '1e10',
      '16777216',
      '-0',
      '100',
      'NaN',
      '-Infinity',
    ]);
  });
});
