import type { RuleName } from '../../scan/rules.ts';

/** The flags of `pv scan`. */
export type ScanFlags = {
  readonly format: 'text' | 'json' | 'github' | 'sarif' | 'gitlab';
  readonly fix: boolean;
  readonly tests: boolean;
  readonly types: boolean;
  readonly rule?: readonly RuleName[];
  readonly quiet: boolean;
};
