/**
 * What running every finite float32 through SiLU costs: `pv kani` as a whole process with two workers, in a project of its
 * own. Usage: node scripts/run.mjs bench/exhaustive.ts
 *
 * Exits with 1 when the target is missed. Needs a fresh dist/.
 */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** For 2³² inputs, on two cores. */
const targetSeconds = 60;
const workers = 2;
/** 2³² without NaNs and infinities. */
const inputs = 2 ** 32 - 2 ** 24;

const contract = `metadata: { version: "1.0.0", description: SiLU of every float32 }
equations:
  silu:
    formula: "SiLU(x)_i = x_i·sigmoid(x_i)"
    domain: "x ∈ F32^n, 1 ≤ n ≤ 16"
    codomain: "SiLU(x) ∈ F32^n"
proof_obligations:
  - id: SI-1
    type: bound
    property: It stays above its minimum and below the rectifier
    formal: "-0.27847 ≤ SiLU(x)_i ∧ SiLU(x)_i ≤ max(x_i, 0)"
    semantics: ieee
kani_harnesses:
  - { id: KANI-1, obligation: SI-1, strategy: exhaustive, bound: 16 }
`;
const binding = `bindings:
  - { contract: silu-v1.yaml, equation: silu, module_path: silu.ts, function: silu, signature: "silu(x, n): number" }
`;

/**
 * Runs in the measured process, not in its workers: at the end, writes the processor time of all threads to file
 * descriptor 3.
 */
const meter =
  'data:text/javascript,' +
  encodeURIComponent(`
import { isMainThread } from 'node:worker_threads';
import { writeSync } from 'node:fs';
if (isMainThread) process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeSync(3, JSON.stringify({ processor: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS / 1024 }));
});`);

interface Usage {
  readonly processor: number;
  readonly megabytes: number;
}

async function measure(cwd: string): Promise<Usage & { readonly wall: number }> {
  const pv = resolve('dist/cli/bin.js');
  const args = ['--import', meter, pv, 'kani', 'contracts/silu-v1.yaml', '--jobs', String(workers), '--fresh'];
  const start = performance.now();
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'inherit', 'inherit', 'pipe'] });
  const report = child.stdio[3];
  let told = '';
  if (report && 'on' in report) report.on('data', (chunk: Buffer) => void (told += chunk.toString()));
  const code = await new Promise<number | null>((done, fail) => child.on('error', fail).on('close', done));
  const wall = (performance.now() - start) / 1000;
  if (code !== 0) throw new Error(`pv kani exited with ${code}`);
  return { wall, ...(JSON.parse(told) as Usage) };
}

async function main(): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'pv-exhaustive-'));
  try {
    const source = await readFile(resolve('src/kernels/silu.ts'), 'utf8');
    // The first kernel of the file.
    const kernel = source
      .slice(0, source.lastIndexOf('/**'))
      .replace(/^import .*\n/, 'interface KernelThread { readonly thread: { readonly x: number } }\n');
    await mkdir(join(root, 'contracts'));
    await writeFile(join(root, 'contracts/silu-v1.yaml'), contract);
    await writeFile(join(root, 'contracts/binding.yaml'), binding);
    await writeFile(join(root, 'silu.ts'), kernel);
    const { wall, processor, megabytes } = await measure(root);
    const perInput = (processor / inputs) * 1e9;
    const seconds = (processor / workers) * (2 ** 32 / inputs);
    process.stdout.write(
      `${inputs} inputs: ${wall.toFixed(1)} s wall, ${processor.toFixed(1)} s of processor time, ` +
        `${perInput.toFixed(1)} ns each; ${megabytes.toFixed(0)} MB\n` +
        `2^32 inputs on ${workers} idle cores: ${seconds.toFixed(1)} s (target ${targetSeconds} s)\n`,
    );
    if (seconds > targetSeconds) process.exitCode = 1;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

await main();
