/**
 * What `pv check` costs: `node scripts/run.mjs bench/check.ts [rounds]`. Exits with 1 when a target is missed.
 *
 * Whole processes. For configs: medians of processor time (user and system) and wall time over bare node, in interleaved
 * rounds. The configs are the public ones of ../shared/data if they are there, otherwise generated. For streams: a log of
 * a million lines and a profile of 200 MB, with peak memory, compared with JSON.parse of each line and with merely
 * reading the bytes. For `pv diagnose`: the run of examples/training-loop, healthy and with a bug, with every contract
 * over data that pv ships.
 */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { kinetoEvents } from '../test/support/kineto-trace.ts';

const rounds = Number(process.argv[2] ?? 9);
const bin = resolve('dist/cli/bin.js');
const scratch = mkdtempSync(join(tmpdir(), 'pv-bench-check-'));
const contract = resolve('contracts/training-config-kernel-v1.yaml');
const shared = resolve('../shared/data/train-configs-albor');

interface Cost {
  readonly processor: number;
  readonly wall: number;
  readonly megabytes: number;
}

/** One run of node, with its costs in milliseconds. */
function run(args: readonly string[]): Cost {
  const script = 'TIMEFORMAT="%3U %3S"; time "$@" > out.txt 2> err.txt';
  const env = { ...process.env, NODE_OPTIONS: `--import=${peak}` };
  const start = performance.now();
  const ran = spawnSync('bash', ['-c', script, 'bash', process.execPath, ...args], {
    cwd: scratch,
    encoding: 'utf8',
    env,
  });
  const wall = performance.now() - start;
  const [user = NaN, system = NaN] = ran.stderr.trim().split(/\s+/).map(Number);
  if ((ran.status !== 0 && ran.status !== 1) || Number.isNaN(user + system))
    throw new Error(
      `node ${args.join(' ')} exited with ${String(ran.status)}: ${readFileSync(join(scratch, 'err.txt'), 'utf8')}`,
    );
  return {
    processor: (user + system) * 1000,
    wall,
    megabytes: Number(readFileSync(join(scratch, 'peak.txt'), 'utf8')) / 1024,
  };
}

/** Records peak memory when a process ends, in every row alike. */
const peak = join(scratch, 'peak.mjs');
writeFileSync(
  peak,
  `import { writeFileSync } from 'node:fs';
  process.on('exit', () => writeFileSync(${JSON.stringify(join(scratch, 'peak.txt'))}, String(process.resourceUsage().maxRSS)));`,
);

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;

/** The medians of interleaved rounds, without the first, which fills caches. */
function measure(cases: readonly (readonly string[])[], times: number): readonly Cost[] {
  const taken = cases.map((): Cost[] => []);
  for (let round = 0; round <= times; round++)
    for (const [i, args] of cases.entries()) {
      const cost = run(args);
      if (round > 0) taken[i]?.push(cost);
    }
  return taken.map((costs) => ({
    processor: median(costs.map(({ processor }) => processor)),
    wall: median(costs.map(({ wall }) => wall)),
    megabytes: Math.max(...costs.map(({ megabytes }) => megabytes)),
  }));
}

/** Fifty configs, and the first of them alone. */
function writeConfigs(folder: string): string {
  mkdirSync(folder);
  const found = existsSync(shared) ? readdirSync(shared).filter((name) => name.endsWith('.yaml')) : [];
  if (found.length === 0) console.log(`${shared} absent: measuring configs that are made here`);
  for (let i = 0; i < 50; i++) {
    const name = found[i % found.length];
    const text = name === undefined ? madeConfig(i) : readFileSync(join(shared, name), 'utf8');
    writeFileSync(join(folder, `${String(i).padStart(2, '0')}.yaml`), text);
  }
  return join(folder, '19.yaml');
}

const madeConfig = (i: number): string =>
  `# run ${i}\nmodel:\n  hidden_size: 1024\n  num_layers: ${8 + i}\n  num_heads: 16\n  intermediate_size: 4096\n  vocab_size: 32768\n` +
  `data:\n  batch_size: 4\n  seq_len: 1024\ntraining:\n  epochs: 1\n  max_steps: ${1000 * (i + 1)}\n  warmup_steps: 200\n` +
  `  gradient_accumulation: 8\noptimizer:\n  lr: 3.0e-4\n`;

function writeAll(path: string, parts: Iterable<string>): void {
  const file = openSync(path, 'w');
  let text = '';
  for (const part of parts) {
    text += part;
    if (text.length < 1 << 20) continue;
    writeSync(file, text);
    text = '';
  }
  writeSync(file, text);
  closeSync(file);
}

function* logLines(rows: number): Iterable<string> {
  for (let i = 0; i < rows; i++) {
    const loss = (2 + 8 / (1 + i / 1000) + ((i * 7919) % 1000) / 1e4).toFixed(6);
    yield `{"step": ${i}, "loss": ${loss}, "lr": ${3e-4 / (1 + i)}, "grad_norm": ${(0.3 + ((i * 104729) % 1000) / 1e3).toFixed(4)}, "epoch": ${i / 1e5}}\n`;
  }
}

function* profile(bytes: number): Iterable<string> {
  yield '{"schemaVersion": 1, "deviceProperties": [{"id": 0}], "traceEvents": [\n';
  for (let [step, written] = [0, 0]; written < bytes; step++) {
    const events = kinetoEvents(step, 400).map((event) => JSON.stringify(event));
    const text = `${step === 0 ? '' : ',\n'}${events.join(',\n')}`;
    written += text.length;
    yield text;
  }
  yield '\n]}\n';
}

