/**
 * The summary for a terminal: a line per contract, then whatever is not green, then the totals and the gate. Of many contracts, those
 * that need no attention are counted.
 */
import { count, displayWidth, visible } from '../base/text.ts';
import { isGreen, isRefuted, type Verdict } from '../evidence/verdict.ts';
import { claimStory } from './claim-story.ts';
import { contractProblems, type ContractProblem } from './contract-problems.ts';
import {
  coverage,
  excusedText,
  gateText,
  gpuText,
  killsText,
  levelText,
  limitText,
  overRealsText,
  ratioText,
  realProofsText,
  statementsText,
  totalsText,
  worstRatio,
} from './facts.ts';
import type { FormatOptions, Paint } from './format.ts';
import type { ClaimReport, ContractReport, FindingReport, Report } from './report.ts';
import { tallies, tallyText } from './tallies.ts';
import { gateSymbol, gateVerdict, shownAs, verdictMarks } from './verdict-mark.ts';

/** Wider terminals do not get longer lines than people read. */
const widest = 120;
const narrowest = 40;

/** More contracts than a screen has room for. */
const mostListed = 20;

/** Lines no wider than the terminal, the gate last. */
export function formatText(report: Report, options: FormatOptions): string {
  const width = Math.min(widest, Math.max(narrowest, options.width));
  const { paint, command } = options;
  const idWidth = Math.min(40, width - 20, Math.max(0, ...report.contracts.map(({ id }) => displayWidth(visible(id)))));
  const isLong = report.contracts.length > mostListed;
  const counted = isLong ? report.contracts.filter(needsNoAttention) : [];
  const lines = report.contracts
    .filter((contract) => !counted.includes(contract))
    .flatMap((contract) => [
      ...contractLines(contract, { idWidth, width, paint }),
      ...contractProblems(contract).flatMap((problem) => problemLines(problem, { width, paint, command })),
      ...openClaimLines(contract, isLong, { width, paint, command }),
    ]);
  if (counted.length > 0) lines.push(...countedLines(counted, { width, paint, command }));
  const missing = report.edges
    .filter((edge) => edge.missing)
    .flatMap(({ from, to }) => [paint('bad', `✗ ${visible(from)} depends on ${visible(to)}, which was not read`), '']);
  const shown = (wanted: FindingReport['severity']): readonly string[] =>
    foundLines(
      report.findings.filter(({ severity }) => severity === wanted),
      options,
      width,
    );
  const notes = report.findings.filter(({ severity }) => severity === 'note').length;
  const more = notes === 0 ? [] : [paint('dim', `${count(notes, 'more note')}: ${inAnotherFormat(command)}`)];
  // What is broken explains what could not be verified, so it comes before that.
  const parts = [...shown('error'), ...lines, ...(lines.length > 0 ? [''] : []), ...missing, ...shown('warning')];
  return `${[...parts, ...more, ...closing(report, width, paint)].join('\n')}\n`;
}

/** Whether a contract passes the gate, and nothing about it or its claims must be fixed. */
function needsNoAttention(contract: ContractReport): boolean {
  const { passes, verdict, claims } = contract;
  return (
    passes && isGreen(verdict) && contractProblems(contract).length === 0 && claims.every((one) => isGreen(one.verdict))
  );
}

function countedLines(contracts: readonly ContractReport[], { width, paint, command }: FormatOptions): string[] {
  const byLevel = new Map<string, number>();
  for (const contract of contracts) byLevel.set(levelText(contract), (byLevel.get(levelText(contract)) ?? 0) + 1);
  const levels = [...byLevel].toSorted(([a], [b]) => (a < b ? 1 : -1)).map(([level, number]) => `${number} ${level}`);
  const text = `${count(contracts.length, 'contract')} ${contracts.length === 1 ? 'passes' : 'pass'}: ${levels.join(', ')} (each one: ${inAnotherFormat(command)})`;
  return wrapped(text, width - 2).map((line, i) => `${i === 0 ? mark('tested', paint) : ' '} ${line}`);
}

/** A format for people that holds everything, however long. */
function inAnotherFormat(command: string | null): string {
  return command === null ? 'the format markdown has them all' : `${command} --format markdown`;
}

interface Layout {
  readonly idWidth: number;
  readonly width: number;
  readonly paint: Paint;
}

