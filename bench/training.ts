/**
 * What verified training costs: `node scripts/run.mjs bench/training.ts [rounds]`.
 *
 * One step of a graph network of three layers on 10,000 nodes with 128 features, in processor time: loss, gradients and AdamW by
 * hand, compared with the same through the gate, interleaved; then dense products in SIMD and as plain loops, and the attestation
 * and the line of a step alone. Exits with 1 when a target is missed.
 */
import { invariant } from '../src/base/invariant.ts';
import { lipschitzBound } from '../src/training/invariants/lipschitz.ts';
import { lossStabilityBound } from '../src/training/invariants/loss-stability.ts';
import { weightNormBound } from '../src/training/invariants/weight-norm.ts';
import { createLedger } from '../src/training/ledger/ledger.ts';
import type { StepRecord } from '../src/training/ledger/step-record.ts';
import { createGnn, type GnnLayer } from '../src/training/model/gnn.ts';
import { glorotUniform } from '../src/training/model/initial.ts';
import * as plainProducts from '../src/training/model/plain-products.ts';
import { plantedGraph } from '../src/training/model/planted-graph.ts';
import * as products from '../src/training/model/products.ts';
import { adamW } from '../src/training/optimizer/rules.ts';
import { createVerifiedTrainer, type VerifiedTrainer } from '../src/training/trainer/trainer.ts';

const rounds = Number(process.argv[2] ?? 6);
const widths = [128, 128, 128, 128];
const graph = plantedGraph({
  nodes: 10_000,
  classes: 128,
  features: 128,
  degree: 5,
  homophily: 0.8,
  labelled: 0.5,
  seed: 1,
});
const gnn = createGnn(widths, graph);
const optimizer = adamW({ learningRate: 1e-3 });

const initial = (): readonly GnnLayer[] =>
  widths.slice(1).map((outputs, l) => ({
    weight: glorotUniform(1, `conv${l}`, widths[l] ?? 0, outputs),
    bias: new Float32Array(outputs),
  }));

const named = (layers: readonly GnnLayer[]): Record<string, Float32Array> =>
  Object.fromEntries(
    layers.flatMap(({ weight, bias }, l) => [
      [`conv${l}.weight`, weight],
      [`conv${l}.bias`, bias],
    ]),
  );

/** Processor time of `work` in milliseconds. */
async function cost(work: () => Promise<unknown> | void): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** A step without any of it: the same loss and gradients, and AdamW written down for these arrays. */
function plainSteps(layers: readonly GnnLayer[]): () => void {
  const arrays = layers.flatMap(({ weight, bias }) => [weight, bias]);
  const moments = arrays.map(({ length }) => [new Float32Array(length), new Float32Array(length)] as const);
  let [power1, power2] = [1, 1];
  return () => {
    const { gradients } = gnn.lossAndGradients(layers);
    power1 *= 0.9;
    power2 *= 0.999;
    for (const [k, gradient] of gradients.flatMap(({ weight, bias }) => [weight, bias]).entries()) {
      const [theta, [m, v] = []] = [arrays[k], moments[k]];
      invariant(theta !== undefined && m !== undefined && v !== undefined, 'every gradient has its arrays');
      for (let i = 0; i < theta.length; i++) {
        const g = gradient[i] ?? NaN;
        const weight = theta[i] ?? NaN;
        m[i] = 0.9 * (m[i] ?? NaN) + 0.1 * g;
        v[i] = 0.999 * (v[i] ?? NaN) + 0.001 * g * g;
        const step = (m[i] ?? NaN) / (1 - power1) / (Math.sqrt((v[i] ?? NaN) / (1 - power2)) + 1e-8);
        theta[i] = weight - 1e-3 * (step + 0.01 * weight);
      }
    }
  };
}

/** A step through the gate. */
function verifiedSteps(layers: readonly GnnLayer[], trainer: VerifiedTrainer): () => Promise<void> {
  return async () => {
    const { loss, gradients } = gnn.lossAndGradients(layers);
    const { verdict } = await trainer.step({ loss, gradients: named(gradients) });
    invariant(verdict === 'committed', 'no step of the benchmark is refused');
  };
}

