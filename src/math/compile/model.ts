/**
 * What the compiler needs of an equation and of a goal: `EquationModel` and `Goal` have these parts, and so
 * may anything else that carries mathematics.
 */
import type { Domain } from '../domain.ts';
import type { Term, Type } from '../term/term.ts';

/** An equation as the compiler sees it. */
export interface EquationMathematics {
  readonly name: string;
  /** Values arrive in this order. */
  readonly parameters: readonly { readonly name: string; readonly type: Type }[];
  /** Size variables; sizes arrive in this order. */
  readonly sizes: readonly string[];
  readonly body: Term;
  /** By default that of the body. */
  readonly result?: Type;
}

/** A goal as the compiler sees it. */
export interface GoalMathematics {
  readonly id: string;
  readonly formal: string;
  readonly domain: Domain;
  readonly applications: readonly {
    readonly output: string;
    readonly arguments: readonly Term[];
    readonly sizes: readonly Term[];
    readonly type: Type;
    /** Leading axes of the output that the application runs over, one run for each index. */
    readonly each?: { readonly sizes: readonly Term[]; readonly arguments: readonly boolean[] };
  }[];
  readonly predicate: Term;
}

/** How a goal's module is written. */
export interface EmitOptions {
  /** `ts` adds the annotations that strict TypeScript wants; the code is the same. */
  readonly language: 'ts' | 'js';
}

/** How an equation's module is written, and in which arithmetic it computes. */
export interface EmitEquationOptions extends EmitOptions {
  /** `float32`: every operation rounded to float32, sums from left to right. */
  readonly arithmetic: 'float64' | 'float32';
}
