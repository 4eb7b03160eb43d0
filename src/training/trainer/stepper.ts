/** Takes the steps of a run without a ledger, for both training and replay. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { JsonObject } from '../../base/canonical-json.ts';
import { sha256 } from '../../merkle/sha256.ts';
import { writeSafetensors, type NamedFloats } from '../../tensors/safetensors.ts';
import type { Attempt } from '../invariants/invariant.ts';
import type { StepRecord } from '../ledger/step-record.ts';
import type { Parameters } from '../parameters.ts';
import { trainingError } from '../training-error.ts';
import { attemptsOf, type StepInput } from './attempts.ts';
import { taskAt, type Configuration } from './configuration.ts';
import { notFinite } from './finite.ts';
import { createGate, type InvariantStats, type ModelChecks } from './gate.ts';
import { createState, type Progress, type TrainerState } from './state.ts';
import { gateUpdate } from './gate-update.ts';

/** Everything the next step depends on besides its input: enough to continue elsewhere with the same bits. */
export interface Kept {
  /** Steps so far. */
  readonly step: number;
  /**
   * Weights as `weights/NAME`, optimizer arrays as `optimizer/SLOT/NAME`, anchors and Fisher information of tasks that the run has
   * learned as `ewc/TASK/anchor/NAME` and `ewc/TASK/fisher/NAME`: the run's own arrays, not copies.
   */
  readonly arrays: readonly NamedFloats[];
  readonly progress: Progress;
  /** The state of each invariant, in the order of the configuration, then of the replay buffer if there is one. */
  readonly invariants: readonly JsonObject[];
}

/** A step of which all is checked but the whole model. One of `decide` and `abandon` must be called, once. */
interface ProposedStep {
  /** The checks of the whole model, for which the proposed weights are in place; null if none is due. */
  readonly model: ModelChecks | null;
  readonly attempt: Attempt;
  /** Commits or refuses the step by what has been measured, and records it. */
  readonly decide: () => StepRecord;
  /** Restores every byte; the step is not recorded. */
  readonly abandon: () => void;
}

/** A run that takes steps. */
export interface Stepper {
  readonly state: TrainerState;
  /** SHA-256 of the weights as safetensors, in hexadecimal. */
  readonly weights: () => string;
  /** The first phase of step `number`; errors as in `step`. */
  readonly propose: (number: number, input: StepInput) => ProposedStep;
  /** Takes step `number`. Throws PV-8402 for mismatched gradients, PV-8404 if something else changed the weights. */
  readonly step: (number: number, input: StepInput) => StepRecord;
  /** Throws PV-8404 if something else has changed the weights since step `last`. */
  readonly checkWeights: (last: number) => void;
  readonly stats: () => readonly InvariantStats[];
  readonly keep: (step: number) => Kept;
  /**
   * Restores a kept state, copying its arrays, and continues its statistics if they are given; false if it does not belong to
   * this run.
   */
  readonly restore: (kept: Kept, stats?: readonly InvariantStats[]) => boolean;
}

/** A run before its first step. */
export function createStepper(configuration: Configuration): Stepper {
  const { parameters, optimizer, schedule, invariants, ewc, replay } = configuration;
  const state = createState(parameters, optimizer, schedule);
  const gate = createGate(invariants, configuration.expensiveCheckInterval, {
    anchorNorms: ewc?.anchorNorms ?? (() => []),
    taskOf: (step) => taskAt(configuration.taskStarts, step),
  });
  const remembering = [...gate.checks.map(({ checks }) => checks), ...(replay === null ? [] : [replay])];
  let weights = weightsDigest(parameters);

  function checkWeights(last: number): void {
    if (weightsDigest(parameters) === weights) return;
    const message = `Something changed the weights after step ${last}: only the trainer may write to them.`;
    throw trainingError({ code: 'PV-8404', check: 'weights', message });
  }

  function propose(number: number, input: StepInput): ProposedStep {
    checkWeights(number - 1);
    // Weights that no step has changed are not those of a task.
    if (state.progress().schedule.committed > 0) ewc?.begin(number);
    const { attempt, replayed } = attemptsOf(configuration, number, state.rate(), input);
    const { loss } = attempt;
    const inWarmup = number <= configuration.warmupSteps;
    const tolerant = inWarmup || configuration.allowOverride;
    const checks = gate.open(number);
    const nonFinite = [...notFinite(attempt), ...(replayed === null ? [] : notFinite(replayed, 'replayed '))];
    const samples = [...(input.samples ?? [])];
    const gated =
      nonFinite.length > 0
        ? null
        : gateUpdate({ attempt, replayed, configuration, state, checks, tolerant, nonFinite });
    return {
      model: gated?.model ?? null,
      attempt: gated?.taken ?? attempt,
      abandon: () => gated?.rollback(),
      decide() {
        const applied = gated?.decide() ?? false;
        const failed = checks.failed() || nonFinite.length > 0;
        const before = weights;
        if (applied) {
          weights = weightsDigest(parameters);
          state.advance(loss);
          gate.committed(attempt);
          for (const sample of samples) replay?.offer(sample);
        }
        checks.close(applied);
        return {
          step: number,
          verdict: !applied ? 'refused' : failed && !inWarmup ? 'overridden' : 'committed',
          warmup: applied && failed && inWarmup,
          loss,
          rate: attempt.rate * checks.rateFactor(),
          before,
          after: weights,
          measured: [...nonFinite, ...checks.measured],
        };
      },
    };
  }

  const arrays = (): readonly NamedFloats[] =>
    parameters.flatMap(({ name, shape, data }, i) => [
      { name: `weights/${name}`, shape, data },
      ...optimizer.slots.map((slot, j) => ({
        name: `optimizer/${slot}/${name}`,
        shape,
        data: state.slots(i).state[j] ?? new Float32Array(),
      })),
    ]);

  return {
    state,
    weights: () => weights,
    propose,
    step: (number, input) => decideHere(propose(number, input), parameters),
    checkWeights,
    stats: gate.stats,
    keep: (step) => ({
      step,
      arrays: [...arrays(), ...(ewc?.learned() ?? [])],
      progress: state.progress(),
      invariants: remembering.map(({ state: remembered }) => remembered?.() ?? {}),
    }),
    restore(kept, stats) {
      const found = new Map(kept.arrays.map(({ name, data }) => [name, data]));
      const own = arrays();
      const fits = own.every(({ name, data }) => found.get(name)?.length === data.length);
      const learned = ewc === null ? 0 : ewc.restore(found);
      if (!fits || learned === null || found.size !== own.length + learned) return false;
      if (kept.invariants.length !== remembering.length) return false;
      if (kept.progress.powers.length !== optimizer.decays.length) return false;
      if (stats !== undefined && !gate.resume(stats)) return false;
      for (const { name, data } of own) data.set(found.get(name) ?? []);
      state.restore(kept.progress);
      for (const [i, one] of remembering.entries()) one.restore?.(kept.invariants[i] ?? {});
      weights = weightsDigest(parameters);
      return true;
    },
  };
}

/** SHA-256 of the weights as a safetensors file, in hexadecimal: what `sha256sum weights.safetensors` prints. */
const weightsDigest = (parameters: Parameters): string => bytesToHex(sha256(...writeSafetensors(parameters)));

/** Measures what remains in this thread, and decides. */
function decideHere({ model, attempt, decide, abandon }: ProposedStep, parameters: Parameters): StepRecord {
  try {
    model?.measure(parameters, attempt);
  } catch (error) {
    abandon();
    throw error;
  }
  return decide();
}
