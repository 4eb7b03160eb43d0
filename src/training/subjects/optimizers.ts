/** Optimizers, schedules and the loss check, as bound to `contracts/verified-training-v1.yaml`. */
import { holds, type Attempt } from '../invariants/invariant.ts';
import { lossStabilityBound } from '../invariants/loss-stability.ts';
import type { Optimizer } from '../optimizer/optimizer.ts';
import { adamW, lion, sgd } from '../optimizer/rules.ts';
import { cosineAnnealing, freshSchedule } from '../optimizer/schedule.ts';

/** The weights after one update; the arrays of `state` are replaced. */
function updated(
  optimizer: Optimizer,
  theta: Float32Array,
  state: readonly Float32Array[],
  g: Float32Array,
  powers: readonly number[] = [],
): Float32Array {
  const next = { weights: new Float32Array(theta.length), state: state.map((one) => one.slice()) };
  optimizer.update({ weights: theta, state }, g, { rate: optimizer.learningRate, powers }, next);
  return next.weights;
}

/** The weights after one step of SGD with momentum μ and decay λ. */
export function sgdStep(
  theta: Float32Array,
  v: Float32Array,
  g: Float32Array,
  rate: number,
  momentum: number,
  weightDecay: number,
): Float32Array {
  return updated(sgd({ learningRate: rate, momentum, weightDecay }), theta, [v], g);
}

/** The weights after step `t` of AdamW. */
export function adamwStep(
  theta: Float32Array,
  m: Float32Array,
  v: Float32Array,
  g: Float32Array,
  rate: number,
  beta1: number,
  beta2: number,
  epsilon: number,
  weightDecay: number,
  t: number,
): Float32Array {
  let powers: readonly number[] = [1, 1];
  for (let k = 0; k < t; k++) powers = [(powers[0] ?? NaN) * beta1, (powers[1] ?? NaN) * beta2];
  return updated(adamW({ learningRate: rate, beta1, beta2, epsilon, weightDecay }), theta, [m, v], g, powers);
}

/** The weights after one step of Lion. */
export function lionStep(
  theta: Float32Array,
  m: Float32Array,
  g: Float32Array,
  rate: number,
  beta1: number,
  weightDecay: number,
): Float32Array {
  return updated(lion({ learningRate: rate, beta1, weightDecay }), theta, [m], g);
}

/** The learning rate after `k` updates of `steps` on half a cosine from `base` to `floor`. */
export function cosineRate(k: number, base: number, floor: number, steps: number): number {
  return cosineAnnealing({ steps, floor }).rate(base, { ...freshSchedule, committed: k });
}

/** Which losses are accepted, one after another: 1 if the step is committed, 0 if it is refused. */
export function acceptedLosses(losses: Float32Array, spikeCap: number, window: number): Int32Array {
  const bound = lossStabilityBound({ spikeCap, window, maxGradientNorm: 1, maxStepSize: 1 }).start({
    anchorNorms: () => [],
    taskOf: () => 0,
  });
  return Int32Array.from(losses, (loss) => {
    const attempt: Attempt = { step: 1, loss, rate: 0, gradients: [], gradientNorm: 0, parameters: [] };
    const accepted = bound.before?.(attempt).every(holds) ?? false;
    if (accepted) bound.committed?.(attempt);
    return accepted ? 1 : 0;
  });
}
