/** What the elaboration of a claim collects besides its predicate. */
import type { Range } from '../../../diagnostics/source.ts';
import type { Term } from '../../../math/term/term.ts';
import type { Semantics, Tolerance } from '../../contract.ts';
import type { Application, EquationModel } from '../../goal.ts';

/** An axis that a claim compares with a list of `length` elements. */
export interface ListedAxis {
  readonly size: Term;
  readonly length: number;
  readonly range: Range;
}

/** The additional state of the elaboration of a claim, which an equation does not have. */
export interface ClaimState {
  readonly tolerance: Tolerance | null;
  readonly semantics: Semantics;
  /** Whether the inputs are given, and with them every size. */
  readonly inputsGiven: boolean;
  /** Whether each mention of a kernel is a separate run, for claims that compare runs; otherwise equal applications share one. */
  readonly runsApart: boolean;
  /** Axes that are compared with lists. */
  readonly listed: ListedAxis[];
  /** In the order in which they must run: an argument may mention earlier outputs. */
  readonly applications: Application[];
  /** The equations that are applied, by the name that applications carry. */
  readonly models: Map<string, EquationModel>;
  /** Output names by what is applied to what, so that equal applications run once. */
  readonly outputs: Map<string, string>;
  /** The error term of an output, built when a tolerance first asks for it. */
  readonly outputErrors: Map<string, () => Term>;
  /** Operations for which the tolerance's envelope states no accuracy. */
  readonly unbounded: Set<string>;
  /** The value of ε in the comparison being elaborated; null outside comparisons. */
  epsilon: Term | null;
  /** Whether some comparison used the tolerance; else the claim is exact. */
  tolerated: boolean;
  /** Whether some comparison bounds a difference by something other than the tolerance, as `|a - b| ≤ 1e-3` does. */
  boundsDifference: boolean;
  /** Whether it asks for shapes, which types decide, so that no input can break it. */
  asksShapes: boolean;
  /** `per` of the tolerance as a term, or null. */
  per: Term | null;
}

/** The state before anything is read. `given`: its inputs are listed, so their sizes are known. */
export function claimState({
  tolerance,
  semantics,
  given,
  runsApart,
}: Pick<ClaimState, 'tolerance' | 'semantics' | 'runsApart'> & { readonly given: boolean }): ClaimState {
  return {
    tolerance,
    semantics,
    inputsGiven: given,
    // Over the reals there is no kernel to run.
    runsApart: runsApart && semantics !== 'real',
    listed: [],
    applications: [],
    models: new Map(),
    outputs: new Map(),
    outputErrors: new Map(),
    unbounded: new Set(),
    epsilon: null,
    tolerated: false,
    boundsDifference: false,
    asksShapes: false,
    per: null,
  };
}
