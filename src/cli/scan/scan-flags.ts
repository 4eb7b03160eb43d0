import type { RuleName } from '../../scan/rules.ts';

/** What `pv scan` was asked for. */
export type ScanFlags = {
  readonly format: 'text' | 'json' | 'github' | 'sarif' | 'gitlab';
  readonly fix: boolean;
  readonly types: boolean;
  readonly rule?: readonly RuleName[];
  readonly quiet: boolean;
};
