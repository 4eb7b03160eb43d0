import type { CheckOptions } from '../../api/data/options.ts';

/** What `pv check` is told beside the contracts. */
export type CheckFlags = CheckOptions & {
  readonly format: 'text' | 'json' | 'github' | 'sarif' | 'gitlab';
  readonly allowUnevaluated: boolean;
  readonly allowCut: boolean;
  readonly allowRestarts: boolean;
  readonly quiet: boolean;
};
