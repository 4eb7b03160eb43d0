/** What the process with Z3 is told, and what it answers. */

export interface Z3Request {
  /** Options, logic, declarations, assertions and the check. */
  readonly check: string;
  /** What is asked where the check says `sat`, and where it says anything else. */
  readonly whenSatisfiable: string;
  readonly whenNot: string;
}

export type Z3Reply =
  | { readonly kind: 'ready'; readonly version: string }
  /** The package cannot be loaded, or its WebAssembly does not start here; the reason. */
  | { readonly kind: 'absent'; readonly reason: string }
  | { readonly kind: 'answer'; readonly check: string; readonly more: string }
  /** Z3 threw: what it said. Its process is of no use any more. */
  | { readonly kind: 'broken'; readonly reason: string };

/** Of Z3's own heap, in megabytes; beyond it Z3 gives up on the question. */
export const z3MemoryMb = 1_000;
