import { compareText, count } from '../../base/text.ts';
import { adviceOnSurvivors, contractProblems, survivorText } from '../contract-problems.ts';
import {
  coverage,
  gpuText,
  killsText,
  levelText,
  limitText,
  ratioText,
  realProofsText,
  statementsText,
  worstRatio,
} from '../facts.ts';
import type { ContractReport, EquationReport, Report } from '../report.ts';
import { claimShownAs, shownAs, verdictMarks } from '../verdict-mark.ts';
import { claimCell, claimItem, filterWord } from './claim-row.ts';
import type { RenderMath } from './equation-math.ts';
import { safe, type Markup } from './markup.ts';

/** What all cards of a page share. */
export interface CardContext {
  readonly report: Report;
  /** Contract id → the key of its card and node. */
  readonly keys: ReadonlyMap<string, string>;
  readonly math: RenderMath;
  /** Whether failing contracts start unfolded. */
  readonly openFailures: boolean;
}

/** A contract: its verdict with counts, a cell per claim, and everything else folded away. */
export function contractCard(contract: ContractReport, context: CardContext): Markup {
  const key = context.keys.get(contract.id) ?? '';
  const shown = shownAs(contract);
  const { symbol } = verdictMarks[shown];
  const ofClaims = contract.claims.map((claim) => filterWord(claim.verdict, claimShownAs(claim, contract)));
  const words = [...new Set([...ofClaims, filterWord(contract.verdict, shown)])].sort(compareText);
  return safe`<article id="${key}" class="card v-${shown}" data-verdicts="${words.join(' ')}" data-name="${contract.id}">
<header><h3><span class="mark v-${shown}">${symbol} ${contract.verdict}</span> ${contract.id}</h3><span class="level" title="the level that the evidence reaches">${levelText(contract)}</span></header>
${contract.description !== null && safe`<p class="about">${contract.description}</p>`}
<p class="counts">${facts(contract).join(' · ')}</p>
${contractProblems(contract).map(({ kind, message, advice }) => safe`<p class="reason v-falsified">${kind}: ${message}${kind === 'unsound' && advice !== null && safe`; to fix it, ${advice}`}</p>`)}
<ul class="cells" aria-label="${count(contract.claims.length, 'claim')}">${contract.claims.map((claim, i) => claimCell(claim, claimShownAs(claim, contract), `${key}-${i}`))}</ul>
<details${context.openFailures && contract.failed > 0 && ' open'}><summary>claims, equations, evidence</summary>
${contract.equations.map((equation) => equationBlock(equation, context.math))}
<ol class="claims">${contract.claims.map((claim, i) => claimItem(claim, claimShownAs(claim, contract), `${key}-${i}`))}</ol>
${adequacySection(contract)}
${neighbours(contract, context)}
${contract.references.length > 0 && safe`<h4>Sources</h4><ul>${contract.references.map((reference) => safe`<li>${reference}</li>`)}</ul>`}
<p class="faint">${contract.path}${contract.version !== null && safe` · version ${contract.version}`}</p>
</details>
</article>
`;
}

function facts(contract: ContractReport): string[] {
  const ratio = worstRatio(contract.claims);
  const worst = ratio === null ? null : `worst error ${ratioText(ratio)}`;
  return [
    coverage(contract),
    killsText(contract.adequacy),
    worst,
    gpuText(contract),
    realProofsText(contract.claims),
    statementsText(contract),
    limitText(contract),
  ].filter((fact) => fact !== null);
}

function equationBlock({ name, formula, latex, status, reason, kernel }: EquationReport, math: RenderMath): Markup {
  const rendered = latex === null ? null : math(latex);
  return safe`<div class="equation"><p><b>${name}</b> <span class="faint">${kernel === null ? (status === 'executable' && reason !== null ? reason : 'no kernel is bound') : `kernel ${kernel}`}${status !== 'executable' && safe` · ${status}${reason !== null && safe`: ${reason}`}`}</span></p>
${rendered === null ? safe`<pre class="formula">${formula}</pre>` : safe`<div class="math" title="${formula}">${rendered}</div>`}</div>
`;
}

function adequacySection(contract: ContractReport): Markup {
  const { adequacy } = contract;
  const survivors = (adequacy?.survivors ?? []).map((mutant) => safe`<li>${survivorText(mutant)}</li>`);
  const equivalent = (adequacy?.equivalent ?? []).map(
    ({ mutant, equivalent: reason }) => safe`<li>${mutant} <span class="faint">${reason ?? ''}</span></li>`,
  );
  return safe`${survivors.length > 0 && safe`<h4>Wrong kernels that no claim catches</h4><ul>${survivors}</ul><p class="faint">To fix it, ${adviceOnSurvivors(contract)}.</p>`}${equivalent.length > 0 && safe`<h4>Declared equivalent to the kernel</h4><ul>${equivalent}</ul>`}`;
}

function neighbours({ id }: ContractReport, { report, keys }: CardContext): Markup {
  const link = (other: string): Markup =>
    safe`<li>${keys.has(other) ? safe`<a href="#${keys.get(other) ?? ''}">${other}</a>` : safe`${other} <span class="faint">(not read)</span>`}</li>`;
  const below = report.edges.filter(({ from }) => from === id).map(({ to }) => link(to));
  const above = report.edges.filter(({ to }) => to === id).map(({ from }) => link(from));
  return safe`${below.length > 0 && safe`<h4>Rests on</h4><ul class="inline">${below}</ul>`}${above.length > 0 && safe`<h4>Used by</h4><ul class="inline">${above}</ul>`}`;
}
