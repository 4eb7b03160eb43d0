/**
 * What expressions are worth on one input, in any arithmetic: `float64` for the numbers that code computes, decimals for
 * the mathematics that claims compare them with (see `realArithmetic`, which knows when its digits do not suffice).
 *
 * Roundings, and the functions of the machine, give the float32 that the ref32 backend computes, whatever the arithmetic.
 */
import { invariant } from '../base/invariant.ts';
import type { Arithmetic } from '../math/evaluate/arithmetic.ts';
import { functionTable, type FunctionName } from '../math/functions.ts';
import { ulp32 } from '../numeric/float.ts';
import { compareRational, fromFloat, toFloat } from '../numeric/rational.ts';
import { argumentsOf } from './arguments-of.ts';
import type { BooleanExpression, ElementaryFunction, Expression, NumberExpression } from './expression.ts';
import type { ProofVariable } from './problem.ts';

/** Evaluates expressions in the arithmetic of `T`, each node once. */
export interface Evaluator<T> {
  /** Where a divisor is 0 or a function is outside its domain, what the arithmetic has for that: NaN or an infinity. */
  readonly number: (expression: NumberExpression) => T;
  readonly truth: (expression: BooleanExpression) => boolean;
}

/**
 * The values of all variables, by name; units in the last place are computed from the others, and outputs of kernels that
 * something stands in for are given with the inputs.
 */
export function completeAssignment<T>(
  variables: readonly ProofVariable[],
  inputs: ReadonlyMap<string, number>,
  arithmetic: Arithmetic<T>,
): ReadonlyMap<string, number> {
  const values = new Map(inputs);
  for (const { name, standsFor } of variables) {
    if (standsFor?.kind !== 'ulp32') continue;
    const evaluator = createEvaluator(arithmetic, values);
    values.set(name, ulp32(arithmetic.toNumber(evaluator.number(standsFor.of))));
  }
  return values;
}

/** Looks at every node once, however many expressions are requested. */
export function createEvaluator<T>(arithmetic: Arithmetic<T>, assignment: ReadonlyMap<string, number>): Evaluator<T> {
  const state: State<T> = { arithmetic, assignment, numbers: new Map(), truths: new Map() };
  return {
    number: (expression) => {
      settle(state, expression);
      return numberAt(state, expression);
    },
    truth: (expression) => {
      settle(state, expression);
      return truthAt(state, expression);
    },
  };
}

interface State<T> {
  readonly arithmetic: Arithmetic<T>;
  readonly assignment: ReadonlyMap<string, number>;
  readonly numbers: Map<NumberExpression, T>;
  readonly truths: Map<BooleanExpression, boolean>;
}

function numberAt<T>({ numbers }: State<T>, expression: NumberExpression): T {
  const value = numbers.get(expression);
  invariant(value !== undefined, 'arguments are evaluated before what they are arguments of');
  return value;
}

function truthAt<T>({ truths }: State<T>, expression: BooleanExpression): boolean {
  const value = truths.get(expression);
  invariant(value !== undefined, 'arguments are evaluated before what they are arguments of');
  return value;
}

/** Evaluates `root` and what it needs, without recursion: sums are as deep as they are long. */
function settle<T>(state: State<T>, root: Expression): void {
  const stack: Expression[] = [root];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const next = isKnown(state, top) ? null : pending(state, top);
    if (next) {
      stack.push(next);
      continue;
    }
    if (!isKnown(state, top)) {
      if (top.sort === 'number') state.numbers.set(top, compute(state, top));
      else state.truths.set(top, decide(state, top));
    }
    stack.pop();
  }
}

function isKnown<T>({ numbers, truths }: State<T>, expression: Expression): boolean {
  return expression.sort === 'number' ? numbers.has(expression) : truths.has(expression);
}

/** An argument that must be evaluated first; null if there is none. A branch that its condition excludes need not be. */
function pending<T>(state: State<T>, expression: Expression): Expression | null {
  const unknown = (parts: readonly Expression[]): Expression | null =>
    parts.find((part) => !isKnown(state, part)) ?? null;
  if (expression.kind === 'if') {
    const { condition, then, otherwise } = expression;
    return unknown([condition]) ?? unknown([truthAt(state, condition) ? then : otherwise]);
  }
  if (expression.kind === 'round32' && isBasic(expression.operand)) {
    const operands = argumentsOf(expression.operand);
    return unknown(operands) ?? (areFloat32(state, operands) ? null : unknown([expression.operand]));
  }
  return unknown(argumentsOf(expression));
}

/** Operations whose float32 result is that of float64 rounded once more (Figueroa 1995: 53 ≥ 2·24 + 2). */
function isBasic({ kind }: NumberExpression): boolean {
  return kind === 'add' || kind === 'multiply' || kind === 'divide' || kind === 'sqrt';
}

function areFloat32<T>(state: State<T>, operands: readonly Expression[]): boolean {
  const { arithmetic } = state;
  return operands.every((operand) => {
    if (operand.sort !== 'number') return false;
    const value = numberAt(state, operand);
    const near = arithmetic.toNumber(value);
    return Math.fround(near) === near && arithmetic.equal(arithmetic.fromNumber(near), value);
  });
}

function apply<T>({ arithmetic }: State<T>, fn: FunctionName, operands: readonly T[]): T {
  const row = functionTable[fn];
  invariant(row.kind === 'numeric', 'only functions of numbers are applied');
  return arithmetic.numeric(row, operands, false);
}

