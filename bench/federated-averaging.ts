/**
 * What averaging costs: `node scripts/run.mjs bench/federated-averaging.ts [rounds]`.
 *
 * 32 submissions of 1M float32 parameters, in processor time, interleaved: the mean as a plain loop over typed arrays, the mean of
 * src/federated/aggregate, and the whole aggregation from the bytes of adapters to the bytes of the result; then the other rules
 * and modes, and the peak memory of 32 × 64 MiB from files. Exits with 1 when a target is missed.
 */
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { invariant } from '../src/base/invariant.ts';
import { ok } from '../src/base/result.ts';
import { writeAdapter } from '../src/federated/adapter/adapter-file.ts';
import { readerOf } from '../src/federated/adapter/adapter-reader.ts';
import { initialAdapter } from '../src/federated/adapter/initial-adapter.ts';
import type { AdaptedLayer } from '../src/federated/adapter/layout.ts';
import { aggregate, type Mode } from '../src/federated/aggregate/aggregate.ts';
import type { Participant } from '../src/federated/aggregate/cohort.ts';
import type { RuleName } from '../src/federated/aggregate/rules.ts';
import { weightedMean } from '../src/federated/aggregate/weighted-mean.ts';
import { streamFor, unitFloat } from '../src/numeric/xoshiro.ts';
import { least, leastAsync } from './trace/processor-time.ts';

const rounds = Number(process.argv[2] ?? 7);
const participants = 32;
const layers: readonly AdaptedLayer[] = Array.from({ length: 16 }, (_, l) => ({
  path: `layers.${l}.q_proj`,
  inputs: 4096,
  outputs: 4096,
}));
const rank = 8;

/** Adapters with 16 × 8 × (4,096 + 4,096) = 1,048,576 parameters. */
const files = Array.from({ length: participants }, (_, p) => {
  const stream = streamFor(p, 'bench');
  const adapter = initialAdapter(0, layers, rank);
  for (const [name, { data }] of adapter)
    if (name.includes('lora_B')) for (let i = 0; i < data.length; i++) data[i] = unitFloat(stream) - 0.5;
  return writeAdapter(adapter);
});
const bytes = participants * layers.length * rank * 8192 * 4;
const rows = files.map((file) => new Float32Array(file.buffer, file.length - bytes / participants, 1024 ** 2));
const weights = files.map((_, p) => p + 1);

/** The mean, as one would write it down: all of a row before the next. */
function plainMean(out: Float32Array, sums: Float64Array): void {
  sums.fill(0);
  let total = 0;
  for (let p = 0; p < rows.length; p++) {
    const [row, weight] = [rows[p], weights[p]];
    invariant(row !== undefined && weight !== undefined, 'every participant has a row and a weight');
    total += weight;
    for (let i = 0; i < row.length; i++) sums[i] = (sums[i] ?? NaN) + weight * (row[i] ?? NaN);
  }
  for (let i = 0; i < out.length; i++) out[i] = (sums[i] ?? NaN) / total;
}

/** The mean, part by part, as the aggregation calls it. */
function partwise(out: Float32Array, sums: Float64Array): void {
  for (let from = 0; from < out.length; from += sums.length) {
    const part = (row: Float32Array): Float32Array => row.subarray(from, from + sums.length);
    weightedMean(rows.map(part), weights, sums, part(out));
  }
}

const out = new Float32Array(1024 ** 2);
const [long, short] = [new Float64Array(1024 ** 2), new Float64Array(32_768)];
const submissions = (): readonly Participant[] =>
  files.map((file, p) => ({ id: String(p).padStart(2, '0'), samples: p + 1, adapter: readerOf(file) }));

async function whole(mode: Mode, name: RuleName, faulty = 0): Promise<void> {
  const rule = { name, faulty, normBound: 1 };
  const report = await aggregate(submissions(), { mode, rule, alpha: 16, start: null }, () => {});
  invariant(report.ok, report.ok ? '' : report.error.message);
}

