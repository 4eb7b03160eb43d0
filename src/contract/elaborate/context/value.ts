/**
 * What an expression is while it is being elaborated. Tensors are functions from indices to scalars until
 * someone needs them whole, so that vector notation costs nothing: `x + c` is `i ↦ x_i + c`.
 */
import type { ScalarType, Term } from '../../../math/term/term.ts';

/** A single number, truth value or string. */
export interface ScalarValue {
  readonly kind: 'scalar';
  readonly term: Term;
}

/** A tensor of known shape. Its shape consists of terms over sizes. */
export interface TensorValue {
  readonly kind: 'tensor';
  readonly element: ScalarType;
  readonly shape: readonly Term[];
  /** The element at as many indices as there are axes. Call it only where the indices are in scope. */
  readonly at: (indices: readonly Term[]) => Term;
  /** The tensor as one term, when it has one without further work. */
  readonly whole: Term | null;
  /** `x^T` of a vector x: a row, which multiplies from the left. */
  readonly row?: true;
  /** Of each axis, whether its indices are written from 1 on. */
  readonly fromOne?: readonly boolean[];
}

/** A definition over indices whose ranges are unknown (`θ_k = 10000^(-2k/d)`): it can only be indexed. */
interface FamilyValue {
  readonly kind: 'family';
  readonly name: string;
  readonly rank: number;
  readonly at: (indices: readonly Term[]) => Value;
}

/** Anything that an expression can be. */
export type Value = ScalarValue | TensorValue | FamilyValue;
