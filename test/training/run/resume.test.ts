/** Holds src/training/trainer/resume.ts, read-progress.ts and src/training/run/run-progress.ts: a resumed run has the bits of one that never stopped. */
import fc from 'fast-check';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/canonical-json.ts';
import { loadFrom } from '../../../src/checkpoint/store/load.ts';
import type { TrainingState } from '../../../src/checkpoint/store/training-state.ts';
import { openCheckpoints, type CheckpointWriter } from '../../../src/checkpoint/store/writer.ts';
import { createMemoryHost, type MemoryHost } from '../../../src/host/memory-host.ts';
import { streamAt, streamKey, uniformInteger, type Xoshiro } from '../../../src/numeric/xoshiro.ts';
import { writeSafetensors } from '../../../src/tensors/safetensors.ts';
import { readRun } from '../../../src/training/run/run-file.ts';
import { runOf } from '../../../src/training/run/run-progress.ts';
import { train } from '../../../src/training/run/train.ts';
import {
  adamW,
  createVerifiedTrainer,
  lossStabilityBound,
  reduceOnPlateau,
  weightNormBound,
} from '../../../src/training/index.ts';
import { verifyCertificate } from '../../../src/training/verify/verify.ts';
import { certificateBytes, document, filesOf, trainedFiles, type TrainedFiles } from './small-run.ts';

const graph = { kind: 'planted_graph', nodes: 30, classes: 3, features: 4, degree: 3, homophily: 0.9, labelled: 0.6 };

const runs: readonly (readonly [string, JsonObject, Uint8Array | null])[] = [
  ['SGD with momentum and a refused drill', document, null],
  [
    'AdamW on a plateau schedule, with deep checks, energy and equivariance',
    {
      ...document,
      optimizer: { kind: 'adamw', learning_rate: 0.05 },
      schedule: { kind: 'reduce_on_plateau', factor: 0.5, patience: 2 },
      expensive_check_interval: 4,
      warmup_steps: 5,
      invariants: [
        { LossStabilityBound: { spike_cap: 0.5, window: 5, max_gradient_norm: 5, max_step_size: 2 } },
        { WeightNormBound: { max_norm: 20, min_norm: 0.01 } },
        { LipschitzBound: { max_lipschitz: 50 } },
      ],
    },
    null,
  ],
  [
    'two tasks with EWC and replay',
    {
      ...document,
      tasks: [
        { name: 'one', steps: 11 },
        { name: 'two', steps: 13, seed: 8, data: { ...graph, nodes: 24 } },
      ],
      ewc: { lambda: 20, fisher_samples: 8 },
      replay: { capacity: 6, samples_per_step: 3 },
    },
    null,
  ],
  [
    'steps that are refused until the run stops',
    { ...document, invariants: [{ WeightNormBound: { max_norm: 0.5, min_norm: 0.01 } }], stop_after_refusals: 9 },
    null,
  ],
  [
    'a character transformer with Lion',
    {
      format: 'pv-training-run/1',
      seed: 5,
      steps: 12,
      model: { kind: 'char_transformer', width: 8, heads: 2, layers: 1, context: 6 },
      data: { kind: 'text', file: 'text.txt', batch: 2 },
      optimizer: { kind: 'lion', learning_rate: 0.003 },
      invariants: [{ WeightNormBound: { max_norm: 50, min_norm: 0.0001 } }],
      checkpoint_interval: 4,
    },
    utf8ToBytes('the quick brown fox jumps over the lazy dog; the dog sleeps'),
  ],
];

class Killed extends Error {}

