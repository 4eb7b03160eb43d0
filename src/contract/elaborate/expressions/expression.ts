/** Expressions to values: the switch over the surface syntax. Each case is a rule of docs/notation.md. */
import { call, choose, decimal, integer, string as text, boolean, withOrigin } from '../../../math/term/build.ts';
import type { Range } from '../../../diagnostics/source.ts';
import type { FunctionName } from '../../../math/functions.ts';
import { isPropositional } from '../../../math/notation/shape-of.ts';
import type { Expression, LogicOperator } from '../../../math/notation/syntax.ts';
import { INTEGER, REAL, type ScalarType, type Term } from '../../../math/term/term.ts';
import { commonType, elementTypeOf, isNumeric } from '../../../math/term/types.ts';
import { combine, lift, starProduct, transposed, unary } from '../operators/arithmetic.ts';
import { applyEquation } from './application.ts';
import { indexTerm } from '../operators/binders.ts';
import { constants } from '../operators/builtins.ts';
import { elaborateCall, factorToPower } from './calls.ts';
import { withIdentity } from '../operators/identity-matrix.ts';
import { elaborateCasesOf, elaborateConditional } from '../operators/choice.ts';
import { fail, failTerm, giveUp, limits, type Context } from '../context/context.ts';
import { expandDefinition } from './definitions.ts';
import { guarded } from '../context/frames.ts';
import { at, indexValue, subscriptItems } from '../operators/indexing.ts';
import { use, useAll } from '../context/ledger.ts';
import { atLastLetter } from './letter-products.ts';
import { resolveName, squareName } from '../context/names.ts';
import { elaborateBig, elaborateQuantified, overElements, truth } from '../operators/reductions.ts';
import { elaborateRelation } from '../operators/relations.ts';
import { lookup, type Entry, type Scope } from '../context/scope.ts';
import { absoluteOf, concatenated } from '../operators/sequences.ts';
import { isLeaf } from '../context/syntax-parts.ts';
import { absoluteAllowed } from '../operators/tolerance.ts';
import { withDeclaredLetter } from './scaled-number.ts';
import { squareOfFunction, unsettled } from './unsettled.ts';
import { distinctCount } from '../operators/vector-functions.ts';
import { unknownName } from './unknown-name.ts';
import type { TensorValue, Value } from '../context/value.ts';
import { mapTensor, scalar, tensor, valueText, rankOf } from '../context/values.ts';

/** What `expression` means in `scope`. Problems are recorded in `ctx`; the value is then a placeholder. */
export function elaborateExpression(ctx: Context, expression: Expression, scope: Scope): Value {
  if (ctx.problem) return scalar(integer(0));
  ctx.visits += 1;
  if (ctx.visits > limits.visits || ctx.depth > limits.depth) {
    return fail(
      ctx,
      'PV-4021',
      expression.range,
      'this is too large or nested too deeply to elaborate',
      'name parts of it with where',
    );
  }
  if (isLeaf(expression)) use(ctx, expression.range);
  ctx.depth += 1;
  const value = dispatch(ctx, atLastLetter(expression, scope) ?? expression, scope);
  ctx.depth -= 1;
  return value.kind === 'scalar' && value.term.kind === 'call'
    ? scalar(withOrigin(value.term, expression.range))
    : value;
}

