/** The verdict on a proof of either format, for people. */
import { visible } from '../../base/text.ts';
import type { Palette } from '../../diagnostics/render.ts';
import type { ProofVerdict } from '../../trace/verify/check-proof.ts';
import { headline, markedHeadline } from '../../trace/verify/headline.ts';
import { boundText, checkLines, problemTexts } from './verdict-text.ts';

type Told = Pick<ProofVerdict, 'verdict' | 'covers' | 'checks' | 'problems' | 'standing' | 'unbound'>;

/** `facts` are lines about what is proved. */
export function proofVerdictText(
  path: string,
  { verdict, covers, checks, problems, standing, unbound }: Told,
  facts: readonly string[],
  palette: Palette | null,
): string {
  return [
    `${visible(path)}: ${markedHeadline(verdict, headline(verdict, covers))}`,
    ...checkLines(checks, palette),
    ...facts,
    `    bound      ${boundText({ standing, verdict })}`,
    ...unbound.map((one) => `    not shown  ${one}`),
    ...problemTexts(problems, palette),
  ].join('\n');
}