/** Trains in a process that is killed after step `dies`, at the earliest moment or only when the next line is written. */
async function part(
  host: MemoryHost,
  text: JsonObject,
  data: Uint8Array | null,
  {
    dies,
    every,
    files,
  }: {
    readonly dies: number;
    readonly every: number;
    readonly files: { ledger: string; checkpoints: Map<number, Uint8Array> };
  },
): Promise<TrainedFiles | null> {
  const writer = await openCheckpoints({ ...host, isOver: () => true }, 'resume');
  if (!writer.ok) throw new Error(writer.error.message);
  const loaded = await loadFrom(host, 'resume');
  const state = loaded.ok ? loaded.value.state : null;
  // The folder of a run has its data, and everything else is in the checkpoint.
  const run = state === null ? readRun(text, data) : runOf(state, data);
  if (!run.ok) throw new Error(run.error.message);
  const taken = state?.position.step ?? 0;
  const lines = files.ledger.split(/(?<=\n)/);
  files.ledger = state === null ? '' : lines.slice(0, taken + 1).join('');
  try {
    const { certificate, parameters } = await train(
      run.value,
      {
        ledger: (line) => void (files.ledger += line),
        checkpoint: async (step, file) => void files.checkpoints.set(step, file),
        progress: async ({ step }) => {
          if (step === dies) throw new Killed();
          return false;
        },
        resumable: {
          every,
          save: async (saved) => {
            const done = await writer.value.save(saved);
            if (!done.ok) throw new Error(done.error.message);
          },
        },
      },
      state === null ? null : { state, ledger: lines.join('') },
    );
    return { certificate, weights: concatBytes(...writeSafetensors(parameters)), ...files };
  } catch (error) {
    if (error instanceof Killed) return null;
    throw error;
  }
}

describe.each(runs)('%s', (_, text, data) => {
  it('gives the same ledger, weights, checkpoints and certificate after any stops', async () => {
    const straight = await trainedFiles(text, data);
    const stops = fc.array(fc.integer({ min: 1, max: Number(text['steps']) }), { minLength: 1, maxLength: 4 });
    let last = straight;
    await fc.assert(
      fc.asyncProperty(stops, fc.integer({ min: 1, max: 7 }), async (dies, every) => {
        const host = createMemoryHost({ 'other.txt': '' });
        const files = { ledger: '', checkpoints: new Map<number, Uint8Array>() };
        let resumed: TrainedFiles | null = null;
        for (const stop of [...dies, -1]) resumed ??= await part(host, text, data, { dies: stop, every, files });
        if (resumed === null) throw new Error('the run did not end');
        expect(resumed.ledger).toBe(straight.ledger);
        expect(resumed.weights).toEqual(straight.weights);
        expect(resumed.checkpoints).toEqual(straight.checkpoints);
        expect(certificateBytes(resumed.certificate)).toEqual(certificateBytes(straight.certificate));
        last = resumed;
      }),
      { numRuns: 12 },
    );
    const verdict = await verifyCertificate(
      { ...filesOf(last), text: async () => data },
      {
        level: 'full',
        keys: [],
        names: { weights: 'weights.safetensors', certificate: 'certificate.json' },
        segments: 1,
        pick: () => 0,
      },
    );
    expect(verdict.problem).toBeNull();
    expect(verdict.reached).toBe('full');
  });
});

const [features, samples, batches, accumulate, epochs] = [3, 12, 6, 2, 4];