function dispatch(ctx: Context, expression: Expression, scope: Scope): Value {
  const product = withDeclaredLetter(ctx, expression, scope);
  if (product) return ctx.elaborate(product, scope);
  switch (expression.kind) {
    case 'number':
      return numberValue(ctx, expression);
    case 'string':
      return scalar(text(expression.value));
    case 'boolean':
      return scalar(boolean(expression.value));
    case 'infinity':
      return scalar(infinity);
    case 'name':
      return nameValue(ctx, expression, scope);
    case 'call':
      return elaborateCall(ctx, expression, scope);
    case 'index':
      return indexed(ctx, expression, scope);
    case 'transpose':
      return powerOrTransposed(ctx, expression, scope);
    case 'negate':
    case 'square-root':
    case 'factorial':
      return unary(ctx, unaryFunctions[expression.kind], ctx.elaborate(expression.operand, scope), expression.range);
    case 'absolute': {
      const counted = asCount(expression);
      if (counted) return elaborateBig(ctx, counted, scope);
      return (
        distinctCount(ctx, expression.operand, scope) ??
        absoluteOf(ctx, ctx.elaborate(expression.operand, scope), expression.range)
      );
    }
    case 'floor':
    case 'ceiling':
      return rounded(ctx, expression, scope);
    case 'binary':
      return binary(ctx, expression, scope);
    case 'relation':
      return elaborateRelation(ctx, expression, scope);
    case 'not':
      return scalar(call('not', truth(ctx, ctx.elaborate(expression.operand, scope), expression.operand.range)));
    case 'logic':
      return logic(ctx, expression, scope);
    case 'quantified':
      return elaborateQuantified(ctx, expression, scope);
    case 'big':
      return elaborateBig(ctx, expression, scope);
    case 'norm':
      return norm(ctx, expression, scope);
    case 'member':
      if (expression.property !== 'shape') return noMeaning(ctx, expression);
      return elaborateCall(ctx, asShapeCall(expression), scope);
    case 'tuple':
    case 'list':
      return iversonValue(ctx, expression, scope) ?? listValue(ctx, expression, scope);
    case 'inner-product':
      return innerProduct(ctx, expression, scope);
    case 'conditional':
      return elaborateConditional(ctx, expression, scope);
    case 'cases':
      return elaborateCasesOf(ctx, expression, scope);
    default:
      return noMeaning(ctx, expression);
  }
}

function binary(ctx: Context, expression: Extract<Expression, { kind: 'binary' }>, scope: Scope): Value {
  const { operator, left, right, range } = expression;
  const square = squareName(expression);
  const defined = square === null ? null : lookup(scope, square);
  if (defined) {
    useAll(ctx, expression);
    return entryValue(ctx, defined, expression, scope);
  }
  const factor = factorToPower(ctx, expression, scope);
  if (factor) return ctx.elaborate(factor, scope);
  const conventional = squareOfFunction(expression, ctx.text.text, scope);
  if (conventional) return ctx.elaborate(conventional, scope);
  const why = unsettled(expression, ctx.text.text, scope);
  if (why !== null) return giveUp(ctx, range, why);
  if (isOnes(left) && operator === '·') return sumOver(ctx, left, ctx.elaborate(right, scope), range);
  const isSum = operator === '+' || operator === '-';
  const values = isSum
    ? withIdentity(ctx, left, right, scope)
    : ([ctx.elaborate(left, scope), ctx.elaborate(right, scope)] as const);
  if (operator === '++') return concatenated(ctx, ...values, range);
  const isStar = operator === '·' && ctx.text.text.slice(left.range.end, right.range.start).includes('*');
  return isStar ? starProduct(ctx, ...values, range) : combine(ctx, operator, ...values, range);
}

/** `1^T`, a row of ones. */
const isOnes = (part: Expression): boolean =>
  part.kind === 'transpose' && part.operand.kind === 'number' && part.operand.value === '1';

/** `1^T x` is the sum of x. */
function sumOver(ctx: Context, ones: Expression, value: Value, range: Range): Value {
  useAll(ctx, ones);
  if (ctx.problem) return value;
  if (value.kind === 'tensor' && value.shape.length === 1 && !value.row) return overElements(ctx, 'sum', value, range);
  return giveUp(ctx, range, `pv multiplies a row of ones by a vector, and this is ${valueText(value)}`);
}

/** `γ^T` of a number γ, where T is one too, is a power. */
function powerOrTransposed(
  ctx: Context,
  { operand, range }: Extract<Expression, { kind: 'transpose' }>,
  scope: Scope,
): Value {
  const value = ctx.elaborate(operand, scope);
  const written = ctx.text.text.slice(operand.range.end, range.end);
  if (value.kind !== 'scalar' || !/^\s*\^\s*(?:T|\{\s*T\s*\})$/u.test(written) || lookup(scope, 'T') === null)
    return transposed(ctx, value, range);
  const end = operand.range.end + written.lastIndexOf('T');
  const exponent = ctx.elaborate({ kind: 'name', text: 'T', range: { start: end, end: end + 1 } }, scope);
  return combine(ctx, '^', value, exponent, range);
}

function noMeaning(ctx: Context, { kind, range }: Expression): Value {
  return giveUp(ctx, range, `pv has no executable meaning for this ${kind.replace('-', ' ')}`);
}

/** `x.shape` is `shape(x)`. */
function asShapeCall({
  object,
  range,
}: Extract<Expression, { kind: 'member' }>): Extract<Expression, { kind: 'call' }> {
  const callee: Expression = { kind: 'name', text: 'shape', range: { start: object.range.end, end: range.end } };
  return { kind: 'call', callee, arguments: [{ label: null, value: object }], range };
}

