/** A conclusion as comparisons, any one of which proves it under the assumptions that come with it. */
import type { BooleanExpression, Graph, NumberExpression } from '../../expression.ts';
import type { ProofProblem } from '../../problem.ts';

/** One comparison that would suffice. */
export interface Claim {
  /** `left` relation `right`; `within` is |left| ≤ right. */
  readonly relation: 'equal' | 'less' | 'less-equal' | 'within';
  readonly left: NumberExpression;
  readonly right: NumberExpression;
  /** What may be assumed: the premises of the problem, and that the other alternatives fail. */
  readonly premises: readonly BooleanExpression[];
}

/**
 * The comparisons of a conclusion that is a comparison, or a disjunction of some (`p ⟹ a ≤ b` as ¬p ∨ a ≤ b). Empty for a
 * conclusion of another form.
 */
export function claimsOf({ graph, conclusion, premises }: ProofProblem): readonly Claim[] {
  const alternatives = conclusion.kind === 'or' ? conclusion.operands : [conclusion];
  return alternatives.flatMap((alternative) => {
    const others = alternatives.filter((other) => other !== alternative).map((other) => graph.not(other));
    const claim = comparisonOf(graph, alternative);
    return claim ? [{ ...claim, premises: [...premises, ...others.flatMap(conjuncts)] }] : [];
  });
}

function comparisonOf(graph: Graph, node: BooleanExpression): Omit<Claim, 'premises'> | null {
  switch (node.kind) {
    case 'equal':
      return { relation: 'equal', left: node.left, right: node.right };
    case 'less':
      return { relation: 'less', left: node.left, right: node.right };
    case 'less-equal':
      return node.left.kind === 'absolute'
        ? { relation: 'within', left: node.left.operand, right: node.right }
        : { relation: 'less-equal', left: node.left, right: node.right };
    case 'not':
      if (node.operand.kind === 'less')
        return comparisonOf(graph, graph.lessEqual(node.operand.right, node.operand.left));
      return node.operand.kind === 'less-equal'
        ? comparisonOf(graph, graph.less(node.operand.right, node.operand.left))
        : null;
    default:
      return null;
  }
}

function conjuncts(node: BooleanExpression): readonly BooleanExpression[] {
  return node.kind === 'and' ? node.operands : [node];
}
