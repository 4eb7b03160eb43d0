/**
 * What reading data files costs: `node scripts/run.mjs bench/read-data.ts [million rows] [repeats]`.
 *
 * Processor time (user and system), since other work on the machine only adds to wall time; garbage collection and other
 * threads included. Each row is a process of its own, so that its peak of memory is its own; files are written to a
 * temporary folder first. The baseline is a bare loop over the same file in the same run: JSON.parse of each line for
 * JSON Lines, a split at commas, a match of one regular expression, a walk over frames, and only reading bytes for the
 * profile (a JSON.parse of the whole file would need its text in memory at once, and more).
 */
import { spawnSync } from 'node:child_process';
import { closeSync, createReadStream, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { createNodeHost } from '../src/host/node-host.ts';
import { readData } from '../src/data/read/read-data.ts';
import { eventFile } from '../test/support/event-file.ts';
import { kinetoEvents } from '../test/support/kineto-trace.ts';

interface Case {
  readonly name: string;
  readonly file: string;
  readonly write: (path: string, rows: number) => void;
  readonly bare: (path: string) => Promise<number>;
  /** Seconds and megabytes; null if there is no target. */
  readonly target: { readonly seconds: number; readonly megabytes: number; readonly ratio: number | null } | null;
}

function writeLines(path: string, rows: number, line: (i: number) => string, header: string = ''): void {
  const file = openSync(path, 'w');
  let text = header;
  for (let i = 0; i < rows; i++) {
    text += `${line(i)}\n`;
    if (text.length > 1 << 20) {
      writeSync(file, text);
      text = '';
    }
  }
  writeSync(file, text);
  closeSync(file);
}

const loss = (i: number): string => (2 + 8 / (1 + i / 1000) + ((i * 7919) % 1000) / 1e4).toFixed(6);
const norm = (i: number): string => (0.3 + ((i * 104729) % 1000) / 1e3).toFixed(4);

async function eachLine(path: string, use: (line: string) => void): Promise<number> {
  let count = 0;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    use(line);
    count += 1;
  }
  return count;
}

const matched = /step=(\d+) loss=(\S+) lr=(\S+) gnorm=(\S+)/;

const cases: readonly Case[] = [
  {
    name: 'JSON Lines',
    file: 'run.jsonl',
    write: (path, rows) =>
      writeLines(
        path,
        rows,
        (i) =>
          `{"step": ${i}, "loss": ${loss(i)}, "lr": ${3e-4 / (1 + i)}, "grad_norm": ${norm(i)}, "tokens_per_second": ${5000 + (i % 300)}, "epoch": ${i / 1e5}}`,
      ),
    bare: (path) => eachLine(path, (line) => void JSON.parse(line)),
    target: { seconds: 3, megabytes: 300, ratio: 2 },
  },
  {
    name: 'CSV',
    file: 'run.csv',
    write: (path, rows) =>
      writeLines(
        path,
        rows,
        (i) => `${i},${loss(i)},${3e-4 / (1 + i)},${norm(i)},${5000 + (i % 300)}`,
        'step,loss,lr,grad_norm,tok_s\n',
      ),
    bare: (path) => eachLine(path, (line) => void line.split(',').map(Number)),
    target: null,
  },
  {
    name: 'text',
    file: 'run.log',
    write: (path, rows) =>
      writeLines(
        path,
        rows,
        (i) =>
          `  \x1b[36m[${i + 1}/${rows} batches]\x1b[0m step=${i} loss=${loss(i)} lr=${(3e-4 / (1 + i)).toExponential(2)} gnorm=${norm(i)} step=852ms eta=12s`,
      ),
    bare: (path) => eachLine(path, (line) => void matched.exec(line)),
    target: null,
  },
  {
    name: 'TensorBoard',
    file: 'events.out.tfevents.1',
    write: (path, rows) => {
      const file = openSync(path, 'w');
      const batch = 10_000;
      for (let from = 0; from < rows; from += batch)
        writeSync(
          file,
          eventFile(
            Array.from({ length: Math.min(batch, rows - from) }, (_, i) => ({
              step: from + i,
              tag: 'train/loss',
              value: Number(loss(from + i)),
              wallTime: 1.7e9 + from + i,
            })),
          ),
        );
      closeSync(file);
    },
    bare: async (path) => {
      const bytes = readFileSync(path);
      let count = 0;
      for (let at = 0; at < bytes.length; at += bytes.readUInt32LE(at) + 16) count += 1;
      return count;
    },
    target: null,
  },
  {
    name: 'Kineto, 200 MB',
    file: 'trace.json',
    write: (path) => {
      const file = openSync(path, 'w');
      writeSync(file, '{"schemaVersion": 1, "deviceProperties": [{"id": 0}], "traceEvents": [\n');
      let [written, step] = [0, 0];
      while (written < 200e6) {
        const text = kinetoEvents(step++, 400)
          .map((event) => JSON.stringify(event))
          .join(',\n');
        written += writeSync(file, step === 1 ? text : `,\n${text}`);
      }
      writeSync(file, '\n]}\n');
      closeSync(file);
    },
    bare: async (path) => {
      let bytes = 0;
      for await (const chunk of createReadStream(path)) bytes += (chunk as Uint8Array).length;
      return bytes;
    },
    target: { seconds: 10, megabytes: 300, ratio: null },
  },
];

