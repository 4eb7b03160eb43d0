/**
 * Elastic weight consolidation: a penalty keeps the weights near their values after earlier tasks while the model learns a new one.
 *
 * Source: Kirkpatrick et al. (2017), Overcoming catastrophic forgetting in neural networks, arXiv:1612.00796, equation 3, with
 * one term for each earlier task.
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { JsonObject } from '../../base/canonical-json.ts';
import { present } from '../../base/invariant.ts';
import { quoted } from '../../base/text.ts';
import { sha256 } from '../../merkle/sha256.ts';
import { writeSafetensors } from '../../tensors/safetensors.ts';
import { norm } from '../norm.ts';
import type { Layer, Parameters } from '../parameters.ts';
import { notNegative } from '../settings.ts';
import { trainingError } from '../training-error.ts';
import { learnTasks, type Anchored, type Arrays, type LearnedTask, type LearnedTasks } from './learned-tasks.ts';

/** A task learned earlier: its final weights, and how much each of them matters. */
export interface ConsolidatedTask {
  readonly name: string;
  /** θ*: the weights at the end of the task. */
  readonly anchor: Arrays;
  /** F: the diagonal of its Fisher information, ≥ 0; see {@link diagonalFisher}. */
  readonly fisher: Arrays;
}

/** Options of the penalty λ/2·Σ over the tasks of Σᵢ Fᵢ·(θᵢ − θ*ᵢ)². */
export interface ConsolidationOptions {
  /** λ ≥ 0. */
  readonly lambda: number;
  readonly tasks: readonly (ConsolidatedTask | LearnedTask)[];
}

/** The penalty of one run. */
export interface Consolidation {
  /** λ, and for each task the digests of its arrays and the norms of its layers, or the step after which it is anchored. */
  readonly settings: JsonObject;
  /** Anchors the tasks that end before step `step`; called before every step once a step of the run has been committed. */
  readonly begin: (step: number) => void;
  /** As in {@link LearnedTasks}. */
  readonly learned: LearnedTasks['arrays'];
  readonly restore: LearnedTasks['restore'];
  /** ‖θ*‖₂ of a layer in each task that has an anchor. */
  readonly anchorNorms: (layer: string) => readonly number[];
  /** λ/2·ΣΣ F·(θ − θ*)² at the current weights. */
  readonly penalty: () => number;
  /** The gradients plus λ·Σ F·(θ − θ*); the next call overwrites these arrays. */
  readonly added: (gradients: readonly Float32Array[]) => readonly Float32Array[];
}

/**
 * The diagonal of the empirical Fisher information: the mean of the squared per-sample gradients of the log-likelihood. Each item
 * may reuse the same buffers.
 */
export function diagonalFisher(gradients: Iterable<Arrays>): Record<string, Float32Array> {
  const sums = new Map<string, Float64Array>();
  let samples = 0;
  for (const sample of gradients) {
    samples += 1;
    for (const [name, gradient] of Object.entries(sample)) {
      const sum = sums.get(name) ?? new Float64Array(gradient.length);
      sums.set(name, sum);
      for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? NaN) + (gradient[i] ?? NaN) * (gradient[i] ?? NaN);
    }
  }
  return Object.fromEntries([...sums].map(([name, sum]) => [name, Float32Array.from(sum, (value) => value / samples)]));
}

