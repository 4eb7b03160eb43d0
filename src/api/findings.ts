import type { Contract, FormalText } from '../contract/contract.ts';
import { formalFields } from '../contract/formal-fields.ts';
import type { Severity } from '../diagnostics/codes.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';

/** What a run of `pv validate` found, before it is printed. */
export interface Findings {
  /** Files read or tried, in order. */
  readonly paths: readonly string[];
  readonly contracts: readonly Contract[];
  /** Sorted by file, then place. */
  readonly diagnostics: readonly Diagnostic[];
  readonly summary: Summary;
}

/** Counts with their denominators: `valid + failed = files`, `math + partial + prose` = formal fields. */
export interface Summary {
  readonly files: number;
  readonly valid: number;
  readonly failed: number;
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
  readonly formal: Readonly<Record<FormalText['notation']['status'], number>>;
  /** Claims that typing made executable, of those declared; null if nothing was typed. */
  readonly claims: {
    readonly executable: number;
    /** More that run as far as they are understood. */
    readonly inPart: number;
    readonly declared: number;
  } | null;
}

/** Counts what was found; a file with an error is not valid, and neither is one that could not be read. */
export function summarize(
  paths: readonly string[],
  contracts: readonly Contract[],
  diagnostics: readonly Diagnostic[],
): Omit<Summary, 'claims'> {
  const broken = new Set(diagnostics.filter(({ severity }) => severity === 'error').map(pathOf));
  const failed = paths.filter((path) => broken.has(path)).length;
  const number = (severity: Severity): number => diagnostics.filter((found) => found.severity === severity).length;
  const formal = { math: 0, partial: 0, prose: 0 };
  for (const { text } of contracts.flatMap(formalFields)) formal[text.notation.status] += 1;
  return {
    files: paths.length,
    valid: paths.length - failed,
    failed,
    errors: number('error'),
    warnings: number('warning'),
    notes: number('note'),
    formal,
  };
}

/** The file that a finding is about, as the user wrote it; null if it is about something else. */
export function pathOf(diagnostic: Diagnostic): string | null {
  return diagnostic.span?.source.path ?? diagnostic.subject;
}
