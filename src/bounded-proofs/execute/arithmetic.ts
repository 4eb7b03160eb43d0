/** The arithmetic of kernels. Under `float32` it is that of the ref32 backend, bit for bit. */
import type { ArithmeticOperator, ComparisonOperator, Place } from '../../subject/kernel-syntax.ts';
import type { Comparison, NumberExpression } from '../expression.ts';
import { demand, refuse, type Execution } from './execution.ts';
import { power } from './power.ts';
import { demandFinite, unlessNaN, unlessOverflow, type Site } from './site.ts';
import { expressionOf, isFloat32, isZero, settled, settledTruth, type NumberValue, type Truth } from './value.ts';

/** `left operator right`; `whole`: integer arithmetic, which is not rounded. */
export function operate(
  execution: Execution,
  operator: ArithmeticOperator,
  [left, right]: readonly [NumberValue, NumberValue],
  whole: boolean,
  site: Site,
): NumberValue {
  switch (operator) {
    case '%':
      return execution.reading === 'float32'
        ? remainder(execution, left, right, site)
        : exactRemainder(execution, left, right, site);
    case '**':
      return power(execution, left, right, site);
    default:
      return basic(execution, operator, [left, right], whole, site);
  }
}

/** `value` rounded to float32, unless it is a float32 already, as most are. */
export function toFloat32(execution: Execution, value: NumberValue, site: Site): NumberValue {
  if (typeof value === 'number') return Math.fround(value);
  if (isFloat32(execution, value)) return value;
  const result = execution.graph.round32(value);
  demandFinite(execution, result, site);
  return settled(execution, result);
}

type Basic = Exclude<ArithmeticOperator, '%' | '**'>;

const known: Readonly<Record<Basic, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
};

function basic(
  execution: Execution,
  operator: Basic,
  [left, right]: readonly [NumberValue, NumberValue],
  whole: boolean,
  site: Site,
): NumberValue {
  if (operator === '/' && !dividesBy(execution, right, site)) return 0;
  if (typeof left === 'number' && typeof right === 'number') {
    const exact = known[operator](left, right);
    if (!Number.isFinite(left) || !Number.isFinite(right)) return unlessNaN(execution, exact, site);
    if (execution.reading === 'float32') return whole ? exact : unlessOverflow(execution, Math.fround(exact), site);
    if (operator !== '/' && Number.isSafeInteger(exact)) return exact;
  }
  if (isInfinite(left) || isInfinite(right)) return withInfinity(execution, operator, [left, right], site);
  const [a, b] = [expressionOf(execution, left, site.place), expressionOf(execution, right, site.place)];
  if (execution.reading === 'real') return settled(execution, exactly(execution, operator, a, b));
  if (!isFloat32(execution, left) || !isFloat32(execution, right)) {
    refuse(execution, site.place, 'a whole number beyond 2²⁴ meets a number that is not known: float64 may round here');
    return 0;
  }
  return rounded(execution, exactly(execution, operator, a, b), [a, b], site);
}

const isInfinite = (value: NumberValue): boolean => typeof value === 'number' && !Number.isFinite(value);

function exactly({ graph }: Execution, operator: Basic, a: NumberExpression, b: NumberExpression): NumberExpression {
  switch (operator) {
    case '+':
      return graph.add(a, b);
    case '-':
      return graph.subtract(a, b);
    case '*':
      return graph.multiply(a, b);
    case '/':
      return graph.divide(a, b);
  }
}

/** One rounding, and that it does not overflow; none where the result is an operand or its opposite. */
function rounded(
  execution: Execution,
  exact: NumberExpression,
  operands: readonly NumberExpression[],
  site: Site,
): NumberValue {
  const { graph } = execution;
  if (operands.some((operand) => exact === operand || exact === graph.negate(operand)))
    return settled(execution, exact);
  const result = graph.round32(exact);
  demandFinite(execution, result, site);
  return settled(execution, result);
}