/** `|{i : p(i)}|` and `|{i ∈ S : p(i)}|` are how many i there are. */
function asCount({ operand, range }: Extract<Expression, { kind: 'absolute' }>): BigExpression | null {
  if (operand.kind !== 'set-builder') return null;
  const { element } = operand;
  const [name, bound = null, other] =
    element.kind === 'relation' && element.operators[0] === '∈' ? element.operands : [element];
  if (name?.kind !== 'name' || other) return null;
  const [first, ...more] = operand.conditions;
  if (!first) return null;
  const body = more.reduce<Expression>(
    (left, right) => ({ kind: 'logic', operator: '∧', left, right, range: operand.range }),
    first,
  );
  const relation = bound && ('∈' as const);
  const binders = [{ name: name.text, relation, bound, range: element.range }];
  return { kind: 'big', operator: 'count', binders, upper: null, condition: null, body, range };
}

type BigExpression = Extract<Expression, { kind: 'big' }>;

/** ∞ as a number: the value of masks, `max` of nothing. */
const infinity: Term = { kind: 'number', value: 'Infinity', type: REAL, origin: null };

const unaryFunctions = {
  negate: 'negate',
  'square-root': 'sqrt',
  factorial: 'factorial',
} as const satisfies Record<string, FunctionName>;

/** Units that count things one by one. */
const counted: ReadonlySet<string> = new Set([
  'params',
  'tokens',
  'steps',
  'samples',
  'elements',
  'bytes',
  'bytes/param',
]);

function numberValue(ctx: Context, expression: Extract<Expression, { kind: 'number' }>): Value {
  const { unit, value } = expression;
  if (unit === '%') return scalar(call('divide', decimal(value), integer(100)));
  // `64·1024 (65,536 tokens)` says the same in other words, and multiplies nothing.
  const isAside = /^\s*\)/u.test(ctx.text.text.slice(expression.range.end));
  if (unit !== null && (isAside || !counted.has(unit)))
    return giveUp(ctx, expression.range, `pv does not compute with the unit ${unit} here`);
  return scalar(decimal(value));
}

function nameValue(ctx: Context, name: Extract<Expression, { kind: 'name' }>, scope: Scope): Value {
  const resolved = resolveName(name, scope);
  if (resolved === null) {
    const constant = constants.get(name.text);
    if (constant !== undefined) return scalar(call(constant));
    const square = lookup(scope, `${name.text}²`);
    if (square) return unary(ctx, 'sqrt', entryValue(ctx, square, name, scope), name.range);
    return meanOf(ctx, name, scope) ?? unknownName(ctx, name.text, name, scope);
  }
  switch (resolved.kind) {
    case 'entry':
      return entryValue(ctx, resolved.entry, name, scope);
    case 'indexed': {
      const base = entryValue(ctx, resolved.entry, name, scope);
      return indexValue(ctx, base, resolved.indices.map(at), scope, { range: name.range, shown: resolved.name });
    }
    case 'product': {
      const [first, ...rest] = resolved.factors;
      if (!first) return scalar(integer(1));
      return rest.reduce(
        (product, factor) => combine(ctx, '·', product, ctx.elaborate(factor, scope), name.range),
        ctx.elaborate(first, scope),
      );
    }
  }
}

/** `x̄` is the mean of x. */
function meanOf(ctx: Context, name: Extract<Expression, { kind: 'name' }>, scope: Scope): Value | null {
  const [, base] = /^(.+)\u0304$/u.exec(name.text.normalize('NFD')) ?? [];
  const entry = base === undefined ? null : lookup(scope, base);
  return entry?.kind === 'value' && entry.value.kind === 'tensor'
    ? overElements(ctx, 'mean', entry.value, name.range)
    : null;
}

function entryValue(ctx: Context, entry: Entry, at: Expression, scope: Scope): Value {
  switch (entry.kind) {
    case 'value':
      return entry.value;
    case 'index':
      return scalar(indexTerm(entry.index));
    case 'definition':
      if (entry.definition.parameters.length > 0) {
        return fail(
          ctx,
          'PV-4008',
          at.range,
          `${entry.definition.name} is a function of ${entry.definition.parameters.join(', ')}`,
          `apply it: ${entry.definition.name}(${entry.definition.parameters.join(', ')})`,
        );
      }
      return expandDefinition(ctx, entry.definition, [], at.range);
    case 'equation':
      return applyEquation(ctx, entry, [], scope, at.range);
    case 'step':
      return unknownName(ctx, ctx.text.text.slice(at.range.start, at.range.end), at, scope);
    case 'tolerance':
      return scalar(ctx.claim?.epsilon ?? absoluteAllowed(ctx, at.range) ?? integer(0));
  }
}

