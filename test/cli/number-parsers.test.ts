import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { integerBetween, parseNumber, secondsBetween } from '../../src/cli/number-parsers.ts';

describe('parseNumber', () => {
  it.each([
    ['0', 0],
    ['-1.5', -1.5],
    ['+2', 2],
    ['.5', 0.5],
    ['5.', 5],
    ['1e-6', 1e-6],
    ['1E3', 1000],
  ])('reads %s', (text, value) => {
    expect(parseNumber(text)).toBe(value);
  });

  it.each(['', ' ', 'abc', '1e', '0x10', 'Infinity', '-Infinity', 'NaN', '1,5', '1 2', '1e999', '1_000', '--1'])(
    'refuses %j',
    (text) => {
      expect(() => parseNumber(text)).toThrow(RangeError);
    },
  );

  it('reads every finite double that JavaScript prints', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => parseNumber(String(value)) === value),
    );
  });
});

describe('integerBetween', () => {
  it('reads integers in the range, with digits grouped or not', () => {
    expect(integerBetween(1, 256)('1')).toBe(1);
    expect(integerBetween(1, 256)('256')).toBe(256);
    expect(integerBetween(0)('10_000')).toBe(10_000);
  });

  it.each(['0', '257', '-1', '1.0', '1e2', 'abc', '', ' 1', '1_', '_1', '1__0', '99999999999999999999'])(
    'refuses %j',
    (text) => {
      expect(() => integerBetween(1, 256)(text)).toThrow(RangeError);
    },
  );

  it('accepts exactly the integers of its range', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), fc.maxSafeInteger(), (a, b, value) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        const read = () => integerBetween(low, high)(String(value));
        if (value >= low && value <= high) expect(read()).toBe(value);
        else expect(read).toThrow(RangeError);
      }),
    );
  });
});

describe('secondsBetween', () => {
  it.each([
    ['30', 30],
    ['30s', 30],
    ['2m', 120],
    ['24h', 86_400],
  ])('reads %s', (text, value) => {
    expect(secondsBetween(1, 86_400)(text)).toBe(value);
  });

  it.each(['0', '0s', '-5s', '1.5m', '30 s', '500ms', 's', '', '25h', '86401', '1d'])('refuses %j', (text) => {
    expect(() => secondsBetween(1, 86_400)(text)).toThrow(RangeError);
  });
});
