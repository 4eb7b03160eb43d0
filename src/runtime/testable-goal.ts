/**
 * The part of a goal that running it needs, as plain data, so that generated tests can carry it as a constant.
 * `Goal` of the contract layer is one.
 */
import type { Domain } from '../math/domain.ts';
import type { Term, Type } from '../math/term.ts';

export interface TestableApplication {
  readonly output: string;
  readonly equation: string;
  readonly arguments: readonly Term[];
  readonly sizes: readonly Term[];
  readonly type: Type;
}

/** One explicit input: a value per variable of the domain (flat, row-major) and the sizes it implies. */
export interface GivenInput {
  readonly sizes: readonly number[];
  readonly values: readonly (number | string | readonly number[])[];
}

export interface TestableGoal {
  /** `softmax-kernel-v1/SM-INV-001`. */
  readonly id: string;
  readonly claim: string;
  readonly property: string;
  readonly formal: string;
  readonly domain: Domain;
  readonly applications: readonly TestableApplication[];
  readonly given: readonly GivenInput[] | null;
  readonly cases: number;
  readonly toleranceText: string;
  readonly ifFails: string | null;
}
