/** Passes one update through the gate: it is applied, or refused with every byte unchanged. */
import { present } from '../../base/invariant.ts';
import type { Attempt } from '../invariants/invariant.ts';
import type { Measured } from '../ledger/step-record.ts';
import { norm } from '../norm.ts';
import type { Configuration } from './configuration.ts';
import { notFiniteValue } from './finite.ts';
import type { StepChecks } from './gate.ts';
import { applyUpdate } from './rollback.ts';
import type { TrainerState } from './state.ts';

/** A proposed update. */
export interface ProposedUpdate {
  readonly attempt: Attempt;
  /** The replayed samples alone, whose loss and gradients are also checked separately; null without replayed samples. */
  readonly replayed: Attempt | null;
  readonly configuration: Configuration;
  readonly state: TrainerState;
  readonly checks: StepChecks;
  /** Whether failed comparisons refuse nothing. */
  readonly tolerant: boolean;
  /** Receives what must never be committed, whatever the settings tolerate: NaN and infinite values. */
  readonly nonFinite: Measured[];
}

/** Whether the update was applied. Checks run in this order: gates, loss and gradients, each layer, the whole model. */
export function tryUpdate({
  attempt,
  replayed,
  configuration,
  state,
  checks,
  tolerant,
  nonFinite,
}: ProposedUpdate): boolean {
  const { layers, optimizer, parameters, rollbackStrategy } = configuration;
  const mayGoOn = (): boolean => nonFinite.length === 0 && (tolerant || !checks.failed());
  checks.gates(attempt);
  if (!mayGoOn()) return false;
  const taken = { ...attempt, rate: attempt.rate * checks.rateFactor() };
  checks.before(taken);
  if (replayed !== null) checks.before({ ...replayed, rate: taken.rate }, 'replayed ');
  if (!mayGoOn()) return false;
  const numbers = state.numbers(taken.rate);
  const { model } = checks;
  return applyUpdate(rollbackStrategy, {
    layers,
    slots: state.slots,
    compute: (i, next) =>
      optimizer.update(state.slots(i), present(taken.gradients[i], 'a parameter has its gradient'), numbers, next),
    checkLayer(layer, proposed) {
      checks.layer({ layer, weights: proposed }, taken);
      const size = norm(proposed);
      if (!Number.isFinite(size)) nonFinite.push(notFiniteValue(layer.name, size));
      return mayGoOn();
    },
    checkModel:
      model === null
        ? null
        : () => {
            model(parameters, taken);
            return mayGoOn();
          },
  });
}
