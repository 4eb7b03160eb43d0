import { expect, it } from 'vitest';
import { jsonText } from '../../src/cli/json-text.ts';

it('gives the same value, without characters that a terminal obeys', () => {
  const verdict = { name: 'a\u202Eb\u009B2J\u007F\u001B', count: 1 };
  const text = jsonText(verdict);
  expect(text).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E]/u);
  expect(JSON.parse(text)).toEqual(verdict);
});
