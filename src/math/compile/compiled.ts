/**
 * What compiled mathematics offers to the methods and to generated tests.
 */

/** Values of one case in the order of `domain.variables`; tensors are flat and row-major. */
export type CaseValue = number | string | Float32Array | Float64Array | Int32Array;

/** One assignment to a goal's inputs. */
export interface Case {
  /** In the order of `domain.sizes`. */
  readonly sizes: readonly number[];
  readonly values: readonly CaseValue[];
}

/** Filled by `check`; reused between calls. */
export interface CheckReport {
  /** False if every implication's premise failed everywhere, so that the case is vacuous. True if there is no implication. */
  premise: boolean;
  /** The largest error/allowed over all toleranced comparisons of the case; −1 when there was none. */
  ratio: number;
  error: number;
  allowed: number;
  /** For a failing check: the sides of the comparison that failed and its text; NaN when the failure is not a comparison. */
  left: number | string;
  right: number | string;
  /** Which comparison of the predicate (index into `comparisons`); −1 when none. */
  comparison: number;
  /** Of a failing check: the indices for which the claim fails, in the order of its quantifiers and axes; empty if it has none. */
  at: readonly number[];
}

/** The mathematics of a goal as functions of sizes and values. */
export interface CompiledGoal {
  /** Notation of each comparison in the predicate, for explanations. */
  readonly comparisons: readonly string[];
  /** Whether the domain's preconditions hold. */
  readonly precondition: (sizes: readonly number[], values: readonly CaseValue[]) => boolean;
  /** Per application, given the outputs of the earlier ones: its arguments (rounded to the parameter's format) and its sizes. */
  readonly applications: readonly {
    readonly arguments: (
      sizes: readonly number[],
      values: readonly CaseValue[],
      outputs: readonly CaseValue[],
    ) => CaseValue[];
    readonly sizes: (sizes: readonly number[], values: readonly CaseValue[], outputs: readonly CaseValue[]) => number[];
    /**
     * Present where the kernel runs several times: how often along each axis, and what a run gets of each argument: all of
     * it, its own part of as many equal ones, or its own element.
     */
    readonly each?: {
      readonly runs: (sizes: readonly number[], values: readonly CaseValue[]) => number[];
      readonly arguments: readonly ('same' | 'part' | 'element')[];
    };
  }[];
  readonly check: (
    sizes: readonly number[],
    values: readonly CaseValue[],
    outputs: readonly CaseValue[],
    report: CheckReport,
  ) => boolean;
}

/**
 * An equation as a function: values in the order of its parameters, sizes in the order of its size variables;
 * the flat row-major result in a new array (length 1 for a scalar, 1 and 0 for truth values).
 */
export type CompiledEquation = (sizes: readonly number[], values: readonly CaseValue[]) => Float32Array | Float64Array;
