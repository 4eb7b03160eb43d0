/**
 * A verified step beside that of the npm package `@ruvector/graph-transformer`: `node scripts/bench.mjs verified-step`.
 *
 * Installs the package in a temporary folder; if that fails, says so and measures nothing. Processor time of one step of
 * 49,152 weights, interleaved: pv's with loss, norms, optimizer, ledger and attestation, the package's `verifiedStep` as it is. Then
 * what each does with a NaN gradient, a gradient of 1e300 and a made-up attestation. Exits with 1 if pv is not 20 times as fast
 * or accepts one of them.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lossStabilityBound } from '../src/training/invariants/loss-stability.ts';
import { weightNormBound } from '../src/training/invariants/weight-norm.ts';
import { readLedger } from '../src/training/ledger/read-ledger.ts';
import { lineText } from '../src/training/ledger/ledger.ts';
import { sgd } from '../src/training/optimizer/rules.ts';
import { createVerifiedTrainer, type VerifiedTrainer } from '../src/training/trainer/trainer.ts';

/** What of the package is used. */
interface Peer {
  readonly verifiedStep: (
    weights: readonly number[],
    gradients: readonly number[],
    rate: number,
  ) => { readonly weights: readonly (number | null)[] };
  readonly verifiedTrainingStep: (
    features: readonly number[],
    targets: readonly number[],
    weights: readonly number[],
  ) => unknown;
  readonly verifyAttestation: (bytes: readonly number[]) => boolean;
}

const version = '2.0.4';
const [size, warmup, rounds] = [49_152, 50, 100];

function installed(folder: string): Peer | string {
  try {
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', `@ruvector/graph-transformer@${version}`];
    execFileSync('npm', args, { cwd: folder, stdio: 'pipe' });
    const { GraphTransformer } = createRequire(join(folder, 'package.json'))('@ruvector/graph-transformer') as {
      readonly GraphTransformer: new () => Peer;
    };
    return new GraphTransformer();
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  }
}

const lines: string[] = [];
const trainerOf = (weights: Float32Array, ledger: (line: string) => void): VerifiedTrainer =>
  createVerifiedTrainer({
    parameters: { 'layer.weight': weights },
    optimizer: sgd({ learningRate: 1e-3 }),
    invariants: [
      lossStabilityBound({ spikeCap: 1, window: 20, maxGradientNorm: 100, maxStepSize: 1 }),
      weightNormBound({ max: 1000 }),
    ],
    ledger,
  });

/** Processor time of `work` in microseconds. */
async function cost(work: () => Promise<unknown> | void): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Whether pv reads a ledger whose last attestation was replaced by 82 bytes of 7. */
function readsForged(): boolean {
  const [header = '', step = ''] = lines;
  const { record } = JSON.parse(step) as { readonly record: unknown };
  const forged = lineText(JSON.stringify(record), new Uint8Array(82).fill(7));
  return readLedger(`${header}${forged}\n`).ok;
}

async function compare(peer: Peer): Promise<boolean> {
  const weights = Float32Array.from({ length: size }, (_, i) => 0.01 * Math.sin(i));
  const gradients = weights.map((w) => 0.1 * w);
  const ours = trainerOf(weights.slice(), (line) => lines.push(line));
  const [theirWeights, theirGradients] = [Array.from(weights), Array.from(gradients)];
  const works = [
    () => ours.step({ loss: 1, gradients: { 'layer.weight': gradients } }),
    () => void peer.verifiedStep(theirWeights, theirGradients, 1e-3),
    () => void peer.verifiedTrainingStep(theirGradients, theirGradients, theirWeights),
  ];
  const least = works.map(() => Infinity);
  for (let round = 0; round < warmup + rounds; round++)
    for (const [i, work] of works.entries()) {
      const time = await cost(work);
      if (round >= warmup) least[i] = Math.min(least[i] ?? NaN, time);
    }
  const perWeight = least.map((time) => `${((1000 * time) / size).toFixed(1)} ns`);
  const ratio = (least[1] ?? NaN) / (least[0] ?? NaN);
  const verdict = async (gradient: number): Promise<string> => {
    const { verdict } = await trainerOf(Float32Array.of(1, 2), () => undefined).step({
      loss: 1,
      gradients: { 'layer.weight': Float32Array.of(gradient, 0.2) },
    });
    return verdict;
  };
  const theirs = (gradient: number, rate: number): string =>
    `accepted: ${JSON.stringify(peer.verifiedStep([1, 2], [gradient, 0.2], rate).weights)}`;
  const ourVerdicts = [await verdict(NaN), await verdict(1e300), readsForged() ? 'accepted' : 'refused'];
  const table = [
    ['', 'pv', `@ruvector/graph-transformer ${version}`],
    ['---', '---', '---'],
    [`a verified step of ${size} weights, for each weight`, perWeight[0], perWeight[1]],
    ['the same with the loss and gradient of w·x', '', perWeight[2]],
    ['a gradient of NaN', ourVerdicts[0], theirs(NaN, 0.01)],
    ['a gradient of 1e300', ourVerdicts[1], theirs(1e300, 1e8)],
    [
      'an attestation of 82 bytes of 7',
      ourVerdicts[2],
      peer.verifyAttestation(new Array<number>(82).fill(7)) ? 'accepted' : 'refused',
    ],
  ];
  for (const cells of table) process.stdout.write(`| ${cells.join(' | ')} |\n`);
  process.stdout.write(`pv takes 1/${ratio.toFixed(1)} of the time (target: 1/20)\n`);
  return ratio >= 20 && ourVerdicts.every((one) => one === 'refused');
}

const folder = mkdtempSync(join(tmpdir(), 'pv-verified-step-'));
try {
  const peer = installed(folder);
  if (typeof peer === 'string')
    process.stdout.write(`@ruvector/graph-transformer cannot be installed, so nothing was measured: ${peer}\n`);
  else if (!(await compare(peer))) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
