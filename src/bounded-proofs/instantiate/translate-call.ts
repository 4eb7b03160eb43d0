/** Functions of the mathematics over the reals, and where they have a value. */
import type { FunctionName } from '../../math/functions.ts';
import type { Term } from '../../math/term/term.ts';
import { isWhole, toFloat } from '../../numeric/rational.ts';
import { exactFunction, exactModulo, exactRoot } from '../exact-function.ts';
import { exactPower } from '../exact-power.ts';
import type { BooleanExpression, ElementaryFunction, NumberExpression } from '../expression.ts';
import type { DefinedCondition } from '../problem.ts';
import type { ScalarExpression } from './symbolic-value.ts';
import { demandDefined, refuse, type Translation } from './translation.ts';
import { ulpOf } from './unit-in-last-place.ts';

type Call = Extract<Term, { kind: 'call' }>;

/** What a part of the call is worth where it matters. */
export type PartValue = (part: Term, under: BooleanExpression) => ScalarExpression;

/** The call as an expression. Where it is undefined, a demand under the condition `under` is noted. */
export function translateCall(
  translation: Translation,
  term: Call,
  valueOf: PartValue,
  under: BooleanExpression,
): ScalarExpression {
  return logic(translation, term, valueOf, under) ?? strict(translation, term, valueOf, under);
}

/** The second side matters only where the first does not decide. */
function logic(
  translation: Translation,
  { fn, arguments: [first, second] }: Call,
  valueOf: PartValue,
  under: BooleanExpression,
): BooleanExpression | null {
  if (fn !== 'and' && fn !== 'or' && fn !== 'implies') return null;
  const { graph } = translation;
  const truthOf = (part: Term | undefined, where: BooleanExpression): BooleanExpression => {
    const value = part ? valueOf(part, where) : graph.true;
    if (value.sort === 'boolean') return value;
    refuse(translation, 'a number where a truth value is needed', part);
    return graph.true;
  };
  const left = truthOf(first, under);
  const matters = fn === 'or' ? graph.not(left) : left;
  if (matters === graph.false) return fn === 'and' ? graph.false : graph.true;
  const right = truthOf(second, graph.and([under, matters]));
  if (fn === 'and') return graph.and([left, right]);
  return fn === 'or' ? graph.or([left, right]) : graph.implies(left, right);
}

function strict(translation: Translation, term: Call, valueOf: PartValue, under: BooleanExpression): ScalarExpression {
  const { graph } = translation;
  const parts = term.arguments.map((part) => valueOf(part, under));
  const truths = parts.filter((part) => part.sort === 'boolean');
  const numbers = parts.filter((part) => part.sort === 'number');
  const [p = graph.true, q = graph.true] = truths;
  if (truths.length === parts.length) {
    const same = graph.or([graph.and([p, q]), graph.and([graph.not(p), graph.not(q)])]);
    if (term.fn === 'not') return graph.not(p);
    if (term.fn === 'iff' || term.fn === 'equal') return same;
    if (term.fn === 'xor' || term.fn === 'not-equal') return graph.not(same);
  }
  if (numbers.length !== parts.length) return refuse(translation, `${term.fn} of these has no model in proofs`, term);
  return predicate(translation, term.fn, numbers) ?? numeric(translation, term, numbers, under);
}

/** Null for a function that gives a number. */
function predicate(
  { graph, ...rest }: Translation,
  fn: FunctionName,
  [a, b, c]: readonly NumberExpression[],
): BooleanExpression | null {
  if (a === undefined) return null;
  // Every number here is finite: that none is otherwise is a condition of safety, and the domain holds finite numbers only.
  if (fn === 'is-finite') return graph.true;
  if (fn === 'is-nan') return graph.false;
  if (b === undefined || rest.problem) return null;
  switch (fn) {
    case 'less':
      return graph.less(a, b);
    case 'less-equal':
      return graph.lessEqual(a, b);
    case 'greater':
      return graph.less(b, a);
    case 'greater-equal':
      return graph.lessEqual(b, a);
    case 'equal':
      return graph.equal(a, b);
    case 'not-equal':
      return graph.not(graph.equal(a, b));
    case 'approximately':
      return c ? graph.lessEqual(graph.absolute(graph.subtract(a, b)), c) : null;
    default:
      return null;
  }
}

const elementary: ReadonlySet<string> = new Set<ElementaryFunction>([
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
  'erf',
]);

function isElementary(fn: string): fn is ElementaryFunction {
  return elementary.has(fn);
}

