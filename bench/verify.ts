/**
 * What `pv verify` of the shipped contracts costs: whole processes, on a temporary copy of the project, against bare
 * node and against a plain loop that calls the same kernels as often. Usage: node scripts/run.mjs bench/verify.ts
 *
 * Exits with 1 when a target is missed. Needs a fresh dist/.
 */
import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { loadBackend } from '../src/backends/registry.ts';
import { invariant } from '../src/base/invariant.ts';
import type { KernelCase } from '../test/support/kernel-calls.ts';
import { kernelCases, randomSource } from '../test/support/kernels.ts';
import { readKernelProgram } from '../src/subject/kernel-program.ts';

/** The targets, on two cores. */
const target = { coldSeconds: 360, warmSeconds: 5, peakMegabytes: 500 };
const WARM_RUNS = 3;
/**
 * The plain loop makes only one call in so many and its time is multiplied, because all of them would take as long as
 * verifying.
 */
const EVERY = 10;
/** Kernels cycle through this many inputs, because gpu.js compiles again whenever a shape changes. */
const INPUTS = 64;

interface Usage {
  readonly wall: number;
  readonly user: number;
  /** Of the process itself, threads included. */
  readonly peakMegabytes: number;
  /** Of the process and its descendants, with shared pages counted once; null if there is no /proc. */
  readonly peakOfAllMegabytes: number | null;
}

/**
 * Runs in the measured process, not in its workers: at the end, writes what it used, threads included, to file descriptor
 * 3.
 */
const meter =
  'data:text/javascript,' +
  encodeURIComponent(`
import { isMainThread } from 'node:worker_threads';
import { writeSync } from 'node:fs';
if (isMainThread) process.on('exit', () => {
  const { userCPUTime, maxRSS } = process.resourceUsage();
  writeSync(3, JSON.stringify({ user: userCPUTime / 1e6, peakMegabytes: maxRSS / 1024 }));
});`);

const SAMPLE_MS = 500;

