/** What a step proposes: its own loss and gradients, those of replayed samples, and the EWC penalty. */
import type { ReplayBuffer } from '../continual/replay-buffer.ts';
import type { Attempt } from '../invariants/invariant.ts';
import { norm } from '../norm.ts';
import { readGradients } from '../parameters.ts';
import { orThrow, trainingError } from '../training-error.ts';
import type { Configuration } from './configuration.ts';

/** One step's input. */
export interface StepInput {
  readonly loss: number;
  /** By parameter name; read only during the call. */
  readonly gradients: Readonly<Record<string, Float32Array>>;
  /** Indices of the step's samples; a committed step offers them to the replay buffer. */
  readonly samples?: readonly number[];
  /** Loss and gradients of samples drawn from the replay buffer. The gradients are added to those of the step. */
  readonly replayed?: {
    readonly loss: number;
    readonly gradients: Readonly<Record<string, Float32Array>>;
  };
}

/** The total update of a step, and its replayed part alone; throws PV-8402 for mismatched gradients. */
export function attemptsOf(
  { parameters, ewc, replay }: Configuration,
  step: number,
  rate: number,
  input: StepInput,
): { readonly attempt: Attempt; readonly replayed: Attempt | null } {
  const losses: readonly unknown[] = [input.loss, input.replayed?.loss ?? 0];
  if (losses.some((loss) => typeof loss !== 'number'))
    throw trainingError({
      code: 'PV-8402',
      check: 'loss',
      message: 'The loss of a step is not a number. No weight has changed.',
    });
  const fresh = orThrow(readGradients(parameters, input.gradients));
  const again = input.replayed === undefined ? null : orThrow(readGradients(parameters, input.replayed.gradients));
  checkReplay(replay, input);
  const penalty = ewc?.penalty() ?? 0;
  const attemptOf = (loss: number, gradients: readonly Float32Array[]): Attempt => ({
    step,
    loss: loss + penalty,
    rate,
    gradients,
    gradientNorm: norm(gradients),
    parameters,
  });
  const together = again === null ? fresh : fresh.map((g, p) => g.map((value, i) => value + (again[p]?.[i] ?? NaN)));
  return {
    attempt: attemptOf(input.loss, ewc?.added(together) ?? together),
    replayed: again === null ? null : attemptOf(input.replayed?.loss ?? NaN, again),
  };
}

/** Throws PV-8402 for samples without a buffer, a missing replay, or an index that is none. */
function checkReplay(replay: ReplayBuffer | null, input: StepInput): void {
  if ((input.replayed !== undefined || input.samples !== undefined) && replay === null)
    throw trainingError({
      code: 'PV-8402',
      check: 'replay',
      message: 'A step has samples, but the trainer has no replay buffer: set the option `replay`.',
    });
  if (input.replayed === undefined && replay?.required() === true)
    throw trainingError({
      code: 'PV-8402',
      check: 'replay',
      message: 'A step replays no samples, but `replay.perStep` requires it and the buffer holds some.',
    });
  const sample = input.samples?.find((one) => !(Number.isSafeInteger(one) && one >= 0));
  if (sample !== undefined)
    throw trainingError({
      code: 'PV-8402',
      check: 'replay',
      message: `A sample has the index ${sample}; it must be a whole number ≥ 0.`,
    });
}
