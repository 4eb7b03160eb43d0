/** The decisions of the gate, as bound to `contracts/training-gate-v1.yaml`. */
import { present } from '../../base/invariant.ts';
import { holds } from '../invariants/invariant.ts';
import { weightNormBound } from '../invariants/weight-norm.ts';
import type { StepRecord } from '../ledger/step-record.ts';
import { sgd } from '../optimizer/rules.ts';
import { configure } from '../trainer/configuration.ts';
import { createStepper } from '../trainer/stepper.ts';

/** 1 if `value` is at most the bound, or at least the bound where `direction` is 1. */
export const comparisonHolds = (value: number, bound: number, direction: number): number =>
  holds({ what: 'value', value, is: direction === 0 ? 'at most' : 'at least', bound }) ? 1 : 0;

interface Step {
  readonly theta: Float32Array;
  readonly velocity: Float32Array;
  readonly gradient: Float32Array;
  readonly loss: number;
  readonly rate: number;
  readonly momentum: number;
  readonly max: number;
  readonly mode: number;
}

/** One step of SGD on a copy of the weights, from a given velocity. */
function take({ theta, velocity, gradient, loss, rate, momentum, max, mode }: Step): {
  readonly record: StepRecord;
  readonly state: Float32Array;
} {
  const configuration = configure({
    parameters: { 'layer.w': theta.slice() },
    optimizer: sgd({ learningRate: rate, momentum }),
    invariants: [weightNormBound({ max })],
    warmupSteps: mode === 1 ? 1 : 0,
    allowOverride: mode === 2,
  });
  const stepper = createStepper(configuration);
  const { weights, state } = stepper.state.slots(0);
  const kept = present(state[0], 'SGD keeps a velocity');
  kept.set(velocity);
  const record = stepper.step(1, { loss, gradients: { 'layer.w': gradient } });
  return { record, state: Float32Array.of(...weights, ...kept) };
}

/** The step's verdict: 0 refused, 1 committed, 2 overridden. */
export function gateVerdict(
  theta: Float32Array,
  velocity: Float32Array,
  gradient: Float32Array,
  loss: number,
  rate: number,
  momentum: number,
  max: number,
  mode: number,
): number {
  const { record } = take({ theta, velocity, gradient, loss, rate, momentum, max, mode });
  return ['refused', 'committed', 'overridden'].indexOf(record.verdict);
}

/** The weights after the step, then the velocity. */
export function gatedState(
  theta: Float32Array,
  velocity: Float32Array,
  gradient: Float32Array,
  loss: number,
  rate: number,
  momentum: number,
  max: number,
  mode: number,
): Float32Array {
  return take({ theta, velocity, gradient, loss, rate, momentum, max, mode }).state;
}
