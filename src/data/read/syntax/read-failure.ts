import type { Code } from '../../../diagnostics/codes.ts';

/** Where a reader of a config syntax stopped, and why. */
export interface ReadFailure {
  readonly failed: true;
  readonly at: number;
  readonly message: string;
  readonly hint: string;
  /** Instead of the syntax's own code. */
  readonly code: Code | null;
}

/** A syntax error at the offset `at`, with how to fix it. */
export function fail(at: number, message: string, hint: string): ReadFailure {
  return { failed: true, at, message, hint, code: null };
}

/** Distinguishes a failure from a node. */
export function isReadFailure(value: object): value is ReadFailure {
  return 'failed' in value;
}
