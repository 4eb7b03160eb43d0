/** Relations that bound a size or an input by construction, so that nothing has to be filtered afterwards. */
import { call, integer } from '../../../math/term/build.ts';
import { integerValue } from '../../../math/term/fold.ts';
import { flippedRelations } from '../../../math/notation/levels.ts';
import type { Expression, RelationOperator } from '../../../math/notation/syntax.ts';
import type { Term } from '../../../math/term/term.ts';
import { freeVariables } from '../../../math/term/traverse.ts';
import { isNumeric } from '../../../math/term/types.ts';
import type { Bound } from '../../../math/domain.ts';
import type { Range } from '../../../diagnostics/source.ts';
import { fail, type Context } from '../context/context.ts';
import { isBuiltinWord } from '../operators/builtins.ts';
import {
  addInput,
  anyReal,
  addSize,
  leastCommonMultiple,
  narrowNumbers,
  type DomainDraft,
  type DraftInput,
  type DraftSize,
} from '../inputs/domain-draft.ts';
import { dependsOn, originalOf, unite } from '../inputs/equal-inputs.ts';
import { commonChoices } from '../inputs/listed-values.ts';
import { narrowEnd, numberOf } from '../inputs/tighter-bound.ts';
import { isolated } from '../context/frames.ts';
import { use, useAll } from '../context/ledger.ts';
import { resolveName } from '../context/names.ts';
import { lookup } from '../context/scope.ts';
import { freeIndices, namesOf } from '../context/syntax-parts.ts';
import { isTerm, readType, useType, type TypeExpression, type WrittenBound } from '../inputs/type-expressions.ts';
import { increasingOf, simplexOf } from '../inputs/structures.ts';
import { targetOf, type Link, type Target } from '../inputs/targets.ts';
import { scalarTerm } from '../context/values.ts';

/** Adds one relation; false if it is not a bound that generators can construct. */
export function applyLink(ctx: Context, draft: DomainDraft, link: Link): boolean {
  if (ctx.problem) return true;
  if (simplexOf(draft, link) || increasingOf(draft, link)) {
    useAll(ctx, link.left);
    useAll(ctx, link.right);
    return true;
  }
  return divisibility(ctx, draft, link) || sizeLink(ctx, draft, link) || inputLink(ctx, draft, link);
}

/** The link read from right to left, or null if its relation has no such reading. */
export function turned(link: Link): Link | null {
  const operator = flippedRelations[link.operator];
  return operator ? { ...link, left: link.right, right: link.left, operator } : null;
}

// ---------------------------------------------------------------------------------------------- sizes

function sizeLink(ctx: Context, draft: DomainDraft, link: Link): boolean {
  const back = turned(link);
  return boundSize(ctx, draft, link) || (back !== null && boundSize(ctx, draft, back));
}

function boundSize(ctx: Context, draft: DomainDraft, link: Link): boolean {
  const size = link.left.kind === 'name' ? draft.sizes.get(link.left.text) : undefined;
  if (!size) return false;
  use(ctx, link.left.range);
  if (link.operator === '∈') return sizeInSet(ctx, draft, size, link.right);
  if (link.operator === '=') return defineSize(ctx, draft, size, link.right);
  const value = constantOf(ctx, draft, link.right);
  if (value === null) return false;
  narrowSize(ctx, size, link.operator, value, link.range);
  return link.operator !== '≠';
}

/** Adds a constant bound of a size. */
export function narrowSize(
  ctx: Context,
  size: DraftSize,
  operator: RelationOperator,
  value: number,
  range: Range,
): void {
  if (operator === '≥' || operator === '>')
    size.minimum = Math.max(size.minimum, operator === '≥' ? Math.ceil(value) : Math.floor(value) + 1);
  if (operator === '≤' || operator === '<') {
    const maximum = operator === '≤' ? Math.floor(value) : Math.ceil(value) - 1;
    size.maximum = size.maximum === null ? maximum : Math.min(size.maximum, maximum);
  }
  if (size.maximum !== null && size.maximum < size.minimum) {
    fail(
      ctx,
      'PV-4010',
      range,
      `no ${size.name} satisfies its bounds: at least ${size.minimum}, at most ${size.maximum}`,
    );
  }
}

function sizeInSet(ctx: Context, draft: DomainDraft, size: DraftSize, set: Expression): boolean {
  const type = readType(set);
  if (type === null) return false;
  useType(ctx, set);
  if (type.choices !== null) return sizeChoices(ctx, draft, size, type.choices);
  // An integer format does not limit how large a tensor is.
  const upper = set.kind === 'name' ? null : type.upper;
  const lower = set.kind === 'name' && type.upper ? null : type.lower;
  const ends = [lower, upper].map(
    (bound) => bound && (isTerm(bound.value) ? integerValue(bound.value) : constantOf(ctx, draft, bound.value)),
  );
  const [low, high] = ends;
  if (lower && low !== null && low !== undefined) narrowSize(ctx, size, lower.open ? '>' : '≥', low, set.range);
  if (upper && high !== null && high !== undefined) narrowSize(ctx, size, upper.open ? '<' : '≤', high, set.range);
  return (lower === null || typeof low === 'number') && (upper === null || typeof high === 'number');
}

