import { count } from '../../base/text.ts';
import { isGreen, type Verdict } from '../../evidence/verdict.ts';
import { headline, resultLines } from '../claim-story.ts';
import { inputLines, killsText, ratioText, shortened, worstRatio } from '../facts.ts';
import type { ClaimReport } from '../report.ts';
import { verdictMarks } from '../verdict-mark.ts';
import { safe, type Markup } from './markup.ts';

/** Longer values are shortened: the JSON report and the stored failing case have them in full. */
const longestValue = 2_000;

/** What the buttons filter by: claims with the same verdict but a different mark have their own button. */
export const filterWord = (verdict: Verdict, shown: Verdict): string =>
  shown === verdict ? verdict : `${verdict}-${shown}`;

/** A claim's square in its contract's row: symbol, colour, and a text label for those who see neither. */
export function claimCell(claim: ClaimReport, shown: Verdict, key: string): Markup {
  return safe`<li><a class="cell v-${shown}" href="#${key}" title="${claim.id}: ${claim.verdict}" aria-label="${claim.id}: ${claim.verdict}">${verdictMarks[shown].symbol}</a></li>`;
}

/** Everything about one claim. */
export function claimItem(claim: ClaimReport, shown: Verdict, key: string): Markup {
  const { symbol } = verdictMarks[shown];
  return safe`<li id="${key}" class="claim" data-verdict="${filterWord(claim.verdict, shown)}">
<p class="title"><span class="mark v-${shown}">${symbol} ${claim.verdict}</span> <b>${claim.id}</b> ${claim.property} <span class="faint">${claim.type ?? 'falsification test'} · ${claim.level}</span></p>
${claim.formal !== null && safe`<pre class="formula">${claim.formal}${claim.tolerance !== null && safe`<span class="faint">   tolerance ${claim.tolerance}</span>`}</pre>`}
${isGreen(claim.verdict) ? safe`<p class="faint">${evidence(claim).join(' · ')}</p>` : doubts(claim)}
</li>
`;
}

function evidence(claim: ClaimReport): string[] {
  const ratio = worstRatio([claim]);
  const kills = killsText(claim.kills);
  return [
    claim.scope,
    ...(ratio === null ? [] : [`worst error ${ratioText(ratio)}`]),
    ...(kills === null ? [] : [kills]),
  ];
}

function doubts(claim: ClaimReport): Markup {
  const { counterexample } = claim;
  const values =
    counterexample === null
      ? []
      : [
          ...inputLines(counterexample.input, longestValue),
          ...resultLines(claim).map((line) => shortened(line, longestValue)),
        ];
  return safe`<p class="reason v-${claim.verdict}">${shortened(headline(claim) ?? verdictMarks[claim.verdict].meaning, longestValue)}</p>
${values.length > 0 && safe`<pre class="values">${values.join('\n')}</pre>`}
${counterexample !== null && counterexample.shrinks > 0 && safe`<p class="faint">made smaller in ${count(counterexample.shrinks, 'step')}</p>`}
${claim.verdict === 'falsified' && claim.ifFails !== null && safe`<p><span class="faint">likely:</span> ${claim.ifFails}</p>`}
${claim.methods.length > 0 && safe`<p class="faint">${evidence(claim).join(' · ')}</p>`}
<p class="faint">${claim.file}:${claim.line}</p>
${claim.reproduce !== null && safe`<p class="command"><code>${claim.reproduce}</code><button type="button" class="copy">copy</button></p>`}`;
}
