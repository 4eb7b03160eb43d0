/**
 * Which numbers are at most which others, by structure: sums of non-negative terms grow, roundings and increasing
 * functions keep order, a maximum is at least each of its operands. The search has fixed fuel; a relation that it does
 * not find is unknown.
 */
import { compareRational } from '../../../numeric/rational.ts';
import type { BooleanExpression, NumberExpression } from '../../expression.ts';
import { noAxioms, unionOf, type AxiomSet } from './axiom-set.ts';
import type { Knowledge } from './known.ts';
import { all, byOperation, direct } from './order-rules.ts';

/** What `a ≤ b` rests on; null if it is not found. */
export type Order = (a: NumberExpression, b: NumberExpression) => AxiomSet | null;

/** Steps of one search, and how deep it goes: the call stack bounds the depth. */
const fuelPerSearch = 4_000;
const depthLimit = 600;

/** The order that `premises` and structure imply. Its search is bounded by fuel, so it may miss relations. */
export function createOrder(premises: readonly BooleanExpression[], knowledge: Knowledge): Order {
  const above = premisePairs(premises);
  const known = new Map<string, AxiomSet | null>();
  let fuel = 0;

  const search: Order = (a, b) => {
    fuel = fuelPerSearch;
    return isBelow(a, b, 0);
  };

  const isBelow = (a: NumberExpression, b: NumberExpression, depth: number): AxiomSet | null => {
    if (a === b) return noAxioms;
    const key = `${a.id}:${b.id}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    if (fuel <= 0 || depth > depthLimit) return null;
    fuel -= 1;
    // A question that depends on itself has no answer yet.
    known.set(key, null);
    const answer = byRange(a, b) ?? byStructure(a, b, depth + 1) ?? byPremise(a, b, depth + 1);
    // A failure for lack of fuel says nothing about the next search, so it is not remembered.
    if (answer || fuel > 0) known.set(key, answer);
    else known.delete(key);
    return answer;
  };

  const byRange = (a: NumberExpression, b: NumberExpression): AxiomSet | null => {
    const high = knowledge.range(a);
    const low = knowledge.range(b);
    return high.high && low.low && compareRational(high.high, low.low) <= 0 ? unionOf(high.axioms, low.axioms) : null;
  };

  const byStructure = (a: NumberExpression, b: NumberExpression, depth: number): AxiomSet | null => {
    const below = (x: NumberExpression, y: NumberExpression): AxiomSet | null => isBelow(x, y, depth);
    if (a.kind === 'maximum') return all(below(a.left, b), () => below(a.right, b));
    if (b.kind === 'minimum') return all(below(a, b.left), () => below(a, b.right));
    if (a.kind === 'if') return all(below(a.then, b), () => below(a.otherwise, b));
    if (b.kind === 'if') return all(below(a, b.then), () => below(a, b.otherwise));
    // The later operand first: loops append what they add, and most questions are decided there.
    if (b.kind === 'maximum') return direct(a, b) ?? below(a, b.right) ?? below(a, b.left);
    if (a.kind === 'minimum') return direct(a, b) ?? below(a.right, b) ?? below(a.left, b);
    return byOperation({ below, knowledge }, a, b);
  };

  const byPremise = (a: NumberExpression, b: NumberExpression, depth: number): AxiomSet | null => {
    for (const between of above.get(a) ?? []) {
      const found = isBelow(between, b, depth);
      if (found) return found;
    }
    return null;
  };

  return search;
}

/** For each number, those that are at least as large according to a premise. */
function premisePairs(
  premises: readonly BooleanExpression[],
): ReadonlyMap<NumberExpression, readonly NumberExpression[]> {
  const above = new Map<NumberExpression, NumberExpression[]>();
  const add = (small: NumberExpression, large: NumberExpression): void => {
    const list = above.get(small);
    if (list) list.push(large);
    else above.set(small, [large]);
  };
  const read = (premise: BooleanExpression): void => {
    switch (premise.kind) {
      case 'and':
        premise.operands.forEach(read);
        break;
      case 'less':
      case 'less-equal':
        add(premise.left, premise.right);
        break;
      case 'equal':
        add(premise.left, premise.right);
        add(premise.right, premise.left);
        break;
      case 'not':
        if (premise.operand.kind === 'less' || premise.operand.kind === 'less-equal')
          add(premise.operand.right, premise.operand.left);
        break;
      case 'truth':
      case 'or':
        break;
    }
  };
  premises.forEach(read);
  return above;
}
