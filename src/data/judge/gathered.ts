/** What terms depend on among the given inputs. */
import type { Term } from '../../math/term/term.ts';
import type { BoundColumn, ScalarValue } from './bound-input.ts';
import type { MissingInput } from './data-check.ts';

/** Accumulates the inputs of a claim while its terms are walked. */
export interface Gathered {
  readonly scalars: Map<string, ScalarValue>;
  /** The scalars that float64 may have rounded, as they are written, or computed from what is. */
  readonly written: Map<string, Term>;
  readonly columns: Map<string, { readonly size: string; readonly found: BoundColumn }>;
  /** Inputs whose value is their default. */
  readonly assumed: Set<string>;
  readonly missing: MissingInput[];
  /** Why something given cannot be used. */
  problem: string | null;
  /** Inputs that are given, or may be, and cannot be used. */
  readonly unclear: Set<string>;
}

/** The value of an input's default. */
export type Default =
  | { readonly kind: 'unusable'; readonly problem: string; readonly unclear: ReadonlySet<string> }
  | { readonly kind: 'missing'; readonly instead: readonly string[] }
  /** With the term that it is the value of, and the values that it depends on. */
  | { readonly kind: 'value'; readonly value: ScalarValue; readonly from: Term; readonly below: Gathered };
