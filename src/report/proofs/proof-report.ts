/** A bounded proof as reports show it. Deterministic: no times. */
import type { Counterexample, ProofRecord } from '../../evidence/receipt.ts';
import type { Verdict } from '../../evidence/verdict.ts';

/** One bounded proof, with its place in the contract. */
export interface ProofReport {
  readonly contract: string;
  readonly claim: string;
  readonly property: string;
  readonly formal: string;
  readonly file: string;
  readonly line: number;
  readonly harness: string;
  readonly strategy: string;
  readonly bound: number;
  readonly verdict: Verdict;
  readonly reason: string | null;
  /** What was proved and what it rests on; null if it did not run. */
  readonly proof: ProofRecord | null;
  readonly counterexample: Counterexample | null;
  /** The receipt's check digest; null if nothing could be planned. */
  readonly check: string | null;
  /** The command that repeats it; null if there is nothing to repeat. */
  readonly reproduce: string | null;
}
