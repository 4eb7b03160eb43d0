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
  'PV-8001': { severity: 'error', title: 'A path does not exist' },
  'PV-8002': { severity: 'error', title: 'A file or folder cannot be read' },
  'PV-8003': { severity: 'error', title: 'A folder contains itself through a link, or is nested too deep' },
  'PV-8004': { severity: 'error', title: 'A folder holds no contract' },
  'PV-8005': { severity: 'error', title: 'A path is neither a file nor a folder' },
  'PV-8006': { severity: 'error', title: 'There are more files than one run reads' },
} as const satisfies Record<string, CodeRow>;

export type Code = keyof typeof codes;
