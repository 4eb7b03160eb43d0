/**
 * What the thread that judges a check and the process in which its plain functions run say to each other: lists of requests,
 * and for each list one of answers, by number. Plain data, in the bytes of `v8.serialize`: the
 * thread between the two, which is pv's first, reads none of it.
 */
import type { Conduct } from '../backends/conduct.ts';
import type { Inputs } from '../host/inputs/input.ts';
import type { KernelCall, KernelProgram } from '../subject/kernel.ts';
import type { World } from './vary-world.ts';

/** A message to the process. `id` numbers the requests of a job. */
export type FunctionRequest = { readonly id: number } &
  /** Before any function is opened. */
  (
    | { readonly kind: 'vary'; readonly world: World }
    | { readonly kind: 'open'; readonly program: KernelProgram }
    /** `opened` is the number of the request that opened the function. */
    | { readonly kind: 'run'; readonly opened: number; readonly calls: readonly KernelCall[] }
    /** The calls over and over, until `most` are made or the time is over; the answer is a {@link Repeated}. */
    | {
        readonly kind: 'repeat';
        readonly opened: number;
        readonly calls: readonly KernelCall[];
        readonly most: number;
        readonly enoughMs: number;
      }
    /** The job is over: what did its functions read, and what did they leave behind? */
    | { readonly kind: 'finish' }
  );

/** What came of calls that were made over and over. */
export interface Repeated {
  /** Calls that were made. */
  readonly made: number;
  /** How many of them gave other bits than the first with the same inputs. */
  readonly odd: number;
}

/** What a program is given that calls a kernel without pv: see `alone.worker.ts`. */
export interface AloneRequest {
  readonly program: KernelProgram;
  readonly calls: readonly KernelCall[];
}

/** The files of such a program. */
export const aloneFiles = {
  main: 'main.mjs',
  calls: 'calls',
  outcomes: 'outcomes',
  kernel: 'src/kernel.mjs',
} as const;

/** The answer to the request with the same `id`. */
export interface FunctionAnswer {
  readonly id: number;
  readonly answer: unknown;
}

/** What a job's functions read, the failure of promises or timers that they left behind (null if none failed), and how they behaved. */
export interface RunReport {
  readonly inputs: Inputs;
  readonly stray: string | null;
  readonly conduct: Conduct;
}

/** A kernel's outcome whose output holds bytes. */
export interface BytesOutcome {
  readonly ok: true;
  readonly output: Uint8Array;
}
