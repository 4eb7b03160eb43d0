/** The verdict on a proof of either format, for people. */
import { visible } from '../../base/text.ts';
import type { Palette } from '../../diagnostics/render.ts';
import { markedFirstLine } from '../../trace/verify/first-line.ts';
import type { Verdict } from '../../trace/verify/verdict.ts';
import { boundText, checkLines, problemTexts } from './verdict-text.ts';

type Told = Pick<Verdict, 'verdict' | 'covers' | 'checks' | 'problems' | 'standing' | 'unbound'>;

/** `facts` are lines about what is proved. */
export function proofVerdictText(path: string, found: Told, facts: readonly string[], palette: Palette | null): string {
  const { checks, problems, unbound } = found;
  return [
    `${visible(path)}: ${markedFirstLine(found)}`,
    ...checkLines(checks, palette),
    ...facts,
    `    bound      ${boundText(found)}`,
    ...unbound.map((one) => `    not shown  ${one}`),
    ...problemTexts(problems, palette),
  ].join('\n');
}
