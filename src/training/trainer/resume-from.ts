import type { TrainingState } from '../../checkpoint/store/training-state.ts';

/** Where a run continues. */
export interface ResumeFrom {
  /** What `trainer.checkpoint()` returned, as it was saved and loaded. */
  readonly state: TrainingState;
  /** The ledger of the run so far, with at least the lines of the checkpoint's steps; later ones are taken again. */
  readonly ledger: string;
}