/** A loop of one's own: a linear model, shuffled batches of two, dropout, and gradients summed over `accumulate` batches. */
async function loop(
  writer: CheckpointWriter,
  saved: TrainingState | null,
  ledger: { text: string },
  { dies, every }: { readonly dies: number; readonly every: number },
) {
  const weights = new Float32Array(features);
  const trainer = createVerifiedTrainer({
    parameters: { 'linear.weight': weights },
    optimizer: adamW({ learningRate: 0.1 }),
    schedule: reduceOnPlateau({ factor: 0.5, patience: 1 }),
    invariants: [
      lossStabilityBound({ spikeCap: 5, window: 4, maxGradientNorm: 50, maxStepSize: 10 }),
      weightNormBound({ max: 20 }),
    ],
    ledger: (line) => void (ledger.text += line),
    ...(saved && { resume: { state: saved, ledger: ledger.text } }),
  });
  if (saved !== null)
    ledger.text = ledger.text
      .split(/(?<=\n)/)
      .slice(0, saved.position.step + 1)
      .join('');
  const stream = saved === null ? streamAt(streamKey(1, 'loop'), 0) : streamOf(saved);
  const sum = Float32Array.from(
    (saved?.gradients?.[0]?.data as Float32Array | undefined) ?? new Float32Array(features),
  );
  let { epoch, nextBatch, accumulated } = saved?.position ?? { epoch: 0, nextBatch: 0, accumulated: 0 };
  let order = orderOf(saved);
  let loss = saved?.losses?.['sum'] ?? 0;
  const seen: string[] = [];
  let done = 0;
  for (; epoch < epochs; epoch++, nextBatch = 0) {
    if (nextBatch === 0) order = shuffled(stream);
    while (nextBatch < batches) {
      const batch = order.slice(2 * nextBatch, 2 * nextBatch + 2);
      seen.push(batch.join());
      for (const sample of batch) loss += learn(weights, sample, stream, sum);
      nextBatch += 1;
      accumulated += 1;
      if (accumulated === accumulate) {
        await trainer.step({ loss, gradients: { 'linear.weight': sum } });
        sum.fill(0);
        [accumulated, loss] = [0, 0];
      }
      done += 1;
      if (done % every === 0) {
        const position = { epoch, nextBatch, accumulated };
        await saveLoop(writer, trainer.checkpoint(), { position, sum, stream, order, loss });
      }
      if (done === dies) return null;
    }
  }
  return { weights, certificate: await trainer.seal(), seen };
}

/** Saves the state of the trainer with that of the loop around it. */
async function saveLoop(
  writer: CheckpointWriter,
  state: TrainingState,
  own: {
    readonly position: Omit<TrainingState['position'], 'step'>;
    readonly sum: Float32Array;
    readonly stream: Xoshiro;
    readonly order: readonly number[];
    readonly loss: number;
  },
): Promise<void> {
  const { position, sum, stream, order, loss } = own;
  const partial = [{ name: 'linear.weight', shape: [features], data: sum.slice() }];
  const result = await writer.save({
    ...state,
    position: { ...state.position, ...position },
    ...(position.accumulated > 0 && { gradients: partial }),
    random: { loop: [stream.a, stream.b, stream.c, stream.d], order },
    losses: { sum: loss },
    extra: { ...state.extra, mine: 1 },
  });
  if (!result.ok) throw new Error(result.error.message);
}

/** Adds the gradients of a sample, of which dropout hides a feature; returns its loss. */
function learn(weights: Float32Array, sample: number, stream: Xoshiro, sum: Float32Array): number {
  const hidden = uniformInteger(stream, 0, features - 1);
  const x = Array.from({ length: features }, (_, i) =>
    i === hidden ? 0 : Math.fround(((sample * 7 + i * 5) % 11) / 11),
  );
  const error = x.reduce((total, value, i) => total + value * (weights[i] ?? 0), 0) - (sample % 3);
  for (const [i, value] of x.entries()) sum[i] = (sum[i] ?? 0) + error * value;
  return 0.5 * error * error;
}

function streamOf({ random }: TrainingState): Xoshiro {
  const [a = 0, b = 0, c = 0, d = 0] = (random?.['loop'] ?? []) as readonly number[];
  return { a, b, c, d };
}

const orderOf = (saved: TrainingState | null): readonly number[] =>
  (saved?.random?.['order'] ?? []) as readonly number[];

function shuffled(stream: Xoshiro): readonly number[] {
  const left = Array.from({ length: samples }, (_, i) => i);
  return Array.from({ length: samples }, () => left.splice(uniformInteger(stream, 0, left.length - 1), 1)[0] ?? 0);
}

