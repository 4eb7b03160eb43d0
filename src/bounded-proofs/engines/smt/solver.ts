/** Answers questions in SMT-LIB: Z3 in a process of its own, or an installed solver. */
import type { Rational } from '../../../numeric/rational.ts';
import type { Budget } from '../engine.ts';

/** An SMT-LIB script without its commands. */
export interface SolverQuestion {
  readonly logic: string;
  /** Declarations and assertions. */
  readonly text: string;
  /** The symbols whose values are requested if the assertions are satisfiable. */
  readonly symbols: readonly string[];
}

/** The answer, with the work that it took in the solver's own unit. */
export type SolverAnswer =
  /** No assignment satisfies all assertions. */
  | { readonly kind: 'unsatisfiable'; readonly steps: number }
  /** An assignment that does; a value that is not a fraction is replaced by a nearby fraction. */
  | { readonly kind: 'satisfiable'; readonly values: ReadonlyMap<string, Rational>; readonly steps: number }
  | { readonly kind: 'unknown'; readonly reason: string; readonly steps: number }
  | { readonly kind: 'exhausted'; readonly budget: 'steps' | 'memory' | 'time'; readonly steps: number }
  /** The solver ended, could not be started, or does not understand the question; a sentence says what happened. */
  | { readonly kind: 'failed'; readonly message: string };

/** A process or program that answers questions. */
export interface Solver {
  /** Name and version: answers change between versions. */
  readonly version: string;
  /** One question at a time; further questions wait. */
  readonly ask: (question: SolverQuestion, budget: Budget) => Promise<SolverAnswer>;
  readonly close: () => Promise<void>;
}
