/** `f(…)`: helpers, equations, built-in functions; and products written like calls, `A(B + C)`. */
import { quoted } from '../../../base/text.ts';
import type { Range } from '../../../diagnostics/source.ts';
import { call, integer } from '../../../math/term/build.ts';
import type { Expression } from '../../../math/notation/syntax.ts';
import { isNumeric } from '../../../math/term/types.ts';
import { applyEquation } from './application.ts';
import { isFactor } from './bracketed-factor.ts';
import { combine, lift, productOf, transposed, unary } from '../operators/arithmetic.ts';
import { constants, isBuiltinWord, scalarFunctions, tensorFunctions } from '../operators/builtins.ts';
import { fail, giveUp, type Context } from '../context/context.ts';
import { expandDefinition } from './definitions.ts';
import { elaborateDerivative, isDerivative } from './derivative.ts';
import { isBinomial, isKnownFunction, knownFunction, knownOperator } from './known-functions.ts';
import { at, indexValue } from '../operators/indexing.ts';
import { squared, variance } from '../operators/moments.ts';
import { use } from '../context/ledger.ts';
import { isFunction } from './letter-products.ts';
import { resolveName } from '../context/names.ts';
import { elaborateBig, overElements } from '../operators/reductions.ts';
import { lookup, type Definition, type Entry, type Scope } from '../context/scope.ts';
import { lengthOf, unitsOf } from '../operators/sequences.ts';
import { axisOf, shapeOf } from '../operators/shapes.ts';
import { distinctCount, reversed, swapped } from '../operators/vector-functions.ts';
import { freeIndices } from '../context/syntax-parts.ts';
import { unknownName } from './unknown-name.ts';
import type { Value } from '../context/value.ts';
import { rankOf, scalar, valueText } from '../context/values.ts';

/** Methods of Rust's numbers and slices that mean the function of the same name: `x.len()`, `x.is_finite()`. */
const methods: ReadonlySet<string> = new Set([
  'len',
  'is_finite',
  'is_nan',
  'abs',
  'sqrt',
  'exp',
  'ln',
  'tanh',
  'sin',
  'cos',
  'sum',
  'mean',
  'max',
  'min',
]);

type Call = Extract<Expression, { kind: 'call' }>;
type Member = Extract<Expression, { kind: 'member' }>;

/** Declared names come before built-in ones; a callee that is not a function is a factor. */
export function elaborateCall(ctx: Context, expression: Call, scope: Scope): Value {
  const { callee } = expression;
  if (callee.kind === 'member' && expression.arguments.length === 0 && iterators.has(callee.property))
    return ctx.elaborate(callee.object, scope);
  const inModule = callee.kind === 'member' ? moduleFunction(callee, scope) : null;
  if (inModule) return elaborateCall(ctx, { ...expression, callee: inModule }, scope);
  if (callee.kind === 'member' && expression.arguments.length === 0 && methods.has(callee.property)) {
    const name: Expression = { kind: 'name', text: callee.property, range: callee.range };
    return elaborateCall(
      ctx,
      { ...expression, callee: name, arguments: [{ label: null, value: callee.object }] },
      scope,
    );
  }
  if (callee.kind !== 'name') return productCall(ctx, expression, scope);
  use(ctx, callee.range);
  const entry = lookup(scope, callee.text);
  if (entry) return callEntry(ctx, entry, expression, scope);
  if (isDerivative(callee.text)) return elaborateDerivative(ctx, callee.text, expression, scope);
  const builtin = callBuiltin(ctx, callee.text, expression, scope);
  if (builtin) return builtin;
  const resolved = resolveName(callee, scope);
  if (resolved?.kind === 'indexed' && isFunction(resolved.entry)) {
    const applied = callEntry(
      ctx,
      resolved.entry,
      { ...expression, callee: { ...callee, text: resolved.name } },
      scope,
    );
    return indexValue(ctx, applied, resolved.indices.map(at), scope, { range: expression.range, shown: resolved.name });
  }
  if (resolved || constants.has(callee.text)) return productCall(ctx, expression, scope);
  return callKnown(ctx, callee.text, expression, scope) ?? unknownName(ctx, callee.text, callee, scope, true);
}

/** What a method gives that only says how a vector is passed on, as in `x.iter().sum()`. */
const iterators: ReadonlySet<string> = new Set(['data', 'iter', 'into_iter', 'copied', 'cloned', 'clone', 'to_vec']);

const isNamed = (part: Expression, name: string): boolean => part.kind === 'name' && part.text === name;

const modules: ReadonlySet<string> = new Set(['np', 'numpy', 'math', 'torch', 'jnp']);

