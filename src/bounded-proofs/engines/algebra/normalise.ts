/**
 * Expressions as rational functions of atoms, by laws that hold for all reals where both sides are defined. Divisors are
 * assumed not to be 0, which is a safety condition of the code, proved along with the claim.
 */
import { compareRational, fraction, isWhole, ONE, toFloat, ZERO } from '../../../numeric/rational.ts';
import type { ElementaryFunction, NumberExpression } from '../../expression.ts';
import { numberArguments, summands } from '../interval/ranges.ts';
import { selectionOperands, type BinaryNode, type UnaryNode } from '../interval/selection.ts';
import type { Interval } from '../../../numeric/interval.ts';
import { atomTable, type AtomTable } from './atoms.ts';
import type { Effort } from './effort.ts';
import { exponential } from './exponential.ts';
import { choiceByIndicators } from './indicators.ts';
import { absoluteAtom, opaque, type Context, type NormaliserOptions } from './context.ts';
import { negativeByConvention, withLaws } from './laws.ts';
import {
  addFunctions,
  constantFunction,
  fromAtom,
  fromPolynomial,
  fromRational,
  functionKey,
  invertFunction,
  isZeroFunction,
  multiplyFunctions,
  negateFunction,
  powerFunction,
  reduced,
  type RationalFunction,
} from './rational-function.ts';
import { rootOf } from './roots.ts';
import { sumPolynomials } from './polynomial.ts';

/** Computes normal forms. Equal normal forms are equal values; different ones may be equal too. */
export interface Normaliser {
  readonly atoms: AtomTable;
  readonly effort: Effort;
  /** Null for an expression that divides by 0 everywhere. */
  readonly normal: (node: NumberExpression) => RationalFunction | null;
}

/** A normaliser with an empty table of atoms. */
export function createNormaliser(options: NormaliserOptions): Normaliser {
  const known = new Map<number, RationalFunction | null>();
  const atoms = atomTable();
  const get = (node: NumberExpression): RationalFunction | null => known.get(node.id) ?? null;
  const context: Context = { ...options, wholes: options.wholes ?? new Map(), atoms, get };
  const normal = (node: NumberExpression): RationalFunction | null => {
    const stack = [node];
    for (;;) {
      const top = stack.at(-1);
      if (top === undefined) return get(node);
      const waiting =
        known.has(top.id) || options.closed?.has(top)
          ? []
          : neededFor(top, options.closed).filter(({ id }) => !known.has(id));
      if (waiting.length > 0) stack.push(...waiting);
      else {
        if (!known.has(top.id)) known.set(top.id, normaliseOne(top, context));
        stack.pop();
      }
    }
  };
  return { atoms, effort: options.effort, normal };
}

/** Sums are handled as a whole: one pass over all their terms. */
function neededFor(node: NumberExpression, closed: NormaliserOptions['closed']): readonly NumberExpression[] {
  if (node.kind === 'add') return summands(node, closed);
  if (node.kind === 'maximum' || node.kind === 'minimum') return [...selectionOperands(node)];
  return numberArguments(node);
}

function normaliseOne(node: NumberExpression, context: Context): RationalFunction | null {
  const { get, effort, closed } = context;
  if (closed?.has(node)) return opaque(context, `number ${node.id}`, node);
  const left = 'left' in node ? get(node.left) : null;
  const right = 'right' in node ? get(node.right) : null;
  switch (node.kind) {
    case 'constant':
      return fromRational(node.value);
    case 'variable':
      return opaque(context, `variable ${node.name}`, node, { variable: true });
    case 'add':
      return sumOf(summands(node, closed), context);
    case 'multiply':
      return left && right && withLaws(multiplyFunctions(left, right, effort), context.atoms, effort);
    case 'divide': {
      const inverse = right && invertFunction(right, effort);
      return left && inverse && withLaws(multiplyFunctions(left, inverse, effort), context.atoms, effort);
    }
    case 'negate': {
      const operand = get(node.operand);
      return operand && negateFunction(operand);
    }
    case 'absolute':
      return absoluteOf(node, context);
    case 'maximum':
    case 'minimum':
      return selectionOf(node, context);
    case 'sqrt':
      return rootOf(node, context);
    case 'power':
      return powerOf(node, context);
    case 'function':
      return functionOf(node, context);
    case 'if': {
      const [then, otherwise] = [get(node.then), get(node.otherwise)];
      if (!then || !otherwise) return null;
      const holds = context.ranges.truth(node.condition);
      if (holds !== null) return holds ? then : otherwise;
      const chosen = context.takeApart ? choiceByIndicators(node, context) : null;
      if (chosen) return chosen;
      const key = `if ${node.condition.id} ${functionKey(then)} : ${functionKey(otherwise)}`;
      return functionKey(then) === functionKey(otherwise) ? then : opaque(context, key, node);
    }
    default:
      return opaqueOver(node, context);
  }
}

