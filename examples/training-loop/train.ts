/**
 * The loop: forward, loss, backward, accumulation, clipping, AdamW, and the tables that a contract over data can judge.
 */
import { createHash } from 'node:crypto';
import { achievableSteps, configFor, type BugName, type TrainingConfig } from './config.ts';
import { batchAt, type Batch } from './data.ts';
import { createDevice, type Device } from './device.ts';
import type { RunKernel } from './kernels.ts';
import { createModel, type Model } from './model.ts';
import { createOptimizer, fromConfig, hiddenDefaults, updateParameters, type Optimizer } from './optimizer.ts';
import { createParameters, type Parameters } from './parameters.ts';
import { jsonLines, type Row } from './records.ts';

/** A run as files by name. */
export type RunFiles = Readonly<Record<string, string>>;

/** The gradients of every parameter are sampled after each of the first steps. */
const SAMPLED_STEPS = 5;
/** Every so many-th micro-batch has shorter sequences. */
const SHORT_EVERY = 16;

interface Loop {
  readonly run: RunKernel;
  readonly config: TrainingConfig;
  readonly bug: BugName | null;
  readonly device: Device;
  readonly parameters: Parameters;
  readonly model: Model;
  readonly optimizers: readonly Optimizer[];
}

const norm = (values: Float32Array): number => Math.hypot(...values);
/** The largest magnitude; NaN when one element is. */
const maxAbs = (values: Float32Array): number => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
const nanCount = (values: Float32Array): number =>
  values.reduce((count, value) => count + (Number.isNaN(value) ? 1 : 0), 0);

function createLoop(run: RunKernel, config: TrainingConfig, bug: BugName | null): Loop {
  const device = createDevice(run, config.seed);
  const parameters = createParameters(device, config);
  const model = createModel(device, parameters, config, bug);
  const cleared = bug !== 'alb-059-init';
  const [embedding, ...others] = parameters.all;
  const optimizers = [
    createOptimizer(device, { name: 'blocks', held: fromConfig(config), parameters: others.slice(0, -1), cleared }),
    createOptimizer(device, { name: 'lm_head', held: fromConfig(config), parameters: others.slice(-1), cleared }),
    createOptimizer(device, {
      name: 'embedding',
      held: {
        ...(bug === 'alb-044-beta2' ? hiddenDefaults(config) : fromConfig(config)),
        ...(bug === 'alb-044-clip' ? { max_grad_norm: 0 } : {}),
      },
      parameters: embedding ? [embedding] : [],
      cleared,
    }),
  ];
  device.synchronize();
  return { run, config, bug, device, parameters, model, optimizers };
}

/** Loss of one micro-batch, its gradients queued; null when the device refused a copy on the way. */
function microStep({ run, config, bug, device, model }: Loop, batch: Batch, micro: number): number | null {
  const { vocab_size: v } = config;
  const rows = config.batch_size * config.seq_len;
  device.profile.step();
  const output = model.forward(batch.tokens);
  if (!output) return null;
  if (bug !== 'alb-065') device.synchronize();
  const logits = device.download(output).slice(0, batch.rows * v);
  const shape = [batch.rows, v];
  const losses = run('crossEntropy', {
    arguments: [logits, batch.targets, batch.rows, v],
    shapes: [shape, [batch.rows], [], []],
    outputShape: [batch.rows],
  });
  // The gradient of the cross-entropy is that of distillation with nothing to distil: α = 0.
  const gradient = run('distillationGradient', {
    arguments: [logits, logits, batch.targets, 1, 0, batch.rows, v],
    shapes: [shape, shape, [batch.rows], [], [], [], []],
    outputShape: shape,
  });
  const all = new Float32Array(rows * v);
  all.set(gradient.map((value) => value / batch.rows));
  model.backward(all, batch.tokens, micro);
  return losses.reduce((sum, loss) => sum + loss, 0) / batch.rows;
}

/** The gradients of the batch out of those of its micro-batches, and the clipping of all but the embedding's; the norm before it. */
function accumulateAndClip({ config, device, parameters }: Loop, counts: readonly number[]): number {
  for (const { microGradients, gradient, length } of parameters.all) {
    device.launch({
      kernel: 'accumulateGradients',
      operands: [
        { buffer: microGradients, shape: [counts.length, length] },
        { constant: Int32Array.from(counts), shape: [counts.length] },
        counts.length,
        length,
      ],
      output: gradient,
      outputShape: [length],
    });
  }
  const { clippedTogether: all } = parameters;
  const before = norm(device.sample(all));
  device.launch({
    kernel: 'clipGradient',
    operands: [{ buffer: all, shape: [all.length] }, config.max_grad_norm, all.length],
    output: all,
    outputShape: [all.length],
  });
  return before;
}

/** The learning rate after `step` steps were taken before this one. */
function rateOf({ run, config }: Loop, step: number): number {
  const { learning_rate, min_learning_rate, warmup_steps, max_steps } = config;
  const [rate = Number.NaN] = run('learningRate', {
    arguments: [Int32Array.of(step + 1), learning_rate, min_learning_rate, warmup_steps, max_steps, 1],
    shapes: [[1], [], [], [], [], []],
    outputShape: [1],
  });
  return rate;
}

interface StepResult {
  readonly row: Row;
  readonly gradients: readonly Row[];
}

