/** Holds src/report/alerts.ts. */
import sarifSchema from '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json' with { type: 'json' };
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isGreen } from '../../src/evidence/verdict.ts';
import { formatSarif } from '../../src/report/sarif.ts';
import { anyText, withText } from './hostile-reports.ts';
import { allGreen, claimReport, contractReport, everyVerdict, reportOf, samples } from './sample-reports.ts';

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

/**
 * The OASIS schema as npm carries it. It is of JSON Schema draft 4, whose `id` is the only keyword in it that later drafts
 * read differently.
 */
function validator() {
  const { id: _id, $schema: _draft, ...schema } = sarifSchema;
  const reference = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?#]|%[0-9A-Fa-f]{2})*$/;
  return new Ajv({
    strict: false,
    allErrors: true,
    // The schema of version 2.1.0 has a pattern with a bracket too many, which only engines without the `u` flag read.
    unicodeRegExp: false,
    formats: {
      uri: (text: string) => reference.test(text) && URL.canParse(text),
      'uri-reference': (text: string) => reference.test(text) && URL.canParse(text, 'file:///'),
      'date-time': true,
    },
  }).compile(schema);
}

describe('the schema of SARIF 2.1.0', () => {
  const validate = validator();
  const faults = (text: string): string => {
    const log: unknown = JSON.parse(text);
    return validate(log) ? '' : JSON.stringify(validate.errors);
  };

  test.each(samples)('%s: valid', (_, report) => {
    expect(faults(formatSarif(report))).toBe('');
  });

  test('valid for any text', () => {
    fc.assert(fc.property(anyText, (text) => void expect(faults(formatSarif(withText(text)))).toBe('')));
  });

  test.each([
    ['a level that does not exist', '"level": "error"', '"level": "fatal"'],
    ['a line that is no line', /"startLine": \d+/, '"startLine": 0'],
    ['a place that is no URI', /"uri": "[^"]+"/, '"uri": "a b"'],
    ['a fingerprint that is no text', /"pv\/1": "\w+"/, '"pv/1": 7'],
    ['a key that does not exist', '"columnKind"', '"columnsKind"'],
    ['another version', '"version": "2.1.0"', '"version": "2.1"'],
  ])('finds %s', (_, found, replacement) => {
    const text = formatSarif(everyVerdict);
    expect(text.replace(found, replacement)).not.toBe(text);
    expect(faults(text.replace(found, replacement))).not.toBe('');
  });
});

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
