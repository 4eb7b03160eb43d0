/** The bounded proofs for a terminal: which hold, what they rest on, and why the others do not. */
import { count, visible } from '../../base/text.ts';
import type { ProofRecord } from '../../evidence/receipt.ts';
import { inputLines, shortened } from '../facts.ts';
import type { FormatOptions, Paint } from '../format.ts';
import type { FindingReport } from '../report.ts';
import { findingLines } from '../text.ts';
import { verdictMarks } from '../verdict-mark.ts';
import type { ProofReport } from './proof-report.ts';

const longestLine = 400;

/** What is broken and keeps kernels from being read, one paragraph per contract, and the count. Ends with a line break. */
export function proofsText(
  reports: readonly ProofReport[],
  broken: readonly FindingReport[],
  { paint, width }: Pick<FormatOptions, 'paint' | 'width'>,
): string {
  const contracts = [...new Set(reports.map(({ contract }) => contract))];
  const lines = contracts.flatMap((contract) => [
    paint('strong', visible(contract)),
    ...reports.filter((report) => report.contract === contract).flatMap((report) => proofLines(report, paint)),
    '',
  ]);
  const found = broken.flatMap((finding) => [...findingLines(finding, width, paint), '']);
  return `${[...found, ...lines, summaryLine(reports)].join('\n')}\n`;
}

/** How many proofs hold, hold in part, or are refuted. */
export function summaryLine(reports: readonly ProofReport[]): string {
  const proved = reports.filter(({ verdict }) => verdict === 'proved').length;
  const inPart = reports.filter(isInPart).length;
  const refuted = reports.filter(({ verdict }) => verdict === 'falsified').length;
  const holding = `${proved} of ${count(reports.length, 'proof')} ${proved === 1 ? 'holds' : 'hold'}`;
  return `${holding}${inPart === 0 ? '' : `, ${inPart} of them in part`}${refuted === 0 ? '' : `, ${refuted} refuted`}`;
}

const isInPart = ({ verdict, proof }: ProofReport): boolean =>
  verdict === 'proved' && proof !== null && proof.inPart !== null;

/**
 * Whether everything required is proved: every proof holds, and for each claim one of them covers every
 * combination of sizes up to its bound.
 */
export function allStand(reports: readonly ProofReport[]): boolean {
  const claimOf = ({ contract, claim }: ProofReport): string => `${contract}/${claim}`;
  const whole = new Set(reports.filter((report) => !isInPart(report)).map(claimOf));
  return reports.length > 0 && reports.every((report) => report.verdict === 'proved' && whole.has(claimOf(report)));
}

function proofLines(report: ProofReport, paint: Paint): readonly string[] {
  const { claim, harness, property, verdict, reason, proof, counterexample, reproduce } = report;
  const { symbol, tone } = verdictMarks[isInPart(report) ? 'incomplete' : verdict];
  const name = harness === claim ? claim : `${harness} (${claim})`;
  const details = [
    // A sampled case may refute a claim before anything was stated.
    ...(proof === null || proof.statements === 0 ? [] : recordLines(proof)),
    ...(verdict === 'proved' || reason === null ? [] : [`${verdict}: ${reason}`]),
    ...(proof === null || verdict === 'proved' || verdict === 'falsified'
      ? []
      : proof.open.slice(1).map((text) => `open: ${text}`)),
    ...(counterexample === null
      ? []
      : [
          ...inputLines(counterexample.input, longestLine).map((line) => `at ${line}`),
          ...counterexample.outputs.map((output) => `the kernel gave ${output}`),
        ]),
    ...(verdict === 'proved' || reproduce === null ? [] : [`reproduce: ${reproduce}`]),
  ];
  return [
    `  ${paint(tone, symbol)} ${visible(name)}  ${visible(property)}`,
    ...details.map((line) => `      ${shortened(visible(line), longestLine)}`),
  ];
}

function recordLines(proof: ProofRecord): readonly string[] {
  const { about, scope, inPart, statements, proved, conditions, safe, engines, axioms, assumed = [], refuted } = proof;
  const deciding = engines.filter((engine) => engine.proved > 0).map((one) => `${one.engine} ${one.proved}`);
  const by = deciding.length === 0 ? '' : `, by ${deciding.join(', ')}`;
  return [
    `${about}, ${scope}: ${proved} of ${count(statements, 'statement')} and ${safe} of ${count(conditions, 'condition')} proved${by}`,
    ...(inPart === null ? [] : [`proved in part: ${inPart}`]),
    ...(axioms.length === 0 ? [] : [`assumes ${axioms.join(', ')}`]),
    ...assumed.map(({ goal, harness, scope: where }) => `${goal} (${harness}) is assumed, proved for ${where}`),
    ...(refuted === null ? [] : [`refuses ${refuted.mutant}`]),
  ];
}
