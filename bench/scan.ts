/**
 * What `pv scan` costs: `node scripts/run.mjs bench/scan.ts [rounds]`.
 *
 * 500 TypeScript files: 480 of this repository, and 20 training modules whose calls only the type checker resolves, so a
 * program with all their imports is built. Processor time (user and system) and time on the wall of interleaved runs, the
 * smallest of each, because other work on the machine only adds. The baseline, in the same rounds, merely loads the
 * compiler and parses the same files. Exits with 1 when processor time misses a target.
 */
import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const rounds = Number(process.argv[2] ?? 5);
const copied = 480;
const written = 20;
const scratch = await mkdtemp(join(tmpdir(), 'pv-bench-scan-'));

/** Sources and tests of this repository under their own paths, so that imports resolve. */
async function copySources(): Promise<number> {
  const found: string[] = [];
  for (const folder of ['src', 'test'])
    for (const path of await readdir(folder, { recursive: true }))
      if (path.endsWith('.ts') && !path.endsWith('.d.ts')) found.push(join(folder, path));
  // Taken evenly from all folders.
  const share = (i: number): number => Math.floor((i * copied) / found.length);
  const taken = found.toSorted().filter((_, i) => share(i + 1) > share(i));
  for (const path of taken) {
    await mkdir(dirname(join(scratch, path)), { recursive: true });
    await copyFile(path, join(scratch, path));
  }
  await copyFile('tsconfig.json', join(scratch, 'tsconfig.json'));
  await symlink(resolve('node_modules'), join(scratch, 'node_modules'));
  return taken.length;
}

const training = `
import { reachable } from '../base/graph.ts';
export interface Operations { gemm(m: number, n: number, k: number, a: Float32Array, b: Float32Array, c: Float32Array): void }
export interface Optimizers { adamw(lr: number, beta1?: number, beta2?: number, eps?: number, weightDecay?: number): void }
export function open(): Operations & Optimizers { return { gemm() {}, adamw() {} }; }
export function trainStep(m: number, n: number, k: number, hidden: number): number {
  const operations = open();
  operations.gemm(m, k, n, new Float32Array(m * hidden), new Float32Array(k * n), new Float32Array(m * n));
  operations.adamw(3e-4);
  console.log('loss', m, [...reachable(new Map(), [])].length);
  return Math.random();
}
`;

const parseOnly = `
  import { readdirSync, readFileSync } from 'node:fs';
  import { ts } from 'ts-morph';
  for (const folder of ['src', 'test'])
    for (const path of readdirSync(folder, { recursive: true }))
      if (path.endsWith('.ts')) ts.createSourceFile(path, readFileSync(folder + '/' + path, 'utf8'), ts.ScriptTarget.ESNext);`;

interface Taken {
  readonly processor: number;
  readonly wall: number;
}

/** Milliseconds of one run of node in the scratch folder. */
function timed(args: readonly string[]): Taken {
  const script = 'TIMEFORMAT="%3U %3S %3R"; time "$@" > out.txt 2> err.txt';
  const ran = spawnSync('bash', ['-c', script, 'bash', process.execPath, ...args], { cwd: scratch, encoding: 'utf8' });
  const [user = NaN, system = NaN, real = NaN] = ran.stderr.trim().split(/\s+/).map(Number);
  if ((ran.status !== 0 && ran.status !== 1) || Number.isNaN(user + system + real))
    throw new Error(`node ${args.join(' ')} exited with ${String(ran.status)}: ${ran.stderr}`);
  return { processor: (user + system) * 1000, wall: real * 1000 };
}

interface Case {
  readonly name: string;
  readonly args: readonly string[];
  /** Milliseconds; null for a baseline. */
  readonly target: number | null;
}

const bin = resolve('dist/cli/bin.js');
const cases: readonly Case[] = [
  { name: 'node -e 0', args: ['-e', '0'], target: null },
  { name: 'bare parse of the same files', args: ['--input-type=module', '-e', parseOnly], target: null },
  { name: 'pv scan --no-types', args: [bin, 'scan', '--no-types', 'src', 'test'], target: 2000 },
  { name: 'pv scan', args: [bin, 'scan', 'src', 'test'], target: 6000 },
];

try {
  const files = (await copySources()) + written;
  await mkdir(join(scratch, 'src/training'), { recursive: true });
  for (let i = 0; i < written; i++) await writeFile(join(scratch, `src/training/step-${i}.ts`), training);
  const taken = cases.map((): Taken[] => []);
  for (let round = 0; round <= rounds; round++)
    for (const [i, { args }] of cases.entries()) {
      const one = timed(args);
      // The first round fills the caches of the file system.
      if (round > 0) taken[i]?.push(one);
    }
  console.log(`${files} files, ${rounds} rounds: the least processor time, and the least time on the wall`);
  for (const [i, { name, target }] of cases.entries()) {
    const least = (of: (one: Taken) => number): number => Math.min(...(taken[i] ?? []).map(of));
    const [processor, wall] = [least((one) => one.processor), least((one) => one.wall)];
    const verdict = target === null ? '' : processor <= target ? `≤ ${target} ms` : `MISSED: ${target} ms`;
    console.log(
      `${name.padEnd(30)}${processor.toFixed(0).padStart(6)} ms${wall.toFixed(0).padStart(7)} ms   ${verdict}`,
    );
    if (target !== null && processor > target) process.exitCode = 1;
  }
} finally {
  await rm(scratch, { recursive: true });
}