/** `n ∈ {1, 2, 4}`: the range of the choices, and a precondition for the gaps. */
function sizeChoices(ctx: Context, draft: DomainDraft, size: DraftSize, choices: readonly Expression[]): boolean {
  const values = choices.map((choice) => constantOf(ctx, draft, choice)).filter((value) => value !== null);
  if (values.length !== choices.length || values.length === 0) return false;
  narrowSize(ctx, size, '≥', Math.min(...values), choices[0]?.range ?? { start: 0, end: 0 });
  narrowSize(ctx, size, '≤', Math.max(...values), choices[0]?.range ?? { start: 0, end: 0 });
  return new Set(values).size === Math.max(...values) - Math.min(...values) + 1;
}

/** `d = 2·k`: computed, where `k` may be new; `n = 8`: one value. */
function defineSize(ctx: Context, draft: DomainDraft, size: DraftSize, right: Expression): boolean {
  const names = namesOf(right).filter((name) => lookup(draft.scope, name) !== null || !isBuiltinWord(name));
  for (const name of names) if (lookup(draft.scope, name) === null) addSize(draft, name);
  if (names.some((name) => !draft.sizes.has(name))) return false;
  const term = boundTerm(ctx, draft, right);
  if (ctx.problem || term === null) return true;
  const value = integerValue(term);
  if (value !== null) {
    narrowSize(ctx, size, '≥', value, right.range);
    narrowSize(ctx, size, '≤', value, right.range);
    return true;
  }
  if (size.definition !== null || freeVariables(term).has(size.name) || term.type.kind !== 'integer') return false;
  size.definition = term;
  ctx.sizeDefinitions.set(size.name, term);
  return true;
}

/** `n mod 2 = 0` for a size, and for an integer input through a precondition. */
function divisibility(ctx: Context, draft: DomainDraft, link: Link): boolean {
  const { left, right } = link;
  if (link.operator !== '=' || left.kind !== 'binary' || left.operator !== 'mod' || left.left.kind !== 'name')
    return false;
  const size = draft.sizes.get(left.left.text);
  const divisor = constantOf(ctx, draft, left.right);
  if (!size || divisor === null || divisor < 1 || constantOf(ctx, draft, right) !== 0) return false;
  useAll(ctx, left);
  size.multipleOf = leastCommonMultiple(size.multipleOf, divisor);
  ctx.sizeMultiples.set(size.name, size.multipleOf);
  return true;
}

/** The whole or decimal number that `expression` is, or null. */
function constantOf(ctx: Context, draft: DomainDraft, expression: Expression): number | null {
  if (namesOf(expression).length > 0) return null;
  const term = boundTerm(ctx, draft, expression);
  if (ctx.problem || term === null) return null;
  return numberOf(term) ?? powerOf(term);
}

/** `2^20` in a bound. */
function powerOf(term: Term): number | null {
  const [a, b] = term.kind === 'call' && term.fn === 'power' ? term.arguments : [];
  const [base, exponent] = [a && numberOf(a), b && numberOf(b)];
  return typeof base === 'number' && typeof exponent === 'number' ? base ** exponent : null;
}

// --------------------------------------------------------------------------------------------- inputs

function inputLink(ctx: Context, draft: DomainDraft, link: Link): boolean {
  const back = turned(link);
  const left = originalTarget(draft, link.left);
  const right = back && originalTarget(draft, back.left);
  if (left === null && right === null)
    return boundNewInput(ctx, draft, link) || (back !== null && boundNewInput(ctx, draft, back));
  if (
    left &&
    right &&
    link.operator === '=' &&
    !left.absolute &&
    !right.absolute &&
    unite(draft, left.input, right.input)
  ) {
    for (const side of [link.left, link.right]) useAll(ctx, side);
    return true;
  }
  const forward = left ? [{ target: left, link }] : [];
  const backward = right && back ? [{ target: right, link: back }] : [];
  // If two inputs are related, the one declared later is bounded by the earlier.
  const laterFirst = left && right && order(draft, right.input) > order(draft, left.input);
  return (laterFirst ? [...backward, ...forward] : [...forward, ...backward]).some((side) =>
    boundInput(ctx, draft, side.target, side.link),
  );
}

/** What a side is, with the input that is drawn in place of its copies. */
function originalTarget(draft: DomainDraft, side: Expression): Target | null {
  const target = targetOf(draft, side);
  return target && { ...target, input: originalOf(draft, target.input) };
}

