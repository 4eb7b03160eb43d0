/**
 * Markdown for GitHub: a job's step summary (at most 1 MiB) and a comment on a pull request (at most 65,536 characters).
 * What does not fit is left out from the end, and said.
 */
import { count } from '../base/text.ts';
import { isGreen, isRefuted, verdicts } from '../evidence/verdict.ts';
import { claimStory } from './claim-story.ts';
import { contractProblems, problemStory } from './contract-problems.ts';
import { claimId, gateText, ratioText, shortened, statementsText, totalsText, worstRatio } from './facts.ts';
import { codeBlock, escapeMarkdown, inlineCode } from './markdown-escape.ts';
import type { ClaimReport, ContractReport, FindingReport, Report } from './report.ts';
import { tallies, tallyText } from './tallies.ts';
import { gateSymbol, shownAs, verdictMarks } from './verdict-mark.ts';

/** Both limits are kept in bytes with room for a line that a workflow adds. Source: GitHub Docs, job summaries; GitHub API, issue comments. */
const summaryBytes = 1_000_000;
const commentBytes = 60_000;

/** Characters of a reason of the gate; fifty of them must leave room for the rest. */
const longestReason = 300;

/** A step summary, shortened to GitHub's limit of 1 MiB. */
export function formatMarkdown(report: Report): string {
  return fitted(report, summaryBytes);
}

/** A comment, shortened to the size that GitHub accepts. */
export function formatComment(report: Report): string {
  return fitted(report, commentBytes);
}

function fitted(report: Report, limit: number): string {
  const head = headLines(report).join('\n');
  // The table may take half, so that there is always room for what is wrong.
  const table = fill(report.contracts.map(contractRow), (limit - bytes(head)) / 2, 'contract');
  const body =
    report.contracts.length === 0
      ? []
      : [
          '',
          '| | contract | verdict | level | claims | wrong kernels caught | worst error |',
          '|---|---|---|---|---|---|---|',
          ...table,
        ];
  const start = [head, ...body].join('\n');
  const details = fill(detailsOf(report), limit - bytes(start), 'detail');
  return `${[start, ...(details.length > 0 ? ['', ...details] : [])].join('\n')}\n`;
}

/** As many parts as fit, worst first where the caller has ordered them so; the number of those left out is the last line. */
function fill(parts: readonly string[], budget: number, what: string): string[] {
  const note = (left: number): string => `\n_… and ${count(left, what)} more, left out for length_`;
  let room = budget - bytes(note(parts.length)) - 1;
  const fitting = parts.findIndex((part) => (room -= bytes(part) + 1) < 0);
  return fitting === -1 ? [...parts] : [...parts.slice(0, fitting), note(parts.length - fitting)];
}

const bytes = (text: string): number => new TextEncoder().encode(text).length;

function headLines(report: Report): string[] {
  const { gate } = report;
  const present = tallies(report);
  return [
    `## ${gateSymbol(report)} ${gateText(report)}`,
    '',
    totalsText(report),
    ...gate.reasons
      .slice(0, 50)
      .map((reason, i) => `${i === 0 ? '\n' : ''}- ${escapeMarkdown(shortened(reason, longestReason))}`),
    ...(gate.reasons.length > 50 ? [`- and ${count(gate.reasons.length - 50, 'reason')} more`] : []),
    '',
    ...(present.length === 0 ? [] : [present.map(tallyText).join(' · ')]),
  ];
}

function contractRow(contract: ContractReport): string {
  const { verdict, level, declared, evaluated, failed, adequacy } = contract;
  const ratio = worstRatio(contract.claims);
  const cells = [
    verdictMarks[shownAs(contract)].symbol,
    inlineCode(contract.id),
    contract.reason === null ? verdict : `${verdict}: ${escapeMarkdown(contract.reason)}`,
    level,
    `${evaluated} of ${declared}${failed > 0 ? `, **${failed} failed**` : ''}`,
    adequacy === null ? 'not run' : `${adequacy.killed} of ${adequacy.total}`,
    ratio === null ? '' : ratioText(ratio),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** A folded block per claim that is not green, in the order of verdicts, and per finding. */
function detailsOf(report: Report): string[] {
  const claims = report.contracts.flatMap((contract) => contract.claims.map((claim) => [contract, claim] as const));
  const open = verdicts
    .filter((verdict) => !isGreen(verdict))
    .flatMap((verdict) => claims.filter(([, claim]) => claim.verdict === verdict));
  return [
    ...report.contracts.flatMap(problemsOf),
    ...open.map(([contract, claim]) => claimDetails(contract, claim)),
    ...report.contracts.flatMap(unevaluatedOf),
    ...report.findings.map(findingLine),
  ];
}

function problemsOf(contract: ContractReport): string[] {
  return contractProblems(contract).map((problem) => {
    const story = problemStory(problem);
    const more = story.length === 0 ? '' : `\n\n${codeBlock(story)}\n`;
    return `- **${problem.kind}** ${inlineCode(contract.id)}: ${escapeMarkdown(problem.message)}${more}`;
  });
}

/** The statements of a contract's equations that are not evaluated. */
function unevaluatedOf(contract: ContractReport): string[] {
  const text = statementsText(contract);
  if (text === null) return [];
  const lines = (contract.statements?.unevaluated ?? []).map(
    ({ id, text: stated, reason }) => `not evaluated: ${id}, ${stated}: ${reason}`,
  );
  return [
    lines.length === 0
      ? `- ${inlineCode(contract.id)}: ${text}`
      : `<details><summary>${escapeMarkdown(contract.id)}: ${text}</summary>\n\n${codeBlock(lines)}\n\n</details>\n`,
  ];
}

function claimDetails(contract: ContractReport, claim: ClaimReport): string {
  const title = `${verdictMarks[claim.verdict].symbol} ${claim.verdict}: ${escapeMarkdown(claimId(contract, claim))}, ${escapeMarkdown(claim.property)}`;
  const place = inlineCode(`${claim.file}:${claim.line}`);
  return `<details${isRefuted(claim.verdict) ? ' open' : ''}><summary>${title}</summary>\n\n${place}\n\n${codeBlock(claimStory(claim))}\n\n</details>\n`;
}

function findingLine({ code, severity, message, hint, path, start }: FindingReport): string {
  const place = path === null ? '' : ` in ${inlineCode(start === null ? path : `${path}:${start.line}`)}`;
  return `- **${severity}** ${code}${place}: ${escapeMarkdown(hint === null ? message : `${message} (${hint})`)}`;
}
