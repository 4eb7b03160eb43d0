/**
 * A kernel as a pipeline of kernels: what many threads would repeat is computed once, in a separate stage.
 */
import type { Axis, KernelExpression, KernelFunction, MathFunction } from '../../subject/kernel-syntax.ts';

/** What one parameter of a stage is given. */
export type StageSource =
  | { readonly kind: 'argument'; readonly index: number }
  | { readonly kind: 'stage'; readonly index: number }
  /** How many elements the kernel's own output has along an axis. */
  | { readonly kind: 'output'; readonly axis: Axis };

/** One kernel of a pipeline, with where its arguments come from. */
export interface Stage {
  readonly kernel: KernelFunction;
  /** One for each parameter of `kernel`. */
  readonly sources: readonly StageSource[];
  /** The function that is applied to every value that `kernel` leaves, in float64 and rounded once; null if that is the value. */
  readonly apply: MathFunction | null;
  /**
   * How many values it has along each axis, the slowest first: the largest of the alternatives. They are arithmetic of the
   * scalar arguments and the extents of the output. Null for the last stage, whose output is that of the kernel.
   */
  readonly extents: readonly (readonly KernelExpression[])[] | null;
}

/** The last stage gives the kernel's output; a stage reads only those before it. */
export type StagedKernel = readonly Stage[];
