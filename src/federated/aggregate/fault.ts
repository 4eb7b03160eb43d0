/** Why submissions could not be aggregated: what is behind `fedlearn_aggregation_failed`. */

/** Its names. */
type FaultName =
  /** Fewer participants than the rule needs for the number that may be hostile. */
  | 'too_few_participants'
  | 'duplicate_participant'
  /** Samples or a reputation out of range, or weights that sum to zero. */
  | 'weight_invalid'
  /** A submission that cannot be read. */
  | 'unreadable'
  /** Submissions, or the start of the round, that differ in their tensors. */
  | 'structure_differs'
  /** Factors A that differ in a round that freezes them. */
  | 'frozen_factor_differs'
  /** A mode, a rule and their parameters that do not go together. */
  | 'unsupported'
  /** NaN or an infinity, in a submission or as the result. */
  | 'not_finite';

/** A fault with its name and a sentence for people. */
export interface AggregationFault {
  readonly name: FaultName;
  readonly message: string;
}

/** A fault as a failed result. */
export const failed = (name: FaultName, message: string): { readonly ok: false; readonly error: AggregationFault } => ({
  ok: false,
  error: { name, message },
});
