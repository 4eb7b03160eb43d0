/**
 * The summary for a terminal: a line per contract, then whatever is not green, then the totals and the gate.
 */
import { displayWidth, visible } from '../base/text.ts';
import { isGreen, type Verdict } from '../evidence/verdict.ts';
import { coverage, gateText, inputLines, killsText, occurring, ratioText, totalsText, worstRatio } from './facts.ts';
import type { FormatOptions, Paint } from './format.ts';
import type { ClaimReport, ContractReport, Report } from './report.ts';
import { gateSymbol, verdictMarks } from './verdict-mark.ts';

/** Wider terminals do not get longer lines than people read. */
const widest = 120;
const narrowest = 40;

/** Longer values are cut: the report in JSON and the stored failing case have them whole. */
const longestValue = 400;

export function formatText(report: Report, options: FormatOptions): string {
  const width = Math.min(widest, Math.max(narrowest, options.width));
  const { paint } = options;
  const idWidth = Math.min(40, width - 20, Math.max(0, ...report.contracts.map(({ id }) => displayWidth(visible(id)))));
  const lines = report.contracts.flatMap((contract) => [
    ...contractLines(contract, { idWidth, width, paint }),
    ...contract.claims.filter(({ verdict }) => !isGreen(verdict)).flatMap((claim) => claimLines(claim, width, paint)),
  ]);
  const missing = report.edges.filter((edge) => edge.missing).map((edge) => paint('bad', `✗ ${visible(edge.from)} depends on ${visible(edge.to)}, which was not read`));
  return `${[...lines, ...(lines.length > 0 ? [''] : []), ...missing, ...closing(report, width, paint)].join('\n')}\n`;
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
    contract.reason === null ? null : oneLine(contract.reason),
    contract.sound === false ? 'unsound' : null,
    killsText(contract.adequacy),
    ratio === null ? null : `worst error ${ratioText(ratio)}`,
  ].filter((fact) => fact !== null);
  const word = paint(verdictMarks[contract.verdict].tone, contract.verdict.padEnd(12));
  const head = `${mark(contract.verdict, paint)} ${paint('strong', padded(visible(contract.id), idWidth))}  ${word}  ${contract.level}`;
  const used = 2 + idWidth + 2 + 12 + 2 + 2;
  const onOneLine = facts.join(' · ');
  if (used + 2 + displayWidth(onOneLine) <= width) return [`${head}  ${onOneLine}`];
  return [head, ...packed(facts, ' · ', width - 4).map((line) => `    ${line}`)];
}

function claimLines(claim: ClaimReport, width: number, paint: Paint): string[] {
  const title = wrapped(`${oneLine(claim.id)} ${claim.verdict}: ${oneLine(claim.property)}`, width - 6);
  const details = claim.verdict === 'falsified' ? falsifiedDetails(claim) : [];
  const reason = claim.reason === null || details.length > 0 ? [] : [oneLine(claim.reason)];
  const where = `${visible(claim.file)}:${claim.line}`;
  return [
    ...title.map((line, i) => `    ${i === 0 ? mark(claim.verdict, paint) : ' '} ${line}`),
    ...[...details, ...reason].flatMap((line) => wrapped(line, width - 8).map((part) => `        ${part}`)),
    ...(claim.verdict === 'falsified' ? [`        ${paint('dim', `at ${where}`)}`] : []),
    ...(claim.verdict === 'falsified' && claim.reproduce !== null ? [`        ${paint('dim', 'reproduce:')} ${visible(claim.reproduce)}`] : []),
  ];
}

function falsifiedDetails(claim: ClaimReport): string[] {
  const { counterexample } = claim;
  const claimed = claim.formal === null ? [] : [`${oneLine(claim.formal)}${claim.tolerance === null ? '' : `   (tolerance ${oneLine(claim.tolerance)})`}`];
  const found = counterexample === null ? [] : [oneLine(counterexample.explanation), ...inputLines(counterexample.input, longestValue).map((line) => `at ${oneLine(line)}`)];
  const outputs = (counterexample?.outputs ?? []).map((output) => `the kernel gave ${oneLine(output)}`);
  const reason = counterexample === null && claim.reason !== null ? [oneLine(claim.reason)] : [];
  const hint = claim.ifFails === null ? [] : [`likely: ${oneLine(claim.ifFails)}`];
  return [...claimed, ...found, ...outputs, ...reason, ...hint];
}

function closing(report: Report, width: number, paint: Paint): string[] {
  const counts = occurring(report.totals).map(([verdict, n]) => `${verdictMarks[verdict].symbol} ${n} ${verdict}`);
  const passed = report.gate.passed;
  const gate = `${gateSymbol(passed)} ${gateText(report)}`;
  return [
    ...wrapped(totalsText(report), width),
    ...packed(counts, '  ', width - 2).map((line) => `  ${line}`),
    paint(passed ? 'good' : 'bad', gate),
    ...report.gate.reasons.flatMap((reason) => wrapped(oneLine(reason), width - 4).map((line, i) => `  ${i === 0 ? '-' : ' '} ${line}`)),
  ];
}

const mark = (verdict: Verdict, paint: Paint): string => paint(verdictMarks[verdict].tone, verdictMarks[verdict].symbol);

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
    if (last !== undefined && displayWidth(last + separator + item) <= width) lines[lines.length - 1] = last + separator + item;
    else lines.push(item);
  }
  return lines;
}

/** `text` broken between words; a word longer than a line (a counterexample's numbers) stays whole, so that it can be copied. */
function wrapped(text: string, width: number): string[] {
  return packed(text.split(' '), ' ', width);
}
