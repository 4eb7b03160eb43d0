/** Elastic weight consolidation, as bound to `contracts/elastic-weight-consolidation-v1.yaml`. */
import { consolidate, diagonalFisher as fisherOf, type Consolidation } from '../continual/ewc.ts';
import { holds } from '../invariants/invariant.ts';
import { weightNormBound } from '../invariants/weight-norm.ts';
import type { Layer } from '../parameters.ts';

/** A task's anchor and its Fisher information. */
type Task = readonly [anchor: Float32Array, fisher: Float32Array];

const layer: Layer = { name: 'layer', members: [0] };

/** The penalty of a model with one parameter. */
function consolidationOf(theta: Float32Array, lambda: number, tasks: readonly Task[]): Consolidation {
  const named = tasks.map(([anchor, fisher], i) => ({ name: `${i}`, anchor: { w: anchor }, fisher: { w: fisher } }));
  return consolidate({ lambda, tasks: named }, [{ name: 'w', shape: [theta.length], data: theta }], [layer]);
}

/** The diagonal of the Fisher information; one row of `gradients` per sample. */
export function diagonalFisher(gradients: Float32Array, samples: number, n: number): Float32Array {
  const rows = Array.from({ length: samples }, (_, j) => ({ w: gradients.subarray(j * n, (j + 1) * n) }));
  return fisherOf(rows)['w'] ?? new Float32Array();
}

/** The penalty of one task. */
export function consolidationPenalty(
  theta: Float32Array,
  anchor: Float32Array,
  fisher: Float32Array,
  lambda: number,
): number {
  return consolidationOf(theta, lambda, [[anchor, fisher]]).penalty();
}

/** The penalty of two tasks. */
export function twoTaskPenalty(
  theta: Float32Array,
  anchor1: Float32Array,
  fisher1: Float32Array,
  anchor2: Float32Array,
  fisher2: Float32Array,
  lambda: number,
): number {
  const tasks: readonly Task[] = [
    [anchor1, fisher1],
    [anchor2, fisher2],
  ];
  return consolidationOf(theta, lambda, tasks).penalty();
}

/** The gradient of the loss plus that of the penalty. */
export function consolidatedGradient(
  theta: Float32Array,
  gradient: Float32Array,
  anchor: Float32Array,
  fisher: Float32Array,
  lambda: number,
): Float32Array {
  return consolidationOf(theta, lambda, [[anchor, fisher]]).added([gradient])[0] ?? new Float32Array();
}

/** 1 if the norm of `theta` passes a WeightNormBound of `max` in a model that was consolidated at `anchor`. */
export function normAllowed(theta: Float32Array, anchor: Float32Array, max: number): number {
  const { anchorNorms } = consolidationOf(theta, 1, [[anchor, new Float32Array(anchor.length)]]);
  const checks = weightNormBound({ max }).start({ anchorNorms, taskOf: () => 0 });
  const attempt = { step: 1, loss: 0, rate: 0, gradients: [], gradientNorm: 0, parameters: [] };
  return checks.layer?.({ layer, weights: [theta] }, attempt).every(holds) === true ? 1 : 0;
}
