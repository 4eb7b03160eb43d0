export type Severity = 'error' | 'warning' | 'note';

/** One row per finding that pv can make. Rows are never reused or renumbered; `pv explain CODE` prints docs/codes/CODE.md. */
export interface CodeRow {
  readonly severity: Severity;
  /** One line for listings: what the code is about. */
  readonly title: string;
}

/**
 * Ranges: 1xxx YAML syntax · 2xxx schema · 3xxx contract rules · 4xxx mathematics and types ·
 * 5xxx bindings, kernels and backends · 6xxx evidence and audit · 7xxx generation · 8xxx files, CLI and host.
 */
export const codes = {
  'PV-1001': { severity: 'error', title: 'The file is not valid YAML' },
} as const satisfies Record<string, CodeRow>;

export type Code = keyof typeof codes;
