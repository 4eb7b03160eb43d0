/**
 * What is to be proved: a claim about a kernel's code at concrete sizes, for every input of its domain at once.
 */
import type { Place } from '../subject/kernel-syntax.ts';
import type { Rational } from '../numeric/rational.ts';
import type { BooleanExpression, Graph, NumberExpression } from './expression.ts';

/** How the arithmetic of the code is read. */
export type Reading =
  /** One rounding to float32 after every operation: what ref32 and gpu.js webasm compute. */
  | 'float32'
  /** Exact arithmetic: what the code would compute over the reals. */
  | 'real';

/** One number of the input: an element of a tensor (`x[3]`, `A[1,2]`) or a scalar (`a`). */
export interface ProofVariable {
  readonly expression: NumberExpression;
  readonly name: string;
  /** Which numbers there are between the bounds. */
  readonly format: 'f32' | 'f16' | 'bf16' | 'f64' | 'integer' | 'real';
  /** Inclusive; for a float format themselves numbers of that format. Null if there is no end. */
  readonly low: Rational | null;
  readonly high: Rational | null;
  /** The only values, or null. */
  readonly choices: readonly Rational[] | null;
  /**
   * Present where the variable is not an input but represents a number for which there is no node: any value that the
   * premises allow is considered, the correct one among them. A replay computes it from the inputs: the unit from its
   * node, the output by running the kernel that a proved claim replaces.
   */
  readonly standsFor?:
    | { readonly kind: 'ulp32'; readonly of: NumberExpression }
    | { readonly kind: 'output'; readonly output: string; readonly index: number };
}

/** What must hold for the code to be free of a silent fault, whatever it claims. */
export type SafetyKind =
  /** An index outside its array. */
  | 'index'
  /** A divisor of zero. */
  | 'division'
  /** A result beyond the largest finite float32. */
  | 'overflow'
  /** A logarithm or a square root outside its domain, or any other NaN. */
  | 'invalid'
  /** A loop that runs longer than its declared maximum, where gpu.js cuts it silently. */
  | 'loop';

/** What must hold so that one operation of the code is defined. */
export interface SafetyCondition {
  readonly kind: SafetyKind;
  /** Where in the author's file. */
  readonly place: Place;
  /** True on every input where the operation is reached and safe, and on every input where it is not reached. */
  readonly condition: BooleanExpression;
  /** e.g. `sum is not 0`. */
  readonly text: string;
}

/** One statement to decide: whenever all premises hold, so does the conclusion. */
export interface ProofProblem {
  readonly graph: Graph;
  readonly variables: readonly ProofVariable[];
  /** Preconditions of the claim that the bounds of the variables do not say. */
  readonly premises: readonly BooleanExpression[];
  readonly conclusion: BooleanExpression;
}

/** Where the mathematics of a claim has a value: its divisors are not 0, its logarithms are of positive numbers. */
export interface DefinedCondition {
  /** `precondition`: a kernel that a proved claim replaces is called inside its domain. */
  readonly kind: 'division' | 'invalid' | 'index' | 'precondition';
  readonly condition: BooleanExpression;
  /** e.g. `sum ≠ 0`. */
  readonly text: string;
}

/** One run of a kernel, or the equation in its place. */
export interface AppliedOutput {
  /** `out:0`. */
  readonly output: string;
  readonly equation: string;
  /** Row-major; one number for a scalar. */
  readonly elements: readonly NumberExpression[];
}

/** A claim at one choice of sizes. It is proved where the problem is, and every condition of both lists under the same premises. */
export interface ProofInstance {
  readonly sizes: Readonly<Record<string, number>>;
  /** What the applications of the claim mean: the code of bound kernels, or (for one of them at least) the formula. */
  readonly subject: 'kernel' | 'formula';
  readonly problem: ProofProblem;
  /** Of the code that the claim runs; empty for a claim about the mathematics alone. */
  readonly safety: readonly SafetyCondition[];
  /** Of the claim itself. */
  readonly defined: readonly DefinedCondition[];
  readonly outputs: readonly AppliedOutput[];
  /** Claims of sub-contracts that replace kernels, by goal id, with what each of them says here. */
  readonly assumed: readonly AssumedClaim[];
}

/** What replaces a kernel's code: a claim proved about everything that the code can return. */
export interface AssumedClaim {
  /** The claim's goal: `softmax-kernel-v1/SM-INV-001`. */
  readonly goal: string;
  readonly statement: BooleanExpression;
}
