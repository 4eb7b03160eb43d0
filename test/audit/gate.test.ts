import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeGate } from '../../src/audit/gate.ts';
import { isGreen, levels, verdicts } from '../../src/evidence/verdict.ts';
import { gateText } from '../../src/report/facts.ts';
import type { ContractReport, Report } from '../../src/report/report.ts';
import { claimReport, methodReport } from '../report/sample-reports.ts';

const contract: ContractReport = {
  id: 'c-v1',
  about: 'kernels',
  path: 'c-v1.yaml',
  version: '1.0.0',
  description: null,
  references: [],
  dependsOn: [],
  verdict: 'tested',
  level: 'L3',
  passes: true,
  reason: null,
  declared: 2,
  evaluated: 2,
  failed: 0,
  sound: true,
  adequacy: { killed: 3, total: 3, equivalent: [], survivors: [], uncompared: [] },
  gpu: null,
  equations: [],
  claims: [],
};
const finding = { code: 'PV-1001', message: 'm', hint: null, path: null, start: null, end: null, excerpt: [] } as const;
const report = (more: Partial<ContractReport> = {}, rest: Partial<Report> = {}): Omit<Report, 'gate'> => ({
  schema: 'pv.report/1',
  tool: { name: 'pv', version: '1' },
  contracts: [{ ...contract, ...more }],
  edges: [],
  findings: [],
  totals: {
    declared: 0,
    evaluated: 0,
    failed: 0,
    byVerdict: Object.fromEntries(verdicts.map((verdict) => [verdict, 0])) as Report['totals']['byVerdict'],
  },
  ...rest,
});

