/**
 * The typed intermediate representation: what a formula means once every name is resolved.
 *
 * Terms are scalar-level: vector notation (`x + c`, `A·B`, `‖x‖`, `Σ σ(x)`) has become tabulations and
 * reductions over explicit index variables. Indices are 0-based and ranges half-open. Terms are immutable,
 * plain data and may be shared; two terms with the same `key` (see `term-key.ts`) mean the same.
 */
import type { Range } from '../../diagnostics/source.ts';
import type { FunctionName } from '../functions.ts';

/** The float formats of the mathematics, IEEE 754's and bfloat16. */
export type FloatFormat = 'f16' | 'bf16' | 'f32' | 'f64';

/** The type of a single value. */
export type ScalarType =
  | { readonly kind: 'boolean' }
  | { readonly kind: 'integer' }
  | { readonly kind: 'real' }
  /** A number that is stored in a float format: a kernel's input or output. Arithmetic on it is real arithmetic. */
  | { readonly kind: 'float'; readonly format: FloatFormat }
  | { readonly kind: 'string' };

/** `shape` terms are integers over size variables. A sequence is a rank-1 tensor whose length is known only at run time. */
export type Type =
  ScalarType | { readonly kind: 'tensor'; readonly element: ScalarType; readonly shape: readonly Term[] };

interface Node {
  readonly type: Type;
  /** Where in the notation this came from; null for terms that elaboration made. */
  readonly origin: Range | null;
}

/** An index variable of a tabulation or a reduction; always an integer. */
export interface IndexBinder {
  readonly name: string;
  readonly from: Term;
  /** Exclusive. */
  readonly to: Term;
}

/** What a reduction does with its elements; `argmax` and `argmin` give the first index. */
export type ReduceOperator = 'sum' | 'product' | 'max' | 'min' | 'all' | 'any' | 'argmax' | 'argmin' | 'count';

/** A node of the representation, with its type and its place in the text. */
export type Term = Node &
  (
    | { readonly kind: 'number'; /** exact decimal text */ readonly value: string }
    | { readonly kind: 'boolean'; readonly value: boolean }
    | { readonly kind: 'string'; readonly value: string }
    /** An input, a size, an index, a let-bound name, or `out:k` for the k-th kernel application of a goal. */
    | { readonly kind: 'variable'; readonly name: string }
    /** A function of the table in `functions.ts`, applied to scalars. */
    | { readonly kind: 'call'; readonly fn: FunctionName; readonly arguments: readonly Term[] }
    | { readonly kind: 'if'; readonly condition: Term; readonly then: Term; readonly otherwise: Term }
    | { readonly kind: 'element'; readonly tensor: Term; readonly indices: readonly Term[] }
    | { readonly kind: 'tabulate'; readonly binders: readonly IndexBinder[]; readonly body: Term }
    /**
     * A tensor whose elements are computed in row-major order. `body` may read those that come before as elements of
     * the variable `name`; later elements are NaN.
     */
    | {
        readonly kind: 'recurrence';
        readonly name: string;
        readonly binders: readonly IndexBinder[];
        readonly body: Term;
      }
    /** Empty ranges: sum 0, product 1, max −∞, min +∞, all true, any false, count 0; argmax/argmin of nothing is an error. Ties: lowest index. */
    | {
        readonly kind: 'reduce';
        readonly operator: ReduceOperator;
        readonly binders: readonly IndexBinder[];
        readonly condition: Term | null;
        readonly body: Term;
      }
    | { readonly kind: 'let'; readonly name: string; readonly value: Term; readonly body: Term }
    /**
     * The kernel bound to an equation, applied to whole values: one argument per parameter of the equation,
     * in the equation's order, and one size per size variable of its domain.
     * References to the equation itself (`σ_ref(x)`) are inlined during elaboration and never appear here.
     */
    | {
        readonly kind: 'apply';
        readonly equation: string;
        readonly arguments: readonly Term[];
        readonly sizes: readonly Term[];
      }
  );

/** Whole numbers of any size. */
export const INTEGER: ScalarType = { kind: 'integer' };
/** Real numbers, without rounding. */
export const REAL: ScalarType = { kind: 'real' };
/** Truth values. */
export const BOOLEAN: ScalarType = { kind: 'boolean' };
/** Texts. */
export const STRING: ScalarType = { kind: 'string' };
/** Numbers that are stored as float32. */
export const FLOAT32: ScalarType = { kind: 'float', format: 'f32' };
