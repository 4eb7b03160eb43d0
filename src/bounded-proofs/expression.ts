/**
 * What kernels compute and what claims say, at concrete sizes, as one directed acyclic graph.
 *
 * Every number is a real number: a float32 operation of a kernel is the real operation inside `round32`, so a float32
 * value is a real that happens to be representable. NaN and infinities have no node; the conditions under which none
 * arises are collected separately (see `problem.ts`), and a proof holds only where they are proved as well.
 *
 * Nodes are interned: equal structure is the same object, so identity compares in one step and a value that is
 * used a thousand times is looked at once.
 */
import { invariant } from '../base/invariant.ts';
import {
  addRational,
  bitLength,
  compareRational,
  divideRational,
  isLong,
  multiplyRational,
  negateRational,
  ONE,
  ZERO,
  type Rational,
} from '../numeric/rational.ts';
import { roundRational32, roundWhole, type WholeRounding } from '../numeric/round-rational.ts';

/** Elementary functions. As a `function` they are exact over the reals; as `machine` their float32 implementation. */
export const elementaryFunctions = [
  'exp',
  'log',
  'log2',
  'log10',
  'sin',
  'cos',
  'tan',
  'tanh',
  'sinh',
  'cosh',
  'atan',
  'asin',
  'acos',
  'erf',
] as const;

/** A function that engines know only by facts and enclosures. */
export type ElementaryFunction = (typeof elementaryFunctions)[number];

/** Exact operations on reals. Rounding is a separate node. */
export type Arithmetic = 'add' | 'multiply' | 'divide';

/** The smaller or larger of two numbers. */
export type Selection = 'minimum' | 'maximum';

/** Functions that step: their result on reals is a whole number. */
export type Stepping = WholeRounding;

/** Relations between numbers; the others are written with these and `not`. */
export type Comparison = 'less' | 'less-equal' | 'equal';

interface Node {
  /** Unique within a graph; a node's arguments have smaller ones. */
  readonly id: number;
}

/** A real number as a node of a graph; equal nodes are the same object. */
export type NumberExpression = Node & { readonly sort: 'number' } & (
    | { readonly kind: 'constant'; readonly value: Rational }
    | { readonly kind: 'variable'; readonly name: string }
    | {
        readonly kind: Arithmetic | Selection;
        readonly left: NumberExpression;
        readonly right: NumberExpression;
      }
    | { readonly kind: 'negate' | 'absolute' | 'sqrt' | Stepping; readonly operand: NumberExpression }
    /** The float32 nearest to the operand, ties to even; without a bound on the exponent above (overflow is a condition). */
    | { readonly kind: 'round32'; readonly operand: NumberExpression }
    /** The exact function over the reals. */
    | { readonly kind: 'function'; readonly fn: ElementaryFunction; readonly operand: NumberExpression }
    /** What the backend's float32 function gives for a float32 operand: a float32 near the exact value. */
    | { readonly kind: 'machine'; readonly fn: ElementaryFunction; readonly operand: NumberExpression }
    /** `left` to the power of `right`, exact. */
    | { readonly kind: 'power' | 'machine-power'; readonly left: NumberExpression; readonly right: NumberExpression }
    /** left − right·⌊left/right⌋, which is the mathematics' `mod`. */
    | { readonly kind: 'modulo'; readonly left: NumberExpression; readonly right: NumberExpression }
    /** left − right·trunc(left/right), which is the code's `%`; exact on float32. */
    | { readonly kind: 'remainder'; readonly left: NumberExpression; readonly right: NumberExpression }
    | {
        readonly kind: 'if';
        readonly condition: BooleanExpression;
        readonly then: NumberExpression;
        readonly otherwise: NumberExpression;
      }
  );

/** A statement as a node of a graph; equal nodes are the same object. */
export type BooleanExpression = Node & { readonly sort: 'boolean' } & (
    | { readonly kind: 'truth'; readonly value: boolean }
    | { readonly kind: Comparison; readonly left: NumberExpression; readonly right: NumberExpression }
    | { readonly kind: 'not'; readonly operand: BooleanExpression }
    | { readonly kind: 'and' | 'or'; readonly operands: readonly BooleanExpression[] }
  );

