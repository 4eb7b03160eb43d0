/** Applications of equations: the mathematics inlined (`σ_ref(x)`, and every name in a formula), or a run of the kernel. */
import type { Range } from '../../../diagnostics/source.ts';
import { boolean, call, integer, string, tabulate, variable } from '../../../math/term/build.ts';
import type { Argument, Expression } from '../../../math/notation/syntax.ts';
import { printTerm } from '../../../math/term/print-term.ts';
import { integerValue } from '../../../math/term/fold.ts';
import { solveSize } from '../../../math/term/sizes.ts';
import { termKey } from '../../../math/term/term-key.ts';
import { isSequence, lengthName } from '../../../math/term/sequences.ts';
import { INTEGER, type Term } from '../../../math/term/term.ts';
import { freeVariables, substitute, termSize } from '../../../math/term/traverse.ts';
import { isNumeric, makeType, elementTypeOf, shapeOf, typeText } from '../../../math/term/types.ts';
import { isDeclaredOnly, type EquationModel, type Parameter } from '../../goal.ts';
import { equalSizes, writeOut } from '../operators/binders.ts';
import { blocked, fail, giveUp, type Context } from '../context/context.ts';
import { isolated, share } from '../context/frames.ts';
import type { ClaimState } from '../context/claim-state.ts';
import { countingFromOne } from '../operators/from-one.ts';
import { runningErrorOf } from '../operators/error-terms.ts';
import {
  boundIndices,
  isMapped,
  mappedOver,
  mappedType,
  outputHere,
  overIndices,
  type MappedOver,
} from './mapped-application.ts';
import { lookup, type EquationEntry, type IndexVariable, type Scope } from '../context/scope.ts';
import { namesOf } from '../context/syntax-parts.ts';
import { rivalFor } from './rivals.ts';
import type { Value } from '../context/value.ts';
import { overAxes, scalar, valueOf, valueText, wholeTerm } from '../context/values.ts';

/** The arguments of an application for each parameter and each size. */
export interface Bound {
  readonly arguments: readonly Term[];
  readonly sizes: readonly Term[];
}

/** `f(x)`, `f(α·x)`, `f` alone: missing inputs are the inputs of the same name here. */
export function applyEquation(
  ctx: Context,
  written: EquationEntry,
  args: readonly Argument[],
  scope: Scope,
  range: Range,
): Value {
  const entry = rivalFor(ctx, written, args, scope, range);
  if (entry === null) return scalar(integer(0));
  const model = entry.model();
  if (model === null)
    return blocked(ctx, range, `the formula of ${entry.name} cannot be run, so nothing that uses it can`);
  ctx.visits += termSize(model.body);
  // Over the reals kernel and equation are the same, so `f` and `f_ref` compare as equal.
  const kernel = ctx.claim !== null && entry.inlined !== true && (!entry.reference || ctx.claim.semantics === 'real');
  const bound = bindArguments(ctx, model, args, scope, { range, kernel });
  if (bound === null || ctx.problem) return scalar(integer(0));
  inferRanges(ctx, model, bound);
  if (isDeclaredOnly(model) && (!kernel || ctx.claim?.semantics === 'real')) return notComputable(ctx, entry, range);
  return kernel ? runKernel(ctx, entry, model, bound, range) : inlined(ctx, model, bound);
}

const longestRange = 1024;

/** j of `Σ_j mask(i, j)` runs over all that the equation allows, `j ∈ [0, n)`, if nothing else says how far it runs. */
function inferRanges(ctx: Context, model: EquationModel, bound: Bound): void {
  const values = replacementsOf(model, bound);
  for (const [i, { name }] of model.parameters.entries()) {
    const argument = bound.arguments[i];
    const index = argument?.kind === 'variable' ? ctx.indices.get(argument.name) : undefined;
    const input = model.domain.variables.find((one) => one.name === name);
    if (!index || index.to || index.declared || index.inferred || !input?.lower || !input.upper) continue;
    const { lower, upper, element } = input;
    if (element.kind !== 'integer' || lower.open || integerValue(lower.value) !== 0) continue;
    const end = substitute(upper.value, values, ctx.fresh);
    // The numbers of a format are not a range to run over.
    if ((integerValue(end) ?? 0) > longestRange) continue;
    index.inferred = { size: upper.open ? end : call('add', end, integer(1)), shownBy: name };
  }
}

