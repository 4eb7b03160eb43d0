import { describe, expect, it } from 'vitest';
import { anyNumber, count, list } from '../../src/evidence/decoder.ts';

describe('numbers of which JSON writes some as texts', () => {
  it.each([
    ['NaN', Number.NaN],
    ['Infinity', Infinity],
    ['-Infinity', -Infinity],
    [1.5, 1.5],
  ])('%j', (value, number) => expect(anyNumber(value, 'x')).toEqual({ ok: true, value: number }));

  it.each(['constructor', '__proto__', 'toString', '1', ''])('%j is none', (value) =>
    expect(anyNumber(value, 'x')).toEqual({ ok: false, error: 'x is not a number' }),
  );
});

describe('lists', () => {
  it('of at most so many are refused before an item is read', () => {
    let read = 0;
    const items = list((value, at) => (read++, count(value, at)), 2);
    expect(items([1, 2], 'x')).toEqual({ ok: true, value: [1, 2] });
    expect(read).toBe(2);
    expect(items([1, 2, 3], 'x')).toEqual({ ok: false, error: 'x has 3 items, more than 2' });
    expect(read).toBe(2);
  });
});
