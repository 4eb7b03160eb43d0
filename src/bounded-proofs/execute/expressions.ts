/** Expressions of kernels on values that may depend on the input. */
import { fromDecimal } from '../../numeric/bounded-rational.ts';
import type { KernelExpression, MathConstant } from '../../subject/kernel-syntax.ts';
import { printExpression } from '../../subject/print-kernel.ts';
import { isWholeArithmetic } from '../../subject/whole-arithmetic.ts';
import type { NumberExpression } from '../expression.ts';
import { compare, operate } from './arithmetic.ts';
import { readElement } from './elements.ts';
import { refuse, type Execution } from './execution.ts';
import { callMath } from './math-call.ts';
import { extend, type Path } from './path.ts';
import type { Site } from './site.ts';
import {
  booleanExpression,
  choose,
  isTruth,
  numberOf,
  settled,
  settledTruth,
  truthOf,
  type NumberValue,
  type Truth,
  type Value,
} from './value.ts';

/** Values by name: locals, scalar parameters, and the place of the thread. */
export type Env = Map<string, Value>;

/** Names that no author can write. */
export const threadName = (axis: 'x' | 'y' | 'z'): string => `this.thread.${axis}`;
/** The variable for the extent of the output along an axis. */
export const outputName = (axis: 'x' | 'y' | 'z'): string => `this.output.${axis}`;

/** What `expression` is worth where `path` leads to it. */
export function evaluate(execution: Execution, expression: KernelExpression, env: Env, path: Path): Value {
  switch (expression.kind) {
    case 'number':
      return literal(execution, expression.value);
    case 'boolean':
      return expression.value;
    case 'infinity':
      return Infinity;
    case 'name':
      return lookUp(execution, expression, env, expression.name);
    case 'thread':
      return lookUp(execution, expression, env, threadName(expression.axis));
    case 'output':
      return lookUp(execution, expression, env, outputName(expression.axis));
    case 'math-constant':
      return mathConstant(execution, expression.name);
    case 'element':
      return element(execution, expression, env, path);
    case 'unary':
      return unary(execution, expression, env, path);
    case 'binary':
      return binary(execution, expression, env, path);
    case 'logical':
      return logical(execution, expression, env, path);
    case 'conditional':
      return conditional(execution, expression, env, path);
    case 'call':
      return callMath(
        execution,
        expression.fn,
        expression.arguments.map((part) => numberAt(execution, part, env, path)),
        siteOf(expression, path),
      );
  }
}

/** A condition where `path` leads to it. */
export function decide(execution: Execution, expression: KernelExpression, env: Env, path: Path): Truth {
  return truthOf(execution, evaluate(execution, expression, env, path));
}

function numberAt(execution: Execution, expression: KernelExpression, env: Env, path: Path): NumberValue {
  return numberOf(execution, evaluate(execution, expression, env, path));
}

function siteOf(expression: KernelExpression, path: Path): Site {
  return { path, place: expression.place, text: () => printExpression(expression) };
}

/** Under `real` a decimal fraction is what the author wrote, not the float64 nearest to it. */
function literal({ reading, graph }: Execution, value: number): NumberValue {
  if (reading === 'float32') return Math.fround(value);
  if (Number.isSafeInteger(value)) return value;
  const exact = fromDecimal(String(value));
  return exact === null ? Math.fround(value) : graph.constant(exact);
}

function mathConstant(execution: Execution, name: MathConstant): NumberValue {
  return execution.reading === 'float32' ? Math.fround(Math[name]) : exactConstant(execution, name);
}

function exactConstant({ graph }: Execution, name: MathConstant): NumberExpression {
  const log = (value: number): NumberExpression => graph.apply('log', graph.integer(value));
  const one = graph.integer(1);
  switch (name) {
    case 'E':
      return graph.apply('exp', one);
    case 'LN2':
      return log(2);
    case 'LN10':
      return log(10);
    case 'LOG2E':
      return graph.divide(one, log(2));
    case 'LOG10E':
      return graph.divide(one, log(10));
    case 'PI':
      return graph.multiply(graph.integer(4), graph.apply('atan', one));
    case 'SQRT1_2':
      return graph.divide(one, graph.sqrt(graph.integer(2)));
    case 'SQRT2':
      return graph.sqrt(graph.integer(2));
  }
}

