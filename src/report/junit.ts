/**
 * JUnit XML: a suite per contract, a case per claim, so that a CI server shows what is not green.
 *
 * `failure` says that a claim is refuted or could not have failed, `error` that there is no evidence where there should be,
 * `skipped` that a person set it aside or that it is prose. Source: the schema of Jenkins' xunit plugin (junit-10.xsd), with
 * `file` and `line`.
 */
import type { Verdict } from '../evidence/verdict.ts';
import { claimStory, headline } from './claim-story.ts';
import { contractProblems, problemStory } from './contract-problems.ts';
import type { ClaimReport, ContractReport, Report } from './report.ts';
import { escapeXml } from './xml.ts';

type Outcome = 'failure' | 'error' | 'skipped';

const outcomes: Readonly<Record<Exclude<Verdict, 'tested' | 'proved'>, Outcome>> = {
  falsified: 'failure',
  unsound: 'failure',
  vacuous: 'failure',
  incomplete: 'error',
  undetermined: 'error',
  stale: 'error',
  unbound: 'error',
  prose: 'skipped',
  waived: 'skipped',
};

interface Case {
  readonly name: string;
  readonly place: { readonly file: string; readonly line: number } | null;
  /** Null for a case that passed. */
  readonly outcome: {
    readonly kind: Outcome;
    readonly type: string;
    readonly message: string;
    readonly details: readonly string[];
  } | null;
}

interface Suite {
  readonly name: string;
  readonly cases: readonly Case[];
}

/** JUnit XML; an empty report has one failing case. */
export function formatJunit(report: Report): string {
  const suites =
    report.contracts.length === 0
      ? [{ name: 'pv', cases: [problem('contracts', 'empty', 'no contract was verified')] }]
      : report.contracts.map(suiteOf);
  const cases = suites.flatMap((suite) => suite.cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="pv"${counts(cases)}>`,
    ...suites.flatMap((suite) => [
      `  <testsuite name="${escapeXml(suite.name)}"${counts(suite.cases)}>`,
      ...suite.cases.flatMap((one) => caseLines(suite.name, one)),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteOf(contract: ContractReport): Suite {
  const problems = contractProblems(contract).map((found) =>
    problem('contract', found.kind, found.message, problemStory(found)),
  );
  return { name: contract.id, cases: [...contract.claims.map(claimCase), ...problems] };
}

function claimCase(claim: ClaimReport): Case {
  const { verdict, file, line } = claim;
  const name = `${claim.id}: ${claim.property}`;
  if (verdict === 'tested' || verdict === 'proved') return { name, place: { file, line }, outcome: null };
  const message = headline(claim) ?? verdict;
  return {
    name,
    place: { file, line },
    outcome: { kind: outcomes[verdict], type: verdict, message, details: claimStory(claim) },
  };
}

function problem(name: string, type: string, message: string, details: readonly string[] = []): Case {
  return { name, place: null, outcome: { kind: 'failure', type, message, details } };
}

function counts(cases: readonly Case[]): string {
  const number = (kind: Outcome): number => cases.filter(({ outcome }) => outcome?.kind === kind).length;
  return ` tests="${cases.length}" failures="${number('failure')}" errors="${number('error')}" skipped="${number('skipped')}"`;
}

function caseLines(suite: string, { name, place, outcome }: Case): string[] {
  const where = place === null ? '' : ` file="${escapeXml(place.file)}" line="${place.line}"`;
  const head = `    <testcase classname="${escapeXml(suite)}" name="${escapeXml(name)}"${where}`;
  if (outcome === null) return [`${head}/>`];
  const message = `message="${escapeXml(`${outcome.type}: ${outcome.message}`)}"`;
  if (outcome.kind === 'skipped') return [`${head}>`, `      <skipped ${message}/>`, '    </testcase>'];
  const open = `      <${outcome.kind} type="${escapeXml(outcome.type)}" ${message}>`;
  return [`${head}>`, `${open}${outcome.details.map(escapeXml).join('\n')}</${outcome.kind}>`, '    </testcase>'];
}
