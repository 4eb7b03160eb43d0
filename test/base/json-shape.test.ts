/** Holds src/base/problem.ts, src/base/result.ts, src/base/strict-json.ts. */
import { describe, expect, it } from 'vitest';
import { fromJson, toJson } from '../../src/trace/format/json.ts';
import { opensTooMuch } from '../../src/base/json-shape.ts';
import { treeOf } from '../../src/trace/format/leaves.ts';
import { greedyManifest, randomTrace } from '../support/trace-cases.ts';

const trace = randomTrace(70, 5, { ...greedyManifest, sketch: 2 });
const tree = treeOf(trace);
const completeTrace = {
  ...trace,
  size: tree.size,
  root: tree.root(),
  checkpoint: null,
  complete: true,
  droppedBytes: 0,
};

const deep = (n: number): string => `${'['.repeat(n)}${']'.repeat(n)}`;

describe('the shape of a JSON text', () => {
  it('is that of a trace, however it is spaced', () => {
    const text = toJson(completeTrace);
    expect(opensTooMuch(text)).toBe(false);
    expect(opensTooMuch(JSON.stringify(JSON.parse(text), null, 2))).toBe(false);
  });

  it.each([
    ['too deep', `{"a":${deep(16)}}`],
    ['objects that are too deep', `${'{"a":'.repeat(17)}1${'}'.repeat(17)}`],
    ['too many empty objects', `[${'{},'.repeat(1000)}{}]`],
    ['too many empty lists', `[${'[],'.repeat(1000)}[]]`],
    ['a text that is no JSON', '['.repeat(100)],
  ])('is none: %s', (_, text) => expect(opensTooMuch(text)).toBe(true));

  it.each([
    ['as deep as it may be', deep(16)],
    ['brackets in a string', `{"a":"${'['.repeat(1000)}"}`],
    ['brackets behind an escaped quote', `{"a":"\\"${'{'.repeat(1000)}"}`],
    ['a string that does not end', `{"a":"${'['.repeat(1000)}`],
    ['a gap in every line', `[${'{"count":1,"kind":"gap","position":0},'.repeat(1000)}{}]`],
  ])('may be one: %s', (_, text) => expect(opensTooMuch(text)).toBe(false));
});

describe('a JSON text made to take memory', () => {
  it.each([
    ['lists in lists', `{"entries":${deep(3_000_000)}}`, /too many lists and objects/],
    ['empty objects', `{"entries":[${'{},'.repeat(2_000_000)}{}]}`, /too many lists and objects/],
    ['a key of a million characters', `{"${'A'.repeat(1_000_000)}":1}`, /^trace\.A{293}…$/],
    ['that key twice', `{"${'A'.repeat(1_000_000)}":1,"${'A'.repeat(1_000_000)}":1}`, /^trace\.A{293}…$/],
    [
      'a million ids in a sketch',
      toJson(completeTrace).replace('"ids":[', `"ids":[${'0,'.repeat(1_000_000)}`),
      /ids has 100000\d items, more than 4096/,
    ],
    [
      'ten million tokens of a prompt',
      toJson(completeTrace).replace('"tokens":null', `"tokens":[${'0,'.repeat(10_000_000)}0]`),
      /prompt\.tokens has 1000000\d items, more than 4194304/,
    ],
  ])('is refused in few words: %s', (_, text, message) => {
    const read = fromJson(text);
    expect(read.ok ? '' : read.error.message).toMatch(message);
  });
});
