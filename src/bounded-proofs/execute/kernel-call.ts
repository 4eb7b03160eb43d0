/** What a kernel is executed on, and what that gives. */
import type { Place } from '../../subject/kernel-syntax.ts';
import type { NumberExpression } from '../expression.ts';
import type { SafetyCondition } from '../problem.ts';

/** A scalar, or an array of rank 1 to 3: flat, row-major. */
export type KernelArgument =
  | { readonly kind: 'scalar'; readonly value: NumberExpression }
  | { readonly kind: 'array'; readonly shape: readonly number[]; readonly elements: readonly NumberExpression[] };

/** Under the reading `float32` every value is a float32; rounding what is stored is the caller's part. */
export interface SymbolicCall {
  /** One per parameter of the kernel. */
  readonly arguments: readonly KernelArgument[];
  /** [] for a scalar: one thread. */
  readonly outputShape: readonly number[];
  /** Variables that take whole numbers only: an index made of them needs no proof that it is whole. */
  readonly wholeVariables: ReadonlySet<string>;
}

/** The outputs of a kernel as expressions over its inputs, and what makes them defined. */
export interface Executed {
  /** Row-major. */
  readonly outputs: readonly NumberExpression[];
  /** In the order of execution, each once. */
  readonly safety: readonly SafetyCondition[];
}

/** What symbolic execution cannot follow. */
export interface Unsupported {
  /** In the author's file; null if it is about the whole kernel or the claim. */
  readonly place: Place | null;
  readonly message: string;
}
