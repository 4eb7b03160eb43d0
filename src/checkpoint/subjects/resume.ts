/** What the checks of a resume rest on, as bound to `contracts/resume-checks-v1.yaml`. */
import type { Checkpoint, Setting } from '../checkpoint.ts';
import { judgeSteps } from '../checks/matched-set.ts';
import { largestRatio } from '../checks/moments.ts';
import { faultOf } from '../contents.ts';
import { scheduleOf } from '../learning-rates.ts';

/** The rate that a configuration gives after `step` steps, in float32. */
function rateOf(kind: string, step: number, peak: number, settings: Readonly<Record<string, Setting>>): number {
  const schedule = scheduleOf(
    new Map<string, Setting>([['lr_scheduler_type', kind], ['learning_rate', peak], ...Object.entries(settings)]),
    Number(settings['max_steps']),
  );
  return Math.fround('at' in schedule ? schedule.at(step) : NaN);
}

export function constantRate(step: number, peak: number, warmup: number): number {
  return rateOf('constant_with_warmup', step, peak, { warmup_steps: warmup, max_steps: 1 });
}

export function linearRate(step: number, peak: number, warmup: number, total: number): number {
  return rateOf('linear', step, peak, { warmup_steps: warmup, max_steps: total });
}

export function cosineRate(step: number, peak: number, warmup: number, total: number, cycles: number): number {
  const settings = { warmup_steps: warmup, max_steps: total, 'lr_scheduler_kwargs.num_cycles': cycles };
  return rateOf('cosine', step, peak, settings);
}

export function restartingRate(step: number, peak: number, warmup: number, total: number, cycles: number): number {
  const settings = { warmup_steps: warmup, max_steps: total, 'lr_scheduler_kwargs.num_cycles': cycles };
  return rateOf('cosine_with_restarts', step, peak, settings);
}

export function inverseSquareRootRate(step: number, peak: number, warmup: number): number {
  return rateOf('inverse_sqrt', step, peak, { warmup_steps: warmup, max_steps: 1 });
}

const statuses = { PASS: 2, WARN: 1, CRITICAL: 0, 'NOT CHECKED': -1 } as const;

/** Whether trainer, scheduler and each Adam state have taken as many steps: 2 pass, 1 warning, 0 critical. */
export function matchedSteps(trainer: number, scheduler: number, adam: Int32Array, fp16: number): number {
  const checkpoint: Pick<Checkpoint, 'position' | 'scheduler' | 'optimizer' | 'settings' | 'name'> = {
    position: { globalStep: trainer, epoch: null, maxSteps: null },
    scheduler: { lastEpoch: scheduler, learningRates: [], baseLearningRates: [], countsEpochs: false },
    optimizer: { groups: [], states: Array.from(adam, (step, index) => ({ index, step, tensors: new Map() })) },
    settings: new Map([['fp16', fp16 === 1]]),
    name: 'checkpoint',
  };
  return statuses[judgeSteps(checkpoint).status];
}

/** The index of the first number that no healthy run has; −1 if there is none. */
export function firstFault(numbers: Float32Array, isSquare: number): number {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  return faultOf('F32', bytes, isSquare === 1 ? 'average of squares' : 'moment')?.index ?? -1;
}

/** How far the moment of these gradients is below the largest that `largestRatio` allows, in float32. */
export function momentSlack(gradients: Float32Array, first: number, second: number): number {
  const settings = new Map([
    ['betas.0', first],
    ['betas.1', second],
  ]);
  let [m, v] = [0, 0];
  for (const g of gradients) [m, v] = [first * m + (1 - first) * g, second * v + (1 - second) * g * g];
  return Math.fround((largestRatio({ isAdam: true, settings }) ?? NaN) * Math.sqrt(v) - Math.abs(m));
}