function replacementsOf(model: EquationModel, bound: Bound): ReadonlyMap<string, Term> {
  return new Map([
    ...model.sizes.map((name, i) => [name, bound.sizes[i] ?? integer(0)] as const),
    ...model.parameters.map(({ name }, i) => [name, bound.arguments[i] ?? integer(0)] as const),
  ]);
}

/** A function that is only declared has values only where its kernel runs. */
function notComputable(ctx: Context, entry: EquationEntry, range: Range): Value {
  return giveUp(
    ctx,
    range,
    `${entry.name} is only declared: there is no formula to compute it with`,
    `state the claim for its kernel: ${entry.name}(…)`,
  );
}

function inlined(ctx: Context, model: EquationModel, bound: Bound): Value {
  return countingFromOne(valueOf(share(ctx, bodyAt(ctx, model, bound), model.symbol)), model.fromOne);
}

function bodyAt(ctx: Context, model: EquationModel, bound: Bound): Term {
  return withoutOrigins(substitute(model.body, replacementsOf(model, bound), ctx.fresh));
}

/** Ranges of another text are meaningless here; substitution has rebuilt the nodes, so only the outer one is reset. */
function withoutOrigins(term: Term): Term {
  return term.origin === null ? term : { ...term, origin: null };
}

function runKernel(ctx: Context, entry: EquationEntry, model: EquationModel, bound: Bound, range: Range): Value {
  const { claim } = ctx;
  if (claim === null) return scalar(integer(0));
  const indices = boundIndices(ctx, [...bound.arguments, ...bound.sizes]);
  if (indices.length > 0) return runPerIndex(ctx, { entry, model, bound, range }, indices);
  const output = applied(ctx, claim, { entry, model, bound, range }, null);
  return countingFromOne(valueOf(output), model.fromOne);
}

interface Run {
  readonly entry: EquationEntry;
  readonly model: EquationModel;
  readonly bound: Bound;
  /** Where it is written. */
  readonly range: Range;
}

/** One run for each value of the indices that the arguments mention. */
function runPerIndex(ctx: Context, { entry, model, bound, range }: Run, indices: readonly IndexVariable[]): Value {
  const { claim } = ctx;
  const over = mappedOver(indices);
  const ofSizes = boundIndices(ctx, bound.sizes)[0];
  const refuse = (why: string, hint: string): Value => giveUp(ctx, range, `${entry.name} ${why}`, hint);
  if (claim === null || ofSizes || isSequence(model.result) || model.result.kind === 'string')
    return refuse(
      `would have to run once per ${(ofSizes ?? indices[0])?.written ?? 'index'}, on inputs or to outputs of various sizes`,
      `state the claim for an arbitrary input, or use the reference: ${entry.name}_ref`,
    );
  if ('unknown' in over)
    return refuse(
      `runs once per ${over.unknown.written}, and its range from 0 is not known yet`,
      `bound it: ${over.unknown.written} ∈ [0, n), or use the reference: ${entry.name}_ref`,
    );
  // Over the reals there is no kernel to run.
  if (claim.semantics === 'real') return inlined(ctx, model, bound);
  return outputHere(over, applied(ctx, claim, { entry, model, bound, range }, over));
}

