/** Rooflines for people and for programs. */
import { flopsOf, isTranscendental } from '../../math/cost/roofline.ts';
import { add, polynomialText } from '../../math/cost/size-polynomial.ts';
import type { NamedPeak, Roofed } from './roofed.ts';

/** One paragraph per equation, below the roof if there is one. */
export function rooflineText(roofed: readonly Roofed[], peak: NamedPeak | null): string {
  const head = peak
    ? [
        `${peak.name}: ${quantity(peak.flops)}FLOP/s of float32, ${quantity(peak.bandwidth)}B/s, ridge at ${short(peak.flops / peak.bandwidth)} FLOP/B (${peak.source})`,
        '',
      ]
    : [];
  return [...head, ...roofed.flatMap(equationText)].join('\n');
}

function equationText(one: Roofed): readonly string[] {
  const { contract, equation, costs, weight, sizes, assumed, flops, bytes, ceiling } = one;
  const name = `${contract}/${equation}`;
  if (costs.problem !== null) return [name, `    not counted: ${costs.problem}`, ''];
  const operations = [...costs.operations].map(([kind, count]) => `${kind} ${polynomialText(count)}`);
  const special = [...costs.operations.keys()].some(isTranscendental);
  const values = [...sizes].map(([size, value]) => `${size} = ${value}${assumed.includes(size) ? '*' : ''}`);
  return [
    name,
    `    operations: ${operations.join(', ') || 'none'}`,
    `    FLOPs: ${polynomialText(flopsOf(costs, weight))}${special ? `, a transcendental function counting ${weight}` : ''}`,
    `    bytes: ${polynomialText(add(costs.bytesRead, costs.bytesWritten))} (read ${polynomialText(costs.bytesRead)}, written ${polynomialText(costs.bytesWritten)})`,
    `    at ${values.join(', ') || 'no sizes'}: ${quantity(flops)}FLOP, ${quantity(bytes)}B, ${short(flops / bytes)} FLOP/B`,
    ...(ceiling
      ? [
          `    limited by ${ceiling.limitedBy}: at most ${quantity(ceiling.flops)}FLOP/s, at least ${quantity(ceiling.seconds)}s`,
        ]
      : []),
    ...(assumed.length > 0 ? ['    * not set: the largest of the domain'] : []),
    '',
  ];
}

const prefixes = ['n', 'µ', 'm', '', 'k', 'M', 'G', 'T', 'P'] as const;

/** `1.5 M`, with a blank before the unit that follows. */
function quantity(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return `${value} `;
  const step = Math.min(5, Math.max(-3, Math.floor(Math.log10(Math.abs(value)) / 3)));
  return `${short(value / 1000 ** step)} ${prefixes[step + 3] ?? ''}`;
}

const short = (value: number): string => String(Number(value.toPrecision(4)));

/** The same numbers for programs; `uncounted` lists equations whose costs are unknown. */
export function rooflineJson(roofed: readonly Roofed[], uncounted: readonly string[], peak: NamedPeak | null): string {
  const equations = roofed.map(({ contract, equation, costs, weight, sizes, assumed, flops, bytes, ceiling }) => ({
    contract,
    equation,
    problem: costs.problem,
    operations: Object.fromEntries([...costs.operations].map(([kind, count]) => [kind, polynomialText(count)])),
    flops: { formula: polynomialText(flopsOf(costs, weight)), value: flops, transcendentalWeight: weight },
    bytes: {
      read: polynomialText(costs.bytesRead),
      written: polynomialText(costs.bytesWritten),
      value: bytes,
    },
    sizes: Object.fromEntries(sizes),
    assumed,
    ceiling,
  }));
  return `${JSON.stringify({ schema: 'pv.roofline/1', device: peak, equations, notExecutable: uncounted }, null, 2)}\n`;
}
