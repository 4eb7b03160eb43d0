import type { Mapping, Setting } from './assignments.ts';

/** What `pv check` is told beside the contracts. */
export type CheckFlags = {
  readonly data: readonly string[];
  readonly with?: readonly string[];
  readonly set?: readonly Setting[];
  readonly map?: readonly Mapping[];
  readonly as?: string;
  readonly pattern?: string;
  readonly format: 'text' | 'json' | 'github' | 'sarif' | 'gitlab';
  readonly allowUnevaluated: boolean;
  readonly allowCut: boolean;
  readonly allowRestarts: boolean;
  readonly quiet: boolean;
};
