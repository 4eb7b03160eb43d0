import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isGreen, verdicts } from '../../src/evidence/verdict.ts';
import { formatGithub } from '../../src/report/github.ts';
import { formatJunit } from '../../src/report/junit.ts';
import { formatComment, formatMarkdown } from '../../src/report/markdown.ts';
import { codeBlock, escapeMarkdown, inlineCode } from '../../src/report/markdown-escape.ts';
import { formatSarif } from '../../src/report/sarif.ts';
import { plainOptions } from '../../src/report/formats.ts';
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
const anyText = fc.string({ unit: 'binary', maxLength: 60 });
const withText = (text: string) =>
  reportOf([
    contractReport(
      text,
      [claimReport({ id: text, property: text, formal: text, reason: text, verdict: 'stale', file: text })],
      { path: text },
    ),
  ]);

describe('junit', () => {
  test('a run without anything to verify is not a passed one', () => {
    expect(formatJunit(nothing)).toContain('tests="1" failures="1"');
    expect(formatJunit(reportOf([contractReport('empty', [])]))).toContain('declares no claim');
  });

  test('every verdict is passed, failed, an error or skipped; only green ones pass', () => {
    for (const verdict of verdicts) {
      const xml = formatJunit(reportOf([contractReport('c', [claimReport({ verdict })])]));
      expect(/<(?:failure|error|skipped)/.test(xml), verdict).toBe(!isGreen(verdict));
    }
  });

  test('numbers in the heads are those of the cases', () => {
    const xml = formatJunit(everyVerdict);
    const [, tests, failures, errors, skipped] =
      /<testsuites name="pv" tests="(\d+)" failures="(\d+)" errors="(\d+)" skipped="(\d+)">/.exec(xml) ?? [];
    const number = (pattern: RegExp): string => String(xml.match(pattern)?.length);
    expect([tests, failures, errors, skipped]).toEqual([
      number(/<testcase/g),
      number(/<failure/g),
      number(/<error/g),
      number(/<skipped/g),
    ]);
  });

  test('is well formed for any text', () => {
    fc.assert(
      fc.property(anyText, (text) => void expect(malformed(formatJunit(withText(text)))).toBeNull()),
      { numRuns: 300 },
    );
    expect(malformed(formatJunit(everyVerdict))).toBeNull();
  });

  test('the check for well-formedness fails where it should', () => {
    for (const xml of ['<a>', '<a></b>', '<a x="<"/>', '<a>&</a>', '<a>\u0001</a>', '<a/><', '<a>]]></a>'])
      expect(malformed(xml), xml).not.toBeNull();
  });
});

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

interface SarifLog {
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
    readonly results: readonly {
      readonly ruleId: string;
      readonly ruleIndex: number;
      readonly level: string;
      readonly locations: readonly {
        readonly physicalLocation: {
          readonly artifactLocation: { readonly uri: string };
          readonly region?: { readonly startLine: number };
        };
      }[];
      readonly partialFingerprints: Readonly<Record<string, string>>;
      readonly suppressions?: readonly object[];
    }[];
  }[];
}

const sarif = (text: string): SarifLog['runs'][number] => {
  const log = JSON.parse(text) as SarifLog;
  const [run] = log.runs;
  if (!run) throw new Error('a log has one run');
  return run;
};

describe('sarif', () => {
  const run = sarif(formatSarif(everyVerdict));

  test('a result per claim that is not green, per finding and per fault of a contract', () => {
    const open = everyVerdict.contracts.flatMap(({ claims }) => claims.filter(({ verdict }) => !isGreen(verdict)));
    expect(run.results).toHaveLength(open.length + everyVerdict.findings.length + 2);
    expect(sarif(formatSarif(allGreen)).results).toEqual([]);
  });

  test('rules, indices, levels and places fit together', () => {
    for (const { ruleId, ruleIndex, level, locations } of run.results) {
      expect(run.tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
      expect(['error', 'warning', 'note']).toContain(level);
      for (const { physicalLocation } of locations) {
        expect(physicalLocation.artifactLocation.uri).toMatch(/^[A-Za-z0-9\-._~%!'()*/]*$/);
        expect(physicalLocation.region?.startLine ?? 1).toBeGreaterThan(0);
      }
    }
  });

  test('fingerprints differ between results and outlive moved lines', () => {
    const prints = (of: typeof run): (string | undefined)[] =>
      of.results.map(({ partialFingerprints }) => partialFingerprints['pv/1']);
    expect(new Set(prints(run)).size).toBe(run.results.length);
    const moved = {
      ...everyVerdict,
      contracts: everyVerdict.contracts.map((contract) => ({
        ...contract,
        claims: contract.claims.map((claim) => ({ ...claim, line: claim.line + 7 })),
      })),
    };
    expect(prints(sarif(formatSarif(moved)))).toEqual(prints(run));
    const twice = reportOf([
      contractReport('c', [claimReport({ verdict: 'stale' }), claimReport({ verdict: 'stale' })]),
    ]);
    expect(new Set(prints(sarif(formatSarif(twice)))).size).toBe(2);
  });

  test('what is waived is suppressed with its reason', () => {
    const [waived] = run.results.filter(({ ruleId }) => ruleId === 'pv/waived');
    expect(waived?.suppressions).toEqual([{ kind: 'external', justification: expect.stringContaining('ada') }]);
  });

  test('stays within what GitHub accepts, and says what it left out', () => {
    const claims = Array.from({ length: 26_000 }, (_, i) => claimReport({ id: `C-${i}`, verdict: 'prose' }));
    const text = formatSarif(reportOf([contractReport('many', claims)]));
    expect(sarif(text).results).toHaveLength(25_000);
    expect(text).toContain('"results": 26000');
  });

  test('any text gives valid JSON', () => {
    fc.assert(fc.property(anyText, (text) => void expect(sarif(formatSarif(withText(text))).results).toHaveLength(1)));
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

/** A fault in the XML, or null: enough of XML 1.0 for the documents that pv writes (no DTD, CDATA or processing but the declaration). */
function malformed(xml: string): string | null {
  if (/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(xml)) return 'forbidden character';
  const open: string[] = [];
  const rest = xml
    .replace(/^<\?xml [^?]*\?>\n/, '')
    .replace(
      /<(\/?)([A-Za-z]+)((?: [a-z]+="[^"<]*")*)(\/?)>|([^<]+)/g,
      (_all, close, name: string, attributes = '', empty, text = '') => {
        if (/&(?!(?:lt|gt|amp|quot|#\d+);)|]]>/.test(attributes + text)) open.push('bad text');
        else if (close && open.pop() !== name) open.push(`unexpected </${name}>`);
        else if (name && !close && !empty) open.push(name);
        return '';
      },
    );
  return rest !== '' ? `left over: ${rest.slice(0, 80)}` : (open[0] ?? null);
}
