/** What the gate measures at each step. Each invariant has its own file, which makes an {@link Invariant}. */
import type { JsonObject } from '../../base/canonical-json.ts';
import type { Layer, Parameters } from '../parameters.ts';

/** The cost class of an invariant: reflex and standard checks run at every step, deep ones at intervals. */
export type Tier = 'reflex' | 'standard' | 'deep';

/** What a measured value says about the quantity it is named after. */
export type EvidenceClass =
  /** The quantity itself, computed in float64 with a fixed order of summation. */
  | { readonly class: 'exact' }
  /** A true bound on the quantity, rounded outward: if the bound passes, so does the quantity. */
  | { readonly class: 'bound' }
  /** The result of an iteration that converges to the quantity. */
  | { readonly class: 'estimate'; readonly iterations: number; readonly tolerance: number }
  /** A test on random samples, which says nothing about any others. */
  | { readonly class: 'statistical'; readonly seed: number; readonly samples: number }
  /** The result of the caller's function. */
  | { readonly class: 'external' };

/** One comparison. NaN always fails. */
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

/** One proposed update, before anything changes. */
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

/** A layer with its proposed weights, in the order of its members. */
export interface ProposedLayer {
  readonly layer: Layer;
  readonly weights: readonly Float32Array[];
}

/** A step that another trainer took, as its records show it. */
export interface RecordedNorms {
  readonly step: number;
  readonly loss: number;
  readonly rate: number;
  /** ‖g‖₂ over all parameters. */
  readonly gradientNorm: number;
  /** ‖W‖₂ over all weights before the step. */
  readonly weightNorm: number;
  /** ‖W‖₂ of each layer after the step. */
  readonly layers: readonly { readonly name: string; readonly norm: number }[];
}

/** What a gate decides before an update is computed. */
export interface Gate {
  readonly measured: readonly Measurement[];
  /** Whether the deep checks run at this step regardless of their interval. */
  readonly escalate: boolean;
  /** Multiplies the learning rate of this step; in (0, 1]. */
  readonly rateFactor: number;
}

/** The checks of one run. Its state changes only at steps that change the weights. */
export interface InvariantChecks {
  /** Runs first, and may change how the step proceeds. */
  readonly gate?: (attempt: Attempt) => Gate;
  /** Checks loss, gradients and weights before an update is computed. */
  readonly before?: (attempt: Attempt) => readonly Measurement[];
  /** Checks one layer with its proposed weights. */
  readonly layer?: (proposed: ProposedLayer, attempt: Attempt) => readonly Measurement[];
  /** Checks all proposed weights. While it runs, the trainer keeps a copy of the old ones. */
  readonly model?: (proposed: Parameters, attempt: Attempt) => readonly Measurement[];
  /** Called after a step is committed or overridden. */
  readonly committed?: (attempt: Pick<Attempt, 'step' | 'loss'>) => void;
  /** Checks a step that another trainer took and recorded; absent if its records do not show what this invariant is about. */
  readonly recorded?: (step: RecordedNorms) => readonly Measurement[];
  /** Its state, so that a run can resume in the middle. */
  readonly state?: () => JsonObject;
  readonly restore?: (state: JsonObject) => void;
}

/** What an invariant may know about the run it checks. */
export interface RunFacts {
  /** The norms of a layer's EWC anchors; empty without EWC. */
  readonly anchorNorms: (layer: string) => readonly number[];
  /** The task that a step belongs to, counted from 0. */
  readonly taskOf: (step: number) => number;
}

/** A property that every step must preserve. */
export interface Invariant {
  /** The name of its kind, or the caller's name for a custom invariant. */
  readonly name: string;
  /** Its settings, as recorded in configurations and certificates. */
  readonly settings: JsonObject;
  readonly tier: Tier;
  readonly evidence: EvidenceClass;
  readonly start: (run: RunFacts) => InvariantChecks;
}