function numeric(
  translation: Translation,
  term: Call,
  numbers: readonly NumberExpression[],
  under: BooleanExpression,
): NumberExpression {
  const { graph } = translation;
  const [a = graph.integer(0), b = graph.integer(0), c = graph.integer(0)] = numbers;
  const zero = graph.integer(0);
  const one = graph.integer(1);
  const demand = (kind: DefinedCondition['kind'], condition: BooleanExpression, text: string): boolean => {
    demandDefined(translation, under, { kind, condition, text });
    return condition !== graph.false;
  };
  const divides = (): boolean => demand('division', graph.not(graph.equal(b, zero)), 'a divisor is not 0');
  const { fn } = term;
  switch (fn) {
    case 'add':
      return graph.add(a, b);
    case 'subtract':
      return graph.subtract(a, b);
    case 'multiply':
      return graph.multiply(a, b);
    case 'divide':
      return divides() ? graph.divide(a, b) : zero;
    case 'pi':
      return graph.multiply(graph.integer(4), graph.apply('atan', one));
    case 'e':
      return graph.apply('exp', one);
    case 'negate':
      return graph.negate(a);
    case 'power':
      return powerOf(translation, a, b, demand);
    case 'modulo':
      return divides() ? exactModulo(graph, a, b) : zero;
    case 'floor-divide':
      return divides() ? graph.step('floor', graph.divide(a, b)) : zero;
    case 'absolute':
      return graph.absolute(a);
    case 'sign':
      return graph.if(graph.less(zero, a), one, graph.if(graph.less(a, zero), graph.integer(-1), zero));
    case 'floor':
    case 'ceiling':
      return graph.step(fn, a);
    case 'round':
      return graph.step('round-half-even', a);
    case 'minimum':
      return graph.minimum(a, b);
    case 'maximum':
      return graph.maximum(a, b);
    case 'clamp':
      return graph.minimum(graph.maximum(a, b), c);
    case 'sqrt':
      return demand('invalid', graph.lessEqual(zero, a), 'a root is of a number that is not negative')
        ? exactRoot(graph, a)
        : zero;
    case 'reciprocal-sqrt':
      return demand('invalid', graph.less(zero, a), 'a reciprocal root is of a positive number')
        ? graph.divide(one, exactRoot(graph, a))
        : zero;
    case 'expm1':
      return graph.subtract(exactFunction(graph, 'exp', a), one);
    case 'log1p':
      return demand('invalid', graph.less(graph.integer(-1), a), 'a logarithm is of a positive number')
        ? exactFunction(graph, 'log', graph.add(one, a))
        : zero;
    case 'sigmoid':
      return graph.divide(one, graph.add(one, exactFunction(graph, 'exp', graph.negate(a))));
    case 'softplus':
      return exactFunction(graph, 'log', graph.add(one, exactFunction(graph, 'exp', a)));
    case 'factorial':
      return factorial(translation, term, a);
    case 'ulp32':
      return ulpOf(translation, a);
    case 'ulp-distance':
      return graph.divide(graph.absolute(graph.subtract(a, b)), ulpOf(translation, b));
    case 'round32':
      return graph.round32(a);
    case 'log':
    case 'log2':
    case 'log10':
      demand('invalid', graph.less(zero, a), 'a logarithm is of a positive number');
      return exactFunction(graph, fn, a);
    case 'tan':
      demand('division', graph.not(graph.equal(graph.apply('cos', a), zero)), 'a tangent is not at a pole');
      return exactFunction(graph, fn, a);
    default:
      return isElementary(fn) ? exactFunction(graph, fn, a) : refuse(translation, `${fn} has no model in proofs`, term);
  }
}

/** Where a power has a value: positive bases; 0 to what is not negative; negative bases to whole numbers. */
function powerOf(
  { graph }: Translation,
  base: NumberExpression,
  exponent: NumberExpression,
  demand: (kind: DefinedCondition['kind'], condition: BooleanExpression, text: string) => boolean,
): NumberExpression {
  const zero = graph.integer(0);
  const isZero = graph.equal(base, zero);
  if (exponent.kind !== 'constant') {
    const whole = graph.equal(graph.step('floor', exponent), exponent);
    const zeroBase = graph.and([isZero, graph.lessEqual(zero, exponent)]);
    const defined = graph.or([graph.less(zero, base), zeroBase, graph.and([graph.less(base, zero), whole])]);
    return demand('invalid', defined, 'a power has a value') ? graph.power(base, exponent) : zero;
  }
  if (
    !isWhole(exponent.value) &&
    !demand('invalid', graph.lessEqual(zero, base), 'a root is of a number that is not negative')
  )
    return zero;
  if (exponent.value.numerator < 0n && !demand('division', graph.not(isZero), 'a divisor is not 0')) return zero;
  return exactPower(graph, base, exponent);
}

/** Beyond this a factorial is out of reach. */
const largestFactorial = 1000;

function factorial(translation: Translation, term: Call, operand: NumberExpression): NumberExpression {
  const known = operand.kind === 'constant' && isWhole(operand.value) ? toFloat(operand.value) : -1;
  if (known < 0 || known > largestFactorial)
    return refuse(translation, 'a factorial of what is not a small known number has no model in proofs', term);
  let product = 1n;
  for (let k = 2n; k <= BigInt(known); k++) product *= k;
  return translation.graph.integer(product);
}
