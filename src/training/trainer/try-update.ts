/** One update through the gate: applied, or refused with every byte as it was. */
import { present } from '../../base/invariant.ts';
import type { Attempt } from '../invariants/invariant.ts';
import type { Measured } from '../ledger/step-record.ts';
import { norm } from '../norm.ts';
import type { Configuration } from './configuration.ts';
import { notFiniteValue } from './finite.ts';
import type { StepChecks } from './gate.ts';
import { applyUpdate } from './rollback.ts';
import type { TrainerState } from './state.ts';

/** An update that is proposed. */
export interface ProposedUpdate {
  readonly attempt: Attempt;
  /** The replayed samples alone, which pass the checks of losses and gradients as well; null where there are none. */
  readonly replayed: Attempt | null;
  readonly configuration: Configuration;
  readonly state: TrainerState;
  readonly checks: StepChecks;
  /** Whether failed comparisons refuse nothing. */
  readonly tolerant: boolean;
  /** Takes what must never be committed, whatever is tolerated: values that are not finite. */
  readonly nonFinite: Measured[];
}

/** Whether the update was applied. Its checks run in order: gates, loss and gradients, each layer, the whole model. */
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