/** `pid` and its descendants that are still running. */
function familyOf(pid: number): readonly number[] {
  const tasks = `/proc/${pid}/task`;
  const children = readdirSync(tasks).flatMap((task) =>
    readFileSync(`${tasks}/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap((child) => (existsSync(`/proc/${child}`) ? familyOf(child) : []))];
}

/** Proportional set size (proc(5)) of a family of processes, in megabytes; a process may end in the meantime. */
function megabytesOf(pid: number): number {
  try {
    const kilobytes = familyOf(pid).map((one) =>
      Number(/^Pss:\s+(\d+)/mu.exec(readFileSync(`/proc/${one}/smaps_rollup`, 'utf8'))?.[1] ?? 0),
    );
    return kilobytes.reduce((sum, some) => sum + some, 0) / 1024;
  } catch {
    return 0;
  }
}

/** A whole process: wall time as its parent sees it, user time and peak resident memory as it reports them. */
async function measure(args: readonly string[], cwd: string): Promise<Usage> {
  const start = performance.now();
  const child = spawn(process.execPath, ['--import', meter, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const [, stdout, stderr, report] = child.stdio;
  invariant(stdout && stderr && report && 'on' in report, 'pipes');
  let [said, usage] = ['', ''];
  for (const stream of [stdout, stderr]) stream.on('data', (chunk: Buffer) => void (said += chunk.toString()));
  report.on('data', (chunk: Buffer) => void (usage += chunk.toString()));
  let peakOfAll = 0;
  const sample = (): void =>
    void (peakOfAll = Math.max(peakOfAll, child.pid === undefined ? 0 : megabytesOf(child.pid)));
  const timer = setInterval(sample, SAMPLE_MS);
  const code = await new Promise<number | null>((done, fail) => child.on('error', fail).on('close', done));
  clearInterval(timer);
  const wall = (performance.now() - start) / 1000;
  if (code !== 0) throw new Error(`node ${args.join(' ')} exited with ${code}\n${said}`);
  const used = JSON.parse(usage) as Pick<Usage, 'user' | 'peakMegabytes'>;
  // Short processes end between two samples.
  return { wall, ...used, peakOfAllMegabytes: peakOfAll > 0 ? Math.max(peakOfAll, used.peakMegabytes) : null };
}

/** A copy of what verifying needs, without evidence. */
async function copyOfProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pv-bench-verify-'));
  // With dist/, so that a build in the meantime does not change what is measured.
  for (const name of [
    'dist',
    'contracts',
    'templates',
    'src/kernels',
    'src/runtime/kernel-types.ts',
    'package.json',
    'tsconfig.json',
  ])
    await cp(name, join(folder, name), { recursive: true });
  await mkdir(join(folder, '.pv'));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** How many cases the receipts of `project` count on each kernel and its mutants, by function name. */
async function casesByKernel(project: string): Promise<ReadonlyMap<string, number>> {
  const folder = join(project, '.pv/receipts');
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.json'));
  const counts = new Map<string, number>();
  for (const file of files) {
    const { receipt } = JSON.parse(await readFile(join(folder, file), 'utf8'));
    const [name] = String(receipt.subject.name).split(' ');
    if (name === undefined || receipt.subject.kind !== 'kernel' || receipt.method === 'types') continue;
    counts.set(name, (counts.get(name) ?? 0) + Number(receipt.cases));
  }
  return counts;
}

/** Calls one kernel as gpu.js compiles it, on inputs of the sizes that its unit tests draw (up to 40). */
async function callKernel({ family, name, call }: KernelCase, times: number): Promise<void> {
  const path = `src/kernels/${family}.ts`;
  const { value: program } = await readKernelProgram({ path, text: await readFile(path, 'utf8') }, name);
  invariant(program, `${path} is a kernel`);
  const opened = await (await loadBackend('gpujs-webasm')).open(program);
  invariant(opened.ok && opened.kernel.runSync, `webasm runs ${name}`);
  const random = randomSource(1);
  const inputs = Array.from({ length: INPUTS }, () => call(random));
  const [first] = inputs;
  invariant(first, 'there are inputs');
  for (let k = 0; k < times; k++) opened.kernel.runSync(inputs[Math.floor((k * INPUTS) / times)] ?? first);
  await opened.kernel.close();
}

interface Loop {
  readonly calls: number;
  readonly wall: number;
  readonly user: number;
}

/** The same kernels, called as often as verifying counted cases, on one thread; nothing is checked. See `EVERY`. */
async function plainLoop(counts: ReadonlyMap<string, number>): Promise<Loop> {
  const start = performance.now();
  const before = process.cpuUsage();
  let calls = 0;
  for (const kernel of kernelCases) {
    const times = counts.get(kernel.name) ?? 0;
    invariant(times > 0, `verifying runs ${kernel.name}`);
    await callKernel(kernel, Math.ceil(times / EVERY));
    calls += times;
  }
  const seconds = (performance.now() - start) / 1000;
  return { calls, wall: seconds * EVERY, user: (process.cpuUsage(before).user / 1e6) * EVERY };
}

type Row = Pick<Usage, 'wall' | 'user'> & Partial<Pick<Usage, 'peakMegabytes' | 'peakOfAllMegabytes'>>;

function row(name: string, { wall, user, peakMegabytes, peakOfAllMegabytes }: Row): void {
  const peaks = [peakMegabytes, peakOfAllMegabytes].map((peak) =>
    typeof peak === 'number' ? `${peak.toFixed(0)} MB` : '',
  );
  const [own = '', all = ''] = peaks;
  console.log(
    `${name.padEnd(44)}${wall.toFixed(2).padStart(9)} s${user.toFixed(2).padStart(9)} s${own.padStart(10)}${all.padStart(10)}`,
  );
}

/** Prints whether a target was met; if not, the process will fail. */
function judge(what: string, value: number, limit: number, unit: string): void {
  const met = value <= limit;
  console.log(`${met ? 'met   ' : 'MISSED'}  ${what}: ${value.toFixed(2)} ${unit}, target ${limit} ${unit}`);
  if (!met) process.exitCode = 1;
}

const project = await copyOfProject();
try {
  const bin = join(project, 'dist/cli/bin.js');
  const verify = [bin, 'verify', '--quiet'];
  console.log(
    `${''.padEnd(44)}${'wall'.padStart(11)}${'user'.padStart(11)}${'peak'.padStart(10)}${'of all'.padStart(10)}`,
  );
  const bare = await measure(['-e', '0'], project);
  row('bare node', bare);
  const cold = await measure(verify, project);
  row('pv verify, cold', cold);
  const warm: Usage[] = [];
  for (let k = 0; k < WARM_RUNS; k++) warm.push(await measure(verify, project));
  const best = warm.toSorted((a, b) => a.wall - b.wall)[0] ?? cold;
  row(`pv verify, warm (best of ${WARM_RUNS})`, best);
  const loop = await plainLoop(await casesByKernel(project));
  row(`plain loop, ${loop.calls.toLocaleString('en')} kernel calls (est.)`, loop);
  console.log(`cold / plain loop: ${(cold.user / loop.user).toFixed(1)}× the user time\n`);
  judge('cold', cold.wall, target.coldSeconds, 's');
  judge('warm', best.wall, target.warmSeconds, 's');
  judge('peak memory, cold', cold.peakOfAllMegabytes ?? cold.peakMegabytes, target.peakMegabytes, 'MB');
} finally {
  await rm(project, { recursive: true, force: true });
}
