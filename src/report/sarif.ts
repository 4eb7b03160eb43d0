/**
 * SARIF 2.1.0 for code scanning: one result per claim that is not green and per finding. Green claims are not results, since viewers
 * show every result as an alert; their number stands in the run's properties.
 *
 * Source: OASIS, Static Analysis Results Interchange Format 2.1.0, errata 01; limits: GitHub Docs, "SARIF support for code scanning".
 */
import type { Log, PhysicalLocation, Region, ReportingDescriptor, Result as SarifResult, Run } from 'sarif';
import { visible } from '../base/text.ts';
import { codes, type Code } from '../diagnostics/codes.ts';
import { verdicts, type Verdict } from '../evidence/verdict.ts';
import { sha256 } from '../evidence/digest.ts';
import { claimStory } from './claim-story.ts';
import { contractProblems, problemStory } from './contract-problems.ts';
import { claimId } from './facts.ts';
import type { ClaimReport, ContractReport, FindingReport, Report } from './report.ts';
import { severityOf } from './severity.ts';
import { verdictMarks } from './verdict-mark.ts';

/** GitHub rejects runs with more results. */
const maxResults = 25_000;

interface Result {
  readonly ruleId: string;
  readonly level: FindingReport['severity'];
  readonly text: string;
  readonly path: string | null;
  readonly region: Region | null;
  /** What identifies the result when lines move. */
  readonly identity: readonly (string | null)[];
  readonly justification: string | null;
}

export function formatSarif(report: Report): string {
  const results = [...report.contracts.flatMap(contractResults), ...report.findings.map(findingResult)];
  const shown = results.slice(0, maxResults);
  const rules = [...new Set(shown.map(({ ruleId }) => ruleId))].sort();
  const run: Run = {
    tool: { driver: { name: 'pv', version: report.tool.version, rules: rules.map((id) => ruleOf(id)) } },
    columnKind: 'unicodeCodePoints',
    results: numbered(shown).map(([result, number]) => resultOf(result, rules.indexOf(result.ruleId), number)),
    properties: {
      ...report.totals,
      gatePassed: report.gate.passed,
      results: results.length,
      resultsShown: shown.length,
    },
  };
  const log: Log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return `${JSON.stringify(log, null, 2)}\n`;
}

const claimRule = (verdict: Verdict): string => `pv/${verdict}`;

function contractResults(contract: ContractReport): Result[] {
  const problems = contractProblems(contract).map((problem): Result => ({
    ruleId: `pv/contract-${problem.kind}`,
    level: 'error',
    text: [`${contract.id}: ${problem.message}`, ...problemStory(problem)].join('\n'),
    path: contract.path,
    region: null,
    identity: [contract.path, problem.kind],
    justification: null,
  }));
  return [...problems, ...contract.claims.flatMap((claim) => claimResult(contract, claim))];
}

function claimResult(contract: ContractReport, claim: ClaimReport): Result[] {
  const level = severityOf[claim.verdict];
  if (level === null) return [];
  const id = claimId(contract, claim);
  return [
    {
      ruleId: claimRule(claim.verdict),
      level,
      text: [`${id} is ${claim.verdict}: ${claim.property}`, ...claimStory(claim)].join('\n'),
      path: claim.file,
      region: { startLine: claim.line },
      identity: [claim.file, id, claim.verdict],
      justification: claim.verdict === 'waived' ? (claim.reason ?? 'waived') : null,
    },
  ];
}

function findingResult({ code, severity, message, hint, path, start, end }: FindingReport): Result {
  const ending = end === null ? {} : { endLine: end.line, endColumn: end.column };
  return {
    ruleId: code,
    level: severity,
    text: hint === null ? message : `${message}\n${hint}`,
    path,
    region: start === null ? null : { startLine: start.line, startColumn: start.column, ...ending },
    identity: [path, code, message],
    justification: null,
  };
}

function ruleOf(id: string): ReportingDescriptor {
  const verdict = verdicts.find((one) => claimRule(one) === id);
  if (verdict === undefined)
    return {
      id,
      shortDescription: { text: isCode(id) ? codes[id].title : `A contract is ${id.replace('pv/contract-', '')}` },
    };
  const text = `A claim is ${verdict}: ${verdictMarks[verdict].meaning}.`;
  return {
    id,
    name: `Claim${verdict.charAt(0).toUpperCase()}${verdict.slice(1)}`,
    shortDescription: { text },
    defaultConfiguration: { level: severityOf[verdict] ?? 'none' },
  };
}

const isCode = (id: string): id is Code => Object.hasOwn(codes, id);

function resultOf(
  { ruleId, level, text, path, region, identity, justification }: Result,
  ruleIndex: number,
  number: number,
): SarifResult {
  const physicalLocation: PhysicalLocation = {
    artifactLocation: { uri: uriOf(path ?? '') },
    ...(region === null ? {} : { region }),
  };
  return {
    ruleId,
    ruleIndex,
    level,
    message: { text: text.split('\n').map(visible).join('\n') },
    locations: path === null ? [] : [{ physicalLocation }],
    partialFingerprints: {
      'pv/1': sha256(JSON.stringify([...identity, number])).slice('sha256:'.length, 'sha256:'.length + 32),
    },
    ...(justification === null ? {} : { suppressions: [{ kind: 'external', justification: visible(justification) }] }),
  };
}

/** Each result with its number among those of the same identity, since equal fingerprints are shown once. */
function numbered(results: readonly Result[]): readonly (readonly [Result, number])[] {
  const seen = new Map<string, number>();
  return results.map((result) => {
    const key = JSON.stringify(result.identity);
    const number = seen.get(key) ?? 0;
    seen.set(key, number + 1);
    return [result, number];
  });
}

/** A relative reference with `/`, so that the log is the same on every machine. */
function uriOf(path: string): string {
  return path
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replaceAll('\\', '/')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
}
