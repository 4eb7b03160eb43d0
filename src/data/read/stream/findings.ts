/**
 * Findings of a long file: the first few of each code in full, the rest counted. A log with a million bad lines has one problem.
 */
import { count } from '../../../base/text.ts';
import { codes, type Code, type Severity } from '../../../diagnostics/codes.ts';
import { diagnostic, type Diagnostic, type DiagnosticExtras } from '../../../diagnostics/diagnostic.ts';
import type { Span } from '../../../diagnostics/source.ts';

/** Collects diagnostics, of which each code keeps only the first few in full. */
export interface Findings {
  /** At a line of a text of which nothing else is kept. */
  readonly atLine: (code: Code, line: number, text: string, message: string, extras?: DiagnosticExtras) => void;
  /** At a byte of a binary file. */
  readonly atByte: (code: Code, offset: number, message: string, extras?: DiagnosticExtras) => void;
  readonly add: (finding: Diagnostic) => void;
  readonly list: () => readonly Diagnostic[];
}

/** Findings shown for each code and severity. */
const SHOWN = 5;
/** The maximum length of a stored line; code frames shorten lines to what fits. */
const KEPT = 400;

/** An empty collection for the file at `path`. */
export function createFindings(path: string): Findings {
  const found = cappedList(path, SHOWN);
  return {
    atLine: (code, line, text, message, extras) =>
      found.add(code, extras?.severity, () => diagnostic(code, lineSpan(path, line, text), message, extras)),
    atByte: (code, offset, message, extras) =>
      found.add(code, extras?.severity, () =>
        diagnostic(code, null, message, { ...extras, subject: `${path}: byte ${offset}` }),
      ),
    add: (finding) => found.add(finding.code, finding.severity, () => finding),
    list: found.list,
  };
}

/** The same for a config: each finding has its own place, and a generated config can have thousands. */
const SHOWN_OF_CONFIG = 20;

/** The findings of a config, the first of each kind in full and the rest counted. */
export function cappedFindings(path: string, findings: readonly Diagnostic[]): readonly Diagnostic[] {
  const capped = cappedList(path, SHOWN_OF_CONFIG);
  for (const one of findings) capped.add(one.code, one.severity, () => one);
  return capped.list();
}

interface CappedList {
  readonly add: (code: Code, severity: Severity | undefined, make: () => Diagnostic) => void;
  readonly list: () => readonly Diagnostic[];
}

function cappedList(path: string, shown: number): CappedList {
  const found: Diagnostic[] = [];
  const counts = new Map<string, { readonly code: Code; readonly severity: Severity; n: number }>();
  return {
    add: (code, given, make) => {
      const severity = given ?? codes[code].severity;
      const kind = `${code} ${severity}`;
      const counted = counts.get(kind) ?? { code, severity, n: 0 };
      counts.set(kind, counted);
      counted.n += 1;
      if (counted.n <= shown) found.push(make());
    },
    list: () => [
      ...found,
      ...[...counts.values()].flatMap(({ code, severity, n }) =>
        n > shown ? [more(path, code, severity, n - shown)] : [],
      ),
    ],
  };
}

function more(path: string, code: Code, severity: Severity, n: number): Diagnostic {
  return diagnostic(code, null, `${count(n, 'more finding')} of this kind in the file`, { subject: path, severity });
}

/** A whole line as a span of its own text. */
export function lineSpan(path: string, line: number, text: string): Span {
  const kept = text.slice(0, KEPT);
  const start = /^\s*/.exec(kept)?.[0].length ?? 0;
  return { source: { path, text: kept, firstLine: line }, range: { start, end: kept.length } };
}
