/**
 * Waivers: who may set what aside, until when, and what the gate makes of it.
 *
 * Holds src/subject/read-waivers.ts.
 */
import { functionBackend } from '../../src/backends/function-kernel.ts';
import { describe, expect, it } from 'vitest';
import { buildReport } from '../../src/audit/build-report.ts';
import { waiverTargets } from '../../src/audit/waivers.ts';
import type { Receipt } from '../../src/evidence/receipt.ts';
import { abortedResult, runJob } from '../../src/plan/run-job.ts';
import { formatNames, formatReport, plainOptions } from '../../src/report/formats.ts';
import type { Report } from '../../src/report/report.ts';
import { readBindings } from '../../src/subject/read-bindings.ts';
import { planOf, planOptions } from '../plan/projects.ts';
import { doublingContract, doublingKernel } from './audited.ts';

const tool = planOptions.tool;
const plan = await planOf(
  { 'double-v1': doublingContract([['D(x)_i = 2·x_i'], ['D(x)_i > 3·x_i']]) },
  [doublingKernel],
  { cases: 10_000 },
);
const receipts: Receipt[] = [];
for (const check of plan.checks) {
  const job = { check, replay: [], timeoutMs: 60_000, tool };
  if (check.method !== 'types') receipts.push((await runJob(job, () => 0, functionBackend)).receipt);
  else
    receipts.push({
      ...abortedResult(job, 'tested', '').receipt,
      cases: 1,
      declaredCases: 1,
      premiseHits: 1,
      reason: null,
    });
}

const rowOf = (more: Readonly<Record<string, string | null>> = {}): string => {
  const keys = {
    contract: 'double-v1.yaml',
    claim: 'C1',
    owner: 'ada',
    reason: 'until the driver is fixed',
    expires: '2027-03-31',
    ...more,
  };
  return Object.entries(keys)
    .flatMap(([key, value]) => (value === null ? [] : [`${key}: ${JSON.stringify(value)}`]))
    .join(', ');
};
const read = (...rows: readonly string[]) =>
  readBindings({
    path: 'binding.yaml',
    text: `bindings: []\nwaivers:\n${rows.map((row) => `  - { ${row} }\n`).join('')}`,
  });

function reportOf(rows: readonly string[], today = '2027-01-01', allowWaived = false, of = plan): Report {
  const { value, diagnostics } = read(...rows);
  return buildReport({
    plan: of,
    currentChecks: new Set(of.checks.map(({ id }) => id)),
    receipts,
    subjects: [],
    faults: new Map(),
    diagnostics,
    tool,
    minimumLevel: 'L3',
    waivers: { rows: value.waivers, today },
    allowWaived,
    reproduce: () => 'pv audit',
  });
}

const verdicts = ({ contracts }: Report): readonly string[] =>
  contracts.flatMap(({ claims }) => claims.map(({ verdict }) => verdict));
const codes = ({ findings }: Report): readonly string[] => findings.map(({ code }) => code);

describe('a waived claim', () => {
  it('is waived and not green: the gate fails without the flag, and says how it passes', () => {
    expect(verdicts(reportOf([]))).toEqual(['tested', 'falsified']);
    const report = reportOf([rowOf()]);
    expect(verdicts(report)).toEqual(['tested', 'waived']);
    expect(report.gate.passed).toBe(false);
    expect(report.gate.reasons.join()).toContain('--allow-waived');
    expect(report.totals).toMatchObject({ declared: 2, byVerdict: { waived: 1, tested: 1 } });
    expect(report.contracts[0]?.claims[1]).toMatchObject({
      level: 'L1',
      waiver: { owner: 'ada', reason: 'until the driver is fixed', expires: '2027-03-31', verdict: 'falsified' },
    });
  });

  it('passes the gate with the flag, whose first line says so, at the level of the other claims', () => {
    const report = reportOf([rowOf()], '2027-03-31', true);
    expect(report.gate).toMatchObject({ passed: true, reasons: [] });
    expect(codes(report)).toEqual([]);
    expect(report.contracts[0]).toMatchObject({ verdict: 'waived', level: 'L3' });
    // A flag without a waiver passes nothing.
    expect(reportOf([], '2027-01-01', true).gate.passed).toBe(false);
  });

  it.each(formatNames)('shows in %s', async (format) => {
    const text = await formatReport(format, reportOf([rowOf()], '2027-01-01', true), plainOptions);
    expect(text).toContain('waived');
    if (['text', 'markdown', 'comment', 'github', 'mermaid', 'dot'].includes(format))
      expect(text).toContain('PASSED with 1 of 2 claims waived');
    if (!['mermaid', 'dot'].includes(format)) expect(text).toContain('until the driver is fixed');
  });

  it('counts for nothing after its last day', () => {
    const report = reportOf([rowOf()], '2027-04-01', true);
    expect(verdicts(report)).toEqual(['tested', 'falsified']);
    expect(report.gate.passed).toBe(false);
    expect(codes(report)).toContain('PV-6050');
  });

  it('is not one that is green: its waiver is unnecessary', () => {
    const report = reportOf([rowOf({ claim: 'C0' }), rowOf()]);
    expect(verdicts(report)).toEqual(['tested', 'waived']);
    expect(codes(report)).toEqual(['PV-6051']);
  });
});

