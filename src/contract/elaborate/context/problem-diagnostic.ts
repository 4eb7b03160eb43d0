/** Problems as diagnostics, with their places in the file. */
import type { Place, Problem } from './context.ts';
import { diagnostic, type Diagnostic } from '../../../diagnostics/diagnostic.ts';
import type { Span } from '../../../diagnostics/source.ts';

/** What the author of the text reads. */
export function asDiagnostic(problem: Problem): Diagnostic {
  const { code, message, hint } = problem;
  return diagnostic(code, spanOf(problem), message, hint === null ? {} : { hint });
}

/** Where it is in the file that holds its text. */
export function spanOf({ text, range }: Place): Span {
  return {
    source: text.span.source,
    range: { start: text.offsetInSource(range.start), end: text.offsetInSource(range.end) },
  };
}
