/** Clipping and ε, as bound to `contracts/federated-privacy-v1.yaml`. */
import { present } from '../../base/invariant.ts';
import { clipGradient } from '../privacy/clip.ts';
import { epsilonEstimate } from '../privacy/epsilon.ts';
import { gaussianDelta } from '../privacy/gaussian.ts';
import { renyiDivergence } from '../privacy/renyi.ts';

/** A delta of one tensor, clipped to the norm `max`. */
export function clipped(delta: Float32Array, max: number): Float32Array {
  const tensors = clipGradient(new Map([['b', { shape: [delta.length], data: delta }]]), max);
  return present(tensors.get('b'), 'clipping keeps the tensors').data;
}

/** ε of `steps` releases, each of all contributors. */
export const epsilon = (scale: number, clip: number, steps: number, delta: number): number =>
  epsilonEstimate(scale, clip, steps, 1, 1, delta);

/** δ of Gaussian noise at ε, for μ. */
export const delta = (epsilon: number, mu: number): number => gaussianDelta(epsilon, mu);

/** log(A_n) of the sampled Gaussian mechanism. */
export const logMoment = (order: number, samplingRate: number, noiseMultiplier: number): number =>
  (order - 1) * renyiDivergence(order, { noiseMultiplier, samplingRate });
