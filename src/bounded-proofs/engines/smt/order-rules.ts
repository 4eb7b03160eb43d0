/** Rules about what preserves order: roundings, increasing functions, sums, opposites, products and quotients of known sign. */
import type { NumberExpression } from '../../expression.ts';
import { axiomSet, noAxioms, unionOf, type AxiomSet } from './axiom-set.ts';
import { factsOf } from './elementary-facts.ts';
import type { Knowledge } from './known.ts';
import type { Binary } from './node-shapes.ts';

/** What a rule may ask about smaller numbers. */
export interface Rules {
  readonly knowledge: Knowledge;
  /** What `a ≤ b` rests on for smaller numbers; null if it is not found. */
  readonly below: (a: NumberExpression, b: NumberExpression) => AxiomSet | null;
}

const increasingRounding = axiomSet('rounding-monotone');
const exactRounding = axiomSet('rounding-monotone', 'rounding-exact');

/** What `a ≤ b` rests on, according to the operations of a and b; null if no rule applies. */
export function byOperation(rules: Rules, a: NumberExpression, b: NumberExpression): AxiomSet | null {
  return (
    roundings(rules, a, b) ?? functions(rules, a, b) ?? sums(rules, a, b) ?? signs(rules, a, b) ?? products(rules, a, b)
  );
}

/** A maximum is at least each of its operands, a minimum at most. */
export function direct(a: NumberExpression, b: NumberExpression): AxiomSet | null {
  const isOperand =
    (b.kind === 'maximum' && (b.left === a || b.right === a)) ||
    (a.kind === 'minimum' && (a.left === b || a.right === b));
  return isOperand ? noAxioms : null;
}

function isNonNegative({ range }: Knowledge, node: NumberExpression): AxiomSet | null {
  const { low, axioms } = range(node);
  return low !== null && low.numerator >= 0n ? axioms : null;
}
function isNonPositive({ range }: Knowledge, node: NumberExpression): AxiomSet | null {
  const { high, axioms } = range(node);
  return high !== null && high.numerator <= 0n ? axioms : null;
}

function roundings({ below, knowledge }: Rules, a: NumberExpression, b: NumberExpression): AxiomSet | null {
  if (a.kind === 'round32' && b.kind === 'round32') return also(below(a.operand, b.operand), increasingRounding);
  if (b.kind === 'round32' && knowledge.isFloat32(a)) return also(below(a, b.operand), exactRounding);
  if (a.kind === 'round32' && knowledge.isFloat32(b)) return also(below(a.operand, b), exactRounding);
  return null;
}

function functions({ below, knowledge }: Rules, a: NumberExpression, b: NumberExpression): AxiomSet | null {
  if ((a.kind !== 'machine' && a.kind !== 'function') || a.kind !== b.kind || a.fn !== b.fn) {
    if (a.kind !== 'sqrt' || b.kind !== 'sqrt') return null;
    return all(isNonNegative(knowledge, a.operand), () => below(a.operand, b.operand));
  }
  const { increasing } = factsOf(a.kind, a.fn);
  if (!increasing) return null;
  const isDefined = increasing.from === null ? noAxioms : knowledge.positive(a.operand);
  return also(
    all(isDefined, () => below(a.operand, b.operand)),
    axiomSet(increasing.axiom),
  );
}

function sums({ below, knowledge }: Rules, a: NumberExpression, b: NumberExpression): AxiomSet | null {
  if (a.kind === 'add' && b.kind === 'add') {
    const both =
      all(below(a.left, b.left), () => below(a.right, b.right)) ??
      all(below(a.left, b.right), () => below(a.right, b.left));
    if (both) return both;
  }
  if (b.kind === 'add') {
    const { left, right } = b;
    const found =
      (right === a ? isNonNegative(knowledge, left) : null) ??
      all(isNonNegative(knowledge, right), () => below(a, left)) ??
      all(isNonNegative(knowledge, left), () => below(a, right));
    if (found) return found;
  }
  if (a.kind === 'add') {
    const { left, right } = a;
    return (
      all(isNonPositive(knowledge, right), () => below(left, b)) ??
      all(isNonPositive(knowledge, left), () => below(right, b))
    );
  }
  return null;
}

function signs({ below }: Rules, a: NumberExpression, b: NumberExpression): AxiomSet | null {
  if (a.kind === 'negate' && b.kind === 'negate') return below(b.operand, a.operand);
  if (b.kind === 'absolute') {
    const inside = below(a, b.operand);
    if (inside) return inside;
    if (a.kind === 'negate') return below(b.operand, a.operand);
  }
  return null;
}

function products({ below, knowledge }: Rules, a: NumberExpression, b: NumberExpression): AxiomSet | null {
  if (a.kind === 'divide' && b.kind === 'divide' && a.right === b.right)
    return all(knowledge.positive(a.right), () => below(a.left, b.left));
  if (a.kind === 'divide' && b.kind === 'divide' && a.left === b.left)
    return all(isNonNegative(knowledge, a.left), () => all(knowledge.positive(b.right), () => below(b.right, a.right)));
  if (a.kind !== 'multiply' || b.kind !== 'multiply') return null;
  const shared = sharedFactor(a, b);
  if (!shared) return null;
  return (
    all(isNonNegative(knowledge, shared.factor), () => below(shared.first, shared.second)) ??
    all(isNonPositive(knowledge, shared.factor), () => below(shared.second, shared.first))
  );
}

/** The factor that both products have, and the other factor of each. */
export function sharedFactor(
  a: Binary,
  b: Binary,
): { readonly factor: NumberExpression; readonly first: NumberExpression; readonly second: NumberExpression } | null {
  if (a.left === b.left) return { factor: a.left, first: a.right, second: b.right };
  if (a.left === b.right) return { factor: a.left, first: a.right, second: b.left };
  if (a.right === b.left) return { factor: a.right, first: a.left, second: b.right };
  if (a.right === b.right) return { factor: a.right, first: a.left, second: b.left };
  return null;
}

/** The union of both bases; null if either is unknown. The second is only computed if the first is known. */
export function all(first: AxiomSet | null, second: () => AxiomSet | null): AxiomSet | null {
  if (!first) return null;
  const other = second();
  return other && unionOf(first, other);
}

function also(found: AxiomSet | null, axioms: AxiomSet): AxiomSet | null {
  return found && unionOf(found, axioms);
}