/** `ε > 0` for an undeclared name makes it a real input, if the other side is known. */
function boundNewInput(ctx: Context, draft: DomainDraft, link: Link): boolean {
  const { left, right } = link;
  const isNew =
    draft.implicitInputs &&
    left.kind === 'name' &&
    resolveName(left, draft.scope) === null &&
    /^\p{L}[\p{L}\p{M}\d_'′]*$/u.test(left.text);
  if (!isNew || namesOf(right).some((name) => !draft.sizes.has(name) && draft.inputs.get(name)?.shape.length !== 0))
    return false;
  if (link.operator === '∈' && readType(right) === null) return false;
  return boundInput(ctx, draft, { input: addInput(draft, left.text, anyReal, []), absolute: false }, link);
}

function order(draft: DomainDraft, input: DraftInput): number {
  return [...draft.inputs.keys()].indexOf(input.name);
}

function boundInput(ctx: Context, draft: DomainDraft, target: Target, link: Link): boolean {
  const { input } = target;
  // Strings are bounded by their length (string-bounds.ts), listed, or tested.
  if (input.element.kind === 'string' && (target.absolute || (link.operator !== '∈' && link.operator !== '=')))
    return false;
  if (link.operator === '∈') {
    const type = target.absolute ? null : readType(link.right);
    if (type === null || type.axes.length > 0) return false;
    useAll(ctx, link.left);
    useType(ctx, link.right);
    if (type.choices === null) narrowNumbers(draft, input, type);
    setBounds(ctx, draft, input, type);
    return true;
  }
  if (freeIndices(link.right, draft.scope).length > 0) return false;
  const value = boundTerm(ctx, draft, link.right);
  if (value === null || !mayBound(draft, input, value)) return false;
  useAll(ctx, link.left);
  return target.absolute ? boundMagnitude(input, link.operator, value) : boundValue(input, link.operator, value);
}

/** Bounds mention sizes and other scalar inputs only. */
function mayBound(draft: DomainDraft, input: DraftInput, value: Term): boolean {
  if (!isNumeric(value.type)) return input.element.kind === value.type.kind;
  return [...freeVariables(value)].every((name) => {
    const other = draft.inputs.get(name);
    return draft.sizes.has(name) || (other?.shape.length === 0 && !dependsOn(draft, value, input.name));
  });
}

function boundMagnitude(input: DraftInput, operator: RelationOperator, value: Term): boolean {
  if (operator !== '≤' && operator !== '<') return false;
  const open = operator === '<';
  narrowEnd(input, 'lower', { value: call('negate', value), open });
  narrowEnd(input, 'upper', { value, open });
  return true;
}

function boundValue(input: DraftInput, operator: RelationOperator, value: Term): boolean {
  const bound = (open: boolean): Bound => ({ value, open });
  switch (operator) {
    case '≥':
    case '>':
      narrowEnd(input, 'lower', bound(operator === '>'));
      return true;
    case '≤':
    case '<':
      narrowEnd(input, 'upper', bound(operator === '<'));
      return true;
    case '=': {
      const isWhole = input.element.kind === 'integer' && value.type.kind !== 'integer';
      const whole = isWhole ? wholeValue(value) : null;
      // No whole number is 2.5: the condition stays, and nothing meets it.
      if (isWhole && whole === null && freeVariables(value).size === 0) return false;
      const choices = commonChoices(input.choices, [whole === null ? value : integer(whole)]);
      if (choices === 'none') return false;
      input.choices = choices;
      return true;
    }
    case '≠':
      input.excluded = [...input.excluded, value];
      return true;
    default:
      return false;
  }
}

/** 7e9, as a whole number. */
function wholeValue(value: Term): number | null {
  const number = numberOf(value);
  return Number.isSafeInteger(number) ? number : null;
}

/** Adds the bounds and choices of a type or set. */
export function setBounds(ctx: Context, draft: DomainDraft, input: DraftInput, type: TypeExpression): void {
  const term = (bound: WrittenBound): Bound => ({
    value: isTerm(bound.value) ? bound.value : (boundTerm(ctx, draft, bound.value) ?? integer(0)),
    open: bound.open,
  });
  if (type.lower) narrowEnd(input, 'lower', term(type.lower));
  if (type.upper) narrowEnd(input, 'upper', term(type.upper));
  if (!type.choices) return;
  const choices = type.choices.map((choice) => boundTerm(ctx, draft, choice) ?? integer(0));
  const common = commonChoices(input.choices, choices);
  input.choices = common === 'none' ? choices : common;
}

/** A bound as a term over sizes and scalars. */
export function boundTerm(ctx: Context, draft: DomainDraft, expression: Expression): Term | null {
  const term = isolated(ctx, () =>
    scalarTerm(ctx, ctx.elaborate(expression, draft.scope), expression.range, 'a bound'),
  );
  return ctx.problem ? null : term;
}
