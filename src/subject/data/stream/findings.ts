/**
 * Findings of a long file: the first few of each code in full, the rest counted. A log of a million bad lines is one story.
 */
import { count } from '../../../base/text.ts';
import type { Code } from '../../../diagnostics/codes.ts';
import { diagnostic, type Diagnostic, type DiagnosticExtras } from '../../../diagnostics/diagnostic.ts';
import type { Span } from '../../../diagnostics/source.ts';

export interface Findings {
  /** At a line of a text of which nothing else is kept. */
  readonly atLine: (code: Code, line: number, text: string, message: string, extras?: DiagnosticExtras) => void;
  /** At a byte of a binary file. */
  readonly atByte: (code: Code, offset: number, message: string, extras?: DiagnosticExtras) => void;
  readonly add: (finding: Diagnostic) => void;
  readonly list: () => readonly Diagnostic[];
}

/** Of each code. */
const SHOWN = 5;
/** Of a line in a code frame; frames cut their own lines to what fits, this bounds what is kept. */
const KEPT = 400;

export function createFindings(path: string): Findings {
  const found: Diagnostic[] = [];
  const counts = new Map<Code, number>();
  const add = (code: Code, make: () => Diagnostic): void => {
    const n = (counts.get(code) ?? 0) + 1;
    counts.set(code, n);
    if (n <= SHOWN) found.push(make());
  };
  return {
    atLine: (code, line, text, message, extras) =>
      add(code, () => diagnostic(code, lineSpan(path, line, text), message, extras)),
    atByte: (code, offset, message, extras) =>
      add(code, () => diagnostic(code, null, message, { ...extras, subject: `${path}: byte ${offset}` })),
    add: (finding) => add(finding.code, () => finding),
    list: () => [...found, ...[...counts].filter(([, n]) => n > SHOWN).map(([code, n]) => more(path, code, n - SHOWN))],
  };
}

function more(path: string, code: Code, n: number): Diagnostic {
  return diagnostic(code, null, `${count(n, 'more finding')} of this kind in the file`, { subject: path });
}

/** A whole line as a span of its own text. */
export function lineSpan(path: string, line: number, text: string): Span {
  const kept = text.slice(0, KEPT);
  const start = /^\s*/.exec(kept)?.[0].length ?? 0;
  return { source: { path, text: kept, firstLine: line }, range: { start, end: kept.length } };
}