interface Measured {
  readonly seconds: number;
  readonly megabytes: number;
  readonly rows: number;
}

async function measure(kind: string, name: string, path: string): Promise<Measured> {
  const start = process.cpuUsage();
  const rows =
    kind === 'bare' ? ((await cases.find((one) => one.name === name)?.bare(path)) ?? 0) : await readRows(path);
  const { user, system } = process.cpuUsage(start);
  return { seconds: (user + system) / 1e6, megabytes: process.resourceUsage().maxRSS / 1024, rows };
}

async function readRows(path: string): Promise<number> {
  const { value, diagnostics } = await readData(createNodeHost(), path);
  const [problem] = diagnostics.filter(({ severity }) => severity === 'error');
  if (!value || problem) throw new Error(`${path}: ${problem?.message ?? 'not read'}`);
  return Math.max(...[...value.tables.values()].map((table) => table.rows));
}

function inOwnProcess(kind: string, name: string, path: string): Measured {
  const ran = spawnSync(
    process.execPath,
    [resolve('scripts/run.mjs'), 'bench/read-data.ts', '--one', kind, name, path],
    { encoding: 'utf8' },
  );
  if (ran.status !== 0) throw new Error(`${kind} ${name}: ${ran.stderr}`);
  return JSON.parse(ran.stdout) as Measured;
}

function report(one: Case, path: string): boolean {
  const rounds = Array.from({ length: repeats }).map(() => ({
    pv: inOwnProcess('pv', one.name, path),
    bare: inOwnProcess('bare', one.name, path),
  }));
  const best = (kind: 'pv' | 'bare'): Measured =>
    rounds.map((round) => round[kind]).reduce((a, b) => (b.seconds < a.seconds ? b : a));
  const [pv, bare] = [best('pv'), best('bare')];
  const ratio = pv.seconds / bare.seconds;
  const met =
    !one.target ||
    (pv.seconds <= one.target.seconds &&
      pv.megabytes <= one.target.megabytes &&
      (one.target.ratio === null || ratio <= one.target.ratio));
  const wanted = one.target
    ? ` target ${one.target.seconds} s, ${one.target.megabytes} MB${one.target.ratio === null ? '' : `, ${one.target.ratio} ×`}: ${met ? 'met' : 'MISSED'}`
    : '';
  const size = `${(statSync(path).size / 1e6).toFixed(0)} MB`;
  console.log(
    `${one.name.padEnd(15)} ${size.padStart(7)} ${String(pv.rows).padStart(8)} rows  ${pv.seconds.toFixed(2).padStart(6)} s ${pv.megabytes.toFixed(0).padStart(4)} MB   bare ${bare.seconds.toFixed(2).padStart(5)} s ${bare.megabytes.toFixed(0).padStart(4)} MB  ${ratio.toFixed(2)} ×${wanted}`,
  );
  return met;
}

const [flag, kind = '', name = '', file = ''] = process.argv.slice(2);
const repeats = flag === '--one' ? 1 : Number(kind === '' ? 3 : kind);
if (flag === '--one') {
  console.log(JSON.stringify(await measure(kind, name, file)));
} else {
  const rows = Math.round(Number(flag ?? 1) * 1e6);
  const folder = mkdtempSync(join(tmpdir(), 'pv-bench-data-'));
  try {
    console.log(
      `${rows} rows; processor time, best of ${repeats}, each in a process of its own (memory: its peak, node itself takes about 60 MB)`,
    );
    for (const one of cases) {
      const path = join(folder, one.file);
      one.write(path, rows);
      if (!report(one, path)) process.exitCode = 1;
      rmSync(path);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