let [plain, mean, all] = [Infinity, Infinity, Infinity];
for (let round = 0; round < rounds; round++) {
  plain = Math.min(
    plain,
    least(1, () => plainMean(out, long)),
  );
  mean = Math.min(
    mean,
    least(1, () => partwise(out, short)),
  );
  all = Math.min(all, await leastAsync(1, submissions, () => whole('fedit', 'fedavg')));
}
let missed = 0;
function verdict(met: boolean): string {
  missed += met ? 0 : 1;
  return met ? 'met' : '**missed**';
}
const row = (...cells: readonly string[]): void => console.log(`| ${cells.join(' | ')} |`);
const rate = (microseconds: number): string => `${(bytes / microseconds / 1000).toFixed(2)} GB/s`;
row('32 × 1M parameters', 'processor time', 'rate', 'of the plain loop', 'target');
row('---', '---', '---', '---', '---');
const line = (name: string, time: number, target: string): void =>
  row(name, `${(time / 1000).toFixed(0)} ms`, rate(time), (time / plain).toFixed(2), target);
line('plain loop', plain, '');
line('weighted mean', mean, `≥ 1 GB/s: ${verdict(bytes / mean >= 1000)}; ≤ 1.2: ${verdict(mean / plain <= 1.2)}`);
line('from bytes to bytes, `fedit`', all, `≥ 1 GB/s: ${verdict(bytes / all >= 1000)}`);
for (const [mode, name, faulty] of [
  ['ffa', 'fedavg', 0],
  ['ffa', 'norm_bound', 0],
  ['ffa', 'median', 7],
  ['ffa', 'trimmed_mean', 7],
  ['ffa', 'krum', 7],
  ['ffa', 'geometric_median', 7],
  ['ffa', 'bulyan', 7],
  ['stack', 'fedavg', 0],
] as const)
  line(`\`${mode}\`, \`${name}\``, await leastAsync(1, submissions, () => whole(mode, name, faulty)), '');

/** 32 files of 64 MiB, which are read in parts. */
async function fromFiles(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'pv-federated-'));
  const large = [{ path: 'q_proj', inputs: 2 ** 20, outputs: 2 ** 20 }];
  const file = writeAdapter(initialAdapter(0, large, 8));
  const handles = Array.from({ length: participants }, (_, p) => {
    const handle = openSync(join(folder, `${p}`), 'w+');
    writeSync(handle, file);
    return handle;
  });
  const { length: size } = file;
  const before = process.memoryUsage().rss;
  let peak = 0;
  const cost = await leastAsync(
    1,
    () => handles.map((handle, p) => ({ id: `${p}`, samples: 1, adapter: readerAt(handle, size) })),
    async (from) => {
      const rule = { name: 'fedavg', faulty: 0, normBound: null } as const;
      const report = await aggregate(from, { mode: 'fedit', rule, alpha: 16, start: null }, () => {
        peak = Math.max(peak, process.memoryUsage().rss);
      });
      invariant(report.ok, report.ok ? '' : report.error.message);
    },
  );
  for (const handle of handles) closeSync(handle);
  rmSync(folder, { recursive: true });
  const megabytes = (n: number): string => (n / 1024 ** 2).toFixed(0);
  console.log(
    `32 × ${megabytes(size)} MiB from files: ${(cost / 1e6).toFixed(1)} s, the process takes ${megabytes(peak)} MiB at most (${megabytes(before)} before)`,
  );
  console.log(`target: ≤ 512 MiB: ${verdict(peak <= 512 * 1024 ** 2)}`);
}

const readerAt = (handle: number, size: number): Participant['adapter'] => ({
  size,
  read: async (offset, length, into = new Uint8Array(length)) => {
    const target = into.subarray(0, length);
    readSync(handle, target, 0, length, offset);
    return ok(target);
  },
});

await fromFiles();
if (missed > 0) process.exitCode = 1;
