/** The certificate's totals over all steps, counted from records by the trainer and again by the verifier. */
import { holds } from '../invariants/invariant.ts';
import type { Violation } from '../certificate/certificate.ts';
import type { StepRecord } from './step-record.ts';

/** Counts over the steps so far. */
export interface Tally {
  readonly add: (record: StepRecord) => void;
  readonly counts: () => {
    readonly committedSteps: number;
    readonly refusedSteps: number;
    readonly overriddenSteps: number;
    /** Steps at which a comparison failed. */
    readonly violations: number;
  };
  readonly violations: () => readonly Violation[];
  readonly comparisons: () => number;
  readonly finalLoss: () => number | null;
  /** The lowest value of the last CoherenceBound check at a step that changed the weights. */
  readonly finalCoherence: () => number | null;
}

/** An empty tally. */
export function createTally(): Tally {
  const counts = { committed: 0, refused: 0, overridden: 0 };
  const violations: Violation[] = [];
  let [violatedSteps, comparisons] = [0, 0];
  let finalLoss: number | null = null;
  let finalCoherence: number | null = null;
  return {
    add(record) {
      const { verdict, measured } = record;
      counts[verdict] += 1;
      comparisons += measured.length;
      const failed = violationsOf(record);
      violatedSteps += failed.length > 0 ? 1 : 0;
      violations.push(...failed);
      if (verdict === 'refused') return;
      finalLoss = record.loss;
      const coherences = measured.filter(({ invariant }) => invariant === 'CoherenceBound');
      if (coherences.length > 0)
        finalCoherence = coherences.reduce((least, { value }) => Math.min(least, value), Infinity);
    },
    counts: () => ({
      committedSteps: counts.committed,
      refusedSteps: counts.refused,
      overriddenSteps: counts.overridden,
      violations: violatedSteps,
    }),
    violations: () => violations,
    comparisons: () => comparisons,
    finalLoss: () => finalLoss,
    finalCoherence: () => finalCoherence,
  };
}

/** The failed comparisons of a step, as certificates list them. */
function violationsOf({ step, verdict, measured }: StepRecord): readonly Violation[] {
  const outcome = verdict === 'committed' ? 'warmup' : verdict;
  return measured
    .filter((one) => !holds(one))
    .map(({ invariant, what, value, is, bound }) => ({
      step,
      invariant,
      what,
      measured: Number.isFinite(value) ? value : String(value),
      is,
      bound,
      outcome,
    }));
}
