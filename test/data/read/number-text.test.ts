import { describe, expect, test } from 'vitest';
import { numberFromText } from '../../../src/data/read/number-text.ts';

describe('numbers as people write them', () => {
  test.each<readonly [string, number]>([
    ['2K', 2000],
    ['1.5M', 1.5e6],
    ['1.1M', 1_100_000],
    ['0.29B', 290_000_000],
    ['1_000', 1000],
    ['5_000.5', 5000.5],
    ['3e-4', 3e-4],
    ['3E4', 3e4],
    ['5%', 0.05],
    ['-.5', -0.5],
    ['1,234,567', 1_234_567],
    ['0x10', 16],
    ['inf', Infinity],
    ['-Infinity', -Infinity],
    ['.nan', NaN],
    [' 7 ', 7],
  ])('%s is %d', (text, value) => {
    expect(numberFromText(text)).toBe(value);
  });

  test.each(['', 'K', 'abc', '1.2.3', '12:30', '1__0', '_1', '2 4', 'e5', '.', '1,23', '--1', 'nanny', '9'.repeat(65)])(
    '%j is none',
    (text) => {
      expect(numberFromText(text)).toBeNull();
    },
  );
});