function indexed(ctx: Context, expression: Extract<Expression, { kind: 'index' }>, scope: Scope): Value {
  const [only] = expression.items;
  if (only?.kind === 'at' && isPropositional(only.value)) {
    const hint = 'a factor that is 1 where p holds and 0 elsewhere is written (1 if p else 0)';
    return fail(ctx, 'PV-4003', only.value.range, 'this is a condition, and an index is expected here', hint);
  }
  const base = ctx.elaborate(expression.base, scope);
  const items =
    expression.style === 'subscript' ? subscriptItems(expression.items, scope, rankOf(base)) : expression.items;
  return indexValue(ctx, base, items, scope, { range: expression.range, shown: shownText(ctx, expression.base) });
}

function shownText(ctx: Context, expression: Expression): string {
  const written = ctx.text.text.slice(expression.range.start, expression.range.end);
  return written.length > 0 && written.length <= 40 ? written : 'this';
}

/** `⌊i/2⌋` of whole numbers is their exact quotient. */
function rounded(ctx: Context, expression: Extract<Expression, { kind: 'floor' | 'ceiling' }>, scope: Scope): Value {
  const inner = expression.operand;
  const value = ctx.elaborate(inner, scope);
  const term = value.kind === 'scalar' && value.term.kind === 'call' && value.term.fn === 'divide' ? value.term : null;
  const [a, b] = term?.arguments ?? [];
  if (a?.type.kind === 'integer' && b?.type.kind === 'integer') {
    return scalar(
      expression.kind === 'floor'
        ? call('floor-divide', a, b)
        : call('negate', call('floor-divide', call('negate', a), b)),
    );
  }
  return unary(ctx, expression.kind, value, expression.range);
}

const logicFunctions: Readonly<Record<LogicOperator, FunctionName>> = {
  '∧': 'and',
  '∨': 'or',
  '⟹': 'implies',
  '⟺': 'iff',
  '⊕': 'xor',
};

/** The right side of ∧, ∨ and ⟹ counts only under a condition, so it may rely on that condition. */
function logic(ctx: Context, expression: Extract<Expression, { kind: 'logic' }>, scope: Scope): Value {
  const left = truth(ctx, ctx.elaborate(expression.left, scope), expression.left.range);
  const right = guarded(ctx, () => truth(ctx, ctx.elaborate(expression.right, scope), expression.right.range));
  return scalar(call(logicFunctions[expression.operator], left, right));
}

/** The Euclidean norm (Frobenius of a matrix), ‖x‖_1, ‖x‖_∞, ‖x‖_p. */
function norm(ctx: Context, expression: Extract<Expression, { kind: 'norm' }>, scope: Scope): Value {
  const { order, range } = expression;
  if (order?.kind === 'number' && Number(order.value) === 0)
    return fail(
      ctx,
      'PV-4003',
      range,
      'a norm has no order 0',
      'count the elements that are not 0: Σ_i (1 if x_i ≠ 0 else 0)',
    );
  const value = ctx.elaborate(expression.operand, scope);
  if (ctx.problem) return value;
  if (value.kind !== 'tensor') return unary(ctx, 'absolute', value, expression.range);
  return normOf(ctx, value, expression, scope);
}

function normOf(
  ctx: Context,
  value: TensorValue,
  expression: Extract<Expression, { kind: 'norm' }>,
  scope: Scope,
): Value {
  const { order, range } = expression;
  if (order) useAll(ctx, order);
  if (!isNumeric(value.element))
    return fail(ctx, 'PV-4003', range, `a norm is of numbers, and this is ${valueText(value)}`);
  if (order !== null && value.shape.length > 1)
    return giveUp(ctx, range, 'pv computes the Frobenius norm of a matrix, no other');
  const absolute = mapTensor(value, value.element, (term) => call('absolute', term));
  if (order?.kind === 'infinity') return overElements(ctx, 'max', absolute, range);
  if (order?.kind === 'number' && order.value === '1') return overElements(ctx, 'sum', absolute, range);
  if (order === null || (order.kind === 'number' && order.value === '2')) {
    const squares = mapTensor(value, REAL, (term) => call('power', term, integer(2)));
    return unary(ctx, 'sqrt', overElements(ctx, 'sum', squares, range), range);
  }
  const p = ctx.elaborate(order, scope);
  const powers = lift(ctx, 'power', [absolute, p], range);
  if (powers.kind !== 'tensor') return powers;
  return lift(
    ctx,
    'power',
    [overElements(ctx, 'sum', powers, range), lift(ctx, 'divide', [scalar(integer(1)), p], range)],
    range,
  );
}