function sumOf(terms: readonly NumberExpression[], context: Context): RationalFunction | null {
  const parts = terms.map(context.get);
  const plain = parts.flatMap((part) => (part && part.divisors.size === 0 ? [part.numerator] : []));
  // Quotients with the same divisors are added first, so that none is brought to a common divisor twice.
  const groups = new Map<string, RationalFunction[]>();
  for (const part of parts) {
    if (part === null) return null;
    if (part.divisors.size === 0) continue;
    const key = [...part.divisors]
      .map(([name, { exponent }]) => `(${name})^${exponent}`)
      .toSorted()
      .join('');
    groups.set(key, [...(groups.get(key) ?? []), part]);
  }
  let sum = fromPolynomial(sumPolynomials(plain, context.effort));
  for (const group of groups.values()) {
    const numerators = group.map(({ numerator }) => numerator);
    const numerator = sumPolynomials(numerators, context.effort);
    const divisors = group[0]?.divisors ?? new Map();
    // Σ eⱼ/S is 1 here, and not later, when S has been brought to all other divisors.
    sum = addFunctions(sum, reduced({ numerator, divisors }), context.effort);
  }
  return sum;
}

/** The range of a value that no node represents. */
const nonnegative: Interval = { low: 0, high: Infinity };

/** Equal functions of equal arguments are equal: the key names the function and its arguments' normal forms. */
function opaqueOver(node: NumberExpression, context: Context): RationalFunction | null {
  const parts = numberArguments(node).map(context.get);
  const keys = parts.map((part) => (part === null ? null : functionKey(part)));
  if (keys.includes(null)) return null;
  const name = node.kind === 'machine' ? `f32:${node.fn}` : node.kind;
  return opaque(context, `${name}(${keys.join(' ; ')})`, node, { variable: true });
}

function absoluteOf(node: UnaryNode, context: Context): RationalFunction | null {
  const { effort, ranges, get } = context;
  const { operand } = node;
  const inner = get(operand);
  if (inner === null) return null;
  const constant = constantFunction(inner);
  if (constant)
    return fromRational(constant.numerator < 0n ? fraction(-constant.numerator, constant.denominator) : constant);
  const range = ranges.range(operand);
  const apart = context.takeApart || hasSigns(inner, context.atoms);
  if (range.low >= 0 && apart) return inner;
  if (range.high <= 0 && apart) return negateFunction(inner);
  const [term] = inner.numerator.size === 1 ? inner.numerator.values() : [];
  if (term && inner.divisors.size === 0) {
    // |c·Πaᵏ| = |c|·Π|a|ᵏ, where an even power needs no bars.
    let product = fromRational(
      term.coefficient.numerator < 0n
        ? fraction(-term.coefficient.numerator, term.coefficient.denominator)
        : term.coefficient,
    );
    for (const { atom, exponent } of term.monomial.factors) {
      const base = absoluteAtom(atom, exponent, context);
      const power =
        exponent < 0
          ? invertFunction(powerFunction(base, -exponent, effort), effort)
          : powerFunction(base, exponent, effort);
      if (power === null) return null;
      product = multiplyFunctions(product, power, effort);
    }
    return product;
  }
  return opaque(context, `|${functionKey(negativeByConvention(inner) ? negateFunction(inner) : inner)}|`, node);
}

/** Whether the sign is apparent: no term is negative, being a product of atoms of known sign. */
function hasSigns(inner: RationalFunction, atoms: AtomTable): boolean {
  const polynomials = [inner.numerator, ...[...inner.divisors.values()].map(({ polynomial }) => polynomial)];
  return polynomials.every((polynomial) =>
    [...polynomial.values()].every(
      ({ coefficient, monomial }) =>
        coefficient.numerator > 0n &&
        monomial.factors.every(({ atom, exponent }) => exponent % 2 === 0 || (atoms.get(atom)?.range.low ?? -1) >= 0),
    ),
  );
}

/** max(p₁, …) = p₁ + max{0, p₂ − p₁, …}, so that a shift of all operands shows; min p = −max −p. */
function selectionOf(node: BinaryNode, context: Context): RationalFunction | null {
  const { effort } = context;
  const sign = node.kind === 'minimum' ? -1 : 1;
  const operands = [...selectionOperands(node)].map(context.get);
  if (operands.includes(null)) return null;
  const signed = operands.flatMap((part) => (part === null ? [] : [sign < 0 ? negateFunction(part) : part]));
  const [first, ...rest] = signed;
  if (!first) return null;
  const differences = new Map<string, RationalFunction>();
  for (const part of rest) {
    const difference = addFunctions(part, negateFunction(first), effort);
    const constant = constantFunction(difference);
    if (constant && compareRational(constant, ZERO) <= 0) continue;
    differences.set(functionKey(difference), difference);
  }
  const excesses = [...differences].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
  const key = `max{0, ${[...differences.keys()].toSorted().join(' ; ')}}`;
  const excess =
    excesses.length === 0 ? fromRational(ZERO) : opaque(context, key, null, { range: nonnegative, excesses });
  const largest = addFunctions(first, excess, effort);
  return sign < 0 ? negateFunction(largest) : largest;
}

