/**
 * Numbers of a claim as sums of monomials with exact coefficients and a bound of their rounding error, which itself is a sum
 * of sizes of monomials. A float32 sum Σ wⱼ·vⱼ of n terms so has the error Σ cⱼ·|wⱼ·vⱼ| with cⱼ about (n − j + 2)·2⁻²⁴
 * (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., §3.1), and not n times the largest term.
 */
import { addRational, multiplyRational, negateRational, toFloat, type Rational } from '../../numeric/rational.ts';
import { plus, times } from '../engines/rounding/numbers-up.ts';
import { numberArguments } from '../engines/interval/ranges.ts';
import type { Graph, NumberExpression } from '../expression.ts';

/** Coefficient by monomial: an atom, a product of two, or the constant 1. */
type Terms = ReadonlyMap<NumberExpression, Rational>;

/** Σ terms, up to Σ error·|monomial|. */
export interface LinearForm {
  readonly terms: Terms;
  readonly error: ReadonlyMap<NumberExpression, number>;
}

/** Computes the linear form of numbers, each once. */
export interface LinearForms {
  readonly form: (node: NumberExpression) => LinearForm;
  /** Whether some form so far has a rounding in it. */
  readonly hasRounded: () => boolean;
  /** The product of two sums of atoms; null if it has more than two factors in a term. */
  readonly product: (a: LinearForm, b: LinearForm) => LinearForm | null;
  /** The two factors of a monomial that is a product; null for an atom. */
  readonly factorsOf: (monomial: NumberExpression) => readonly [NumberExpression, NumberExpression] | null;
}

/** Half a unit in the last place, relative; and what underflow adds at most. */
const unit = 2 ** -24;
const tiny = 2 ** -150;
/** Products with more terms remain atoms. */
const mostTerms = 4096;

/** Nothing is known at first; nodes must belong to `graph`. */
export function linearForms(graph: Graph): LinearForms {
  const known = new Map<NumberExpression, LinearForm>();
  const products = new Map<NumberExpression, readonly [NumberExpression, NumberExpression]>();
  const one = graph.integer(1);
  let rounded = false;

  const atom = (node: NumberExpression): LinearForm => ({
    terms: new Map([[node, { numerator: 1n, denominator: 1n }]]),
    error: new Map(),
  });
  const formOf = (node: NumberExpression): LinearForm => known.get(node) ?? atom(node);

  const compute = (node: NumberExpression): LinearForm => {
    switch (node.kind) {
      case 'constant':
        return { terms: node.value.numerator === 0n ? new Map() : new Map([[one, node.value]]), error: new Map() };
      case 'negate':
        return negated(formOf(node.operand));
      case 'add':
        return sumOf(formOf(node.left), formOf(node.right));
      case 'multiply':
        return productOf(formOf(node.left), formOf(node.right)) ?? atom(node);
      case 'round32':
        rounded = true;
        return roundedForm(formOf(node.operand), node);
      default:
        return atom(node);
    }
  };

  const productOf = (a: LinearForm, b: LinearForm): LinearForm | null => {
    if (a.error.size + b.error.size > 0 || a.terms.size * b.terms.size > mostTerms) return null;
    const terms = new Map<NumberExpression, Rational>();
    for (const [left, c] of a.terms)
      for (const [right, d] of b.terms) {
        if (left !== one && right !== one && (products.has(left) || products.has(right))) return null;
        add(terms, left === one ? right : right === one ? left : monomial(left, right), multiplyRational(c, d));
      }
    return { terms, error: new Map() };
  };

  const monomial = (left: NumberExpression, right: NumberExpression): NumberExpression => {
    const [a, b] = left.id <= right.id ? [left, right] : [right, left];
    const node = graph.multiply(a, b);
    products.set(node, [a, b]);
    return node;
  };

  /** |RN(a) − a| ≤ 2⁻²⁴·|a| + 2⁻¹⁵⁰. The result of a nonlinear operation is an atom. */
  const roundedForm = ({ terms, error }: LinearForm, node: NumberExpression): LinearForm => {
    if (error.size === 0 && terms.size === 1 && [...terms.keys()].every((only) => only === one || !isLinear(only)))
      return atom(node);
    const grown = new Map([...error].map(([at, coefficient]) => [at, plus(coefficient, times(coefficient, unit))]));
    for (const [at, coefficient] of terms) {
      const size = sizeOf(coefficient);
      grown.set(at, plus(grown.get(at) ?? 0, times(size, unit)));
    }
    return { terms, error: grown.set(one, plus(grown.get(one) ?? 0, tiny)) };
  };
  const isLinear = (node: NumberExpression): boolean => products.has(node) || node.kind === 'variable';

  return {
    form: (node) => {
      const stack = [node];
      for (let top = stack.at(-1); top; top = stack.at(-1)) {
        const waiting =
          known.has(top) || !isTakenApart(top) ? [] : numberArguments(top).filter((part) => !known.has(part));
        if (waiting.length > 0) stack.push(...waiting);
        else {
          if (!known.has(top)) known.set(top, compute(top));
          stack.pop();
        }
      }
      return formOf(node);
    },
    product: productOf,
    hasRounded: () => rounded,
    factorsOf: (node) => products.get(node) ?? null,
  };
}

const isTakenApart = ({ kind }: NumberExpression): boolean =>
  kind === 'negate' || kind === 'add' || kind === 'multiply' || kind === 'round32';

function add(terms: Map<NumberExpression, Rational>, at: NumberExpression, coefficient: Rational): void {
  const before = terms.get(at);
  const sum = before ? addRational(before, coefficient) : coefficient;
  if (sum.numerator === 0n) terms.delete(at);
  else terms.set(at, sum);
}

/** The form with all coefficients negated; the error bound is the same. */
export function negated({ terms, error }: LinearForm): LinearForm {
  return { terms: new Map([...terms].map(([node, coefficient]) => [node, negateRational(coefficient)])), error };
}

/** The sum of two forms. Their errors add up, rounded upwards. */
export function sumOf(a: LinearForm, b: LinearForm): LinearForm {
  const [large, small] = a.terms.size >= b.terms.size ? [a, b] : [b, a];
  const terms = new Map(large.terms);
  for (const [node, coefficient] of small.terms) add(terms, node, coefficient);
  const error = new Map(large.error);
  for (const [node, coefficient] of small.error) error.set(node, plus(error.get(node) ?? 0, coefficient));
  return { terms, error };
}

/** At least |a|. */
export function sizeOf(a: Rational): number {
  const size = Math.abs(toFloat(a));
  return plus(size, times(size, 2 ** -50), a.numerator === 0n ? 0 : Number.MIN_VALUE);
}
