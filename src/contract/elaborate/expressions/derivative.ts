/** `vjp(f, x, g)` and `jvp(f, x, v)`: derivatives of an equation by one of its inputs. */
import { invariant } from '../../../base/invariant.ts';
import type { Range } from '../../../diagnostics/source.ts';
import { integer } from '../../../math/term/build.ts';
import { jacobianVector, obstacleTo, vectorJacobian } from '../../../math/derivative/derivative.ts';
import type { Argument, Expression } from '../../../math/notation/syntax.ts';
import { INTEGER, type Term, type Type } from '../../../math/term/term.ts';
import { substitute, termSize } from '../../../math/term/traverse.ts';
import { elementTypeOf, makeType, shapeOf, typeText } from '../../../math/term/types.ts';
import { isDeclaredOnly, type EquationModel, type Parameter } from '../../goal.ts';
import { argumentTerm, bindArguments, type Bound } from './application.ts';
import { blocked, fail, giveUp, type Context } from '../context/context.ts';
import { share } from '../context/frames.ts';
import { use } from '../context/ledger.ts';
import { lookup, type EquationEntry, type Scope } from '../context/scope.ts';
import type { Value } from '../context/value.ts';
import { scalar, valueOf } from '../context/values.ts';

type Call = Extract<Expression, { kind: 'call' }>;
type Variable = Extract<Term, { kind: 'variable' }>;

/** `vjp` multiplies a covector from the left with the Jacobian, `jvp` a vector from the right. */
export type DerivativeName = 'vjp' | 'jvp';

/** Whether `name` is built in as a derivative. */
export function isDerivative(name: string): name is DerivativeName {
  return name === 'vjp' || name === 'jvp';
}

const usage: Readonly<Record<DerivativeName, string>> = {
  vjp: 'vjp(f, x, g) takes an equation, one of its inputs, and a number per element of its result',
  jvp: 'jvp(f, x, v) takes an equation, one of its inputs, and a number per element of that input',
};

/**
 * vjp: Σ_i g_i·∂f_i/∂x_k, shaped as x. jvp: Σ_k ∂f_i/∂x_k·v_k, shaped as f.
 * The equation means its mathematics, even in claims; arguments other than the inputs of the same name are written
 * as for any application: vjp(f(2·x), x, g).
 */
export function elaborateDerivative(ctx: Context, name: DerivativeName, expression: Call, scope: Scope): Value {
  const [of, by, along, more] = expression.arguments;
  if (!of || !by || !along || more || [of, by, along].some((argument) => argument.label !== null))
    return fail(ctx, 'PV-4008', expression.range, usage[name]);
  const applied = applicationOf(of.value, scope);
  if (applied === null) return fail(ctx, 'PV-4008', of.value.range, usage[name], 'name an equation of the contract');
  const model = applied.entry.model();
  if (model === null)
    return blocked(
      ctx,
      of.value.range,
      `the formula of ${applied.entry.name} cannot be run, so nothing that uses it can`,
    );
  use(ctx, applied.callee.range);
  use(ctx, by.value.range);
  const parameter = parameterOf(ctx, model, by.value);
  if (parameter === null) return scalar(integer(0));
  const obstacle = isDeclaredOnly(model) ? 'kernel' : obstacleTo(model.body);
  if (obstacle !== null) return notDifferentiable(ctx, model, obstacle, of.value.range);
  ctx.visits += 4 * termSize(model.body);
  const place = { range: expression.range, kernel: false };
  const bound = bindArguments(ctx, model, applied.arguments, scope, place);
  const value = ctx.elaborate(along.value, scope);
  if (bound === null || ctx.problem) return scalar(integer(0));
  const sizes = new Map(model.sizes.map((size, i) => [size, bound.sizes[i] ?? integer(0)] as const));
  const wanted: Parameter = {
    name: name === 'vjp' ? `a factor for each element of ${model.symbol}` : `a direction for ${parameter.name}`,
    type: realOf(name === 'vjp' ? model.result : parameter.type),
  };
  const vector = argumentTerm(ctx, model, wanted, value, sizes, { range: along.value.range, kernel: false });
  if (ctx.problem) return scalar(integer(0));
  return valueOf(share(ctx, derivative(ctx, name, { model, parameter, bound }, share(ctx, vector, 'along')), name));
}