function compute<T>(state: State<T>, expression: NumberExpression): T {
  const { arithmetic, assignment } = state;
  const at = (part: NumberExpression): T => numberAt(state, part);
  const inFloat64 = (part: NumberExpression): number => arithmetic.toNumber(at(part));
  switch (expression.kind) {
    case 'constant': {
      const { numerator, denominator } = expression.value;
      const near = toFloat(expression.value);
      if (Number.isFinite(near) && compareRational(fromFloat(near), expression.value) === 0)
        return arithmetic.fromNumber(near);
      return apply(state, 'divide', [
        arithmetic.constant(String(numerator), true),
        arithmetic.constant(String(denominator), true),
      ]);
    }
    case 'variable': {
      const value = assignment.get(expression.name);
      invariant(value !== undefined, `the input has no ${expression.name}`);
      return arithmetic.fromNumber(value);
    }
    case 'add':
    case 'multiply':
    case 'divide':
    case 'minimum':
    case 'maximum':
    case 'power':
    case 'modulo':
      return apply(state, expression.kind, [at(expression.left), at(expression.right)]);
    case 'remainder':
      return remainder(state, at(expression.left), at(expression.right));
    case 'negate':
    case 'absolute':
    case 'sqrt':
    case 'floor':
    case 'ceiling':
      return apply(state, expression.kind, [at(expression.operand)]);
    case 'truncate':
      return truncate(state, at(expression.operand));
    case 'round-half-even':
      return apply(state, 'round', [at(expression.operand)]);
    case 'round-half-up':
      return apply(state, 'floor', [apply(state, 'add', [at(expression.operand), arithmetic.fromNumber(0.5)])]);
    case 'round32':
      return round(state, expression.operand);
    case 'function':
      return elementary(state, expression.fn, at(expression.operand));
    case 'machine':
      return arithmetic.fromNumber(Math.fround(machine(expression.fn)(inFloat64(expression.operand))));
    case 'machine-power':
      return arithmetic.fromNumber(Math.fround(inFloat64(expression.left) ** inFloat64(expression.right)));
    case 'if':
      return at(truthAt(state, expression.condition) ? expression.then : expression.otherwise);
  }
}

function decide<T>(state: State<T>, expression: BooleanExpression): boolean {
  const { arithmetic } = state;
  switch (expression.kind) {
    case 'truth':
      return expression.value;
    case 'equal':
      return arithmetic.equal(numberAt(state, expression.left), numberAt(state, expression.right));
    case 'less':
    case 'less-equal': {
      const row = functionTable[expression.kind];
      invariant(row.kind === 'predicate', 'orders are predicates');
      return arithmetic.predicate(row, [numberAt(state, expression.left), numberAt(state, expression.right)]);
    }
    case 'not':
      return !truthAt(state, expression.operand);
    case 'and':
      return expression.operands.every((operand) => truthAt(state, operand));
    case 'or':
      return expression.operands.some((operand) => truthAt(state, operand));
  }
}

function round<T>(state: State<T>, operand: NumberExpression): T {
  const { arithmetic } = state;
  const operands = argumentsOf(operand);
  if (!isBasic(operand) || !areFloat32(state, operands)) return apply(state, 'round32', [numberAt(state, operand)]);
  const [a = Number.NaN, b = Number.NaN] = operands.map((part) =>
    part.sort === 'number' ? arithmetic.toNumber(numberAt(state, part)) : Number.NaN,
  );
  return arithmetic.fromNumber(Math.fround(inFloat64(operand.kind, a, b)));
}

function inFloat64(kind: NumberExpression['kind'], a: number, b: number): number {
  switch (kind) {
    case 'add':
      return a + b;
    case 'multiply':
      return a * b;
    case 'divide':
      return a / b;
    default:
      return Math.sqrt(a);
  }
}

function truncate<T>(state: State<T>, value: T): T {
  return apply(state, state.arithmetic.toNumber(value) < 0 ? 'ceiling' : 'floor', [value]);
}

function remainder<T>(state: State<T>, left: T, right: T): T {
  const quotient = truncate(state, apply(state, 'divide', [left, right]));
  return apply(state, 'subtract', [left, apply(state, 'multiply', [right, quotient])]);
}

/** The arc sine and cosine have no rows in the table of functions. */
function elementary<T>(state: State<T>, fn: ElementaryFunction, value: T): T {
  const one = state.arithmetic.fromNumber(1);
  const subtract = (a: T, b: T): T => apply(state, 'subtract', [a, b]);
  const add = (a: T, b: T): T => apply(state, 'add', [a, b]);
  switch (fn) {
    case 'asin': {
      const cosine = apply(state, 'sqrt', [subtract(one, apply(state, 'multiply', [value, value]))]);
      return apply(state, 'multiply', [
        state.arithmetic.fromNumber(2),
        apply(state, 'atan', [apply(state, 'divide', [value, add(one, cosine)])]),
      ]);
    }
    case 'acos': {
      const half = apply(state, 'sqrt', [apply(state, 'divide', [subtract(one, value), add(one, value)])]);
      return apply(state, 'multiply', [state.arithmetic.fromNumber(2), apply(state, 'atan', [half])]);
    }
    default:
      return apply(state, fn, [value]);
  }
}

function machine(fn: ElementaryFunction): (x: number) => number {
  if (fn === 'erf') {
    const row = functionTable.erf;
    invariant(row.kind === 'numeric', 'the error function is a function of numbers');
    return (x) => row.float64(x, 0, 0);
  }
  return Math[fn];
}