/** Whether there is a divisor that may be something else than 0. */
function dividesBy(execution: Execution, divisor: NumberValue, { path, place, text }: Site): boolean {
  const { graph } = execution;
  const vanishes = typeof divisor === 'number' ? graph.truth(divisor === 0) : graph.equal(divisor, graph.integer(0));
  demand(execution, path, {
    kind: 'division',
    place,
    condition: graph.not(vanishes),
    text: () => `${text()} does not divide by 0`,
  });
  return !isZero(divisor);
}

/** x ± ∞, x / ∞ and 0 · ∞: the sign of x affects at most the sign of a zero. */
function withInfinity(
  execution: Execution,
  operator: Basic,
  [left, right]: readonly [NumberValue, NumberValue],
  site: Site,
): NumberValue {
  const { place } = site;
  if (operator === '*' && (isZero(left) || isZero(right))) return unlessNaN(execution, Number.NaN, site);
  if (typeof right === 'number') {
    if (operator === '/') return execution.graph.integer(0);
    if (operator !== '*') return operator === '+' ? right : -right;
  } else if (typeof left === 'number' && (operator === '+' || operator === '-')) return left;
  refuse(execution, place, 'an infinity meets a number whose sign is not known');
  return 0;
}

/** What ref32 computes for `%`: four float32 operations, which is not the exact remainder. */
function remainder(execution: Execution, left: NumberValue, right: NumberValue, site: Site): NumberValue {
  const quotient = basic(execution, '/', [left, right], false, site);
  const times = basic(execution, '*', [truncated(execution, quotient), right], false, site);
  return basic(execution, '-', [left, times], false, site);
}

function truncated(execution: Execution, value: NumberValue): NumberValue {
  if (typeof value === 'number') return Math.trunc(value);
  return settled(execution, execution.graph.step('truncate', value));
}

function exactRemainder(execution: Execution, left: NumberValue, right: NumberValue, site: Site): NumberValue {
  if (!dividesBy(execution, right, site)) return 0;
  if (typeof left === 'number' && typeof right === 'number') return unlessNaN(execution, left % right, site);
  const [a, b] = [expressionOf(execution, left, site.place), expressionOf(execution, right, site.place)];
  return settled(execution, execution.graph.remainder(a, b));
}

const relations: Readonly<
  Record<ComparisonOperator, { readonly relation: Comparison; readonly swapped: boolean; readonly negated: boolean }>
> = {
  '<': { relation: 'less', swapped: false, negated: false },
  '<=': { relation: 'less-equal', swapped: false, negated: false },
  '>': { relation: 'less', swapped: true, negated: false },
  '>=': { relation: 'less-equal', swapped: true, negated: false },
  '===': { relation: 'equal', swapped: false, negated: false },
  '!==': { relation: 'equal', swapped: false, negated: true },
};

/** Comparisons round nothing. */
export function compare(
  execution: Execution,
  operator: ComparisonOperator,
  [left, right]: readonly [NumberValue, NumberValue],
  place: Place,
): Truth {
  const { relation, swapped, negated } = relations[operator];
  const [a, b] = swapped ? [right, left] : [left, right];
  const { graph } = execution;
  if (isInfinite(a) || isInfinite(b)) return compareInfinite(relation, a, b) !== negated;
  const [x, y] = [expressionOf(execution, a, place), expressionOf(execution, b, place)];
  const holds =
    relation === 'less' ? graph.less(x, y) : relation === 'equal' ? graph.equal(x, y) : graph.lessEqual(x, y);
  return settledTruth(negated ? graph.not(holds) : holds);
}

/** Numbers that are not known are finite. */
function compareInfinite(relation: Comparison, a: NumberValue, b: NumberValue): boolean {
  const [x, y] = [typeof a === 'number' ? a : 0, typeof b === 'number' ? b : 0];
  switch (relation) {
    case 'less':
      return x < y;
    case 'less-equal':
      return x <= y;
    case 'equal':
      return x === y;
  }
}
