/**
 * What the core contracts cost on software devices: `pv audit --backend webgl2` as a whole process for each device, in a copy of
 * the project where everything else has run before (docs/gpu.md, "CI"). Usage: node scripts/run.mjs bench/devices.ts [CONTRACT…]
 *
 * The baseline is that earlier run: all claims on gpu.js in WebAssembly, wrong kernels and equations. Exits with 1 when the
 * target is missed, or a contract does not hold on a device. Needs a fresh dist/, Chromium and Mesa.
 */
import { spawn } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const core = ['adamw', 'attention', 'cross-entropy', 'gelu', 'gqa', 'matmul', 'rmsnorm', 'rope', 'softmax', 'swiglu'];
const devices = ['swiftshader', 'llvmpipe'] as const;
/** Of all ten together, on each device. */
const targetSeconds = 60;
const cores = 2;

interface Cost {
  readonly wall: number;
  /** User and system time of pv, the browser and its processes. */
  readonly processor: number;
  readonly code: number;
  readonly said: string;
}

/** GNU time sees the processes that have ended, a browser's among them. */
async function measure(root: string, args: readonly string[]): Promise<Cost> {
  const command = [process.execPath, resolve('dist/cli/bin.js'), 'audit', ...args];
  const start = performance.now();
  const child = spawn('/usr/bin/time', ['-q', '-f', 'cost %U %S', ...command], { cwd: root });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => void (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => void (said += chunk.toString()));
  const code = await new Promise<number>((done, fail) =>
    child.on('error', fail).on('close', (status) => done(status ?? 1)),
  );
  const wall = (performance.now() - start) / 1000;
  const cost = /cost ([\d.]+) ([\d.]+)/.exec(said);
  if (!cost) throw new Error(`pv audit ${args.join(' ')} said: ${said}`);
  return { wall, processor: Number(cost[1]) + Number(cost[2]), code, said };
}

const line = (name: string, { wall, processor }: Cost): string =>
  `${name.padEnd(24)}${wall.toFixed(1).padStart(8)}${processor.toFixed(1).padStart(8)}`;

async function main(wanted: readonly string[]): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'pv-devices-'));
  try {
    for (const part of ['contracts', 'src/kernels', 'src/runtime', 'package.json', 'tsconfig.json'])
      await cp(resolve(part), join(root, part), { recursive: true });
    const paths = wanted.map((name) => `contracts/${name}-kernel-v1.yaml`);
    const asked = [...paths, '--binding', 'contracts/binding.yaml'];
    console.log(`load ${loadavg()[0]?.toFixed(1)} on ${cores} cores\n${''.padEnd(24)}  wall s   cpu s`);
    console.log(line('all but devices', await measure(root, asked)));
    for (const device of devices) {
      const cost = await measure(root, [...asked, '--backend', 'webgl2', '--device', device]);
      console.log(line(`webgl2 on ${device}`, cost));
      const isMissed = Math.min(cost.wall, cost.processor) > targetSeconds;
      console.log(
        `  target ${targetSeconds} s: ${isMissed ? 'missed' : cost.wall > targetSeconds ? 'met in processor time' : 'met'}`,
      );
      if (cost.code !== 0) console.log(`  pv audit exited with ${cost.code}:\n${cost.said}`);
      if (isMissed || cost.code !== 0) process.exitCode = 1;
    }
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

const asked = process.argv.slice(2);
await main(asked.length > 0 ? asked : core);