describe('the gate', () => {
  it('of one claim says that it is of that claim alone', () => {
    const whole = report();
    const gate = judgeGate(whole, { minimumLevel: 'L3', claim: 'A-1' });
    expect(gateText({ ...whole, gate })).toBe('gate PASSED for A-1 alone (minimum level L3)');
    const all = judgeGate(whole, { minimumLevel: 'L3', claim: null });
    expect(gateText({ ...whole, gate: all })).toBe('gate PASSED (minimum level L3)');
  });

  it('passes what is green, sound, adequate and high enough', () => {
    expect(judgeGate(report(), { minimumLevel: 'L3' })).toEqual({
      judged: true,
      passed: true,
      minimumLevel: 'L3',
      reasons: [],
    });
    expect(
      judgeGate(report({}, { findings: [{ ...finding, severity: 'warning' }] }), { minimumLevel: 'L0' }).passed,
    ).toBe(true);
  });

  it('asks a contract over the reals for no level, unless it binds a kernel', () => {
    const method = methodReport({ method: 'reals', backend: 'decimal' });
    const claims = [claimReport({ methods: [method] })];
    const equation = {
      name: 'f',
      formula: 'f',
      latex: null,
      status: 'executable',
      reason: null,
      kernel: null,
    } as const;
    const at = (kernel: string | null) => report({ level: 'L0', claims, equations: [{ ...equation, kernel }] });
    expect(judgeGate(at(null), { minimumLevel: 'L3' }).passed).toBe(true);
    expect(judgeGate(at('f (f.ts:1)'), { minimumLevel: 'L3' }).reasons).toEqual(['c-v1 is at L0, L3 is required']);
    const both = report({ level: 'L0', claims, equations: [equation, { ...equation, kernel: 'f (f.ts:1)' }] });
    expect(judgeGate(both, { minimumLevel: 'L3' }).passed).toBe(false);
    for (const others of [[claimReport()], [...claims, claimReport()]])
      expect(judgeGate(report({ level: 'L0', claims: others }), { minimumLevel: 'L3' }).passed).toBe(false);
    expect(judgeGate(report({ level: 'L0' }), { minimumLevel: 'L3' }).passed).toBe(false);
  });

  it.each([
    ['nothing read', report({}, { contracts: [] }), 'no contract was read'],
    ['no claim', report({ declared: 0, evaluated: 0 }), 'declares no claim'],
    ['nothing evaluated', report({ evaluated: 0 }), '0 of 2 claims were evaluated'],
    ['an unsound contract', report({ sound: false }), 'its own equation, in float32, breaks it'],
    [
      'a survivor',
      report({ adequacy: { killed: 2, total: 3, equivalent: [], survivors: [], uncompared: [] } }),
      '1 of 3 wrong kernels survive',
    ],
    [
      'a missing dependency',
      report({}, { edges: [{ from: 'c-v1', to: 'd-v1', missing: true }] }),
      'd-v1, which was not read',
    ],
    ['an error', report({}, { findings: [{ ...finding, severity: 'error' }] }), '1 error in'],
  ])('does not pass %s', (_, given, reason) => {
    const gate = judgeGate(given, { minimumLevel: 'L0' });
    expect(gate.passed).toBe(false);
    expect(gate.reasons.join()).toContain(reason);
  });

  const survivors = { killed: 1, total: 3, equivalent: [], survivors: [], uncompared: [] };
  const breach = [methodReport({ method: 'soundness', verdict: 'unsound' })];
  const unsound = claimReport({ verdict: 'unsound', methods: breach });
  const waived = claimReport({
    verdict: 'waived',
    methods: breach,
    waiver: { owner: 'o', reason: 'r', expires: '2027-01-01', verdict: 'unsound' },
  });

  it.each<[Partial<ContractReport>, boolean, readonly string[]]>([
    [{ declared: 0, evaluated: 0 }, false, ['c-v1 declares no claim']],
    [{ evaluated: 0 }, false, ['c-v1: 0 of 2 claims were evaluated']],
    [{ evaluated: 1 }, false, []],
    [{ verdict: 'stale' }, false, ['c-v1 is stale']],
    [{ verdict: 'stale' }, true, ['c-v1 is stale']],
    [{ verdict: 'stale', level: 'L0' }, false, ['c-v1 is stale']],
    [{ verdict: 'waived' }, false, ['c-v1 is waived (--allow-waived passes what is waived)']],
    [{ verdict: 'waived' }, true, []],
    [{ verdict: 'waived', level: 'L1' }, true, ['c-v1 is at L1, L3 is required']],
    [{ level: 'L2' }, false, ['c-v1 is at L2, L3 is required']],
    [{ level: 'L4' }, false, []],
    [{ about: 'data', level: 'L2' }, false, []],
    [{ about: 'data', level: 'L1' }, false, ['c-v1 is at L1, L2 is required']],
    [{ sound: null }, false, []],
    [{ sound: false }, false, ['c-v1: its own equation, in float32, breaks it']],
    [{ sound: false, claims: [unsound] }, true, ['c-v1: its own equation, in float32, breaks it']],
    [{ sound: false, claims: [waived, unsound] }, true, ['c-v1: its own equation, in float32, breaks it']],
    [{ sound: false, claims: [waived] }, false, ['c-v1: its own equation, in float32, breaks it']],
    [{ sound: false, claims: [waived, claimReport()] }, true, []],
    [{ adequacy: null }, false, []],
    [{ adequacy: survivors }, false, ['c-v1: 2 of 3 wrong kernels survive']],
    [{ adequacy: survivors, verdict: 'falsified' }, false, ['c-v1 is falsified']],
    [{ adequacy: survivors, verdict: 'stale' }, true, ['c-v1 is stale', 'c-v1: 2 of 3 wrong kernels survive']],
  ])('says why a contract fails: case %#', (more, allowWaived, reasons) => {
    expect(judgeGate(report(more), { minimumLevel: 'L3', allowWaived })).toMatchObject({
      passed: reasons.length === 0,
      reasons,
    });
  });

  it('is not passed by waived verdicts unless that is requested', () => {
    expect(judgeGate(report({ verdict: 'waived' }), { minimumLevel: 'L0' }).passed).toBe(false);
  });

  it('counts errors, and no dependency that was read', () => {
    const errors = [1, 2].map(() => ({ ...finding, severity: 'error' as const }));
    expect(judgeGate(report({}, { findings: errors }), { minimumLevel: 'L0' }).reasons).toEqual([
      '2 errors in contracts, bindings or evidence',
    ]);
    const edges = [{ from: 'c-v1', to: 'd-v1', missing: false }];
    expect(judgeGate(report({}, { edges }), { minimumLevel: 'L0' }).reasons).toEqual([]);
  });

  it('passes a contract only with a green verdict at the requested level', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...verdicts),
        fc.constantFrom(...levels),
        fc.constantFrom(...levels),
        (verdict, level, least) => {
          const high = levels.indexOf(level) >= levels.indexOf(least);
          expect(judgeGate(report({ verdict, level }), { minimumLevel: least }).passed).toBe(isGreen(verdict) && high);
        },
      ),
    );
  });
});