it('a loop of one’s own resumes at any batch: mid-epoch, mid-accumulation and at the end of an epoch', async () => {
  const fresh = async (): Promise<CheckpointWriter> => {
    const writer = await openCheckpoints(createMemoryHost({ 'other.txt': '' }), 'loop');
    if (!writer.ok) throw new Error(writer.error.message);
    return writer.value;
  };
  const ledger = { text: '' };
  const straight = await loop(await fresh(), null, ledger, { dies: -1, every: 1 });
  const total = epochs * batches;
  const accumulating = new Set<number>();
  for (let dies = 1; dies < total; dies++) {
    for (const every of [1, 2, 5]) {
      const host = createMemoryHost({ 'other.txt': '' });
      const own = { text: '' };
      const first = await openCheckpoints(host, 'loop');
      expect(first.ok && (await loop(first.value, null, own, { dies, every }))).toBeNull();
      const second = await openCheckpoints({ ...host, isOver: () => true }, 'loop');
      const loaded = await loadFrom(host, 'loop');
      const saved = loaded.ok ? loaded.value.state : null;
      if (saved === null) own.text = '';
      else accumulating.add(saved.position.accumulated);
      const resumed = second.ok ? await loop(second.value, saved, own, { dies: -1, every }) : null;
      expect(own.text).toBe(ledger.text);
      expect(resumed?.weights).toEqual(straight?.weights);
      expect(resumed?.certificate).toEqual(straight?.certificate);
      const position = saved === null ? 0 : saved.position.epoch * batches + saved.position.nextBatch;
      expect(resumed?.seen).toEqual(straight?.seen.slice(position));
    }
  }
  expect(accumulating).toEqual(new Set([0, 1]));
});

describe('a checkpoint that does not belong is refused, and names what differs', () => {
  const options = {
    parameters: { w: Float32Array.of(1, 2) },
    optimizer: adamW({ learningRate: 0.1 }),
    invariants: [weightNormBound({ max: 9 })],
  };

  async function stepped() {
    let ledger = '';
    const trainer = createVerifiedTrainer({ ...options, ledger: (line) => void (ledger += line) });
    for (let i = 0; i < 3; i++) await trainer.step({ loss: 1, gradients: { w: Float32Array.of(0.1 * i, 1) } });
    return { state: trainer.checkpoint(), ledger };
  }

  it.each<readonly [string, (from: Awaited<ReturnType<typeof stepped>>) => object, RegExp]>([
    [
      'other settings',
      ({ state, ledger }) => ({ optimizer: adamW({ learningRate: 0.2 }), resume: { state, ledger } }),
      /another 'optimizer'/,
    ],
    [
      'a ledger that is too short',
      ({ state, ledger }) => ({
        resume: {
          state,
          ledger: ledger
            .split(/(?<=\n)/)
            .slice(0, 3)
            .join(''),
        },
      }),
      /ends after step 2/,
    ],
    [
      'weights of another step',
      ({ state, ledger }) => ({
        resume: { state: { ...state, weights: [{ name: 'w', shape: [2], data: Float32Array.of(7, 7) }] }, ledger },
      }),
      /not those that step 3 left/,
    ],
    [
      'a missing optimizer array',
      ({ state, ledger }) => ({ resume: { state: { ...state, optimizer: [] }, ledger } }),
      /other parameters, optimizer arrays/,
    ],
    [
      'a state of another program',
      ({ state, ledger }) => ({ resume: { state: { ...state, extra: {} }, ledger } }),
      /not the checkpoint of a verified trainer/,
    ],
  ])('%s', async (_, change, message) => {
    const from = await stepped();
    expect(() =>
      createVerifiedTrainer({ ...options, parameters: { w: new Float32Array(2) }, ...change(from) }),
    ).toThrow(message);
  });

  it('a ledger in which a line was changed is refused', async () => {
    const { state, ledger } = await stepped();
    const resume = { state, ledger: ledger.replace('"loss":1', '"loss":2') };
    expect(() => createVerifiedTrainer({ ...options, resume })).toThrow('PV-8409');
  });
});