const cheap = [
  lossStabilityBound({ spikeCap: 1, window: 20, maxGradientNorm: 100, maxStepSize: 1 }),
  weightNormBound({ max: 100, min: 0.1 }),
];
const [byHand, gated, estimated] = [initial(), initial(), initial()];
const trainerOf = (layers: readonly GnnLayer[], invariants: typeof cheap): VerifiedTrainer =>
  createVerifiedTrainer({ parameters: named(layers), optimizer, invariants });
const works = [
  { name: 'by hand', step: plainSteps(byHand), times: [] as number[] },
  { name: 'loss and norms', step: verifiedSteps(gated, trainerOf(gated, cheap)), times: [] as number[] },
  {
    name: 'loss, norms and Lipschitz',
    step: verifiedSteps(estimated, trainerOf(estimated, [...cheap, lipschitzBound({ maxLipschitz: 100 })])),
    times: [] as number[],
  },
];
for (let round = 0; round <= rounds; round++) {
  // The first round compiles, and does not count.
  for (const { step, times } of works) {
    const time = await cost(step);
    if (round > 0) times.push(time);
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
const row = (...cells: readonly string[]): void => console.log(`| ${cells.join(' | ')} |`);
let missed = 0;
function verdict(met: boolean): string {
  missed += met ? 0 : 1;
  return met ? 'met' : '**missed**';
}

row('step of 49,536 weights', 'least ms', 'median ms', 'least, of by hand', 'target');
row('---', '---', '---', '---', '---');
const [plain] = works;
for (const [i, { name, times }] of works.entries()) {
  const ratio = Math.min(...times) / Math.min(...(plain?.times ?? []));
  const target = [Infinity, 1.005, 1.03][i] ?? Infinity;
  const said = i === 0 ? '' : `≤ ${target}: ${verdict(ratio <= target)}`;
  row(name, Math.min(...times).toFixed(0), median(times).toFixed(0), ratio.toFixed(3), said);
}

/** The dense products of a middle layer of the step. */
function middleLayer({ multiply, multiplyTransposedLeft, multiplyTransposedRight }: typeof plainProducts): void {
  multiply(wide, graph.features, square, 10_000, 128, 128);
  multiplyTransposedLeft(square2, graph.features, wide, 10_000, 128, 128);
  multiplyTransposedRight(wide, graph.features, square, 10_000, 128, 128);
}
const [wide, square, square2] = [
  new Float32Array(10_000 * 128),
  glorotUniform(1, 'square', 128, 128),
  new Float32Array(128 * 128),
];
const [inSimd, inLoops]: [number[], number[]] = [[], []];
for (let round = 0; round <= rounds; round++) {
  inSimd.push(await cost(() => middleLayer(products)));
  inLoops.push(await cost(() => middleLayer(plainProducts)));
}
const [simd, loops] = [Math.min(...inSimd), Math.min(...inLoops)];
console.log('');
row('three dense products of a layer', 'ms', 'of the plain loops');
row('---', '---', '---');
row('plain loops', loops.toFixed(0), '1');
row('WebAssembly SIMD', simd.toFixed(0), `${(loops / simd).toFixed(1)} times as fast`);

const record = (step: number): StepRecord => ({
  step,
  verdict: 'committed',
  warmup: false,
  loss: 1 / step,
  rate: 1e-3,
  before: '0'.repeat(64),
  after: '1'.repeat(64),
  measured: ['conv0', 'conv1', 'conv2'].map((what) => ({
    invariant: 'WeightNormBound',
    what,
    value: 7.5,
    is: 'at most',
    bound: 100,
  })),
});
const ledger = createLedger({ config: new Uint8Array(32), initial: '0'.repeat(64) });
const steps = 50_000;
for (let i = 1; i <= 5000; i++) ledger.append(record(i));
const perLine =
  (await cost(() => {
    for (let i = 5001; i <= 5000 + steps; i++) ledger.append(record(i));
  })) / steps;
console.log('');
row('of a step alone', 'µs', 'target');
row('---', '---', '---');
row('attestation and line of the ledger', (1000 * perLine).toFixed(1), `≤ 5: ${verdict(1000 * perLine <= 5)}`);
process.exitCode = missed > 0 ? 1 : 0;