function powerOf(node: BinaryNode, context: Context): RationalFunction | null {
  const base = context.get(node.left);
  const exponent = node.right.kind === 'constant' && isWhole(node.right.value) ? toFloat(node.right.value) : null;
  if (base === null || exponent === null || Math.abs(exponent) > 64) return opaqueOver(node, context);
  const power = withLaws(powerFunction(base, Math.abs(exponent), context.effort), context.atoms, context.effort);
  if (power === null) return null;
  return exponent < 0 ? invertFunction(power, context.effort) : power;
}

/** f(−x) = −f(x). */
const odd: ReadonlySet<ElementaryFunction> = new Set(['sin', 'tan', 'tanh', 'sinh', 'atan', 'asin', 'erf'] as const);
/** f(−x) = f(x). */
const even: ReadonlySet<ElementaryFunction> = new Set(['cos', 'cosh'] as const);

function functionOf(node: NumberExpression & { kind: 'function' }, context: Context): RationalFunction | null {
  const { fn, operand } = node;
  const inner = context.get(operand);
  if (inner === null) return null;
  if (fn === 'exp') return context.takeApart ? exponential(inner, context) : plainExponential(inner, node, context);
  if (fn === 'log') return logarithm(node, inner, context);
  const flipped = (odd.has(fn) || even.has(fn)) && negativeByConvention(inner);
  const argument = flipped ? negateFunction(inner) : inner;
  if (isZeroFunction(argument) && odd.has(fn)) return argument;
  if (isZeroFunction(argument) && even.has(fn)) return fromRational(ONE);
  const value = fn === 'sin' ? sine(argument, context) : namedFunction(fn, argument, context, flipped ? null : node);
  return flipped && odd.has(fn) ? negateFunction(value) : value;
}

function plainExponential(inner: RationalFunction, node: NumberExpression, context: Context): RationalFunction {
  return isZeroFunction(inner) ? fromRational(ONE) : namedFunction('exp', inner, context, node);
}

function namedFunction(
  fn: ElementaryFunction,
  argument: RationalFunction,
  context: Context,
  node: NumberExpression | null,
): RationalFunction {
  const range = node === null && (fn === 'sin' || fn === 'cos') ? { low: -1, high: 1 } : undefined;
  return opaque(context, `${fn}(${functionKey(argument)})`, node, range ? { range } : {});
}

/** With its cosine, so that sin² + cos² is 1. */
function sine(argument: RationalFunction, context: Context): RationalFunction {
  const cosineKey = `cos(${functionKey(argument)})`;
  const cosine = context.atoms.of(cosineKey, () => ({
    range: { low: -1, high: 1 },
    law: null,
    excesses: null,
    exponent: null,
  }));
  return opaque(context, `sin(${functionKey(argument)})`, null, {
    range: { low: -1, high: 1 },
    law: { kind: 'sine', cosine: cosine.id },
  });
}

/** log(exp a) = a; log(a·b) and log(a/b) are split if both are positive. */
function logarithm(
  node: NumberExpression & { kind: 'function' },
  inner: RationalFunction,
  context: Context,
): RationalFunction | null {
  const constant = constantFunction(inner);
  if (constant && compareRational(constant, ONE) === 0) return fromRational(ZERO);
  const [term] = inner.numerator.size === 1 ? inner.numerator.values() : [];
  const positive = (id: number): boolean => {
    const atom = context.atoms.get(id);
    return atom !== undefined && (atom.range.low > 0 || atom.exponent !== null);
  };
  if (!context.takeApart || !term || term.coefficient.numerator < 0n) return opaqueLog(inner, node, context);
  const divisors = [...inner.divisors.values()];
  const separable =
    term.monomial.factors.every(({ atom }) => positive(atom)) &&
    divisors.every(({ polynomial }) => hasSigns(fromPolynomial(polynomial), context.atoms)) &&
    term.monomial.factors.length + divisors.length > 0;
  if (!separable) return opaqueLog(inner, node, context);
  let sum =
    compareRational(term.coefficient, ONE) === 0
      ? fromRational(ZERO)
      : opaqueLog(fromRational(term.coefficient), null, context);
  for (const { atom, exponent } of term.monomial.factors) {
    const argument = context.atoms.get(atom)?.exponent ?? null;
    const part = argument ?? opaqueLog(fromAtom(atom), null, context);
    sum = addFunctions(
      sum,
      multiplyFunctions(part, fromRational(fraction(BigInt(exponent))), context.effort),
      context.effort,
    );
  }
  for (const { polynomial, exponent } of divisors) {
    const part = opaqueLog(fromPolynomial(polynomial), null, context);
    sum = addFunctions(
      sum,
      multiplyFunctions(part, fromRational(fraction(BigInt(-exponent))), context.effort),
      context.effort,
    );
  }
  return sum;
}

function opaqueLog(inner: RationalFunction, node: NumberExpression | null, context: Context): RationalFunction {
  return opaque(context, `log(${functionKey(inner)})`, node, { logarithm: inner });
}
