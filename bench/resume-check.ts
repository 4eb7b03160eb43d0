/**
 * What checking a checkpoint of 1 GB costs: `pv resume check` as a whole process, beside a process of node that reads and
 * hashes the same bytes. Usage: node scripts/bench.mjs resume-check
 *
 * Interleaved; the medians of processor time. Exits with 1 when a target is missed. Needs a fresh dist/, 4 GB of memory and
 * 1 GB of disk for the checkpoint that it makes.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { trainerFolder } from '../test/support/trainer-folder.ts';

const [rounds, targetRatio, targetMegabytes] = [5, 1.3, 200];
/** 84 parameters of a million float32 numbers, with two moments each. */
const shapes = Array.from({ length: 84 }, (_, i) => [`layer.${i}.weight`, [1_000, 1_000]] as const);

/** Runs in the measured process: at the end, writes what it used to file descriptor 3. */
const meter =
  'data:text/javascript,' +
  encodeURIComponent(`
import { writeSync } from 'node:fs';
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeSync(3, JSON.stringify({ seconds: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS / 1024 }));
});`);

const hashing = `
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync } from 'node:fs';
for (const name of readdirSync(process.argv[1])) {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(process.argv[1] + '/' + name, { highWaterMark: 1 << 20 })) hash.update(chunk);
  hash.digest();
}`;

interface Usage {
  readonly seconds: number;
  readonly megabytes: number;
}

async function measure(...args: readonly string[]): Promise<Usage> {
  // A process that node starts itself would report the memory of this one as its own peak: the shell is small.
  const child = spawn('sh', ['-c', '"$@"; exit $?', 'sh', process.execPath, '--import', meter, ...args], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  let used = '';
  const report = child.stdio[3];
  if (report && 'on' in report) report.on('data', (chunk: Buffer) => void (used += chunk.toString()));
  const code = await new Promise<number | null>((done, fail) => child.on('error', fail).on('close', done));
  if (code !== 0) throw new Error(`node ${args.join(' ').slice(0, 80)} exited with ${code}`);
  return JSON.parse(used) as Usage;
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

const folder = await mkdtemp(join(tmpdir(), 'pv-resume-'));
try {
  let bytes = 0;
  for (const [name, content] of trainerFolder({ shapes })) {
    await writeFile(join(folder, name), content);
    bytes += content.length;
  }
  const [checks, hashes]: [Usage[], Usage[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    hashes.push(await measure('--input-type=module', '--eval', hashing, folder));
    checks.push(await measure(resolve('dist/cli/bin.js'), 'resume', 'check', folder));
  }
  const [checked, hashed] = [checks, hashes].map((used) => median(used.map(({ seconds }) => seconds)));
  const ratio = (checked ?? 0) / (hashed ?? 1);
  const megabytes = Math.max(...checks.map((used) => used.megabytes));
  process.stdout.write(
    `${(bytes / 1e9).toFixed(2)} GB, processor time, medians of ${rounds} rounds\n` +
      `pv resume check         ${checked?.toFixed(2)} s, ${megabytes.toFixed(0)} MB (target ${targetMegabytes} MB)\n` +
      `node: read and SHA-256  ${hashed?.toFixed(2)} s\n` +
      `ratio                   ${ratio.toFixed(2)} (target ${targetRatio})\n`,
  );
  if (ratio > targetRatio || megabytes > targetMegabytes) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
