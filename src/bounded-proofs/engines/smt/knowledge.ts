/**
 * What is known about the numbers of a problem on every input that satisfies its premises: ranges, order, which are float32.
 *
 * Everything is derived from the variables' bounds, the premises, exact arithmetic and the axioms that each fact names;
 * nothing is guessed. What cannot be derived is unknown.
 */
import { fromFloat } from '../../../numeric/rational.ts';
import type { NumberExpression } from '../../expression.ts';
import type { ProofProblem } from '../../problem.ts';
import { unionOf, type AxiomSet } from './axiom-set.ts';
import { createFormats } from './formats.ts';
import { createOrder } from './order.ts';
import { forEachNew } from './for-each-new.ts';
import type { Knowledge, Learned, Range } from './known.ts';
import { everything, intersect, rangeOf } from './ranges.ts';

/** The smallest positive float32, 2⁻¹⁴⁹. */
const leastFloat32 = fromFloat(2 ** -149);

/** What bounds of inputs and premises imply; signs that a solver proves are added later. */
export function createKnowledge(problem: ProofProblem): Knowledge {
  const variables = new Map(problem.variables.map((variable) => [variable.name, variable]));
  const learned = new Map<number, Learned>();
  let ranges = new Map<number, Range>();
  const { isFloat32, isInteger } = createFormats(variables);

  const range = (node: NumberExpression): Range => {
    const found = ranges.get(node.id);
    if (found) return found;
    // Arguments first, without recursion: sums of thousands of terms are thousands deep.
    forEachNew(node, ranges, (each) => {
      // Until the range is known, order rules that depend on it learn nothing.
      ranges.set(each.id, everything);
      ranges.set(each.id, withLearned(each, rangeOf(each, knowledge)));
    });
    return ranges.get(node.id) ?? everything;
  };

  const withLearned = (node: NumberExpression, plain: Range): Range => {
    const fact = learned.get(node.id);
    if (!fact) return plain;
    const low = fact.strict && fact.low.numerator === 0n && isFloat32(node) ? leastFloat32 : fact.low;
    return intersect(plain, { low, high: null, axioms: fact.axioms });
  };

  const positive = (node: NumberExpression): AxiomSet | null => {
    const { low, axioms } = range(node);
    if (low !== null && low.numerator > 0n) return axioms;
    const fact = learned.get(node.id);
    if (fact && fact.low.numerator >= 0n && (fact.strict || fact.low.numerator > 0n)) return fact.axioms;
    return positiveByRule(node, knowledge);
  };
  const knowledge: Knowledge = {
    range,
    below: (a, b) => order(a, b),
    positive,
    isFloat32,
    isInteger,
    variable: (name) => variables.get(name),
    learn: (node, fact) => {
      learned.set(node.id, fact);
      ranges = new Map();
      order = createOrder(problem.premises, knowledge);
    },
  };
  let order = createOrder(problem.premises, knowledge);
  return knowledge;
}

/** Exponentials are positive, and so are products, quotients and sums of positive numbers. */
function positiveByRule(node: NumberExpression, { positive, range }: Knowledge): AxiomSet | null {
  switch (node.kind) {
    case 'function':
      return node.fn === 'exp' ? new Set(['real-range'] as const) : null;
    case 'multiply':
    case 'divide': {
      const left = positive(node.left);
      const right = left && positive(node.right);
      return left && right && unionOf(left, right);
    }
    case 'add': {
      const left = positive(node.left);
      if (left) {
        const right = range(node.right);
        return right.low !== null && right.low.numerator >= 0n ? unionOf(left, right.axioms) : null;
      }
      const right = positive(node.right);
      const { low, axioms } = range(node.left);
      return right && low !== null && low.numerator >= 0n ? unionOf(right, axioms) : null;
    }
    default:
      return null;
  }
}
