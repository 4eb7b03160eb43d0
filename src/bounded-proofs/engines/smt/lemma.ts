/** Instances of axioms and of laws of exact arithmetic: true on every input that satisfies the premises. */
import { ZERO } from '../../../numeric/rational.ts';
import type { BooleanExpression, Graph, NumberExpression } from '../../expression.ts';
import { noAxioms, unionOf, type AxiomSet } from './axiom-set.ts';
import type { Knowledge } from './known.ts';
import { signOf } from './ranges.ts';

/** A formula that is true on every input, given its axioms. */
export interface Lemma {
  readonly formula: BooleanExpression;
  readonly axioms: AxiomSet;
}

/** A condition of a lemma: either known, given some axioms, or for the solver to decide. */
export interface Guard {
  readonly literal: BooleanExpression;
  readonly axioms: AxiomSet;
}

/** Where lemmas are stated and further ones are requested. */
export interface Collector {
  readonly graph: Graph;
  readonly knowledge: Knowledge;
  /** States that the conclusion holds if every guard does. */
  readonly state: (guards: readonly Guard[], conclusion: BooleanExpression, axioms?: AxiomSet) => void;
  /** Requests lemmas that relate two numbers. */
  readonly compare: (a: NumberExpression, b: NumberExpression) => void;
  /** Requests lemmas that define a number. */
  readonly define: (node: NumberExpression) => void;
}

/** A guard that rests on no axiom. */
export function when(literal: BooleanExpression): Guard {
  return { literal, axioms: noAxioms };
}

/** The clause `¬guard ∨ … ∨ conclusion`. */
export function formulaOf(graph: Graph, guards: readonly Guard[], conclusion: BooleanExpression): BooleanExpression {
  return graph.or([...guards.map(({ literal }) => graph.not(literal)), conclusion]);
}

/** Everything that a lemma with these guards rests on. */
export function axiomsOf(guards: readonly Guard[], axioms: AxiomSet): AxiomSet {
  return unionOf(axioms, ...guards.map((guard) => guard.axioms));
}

/** 0 < node. */
export function positive({ graph, knowledge }: Collector, node: NumberExpression): Guard {
  const known = knowledge.positive(node);
  return known ? { literal: graph.true, axioms: known } : when(graph.less(graph.constant(ZERO), node));
}

/** 0 ≤ node. */
export function nonNegative({ graph, knowledge }: Collector, node: NumberExpression): Guard {
  const range = knowledge.range(node);
  return signOf(range) > 0
    ? { literal: graph.true, axioms: range.axioms }
    : when(graph.lessEqual(graph.constant(ZERO), node));
}

/** node ≤ 0. */
export function nonPositive({ graph, knowledge }: Collector, node: NumberExpression): Guard {
  const range = knowledge.range(node);
  return range.high !== null && range.high.numerator <= 0n
    ? { literal: graph.true, axioms: range.axioms }
    : when(graph.lessEqual(node, graph.constant(ZERO)));
}
