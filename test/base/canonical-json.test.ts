/** Holds src/base/invariant.ts. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, type JsonValue } from '../../src/base/canonical-json.ts';
import { PvBug } from '../../src/base/invariant.ts';

const vectors = '../shared/data/jcs';
const present = existsSync(vectors);

// Without the data only the laws below are checked, and this name says so.
it.each(present ? [] : ['shared data absent: the RFC 8785 vectors were not checked'])('%s', () => {
  expect(existsSync(vectors)).toBe(false);
});

describe.runIf(present)('RFC 8785 vectors', () => {
  it.each(present ? readdirSync(`${vectors}/input`) : [])('%s', (name) => {
    expect(canonicalJson(JSON.parse(readFileSync(`${vectors}/input/${name}`, 'utf8')))).toBe(
      readFileSync(`${vectors}/output/${name}`, 'utf8').trimEnd(),
    );
  });

  it('numbers: the first thousand of the ES6 test file', () => {
    for (const line of readFileSync(`${vectors}/es6-numbers-first-1000.csv`, 'utf8').trim().split('\n')) {
      const [hex = '', expected] = line.trim().split(',');
      const value = Buffer.from(hex.padStart(16, '0'), 'hex').readDoubleBE();
      if (Number.isFinite(value)) expect(canonicalJson(value)).toBe(expected);
    }
  });
});

describe('canonical JSON', () => {
  it('sorts keys by UTF-16 code units at every level', () => {
    expect(canonicalJson({ b: 1, a: { '\u{1F600}': 1, '\uFB33': 2, '': 3 }, '10': 4, '9': 5 })).toBe(
      '{"10":4,"9":5,"a":{"":3,"\u{1F600}":1,"\uFB33":2},"b":1}',
    );
  });

  it('reads back as the same value, and is the same for any order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
        const json: JsonValue = JSON.parse(JSON.stringify(value));
        expect(JSON.parse(canonicalJson(json))).toEqual(json);
        expect(canonicalJson(JSON.parse(canonicalJson(json)))).toBe(canonicalJson(json));
        expect(canonicalJson(turned(json))).toBe(canonicalJson(json));
      }),
    );
  });

  it('prints minus zero as zero', () => {
    expect(canonicalJson([-0, 0])).toBe('[0,0]');
  });

  it.each([[NaN], [Infinity], ['\ud800']])('refuses %s', (value) => {
    expect(() => canonicalJson({ value })).toThrow(PvBug);
  });

  it('is stable: the digest of a fixed value', () => {
    const text = canonicalJson({
      formula: 'σ(x)_i = exp(x_i)',
      tolerance: { abs: 6e-8, per: 'n' },
      list: [1, true, null],
    });
    expect(createHash('sha256').update(text).digest('hex')).toBe(
      createHash('sha256')
        .update('{"formula":"σ(x)_i = exp(x_i)","list":[1,true,null],"tolerance":{"abs":6e-8,"per":"n"}}')
        .digest('hex'),
    );
  });
});

/** The value with the keys of every object in reverse. */
function turned(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(turned);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, turned(member)]),
  );
}
