/**
 * How much of the mathematics in public contracts pv reads, by field, and how fast: `node scripts/run.mjs bench/notation-corpus.ts`.
 *
 * `math` is read as a whole (comments aside), `partial` has an English tail that stays visible, `prose` is neither.
 */
import { corpusStrings, fields, tally, type Tally } from '../test/math/notation/corpus.ts';

const corpus = corpusStrings();
if (corpus === null) {
  console.log('../shared/data/contracts-* absent: nothing to measure');
} else {
  const strings = fields.map((field) => [field, corpus.get(field) ?? []] as const);
  for (const [field, list] of strings) tally(field, list);
  const before = performance.now();
  const rows = strings.map(([field, list]) => tally(field, list));
  const seconds = (performance.now() - before) / 1000;
  const all = rows.reduce((sum, row) => sum + row.total, 0);
  console.log(['field'.padEnd(12), 'total', ' math', 'partial', 'prose', ' math %', 'math + partial %'].join('  '));
  for (const row of rows) console.log(line(row));
  console.log(`${String(all)} strings, ${Math.round(all / seconds).toLocaleString('en')} per second`);
}

function line(row: Tally): string {
  const percent = (n: number): string => ((100 * n) / Math.max(1, row.total)).toFixed(1);
  return [
    row.field.padEnd(12),
    pad(row.total, 5),
    pad(row.math, 5),
    pad(row.partial, 7),
    pad(row.prose, 5),
    percent(row.math).padStart(7),
    percent(row.math + row.partial).padStart(16),
  ].join('  ');
}

function pad(n: number, width: number): string {
  return String(n).padStart(width);
}
