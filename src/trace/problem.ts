/**
 * What is wrong with a trace, a proof, a checkpoint or a model, as a value: strangers send them, so nothing of theirs
 * throws.
 */

/** A stable code of `pv explain`; the table is src/diagnostics/codes.ts, which a test holds against this form. */
export type TraceCode = `PV-80${number}`;

/** One thing that is wrong, with what was expected and found. */
export interface TraceProblem {
  readonly code: TraceCode;
  /** The check that failed, in the field's words: `leaf hash`, `inclusion path`, `logits hash`, `magic`. */
  readonly check: string;
  /** A sentence for the person who must act: what is wrong, what was expected, how to mend it. */
  readonly message: string;
  /** The position of the generation step at fault, where there is one. */
  readonly position?: number;
  /** Byte offset in the file or message, where it is known. */
  readonly offset?: number;
  /** Hashes as lower-case hexadecimal, tokens as decimal numbers. */
  readonly expected?: string;
  readonly actual?: string;
}
