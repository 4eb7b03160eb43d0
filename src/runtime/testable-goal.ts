/**
 * The part of a goal that running it needs, as plain data, so that generated tests can carry it as a constant.
 * `Goal` of the contract layer is one, with more.
 */
import type { Domain } from '../math/domain.ts';
import type { Term, Type } from '../math/term/term.ts';

/** One run of a bound kernel. What its arguments and sizes are is in the compiled goal. */
export interface TestableApplication {
  /** The variable for the result in later terms: `out:0`, `out:1`, … */
  readonly output: string;
  readonly equation: string;
  readonly arguments: readonly { readonly type: Type }[];
  readonly type: Type;
  /** The kernel runs once for every index of these leading axes of the output; absent: once. */
  readonly each?: {
    readonly sizes: readonly Term[];
    /** Which arguments have these axes in front too; the others are the same for every run. */
    readonly arguments: readonly boolean[];
  };
}

/** One explicit input: a value per variable of the domain (flat, row-major) and the sizes it implies. */
export interface GivenInput {
  readonly sizes: readonly number[];
  readonly values: readonly (number | string | readonly number[])[];
}

/** A goal without the contract that it comes from. */
export interface TestableGoal {
  /** `softmax-kernel-v1/SM-INV-001`. */
  readonly id: string;
  /** The id within the contract: `SM-INV-001`, `FALSIFY-SM-002`. */
  readonly claim: string;
  readonly property: string;
  readonly formal: string;
  readonly domain: Domain;
  readonly applications: readonly TestableApplication[];
  /** Explicit inputs; null means the domain's edge cases (falsification) or generated cases (obligation). */
  readonly given: readonly GivenInput[] | null;
  readonly cases: number;
  /** e.g. `abs 6e-8 per n`, `exact`: shown with every verdict. */
  readonly toleranceText: string;
  readonly ifFails: string | null;
}
