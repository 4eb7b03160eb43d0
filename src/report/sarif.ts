/**
 * SARIF 2.1.0 for code scanning: one result per claim that is not green and per finding. Green claims are not results, since viewers
 * show every result as an alert; their number is in the run's properties.
 *
 * Source: OASIS, Static Analysis Results Interchange Format 2.1.0, errata 01; limits: GitHub Docs, "SARIF support for code scanning".
 */
import type { Log, PhysicalLocation, ReportingDescriptor, Result, Run } from 'sarif';
import { visible } from '../base/text.ts';
import { codes, type Code } from '../diagnostics/codes.ts';
import { verdicts } from '../evidence/verdict.ts';
import { alertsOf, claimRule, fingerprinted, type Alert } from './alerts.ts';
import type { Report } from './report.ts';
import { severityOf } from './severity.ts';
import { verdictMarks } from './verdict-mark.ts';

/** GitHub rejects runs with more results. */
const maxResults = 25_000;

/** A SARIF log; results beyond GitHub's limit are left out. */
export function formatSarif(report: Report): string {
  const alerts = alertsOf(report);
  const shown = alerts.slice(0, maxResults);
  const rules = [...new Set(shown.map(({ rule }) => rule))].sort();
  const run: Run = {
    tool: { driver: { name: 'pv', version: report.tool.version, rules: rules.map((id) => ruleOf(id)) } },
    columnKind: 'unicodeCodePoints',
    results: fingerprinted(shown).map(([alert, print]) => resultOf(alert, rules.indexOf(alert.rule), print)),
    properties: {
      ...report.totals,
      gatePassed: report.gate.passed,
      results: alerts.length,
      resultsShown: shown.length,
    },
  };
  const log: Log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return `${JSON.stringify(log, null, 2)}\n`;
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

function resultOf(alert: Alert, ruleIndex: number, fingerprint: string): Result {
  const { path, waiver } = alert;
  return {
    ruleId: alert.rule,
    ruleIndex,
    level: alert.severity,
    message: {
      text: [alert.summary, ...alert.details]
        .flatMap((text) => text.split('\n'))
        .map(visible)
        .join('\n'),
    },
    locations: path === null ? [] : [{ physicalLocation: placeOf(path, alert) }],
    partialFingerprints: { 'pv/1': fingerprint },
    ...(waiver === null ? {} : { suppressions: [{ kind: 'external', justification: visible(waiver) }] }),
  };
}

function placeOf(path: string, { start, end }: Alert): PhysicalLocation {
  const artifactLocation = { uri: uriOf(path) };
  if (start === null) return { artifactLocation };
  const from = { startLine: start.line, ...('column' in start ? { startColumn: start.column } : {}) };
  const to = end === null ? {} : { endLine: end.line, endColumn: end.column };
  return { artifactLocation, region: { ...from, ...to } };
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
