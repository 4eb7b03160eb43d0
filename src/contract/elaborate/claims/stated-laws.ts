/**
 * Formulas that define nothing and state something of functions that are known: `softmax(2x) = softmax(x)`.
 *
 * An equality between what functions compute is an identity, which is true or false over its domain. `memory(n) ≤ limit` may be meant as a
 * condition on the inputs, so a counterexample to it decides nothing.
 */
import type { FunctionName } from '../../../math/functions.ts';
import type { Expression } from '../../../math/notation/syntax.ts';
import type { EquationModel } from '../../goal.ts';
import { lookup, type Scope } from '../context/scope.ts';
import { childrenOf, namesOf } from '../context/syntax-parts.ts';
import type { ElaboratedEquation } from '../equations/equation.ts';
import { lawIn } from '../equations/law-formula.ts';
import { presupposed } from '../equations/main-formula.ts';
import { isKnownFunction } from '../expressions/known-functions.ts';
import { isBuiltinWord, scalarFunctions } from '../operators/builtins.ts';

/** An equation whose formula is such a statement. */
export interface StatedLaw {
  /** The equation as its own claim sees it, which does not presuppose it. */
  readonly equation: ElaboratedEquation;
  readonly isIdentity: boolean;
}

/** Why a counterexample to a law that is not an identity decides nothing. */
export const mayBeCondition = 'its formula may be meant as a condition on its inputs';

/** The statement that the formula of `one` is; null if it defines something, or is a condition on its inputs alone. */
export function statedLaw(one: ElaboratedEquation, globals: Scope): StatedLaw | null {
  const body = lawIn(one.equation.formula)?.body;
  if (!one.model || !body || !isNamedByKey(one.model)) return null;
  // What else is not understood of it remains so.
  const { unread, ...rest } = one.model;
  const model = unread === presupposed ? rest : one.model;
  const isDefined = (name: string): boolean => isKnownFunction(name) || lookup(globals, name)?.kind === 'equation';
  const isFunction = (name: string): boolean => isDefined(name) || analytic.has(scalarFunctions.get(name)?.[0]);
  if (callsOf(body, isFunction).length === 0) return null;
  const inputs = [...model.parameters.map(({ name }) => name), ...model.sizes];
  return { equation: { ...one, model }, isIdentity: isIdentity(body, inputs, isDefined, isFunction) };
}

/** Whether it computes a truth value, or the right side of its formula, that nothing but its key names. */
const isNamedByKey = ({ bare, symbol, name }: EquationModel): boolean => bare === true && symbol === name;

/** Functions that conditions on whole numbers do not use, as they do `floor` and `mod`. */
const analytic: ReadonlySet<FunctionName | undefined> = new Set([
  'sqrt',
  'exp',
  'log',
  'sin',
  'cos',
  'tan',
  'tanh',
  'sinh',
  'cosh',
  'atan',
  'erf',
  'sigmoid',
  'softplus',
] as const);

type Test = (name: string) => boolean;
type Call = Extract<Expression, { kind: 'call' }>;

/** The outermost calls of the functions that pass `test`. */
function callsOf(expression: Expression, test: Test): readonly Call[] {
  if (expression.kind === 'call' && expression.callee.kind === 'name' && test(expression.callee.text))
    return [expression];
  return childrenOf(expression).flatMap((part) => callsOf(part, test));
}

/** The names outside of such calls. */
function namesOutside(expression: Expression, test: Test): readonly string[] {
  if (expression.kind === 'name') return [expression.text];
  if (expression.kind === 'call' && expression.callee.kind === 'name' && test(expression.callee.text)) return [];
  return childrenOf(expression).flatMap((part) => namesOutside(part, test));
}

/**
 * Equal sides over inputs that all are arguments of functions with a formula: in `memory(n) = limit`, `limit` is not. If only elementary
 * functions are called, each side must use all inputs: `log(2·p) = 1` is an equation to solve.
 */
function isIdentity(body: Expression, inputs: readonly string[], isDefined: Test, isFunction: Test): boolean {
  if (body.kind !== 'relation' || body.operators.some((operator) => operator !== '=')) return false;
  const inputsIn = (names: readonly string[]): readonly string[] =>
    inputs.filter((input) => names.some((name) => name === input || name.startsWith(`${input}_`)));
  const calls = callsOf(body, isDefined);
  if (calls.length > 0) {
    const inside = new Set(inputsIn(calls.flatMap(namesOf)));
    const outside = namesOutside(body, isDefined);
    const isIndex = (name: string): boolean => name.length === 1;
    return (
      inputsIn(outside).every((name) => inside.has(name)) &&
      outside.every((name) => isIndex(name) || isFunction(name) || isBuiltinWord(name) || inputsIn([name]).length > 0)
    );
  }
  const sides = body.operands.map((side) => inputsIn(namesOf(side)).join());
  return new Set(sides).size === 1 && body.operands.every((side) => callsOf(side, isFunction).length > 0);
}
