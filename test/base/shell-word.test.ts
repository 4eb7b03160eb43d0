/** Holds shell-word.ts. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shellWord } from '../../src/base/shell-word.ts';

test.each(['loss', 'a b', "it's", '', '$HOME', '`id`', 'a\nb', '-x', 'ü', '*', 'a;b', String.raw`a\b`])(
  'a shell reads %j as one word',
  (text) => {
    expect(execFileSync('sh', ['-c', `printf '%s|' ${shellWord(text)}`], { encoding: 'utf8' })).toBe(`${text}|`);
  },
);

test('what needs no quotes has none', () => {
  expect(shellWord('runs/a.jsonl')).toBe('runs/a.jsonl');
});