const metadata = 'metadata: { version: "1.0.0", description: a benchmark, references: ["none"] }\n';
const logContract = `${metadata}data:
  kind: log
  domain: "loss ∈ F64_ext^T, grad_norm ∈ F64_ext^T, limit ∈ ℝ, limit > 0"
  inputs: { limit: { default: 10 } }
proof_obligations:
  - { id: FINITE, type: invariant, property: finite loss, formal: "is_finite(loss_t)" }
  - { id: NORM, type: bound, property: bounded norms, formal: "grad_norm_t ≤ limit" }
  - { id: FALLS, type: ordering, property: the loss falls, formal: "loss_{T-1} < loss_0" }
`;
const traceContract = `${metadata}data:
  kind: trace
  domain: "bytes ∈ F64_ext^T"
  inputs: { bytes: { from: transfers.bytes } }
proof_obligations:
  - { id: BYTES, type: bound, property: copies copy something, formal: "bytes_t ≥ 1" }
`;

const parseLines = `
  import { createReadStream } from 'node:fs';
  import { createInterface } from 'node:readline';
  for await (const line of createInterface({ input: createReadStream(process.argv[1]), crlfDelay: Infinity })) JSON.parse(line);`;
const readBytes = `
  import { createReadStream } from 'node:fs';
  for await (const chunk of createReadStream(process.argv[1])) void chunk;`;

let missed = false;

function row(name: string, { processor, wall, megabytes }: Cost, wanted: string, met: boolean | null): void {
  const verdict = met === null ? '' : `  ${wanted}: ${met ? 'met' : 'MISSED'}`;
  const costs = [processor, wall].map((ms) => `${ms.toFixed(0).padStart(6)} ms`).join(' ');
  console.log(`${name.padEnd(44)} ${costs} ${megabytes.toFixed(0).padStart(4)} MB${verdict}`);
  missed ||= met === false;
}

function checkConfigs(): void {
  const folder = join(scratch, 'configs');
  const one = writeConfigs(folder);
  const check = [bin, 'check', contract, '--data'];
  const violating = ['--set', 'num_sequences=22079'];
  const [bare, help, single, mended, fifty] = measure(
    [
      ['-e', '0'],
      [bin, '--version'],
      [...check, one],
      [...check, one, ...violating],
      [...check, folder],
    ],
    rounds,
  );
  if (!bare || !help || !single || !mended || !fifty) throw new Error('a row is missing');
  const over = ({ processor }: Cost): number => processor - bare.processor;
  console.log(`medians of ${rounds} rounds: processor time, time on the clock, peak of memory; targets over bare node`);
  row('node -e 0', bare, '', null);
  row('pv --version', help, '', null);
  row('pv check, one config', single, `+${over(single).toFixed(0)} ms of 200`, over(single) <= 200);
  row('  with violations and mends', mended, `+${over(mended).toFixed(0)} ms of 200`, over(mended) <= 200);
  row('pv check, 50 configs', fifty, `+${over(fifty).toFixed(0)} ms of 400`, over(fifty) <= 400);
}

function checkStreams(): void {
  const written = (name: string, text: string): string => {
    const path = join(scratch, name);
    writeFileSync(path, text);
    return path;
  };
  const log = join(scratch, 'run.jsonl');
  const trace = join(scratch, 'trace.json');
  writeAll(log, logLines(1_000_000));
  writeAll(trace, profile(200e6));
  const [lines, checked, bytes, traced] = measure(
    [
      ['--input-type=module', '-e', parseLines, log],
      [bin, 'check', written('log-v1.yaml', logContract), '--data', log],
      ['--input-type=module', '-e', readBytes, trace],
      [bin, 'check', written('trace-v1.yaml', traceContract), '--data', trace],
    ],
    3,
  );
  if (!lines || !checked || !bytes || !traced) throw new Error('a row is missing');
  const size = (path: string): string => `${(statSync(path).size / 1e6).toFixed(0)} MB`;
  row(`JSON.parse of each of 1,000,000 lines, ${size(log)}`, lines, '', null);
  const ratio = checked.processor / lines.processor;
  const logMet = checked.processor <= 3000 && checked.megabytes <= 300 && ratio <= 2;
  row('pv check of that log', checked, `3 s, 300 MB, ${ratio.toFixed(2)} × of 2`, logMet);
  row(`reading the bytes of a profile, ${size(trace)}`, bytes, '', null);
  row('pv check of that profile', traced, '10 s, 300 MB', traced.processor <= 10_000 && traced.megabytes <= 300);
}

/** `pv diagnose` reads the contracts each time. */
function diagnoseRuns(): void {
  const written = (name: string, ...flags: readonly string[]): string => {
    const folder = join(scratch, name);
    const args = [resolve('scripts/run.mjs'), resolve('examples/training-loop/main.ts'), folder, ...flags];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`the training loop exited with ${String(status)}: ${stderr}`);
    return folder;
  };
  const runs = [written('healthy'), written('failed', '--bug', 'alb-059-gemm')];
  const [bare, healthy, failed] = measure(
    [['-e', '0'], ...runs.map((folder) => [bin, 'diagnose', folder])],
    Math.ceil(rounds / 2),
  );
  if (!bare || !healthy || !failed) throw new Error('a row is missing');
  const over = ({ processor }: Cost): string => `+${(processor - bare.processor).toFixed(0)} ms over bare node`;
  row(`pv diagnose, a healthy run (${over(healthy)})`, healthy, '', null);
  row(`  one that fails (${over(failed)})`, failed, '', null);
}

try {
  checkConfigs();
  diagnoseRuns();
  checkStreams();
  if (missed) process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true });
}