/** `exp` of `np.exp`, unless something here is named np. */
function moduleFunction({ object, property, range }: Member, scope: Scope): Expression | null {
  const isModule = object.kind === 'name' && modules.has(object.text) && lookup(scope, object.text) === null;
  // PyTorch divides by n - 1.
  const differs = isNamed(object, 'torch') && (property === 'var' || property === 'std');
  return isModule && !differs && isBuiltinWord(property) && lookup(scope, property) === null
    ? { kind: 'name', text: property, range }
    : null;
}

/** `softmax(z)` where nothing declares softmax. */
function callKnown(ctx: Context, name: string, { arguments: written, range }: Call, scope: Scope): Value | null {
  const [only, more, third] = written;
  const operator = knownOperator(name);
  if (only && more && !third && only.label === null && more.label === null && (operator || isBinomial(name))) {
    const [first, second] = [ctx.elaborate(only.value, scope), ctx.elaborate(more.value, scope)];
    return operator ? combine(ctx, operator, first, second, range) : binomial(ctx, first, second, range);
  }
  if (!isKnownFunction(name) || !only || more || only.label !== null) return null;
  const argument = ctx.elaborate(only.value, scope);
  const definition = knownFunction(name, rankOf(argument));
  return definition && (ctx.problem ? scalar(integer(0)) : expandDefinition(ctx, definition, [argument], range));
}

/** n choose k; C of numbers that are not whole is another function. */
function binomial(ctx: Context, n: Value, k: Value, range: Range): Value {
  if (ctx.problem) return n;
  const isWhole = (value: Value): boolean => value.kind === 'scalar' && value.term.type.kind === 'integer';
  if (isWhole(n) && isWhole(k)) return lift(ctx, 'binomial', [n, k], range);
  return fail(ctx, 'PV-4003', range, 'n choose k is of whole numbers', 'declare them: n, k ∈ ℕ');
}

function callEntry(ctx: Context, entry: Entry, expression: Call, scope: Scope): Value {
  if (entry.kind === 'equation') {
    const model = entry.model();
    if (model !== null && isFactor(ctx, model, expression)) return productCall(ctx, expression, scope);
    return applyEquation(ctx, entry, expression.arguments, scope, expression.range);
  }
  if (entry.kind === 'definition' && entry.definition.parameters.length > 0)
    return callDefinition(ctx, entry.definition, expression, scope);
  const family = callFamily(ctx, expression, scope);
  if (family) return family;
  const { callee, range } = expression;
  if (callee.kind !== 'name' || !isBuiltinWord(callee.text)) return productCall(ctx, expression, scope);
  const message = `${quoted(callee.text)} is a number here, and reads like the function`;
  return fail(ctx, 'PV-4030', range, message, 'give the number another name');
}

/** `mask(i, j)` of a family or tensor helper looks like a function call but is an index. */
function callFamily(ctx: Context, expression: Call, scope: Scope): Value | null {
  const base = ctx.elaborate(expression.callee, scope);
  const isPlace = expression.arguments.every(
    ({ value }) => value.kind === 'name' && lookup(scope, value.text)?.kind === 'index',
  );
  // `Σ_i P(i)` of a vector P sums its elements.
  if (expression.arguments.length !== rankOf(base) || !(base.kind === 'family' || (base.kind === 'tensor' && isPlace)))
    return null;
  return indexValue(
    ctx,
    base,
    expression.arguments.map((a) => at(a.value)),
    scope,
    { range: expression.range, shown: base.kind === 'family' ? base.name : 'this' },
  );
}

function callDefinition(ctx: Context, definition: Definition, expression: Call, scope: Scope): Value {
  const { parameters, name } = definition;
  if (expression.arguments.length !== parameters.length || expression.arguments.some((a) => a.label !== null)) {
    return fail(ctx, 'PV-4008', expression.range, `${name} takes ${parameters.join(', ')}`);
  }
  const args = expression.arguments.map((a) => ctx.elaborate(a.value, scope));
  return ctx.problem ? scalar(integer(0)) : expandDefinition(ctx, definition, args, expression.range);
}

/** `A(B + C)` where A is a number or a matrix. */
function productCall(ctx: Context, expression: Call, scope: Scope): Value {
  const [only, more] = expression.arguments;
  if (!only || more || only.label !== null) return fail(ctx, 'PV-4008', expression.range, 'this is not a function');
  const inverted = invertedFunction(expression.callee, scope);
  if (inverted !== null)
    return giveUp(
      ctx,
      expression.callee.range,
      `pv has no formula for the inverse of ${inverted}`,
      'name it and define it',
    );
  // A factor in brackets is a sum; `waste(n)` of a number waste is meant as its value at n.
  if (expression.callee.kind === 'name' && only.value.kind === 'name') {
    const [name, argument] = [expression.callee.text, only.value.text];
    return giveUp(
      ctx,
      expression.range,
      `${name} is not a function here`,
      `write ${name}·${argument}, or define ${name}(${argument})`,
    );
  }
  return combine(ctx, '·', ctx.elaborate(expression.callee, scope), ctx.elaborate(only.value, scope), expression.range);
}

