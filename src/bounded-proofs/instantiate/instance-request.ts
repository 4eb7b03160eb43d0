/** What a goal is made a problem from. */
import type { EquationModel, Goal } from '../../contract/goal.ts';
import type { BoundSubject } from '../../subject/bound-subject.ts';
import type { ProvedClaim } from '../compositional/proved-claim.ts';
import type { Reading } from '../problem.ts';

/** An equation that the goal applies. */
export interface ProofSubject {
  /** As the goal's applications name it. */
  readonly equation: string;
  readonly model: EquationModel;
  /** Null: the equation's formula is the subject, over the reals. */
  readonly bound: Pick<BoundSubject, 'program' | 'arguments' | 'output'> | null;
  /** What is proved about the kernel and replaces its code; absent: the code is executed. */
  readonly standIn?: readonly ProvedClaim[];
}

/** A goal at concrete sizes. */
export interface InstanceRequest {
  readonly goal: Goal;
  readonly subjects: readonly ProofSubject[];
  /** In the order of `goal.domain.sizes`. */
  readonly sizes: readonly number[];
  readonly reading: Reading;
  /** Of the graph; absent: the default limit. */
  readonly nodeLimit?: number;
}
