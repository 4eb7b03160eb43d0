/** What a gate measures at each step. Every invariant is one file that makes an {@link Invariant}. */
import type { JsonObject } from '../../base/canonical-json.ts';
import type { Layer, Parameters } from '../parameters.ts';

/** How much an invariant costs, and so how often it is checked: reflex and standard at every step, deep at intervals. */
export type Tier = 'reflex' | 'standard' | 'deep';

/** What a measured value says about the quantity it is named after. */
export type EvidenceClass =
  /** The comparison of a quantity that is computed outright, in float64 with a stated order of summation. */
  | { readonly class: 'exact' }
  /** A true bound of the quantity, rounded outward: where it holds, the quantity itself does. */
  | { readonly class: 'bound' }
  /** An iteration that approaches the quantity. */
  | { readonly class: 'estimate'; readonly iterations: number; readonly tolerance: number }
  /** A test on random samples, which says nothing beyond them. */
  | { readonly class: 'statistical'; readonly seed: number; readonly samples: number }
  /** A function of the caller's. */
  | { readonly class: 'external' };

/** One comparison. A value that is not a number never holds. */
export interface Measurement {
  /** What was measured: `loss`, `gradient norm`, `conv1`. */
  readonly what: string;
  readonly value: number;
  readonly is: 'at most' | 'at least';
  readonly bound: number;
}

/** Whether a comparison holds. */
export const holds = ({ value, is, bound }: Measurement): boolean =>
  is === 'at most' ? value <= bound : value >= bound;

/** One update that was proposed, before anything changed. */
export interface Attempt {
  /** Counted from 1; refused steps count. */
  readonly step: number;
  readonly loss: number;
  /** The learning rate of this step. */
  readonly rate: number;
  /** In the order of the parameters. */
  readonly gradients: readonly Float32Array[];
  /** ‖g‖₂ over all parameters. */
  readonly gradientNorm: number;
  /** The weights before the step. */
  readonly parameters: Parameters;
}

/** A layer as the step would leave it: its weights in the order of its members. */
export interface ProposedLayer {
  readonly layer: Layer;
  readonly weights: readonly Float32Array[];
}

/** What a gate decides before an update is computed. */
export interface Gate {
  readonly measured: readonly Measurement[];
  /** Whether the deep checks run at this step whatever their interval. */
  readonly escalate: boolean;
  /** Factor of the learning rate of this step, in (0, 1]. */
  readonly rateFactor: number;
}

/** The checks of one run; what it remembers, it takes from committed steps only. */
export interface InvariantChecks {
  /** Runs first, and may change how the step is taken. */
  readonly gate?: (attempt: Attempt) => Gate;
  /** From loss, gradients and weights, before an update is computed. */
  readonly before?: (attempt: Attempt) => readonly Measurement[];
  /** From one layer as proposed. */
  readonly layer?: (proposed: ProposedLayer, attempt: Attempt) => readonly Measurement[];
  /** From all weights as proposed: while it runs, the trainer keeps a copy of the old ones. */
  readonly model?: (proposed: Parameters, attempt: Attempt) => readonly Measurement[];
  /** A step was committed or overridden. */
  readonly committed?: (attempt: Attempt) => void;
  /** What it remembers, so that a run can resume in the middle. */
  readonly state?: () => JsonObject;
  readonly restore?: (state: JsonObject) => void;
}

/** What an invariant may know of the run that it checks. */
export interface RunFacts {
  /** Norms of a layer in the tasks that EWC holds it to; none without EWC. */
  readonly anchorNorms: (layer: string) => readonly number[];
}

/** A property that every step must keep. */
export interface Invariant {
  /** The name of its kind, or the caller's name of a custom one. */
  readonly name: string;
  /** Its bounds, as configs and certificates have them. */
  readonly settings: JsonObject;
  readonly tier: Tier;
  readonly evidence: EvidenceClass;
  readonly start: (run: RunFacts) => InvariantChecks;
}
