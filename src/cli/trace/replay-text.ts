/** The verdict of a replay, for people and for machines. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { count, visible } from '../../base/text.ts';
import { markedFirstLine } from '../../trace/verify/first-line.ts';
import type { Selection } from '../../trace/verify/selection.ts';
import type { ReplaySource } from '../../trace/verify/source.ts';
import type { TraceVerdict } from '../../trace/verify/verify-trace.ts';
import type { Cli } from '../cli.ts';
import { diagnosticPalette } from '../color.ts';
import { boundText, checkLines, problemTexts } from './verdict-text.ts';

/** The verdict on a trace, for a person. */
export function replayText(
  cli: Cli,
  path: string,
  found: TraceVerdict,
  source: ReplaySource,
  which: Selection,
): string {
  const { checks, problems, unbound } = found;
  const palette = diagnosticPalette(cli.process.stdout.color);
  return [
    `${visible(path)}: ${markedFirstLine(found)}`,
    ...checkLines(checks, palette),
    `    root       ${bytesToHex(source.head.root)}`,
    `    bound      ${boundText(found)}`,
    ...(which.kind === 'sample' ? [`    challenge  ${which.seed}: steps ${found.scope.positions.join(', ')}`] : []),
    ...unbound.map((one) => `    not shown  ${visible(one)}`),
    ...problemTexts(problems, palette),
    ...moreText(found),
  ].join('\n');
}

function moreText({ replayed }: TraceVerdict): readonly string[] {
  const hidden = (replayed?.failures ?? 0) - new Set(replayed?.problems.map(({ position }) => position)).size;
  return hidden > 0 ? [`and ${count(hidden, 'more position')} with problems`] : [];
}
