/** The verdict on a proof of either format, for people. */
import { visible } from '../../base/text.ts';
import type { Palette } from '../../diagnostics/render.ts';
import type { ProofVerdict } from '../../trace/verify/check-proof.ts';
import { checkLines, problemTexts, standingText } from './verdict-text.ts';

type Told = Pick<ProofVerdict, 'verdict' | 'checks' | 'problems' | 'standing' | 'unbound'>;

/** `facts` are lines about what is proved; `verified` is how far the format goes where all checks passed. */
export function proofVerdictText(
  path: string,
  { verdict, checks, problems, standing, unbound }: Told,
  facts: readonly string[],
  palette: Palette | null,
  verified = 'VERIFIED',
): string {
  const head = { verified: `✓ ${verified}`, unanchored: '✗ UNANCHORED, so not verified', failed: '✗ FAILED' }[verdict];
  return [
    `${visible(path)}: ${head}`,
    ...checkLines(checks, palette),
    ...facts,
    `    bound      ${standingText(standing)}`,
    ...unbound.map((one) => `    not shown  ${one}`),
    ...problemTexts(problems, palette),
  ].join('\n');
}