function trainStep(loop: Loop, step: number): StepResult {
  const { config, device, parameters, optimizers } = loop;
  const micro = config.gradient_accumulation;
  const losses: number[] = [];
  const counts: number[] = [];
  for (let a = 0; a < micro; a++) {
    const index = step * micro + a;
    const length = index % SHORT_EVERY === SHORT_EVERY - 1 ? config.seq_len - 3 : config.seq_len;
    const batch = batchAt(config, index, length);
    const loss = microStep(loop, batch, losses.length);
    if (loss === null) continue;
    losses.push(loss);
    counts.push(batch.rows);
  }
  const learning_rate = rateOf(loop, step);
  const base = { step, learning_rate, skipped: micro - losses.length };
  if (losses.length === 0) return { row: base, gradients: [] };
  const grad_norm = accumulateAndClip(loop, counts);
  const samples = parameters.all.map(({ gradient }) => device.sample(gradient));
  const [embedding = new Float32Array(), ...rest] = samples;
  const clipped = Math.hypot(...rest.map(norm));
  for (const optimizer of optimizers) updateParameters(device, optimizer, learning_rate, step + 1);
  device.synchronize();
  const tokens = counts.reduce((a, b) => a + b, 0);
  const loss = losses.reduce((sum, value, a) => sum + value * (counts[a] ?? 0), 0) / tokens;
  const weights_nan_count = parameters.all.reduce((sum, { weights }) => sum + nanCount(device.sample(weights)), 0);
  const row = {
    ...base,
    loss,
    grad_norm,
    clipped_grad_norm: clipped,
    embedding_grad_norm: norm(embedding),
    weights_nan_count,
  };
  const gradients = parameters.all.map(({ index, name }, at) => {
    return { step, index, name, grad_max: maxAbs(samples[at] ?? new Float32Array()) };
  });
  return { row, gradients };
}

/** SHA-256 of all weights as they lie in memory. */
function digestOf({ device, parameters }: Loop): string {
  const hash = createHash('sha256');
  for (const { weights } of parameters.all) hash.update(new Uint8Array(device.sample(weights).buffer));
  return `sha256:${hash.digest('hex')}`;
}

/** Trains once; the second run with the same seed needs to go no further than the checkpoint. */
function trainOnce(loop: Loop, steps: number) {
  const rows: Row[] = [];
  const gradients: Row[] = [];
  let digest: string | null = null;
  for (let step = 0; step < steps; step++) {
    const result = trainStep(loop, step);
    rows.push(result.row);
    if (step < SAMPLED_STEPS) gradients.push(...result.gradients);
    if (step + 1 === loop.config.save_interval) digest = digestOf(loop);
  }
  return { rows, gradients, digest };
}

/** What each optimizer object holds, and beside it what the config says. */
function optimizerRows({ config, optimizers }: Loop): readonly Row[] {
  return optimizers.map(({ name, held }, index) => {
    const asked = Object.entries(fromConfig(config)).map(([key, value]) => [`config_${key}`, value] as const);
    return { index, name, ...held, ...Object.fromEntries(asked) };
  });
}

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** The same as one file per optimizer: the config's hyper-parameters, and those in effect. */
function optimizerFiles({ config, optimizers }: Loop): RunFiles {
  return Object.fromEntries(
    optimizers.map(({ name, held }) => [`optimizer-${name}.json`, json({ ...fromConfig(config), effective: held })]),
  );
}

/** The digests of the two runs at one step; no file when the run ended before it. */
function checkpointFile(
  { save_interval, seed }: TrainingConfig,
  first: string | null,
  second: string | null,
): RunFiles {
  if (first === null || second === null) return {};
  const steps = { first_step: save_interval, second_step: save_interval };
  return { 'checkpoints.json': json({ seed, first_digest: first, second_digest: second, ...steps }) };
}

/** The two moments of every parameter before the first step. */
function stateRows({ device, optimizers }: Loop): readonly Row[] {
  const states = optimizers.flatMap(({ parameters, state }) =>
    state.map(({ m, v }, at) => ({ name: parameters[at]?.name ?? m.name, elements: m.length, m, v })),
  );
  return states.map(({ name, elements, m, v }, index) => {
    return { index, name, elements, m_max: maxAbs(device.sample(m)), v_max: maxAbs(device.sample(v)) };
  });
}

export interface TrainingOptions {
  readonly bug: BugName | null;
  /** Ends the run after so many steps; the schedule stays that of the config. */
  readonly steps?: number;
}

/** Trains twice with one seed and returns what both wrote. The same kernels and options give the same files. */
export function train(run: RunKernel, { bug, steps = Number.POSITIVE_INFINITY }: TrainingOptions): RunFiles {
  const config = configFor(bug);
  const total = Math.min(steps, achievableSteps(config));
  const loop = createLoop(run, config, bug);
  const state = stateRows(loop);
  const first = trainOnce(loop, total);
  const again = createLoop(run, config, bug);
  const second = trainOnce(again, Math.min(config.save_interval, total));
  return {
    'train.json': json(config),
    'run.jsonl': jsonLines(first.rows),
    'optimizers.jsonl': jsonLines(optimizerRows(loop)),
    'state.jsonl': jsonLines(state),
    'gradients.jsonl': jsonLines(first.gradients),
    'buffers.jsonl': jsonLines([...loop.device.records.buffers.values()]),
    'copies.jsonl': jsonLines([...loop.device.records.copies.values()]),
    'gemms.jsonl': jsonLines([...loop.model.gemms.values()]),
    ...checkpointFile(config, first.digest, second.digest),
    ...optimizerFiles(loop),
    'profile.json': loop.device.profile.json(),
  };
}