/** The variable that represents the output; equal applications share one, unless runs are kept apart. */
function applied(ctx: Context, claim: ClaimState, { entry, model, bound, range }: Run, over: MappedOver | null): Term {
  const { sizes } = bound;
  const args = bound.arguments.map((term) => (over && isMapped(over, term) ? overIndices(ctx, over, term) : term));
  const overKeys = over ? ['over', ...over.sizes.map(termKey)] : [];
  const mention = claim.runsApart ? [`${range.start} in`, ctx.text.text] : [];
  const key = [entry.name, ...args.map(termKey), '|', ...sizes.map(termKey), ...overKeys, ...mention].join(' ');
  const known = claim.outputs.get(key);
  const output = known ?? `out:${claim.applications.length}`;
  const values = new Map(model.sizes.map((name, i) => [name, sizes[i] ?? integer(0)] as const));
  const one = makeType(
    elementTypeOf(model.result),
    shapeOf(model.result).map((axis) =>
      isSequence(model.result) ? variable(lengthName(output), INTEGER) : substitute(axis, values, ctx.fresh),
    ),
  );
  const type = over ? mappedType(over, one) : one;
  if (known === undefined) {
    claim.outputs.set(key, output);
    claim.models.set(entry.name, model);
    const each = over && { sizes: over.sizes, arguments: bound.arguments.map((term) => isMapped(over, term)) };
    claim.applications.push({ output, equation: entry.name, arguments: args, sizes, type, ...(each ? { each } : {}) });
    // A function that is only declared returns integers and strings, which have no rounding error.
    claim.outputErrors.set(output, () => {
      if (isDeclaredOnly(model)) return integer(0);
      const body = bodyAt(ctx, model, bound);
      return share(ctx, runningErrorOf(ctx, over ? overIndices(ctx, over, body) : body), 'error');
    });
  }
  return variable(output, type);
}

interface Place {
  readonly range: Range;
  readonly kernel: boolean;
}

/**
 * Matches arguments to parameters and unifies their shapes, which determines the sizes. Null after a problem, which
 * `ctx` then has.
 */
export function bindArguments(
  ctx: Context,
  model: EquationModel,
  args: readonly Argument[],
  scope: Scope,
  place: Place,
): Bound | null {
  const labelled = sortArguments(ctx, model, args, place.range);
  if (labelled === null) return null;
  const values = model.parameters.map((parameter) => argumentValue(ctx, model, parameter, labelled, scope, place));
  if (ctx.problem) return null;
  const sizes = bindSizes(ctx, model, values, labelled, scope, place);
  if (ctx.problem) return null;
  const terms = model.parameters.map((parameter, i) =>
    argumentTerm(ctx, model, parameter, values[i] ?? scalar(integer(0)), sizes, place),
  );
  return { arguments: terms, sizes: model.sizes.map((name) => sizes.get(name) ?? integer(0)) };
}

/** Positional arguments go to the parameters in order, labelled ones to the input or size of that name. */
function sortArguments(
  ctx: Context,
  model: EquationModel,
  args: readonly Argument[],
  range: Range,
): ReadonlyMap<string, Expression> | null {
  const names = [...model.parameters.map((p) => p.name), ...model.sizes];
  const sorted = new Map<string, Expression>();
  const places = names.slice(0, args.length);
  let position = 0;
  for (const arg of args) {
    const at = model.parameters[position++]?.name ?? null;
    const isPartial = model.bare === true && args.length < model.parameters.length;
    const name = arg.label ?? (isPartial ? namedBy(arg.value, names, places) : null) ?? at;
    if (name === null || !names.includes(name)) {
      const message =
        name === null
          ? `${model.name} takes ${model.parameters.length} arguments, not ${args.length}`
          : `${model.name} has no input ${name}`;
      fail(ctx, 'PV-4008', arg.value.range, message, `its inputs are ${names.join(', ')}`);
      return null;
    }
    if (sorted.has(name)) {
      fail(ctx, 'PV-4008', range, `${model.name} is given ${name} twice`);
      return null;
    }
    sorted.set(name, arg.value);
  }
  return sorted;
}

