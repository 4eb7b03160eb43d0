import type { EquationModel } from '../contract/goal.ts';
import type { Expression } from '../math/notation/syntax.ts';
import type { BindingRow } from './binding.ts';
import type { KernelProgram } from './kernel.ts';

/** Where one argument of a kernel comes from; indices are into the model's parameters and sizes. */
export type ArgumentSource =
  | { readonly kind: 'parameter'; readonly index: number }
  | { readonly kind: 'size'; readonly index: number }
  | { readonly kind: 'expression'; readonly expression: Expression };

/** A kernel tied to an equation: what a goal about that equation runs. Plain data. */
export interface BoundSubject {
  readonly contract: string;
  readonly equation: string;
  /** The function's name in its module. */
  readonly name: string;
  /** Relative to the project root, with `/`. */
  readonly module: string;
  /** The function's place in its file; 1-based. */
  readonly line: number;
  readonly program: KernelProgram;
  /** One per parameter of the program. */
  readonly arguments: readonly ArgumentSource[];
  /** The output's shape when the binding says it; null takes the equation's. */
  readonly output: readonly Expression[] | null;
  /** Null if the equation has no executable meaning, so that nothing can be run against it. */
  readonly model: EquationModel | null;
  readonly row: BindingRow;
}
