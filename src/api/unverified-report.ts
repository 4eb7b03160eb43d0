import { version } from '../base/version.ts';
import type { Contract } from '../contract/contract.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { verdicts, type Verdict } from '../evidence/verdict.ts';
import { buildDag } from '../graph/dag.ts';
import { findingReport } from '../report/finding-report.ts';
import type { ContractReport, Report } from '../report/report.ts';

/** A report about contracts that have not been verified yet: every claim declared, none evaluated. */
export function unverifiedReport(contracts: readonly Contract[], diagnostics: readonly Diagnostic[] = []): Report {
  const dag = buildDag(contracts);
  const byId = new Map(contracts.map((contract) => [contract.id, contract]));
  const reports = dag.order.flatMap((id) => byId.get(id) ?? []).map(unverified);
  const declared = reports.reduce((sum, report) => sum + report.declared, 0);
  const none = Object.fromEntries(verdicts.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
  return {
    schema: 'pv.report/1',
    tool: { name: 'pv', version },
    contracts: reports,
    edges: dag.edges,
    findings: diagnostics.map(findingReport),
    totals: { declared, evaluated: 0, failed: 0, byVerdict: { ...none, undetermined: declared } },
    gate: {
      judged: false,
      passed: false,
      minimumLevel: 'L0',
      reasons: ['the contracts were only read: pv audit verifies them'],
    },
  };
}

function unverified(contract: Contract): ContractReport {
  return {
    id: contract.id,
    about: contract.dataSection ? 'data' : 'kernels',
    path: contract.path,
    version: contract.version,
    description: contract.description,
    references: contract.references,
    dependsOn: contract.dependsOn.map(({ value }) => value),
    verdict: 'undetermined',
    level: 'L0',
    passes: false,
    reason: null,
    declared: contract.obligations.length + contract.falsificationTests.length,
    evaluated: 0,
    failed: 0,
    sound: null,
    adequacy: null,
    gpu: null,
    equations: [],
    claims: [],
  };
}
