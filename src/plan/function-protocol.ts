/**
 * What the thread that judges a check and the process in which its plain functions run say to each other: lists of requests,
 * and for each list one of answers, by number. Plain data, in the bytes of `v8.serialize`: the
 * thread between the two, which is pv's first, reads none of it.
 */
import type { KernelCall, KernelProgram } from '../subject/kernel.ts';

/** A message to the process. `id` numbers the requests of a job. */
export type FunctionRequest = { readonly id: number } & (
  | { readonly kind: 'open'; readonly program: KernelProgram }
  /** `opened` is the number of the request that opened the function. */
  | { readonly kind: 'run'; readonly opened: number; readonly calls: readonly KernelCall[] }
  /** The job is over: what did its functions read, and what did they leave behind? */
  | { readonly kind: 'finish' }
);

/** The answer to the request with the same `id`. */
export interface FunctionAnswer {
  readonly id: number;
  readonly answer: unknown;
}

/** A kernel's outcome whose output holds bytes. */
export interface BytesOutcome {
  readonly ok: true;
  readonly output: Uint8Array;
}
