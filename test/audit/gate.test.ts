import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeGate } from '../../src/audit/gate.ts';
import { isGreen, levels, verdicts } from '../../src/evidence/verdict.ts';
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
    expect(judgeGate(at('f (f.ts:1)'), { minimumLevel: 'L3' }).reasons).toEqual(['c-v1 is at L0, L3 is asked for']);
    expect(judgeGate(report({ level: 'L0', claims: [claimReport()] }), { minimumLevel: 'L3' }).passed).toBe(false);
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

  it('passes a contract only with a green verdict at the level asked for', () => {
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
