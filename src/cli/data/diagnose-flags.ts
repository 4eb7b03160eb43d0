import type { Mapping, Setting } from './assignments.ts';

/** What `pv diagnose` is told beside the run. */
export type DiagnoseFlags = {
  readonly contracts?: readonly string[];
  readonly set?: readonly Setting[];
  readonly map?: readonly Mapping[];
  readonly allowCut: boolean;
  readonly allowRestarts: boolean;
  readonly format: 'text' | 'json' | 'markdown' | 'sarif';
};
