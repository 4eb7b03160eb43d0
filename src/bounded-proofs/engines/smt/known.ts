/** What can be known about the numbers of a problem on every input that satisfies its premises. */
import type { Rational } from '../../../numeric/rational.ts';
import type { NumberExpression } from '../../expression.ts';
import type { ProofVariable } from '../../problem.ts';
import type { AxiomSet } from './axiom-set.ts';

/** Both ends included; null if nothing bounds it. */
export interface Range {
  readonly low: Rational | null;
  readonly high: Rational | null;
  readonly axioms: AxiomSet;
}

/** Facts about the numbers of one problem, each with the axioms that it rests on. */
export interface Knowledge {
  readonly range: (node: NumberExpression) => Range;
  /** What `a ≤ b` rests on; null if it is not known. */
  readonly below: (a: NumberExpression, b: NumberExpression) => AxiomSet | null;
  /** What `0 < node` rests on; null if it is not known. */
  readonly positive: (node: NumberExpression) => AxiomSet | null;
  readonly isFloat32: (node: NumberExpression) => boolean;
  readonly isInteger: (node: NumberExpression) => boolean;
  readonly variable: (name: string) => ProofVariable | undefined;
  /** Adds a fact that was proved elsewhere. */
  readonly learn: (node: NumberExpression, fact: Learned) => void;
}

/** A lower bound that the solver has proved. */
export interface Learned {
  readonly low: Rational;
  /** Whether the number is above `low` and never `low` itself. */
  readonly strict: boolean;
  readonly axioms: AxiomSet;
}