function lookUp(execution: Execution, { place }: KernelExpression, env: Env, name: string): Value {
  const value = env.get(name);
  if (value === undefined) refuse(execution, place, `\`${name}\` has no value here`);
  return value ?? 0;
}

function element(
  execution: Execution,
  expression: Extract<KernelExpression, { kind: 'element' }>,
  env: Env,
  path: Path,
): Value {
  const indices = expression.indices.map((part) => numberAt(execution, part, env, path));
  const array = execution.arrays.get(expression.array);
  if (array) return readElement(execution, array, indices, siteOf(expression, path));
  refuse(execution, expression.place, `\`${expression.array}\` was given no array`);
  return 0;
}

function unary(
  execution: Execution,
  { operator, operand }: Extract<KernelExpression, { kind: 'unary' }>,
  env: Env,
  path: Path,
): Value {
  if (operator === '!') return negation(execution, decide(execution, operand, env, path));
  const value = numberAt(execution, operand, env, path);
  return typeof value === 'number' ? -value : settled(execution, execution.graph.negate(value));
}

function negation({ graph }: Execution, truth: Truth): Truth {
  return typeof truth === 'boolean' ? !truth : settledTruth(graph.not(truth));
}

function binary(
  execution: Execution,
  expression: Extract<KernelExpression, { kind: 'binary' }>,
  env: Env,
  path: Path,
): Value {
  const { operator, place } = expression;
  const left = evaluate(execution, expression.left, env, path);
  const right = evaluate(execution, expression.right, env, path);
  if ((operator === '===' || operator === '!==') && (isTruth(left) || isTruth(right)))
    return sameTruth(execution, [left, right], operator === '!==', expression);
  const pair = [numberOf(execution, left), numberOf(execution, right)] as const;
  switch (operator) {
    case '<':
    case '<=':
    case '>':
    case '>=':
    case '===':
    case '!==':
      return compare(execution, operator, pair, place);
    default: {
      const whole = isWholeArithmetic(expression, execution.counters);
      return operate(execution, operator, pair, whole, siteOf(expression, path));
    }
  }
}

function sameTruth(
  execution: Execution,
  [left, right]: readonly [Value, Value],
  negated: boolean,
  { place }: KernelExpression,
): Truth {
  if (!isTruth(left) || !isTruth(right)) {
    refuse(execution, place, 'a number is compared with a truth value');
    return false;
  }
  const { graph } = execution;
  const [a, b] = [booleanExpression(execution, left), booleanExpression(execution, right)];
  const same = graph.or([graph.and([a, b]), graph.and([graph.not(a), graph.not(b)])]);
  return settledTruth(negated ? graph.not(same) : same);
}

/** As JavaScript has it: the value is that of the side that decides. */
function logical(
  execution: Execution,
  { operator, left, right, place }: Extract<KernelExpression, { kind: 'logical' }>,
  env: Env,
  path: Path,
): Value {
  const first = evaluate(execution, left, env, path);
  const truth = truthOf(execution, first);
  const goesOn = operator === '&&' ? truth : negation(execution, truth);
  if (typeof goesOn === 'boolean') return goesOn ? evaluate(execution, right, env, path) : first;
  const second = evaluate(execution, right, env, extend(path, goesOn));
  return choose(execution, goesOn, second, first, place);
}

function conditional(
  execution: Execution,
  { condition, then, otherwise, place }: Extract<KernelExpression, { kind: 'conditional' }>,
  env: Env,
  path: Path,
): Value {
  const truth = decide(execution, condition, env, path);
  if (typeof truth === 'boolean') return evaluate(execution, truth ? then : otherwise, env, path);
  const first = evaluate(execution, then, env, extend(path, truth));
  const second = evaluate(execution, otherwise, env, extend(path, execution.graph.not(truth)));
  return choose(execution, truth, first, second, place);
}
