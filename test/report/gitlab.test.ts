/** Holds src/report/severity.ts. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isGreen } from '../../src/evidence/verdict.ts';
import { formatGitlab } from '../../src/report/gitlab.ts';
import { anyText, withText } from './hostile-reports.ts';
import { allGreen, claimReport, contractReport, everyVerdict, nothing, reportOf, samples } from './sample-reports.ts';

interface Issue {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: string;
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

const issuesOf = (report: typeof nothing): readonly Issue[] => JSON.parse(formatGitlab(report)) as readonly Issue[];
const prints = (report: typeof nothing): readonly string[] => issuesOf(report).map(({ fingerprint }) => fingerprint);

/** GitLab Docs, "Code Quality report format"; an issue that lacks one of these is not shown. */
function expectAccepted(issue: Issue): void {
  expect(Object.keys(issue).toSorted()).toEqual(['check_name', 'description', 'fingerprint', 'location', 'severity']);
  expect(issue.description).not.toBe('');
  expect(issue.check_name).toMatch(/^(?:pv\/[a-z-]+|PV-\d{4})$/);
  expect(issue.fingerprint).toMatch(/^[0-9a-f]{32}$/);
  expect(['info', 'minor', 'major', 'critical', 'blocker']).toContain(issue.severity);
  expect(issue.location.path).toMatch(/^(?!\.\/)./u);
  expect(issue.location.lines.begin).toBeGreaterThanOrEqual(1);
}

describe('gitlab', () => {
  test.each(samples)('%s: every issue is one that GitLab accepts', (_, report) => {
    issuesOf(report).forEach(expectAccepted);
  });

  test('every issue is accepted for any text', () => {
    fc.assert(fc.property(anyText, (text) => void issuesOf(withText(text)).forEach(expectAccepted)));
  });

  test('an issue per claim that is not green, per finding, per fault of a contract, and for the gate', () => {
    const open = everyVerdict.contracts.flatMap(({ claims }) => claims.filter(({ verdict }) => !isGreen(verdict)));
    expect(issuesOf(everyVerdict)).toHaveLength(open.length + everyVerdict.findings.length + 2 + 1);
    expect(issuesOf(allGreen)).toEqual([]);
  });

  test('a run with nothing to verify has not passed, nor has a check that judged nothing', () => {
    expect(issuesOf(nothing)).toMatchObject([{ check_name: 'pv/gate', severity: 'blocker', location: { path: '.' } }]);
    expect(issuesOf({ ...nothing, gate: { ...nothing.gate, judged: false } })).toEqual([]);
  });

  test('fingerprints differ within a report, outlive moved lines, and change with the verdict', () => {
    const claim = claimReport({ verdict: 'stale', line: 3 });
    const twice = reportOf([contractReport('c', [claim, claim])]);
    expect(new Set(prints(twice)).size).toBe(prints(twice).length);
    const moved = reportOf([
      contractReport(
        'c',
        [claim, claim].map((one) => ({ ...one, line: 70 })),
      ),
    ]);
    expect(prints(moved)).toEqual(prints(twice));
    const falsified = reportOf([contractReport('c', [claim, { ...claim, verdict: 'falsified' }])]);
    expect(prints(falsified)).not.toEqual(prints(twice));
  });

  test('paths are those of the repository, and long stories are cut', () => {
    const claim = claimReport({ verdict: 'stale', file: '.\\a\\b.yaml', reason: 'x'.repeat(5000) });
    const issues = issuesOf(reportOf([contractReport('c', [claim])], { passed: true }));
    expect(issues).toMatchObject([{ location: { path: 'a/b.yaml' } }]);
    expect(issues[0]?.description.length).toBeLessThan(1100);
  });
});