/** Any node of a graph. */
export type Expression = NumberExpression | BooleanExpression;

/** Of a graph with more nodes than this nothing is decided. */
const defaultNodeLimit = 2_000_000;

/** Longer constants are refused, in bits: their arithmetic takes milliseconds each time, and squares double them. */
const longestConstant = 2 ** 14;

/** Thrown when a graph outgrows its limits; who builds graphs catches it and calls the problem too large. */
export class GraphTooLarge extends Error {
  constructor(beyond: string) {
    super(`more than ${beyond}`);
    this.name = 'GraphTooLarge';
  }
}

/**
 * A graph under construction. Constants are folded, neutral elements dropped and signs drawn out of products, quotients
 * and roundings (which all are odd), nothing else: what an engine sees is what the code says, in its order.
 */
export class Graph {
  readonly #interned = new Map<string, Expression>();
  readonly #limit: number;
  readonly true: BooleanExpression;
  readonly false: BooleanExpression;

  constructor(limit: number = defaultNodeLimit) {
    this.#limit = limit;
    this.true = this.#boolean('truth:1', (id) => ({ id, sort: 'boolean', kind: 'truth', value: true }));
    this.false = this.#boolean('truth:0', (id) => ({ id, sort: 'boolean', kind: 'truth', value: false }));
  }

  /** How many nodes there are. */
  get size(): number {
    return this.#interned.size;
  }

