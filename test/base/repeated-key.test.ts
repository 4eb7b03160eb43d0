import fc from 'fast-check';
import { expect, it } from 'vitest';
import { repeatedKey } from '../../src/base/repeated-key.ts';

it.each([
  ['{"a":1,"a":2}', 'it.a'],
  ['{"a":1, "\\u0061" :2}', 'it.a'],
  ['[{"b":[]},{"x":{"c":"c","c":1}}]', 'it[1].x.c'],
  ['{"a":[1,[2,3],{"b":",","c":0,"b":1}]}', 'it.a[2].b'],
  ['{"a":{"b":1},"b":2,"a":3}', 'it.a'],
  ['{"\\"":1,"\\"":2}', 'it."'],
  ['{"":1,"":2}', 'it.'],
])('finds the key that is repeated in %s', (json, place) => {
  expect(repeatedKey(json, 'it')).toBe(place);
});

it.each(['{"a":"a","b":["a","a"]}', '[{"a":1},{"a":1}]', '{"a":{"a":{"a":1}}}', '"a"', '{"a":"\\\\","b":":"}'])(
  'finds none in %s',
  (json) => {
    expect(repeatedKey(json, 'it')).toBeNull();
  },
);

it('finds none in what JSON.stringify writes, and one where a member is written again', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.boolean(), (value, isSpaced) => {
      const json = JSON.stringify(value, null, isSpaced ? 2 : 0);
      expect(repeatedKey(json, 'it')).toBeNull();
      const key = Object.keys(value)[0] ?? '';
      expect(repeatedKey(`{${JSON.stringify(key)}:0,${json.slice(1)}`, 'it')).toBe(`it.${key}`);
    }),
  );
});
