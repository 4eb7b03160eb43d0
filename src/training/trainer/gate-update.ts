/** Passes one update through the gate, up to the checks of the whole model. */
import { present } from '../../base/invariant.ts';
import type { Attempt } from '../invariants/invariant.ts';
import type { Measured } from '../ledger/step-record.ts';
import { norm } from '../norm.ts';
import type { Configuration } from './configuration.ts';
import { notFiniteValue } from './finite.ts';
import type { ModelChecks, StepChecks } from './gate.ts';
import { propose } from './rollback.ts';
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

/** An update that passed all checks but those of the whole model. */
export interface GatedUpdate {
  /** The checks that remain; null if there are none. */
  readonly model: ModelChecks | null;
  /** The attempt at its final learning rate. */
  readonly taken: Attempt;
  /** Commits if no check has failed, otherwise restores every byte; whether it committed. */
  readonly decide: () => boolean;
  /** Restores every byte. */
  readonly rollback: () => void;
}

/** Checks an update up to its layers; null if it is refused. In this order: gates, loss and gradients, each layer. */
export function gateUpdate(update: ProposedUpdate): GatedUpdate | null {
  const { attempt, replayed, configuration, state, checks, tolerant, nonFinite } = update;
  const { layers, optimizer, rollbackStrategy } = configuration;
  const mayGoOn = (): boolean => nonFinite.length === 0 && (tolerant || !checks.failed());
  checks.gates(attempt);
  if (!mayGoOn()) return null;
  const taken = { ...attempt, rate: attempt.rate * checks.rateFactor() };
  checks.before(taken);
  if (replayed !== null) checks.before({ ...replayed, rate: taken.rate }, 'replayed ');
  if (!mayGoOn()) return null;
  const numbers = state.numbers(taken.rate);
  const { model } = checks;
  const proposal = propose(
    rollbackStrategy,
    {
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
    },
    model !== null,
  );
  if (proposal === null) return null;
  return {
    model,
    taken,
    rollback: proposal.rollback,
    decide() {
      const isAccepted = mayGoOn();
      if (isAccepted) proposal.commit();
      else proposal.rollback();
      return isAccepted;
    },
  };
}
