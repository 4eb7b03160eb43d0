import type { Span } from './source.ts';
import { codes, type Code, type Severity } from './codes.ts';

/** A second place that explains the first. */
export interface Related {
  readonly message: string;
  readonly span: Span;
}

/**
 * One finding for the person who must fix it.
 *
 * `message` says what is wrong and what was expected; `hint` says how to fix it.
 * `span` is null only for findings about something that is not a text (a missing file, a flag).
 */
export interface Diagnostic {
  readonly code: Code;
  readonly severity: Severity;
  readonly message: string;
  readonly hint: string | null;
  readonly span: Span | null;
  /** Where the finding is when there is no span: a path, a flag. */
  readonly subject: string | null;
  readonly related: readonly Related[];
  /** The name of a value, if the finding matters only where that value does. */
  readonly about?: string;
}

/** The optional parts of a diagnostic: how to fix it, what it is about, and other places that matter. */
export interface DiagnosticExtras {
  readonly hint?: string;
  readonly subject?: string;
  readonly related?: readonly Related[];
  readonly about?: string;
  /** Overrides the severity of the code's row. */
  readonly severity?: Severity;
}

/** Builds a diagnostic; the severity comes from the code's row in `codes`. */
export function diagnostic(code: Code, span: Span | null, message: string, extras: DiagnosticExtras = {}): Diagnostic {
  return {
    code,
    severity: extras.severity ?? codes[code].severity,
    message,
    hint: extras.hint ?? null,
    span,
    subject: extras.subject ?? null,
    related: extras.related ?? [],
    ...(extras.about === undefined ? {} : { about: extras.about }),
  };
}

/** What a stage returns: the best value it could make, and everything it found on the way. */
export interface Staged<T> {
  readonly value: T;
  readonly diagnostics: readonly Diagnostic[];
}
