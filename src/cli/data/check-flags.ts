import type { CheckOptions } from '../../api/data/options.ts';

/** The flags of `pv check`. */
export type CheckFlags = CheckOptions & {
  readonly format: 'text' | 'json' | 'github' | 'sarif' | 'gitlab';
  readonly remember: boolean;
  readonly allowUnevaluated: boolean;
  readonly strict: boolean;
  readonly allowCut: boolean;
  readonly allowRestarts: boolean;
  readonly quiet: boolean;
};
