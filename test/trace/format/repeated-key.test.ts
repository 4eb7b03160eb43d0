import fc from 'fast-check';
import { expect, it } from 'vitest';
import { repeatedKey } from '../../../src/trace/format/repeated-key.ts';

it.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"a":1, "\\u0061" :2}', 'a'],
  ['[{"b":[]},{"x":{"c":"c","c":1}}]', 'c'],
  ['{"a":{"b":1},"b":2,"a":3}', 'a'],
  ['{"\\"":1,"\\"":2}', '"'],
  ['{"":1,"":2}', ''],
])('finds the key that stands twice in %s', (json, key) => {
  expect(repeatedKey(json)).toBe(key);
});

it.each(['{"a":"a","b":["a","a"]}', '[{"a":1},{"a":1}]', '{"a":{"a":{"a":1}}}', '"a"', '{"a":"\\\\","b":":"}'])(
  'finds none in %s',
  (json) => {
    expect(repeatedKey(json)).toBeNull();
  },
);

it('finds none in what JSON.stringify writes, and one where a member is written again', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.boolean(), (value, isSpaced) => {
      const json = JSON.stringify(value, null, isSpaced ? 2 : 0);
      expect(repeatedKey(json)).toBeNull();
      const key = Object.keys(value)[0] ?? '';
      expect(repeatedKey(`{${JSON.stringify(key)}:0,${json.slice(1)}`)).toBe(key);
    }),
  );
});
