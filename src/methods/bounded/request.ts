/** What a bounded proof needs to know. */
import type { Result } from '../../base/result.ts';
import type { Goal } from '../../contract/goal.ts';
import type { AssumedRecord, ProofRecord } from '../../evidence/receipt.ts';
import type { Budget, Engine } from '../../bounded-proofs/engines/engine.ts';
import type { ProofInstance } from '../../bounded-proofs/problem.ts';
import type { ExecutionRequest } from '../runs/execute.ts';
import type { SampledGoal } from './sample.ts';

/** A kernel or an equation with a mistake, as a text to read and as something to run. */
export interface WrongProgram {
  readonly id: string;
  /** The claim on it at the given sizes. */
  readonly instanceAt: (sizes: Sizes) => Result<ProofInstance, string>;
  /** What runs of the goal with this one in its place take; null if it does not open. */
  readonly open: () => Promise<Runnable | null>;
}

/** Kernels that a proof must refuse. */
export interface WrongPrograms {
  /** With one mistake. */
  readonly single: readonly WrongProgram[];
  /** With two: what one mistake alone leaves in a form that the prover knows, two need not. */
  readonly pairs: readonly WrongProgram[];
}

/** What runs the bound kernels on a counterexample. */
export type Runnable = Pick<ExecutionRequest, 'kernels' | 'executor'>;

/** In the order of the domain's. */
export type Sizes = readonly number[];

/** A claim, its sizes and the engines that may prove it. */
export interface BoundedRequest extends SampledGoal {
  /**
   * Where the proof is about the formula, which is for every real and whole number: the claim on those beyond the numbers of
   * kernels, and what decides it there. Else null.
   */
  readonly formula: (Pick<ExecutionRequest, 'executor'> & { readonly goal: Goal }) | null;
  readonly harness: { readonly id: string; readonly strategy: string; readonly bound: number };
  readonly about: ProofRecord['about'];
  /** The choices of sizes within the bound, and how a person says them. */
  readonly sizes: { readonly sizes: readonly Sizes[]; readonly scope: string };
  /** Of the receipt's {@link ProofRecord}. */
  readonly inPart: ProofRecord['inPart'];
  readonly instanceAt: (sizes: Sizes) => Result<ProofInstance, string>;
  readonly wrong: WrongPrograms;
  /** Proofs that replace kernels; empty if all code is executed. */
  readonly assumed: readonly AssumedRecord[];
  readonly engines: readonly Engine[];
  readonly budget: Budget;
  readonly expired: () => boolean;
  /** What is left of the time of the whole proof. */
  readonly remainingMs: () => number;
}
