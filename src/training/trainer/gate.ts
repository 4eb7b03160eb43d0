/** The gate: measures all invariants of a run at a step, and collects what failed. */
import {
  holds,
  type Attempt,
  type Invariant,
  type InvariantChecks,
  type Measurement,
  type RecordedNorms,
  type RunFacts,
  type ProposedLayer,
  type Tier,
} from '../invariants/invariant.ts';
import type { Measured } from '../ledger/step-record.ts';
import type { Parameters } from '../parameters.ts';

/** Statistics of one invariant over the run. */
export interface InvariantStats {
  readonly name: string;
  /** Steps at which it was checked, and those at which all its comparisons passed. */
  readonly checks: number;
  readonly satisfied: number;
  /** Steps at which it failed but the weights changed anyway. */
  readonly overridden: number;
  /** Checks by the tier that applied: reflex, standard, deep. */
  readonly tierDistribution: readonly [number, number, number];
}

/** The checks of one step that need the whole model, measured here or elsewhere. */
export interface ModelChecks {
  /** Those of the invariants that make them, in order. */
  readonly invariants: readonly Pick<Invariant, 'name' | 'settings'>[];
  readonly measure: (proposed: Parameters, attempt: Attempt) => void;
  /** Takes what was measured elsewhere, for each of the invariants. */
  readonly take: (found: readonly (readonly Measurement[])[]) => void;
}

/** The checks of one step. */
export interface StepChecks {
  readonly measured: readonly Measured[];
  /** Whether a comparison has failed so far. */
  readonly failed: () => boolean;
  readonly rateFactor: () => number;
  readonly gates: (attempt: Attempt) => void;
  /** `prefix` is prepended to the names of the measured values. */
  readonly before: (attempt: Attempt, prefix?: string) => void;
  readonly layer: (proposed: ProposedLayer, attempt: Attempt) => void;
  /** Checks a step that another trainer took. */
  readonly recorded: (step: RecordedNorms) => void;
  /** Null if no check of this step needs the whole model. */
  readonly model: ModelChecks | null;
  /** Counts the step; `changed` says whether the weights changed although a comparison failed. */
  readonly close: (changed: boolean) => void;
}

const tiers: readonly Tier[] = ['reflex', 'standard', 'deep'];

interface Kept {
  readonly invariant: Invariant;
  readonly checks: InvariantChecks;
  readonly counts: { checks: number; satisfied: number; overridden: number; tiers: [number, number, number] };
}

/** A gate over `invariants`; deep checks run every `interval` steps, starting at step `interval`. */
export function createGate(invariants: readonly Invariant[], interval: number, run: RunFacts) {
  const all: readonly Kept[] = invariants.map((invariant) => ({
    invariant,
    checks: invariant.start(run),
    counts: { checks: 0, satisfied: 0, overridden: 0, tiers: [0, 0, 0] },
  }));
  return {
    /** Begins the checks of step `step`, counted from 1. */
    open: (step: number): StepChecks => openStep(all, step % interval === 0),
    committed(attempt: Pick<Attempt, 'step' | 'loss'>): void {
      for (const { checks } of all) checks.committed?.(attempt);
    },
    stats: (): readonly InvariantStats[] =>
      all.map(({ invariant: { name }, counts: { tiers: tierDistribution, ...counts } }) => ({
        name,
        ...counts,
        tierDistribution,
      })),
    /** Continues the counts of an earlier part of the run; false if they are those of other invariants. */
    resume(stats: readonly InvariantStats[]): boolean {
      if (stats.length !== all.length || !all.every(({ invariant }, i) => stats[i]?.name === invariant.name))
        return false;
      for (const [i, { counts }] of all.entries()) {
        const {
          checks = 0,
          satisfied = 0,
          overridden = 0,
          tierDistribution: [reflex, standard, deep] = [0, 0, 0],
        } = stats[i] ?? {};
        Object.assign(counts, { checks, satisfied, overridden, tiers: [reflex, standard, deep] });
      }
      return true;
    },
    checks: all.map(({ invariant: { name }, checks }) => ({ name, checks })),
  };
}

function openStep(all: readonly Kept[], deepIsDue: boolean): StepChecks {
  const measured: Measured[] = [];
  const touched = new Map<Kept, boolean>();
  let [failed, escalated, rateFactor] = [false, false, 1];
  const due = all.filter(
    ({ invariant: { tier }, checks }) => tier !== 'deep' || deepIsDue || checks.gate !== undefined,
  );
  const running = (): readonly Kept[] => (escalated ? all : due);
  const take = (kept: Kept, found: readonly Measurement[]): void => {
    for (const one of found) {
      measured.push({ invariant: kept.invariant.name, ...one });
      const held = holds(one);
      failed ||= !held;
      touched.set(kept, (touched.get(kept) ?? true) && held);
    }
  };
  return {
    measured,
    failed: () => failed,
    rateFactor: () => rateFactor,
    gates(attempt) {
      for (const kept of all) {
        const gate = kept.checks.gate?.(attempt);
        if (gate === undefined) continue;
        take(kept, gate.measured);
        escalated ||= gate.escalate;
        rateFactor *= gate.rateFactor;
      }
    },
    before(attempt, prefix = '') {
      for (const kept of running())
        if (kept.checks.before !== undefined)
          take(
            kept,
            kept.checks.before(attempt).map((one) => ({ ...one, what: prefix + one.what })),
          );
    },
    layer(proposed, attempt) {
      for (const kept of running())
        if (kept.checks.layer !== undefined) take(kept, kept.checks.layer(proposed, attempt));
    },
    recorded(step) {
      for (const kept of all) take(kept, kept.checks.recorded?.(step) ?? []);
    },
    get model(): ModelChecks | null {
      const whole = running().filter(({ checks }) => checks.model !== undefined);
      if (whole.length === 0) return null;
      return {
        invariants: whole.map(({ invariant: { name, settings } }) => ({ name, settings })),
        measure(proposed, attempt) {
          for (const kept of whole) take(kept, kept.checks.model?.(proposed, attempt) ?? []);
        },
        take(found) {
          for (const [i, kept] of whole.entries()) take(kept, found[i] ?? []);
        },
      };
    },
    close(changed) {
      for (const [
        {
          invariant: { tier },
          counts,
        },
        held,
      ] of touched) {
        counts.checks += 1;
        counts.satisfied += held ? 1 : 0;
        counts.overridden += !held && changed ? 1 : 0;
        const used = escalated ? 'deep' : tier;
        counts.tiers = [
          counts.tiers[0] + (used === tiers[0] ? 1 : 0),
          counts.tiers[1] + (used === tiers[1] ? 1 : 0),
          counts.tiers[2] + (used === tiers[2] ? 1 : 0),
        ];
      }
    },
  };
}
