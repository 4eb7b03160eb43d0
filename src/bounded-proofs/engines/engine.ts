/**
 * Engines decide statements. One that is unsure says `unknown`, or that its budget ran out, never `proved`.
 */
import type { ProofProblem } from '../problem.ts';
import type { AxiomId } from '../axioms.ts';

/** Every engine that a receipt may name. */
export const engineIds = [
  'algebra',
  'weights',
  'rounding',
  'smt',
  'interval',
  'exhaustive',
  'z3-native',
  'cvc5',
] as const;

/** The name of an engine in receipts, and as a value of `--engine`. */
export type EngineId = (typeof engineIds)[number];

/** A value per variable of the problem that, according to the engine, makes the premises true and the conclusion false. */
export type Model = ReadonlyMap<string, number>;

/** What an engine found out about one problem. */
export type EngineOutcome =
  | {
      readonly verdict: 'proved';
      /** What was assumed about functions and rounding. */
      readonly axioms: readonly AxiomId[];
      /** In a few words: `equal as rational functions of 16 atoms`, `279 boxes`. */
      readonly detail: string;
    }
  /** To be replayed on the kernel before it is reported. */
  | { readonly verdict: 'refuted'; readonly model: Model; readonly axioms: readonly AxiomId[]; readonly detail: string }
  | { readonly verdict: 'unknown'; readonly detail: string }
  | { readonly verdict: 'exhausted'; readonly budget: 'steps' | 'memory' | 'time'; readonly detail: string };

/** How much work an engine may spend on one problem. */
export interface Budget {
  /** Engine-specific steps, so that the verdict does not depend on the machine: solver resource units, boxes, cases. */
  readonly steps: number;
  /** A last resort against hanging, in milliseconds. */
  readonly timeoutMs: number;
}

/** One method of proof. */
export interface Engine {
  readonly id: EngineId;
  /** Part of every receipt: changing it makes them stale. */
  readonly version: string;
  /** Decides one problem. Deterministic within its step budget. */
  readonly decide: (problem: ProofProblem, budget: Budget) => Promise<EngineOutcome>;
  /** Ends worker processes and frees what the engine holds. */
  readonly close: () => Promise<void>;
}