function innerProduct(ctx: Context, expression: Extract<Expression, { kind: 'inner-product' }>, scope: Scope): Value {
  const [a, b, more] = expression.items;
  if (!a || !b || more) return giveUp(ctx, expression.range, 'pv computes the inner product of two vectors, ⟨x, y⟩');
  return dot(ctx, ctx.elaborate(a, scope), ctx.elaborate(b, scope), expression);
}

/** Σ_i a_i·b_i over all elements of equal shapes. */
function dot(ctx: Context, a: Value, b: Value, at: Expression): Value {
  const products = lift(ctx, 'multiply', [a, b], at.range);
  if (ctx.problem || products.kind !== 'tensor') return products;
  return overElements(ctx, 'sum', products, at.range);
}

/** `[p]` is 1 where p holds, 0 elsewhere. */
function iversonValue(
  ctx: Context,
  expression: Extract<Expression, { kind: 'list' | 'tuple' }>,
  scope: Scope,
): Value | null {
  const [condition, more] = expression.kind === 'list' && !expression.ellipsis ? expression.items : [];
  if (!condition || more || !isPropositional(condition)) return null;
  const { range } = expression;
  const [then, otherwise] = ['1', '0'].map((value): Expression => ({ kind: 'number', value, unit: null, range }));
  return then && otherwise
    ? elaborateConditional(ctx, { kind: 'conditional', condition, then, otherwise, range }, scope)
    : null;
}

/** `[1, 2, 3]`, `[[1, 2], [3, 4]]`: a tensor of constant shape. */
function listValue(ctx: Context, expression: Extract<Expression, { kind: 'list' | 'tuple' }>, scope: Scope): Value {
  if (expression.kind === 'list' && expression.ellipsis)
    return giveUp(ctx, expression.range, 'pv does not guess what … means in a list');
  if (expression.items.length === 0 || expression.items.length > limits.literalItems) {
    return fail(ctx, 'PV-4021', expression.range, `a list has 1 to ${limits.literalItems} items here`);
  }
  const items = expression.items.map((item) => ctx.elaborate(item, scope));
  const [first] = items;
  if (ctx.problem || !first) return scalar(integer(0));
  const shape = first.kind === 'tensor' ? first.shape : [];
  let element: ScalarType | null =
    first.kind === 'tensor' ? first.element : first.kind === 'scalar' ? elementTypeOf(first.term.type) : INTEGER;
  for (const item of items) {
    const own = item.kind === 'tensor' ? item.shape : [];
    const type =
      item.kind === 'tensor' ? item.element : item.kind === 'scalar' ? elementTypeOf(item.term.type) : INTEGER;
    element = element && commonType(element, type);
    if (
      own.length !== shape.length ||
      !own.every((size, axis) => size === shape[axis] || sameLiteral(size, shape[axis]))
    )
      element = null;
  }
  if (element === null)
    return fail(ctx, 'PV-4003', expression.range, 'the items of a list have one kind and one shape');
  const type = element;
  return tensor(type, [integer(items.length), ...shape], ([place, ...rest]) =>
    pick(ctx, items, place ?? integer(0), rest, type),
  );
}

function sameLiteral(a: Term, b: Term | undefined): boolean {
  return a.kind === 'number' && b?.kind === 'number' && a.value === b.value;
}

function pick(ctx: Context, items: readonly Value[], place: Term, rest: readonly Term[], type: ScalarType): Term {
  const elements = items.map((item) =>
    item.kind === 'tensor' ? item.at(rest) : item.kind === 'scalar' ? item.term : integer(0),
  );
  const last = elements.at(-1) ?? failTerm(ctx, 'PV-4003', { start: 0, end: 0 }, 'an empty list');
  if (place.kind === 'number') return elements[Number(place.value)] ?? last;
  return elements
    .slice(0, -1)
    .reduceRight((otherwise, element, i) => choose(call('equal', place, integer(i)), element, otherwise, type), last);
}
