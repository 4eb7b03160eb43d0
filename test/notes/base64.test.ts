import { expect, test } from 'vitest';
import { decodeBase64, encodeBase64 } from '../../src/notes/base64.ts';

test.each(['', 'AA==', 'AAA=', 'AAAA', '+/+/', 'AAAAAA=='])('%j is the one spelling of its bytes', (text) => {
  const bytes = decodeBase64(text);
  expect(bytes).toEqual(new Uint8Array(Buffer.from(text, 'base64')));
  expect(encodeBase64(bytes ?? new Uint8Array(1))).toBe(text);
});

test.each([
  'A',
  'AA',
  'AAA',
  'AA=',
  '=',
  '==',
  '====',
  'A===',
  'AA==AA==',
  'AB==',
  'AAB=',
  'AA A',
  'AAA\n',
  'AA-_',
  'ＡAAA',
])('%j is none', (text) => expect(decodeBase64(text)).toBeNull());

test('a text of any length is an answer, never an exception', () => {
  const long = 'A'.repeat(8_000_000);
  expect(decodeBase64(`${long}!AAA`)).toBeNull();
  expect(decodeBase64(long)?.length).toBe(6_000_000);
});
