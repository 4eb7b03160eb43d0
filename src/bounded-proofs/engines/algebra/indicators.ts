/**
 * Choices by the value of a variable, `z[y]` among them, as sums over indicators: with [v = c] for 1 where v is c and 0
 * elsewhere, `v = a ? A : v = b ? B : D` is D + [v = a]·(A − D) + [v = b]·(B − D), since at most one of them is 1. So a
 * constant that every choice has in common comes out, and over all values of a whole number the indicators sum to 1.
 */
import { compareRational, fraction, isWhole, ONE, toFloat, ZERO, type Rational } from '../../../numeric/rational.ts';
import type { NumberExpression } from '../../expression.ts';
import type { ProofVariable } from '../../problem.ts';
import type { AtomTable } from './atoms.ts';
import type { Effort } from './effort.ts';
import {
  addFunctions,
  fromAtom,
  fromRational,
  multiplyFunctions,
  negateFunction,
  type RationalFunction,
} from './rational-function.ts';

/** For a variable with more values, the last one has its own indicator. */
const mostValues = 64;

/** The whole numbers that a variable may be, both ends included. */
export interface WholeRange {
  readonly low: number;
  readonly high: number;
}

/** What the expansion of a choice needs. */
export interface IndicatorContext {
  readonly atoms: AtomTable;
  readonly effort: Effort;
  readonly get: (node: NumberExpression) => RationalFunction | null;
  /** By name; of the variables that are whole numbers. */
  readonly wholes: ReadonlyMap<string, WholeRange>;
}

/** The variables of a problem that are whole numbers between two ends. */
export function wholesOf(variables: readonly ProofVariable[]): ReadonlyMap<string, WholeRange> {
  return new Map(
    variables.flatMap(({ name, format, low, high }): readonly [string, WholeRange][] =>
      format === 'integer' && low && high
        ? [[name, { low: Math.ceil(toFloat(low)), high: Math.floor(toFloat(high)) }]]
        : [],
    ),
  );
}

/** Null if the conditions are of another kind, or if a choice is a quotient, which is kept whole. */
export function choiceByIndicators(
  node: NumberExpression & { kind: 'if' },
  context: IndicatorContext,
): RationalFunction | null {
  const { effort, get } = context;
  const first = testOf(node);
  if (first === null) return null;
  const choices = new Map<string, readonly [Rational, NumberExpression]>();
  let rest: NumberExpression = node;
  for (let test = testOf(rest); test?.name === first.name && rest.kind === 'if'; test = testOf(rest)) {
    const key = `${test.value.numerator}/${test.value.denominator}`;
    // The conditions tested earlier are false here.
    if (!choices.has(key)) choices.set(key, [test.value, rest.then]);
    rest = rest.otherwise;
  }
  const otherwise = get(rest);
  if (otherwise === null || otherwise.divisors.size > 0) return null;
  let sum = otherwise;
  for (const [value, then] of choices.values()) {
    const chosen = get(then);
    if (chosen === null || chosen.divisors.size > 0) return null;
    const difference = addFunctions(chosen, negateFunction(otherwise), effort);
    sum = addFunctions(sum, multiplyFunctions(indicator(first.name, value, context), difference, effort), effort);
  }
  return sum;
}

/** `v = c` of a choice. */
function testOf(node: NumberExpression): { readonly name: string; readonly value: Rational } | null {
  if (node.kind !== 'if' || node.condition.kind !== 'equal') return null;
  const { left, right } = node.condition;
  const [variable, constant] = left.kind === 'variable' ? [left, right] : [right, left];
  return variable.kind === 'variable' && constant.kind === 'constant'
    ? { name: variable.name, value: constant.value }
    : null;
}

function indicator(name: string, value: Rational, context: IndicatorContext): RationalFunction {
  const { effort, wholes } = context;
  const range = wholes.get(name);
  if (range === undefined) return plain(name, value, context);
  const last = fraction(BigInt(range.high));
  const isOutside = compareRational(value, fraction(BigInt(range.low))) < 0 || compareRational(value, last) > 0;
  if (!isWhole(value) || isOutside) return fromRational(ZERO);
  if (compareRational(value, last) !== 0 || range.high - range.low >= mostValues) return plain(name, value, context);
  let others = fromRational(ZERO);
  for (let one = range.low; one < range.high; one++)
    others = addFunctions(others, plain(name, fraction(BigInt(one)), context), effort);
  return addFunctions(fromRational(ONE), negateFunction(others), effort);
}

function plain(name: string, value: Rational, { atoms }: IndicatorContext): RationalFunction {
  return fromAtom(
    atoms.of(`[${name} = ${value.numerator}/${value.denominator}]`, () => ({
      range: { low: 0, high: 1 },
      law: null,
      excesses: null,
      exponent: null,
    })).id,
  );
}
