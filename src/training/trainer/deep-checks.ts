/** Checks of the whole model on a copy of the proposed weights, beside the trainer. */
import type { Attempt, Invariant, Measurement } from '../invariants/invariant.ts';
import type { Parameters } from '../parameters.ts';

/** What is to be measured; the arrays are copied when the request is made. */
export interface DeepRequest {
  /** The invariants to measure, as the trainer has them. */
  readonly invariants: readonly Pick<Invariant, 'name' | 'settings'>[];
  readonly attempt: Omit<Attempt, 'parameters'>;
  readonly proposed: Parameters;
}

/** Measures invariants elsewhere, such as in a worker. */
export interface DeepChecks {
  /**
   * The comparisons of each invariant, in order: the same as the invariant itself returns. Rejects if it cannot measure; then the
   * step is neither committed nor recorded.
   */
  readonly measure: (request: DeepRequest) => Promise<readonly (readonly Measurement[])[]>;
  readonly close: () => void;
}
