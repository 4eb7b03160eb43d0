/** Holds src/report/github.ts, src/report/markdown-escape.ts, src/report/markdown.ts. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatGithub } from '../../src/report/github.ts';
import { formatComment, formatMarkdown } from '../../src/report/markdown.ts';
import { codeBlock, escapeMarkdown, inlineCode } from '../../src/report/markdown-escape.ts';
import { plainOptions } from '../../src/report/formats.ts';
import { anyText, withText } from './hostile-reports.ts';
import {
  allGreen,
  claimReport,
  contractReport,
  everyVerdict,
  hostileText,
  largeReport,
  nothing,
  reportOf,
} from './sample-reports.ts';

const bytes = (text: string): number => new TextEncoder().encode(text).length;
describe('github', () => {
  test('one command per line, nothing of the user can start one', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const line of formatGithub(withText(text)).trimEnd().split('\n'))
          expect(line).toMatch(/^::(?:error|warning|notice) [^\r\n]*::/);
      }),
    );
    expect(formatGithub(withText('a\n::error::b'))).not.toMatch(/^::error::b/m);
  });

  test('the worst comes first, since only ten are shown', () => {
    const kinds = [...formatGithub(everyVerdict).matchAll(/^::(\w+)/gm)].map(([, kind]) => kind);
    expect(kinds).toEqual(
      [...kinds].sort(
        (a = '', b = '') => ['error', 'warning', 'notice'].indexOf(a) - ['error', 'warning', 'notice'].indexOf(b),
      ),
    );
    expect(new Set(kinds).size).toBe(3);
  });

  test('a green run is a notice, an empty one an error', () => {
    expect(formatGithub(allGreen)).toMatch(/^::notice title=pv%3A gate PASSED[^\n]*\n$/);
    expect(formatGithub(nothing)).toMatch(/^::error /);
  });
});

describe('markdown', () => {
  test.each([
    ['summary', formatMarkdown, 1_048_576],
    ['comment', formatComment, 65_536],
  ] as const)('%s: fits, and says what was left out', (_, format, limit) => {
    const text = format(largeReport(20_000));
    expect(bytes(text)).toBeLessThan(limit);
    expect(text).toMatch(/… and [\d]+ contracts more, left out for length/);
    expect(text).toMatch(/… and [\d]+ details more, left out for length/);
    expect((text.match(/<details/g) ?? []).length).toBe((text.match(/<\/details>/g) ?? []).length);
  });

  test('150 contracts fit a summary whole', () => {
    expect(formatMarkdown(largeReport(150))).not.toContain('left out');
  });

  test('enormous reasons do not break the limit', () => {
    const report = reportOf([contractReport('c', [claimReport({ verdict: 'stale', reason: 'x'.repeat(5_000_000) })])], {
      reasons: ['y'.repeat(3_000_000)],
    });
    expect(bytes(formatMarkdown(report))).toBeLessThan(1_048_576);
    expect(bytes(formatComment(report))).toBeLessThan(65_536);
  });

  test('text stays text: no tags, tables, mentions, links or mathematics', () => {
    const escaped = escapeMarkdown('<b> | @ann #12 https://x.y www.z a*b_c `d` $e$ [f](g) \n\n# h').replace(
      /&#\d+;/g,
      '',
    );
    expect(escaped).not.toMatch(/[<>|*_`$[\]]|@a|#1|:\/\/|www\.z|\n/);
    expect(formatMarkdown(everyVerdict).replace(/```[^]*?```|`+[^`]*`+/g, '')).not.toContain('<img');
  });

  test('no text can end its code', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('`', 'a', ' ', '|', '\n', '~'), maxLength: 20 }), (text) => {
        const [, fence = '', inside = ''] = /^(`+)([^]*)\1$/.exec(inlineCode(text)) ?? [];
        expect(inside.match(/`+/g)?.some((run) => run.length === fence.length) ?? false).toBe(false);
        const block = codeBlock([text, 'x']).split('\n');
        expect(block).toHaveLength(4);
        expect(block.slice(1, 3).some((line) => line.trim().startsWith((block[3] ?? '').trim()))).toBe(false);
      }),
    );
  });

  test('an empty run says so', () => {
    expect(formatMarkdown(nothing)).toContain('nothing was verified');
  });
});

test('no format reads the options of the terminal but text', () => {
  expect(plainOptions.paint('bad', hostileText)).toBe(hostileText);
});
