/** Line charts as inline SVG, readable without colour. */
import { safe, type Markup } from '../../report/html/markup.ts';

/** A value at a step; values that are not finite are left out. */
interface Point {
  readonly step: number;
  readonly value: number;
}

/** What a chart shows. */
export interface Chart {
  /** Read aloud instead of the drawing. */
  readonly label: string;
  readonly values: readonly Point[];
  /** Drawn as a dashed line. */
  readonly bounds: readonly Point[];
  /** Marked by crosses. */
  readonly failed: readonly Point[];
  /** The last step of the run. */
  readonly steps: number;
  /** The first step that is drawn; 1 if absent. */
  readonly from?: number;
  /** Shaded: where the values are expected. Points of its upper and its lower edge, at the same steps. */
  readonly band?: { readonly upper: readonly Point[]; readonly lower: readonly Point[] };
  /** A step that is marked by an upright line, with a word for it. */
  readonly mark?: { readonly step: number; readonly label: string };
}

/** Four significant digits, to fit a table. */
export const short = (value: number): string => String(Number(value.toPrecision(4)));

const [width, height] = [640, 150];
/** Room for the numbers at the axes. */
const [left, bottom, top] = [64, 20, 8];
/** More columns than pixels are not visible. */
const columns = 280;

/** The chart; null if there is nothing to draw. The vertical axis is logarithmic if values span more than a factor of 20. */
export function chartOf({ label, values, bounds, failed, steps, from = 1, band, mark }: Chart): Markup | null {
  const shown = values.filter(isFinitePoint);
  const limits = bounds.filter(isFinitePoint);
  const crosses = failed.filter(isFinitePoint);
  if (shown.length === 0) return null;
  const edges = [...(band?.upper ?? []), ...(band?.lower ?? []).toReversed()].filter(isFinitePoint);
  const all = [...shown, ...crosses, ...edges].map(({ value }) => value);
  const [least, largest] = [minimum(all), maximum(all)];
  // A bound far away would flatten the values; it is named beside the chart.
  const near = limits.filter(
    ({ value }) => value >= least - 2 * (largest - least) && value <= largest + 2 * (largest - least),
  );
  const drawn = near.length < limits.length ? [] : limits;
  const [low, high] = [
    Math.min(least, minimum(drawn.map(({ value }) => value))),
    Math.max(largest, maximum(drawn.map(({ value }) => value))),
  ];
  const isLog = low > 0 && high / low > 20;
  const scaled = (value: number): number => (isLog ? Math.log(value) : value);
  const range = scaled(high) - scaled(low) || 1;
  const x = (step: number): number => left + ((width - left - 8) * (step - from)) / Math.max(1, steps - from);
  const y = (value: number): number => top + (height - top - bottom) * (1 - (scaled(value) - scaled(low)) / range);
  const path = (points: readonly Point[]): string =>
    points.map(({ step, value }, i) => `${i === 0 ? 'M' : 'L'}${x(step).toFixed(1)} ${y(value).toFixed(1)}`).join('');
  return safe`<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">
<path class="axis" d="M${left} ${top}V${height - bottom}H${width - 8}"/>
<text x="${left - 6}" y="${top + 8}" text-anchor="end">${axisText(high)}</text><text x="${left - 6}" y="${height - bottom}" text-anchor="end">${axisText(low)}</text>
<text x="${left}" y="${height - 5}">${from}</text><text x="${width - 8}" y="${height - 5}" text-anchor="end">step ${steps}</text>${isLog && safe`<text x="${width / 2}" y="${height - 5}" text-anchor="middle">logarithmic</text>`}
${drawn.length > 0 && safe`<path class="bound" d="${path(thinned(drawn))}"/>`}
${edges.length > 0 && safe`<path class="band" d="${path(edges)}Z"/>`}
${mark !== undefined && safe`<path class="mark-line" d="M${x(mark.step).toFixed(1)} ${top}V${height - bottom}"/><text x="${(x(mark.step) + 4).toFixed(1)}" y="${top + 10}">${mark.label}</text>`}
<path class="values" d="${path(thinned(shown))}"/>
${thinned(crosses).map(({ step, value }) => safe`<path class="cross" d="M${(x(step) - 4).toFixed(1)} ${(y(value) - 4).toFixed(1)}l8 8m0 -8l-8 8"><title>step ${step}: ${short(value)}</title></path>`)}
</svg>`;
}

/** Nine characters at most, which fit beside the axis. */
const axisText = (value: number): string => (short(value).length > 8 ? value.toExponential(2) : short(value));

const isFinitePoint = ({ value }: Point): boolean => Number.isFinite(value);
const minimum = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), Infinity);
const maximum = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), -Infinity);

/** The smallest and the largest point of each column, so that no spike is lost. */
function thinned(points: readonly Point[]): readonly Point[] {
  if (points.length <= 2 * columns) return points;
  return Array.from({ length: columns }, (_, c) => {
    const part = points.slice(
      Math.floor((c * points.length) / columns),
      Math.floor(((c + 1) * points.length) / columns),
    );
    const [first] = part;
    if (first === undefined) return [];
    const least = part.reduce((a, b) => (b.value < a.value ? b : a), first);
    const largest = part.reduce((a, b) => (b.value > a.value ? b : a), first);
    return least.step <= largest.step ? [least, largest] : [largest, least];
  }).flat();
}

/** The style of charts, for a page that has some. */
export const chartStyle = `
.chart{display:block;width:100%;max-width:900px;height:auto;background:var(--paper);border-radius:8px}
.chart text{font-size:11px;fill:var(--faint)}
.chart path{fill:none;stroke:var(--line)}
.chart .values{stroke:var(--link);stroke-width:1.6}
.chart .bound{stroke:var(--falsified);stroke-dasharray:6 4}
.chart .band{fill:var(--link);fill-opacity:.16;stroke:none}
.chart .mark-line{stroke:var(--ink);stroke-dasharray:2 3}
.chart .cross{stroke:var(--falsified);stroke-width:2}
@media(max-width:600px){.chart text{font-size:19px}}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums}
th,td{text-align:left;vertical-align:top;padding:3px 14px 3px 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
`;