/** Reads the options of a run; PV-8401 or PV-8403 if they do not match its parameters. */
export function consolidate(
  options: ConsolidationOptions,
  parameters: Parameters,
  layers: readonly Layer[],
): Consolidation {
  const { lambda, tasks } = options;
  notNegative('ewc.lambda', lambda);
  const fisherOf = (name: string, fisher: Arrays): readonly Float32Array[] =>
    arraysOf(parameters, fisher, `The Fisher information of the task ${quoted(name)}`, 0);
  const given = tasks
    .flatMap((task) => (isLearned(task) ? [] : [task]))
    .map(({ name, anchor, fisher }) => ({
      name,
      anchor: arraysOf(parameters, anchor, `The anchor of the task ${quoted(name)}`, -Infinity),
      fisher: fisherOf(name, fisher),
    }));
  const learning = tasks.filter(isLearned);
  const learned = learnTasks(learning, parameters, (task) => fisherOf(task.name, task.fisher(parameters)));
  const anchored = (): readonly Anchored[] => [...given, ...learned.tasks()];
  const normOf = ({ anchor }: Anchored, { members }: Layer): number =>
    norm(members.map((i) => present(anchor[i], 'a parameter has its anchor')));
  /** By layer; they change only when a task is learned or restored. */
  const normsNow = (): ReadonlyMap<string, readonly number[]> =>
    new Map(layers.map((layer) => [layer.name, anchored().map((task) => normOf(task, layer))]));
  let norms = normsNow();
  const sums = parameters.map(({ data }) => new Float32Array(data.length));
  /** Calls `take` with F and θ − θ* of every weight i of parameter p in every task. */
  const each = (take: (f: number, distance: number, p: number, i: number) => void): void => {
    for (const { anchor, fisher } of anchored()) {
      for (const [p, { data }] of parameters.entries()) {
        const [center, weight] = [present(anchor[p], 'an anchor is whole'), present(fisher[p], 'so is its Fisher')];
        for (let i = 0; i < data.length; i++) take(weight[i] ?? NaN, (data[i] ?? NaN) - (center[i] ?? NaN), p, i);
      }
    }
  };
  return {
    settings: {
      lambda,
      tasks: [
        ...given.map((task) => ({
          name: task.name,
          anchor: digestOf(parameters, task.anchor),
          fisher: digestOf(parameters, task.fisher),
          norms: Object.fromEntries(layers.map((layer) => [layer.name, normOf(task, layer)])),
        })),
        ...learning.map(({ name, after }) => ({ name, after })),
      ],
    },
    begin(step) {
      if (learned.begin(step)) norms = normsNow();
    },
    learned: learned.arrays,
    restore(arrays) {
      const found = learned.restore(arrays);
      norms = normsNow();
      return found;
    },
    anchorNorms: (layer) => norms.get(layer) ?? [],
    penalty() {
      let sum = 0;
      each((f, distance) => (sum += f * distance * distance));
      return (lambda / 2) * sum;
    },
    added(gradients) {
      for (const [p, sum] of sums.entries()) sum.set(present(gradients[p], 'a parameter has its gradient'));
      each((f, distance, p, i) => {
        const sum = present(sums[p], 'a parameter has its sum');
        sum[i] = (sum[i] ?? NaN) + lambda * f * distance;
      });
      return sums;
    },
  };
}

const isLearned = (task: ConsolidatedTask | LearnedTask): task is LearnedTask => 'after' in task;

function arraysOf(parameters: Parameters, given: Arrays, what: string, least: number): readonly Float32Array[] {
  const bad = (why: string): never => {
    throw trainingError({ code: 'PV-8401', check: 'ewc', message: `${what} ${why}.` });
  };
  if (Object.keys(given).length !== parameters.length) bad('must have exactly one array per parameter');
  return parameters.map(({ name, data }) => {
    const array: unknown = Object.hasOwn(given, name) ? given[name] : null;
    if (!(array instanceof Float32Array) || array.length !== data.length)
      return bad(`needs a Float32Array of ${data.length} elements for ${quoted(name)}`);
    if (!array.every((value) => value >= least && Number.isFinite(value)))
      bad(`has values for ${quoted(name)} that are ${least === 0 ? 'negative or ' : ''}not finite`);
    return array.slice();
  });
}

const digestOf = (parameters: Parameters, arrays: readonly Float32Array[]): string =>
  bytesToHex(
    sha256(
      ...writeSafetensors(
        parameters.map(({ name, shape }, i) => ({
          name,
          shape,
          data: present(arrays[i], 'a parameter has its array'),
        })),
      ),
    ),
  );
