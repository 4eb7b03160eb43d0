/** The messages to the Z3 process, and its answers. */

/** One question for the process. */
export interface Z3Request {
  readonly logic: string;
  /** Declarations and assertions. */
  readonly text: string;
  /** Z3's own unit of work; beyond it Z3 gives up on the question. */
  readonly steps: number;
}

/** What the process sends: once whether Z3 works here, then one answer per request. */
export type Z3Reply =
  | { readonly kind: 'ready'; readonly version: string }
  /** Why the package cannot be loaded, or its WebAssembly does not start. */
  | { readonly kind: 'absent'; readonly reason: string }
  | {
      readonly kind: 'answer';
      readonly verdict: 'satisfiable' | 'unsatisfiable' | 'unknown';
      /** The assignment as Z3 prints it, `symbol -> value`: exactly, and in decimal digits. Empty where there is none. */
      readonly exact: string;
      readonly digits: string;
      /** Why it is unknown; empty otherwise. */
      readonly reason: string;
      readonly steps: number;
    }
  /** Z3 does not understand the text; its message. */
  | { readonly kind: 'misunderstood'; readonly reason: string }
  /** Z3 threw this message, after which its process is unusable. */
  | { readonly kind: 'broken'; readonly reason: string };

/** Of Z3's own heap, in megabytes; beyond it Z3 gives up on the question. */
export const z3MemoryMb = 1_000;
