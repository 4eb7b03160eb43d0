import type { DiagnoseOptions } from '../../api/data/options.ts';

/** The flags of `pv diagnose`. */
export type DiagnoseFlags = DiagnoseOptions & {
  readonly allowCut: boolean;
  readonly allowRestarts: boolean;
  readonly format: 'text' | 'json' | 'markdown' | 'sarif';
};
