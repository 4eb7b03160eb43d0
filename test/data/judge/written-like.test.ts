import { describe, expect, it } from 'vitest';
import { writtenLike } from '../../../src/data/judge/written-like.ts';
import { numberFromText } from '../../../src/data/read/number-text.ts';

describe('a number in the style of another', () => {
  it.each([
    ['5%', 0.05, 0.1, '10%'],
    ['2.5 %', 0.025, 0.05, '5 %'],
    ['4800ba', 4800, 20000, '20000ba'],
    ['0ba', 0, 20000, '20000ba'],
    ['1_000', 1000, 20000, '20_000'],
    ['1_000', 1000, 999, '999'],
    ['1_000', 1000, 1234567, '1_234_567'],
    ['1_000.5', 1000.5, 20000.5, '20_000.5'],
    ['1,000', 1000, 20000, '20,000'],
    ['1_000', 1000, 1e21, '1e+21'],
    ['3e-4', 0.0003, 0.0005, '5e-4'],
    ['1e3', 1000, 2000, '2e3'],
    ['1E5', 1e5, 3e5, '3e5'],
    ['1K', 1024, 2048, '2K'],
    ['1K', 1024, 5031, '5031'],
    ['1M', 1e6, 2.5e6, '2.5M'],
    ['0K', 0, 2048, '2048'],
    ['0%', 0, 0.1, '0.1'],
    ['10', 10, 5, '5'],
    ['1.5', 1.5, 1e21, '1e+21'],
    ['.5', 0.5, 0.25, '0.25'],
    ['-5', -5, -7, '-7'],
    ['+5', 5, 7, '7'],
    [' 5 ', 5, 7, '7'],
    ['nan', Number.NaN, 2, '2'],
    ['one', 1, 2, '2'],
  ])('%s, worth %d, and %d: %s', (text, value, becomes, expected) => {
    expect(writtenLike(text, value, becomes)).toBe(expected);
  });

  it.each([
    ['5%', 0.05, 0.3],
    ['0%', 0, 0.1],
    ['1K', 1000, 7000],
    ['2.5M', 2.5e6, 1.25e6],
    ['1_000', 1000, 20000],
    ['3e-4', 3e-4, 5e-4],
  ])('is read as that number again: %s, and %d becomes %d', (text, value, becomes) => {
    expect(numberFromText(writtenLike(text, value, becomes))).toBe(becomes);
  });
});
