/** The report of `pv resume check` as one HTML page: the checks, and loss and learning rate across the stop. */
import { count } from '../../base/text.ts';
import { aroundStop, bandBefore, deviations, type AroundStop } from '../../checkpoint/across-the-stop.ts';
import type { Checkpoint, LoggedStep } from '../../checkpoint/checkpoint.ts';
import type { CheckStatus, Finding } from '../../checkpoint/checks/check.ts';
import type { ResumeReport } from '../../checkpoint/resume-check.ts';
import { safe, type Markup } from '../../report/html/markup.ts';
import { chartOf } from '../html/chart.ts';
import { htmlPage } from '../html/page.ts';
import { headLine } from './report-text.ts';

/** Of the verdicts of contracts, the one with the colour of a status. */
const colors: Readonly<Record<CheckStatus, string>> = {
  PASS: 'tested',
  WARN: 'incomplete',
  CRITICAL: 'falsified',
  'NOT CHECKED': 'unbound',
};

const verdictColors = {
  passed: 'tested',
  warnings: 'incomplete',
  incomplete: 'unbound',
  failed: 'falsified',
} as const;

/** The page; `log` is the log that was given, or null. Text from the files is escaped. */
export function reportPage(
  path: string,
  checkpoint: Checkpoint,
  report: ResumeReport,
  log: readonly LoggedStep[] | null,
): string {
  const [head = '', ...rest] = headLine(path, checkpoint, report).split(': ');
  const grave = report.findings.filter(({ status }) => status !== 'PASS');
  const passed = report.findings.filter(({ status }) => status === 'PASS');
  return htmlPage({
    title: `Resume from ${path}`,
    style:
      '.rows th{font-weight:400;color:var(--faint);white-space:nowrap}.rows{margin-top:6px}.rows td,.rows th{border:0}',
    source: 'Made from the checkpoint and the files that were given with it.',
    body: safe`<div class="top"><div class="gate"><h1>Resume from ${path}</h1><span class="mark v-${verdictColors[report.verdict]}">${head}</span></div>
<p>${rest.join(': ')}</p></div>
<main>
${charts(checkpoint, log)}
<h2>Findings</h2>
${grave.length === 0 ? safe`<p>None: ${count(passed.length, 'check')} passed.</p>` : safe`<div class="cards">${grave.map(card)}</div>`}
${passed.length > 0 && safe`<h2>Passed</h2><div class="cards">${passed.map(card)}</div>`}
${report.notCovered.length > 0 && safe`<h2>Not covered</h2><ul>${report.notCovered.map(({ check, options }) => safe`<li>${check}, which needs ${options.join(' or ')}</li>`)}</ul>`}
${report.notApplicable.length > 0 && safe`<p class="hint">Nothing to check: ${report.notApplicable.join(', ')}.</p>`}
</main>`,
  });
}

function card({ check, status, ...details }: Finding): Markup {
  const rows = [
    ['expected', details.expected],
    ['actual', details.actual],
    ['variance', details.variance],
    [status === 'NOT CHECKED' ? 'missing' : 'why', details.why],
    ['fix', details.fix],
  ] as const;
  return safe`<article class="card v-${colors[status]}"><header><h3>${check}</h3><span class="mark">${status}</span></header>
<table class="rows">${rows.map(([name, value]) => value !== null && safe`<tr><th>${name}</th><td>${value}</td></tr>`)}</table></article>
`;
}

/** Rows on each side of the stop that are drawn. */
const shownRows = 200;

function charts({ position, log: earlier }: Checkpoint, log: readonly LoggedStep[] | null): Markup {
  if (position === null) return safe`<p class="hint">The checkpoint does not say at which step it was saved.</p>`;
  const { stop, before, after } = aroundStop(position.globalStep, log ?? [], earlier);
  const around = { stop, before: before.slice(-shownRows), after: after.slice(0, shownRows) };
  return safe`<h2>Loss across the stop</h2>
${lossChart(around) ?? safe`<p class="hint">No log has a loss: pass --log.</p>`}
<p class="hint">Shaded: where the next losses are expected, ${deviations.warn} standard deviations around the line through the last losses before the stop. Crosses: losses outside it.</p>
<h2>Learning rate across the stop</h2>
${chart(around, ({ learningRate }) => learningRate, 'Learning rate') ?? safe`<p class="hint">No log has a learning rate: pass --log.</p>`}`;
}

type Value = (row: LoggedStep) => number | null;

/** The loss, with the band drawn over the steps after the stop. */
function lossChart(around: AroundStop): Markup | null {
  const band = bandBefore(around.before);
  if (band === null) return chart(around, ({ loss }) => loss, 'Loss');
  const edge = (step: number, sign: number) => ({
    step,
    value: band.at(step) + sign * deviations.warn * band.deviation(step),
  });
  // The line is not the course of a whole run: only of the first losses that are compared.
  const steps = [around.stop, ...around.after.slice(0, 20).map(({ step }) => step)];
  return chart(around, ({ loss }) => loss, 'Loss', {
    band: { upper: steps.map((step) => edge(step, 1)), lower: steps.map((step) => edge(step, -1)) },
    failed: around.after
      .slice(0, 20)
      .flatMap(({ step, loss }) =>
        loss !== null && Math.abs(loss - band.at(step)) > deviations.warn * band.deviation(step)
          ? [{ step, value: loss }]
          : [],
      ),
  });
}

function chart(
  { stop, before, after }: AroundStop,
  value: Value,
  label: string,
  more: Partial<Parameters<typeof chartOf>[0]> = {},
): Markup | null {
  const values = [...before, ...after].flatMap((row) => {
    const found = value(row);
    return found === null ? [] : [{ step: row.step, value: found }];
  });
  return chartOf({
    label: `${label} of each step, stopped after step ${stop}`,
    values,
    bounds: [],
    failed: [],
    from: Math.min(stop, values[0]?.step ?? stop),
    steps: Math.max(stop, values.at(-1)?.step ?? stop),
    mark: { step: stop, label: `stop at ${stop}` },
    ...more,
  });
}
