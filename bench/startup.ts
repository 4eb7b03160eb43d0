/**
 * How long pv takes to start: `npm run bench`. Exits with 1 when a budget is exceeded.
 *
 * The smallest wall time of several interleaved runs, since other work on the machine only adds to it.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeManyContracts } from '../test/support/many-contracts.ts';

const rounds = 15;
const bin = 'dist/cli/bin.js';
const folder = mkdtempSync(join(tmpdir(), 'pv-bench-'));

interface Case {
  readonly name: string;
  readonly args: readonly string[];
  /** The budget in milliseconds, given bare node's time. */
  readonly budget: (bareMs: number) => number;
}

const cases: readonly Case[] = [
  { name: 'node -e 0', args: ['-e', '0'], budget: () => Infinity },
  { name: 'pv --version', args: [bin, '--version'], budget: (bare) => bare + 40 },
  { name: 'pv --help', args: [bin, '--help'], budget: (bare) => bare + 40 },
  {
    name: 'pv validate, 1 contract',
    args: [bin, 'validate', 'contracts/softmax-kernel-v1.yaml'],
    budget: (bare) => bare + 100,
  },
  { name: 'pv validate, 150 contracts', args: [bin, 'validate', folder], budget: () => 1500 },
];

function wallMs(args: readonly string[]): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const elapsed = performance.now() - start;
  if (status !== 0 && status !== 1) throw new Error(`node ${args.join(' ')} exited with ${status}\n${stderr}`);
  return elapsed;
}

await writeManyContracts('contracts', folder, 150);
const best = cases.map(() => Infinity);
for (let round = 0; round < rounds; round++) {
  cases.forEach(({ args }, i) => (best[i] = Math.min(best[i] ?? Infinity, wallMs(args))));
}
rmSync(folder, { recursive: true });

const bare = best[0] ?? Infinity;
for (const [i, { name, budget }] of cases.entries()) {
  const ms = best[i] ?? Infinity;
  const allowed = budget(bare);
  const over = ms > allowed;
  const against =
    i === 0
      ? ''
      : `  +${(ms - bare).toFixed(0)} ms, ${(ms / bare).toFixed(1)}×, budget ${allowed.toFixed(0)} ms${over ? '  EXCEEDED' : ''}`;
  console.log(`${name.padEnd(28)} ${ms.toFixed(0).padStart(5)} ms${against}`);
  if (over) process.exitCode = 1;
}