describe('a waiver', () => {
  it.each<[string, Readonly<Record<string, string | null>>]>([
    ['without an owner', { owner: null }],
    ['with a blank reason', { reason: ' ' }],
    ['without a last day', { expires: null }],
    ['until a day that does not exist', { expires: '2027-02-30' }],
    ['until some day', { expires: 'next year' }],
    ['of every claim', { claim: '*' }],
    ['of a pattern', { claim: 'C?' }],
    ['of a whole contract', { claim: null }],
  ])('%s is refused, and waives nothing', (_, more) => {
    const { value, diagnostics } = read(rowOf(more));
    expect(value.waivers).toEqual([]);
    expect(diagnostics.map(({ code }) => code)).toEqual(['PV-5045']);
    expect(reportOf([rowOf(more)], '2027-01-01', true).gate.passed).toBe(false);
  });

  it('is not given twice for one claim', () => {
    expect(read(rowOf(), rowOf({ owner: 'eve' })).diagnostics.map(({ code }) => code)).toEqual(['PV-5045']);
  });

  it('names a claim that exists', () => {
    const contracts = plan.contracts.map(({ elaborated }) => elaborated.contract);
    const found = (more: Readonly<Record<string, string>>) => waiverTargets(read(rowOf(more)).value.waivers, contracts);
    expect(found({})).toEqual([]);
    expect(found({ claim: 'C11' })).toMatchObject([{ code: 'PV-5046', hint: 'did you mean `C1`?' }]);
    expect(found({ claim: 'speed' })).toMatchObject([{ code: 'PV-5046', hint: 'there are C0 and C1' }]);
    expect(found({ contract: 'triple-v1' })).toMatchObject([{ code: 'PV-5046', hint: 'there are double-v1' }]);
  });
});

describe('a waiver lasts a year at most', () => {
  it.each([
    ['2028-01-01', '2027-01-01', []],
    ['2028-01-02', '2027-01-01', ['PV-8099']],
    ['2127-01-01', '2027-01-01', ['PV-8099']],
    ['9999-12-31', '2027-01-01', ['PV-8099']],
    ['2029-02-28', '2028-02-29', []],
    ['2028-01-02', '2027-01-02', []],
  ])('until %s, on %s', (expires, today, found) => {
    const report = reportOf([rowOf({ expires })], today);
    expect(codes(report)).toEqual(found);
    expect(verdicts(report).includes('waived')).toBe(found.length === 0);
  });

  it('and the suggested day exists in the calendar', () => {
    const { findings } = reportOf([rowOf({ expires: '2029-03-01' })], '2028-02-29');
    expect(findings).toMatchObject([{ code: 'PV-8099', hint: 'set a day until 2029-02-28' }]);
  });

  it('of a claim in words sets that aside, and shows what it sets aside', async () => {
    const words = await planOf({ 'double-v1': doublingContract([['as fast as it can be']]) }, [doublingKernel]);
    const claimWith = (rows: readonly string[]) => reportOf(rows, '2027-01-01', true, words).contracts[0]?.claims[0];
    expect(claimWith([])).toMatchObject({ verdict: 'prose' });
    expect(claimWith([])).not.toHaveProperty('waiver');
    expect(claimWith([rowOf({ claim: 'C0' })])).toMatchObject({
      verdict: 'waived',
      waiver: { owner: 'ada', expires: '2027-03-31', verdict: 'prose' },
    });
  });
});
