import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf, unifiedDiff, type LineChange } from '../../src/base/unified-diff.ts';
import { applyPatch } from '../support/apply-patch.ts';

const text = fc.array(fc.constantFrom('a', 'b\r', '', '- c', '+ d', '@@ -1 +1 @@', '--- a/x', 'é'), { maxLength: 40 });
const cuts = fc.array(fc.tuple(fc.nat(45), fc.nat(3), text), { maxLength: 5 });

/** Changes that do not overlap, of a text with or without a line feed at its end. */
function changesOf(
  before: readonly string[],
  wanted: readonly (readonly [number, number, readonly string[]])[],
): readonly LineChange[] {
  const whole = before.length - (before.at(-1)?.endsWith('\n') === false ? 1 : 0);
  let after = 0;
  return wanted
    .toSorted(([a], [b]) => a - b)
    .flatMap(([start, length, lines]) => {
      const from = Math.min(whole, Math.max(start, after));
      const to = Math.min(whole, from + length);
      if (start < after || from === to) return [];
      after = to + 1;
      return [{ from, to, lines: lines.map((line) => `${line}\n`) }];
    });
}

describe('a unified diff', () => {
  it('gives the changed text when it is applied', () => {
    fc.assert(
      fc.property(text, fc.boolean(), cuts, (rows, ends, wanted) => {
        const before = rows.join('\n') + (ends ? '\n' : '');
        const lines = linesOf(before);
        expect(lines.join('')).toBe(before);
        const changes = changesOf(lines, wanted);
        const after: string[] = [];
        let at = 0;
        for (const { from, to, lines: now } of changes) {
          after.push(...lines.slice(at, from), ...now);
          at = to;
        }
        after.push(...lines.slice(at));
        const patch = unifiedDiff('a b.yaml', lines, changes);
        expect(applyPatch({ 'a b.yaml': before }, patch)['a b.yaml']).toBe(after.join(''));
        expect(patch === '').toBe(changes.length === 0);
      }),
    );
  });

  it('says where a file ends without a line feed, and shares a hunk among near changes', () => {
    const lines = linesOf('1\n2\n3\n4\n5\n6\n7\n8\n9');
    const patch = unifiedDiff('x', lines, [
      { from: 1, to: 2, lines: ['two\n'] },
      { from: 8, to: 9, lines: ['nine'] },
    ]);
    expect(patch).toBe(
      '--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n 1\n-2\n+two\n 3\n 4\n 5\n 6\n 7\n 8\n' +
        '-9\n\\ No newline at end of file\n+nine\n\\ No newline at end of file\n',
    );
  });

  it('ends a name with a space by a tab, and quotes what git quotes', () => {
    const header = (path: string): string =>
      unifiedDiff(path, ['a\n'], [{ from: 0, to: 1, lines: [] }]).split('\n')[0] ?? '';
    expect(header('plain/é.yaml')).toBe('--- a/plain/é.yaml');
    expect(header('with space.yaml')).toBe('--- a/with space.yaml\t');
    expect(header('tab\tquote"back\\slash é')).toBe('--- "a/tab\\011quote\\"back\\\\slash \\303\\251"');
  });
});
