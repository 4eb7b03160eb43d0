/**
 * The value of expressions at one input: exact fractions, rounding in one step, and float32 functions as the code computes
 * them. An exact transcendental number is not a fraction; its float64 value is used instead, and the result says so.
 */
import {
  addRational,
  compareRational,
  divideRational,
  floorRational,
  fromFloat,
  isWhole,
  multiplyRational,
  negateRational,
  subtractRational,
  toFloat,
  type Rational,
} from '../../../numeric/rational.ts';
import { integerRoot, rationalRoot } from '../../../numeric/rational-root.ts';
import { roundRational32, roundWhole } from '../../../numeric/round-rational.ts';
import { argumentsOf } from '../../arguments-of.ts';
import type { BooleanExpression, Expression, NumberExpression } from '../../expression.ts';
import type { Model } from '../engine.ts';
import { machineValue } from './elementary-facts.ts';

/** Evaluates expressions at one assignment, each node once. */
export interface Point {
  /** Null if it has no value: a division by zero, an overflow, a function outside its domain. */
  readonly number: (node: NumberExpression) => Rational | null;
  readonly truth: (node: BooleanExpression) => boolean | null;
  /** Whether nothing below the node is approximated. */
  readonly isExact: (node: Expression) => boolean;
}

/** Evaluation at `model`, which must assign every variable. */
export function evaluateAt(model: Model): Point {
  const numbers = new Map<number, Rational | null>();
  const truths = new Map<number, boolean | null>();
  const approximated = new Set<number>();

  const number = (node: NumberExpression): Rational | null => numbers.get(node.id) ?? null;

  const visit = (root: Expression): void => {
    const stack: Expression[] = [root];
    const opened = new Set<number>();
    for (let node = stack.at(-1); node !== undefined; node = stack.at(-1)) {
      if (numbers.has(node.id) || truths.has(node.id)) stack.pop();
      else if (opened.has(node.id)) {
        stack.pop();
        if (argumentsOf(node).some(({ id }) => approximated.has(id))) approximated.add(node.id);
        if (node.sort === 'number') numbers.set(node.id, numberOf(node));
        else truths.set(node.id, truthOf(node));
      } else {
        opened.add(node.id);
        stack.push(...argumentsOf(node));
      }
    }
  };

  const numberOf = (node: NumberExpression): Rational | null => {
    switch (node.kind) {
      case 'constant':
        return node.value;
      case 'variable': {
        const value = model.get(node.name);
        return value === undefined ? null : fromFloat(value);
      }
      case 'add':
      case 'multiply':
      case 'divide':
      case 'minimum':
      case 'maximum':
      case 'power':
      case 'machine-power':
      case 'modulo':
      case 'remainder': {
        const [a, b] = [number(node.left), number(node.right)];
        return a && b && combine(node, a, b, () => approximated.add(node.id));
      }
      case 'if': {
        const condition = truths.get(node.condition.id) ?? null;
        return condition === null ? null : number(condition ? node.then : node.otherwise);
      }
      case 'function': {
        const operand = number(node.operand);
        if (!operand || node.fn === 'erf') return null;
        approximated.add(node.id);
        return finite(Math[node.fn](toFloat(operand)));
      }
      case 'machine': {
        const operand = number(node.operand);
        return operand && finite(machineValue(node.fn, toFloat(operand)));
      }
      default: {
        const operand = number(node.operand);
        return operand && transform(node.kind, operand, () => approximated.add(node.id));
      }
    }
  };

  const truthOf = (node: BooleanExpression): boolean | null => {
    switch (node.kind) {
      case 'truth':
        return node.value;
      case 'not': {
        const operand = truths.get(node.operand.id) ?? null;
        return operand === null ? null : !operand;
      }
      case 'and':
      case 'or': {
        const deciding = node.kind === 'or';
        const values = node.operands.map(({ id }) => truths.get(id) ?? null);
        if (values.includes(deciding)) return deciding;
        return values.includes(null) ? null : !deciding;
      }
      default: {
        const [a, b] = [number(node.left), number(node.right)];
        if (!a || !b) return null;
        const order = compareRational(a, b);
        return node.kind === 'less' ? order < 0 : node.kind === 'equal' ? order === 0 : order <= 0;
      }
    }
  };

  return {
    number: (node) => {
      visit(node);
      return number(node);
    },
    truth: (node) => {
      visit(node);
      return truths.get(node.id) ?? null;
    },
    isExact: (node) => {
      visit(node);
      return !approximated.has(node.id);
    },
  };
}

function combine({ kind }: NumberExpression, a: Rational, b: Rational, approximate: () => void): Rational | null {
  switch (kind) {
    case 'add':
      return addRational(a, b);
    case 'multiply':
      return multiplyRational(a, b);
    case 'divide':
      return b.numerator === 0n ? null : divideRational(a, b);
    case 'minimum':
      return compareRational(a, b) <= 0 ? a : b;
    case 'maximum':
      return compareRational(a, b) >= 0 ? a : b;
    case 'modulo':
      return b.numerator === 0n
        ? null
        : subtractRational(a, multiplyRational(b, whole(floorRational(divideRational(a, b)))));
    case 'remainder':
      return b.numerator === 0n
        ? null
        : subtractRational(a, multiplyRational(b, whole(roundWhole('truncate', divideRational(a, b)))));
    default: {
      // A whole exponent of moderate size has a fraction; any other power is approximated.
      const exponent = isWhole(b) ? Number(b.numerator) : Number.NaN;
      if (kind === 'power' && exponent >= 0 && exponent <= 16) return wholePower(a, exponent);
      approximate();
      const value = toFloat(a) ** toFloat(b);
      return finite(kind === 'power' ? value : Math.fround(value));
    }
  }
}

function transform(kind: NumberExpression['kind'], operand: Rational, approximate: () => void): Rational | null {
  switch (kind) {
    case 'negate':
      return negateRational(operand);
    case 'absolute':
      return operand.numerator < 0n ? negateRational(operand) : operand;
    case 'sqrt':
      return squareRoot(operand, approximate);
    case 'round32':
      return roundRational32(operand);
    case 'floor':
    case 'ceiling':
    case 'truncate':
    case 'round-half-even':
    case 'round-half-up':
      return whole(roundWhole(kind, operand));
    default:
      return null;
  }
}

/** Exact where it is a fraction, else a fraction within 2⁻²⁰⁰ of it, relatively. */
function squareRoot({ numerator, denominator }: Rational, approximate: () => void): Rational | null {
  if (numerator < 0n) return null;
  const exact = rationalRoot({ numerator, denominator });
  if (exact) return exact;
  approximate();
  const shift = BigInt(Math.max(0, 420 + 2 * denominator.toString(2).length - numerator.toString(2).length));
  const even = shift + (shift % 2n);
  return divideRational(whole(integerRoot((numerator << even) / denominator)), whole(1n << (even / 2n)));
}

function wholePower(base: Rational, exponent: number): Rational {
  let product: Rational = whole(1n);
  for (let i = 0; i < exponent; i++) product = multiplyRational(product, base);
  return product;
}

function whole(value: bigint): Rational {
  return { numerator: value, denominator: 1n };
}

function finite(value: number): Rational | null {
  return Number.isFinite(value) ? fromFloat(value) : null;
}
