/** What names mean: a chain of tables from the innermost binder out to the equations of the contract. */
import type { Binder, Expression } from '../../../math/notation/syntax.ts';
import type { Term } from '../../../math/term/term.ts';
import type { Range } from '../../../diagnostics/source.ts';
import type { FormalText } from '../../contract.ts';
import type { EquationModel } from '../../goal.ts';
import type { Value } from './value.ts';

/** A bound index. Its range is written, or follows from the axis where it is used. */
export interface IndexVariable {
  /** Unique within the elaboration. */
  readonly name: string;
  /** As written. */
  readonly written: string;
  from: Term | null;
  readonly range: Range;
  /** Exclusive end as written, or null. */
  to: Term | null;
  /** From the codomain: the size of the axis of the result. */
  readonly declared: Term | null;
  /** From `x_i`: the size of the axis, and the text that showed it. */
  inferred: { readonly size: Term; readonly shownBy: string } | null;
  /**
   * What the index counts from in index places: 1 when its written range is 1 to n over an axis of n
   * elements. null: not known yet.
   */
  base: 0 | 1 | null;
  /** From `x_{2k+1}` if nothing better is known. */
  suggested: Term | null;
}

/** A helper: `RMS(x) = …`, `S_ij = …`, `c = …`, or a piecewise one with several patterns of indices. */
export interface Definition {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly cases: readonly DefinitionCase[];
  readonly text: FormalText;
  /** Where the names of its body are looked up; the group's own table included. */
  readonly scope: Scope;
}

/** One equation of a definition: the indices on its left, and its right side. */
export interface DefinitionCase {
  /** `[i, j]`, or patterns such as `2k+1`. Empty: scalar or tensor-valued body. */
  readonly indices: readonly Expression[];
  readonly body: Expression;
  /** `for i ∈ [0, d/2)`: written ranges of the indices. */
  readonly binders: readonly Binder[];
  /** The text that it is in; the first elements of a sequence may be given in the domain. */
  readonly text: FormalText;
  readonly range: Range;
}

/** What a name means. */
export type Entry =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'index'; readonly index: IndexVariable }
  | { readonly kind: 'definition'; readonly definition: Definition }
  /** `reference`: the mathematics; otherwise the bound kernel. `model` is null if its formula could not be elaborated. */
  | {
      readonly kind: 'equation';
      readonly name: string;
      readonly model: () => EquationModel | null;
      readonly reference: boolean;
      /** Whether no kernel and no equation of that name computes it, so that its formula takes the place of each call. */
      readonly inlined?: true;
      /** The other equations of the contract that define the name. */
      readonly rivals?: readonly EquationEntry[];
      /** Whether the arguments must have the axes of the inputs, so that no number fills a tensor. */
      readonly exact?: true;
    }
  | { readonly kind: 'tolerance' }
  /** Under a key that is not a name: a letter that labels steps, see step-names.ts. */
  | { readonly kind: 'step' };

/** An equation under a name of its own or of its contract. */
export type EquationEntry = Extract<Entry, { kind: 'equation' }>;

/** One table of the chain; the parent is consulted where it has no entry. */
export interface Scope {
  readonly entries: Map<string, Entry>;
  readonly parent: Scope | null;
}

/** A scope inside `parent`, whose entries hide the parent's. */
export function childScope(parent: Scope | null, entries: Iterable<readonly [string, Entry]> = []): Scope {
  return { entries: new Map(entries), parent };
}

/** The innermost entry of a name; null if there is none. */
export function lookup(scope: Scope, name: string): Entry | null {
  for (let at: Scope | null = scope; at; at = at.parent) {
    const found = at.entries.get(name);
    if (found) return found;
  }
  return null;
}

/** Every visible name, innermost first, for suggestions. */
export function visibleNames(scope: Scope): readonly string[] {
  const names: string[] = [];
  for (let at: Scope | null = scope; at; at = at.parent) names.push(...at.entries.keys());
  return [...new Set(names)];
}
