/**
 * What the core contracts cost on software devices: `pv audit --backend webgl2` as a whole process for each device, in a copy of
 * the project where everything else has run before (docs/gpu.md, "CI"). Usage: node scripts/run.mjs bench/devices.ts [CONTRACT…]
 *
 * The baseline is the earlier run: all claims on gpu.js in WebAssembly, with wrong kernels and equations. Exits with 1
 * when the target is missed, or a contract does not hold on a device. Needs a fresh dist/, Chromium, Mesa, and Linux for
 * its /proc.
 */
import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { treeTime } from './devices/tree-time.ts';

const core = ['adamw', 'attention', 'cross-entropy', 'gelu', 'gqa', 'matmul', 'rmsnorm', 'rope', 'softmax', 'swiglu'];
const devices = ['swiftshader', 'llvmpipe'] as const;
/** For all ten together, on each device, with two workers on two idle cores. */
const targetSeconds = 60;
const workers = 2;

interface Cost {
  readonly wall: number;
  /** User and system time of pv, its browsers and all of their processes. */
  readonly processor: number;
  readonly code: number;
  readonly said: string;
}

async function measure(root: string, args: readonly string[]): Promise<Cost> {
  const start = performance.now();
  const pv = [join(root, 'pv/dist/cli/bin.js'), 'audit', ...args, '--jobs', String(workers)];
  const child = spawn(process.execPath, pv, { cwd: root });
  const stop = treeTime(child.pid ?? 0);
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => void (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => void (said += chunk.toString()));
  const code = await new Promise<number>((done, fail) =>
    child.on('error', fail).on('close', (status) => done(status ?? 1)),
  );
  return { wall: (performance.now() - start) / 1000, processor: await stop(), code, said };
}

function tell(name: string, { wall, processor }: Cost, verdict: string): void {
  console.log(`${name.padEnd(22)}${wall.toFixed(1).padStart(8)}${processor.toFixed(1).padStart(8)}  ${verdict}`);
}

/** Wall time on an idle machine; elsewhere the time that two idle cores would take. */
function verdictOn({ wall, processor }: Cost): string {
  if (wall <= targetSeconds) return 'met';
  return processor / workers <= targetSeconds ? 'met in processor time' : 'missed';
}

async function main(wanted: readonly string[]): Promise<void> {
  // Inside the repository, so that packages resolve; with a build of its own, since receipts record the build's version.
  await mkdir('node_modules/.cache', { recursive: true });
  const root = await mkdtemp(resolve('node_modules/.cache/pv-devices-'));
  try {
    for (const part of ['contracts', 'src/kernels', 'src/runtime', 'package.json', 'tsconfig.json'])
      await cp(resolve(part), join(root, part), { recursive: true });
    for (const part of ['dist', 'templates', 'package.json', 'docs/codes'])
      await cp(resolve(part), join(root, 'pv', part), { recursive: true });
    const paths = wanted.map((name) => `contracts/${name}-kernel-v1.yaml`);
    const asked = [...paths, '--binding', 'contracts/binding.yaml'];
    console.log(`load ${loadavg()[0]?.toFixed(1)} before; target ${targetSeconds} s on each device`);
    console.log(`${''.padEnd(22)}  wall s   cpu s`);
    tell('all but devices', await measure(root, asked), '');
    for (const device of devices) {
      const cost = await measure(root, [...asked, '--backend', 'webgl2', '--device', device]);
      tell(`webgl2 on ${device}`, cost, verdictOn(cost));
      if (cost.code !== 0) console.log(`pv audit exited with ${cost.code}:\n${cost.said}`);
      if (verdictOn(cost) === 'missed' || cost.code !== 0) process.exitCode = 1;
    }
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

const asked = process.argv.slice(2);
await main(asked.length > 0 ? asked : core);
