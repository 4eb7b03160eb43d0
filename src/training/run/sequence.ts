/** Several tasks, one after another, on one model: the `tasks:` key of run files. */
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from '../../base/canonical-json.ts';
import { present } from '../../base/invariant.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import { diagonalFisher } from '../continual/ewc.ts';
import type { LearnedTask } from '../continual/learned-tasks.ts';
import type { Parameters } from '../parameters.ts';
import { taskAt } from '../trainer/configuration.ts';
import { trainingError } from '../training-error.ts';
import type { Weights } from '../model/module.ts';
import type { LossAndGradients, SequencedTask, Task, TaskSamples } from './task.ts';
import { chosen } from './chosen.ts';

/** The first step of each task but the first. */
export function startsOf(tasks: readonly Pick<SequencedTask, 'steps'>[]): readonly number[] {
  let start = 1;
  return tasks.slice(0, -1).map(({ steps }) => (start += steps));
}

/**
 * The tasks as one: each step is one of its task, the initial weights are those of the first. The samples of all tasks are numbered
 * on, task after task. Equivariance, which does not depend on the task, is checked on the data of the first; robustness is certified
 * on those of the last.
 */
export function sequenceOf(tasks: readonly SequencedTask[]): Task {
  const first = present(tasks[0], 'a sequence has a task').task;
  const starts = startsOf(tasks);
  const at = (step: number): Task => present(tasks[taskAt(starts, step)], 'a step has its task').task;
  const samples = tasks.flatMap(({ task }) => task.samples ?? []);
  return {
    initial: first.initial,
    lossAndGradients: (weights, step) => at(step).lossAndGradients(weights, step),
    equivariance: first.equivariance,
    certifyRobustness: tasks.at(-1)?.task.certifyRobustness ?? null,
    sequence: tasks,
    samples: samples.length < tasks.length ? null : joined(samples, starts),
    manifest: utf8ToBytes(
      canonicalJson(tasks.map(({ name, steps, task }) => ({ name, steps, data: decodeUtf8(task.manifest) }))),
    ),
  };
}

function joined(parts: readonly TaskSamples[], starts: readonly number[]): TaskSamples {
  const offsets = parts.map((_, k) => parts.slice(0, k).reduce((sum, { count }) => sum + count, 0));
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  return {
    count,
    at(step) {
      const k = taskAt(starts, step);
      return present(parts[k], 'a step has its task')
        .at(step)
        .map((sample) => sample + (offsets[k] ?? 0));
    },
    lossAndGradients(weights, samples) {
      const found = parts.flatMap((part, k) => {
        const offset = offsets[k] ?? 0;
        const own = samples.filter((one) => one >= offset && one < offset + part.count).map((one) => one - offset);
        return own.length === 0
          ? []
          : [{ share: own.length / samples.length, of: part.lossAndGradients(weights, own) }];
      });
      const [only] = found;
      return only !== undefined && found.length === 1 ? only.of : mean(found);
    },
  };
}

/** The mean of the losses and gradients of several tasks, weighted by their shares. */
function mean(parts: readonly { readonly share: number; readonly of: LossAndGradients }[]): LossAndGradients {
  const gradients: Record<string, Float32Array> = {};
  for (const { share, of } of parts) {
    for (const [name, gradient] of Object.entries(of.gradients)) {
      const sum = (gradients[name] ??= new Float32Array(gradient.length));
      for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? NaN) + share * (gradient[i] ?? NaN);
    }
  }
  return { loss: parts.reduce((sum, { share, of }) => sum + share * of.loss, 0), gradients };
}

/** The gradients of single samples at some weights; each item may overwrite the one before. */
export function* sampleGradients(
  task: Task,
  weights: Parameters,
  samples: readonly number[],
): Generator<LossAndGradients['gradients']> {
  const arrays = new Map(weights.map(({ name, data }) => [name, data]));
  const of: Weights = (name) => present(arrays.get(name), 'a model knows its parameters');
  for (const sample of samples) yield samplesOf(task).lossAndGradients(of, [sample]).gradients;
}

/** The samples of a task; throws PV-8405 if it has none of their own. */
export function samplesOf({ samples }: Task): TaskSamples {
  if (samples !== null) return samples;
  const message = 'run.model has no losses of single samples, which ewc, replay and FullFisher need.';
  throw trainingError({ code: 'PV-8405', check: 'run file', message });
}

/** All tasks but the last, as EWC learns them: their Fisher information is that of `count` samples chosen by `seed`. */
export function learnedTasks(tasks: readonly SequencedTask[], count: number, seed: number): readonly LearnedTask[] {
  const starts = startsOf(tasks);
  return tasks.slice(0, -1).map(({ name, task }, k): LearnedTask => {
    const all = Array.from({ length: samplesOf(task).count }, (_, sample) => sample);
    return {
      name,
      after: present(starts[k], 'a task but the last ends before another starts') - 1,
      fisher: (weights) => diagonalFisher(sampleGradients(task, weights, chosen(all, count, seed, 'fisher', k))),
    };
  });
}
