/** A run as one HTML page without scripts and requests: verdict, loss, every measured quantity with its bound, failures, time. */
import { count } from '../../base/text.ts';
import { safe, type Markup } from '../../report/html/markup.ts';
import { holds } from '../../training/invariants/invariant.ts';
import type { LedgerFile } from '../../training/ledger/read-ledger.ts';
import type { StepRecord } from '../../training/ledger/step-record.ts';
import type { CertificateVerdict } from '../../training/verify/verify.ts';
import { chartOf, short } from '../html/chart.ts';
import { htmlPage } from '../html/page.ts';
import { rangeOf, seriesOf, type Series } from './series.ts';
import { exceptionsOf, invariantsText, onlySaid, robustnessText, sourcesText, toleratedText } from './summary.ts';
import type { TimingFile } from './timing.ts';

/** What the page shows. */
export interface ShownRun {
  readonly folder: string;
  readonly ledger: LedgerFile;
  /** The verdict at level `ledger`; null if the run has no certificate. */
  readonly verdict: CertificateVerdict | null;
  /** Null without a file of times. */
  readonly timing: TimingFile | null;
}

/** More charts or rows are too long to read; the ledger has everything. */
const [mostCharts, mostRows] = [40, 200];

/** The page; text from the files is escaped. */
export function showPage(run: ShownRun): string {
  const { records } = run.ledger;
  const changed = records.filter(({ verdict }) => verdict !== 'refused');
  const series = seriesOf(records);
  return htmlPage({
    title: `Training run ${run.folder}`,
    style: rules,
    source: 'Made from the ledger; times, if there are any, are not part of it.',
    body: safe`<div class="top">
${heading(run)}
</div>
<main>
<h2>Loss</h2>
${chartOf({ label: 'Loss of each step', values: changed.map(({ step, loss }) => ({ step, value: loss })), bounds: [], failed: failedLosses(records), steps: records.length }) ?? safe`<p class="hint">No step has a finite loss.</p>`}
<p class="hint">The line is the loss of steps that changed the weights; crosses are steps at which a comparison failed.</p>
${failures(records)}
<h2>Measured quantities</h2>
<p class="hint">Dashed: the bound. Refused steps are included.</p>
<div class="cards">${series.slice(0, mostCharts).map((one) => quantity(one, records.length))}</div>
${series.length > mostCharts && safe`<p class="hint">${count(series.length - mostCharts, 'more quantity', 'more quantities')}: see the table of pv train show.</p>`}
${times(run.timing)}
</main>`,
  });
}

const failedLosses = (records: readonly StepRecord[]) =>
  records.filter(({ measured }) => !measured.every(holds)).map(({ step, loss }) => ({ step, value: loss }));

function heading({ folder, ledger: { records, torn }, verdict }: ShownRun): Markup {
  const of = (name: StepRecord['verdict']): number => records.filter((one) => one.verdict === name).length;
  return safe`<div class="gate"><h1>Training run ${folder}</h1>${markOf(verdict)}</div>
<p>${count(records.length, 'step')}: ${of('committed')} committed, ${of('refused')} refused, ${of('overridden')} overridden</p>
${torn > 0 && safe`<p class="reason v-falsified">The last line is truncated: ${count(torn, 'byte')} after the last complete step.</p>`}
${verdict !== null && verified(verdict)}`;
}

function markOf(verdict: CertificateVerdict | null): Markup {
  if (verdict === null)
    return safe`<span class="mark v-unbound">not verified: certificate.json, weights.safetensors or the end of the ledger is missing</span>`;
  return verdict.reached === 'ledger'
    ? safe`<span class="mark v-tested">VERIFIED (ledger)</span>`
    : safe`<span class="mark v-falsified">NOT VERIFIED (ledger)</span>`;
}

/** What the verdict rests on, and what it does not show. */
function verified({ certificate, reached, problem }: CertificateVerdict): Markup {
  if (problem !== null || certificate === null)
    return safe`<p class="reason v-falsified">${problem?.code ?? ''}: ${problem?.message ?? ''}</p>`;
  return safe`<ul>
<li>Counts, verdicts and bounds follow from the ledger; the weights and the configuration match the certificate. No step was replayed: pv certificate verify --level full replays them.</li>
<li>Only the certificate says: ${onlySaid(certificate, reached).join('; ')}.</li>
${[...exceptionsOf(certificate), ...invariantsText(certificate), ...toleratedText(certificate), ...robustnessText(certificate), ...sourcesText(certificate)].map((line) => safe`<li>${line.trim()}</li>`)}
</ul>`;
}

function failures(records: readonly StepRecord[]): Markup {
  const rows = records.flatMap((record) =>
    record.measured.filter((one) => !holds(one)).map((one) => ({ record, one })),
  );
  if (rows.length === 0) return safe`<h2>Failed comparisons</h2><p>None.</p>`;
  return safe`<h2>Failed comparisons</h2>
<div class="wide"><table><thead><tr><th>step</th><th>verdict</th><th>measured</th><th>value</th><th>bound</th></tr></thead><tbody>
${rows.slice(0, mostRows).map(
  ({
    record,
    one,
  }) => safe`<tr><td>${record.step}</td><td>${record.warmup ? 'committed in the warm-up' : record.verdict}</td><td>${one.invariant} ${one.what}</td><td>${short(one.value)}</td><td>${one.is === 'at most' ? '≤' : '≥'} ${short(one.bound)}</td></tr>
`,
)}</tbody></table></div>
${rows.length > mostRows && safe`<p class="hint">… and ${rows.length - mostRows} more</p>`}`;
}

function quantity(series: Series, steps: number): Markup {
  const { name, sign, points, failed } = series;
  const [least, largest] = rangeOf(series);
  const last = points.at(-1);
  const chart = chartOf({
    label: `${name}, from ${short(least)} to ${short(largest)}`,
    values: points,
    bounds: points.map(({ step, bound }) => ({ step, value: bound })),
    failed: points.filter(({ value, bound }) => !(sign === '≤' ? value <= bound : value >= bound)),
    steps,
  });
  return safe`<article class="card v-${failed > 0 ? 'falsified' : 'tested'}"><h3>${name} ${sign} ${short(last?.bound ?? NaN)}</h3>
<p class="counts">first ${short(points[0]?.value ?? NaN)} · least ${short(least)} · largest ${short(largest)} · last ${short(last?.value ?? NaN)} · ${failed === 0 ? 'never failed' : `failed ${count(failed, 'time')}`}</p>
${chart ?? safe`<p class="hint">No value is finite.</p>`}</article>`;
}

function times(timing: TimingFile | null): Markup {
  if (timing === null)
    return safe`<h2>Where time went</h2><p class="hint">Not known: the ledger contains no times, so that a replay gives the same bytes, and the run has no timing.json.</p>`;
  const parts = Object.entries(timing.seconds);
  const total = parts.reduce((sum, [, seconds]) => sum + seconds, 0) || 1;
  return safe`<h2>Where time went</h2>
<p class="hint">From timing.json, which is not sealed: nobody can verify it.</p>
<table class="bars">${parts.map(([name, seconds]) => safe`<tr><th>${name.replaceAll('_', ' ')}</th><td>${seconds.toFixed(2)} s</td><td><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="bar" width="${((100 * seconds) / total).toFixed(1)}" height="8"/></svg></td></tr>`)}</table>`;
}

const rules = `
.bars{width:100%}
.bars td:last-child{width:60%}
.bars svg{display:block;width:100%;height:10px}
.bar{fill:var(--link)}
`;