  constant(value: Rational): NumberExpression {
    if (isLong(value) && bitLength(value) > longestConstant)
      throw new GraphTooLarge(`${longestConstant} bits in a constant`);
    return this.#number(`constant:${value.numerator}/${value.denominator}`, (id) => ({
      id,
      sort: 'number',
      kind: 'constant',
      value,
    }));
  }

  integer(value: number | bigint): NumberExpression {
    return this.constant({ numerator: BigInt(value), denominator: 1n });
  }

  truth(value: boolean): BooleanExpression {
    return value ? this.true : this.false;
  }

  variable(name: string): NumberExpression {
    return this.#number(`variable:${name}`, (id) => ({ id, sort: 'number', kind: 'variable', name }));
  }

  add(left: NumberExpression, right: NumberExpression): NumberExpression {
    if (left.kind === 'constant' && right.kind === 'constant')
      return this.constant(addRational(left.value, right.value));
    if (isConstant(left, ZERO)) return right;
    if (isConstant(right, ZERO)) return left;
    if (isNegationOf(left, right) || isNegationOf(right, left)) return this.constant(ZERO);
    if (left.kind === 'negate' && right.kind === 'negate') return this.negate(this.add(left.operand, right.operand));
    return this.#binary('add', left, right);
  }

  subtract(left: NumberExpression, right: NumberExpression): NumberExpression {
    return left === right ? this.constant(ZERO) : this.add(left, this.negate(right));
  }

  multiply(left: NumberExpression, right: NumberExpression): NumberExpression {
    if (left.kind === 'constant' && right.kind === 'constant')
      return this.constant(multiplyRational(left.value, right.value));
    if (isConstant(left, ZERO) || isConstant(right, ZERO)) return this.constant(ZERO);
    if (isConstant(left, ONE)) return right;
    if (isConstant(right, ONE)) return left;
    const [a, b] = [this.#magnitude(left), this.#magnitude(right)];
    if (a !== left || b !== right) return this.#signed((a !== left) !== (b !== right), this.multiply(a, b));
    return this.#binary('multiply', left, right);
  }

  /** The divisor is not the constant zero; that it is never zero otherwise is a separate condition. */
  divide(left: NumberExpression, right: NumberExpression): NumberExpression {
    invariant(!isConstant(right, ZERO), 'a division by the constant zero has no value');
    if (left.kind === 'constant' && right.kind === 'constant')
      return this.constant(divideRational(left.value, right.value));
    if (isConstant(left, ZERO) || isConstant(right, ONE)) return left;
    const [a, b] = [this.#magnitude(left), this.#magnitude(right)];
    if (a !== left || b !== right) return this.#signed((a !== left) !== (b !== right), this.divide(a, b));
    return this.#binary('divide', left, right);
  }

  power(left: NumberExpression, right: NumberExpression): NumberExpression {
    return this.#binary('power', left, right);
  }

  machinePower(left: NumberExpression, right: NumberExpression): NumberExpression {
    return this.#binary('machine-power', left, right);
  }

  modulo(left: NumberExpression, right: NumberExpression): NumberExpression {
    return this.#binary('modulo', left, right);
  }

  remainder(left: NumberExpression, right: NumberExpression): NumberExpression {
    return this.#binary('remainder', left, right);
  }

  minimum(left: NumberExpression, right: NumberExpression): NumberExpression {
    return this.#selection('minimum', left, right);
  }

  maximum(left: NumberExpression, right: NumberExpression): NumberExpression {
    return this.#selection('maximum', left, right);
  }

  negate(operand: NumberExpression): NumberExpression {
    if (operand.kind === 'constant') return this.constant(negateRational(operand.value));
    return operand.kind === 'negate' ? operand.operand : this.#unary('negate', operand);
  }

  absolute(operand: NumberExpression): NumberExpression {
    if (operand.kind === 'constant')
      return operand.value.numerator < 0n ? this.constant(negateRational(operand.value)) : operand;
    return operand.kind === 'negate' ? this.absolute(operand.operand) : this.#unary('absolute', operand);
  }

  sqrt(operand: NumberExpression): NumberExpression {
    return this.#unary('sqrt', operand);
  }

  step(kind: Stepping, operand: NumberExpression): NumberExpression {
    return operand.kind === 'constant' ? this.integer(roundWhole(kind, operand.value)) : this.#unary(kind, operand);
  }

  /** The operand itself where it is a float32 already by construction. */
  round32(operand: NumberExpression): NumberExpression {
    if (operand.kind === 'constant') return this.constant(roundRational32(operand.value));
    if (operand.kind === 'negate') return this.negate(this.round32(operand.operand));
    return operand.kind === 'round32' || operand.kind === 'machine' ? operand : this.#unary('round32', operand);
  }

  apply(fn: ElementaryFunction, operand: NumberExpression): NumberExpression {
    return this.#number(`function:${fn}:${operand.id}`, (id) => ({
      id,
      sort: 'number',
      kind: 'function',
      fn,
      operand,
    }));
  }

  machine(fn: ElementaryFunction, operand: NumberExpression): NumberExpression {
    return this.#number(`machine:${fn}:${operand.id}`, (id) => ({ id, sort: 'number', kind: 'machine', fn, operand }));
  }

  if(condition: BooleanExpression, then: NumberExpression, otherwise: NumberExpression): NumberExpression {
    if (condition.kind === 'truth') return condition.value ? then : otherwise;
    if (then === otherwise) return then;
    return this.#number(`if:${condition.id}:${then.id}:${otherwise.id}`, (id) => ({
      id,
      sort: 'number',
      kind: 'if',
      condition,
      then,
      otherwise,
    }));
  }

  less(left: NumberExpression, right: NumberExpression): BooleanExpression {
    return this.#comparison('less', left, right, (order) => order < 0);
  }

  lessEqual(left: NumberExpression, right: NumberExpression): BooleanExpression {
    return this.#comparison('less-equal', left, right, (order) => order <= 0);
  }

  /** The same for `a = b` and `b = a`; a constant is on the right. */
  equal(left: NumberExpression, right: NumberExpression): BooleanExpression {
    const isInOrder =
      left.kind === 'constant' ? right.kind === 'constant' : right.kind === 'constant' || left.id <= right.id;
    const [first, second] = isInOrder ? [left, right] : [right, left];
    return this.#comparison('equal', first, second, (order) => order === 0);
  }

  not(operand: BooleanExpression): BooleanExpression {
    if (operand.kind === 'truth') return this.truth(!operand.value);
    if (operand.kind === 'not') return operand.operand;
    return this.#boolean(`not:${operand.id}`, (id) => ({ id, sort: 'boolean', kind: 'not', operand }));
  }

  /** Flat, without duplicates, in the order given; the empty conjunction is true. */
  and(operands: readonly BooleanExpression[]): BooleanExpression {
    return this.#junction('and', operands, true);
  }

  or(operands: readonly BooleanExpression[]): BooleanExpression {
    return this.#junction('or', operands, false);
  }

  implies(premise: BooleanExpression, conclusion: BooleanExpression): BooleanExpression {
    return this.or([this.not(premise), conclusion]);
  }

  /** Without the sign that is written before it. */
  #magnitude(operand: NumberExpression): NumberExpression {
    if (operand.kind === 'negate') return operand.operand;
    return operand.kind === 'constant' && operand.value.numerator < 0n
      ? this.constant(negateRational(operand.value))
      : operand;
  }

  #signed(negative: boolean, operand: NumberExpression): NumberExpression {
    return negative ? this.negate(operand) : operand;
  }

  #junction(kind: 'and' | 'or', operands: readonly BooleanExpression[], neutral: boolean): BooleanExpression {
    const flat = operands.flatMap((operand) => (operand.kind === kind ? operand.operands : [operand]));
    if (flat.some((operand) => operand.kind === 'truth' && operand.value !== neutral)) return this.truth(!neutral);
    const kept = [...new Set(flat.filter((operand) => operand.kind !== 'truth'))];
    const [only] = kept;
    if (only === undefined) return this.truth(neutral);
    if (kept.length === 1) return only;
    return this.#boolean(`${kind}:${kept.map(({ id }) => id).join(',')}`, (id) => ({
      id,
      sort: 'boolean',
      kind,
      operands: kept,
    }));
  }

  #comparison(
    kind: Comparison,
    left: NumberExpression,
    right: NumberExpression,
    holds: (order: number) => boolean,
  ): BooleanExpression {
    if (left === right) return this.truth(holds(0));
    if (left.kind === 'constant' && right.kind === 'constant')
      return this.truth(holds(compareRational(left.value, right.value)));
    return this.#boolean(`${kind}:${left.id}:${right.id}`, (id) => ({ id, sort: 'boolean', kind, left, right }));
  }

  #selection(kind: Selection, left: NumberExpression, right: NumberExpression): NumberExpression {
    if (left === right) return left;
    if (left.kind === 'constant' && right.kind === 'constant')
      return compareRational(left.value, right.value) <= 0 === (kind === 'minimum') ? left : right;
    return this.#binary(kind, left, right);
  }

  #binary(
    kind: Arithmetic | Selection | 'power' | 'machine-power' | 'modulo' | 'remainder',
    left: NumberExpression,
    right: NumberExpression,
  ): NumberExpression {
    return this.#number(`${kind}:${left.id}:${right.id}`, (id) => ({ id, sort: 'number', kind, left, right }));
  }

  #unary(kind: 'negate' | 'absolute' | 'sqrt' | 'round32' | Stepping, operand: NumberExpression): NumberExpression {
    return this.#number(`${kind}:${operand.id}`, (id) => ({ id, sort: 'number', kind, operand }));
  }

  #number(key: string, make: (id: number) => NumberExpression): NumberExpression {
    const found = this.#interned.get(key);
    if (found?.sort === 'number') return found;
    return this.#keep(key, make(this.#nextId()));
  }

  #boolean(key: string, make: (id: number) => BooleanExpression): BooleanExpression {
    const found = this.#interned.get(key);
    if (found?.sort === 'boolean') return found;
    return this.#keep(key, make(this.#nextId()));
  }

  #nextId(): number {
    if (this.#interned.size >= this.#limit) throw new GraphTooLarge(`${this.#limit} nodes`);
    return this.#interned.size;
  }

  #keep<T extends Expression>(key: string, expression: T): T {
    this.#interned.set(key, expression);
    return expression;
  }
}

function isNegationOf(node: NumberExpression, operand: NumberExpression): boolean {
  return node.kind === 'negate' && node.operand === operand;
}

function isConstant(expression: NumberExpression, value: Rational): boolean {
  return expression.kind === 'constant' && compareRational(expression.value, value) === 0;
}
