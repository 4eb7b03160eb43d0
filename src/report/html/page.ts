/**
 * The report as one page: no requests, no fonts, no script except the one whose hash the page itself allows.
 */
import { sha256 } from '../../evidence/digest.ts';
import { verdicts } from '../../evidence/verdict.ts';
import { gateText, totalsText } from '../facts.ts';
import { graphOf } from '../graph-nodes.ts';
import type { FindingReport, Report } from '../report.ts';
import { tallies } from '../tallies.ts';
import { gateSymbol, gateVerdict, verdictMarks } from '../verdict-mark.ts';
import { filterWord } from './claim-row.ts';
import { contractCard, type CardContext } from './contract-card.ts';
import { loadMath } from './equation-math.ts';
import { graphSection } from './graph-section.ts';
import { safe, trusted, type Markup } from './markup.ts';
import { script } from './script.ts';
import { styleSheet } from './style.ts';

/** With more failing contracts, an overview is more useful than details. */
const mostUnfolded = 4;

/** A self-contained HTML document; user text is escaped. */
export async function formatHtml(report: Report): Promise<string> {
  const keys = new Map(
    graphOf(report).nodes.flatMap(({ id, key, verdict }) => (verdict === null ? [] : [[id, key] as const])),
  );
  const openFailures = report.contracts.filter(({ failed }) => failed > 0).length <= mostUnfolded;
  const context: CardContext = { report, keys, math: await loadMath(), openFailures };
  const page = safe`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="pv ${report.tool.version}">
<title>${gateText(report)}</title>
<link rel="icon" href="data:,">
<style>${trusted(styleSheet())}</style>
</head>
<body>
${top(report)}
${filters(report)}
<main>
${await graphSection(report)}
<section aria-labelledby="contracts-title">
<h2 id="contracts-title">Contracts</h2>
<div class="cards">
${worstFirst(report).map((contract) => contractCard(contract, context))}
</div>
</section>
${findingsSection(report.findings)}
<footer>pv ${report.tool.version}. ${verdicts.map((verdict) => `${verdictMarks[verdict].symbol} ${verdict}: ${verdictMarks[verdict].meaning}`).join(' · ')}</footer>
</main>
<script>${trusted(script)}</script>
</body>
</html>
`;
  return page.markup;
}

const policy = [
  "default-src 'none'",
  `script-src 'sha256-${Buffer.from(sha256(script).slice('sha256:'.length), 'hex').toString('base64')}'`,
  // MathML from Temml carries style attributes.
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

function top(report: Report): Markup {
  const { reasons } = report.gate;
  return safe`<div class="top">
<div class="gate"><h1>Contract verification</h1><span class="mark v-${gateVerdict(report)}">${gateSymbol(report)} ${gateText(report)}</span></div>
<p>${totalsText(report)}</p>
${reasons.length > 0 && safe`<ul class="reasons">${reasons.map((reason) => safe`<li>${reason}</li>`)}</ul>`}
</div>`;
}

function filters(report: Report): Markup {
  if (report.contracts.length === 0) return safe``;
  return safe`<nav class="filters" aria-label="Filter"><form>
${tallies(report)
  .toReversed()
  .map(
    ({ verdict, shown, claims }) =>
      safe`<button type="button" class="v-${shown}" data-verdict="${filterWord(verdict, shown)}" aria-pressed="false" title="${verdictMarks[verdict].meaning}">${verdictMarks[shown].symbol} ${verdict} <b>${claims}</b></button>
`,
  )}<input type="search" aria-label="Name of a contract" placeholder="name of a contract"><output aria-live="polite"></output>
</form></nav>`;
}

/** Contracts by verdict, weakest first; equal ones in the order of the report. */
function worstFirst({ contracts }: Report): Report['contracts'] {
  return verdicts.flatMap((verdict) => contracts.filter((contract) => contract.verdict === verdict));
}

function findingsSection(findings: readonly FindingReport[]): Markup {
  if (findings.length === 0) return safe``;
  return safe`<section aria-labelledby="findings-title">
<h2 id="findings-title">Findings</h2>
<ul class="findings">${findings.map(findingItem)}</ul>
</section>`;
}

function findingItem({ code, severity, message, hint, path, start }: FindingReport): Markup {
  const place = path === null ? '' : `${path}${start === null ? '' : `:${start.line}:${start.column}`}`;
  return safe`<li><b>${severity}</b> <code>${code}</code> ${message}${hint !== null && safe` <span class="faint">${hint}</span>`} <span class="faint">${place}</span></li>
`;
}