function contractLines(contract: ContractReport, { idWidth, width, paint }: Layout): string[] {
  const ratio = worstRatio(contract.claims);
  const facts = [
    coverage(contract),
    killsText(contract.adequacy),
    excusedText(contract.adequacy),
    overRealsText(contract.claims),
    statementsText(contract),
    realProofsText(contract.claims),
    ratio === null ? null : `worst error ${ratioText(ratio)}`,
    // Every contract says so until someone has a device: what did not run is in the other formats.
    contract.gpu?.standing === 'not run' ? null : gpuText(contract),
    limitText(contract),
  ].flatMap((fact) => (fact === null ? [] : [oneLine(fact)]));
  const shown = shownAs(contract);
  const word = paint(verdictMarks[shown].tone, contract.verdict.padEnd(12));
  const head = `${mark(shown, paint)} ${paint('strong', padded(visible(contract.id), idWidth))}  ${word}  ${levelText(contract)}`;
  const used = 2 + idWidth + 2 + 12 + 2 + levelText(contract).length;
  const onOneLine = facts.join(' · ');
  if (used + 2 + displayWidth(onOneLine) <= width) return [`${head}  ${onOneLine}`];
  return [head, ...packed(facts, ' · ', width - 4).map((line) => `    ${line}`)];
}

/** Survivors of a weak contract come by the dozen; the first few show what it misses. */
const shownDetails = 6;

function problemLines(
  { kind, message, details, advice }: ContractProblem,
  { width, paint, command }: FormatOptions,
): string[] {
  const lines = wrapped(oneLine(`${kind}: ${message}`), width - 6).map(
    (line, i) => `    ${i === 0 ? paint('bad', '!') : ' '} ${line}`,
  );
  const more = details.length - shownDetails;
  return [
    ...lines,
    ...details
      .slice(0, shownDetails)
      .flatMap((detail) => wrapped(oneLine(detail), width - 8))
      .map((line) => `        ${line}`),
    ...(more > 0 ? [`        and ${more} more: ${inAnotherFormat(command)}`] : []),
    ...(advice === null ? [] : wrapped(`to fix it, ${advice}`, width - 8).map((line) => `        ${line}`)),
  ];
}

/** Claims that are not green; in a long report, of those that nothing refutes only the first few. */
function openClaimLines(contract: ContractReport, isLong: boolean, { width, paint, command }: FormatOptions): string[] {
  const { claims } = contract;
  const groups = alike(claims.filter(({ verdict }) => !isGreen(verdict)));
  const doubtful = groups.filter(([{ verdict }]) => !isRefuted(verdict));
  const left = isLong ? doubtful.slice(shownDoubts) : [];
  return [
    ...groups.filter((group) => !left.includes(group)).flatMap((group) => claimLines(group, width, paint)),
    ...(left.length > 0
      ? [
          `    and ${count(left.flat().length, 'more claim', 'more claims')} without a verdict: ${inAnotherFormat(command)}`,
        ]
      : []),
    ...bindingLines(contract),
  ];
}

/** The row that binds a kernel to the first equation that has none: it is copied, so it is never broken. */
function bindingLines({ path, equations, claims }: ContractReport): readonly string[] {
  const free = equations.find(({ kernel, status, reason }) => kernel === null && status === 'executable' && !reason);
  if (!free || !claims.some(({ verdict }) => verdict === 'unbound')) return [];
  const contract = JSON.stringify(path.slice(path.lastIndexOf('/') + 1));
  return [
    '        to bind one, add its row to binding.yaml, under `bindings:`',
    `          - { contract: ${contract}, equation: ${visible(free.name)}, module_path: src/FILE.ts, function: NAME, status: implemented }`,
  ];
}

const shownDoubts = 2;

/** Claims that nothing refutes and that are open for the same reason are shown together, in the place of the first. */
function alike(claims: readonly ClaimReport[]): readonly (readonly [ClaimReport, ...ClaimReport[]])[] {
  const groups = new Map<string, [ClaimReport, ...ClaimReport[]]>();
  for (const claim of claims) {
    const { verdict, reason } = claim;
    const key = JSON.stringify(isRefuted(verdict) || reason === null ? claim.id : [verdict, reason]);
    const group = groups.get(key);
    if (group) group.push(claim);
    else groups.set(key, [claim]);
  }
  return [...groups.values()];
}