/** `x(1 - x)²` as `x·(1 - x)²`: the power of a factor that looks like an argument is its own; null for `f(x)²` and `(x(1 - x))²`. */
export function factorToPower(
  ctx: Context,
  power: Extract<Expression, { kind: 'binary' }>,
  scope: Scope,
): Expression | null {
  const { left, operator, range } = power;
  const [only, more] = left.kind === 'call' ? left.arguments : [];
  if (operator !== '^' || left.kind !== 'call' || left.range.start !== range.start || !only || more) return null;
  if (only.label !== null || !isProduct(ctx, left, scope)) return null;
  const start = left.callee.range.end;
  const right: Expression = { ...power, left: only.value, range: { start, end: range.end } };
  return { ...power, operator: '·', left: left.callee, right, juxtaposed: true };
}

/** Whether {@link elaborateCall} multiplies. */
function isProduct(ctx: Context, expression: Call, scope: Scope): boolean {
  const { callee } = expression;
  if (callee.kind !== 'name') return callee.kind !== 'member' && invertedFunction(callee, scope) === null;
  const { text } = callee;
  const entry = lookup(scope, text);
  if (entry?.kind === 'equation') {
    const model = entry.model();
    return model !== null && isFactor(ctx, model, expression);
  }
  if (isBuiltinWord(text) || (entry && isFunction(entry))) return false;
  if (entry) return callFamily(ctx, expression, scope) === null;
  if (constants.has(text)) return true;
  const resolved = isDerivative(text) ? null : resolveName(callee, scope);
  return resolved !== null && !(resolved.kind === 'indexed' && isFunction(resolved.entry));
}

/** g of `g^{-1}(y)`, which is an inverse and not 1/g. */
function invertedFunction(callee: Expression, scope: Scope): string | null {
  if (callee.kind !== 'binary' || callee.operator !== '^' || callee.left.kind !== 'name') return null;
  const { left, right } = callee;
  const isInverse = right.kind === 'negate' && right.operand.kind === 'number' && right.operand.value === '1';
  const entry = lookup(scope, left.text);
  const applies = entry ? isFunction(entry) : isBuiltinWord(left.text);
  return isInverse && applies ? left.text : null;
}

/** A built-in function of the table; null for any other name. */
function callBuiltin(ctx: Context, name: string, expression: Call, scope: Scope): Value | null {
  const over = tensorFunctions.get(name);
  const fn = scalarFunctions.get(name);
  const special = specials.get(name);
  if (!over && !fn && !special) return null;
  if (expression.arguments.some((a) => a.label !== null))
    return fail(ctx, 'PV-4008', expression.range, `${name} has no named arguments`);
  if (over) return overTensor(ctx, name, expression, scope);
  const [first] = expression.arguments;
  const different = lengths.has(name) && first ? distinctCount(ctx, first.value, scope) : null;
  if (different) return different;
  const args = expression.arguments.map((a) => ctx.elaborate(a.value, scope));
  if (ctx.problem) return scalar(integer(0));
  if (special) return special(ctx, args, expression);
  const arity = fn?.[1] ?? 1;
  if (args.length !== arity)
    return fail(
      ctx,
      'PV-4008',
      expression.range,
      `${name} takes ${arity} ${arity === 1 ? 'argument' : 'arguments'}, not ${args.length}`,
    );
  return lift(ctx, fn?.[0] ?? 'exp', args, expression.range);
}

/** `max(x)` of a tensor, `max(a, b)` of numbers, `sum(x_i)` over the free index. */
function overTensor(ctx: Context, name: string, expression: Call, scope: Scope): Value {
  const operator = tensorFunctions.get(name) ?? 'sum';
  const [first, second] = expression.arguments;
  if (!first) return fail(ctx, 'PV-4008', expression.range, `${name} needs an argument`);
  if (second) return larger(ctx, name, expression, scope);
  const { range } = expression;
  if (operator !== 'all' && operator !== 'any' && freeIndices(first.value, scope).length > 0) {
    return elaborateBig(
      ctx,
      { kind: 'big', operator, binders: [], upper: null, condition: null, body: first.value, range },
      scope,
    );
  }
  const value = ctx.elaborate(first.value, scope);
  if (value.kind === 'tensor') return overElements(ctx, operator, value, range);
  if (ctx.problem) return value;
  return fail(ctx, 'PV-4008', range, `${name} runs over the elements of a tensor, and this is ${valueText(value)}`);
}