/** The equation, and the arguments that it is applied to. */
function applicationOf(
  expression: Expression,
  scope: Scope,
): { readonly callee: Expression; readonly entry: EquationEntry; readonly arguments: readonly Argument[] } | null {
  const callee = expression.kind === 'call' ? expression.callee : expression;
  if (callee.kind !== 'name') return null;
  const entry = lookup(scope, callee.text);
  if (entry?.kind !== 'equation') return null;
  return { callee, entry, arguments: expression.kind === 'call' ? expression.arguments : [] };
}

function parameterOf(ctx: Context, model: EquationModel, expression: Expression): Parameter | null {
  const name = expression.kind === 'name' ? expression.text : null;
  const found = model.parameters.find((parameter) => parameter.name === name);
  const numbers = model.parameters.filter(({ type }) => isReal(type)).map((parameter) => parameter.name);
  if (found && isReal(found.type) && isReal(model.result)) return found;
  if (!isReal(model.result)) {
    fail(ctx, 'PV-4003', expression.range, `${model.name} computes ${typeText(model.result)}, which has no derivative`);
  } else if (found) {
    const message = `${found.name} ∈ ${typeText(found.type)} has no neighbours, so there is no derivative with respect to it`;
    fail(ctx, 'PV-4003', expression.range, message, `differentiate by ${numbers.join(' or ')}`);
  } else {
    const message = name === null ? 'an input of the equation belongs here' : `${model.name} has no input ${name}`;
    fail(ctx, 'PV-4008', expression.range, message, `its real inputs are ${numbers.join(', ')}`);
  }
  return null;
}

function isReal(type: Type): boolean {
  const { kind } = elementTypeOf(type);
  return kind === 'real' || kind === 'float';
}

function realOf(type: Type): Type {
  return makeType({ kind: 'real' }, shapeOf(type));
}

function notDifferentiable(ctx: Context, model: EquationModel, obstacle: string, range: Range): Value {
  const why =
    obstacle === 'kernel'
      ? `${model.name} is only declared: there is no formula to differentiate`
      : `the formula of ${model.name} rounds to a format (${obstacle}), which no derivative describes`;
  return giveUp(ctx, range, why);
}

interface Differentiated {
  readonly model: EquationModel;
  readonly parameter: Parameter;
  readonly bound: Bound;
}

/** The derivative over the equation's own names, all fresh here, then with the arguments substituted. */
function derivative(
  ctx: Context,
  name: DerivativeName,
  { model, parameter, bound }: Differentiated,
  along: Term,
): Term {
  const own = new Map<string, Term>();
  const actual = new Map<string, Term>();
  const rename = (old: string, type: Type, value: Term): Variable => {
    const renamed: Variable = { kind: 'variable', name: ctx.fresh(old), type, origin: null };
    own.set(old, renamed);
    actual.set(renamed.name, value);
    return renamed;
  };
  const here = (type: Type): Type =>
    makeType(
      elementTypeOf(type),
      shapeOf(type).map((axis) => substitute(axis, own, ctx.fresh)),
    );
  model.sizes.forEach((size, i) => rename(size, INTEGER, bound.sizes[i] ?? integer(0)));
  const inputs = model.parameters.map((one, i) => rename(one.name, here(one.type), bound.arguments[i] ?? integer(0)));
  const by = inputs[model.parameters.indexOf(parameter)];
  invariant(by, 'the parameter is one of the equation');
  const vector = rename('along', realOf(here(name === 'vjp' ? model.result : parameter.type)), along);
  const body = substitute(model.body, own, ctx.fresh);
  const differentiate = name === 'vjp' ? vectorJacobian : jacobianVector;
  return substitute(differentiate({ body, parameter: by, fresh: ctx.fresh }, vector), actual, ctx.fresh);
}