function claimLines(claims: readonly [ClaimReport, ...ClaimReport[]], width: number, paint: Paint): readonly string[] {
  const [claim] = claims;
  const { verdict, reason } = claim;
  const isOne = claims.length === 1;
  const what = isOne ? claim.property : (reason ?? '');
  const who = isOne ? claim.id : count(claims.length, 'claim');
  const refuted = isRefuted(verdict);
  const story = refuted ? claimStory(claim) : isOne ? [reason ?? ''] : [claims.map(({ id }) => id).join(', ')];
  // A command is copied, so it is never broken.
  const lines = story
    .map(oneLine)
    .filter((line) => line !== '')
    .flatMap((line) => (line.startsWith('reproduce: ') ? [line] : wrapped(line, width - 8)));
  return [
    ...wrapped(oneLine(`${who} ${verdict}: ${what}`), width - 6).map(
      (line, i) => `    ${i === 0 ? mark(verdict, paint) : ' '} ${line}`,
    ),
    ...lines.map((line) => `        ${line}`),
    ...(refuted ? [`        ${paint('dim', `in ${visible(claim.file)}:${claim.line}`)}`] : []),
  ];
}

/** Findings of one code about no place in a text (a store that cannot be written) say the same of file after file. */
const shownWithoutPlace = 2;

function foundLines(findings: readonly FindingReport[], { paint, command }: FormatOptions, width: number): string[] {
  const lines: string[] = [];
  const left = new Map<string, number>();
  const seen = new Map<string, number>();
  for (const finding of findings) {
    const { code, start } = finding;
    const number = (seen.get(code) ?? 0) + (start === null ? 1 : 0);
    seen.set(code, number);
    if (start === null && number > shownWithoutPlace) left.set(code, number - shownWithoutPlace);
    else lines.push(...findingLines(finding, width, paint), '');
  }
  for (const [code, more] of left) lines.push(`and ${more} more of ${code}: ${inAnotherFormat(command)}`, '');
  return lines;
}

/** A finding as `pv validate` shows it, its sentences wrapped; the excerpt stays as it is. */
export function findingLines(finding: FindingReport, width: number, paint: Paint): string[] {
  const { code, severity, message, hint, excerpt } = finding;
  const label = `${severity}[${code}]:`;
  const [first = '', ...rest] = wrapped(`${label} ${oneLine(message)}`, width - 4);
  const margin = ' '.repeat(Math.max(1, excerpt[0]?.indexOf('-->') ?? 1));
  const help = hint === null ? [] : wrapped(`help: ${oneLine(hint)}`, width - margin.length - 9);
  return [
    `${paint(severity === 'error' ? 'bad' : 'doubt', label)}${first.slice(label.length)}`,
    ...rest.map((line) => `    ${line}`),
    ...excerpt.map(visible),
    ...help.map((line, i) => `${margin} ${i === 0 ? '= ' : '        '}${line}`),
    `${margin} = more: pv explain ${code}`,
  ];
}

function closing(report: Report, width: number, paint: Paint): string[] {
  const counts = tallies(report).map(tallyText);
  const gate = `${gateSymbol(report)} ${gateText(report)}`;
  return [
    ...wrapped(totalsText(report), width),
    ...packed(counts, '  ', width - 2).map((line) => `  ${line}`),
    ...wrapped(gate, width).map((line) => paint(verdictMarks[gateVerdict(report)].tone, line)),
    ...report.gate.reasons.flatMap((reason) =>
      wrapped(oneLine(reason), width - 4).map((line, i) => `  ${i === 0 ? '-' : ' '} ${line}`),
    ),
  ];
}

const mark = (verdict: Verdict, paint: Paint): string =>
  paint(verdictMarks[verdict].tone, verdictMarks[verdict].symbol);

const oneLine = (text: string): string => visible(text.replace(/\s+/g, ' ').trim());

/** `text` in exactly `width` columns, cut with an ellipsis. */
function padded(text: string, width: number): string {
  const excess = displayWidth(text) > width;
  let shown = '';
  for (const character of text) {
    if (displayWidth(shown + character) > width - (excess ? 1 : 0)) break;
    shown += character;
  }
  return excess ? `${shown}…` : shown + ' '.repeat(width - displayWidth(shown));
}

/** `items` joined on as few lines as `width` allows; an item is never broken. */
function packed(items: readonly string[], separator: string, width: number): string[] {
  const lines: string[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    if (last !== undefined && displayWidth(last + separator + item) <= width)
      lines[lines.length - 1] = last + separator + item;
    else lines.push(item);
  }
  return lines;
}

/** `text` broken between words; a word longer than a line (a counterexample's numbers) stays whole, so that it can be copied. */
export function wrapped(text: string, width: number): string[] {
  return packed(text.split(' '), ' ', width);
}
