/**
 * What the bounded proofs of the ten core contracts cost: `pv kani` as a whole process per contract, and as one process for all of
 * them (the figure), with two workers and nothing stored, in a copy of the project. Usage: node scripts/run.mjs bench/kani.ts [CONTRACT…]
 *
 * The baseline is z3 alone (`--engine smt`), on one claim about softmax that the engines of pv share. Exits with 1 when the
 * figures are missed. Needs a fresh dist/.
 */
import { spawn } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const core = ['adamw', 'attention', 'cross-entropy', 'gelu', 'gqa', 'matmul', 'rmsnorm', 'rope', 'softmax', 'swiglu'];
const workers = 2;
/** For all ten together on two idle cores. */
const targetSeconds = 60;
const targetMegabytes = 1500;
const timeoutSeconds = '120';

interface Told {
  readonly verdict: string;
  readonly proof: {
    readonly statements: number;
    readonly proved: number;
    readonly conditions: number;
    readonly safe: number;
  } | null;
}

interface Cost {
  readonly wall: number;
  /** User and system time of the process and its descendants. */
  readonly processor: number;
  /** The peak of its largest process. */
  readonly megabytes: number;
  readonly proofs: readonly Told[];
}

/** GNU time also counts children that have ended, such as solvers. */
async function measure(root: string, args: readonly string[]): Promise<Cost> {
  const command = [process.execPath, resolve('dist/cli/bin.js'), 'kani', ...args];
  const flags = ['--fresh', '--quiet', '--format', 'json', '--jobs', String(workers), '--timeout', timeoutSeconds];
  const start = performance.now();
  const child = spawn('/usr/bin/time', ['-f', 'cost %U %S %M', ...command, ...flags], { cwd: root });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => void (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => void (err += chunk.toString()));
  await new Promise((done, fail) => child.on('error', fail).on('close', done));
  const wall = (performance.now() - start) / 1000;
  const cost = /cost ([\d.]+) ([\d.]+) (\d+)/.exec(err);
  if (!cost || out === '') throw new Error(`pv kani ${args.join(' ')} said: ${err}`);
  const { proofs } = JSON.parse(out) as { readonly proofs: readonly Told[] };
  return { wall, processor: Number(cost[1]) + Number(cost[2]), megabytes: Number(cost[3]) / 1024, proofs };
}

function line(name: string, { wall, processor, megabytes, proofs }: Cost): string {
  const sum = (of: (proof: NonNullable<Told['proof']>) => number): number =>
    proofs.reduce((total, { proof }) => total + (proof ? of(proof) : 0), 0);
  const standing = proofs.filter(({ verdict }) => verdict === 'proved').length;
  return [
    name.padEnd(16),
    `${standing} of ${proofs.length}`.padStart(9),
    `${sum(({ proved }) => proved)} of ${sum(({ statements }) => statements)}`.padStart(14),
    `${sum(({ safe }) => safe)} of ${sum(({ conditions }) => conditions)}`.padStart(14),
    wall.toFixed(1).padStart(8),
    processor.toFixed(1).padStart(8),
    megabytes.toFixed(0).padStart(8),
  ].join('');
}

async function main(wanted: readonly string[]): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'pv-kani-'));
  try {
    for (const part of ['contracts', 'src/kernels', 'src/runtime', 'package.json', 'tsconfig.json'])
      await cp(resolve(part), join(root, part), { recursive: true });
    console.log(`${'contract'.padEnd(16)}   proofs    statements    conditions  wall s   cpu s      MB`);
    const pathOf = (name: string): string => `contracts/${name}-kernel-v1.yaml`;
    for (const name of wanted) console.log(line(name, await measure(root, [pathOf(name)])));
    const whole = await measure(root, wanted.map(pathOf));
    console.log(line('in one process', whole));
    const { wall, processor, megabytes } = whole;
    const idle = processor / workers;
    console.log(
      `\ntogether: ${wall.toFixed(1)} s wall, ${processor.toFixed(1)} s of processor time, which is ${idle.toFixed(1)} s on ` +
        `${workers} idle cores (target ${targetSeconds}); ${megabytes.toFixed(0)} MB (target ${targetMegabytes})`,
    );
    const claim = ['contracts/softmax-kernel-v1.yaml', '--claim', 'SM-INV-001', '--bound', '4'];
    console.log('\nbaseline: softmax sums to one, n to 4');
    console.log(line('all engines', await measure(root, claim)));
    console.log(line('z3 alone', await measure(root, [...claim, '--engine', 'smt'])));
    if (idle > targetSeconds || megabytes > targetMegabytes) process.exitCode = 1;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

const asked = process.argv.slice(2);
await main(asked.length > 0 ? asked : core);