/** n of `n`, `n_1`, `n + 1`: the only input that an argument of `SE = s / √n` names; null if it is one of those given by place. */
function namedBy(value: Expression, inputs: readonly string[], places: readonly string[]): string | null {
  const stems = namesOf(value).map((name) => (inputs.includes(name) ? name : name.replace(/_?\d+$|['′]+$/u, '')));
  const named = [...new Set(stems.filter((stem) => inputs.includes(stem)))];
  const [only, more] = named;
  return only === undefined || more !== undefined || places.includes(only) ? null : only;
}

function argumentValue(
  ctx: Context,
  model: EquationModel,
  parameter: Parameter,
  given: ReadonlyMap<string, Expression>,
  scope: Scope,
  place: Place,
): Value {
  const expression = given.get(parameter.name);
  if (expression) return elaborateArgument(ctx, expression, scope, place, parameter.name);
  const entry = lookup(scope, parameter.name);
  if (entry?.kind === 'value') return entry.value;
  const idle = place.kernel ? null : idleValue(model, parameter);
  if (idle) return idle;
  const isFirst = ctx.problem === null;
  const value = fail(
    ctx,
    'PV-4008',
    place.range,
    `${model.name} needs ${parameter.name} ∈ ${typeText(parameter.type)}, which has no value here`,
    `name it: ${model.name}(…, ${parameter.name} = …)`,
  );
  if (isFirst && ctx.problem && parameter.type.kind !== 'tensor') {
    const isCount = parameter.type.kind === 'integer';
    ctx.problem = { ...ctx.problem, [isCount ? 'missingSize' : 'missing']: parameter.name };
  }
  return value;
}

/**
 * An arbitrary value for an input that the formula does not use, such as most of a config's inputs in one of its equations;
 * else null.
 */
function idleValue(model: EquationModel, { name, type }: Parameter): Value | null {
  if (shapeOf(type).length > 0 || isDeclaredOnly(model) || freeVariables(model.body).has(name)) return null;
  if (type.kind === 'boolean') return scalar(boolean(false));
  return scalar(type.kind === 'string' ? string('') : integer(0));
}

function elaborateArgument(ctx: Context, expression: Expression, scope: Scope, place: Place, hint: string): Value {
  if (place.kernel)
    return valueOf(isolated(ctx, () => wholeTerm(ctx, ctx.elaborate(expression, scope), expression.range)));
  const value = ctx.elaborate(expression, scope);
  return ctx.problem ? value : valueOf(share(ctx, wholeTerm(ctx, value, expression.range), hint));
}

function bindSizes(
  ctx: Context,
  model: EquationModel,
  values: readonly Value[],
  given: ReadonlyMap<string, Expression>,
  scope: Scope,
  place: Place,
): Map<string, Term> {
  const sizes = new Map<string, Term>();
  for (const name of model.sizes) {
    const expression = given.get(name);
    if (!expression) continue;
    const value = elaborateArgument(ctx, expression, scope, place, name);
    if (value.kind === 'scalar' && value.term.type.kind === 'integer') sizes.set(name, value.term);
    else
      fail(
        ctx,
        'PV-4003',
        expression.range,
        `the size ${name} must be a whole number, and this is ${valueText(value)}`,
      );
  }
  // Twice: an axis such as 2·k or k+1 determines its size once the others are known.
  for (let round = 0; round < 2; round++) unify(ctx, model, values, sizes);
  for (const size of model.domain.sizes) {
    if (sizes.has(size.name)) continue;
    const entry = lookup(scope, size.name);
    const here = entry?.kind === 'value' && entry.value.kind === 'scalar' ? entry.value.term : null;
    const value = size.definition ? substitute(size.definition, sizes, ctx.fresh) : here;
    const isFirst = ctx.problem === null;
    if (value) sizes.set(size.name, value);
    else
      fail(
        ctx,
        'PV-4008',
        place.range,
        `nothing gives the size ${size.name} of ${model.name}`,
        `name it: ${model.name}(…, ${size.name} = …)`,
      );
    if (!value && isFirst && ctx.problem) ctx.problem = { ...ctx.problem, missingSize: size.name };
  }
  checkDerivedSizes(ctx, model, sizes, place.range);
  return sizes;
}

function checkDerivedSizes(ctx: Context, model: EquationModel, sizes: ReadonlyMap<string, Term>, range: Range): void {
  for (const { name, definition } of model.domain.sizes) {
    const [value, derived] = [sizes.get(name), definition && substitute(definition, sizes, ctx.fresh)];
    if (ctx.problem || !definition || !value || !derived || equalSizes(ctx, value, derived)) continue;
    fail(
      ctx,
      'PV-4007',
      range,
      `${model.name} needs ${name} = ${printTerm(definition)}, and here ${name} is ${printTerm(value)} and ${printTerm(definition)} is ${printTerm(derived)}`,
    );
  }
}

/** Learns sizes from the axes of arguments: `n` from x ∈ F32^n, `k` from x ∈ F32^{2·k}. */
function unify(ctx: Context, model: EquationModel, values: readonly Value[], sizes: Map<string, Term>): void {
  model.parameters.forEach((parameter, i) => {
    const value = values[i];
    if (value?.kind !== 'tensor') return;
    shapeOf(parameter.type).forEach((axis, at) => {
      const actual = value.shape[at];
      const open = [...freeVariables(axis)].filter((name) => !sizes.has(name));
      const [unknown] = open;
      if (actual === undefined || unknown === undefined || open.length > 1) return;
      const solved = solve(ctx, substitute(axis, sizes, ctx.fresh), unknown, actual);
      if (solved) sizes.set(unknown, solved);
    });
  });
  for (const size of model.domain.sizes) {
    const actual = sizes.get(size.name);
    const [unknown, more] = size.definition
      ? [...freeVariables(size.definition)].filter((name) => !sizes.has(name))
      : [];
    if (!size.definition || !actual || unknown === undefined || more !== undefined) continue;
    const solved = solve(ctx, substitute(size.definition, sizes, ctx.fresh), unknown, actual);
    if (solved) sizes.set(unknown, solved);
  }
}

function solve(ctx: Context, size: Term, unknown: string, actual: Term): Term | null {
  return solveSize(size, unknown, actual) ?? solveSize(size, unknown, writeOut(ctx, actual));
}

/** The argument as one term of the parameter's shape; a number given for a tensor fills it. */
export function argumentTerm(
  ctx: Context,
  model: EquationModel,
  parameter: Parameter,
  value: Value,
  sizes: ReadonlyMap<string, Term>,
  place: Place,
): Term {
  const shape = shapeOf(parameter.type).map((axis) => substitute(axis, sizes, ctx.fresh));
  const wanted = makeType(elementTypeOf(parameter.type), shape);
  if (value.kind === 'family') return wholeTerm(ctx, value, place.range);
  const element = value.kind === 'tensor' ? value.element : value.term.type;
  const needed = elementTypeOf(parameter.type);
  const fits =
    needed.kind === 'integer'
      ? element.kind === 'integer'
      : needed.kind === 'real' || needed.kind === 'float'
        ? isNumeric(element)
        : element.kind === needed.kind;
  const sameRank = value.kind === 'scalar' || value.shape.length === shape.length;
  const sameSizes =
    value.kind === 'scalar' ||
    !sameRank ||
    value.shape.every((size, axis) => equalSizes(ctx, size, shape[axis] ?? integer(0)));
  if (!fits || !sameRank || !sameSizes) {
    fail(
      ctx,
      fits ? 'PV-4007' : 'PV-4003',
      place.range,
      `${model.name} needs ${parameter.name} ∈ ${typeText(wanted)}, and this is ${valueText(value)}`,
    );
    return integer(0);
  }
  if (value.kind === 'tensor') return value.whole ?? wholeTerm(ctx, value, place.range);
  if (shape.length === 0) return value.term;
  const { term } = value;
  const { body, binders } = overAxes(ctx, shape, () => term);
  const filled = tabulate(binders, body, elementTypeOf(needed));
  return place.kernel ? filled : share(ctx, filled, parameter.name);
}
