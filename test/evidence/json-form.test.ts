import { describe, expect, it } from 'vitest';
import { toJsonForm } from '../../src/evidence/json-form.ts';

const lists = (levels: number): unknown => (levels === 0 ? 1 : [lists(levels - 1)]);
const records = (levels: number): unknown => (levels === 0 ? 1 : { a: records(levels - 1) });

describe('evidence as JSON holds it', () => {
  it.each<[unknown, unknown]>([
    [1.5, 1.5],
    [Number.NaN, 'NaN'],
    [Infinity, 'Infinity'],
    [-Infinity, '-Infinity'],
    ['a\ud800b', 'a\ufffdb'],
    [true, true],
    [false, false],
    [null, null],
    [
      [1, [Number.NaN]],
      [1, ['NaN']],
    ],
    [{ 'k\udfff': { b: Infinity } }, { 'k\ufffd': { b: 'Infinity' } }],
  ])('%j', (value, form) => expect(toJsonForm(value)).toEqual(form));

  it('leaves out members that are undefined, and keeps those that are null', () => {
    expect(Object.keys(toJsonForm({ a: undefined, b: null, c: 0 }) ?? {})).toEqual(['b', 'c']);
  });

  it.each([lists, records])('nests at most 64 deep', (nested) => {
    expect(toJsonForm(nested(64))).toEqual(nested(64));
    expect(() => toJsonForm(nested(65))).toThrow('evidence nests at most 64 deep');
  });

  it.each([1n, () => 1, Symbol('s'), undefined])('holds nothing else', (value) => {
    expect(() => toJsonForm(value)).toThrow(`evidence holds no ${typeof value}`);
  });
});
