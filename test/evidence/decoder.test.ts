import { describe, expect, it } from 'vitest';
import {
  anyNumber,
  count,
  decodeJson,
  finite,
  list,
  mapping,
  matching,
  nullable,
  oneOf,
  record,
  text,
  type Decoder,
} from '../../src/evidence/decoder.ts';

const digits = matching(/^[0-9]+$/, 'a row of digits');
const point = record<{ readonly x: number; readonly name?: string }>({ x: count, name: text }, ['name']);

describe('what is read', () => {
  it.each<[string, Decoder<unknown>, unknown]>([
    ['a text', text, ''],
    ['a number', finite, -1.5],
    ['a count', count, 0],
    ['a number that JSON has not', anyNumber, 'NaN'],
    ['a text of a pattern', digits, '12'],
    ['one of some', oneOf<'a' | 2>('a', 2), 2],
    ['nothing', nullable(text), null],
    ['what is not nothing', nullable(text), 'x'],
    ['a mapping', mapping(count), { a: 1, b: 2 }],
    ['a record', point, { x: 1, name: 'p' }],
    ['a record without a member that may be absent', point, { x: 1 }],
  ])('%s', (_, decoder, value) => {
    const read = value === 'NaN' ? Number.NaN : value;
    expect(decoder(value, 'x')).toEqual({ ok: true, value: read });
  });
});

describe('what is refused', () => {
  it.each<[string, Decoder<unknown>, readonly unknown[]]>([
    ['x is not a text', text, [1, null, undefined, ['a'], {}]],
    ['x is not a number', finite, ['1', Number.NaN, Infinity, null, true, [1]]],
    ['x is not a count', count, [-1, 0.5, 2 ** 53, '1', null, Infinity]],
    ['x is not a number', anyNumber, [['NaN'], 'nan', '-NaN', null, { NaN: 1 }]],
    ['x is not a row of digits', digits, ['a1', 12, ['12'], null]],
    ['x is not one of a, 2', oneOf<'a' | 2>('a', 2), ['2', 'b', null, ['a']]],
    ['x is not a text', nullable(text), [undefined, 0, false]],
    ['x is not a list', list(count), [{ length: 1 }, '12', null, { entries: () => [] }]],
    [
      'x[1] is not a count',
      list(count),
      [
        [1, -1],
        [1, 'a', -1],
      ],
    ],
    ['x is not a mapping', mapping(count), [null, [1], 'a', 1]],
    ['x.b is not a count', mapping(count), [{ a: 1, b: -1 }]],
    ['x is not a record', point, [null, [], 'a', 1]],
    ['x.x is missing', point, [{}, { name: 'p' }, Object.create({ x: 1 })]],
    ['x.y is unknown', point, [{ x: 1, y: 1 }]],
    ['x.name is not a text', point, [{ x: 1, name: null }]],
  ])('%s', (error, decoder, values) => {
    for (const value of values) expect(decoder(value, 'x')).toEqual({ ok: false, error });
  });
});

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

describe('the text of a file', () => {
  it('is JSON of the shape', () => {
    expect(decodeJson('{"x":1}', point)).toEqual({ ok: true, value: { x: 1 } });
    expect(decodeJson('{"x":-1}', point)).toEqual({ ok: false, error: 'file.x is not a count' });
    expect(decodeJson('{"x":1', point)).toEqual({ ok: false, error: 'file is not JSON' });
  });
});