function larger(ctx: Context, name: string, expression: Call, scope: Scope): Value {
  if (name !== 'max' && name !== 'min') return fail(ctx, 'PV-4008', expression.range, `${name} takes one argument`);
  const fn = name === 'max' ? 'maximum' : 'minimum';
  const values = expression.arguments.map((a) => ctx.elaborate(a.value, scope));
  return values.reduce((a, b) => lift(ctx, fn, [a, b], expression.range));
}

const lengths: ReadonlySet<string> = new Set(['len', 'length']);

type Special = (ctx: Context, args: readonly Value[], expression: Call) => Value;

const specials: ReadonlyMap<string, Special> = new Map<string, Special>([
  [
    'norm',
    (ctx, args, at) => {
      const [x, more] = args;
      if (x?.kind !== 'tensor' || more || !isNumeric(x.element))
        return fail(ctx, 'PV-4008', at.range, 'norm takes one tensor of numbers');
      return unary(ctx, 'sqrt', overElements(ctx, 'sum', squared(x), at.range), at.range);
    },
  ],
  ['variance', (ctx, args, at) => variance(ctx, args, at, 'variance')],
  ['Var', (ctx, args, at) => variance(ctx, args, at, 'Var')],
  ['var', (ctx, args, at) => variance(ctx, args, at, 'var')],
  ['std', (ctx, args, at) => unary(ctx, 'sqrt', variance(ctx, args, at, 'std'), at.range)],
  [
    'dot',
    (ctx, args, at) => {
      const [x, y, more] = args;
      if (!x || !y || more) return fail(ctx, 'PV-4008', at.range, 'dot takes two vectors');
      return productOf(ctx, x, y, at.range);
    },
  ],
  [
    'transpose',
    (ctx, args, at) => {
      const [x, more] = args;
      if (!x || more) return fail(ctx, 'PV-4008', at.range, 'transpose takes one matrix');
      const [argument] = at.arguments;
      return argument && isShape(argument.value) ? swapped(ctx, x, at.range) : transposed(ctx, x, at.range);
    },
  ],
  ['utf8', (ctx, args, at) => ofOne(ctx, args, at, (value) => unitsOf(ctx, value, 'utf8', at.range))],
  ['code_points', (ctx, args, at) => ofOne(ctx, args, at, (value) => unitsOf(ctx, value, 'code point', at.range))],
  ['len', (ctx, args, at) => ofOne(ctx, args, at, (value) => lengthOf(ctx, value, at.range))],
  ['length', (ctx, args, at) => ofOne(ctx, args, at, (value) => lengthOf(ctx, value, at.range))],
  ['shape', (ctx, args, at) => ofOne(ctx, args, at, (value) => shapeOf(ctx, value, at.range))],
  ['reverse', (ctx, args, at) => ofOne(ctx, args, at, (value) => reversed(ctx, value, at.range))],
  ['swap', (ctx, args, at) => ofOne(ctx, args, at, (value) => swapped(ctx, value, at.range))],
  ['rows', (ctx, args, at) => ofOne(ctx, args, at, (value) => axisOf(ctx, value, 0, at.range))],
  ['cols', (ctx, args, at) => ofOne(ctx, args, at, (value) => axisOf(ctx, value, 1, at.range))],
  ['Φ', normalCdf],
  ['Phi', normalCdf],
]);

/** `shape(A)` and `A.shape`: the transpose of A has these sizes in the other order. */
const isShape = (part: Expression): boolean =>
  (part.kind === 'call' && isNamed(part.callee, 'shape')) || (part.kind === 'member' && part.property === 'shape');

/** `meaning` of the only argument. */
function ofOne(ctx: Context, [only, more]: readonly Value[], at: Call, meaning: (value: Value) => Value): Value {
  const name = at.callee.kind === 'name' ? at.callee.text : 'this';
  return !only || more ? fail(ctx, 'PV-4008', at.range, `${name} takes one argument`) : meaning(only);
}

/** The distribution function of the standard normal, ½·(1 + erf(x/√2)). */
function normalCdf(ctx: Context, args: readonly Value[], at: Call): Value {
  const [x, more] = args;
  if (!x || more) return fail(ctx, 'PV-4008', at.range, 'Φ takes one argument');
  const one = scalar(integer(1));
  const scaled = lift(ctx, 'divide', [x, scalar(call('sqrt', integer(2)))], at.range);
  const sum = lift(ctx, 'add', [one, lift(ctx, 'erf', [scaled], at.range)], at.range);
  return lift(ctx, 'divide', [sum, scalar(integer(2))], at.range);
}
