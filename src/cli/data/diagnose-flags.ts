import type { DiagnoseOptions } from '../../api/data/options.ts';

/** What `pv diagnose` is told beside the run. */
export type DiagnoseFlags = DiagnoseOptions & {
  readonly allowCut: boolean;
  readonly allowRestarts: boolean;
  readonly format: 'text' | 'json' | 'markdown' | 'sarif';
};
