/**
 * The domain of an equation or claim from its text: memberships declare, relations bound, helper definitions are kept, and
 * everything else is a precondition.
 */
import { reduce, variable } from '../../../math/term/build.ts';
import type { Range } from '../../../diagnostics/source.ts';
import type { Expression, Statement } from '../../../math/notation/syntax.ts';
import { isAnyLength, lengthName } from '../../../math/term/sequences.ts';
import { INTEGER, type Term } from '../../../math/term/term.ts';
import { makeType, typeText } from '../../../math/term/types.ts';
import type { FormalText } from '../../contract.ts';
import { applyLink, setBounds } from './bounds.ts';
import { closeIndex, equalShapes, indexScope, integerTerm, openIndex } from '../operators/binders.ts';
import { clausesOf, quantifying, statementOf, unquantified } from '../operators/clauses.ts';
import { fail, reading, type Context } from '../context/context.ts';
import { addInput, addSize, narrowNumbers, type DomainDraft } from '../inputs/domain-draft.ts';
import { declaredFirst, endsFirst, endsOfIntervals } from './declared-first.ts';
import { unbound } from './definition-heads.ts';
import { closeFrame, isolated, openFrame } from '../context/frames.ts';
import { notUsed, use, useAll } from '../context/ledger.ts';
import { always, keepHelpers } from './new-names.ts';
import { lookup } from '../context/scope.ts';
import { truth } from '../operators/reductions.ts';
import { linksOf } from '../operators/relations.ts';
import type { ShapeName } from './shape-name.ts';
import { stringLink } from './string-bounds.ts';
import { freeIndices, mentions, namesOf } from '../context/syntax-parts.ts';
import { readType, useType, type TypeExpression } from '../inputs/type-expressions.ts';

/** What an equation says about its result outside its domain. */
export interface Beside {
  /** Statements that have been read elsewhere. */
  readonly used: ReadonlySet<Statement>;
  /** Scalars that determine the shape of the result. */
  readonly names: readonly ShapeName[];
}

/** Adds what the statements of `texts` say to `draft`. */
export function extendDomain(
  ctx: Context,
  draft: DomainDraft,
  texts: readonly FormalText[],
  { used, names }: Beside = { used: new Set(), names: [] },
): void {
  const statements = texts
    .filter(({ notation }) => notation.status === 'math')
    .flatMap((text) => text.notation.statements.map((statement) => ({ text, statement })))
    .filter(({ statement }) => !used.has(statement))
    .flatMap(({ text, statement }) =>
      reading(ctx, text, () => membershipApart(ctx, draft, statement)).map((one) => ({ text, statement: one })),
    );
  const bodies = statements.flatMap(({ statement }) => [statement.body, ...clausesOf(statement)]);
  const axes = new Set(bodies.flatMap(axisNames));
  for (const body of bodies) {
    for (const name of axisNames(body)) if (!draft.inputs.has(name)) addSize(draft, name);
    for (const { name, minimum } of names)
      if (!axes.has(name) && mentions(body, (text) => text === name)) addSize(draft, name, minimum);
  }
  collectFactors(draft, bodies);
  const ends = endsOfIntervals(statements, draft.scope);
  for (const { text, statement } of ends) reading(ctx, text, () => constrain(ctx, draft, statement));
  const others = statements.filter((one) => !ends.has(one));
  const rest = endsFirst(others, draft.scope).flatMap((one) => reading(ctx, one.text, () => declare(ctx, draft, one)));
  const relations = rest.flatMap((one) => reading(ctx, one.text, () => define(ctx, draft, one)));
  for (const { text, statement } of declaredFirst(relations, draft.scope))
    reading(ctx, text, () => constrain(ctx, draft, statement));
}

/**
 * `n ∈ ℤ ≥ 1` bounds n, not ℤ: a membership and a relation. `a = y - z ∈ ℝ` says what a means, and where it lies; the formula is
 * about a.
 */
function membershipApart(ctx: Context, draft: DomainDraft, statement: Statement): readonly Statement[] {
  const { body } = statement;
  const [name, value, within] = body.kind === 'relation' && body.operators.join('') === '=∈' ? body.operands : [];
  const isNew = (text: string): boolean => lookup(draft.scope, text) === null;
  if (
    body.kind === 'relation' &&
    name?.kind === 'name' &&
    value &&
    within &&
    [name, value].flatMap(namesOf).every(isNew)
  ) {
    useAll(ctx, value);
    return [{ ...statement, body: { ...body, operands: [name, within], operators: ['∈'] } }];
  }
  if (body.kind !== 'relation' || body.operators[0] !== '∈') return [statement];
  const without = body.operands.length === 2 ? exclusionApart(ctx, statement, body) : null;
  if (without) return without;
  const [member, set, ...others] = body.operands;
  if (!member || !set || others.length === 0 || readType(set) === null) return [statement];
  const related = (operands: readonly Expression[], operators: typeof body.operators): Statement => ({
    ...statement,
    body: { ...body, operands, operators },
  });
  return [related([member, set], ['∈']), related([member, ...others], body.operators.slice(1))];
}

/** `x ∈ ℝ^d \ {0}`: x is in the set, and is not the zero vector, though some of its elements may be 0. */
function exclusionApart(
  ctx: Context,
  statement: Statement,
  body: Extract<Expression, { kind: 'relation' }>,
): readonly Statement[] | null {
  const [member, set] = body.operands;
  const excluded = set?.kind === 'binary' && set.operator === '\\' ? set.right : null;
  if (!member || set?.kind !== 'binary' || excluded?.kind !== 'set' || excluded.ellipsis) return null;
  const type = readType(set.left);
  const isZero = excluded.items.every((item) => item.kind === 'number' && Number(item.value) === 0);
  if (!type || !excluded.items.every(({ kind }) => kind === 'number') || (type.axes.length > 0 && !isZero)) return null;
  useAll(ctx, excluded);
  const { range } = body;
  const differs = excluded.items.map((item): Expression => {
    const equal: Expression = { kind: 'relation', operands: [member, item], operators: ['='], range };
    return type.axes.length > 0 ? { kind: 'not', operand: equal, range } : { ...equal, operators: ['≠'] };
  });
  return [{ ...statement, body: { ...body, operands: [member, set.left] } }, ...differs.map(statementOf)];
}

/** A statement and the text that contains it. */
interface Sentence {
  readonly text: FormalText;
  readonly statement: Statement;
}

/** Names in the shapes of declared types are sizes, wherever they are bounded. */
function axisNames(body: Expression): readonly string[] {
  if (body.kind !== 'relation') return [];
  return linksOf(body).flatMap((link) =>
    link.operator === '∈' ? (readType(link.right)?.axes ?? []).flatMap(sizeNames) : [],
  );
}

/** The names of the sizes in an axis; the length of `ℤ*` has its own for each input. */
function sizeNames(axis: Expression): readonly string[] {
  return namesOf(axis).filter((name) => !isAnyLength(name));
}

/** `h = g·q` for a size h makes q a size too, wherever it is bounded; follows such chains to their end. */
function collectFactors(draft: DomainDraft, bodies: readonly Expression[]): void {
  const declared = new Set(
    bodies.flatMap((body) =>
      body.kind === 'relation' && body.operators[0] === '∈' && body.operands[0] ? namesOf(body.operands[0]) : [],
    ),
  );
  const definitions = bodies.flatMap((body) =>
    body.kind === 'relation' && body.operators.length === 1 && body.operators[0] === '=' ? [body.operands] : [],
  );
  for (let before = -1; before !== draft.sizes.size;) {
    before = draft.sizes.size;
    for (const [left, right] of definitions) {
      if (left?.kind !== 'name' || !right || !draft.sizes.has(left.text)) continue;
      const names = namesOf(right);
      if (names.some((name) => declared.has(name) && !draft.sizes.has(name))) continue;
      for (const name of names) addSize(draft, name);
    }
  }
}

/**
 * Declares `x ∈ F32^n` and `a, b ∈ ℝ` for names that are new here, and returns the rest: a whole statement that declares
 * nothing, or the clause of `x ∈ F32^n with x_i > 1`.
 */
function declare(ctx: Context, draft: DomainDraft, { text, statement }: Sentence): readonly Sentence[] {
  if (!declares(ctx, draft, statement.body)) return [{ text, statement }];
  const said = [...statement.conditions, ...statement.definitions];
  const indices = new Set(said.flatMap((clause) => freeIndices(clause, draft.scope)));
  const own = statement.binders.filter(({ name }) => indices.has(name));
  const others = quantifying(ctx, draft.scope, {
    ...statement,
    binders: without(statement.binders, own),
    conditions: [],
  });
  return [...said, ...others.conditions].map((body) => {
    const free = freeIndices(body, draft.scope);
    return { text, statement: { ...statementOf(body), binders: own.filter(({ name }) => free.includes(name)) } };
  });
}

function without<T>(list: readonly T[], some: readonly T[]): readonly T[] {
  return list.filter((one) => !some.includes(one));
}

function declares(ctx: Context, draft: DomainDraft, body: Expression): boolean {
  const [left, right] =
    body.kind === 'relation' && body.operands.length === 2 && body.operators[0] === '∈' ? body.operands : [];
  if (!left || !right) return false;
  const names = left.kind === 'tuple' ? left.items : [left];
  const type = readType(right);
  const areNew = names.every((name) => name.kind === 'name' && !draft.sizes.has(name.text) && !isIndexed(draft, name));
  if (!areNew) return false;
  if (type === null) {
    fail(
      ctx,
      'PV-4002',
      right.range,
      'this is not a type or set that pv knows',
      'write e.g. F32^n, ℝ, ℕ, {0, 1}, [0, 1]^n',
    );
    return true;
  }
  useType(ctx, right);
  for (const name of names) if (name.kind === 'name') declareInput(ctx, draft, name, type);
  return true;
}

/** What may be an index of a sequence that is declared as a number. */
const maybeIndex = /^(?:[ijklmnt]|\d{1,2}|[ijklmnt]\d)$/u;

/** `x_i ∈ [-1, 1]` of a declared x bounds its elements; `d_attn` and `T_w` next to numbers d and T are other names. */
function isIndexed(draft: DomainDraft, name: Extract<Expression, { kind: 'name' }>): boolean {
  if (draft.inputs.has(name.text)) return false;
  for (let at = name.text.lastIndexOf('_'); at > 0; at = name.text.lastIndexOf('_', at - 1)) {
    const input = draft.inputs.get(name.text.slice(0, at));
    if (input) return input.shape.length > 0 || maybeIndex.test(name.text.slice(at + 1));
  }
  return false;
}

/** `name ∈ bound` of a quantifier. */
export function declareBound(ctx: Context, draft: DomainDraft, name: string, bound: Expression, range: Range): void {
  const type = readType(bound);
  for (const axis of type?.axes ?? [])
    for (const size of sizeNames(axis)) if (!draft.inputs.has(size)) addSize(draft, size);
  if (!type) return;
  useType(ctx, bound);
  declareInput(ctx, draft, { kind: 'name', text: name, range }, type);
}

function declareInput(
  ctx: Context,
  draft: DomainDraft,
  name: Extract<Expression, { kind: 'name' }>,
  type: TypeExpression,
): void {
  use(ctx, name.range);
  const shape = type.axes.map((axis) => axisTerm(ctx, draft, name.text, axis));
  const known = draft.inputs.get(name.text);
  if (known && type.axes.length > 0 && !equalShapes(ctx, known.shape, shape)) {
    const [was, is] = [makeType(known.element, known.shape), makeType(type.element, shape)];
    fail(ctx, 'PV-4009', name.range, `${name.text} is declared as ${typeText(was)} and as ${typeText(is)}`);
    return;
  }
  const input = known ?? addInput(draft, name.text, type, shape);
  narrowNumbers(draft, input, type);
  if (type.nonFinite) input.nonFinite = true;
  setBounds(ctx, draft, input, type);
}

/** The length of an axis; `ids ∈ ℤ*` has `|ids|` elements, possibly none. */
function axisTerm(ctx: Context, draft: DomainDraft, input: string, axis: Expression): Term {
  if (axis.kind !== 'name' || !isAnyLength(axis.text))
    return isolated(ctx, () => integerTerm(ctx, axis, draft.scope, 'a size'));
  use(ctx, axis.range);
  return variable(addSize(draft, lengthName(input), 0).name, INTEGER);
}

/**
 * Keeps `θ_k = …`, `W = …`, `f(a) = …` for undeclared names as helpers of the formula, and returns the rest of the
 * statement.
 */
function define(ctx: Context, draft: DomainDraft, { text, statement }: Sentence): readonly Sentence[] {
  const { body, binders, conditions, definitions } = statement;
  const how = { text, keeps: always };
  const more = keepHelpers(ctx, draft, definitions.map(unbound), how).map((equation) => ({
    text,
    statement: statementOf(equation),
  }));
  if (keepHelpers(ctx, draft, [{ equation: body, binders }], how).length > 0)
    return [{ text, statement: { ...statement, definitions: [] } }, ...more];
  const [condition] = conditions;
  if (condition)
    notUsed(
      ctx,
      condition.range,
      'a definition cannot have a condition',
      'write the cases: c = { 1 if n > 4; 0 otherwise }',
    );
  return more;
}

/** A bound if the form is known, otherwise a precondition. */
export function constrain(ctx: Context, draft: DomainDraft, written: Statement): void {
  if (ctx.problem) return;
  const statement = quantifying(ctx, draft.scope, unquantified(written, draft.scope));
  const { body, binders } = statement;
  const plain = statement.conditions.length + binders.length === 0;
  if (plain && body.kind === 'logic' && body.operator === '∧') {
    for (const part of [body.left, body.right]) constrain(ctx, draft, statementOf(part));
    return;
  }
  const links = body.kind === 'relation' && plain ? linksOf(body) : null;
  const left = links?.filter((link) => !stringLink(ctx, draft, link) && !applyLink(ctx, draft, link)) ?? null;
  if (left?.length === 0 || ctx.problem) return;
  const proposition: Expression =
    left && left.length === 1 && left[0]
      ? {
          kind: 'relation',
          operands: [left[0].left, left[0].right],
          operators: [left[0].operator],
          range: left[0].range,
        }
      : body;
  const { range } = statement;
  const implied = statement.conditions.reduceRight<Expression>(
    (inner, premise) => ({ kind: 'logic', operator: '⟹', left: premise, right: inner, range }),
    proposition,
  );
  const whole: Expression =
    binders.length === 0 ? implied : { kind: 'quantified', quantifier: 'forall', binders, body: implied, range };
  const precondition = closedProposition(ctx, draft, whole);
  draft.preconditions.push(precondition);
  ctx.preconditions.set(precondition, { text: ctx.text, range: statement.range });
}

/** The proposition for all values of its free indices. */
function closedProposition(ctx: Context, draft: DomainDraft, proposition: Expression): Term {
  return isolated(ctx, () => {
    const indices = freeIndices(proposition, draft.scope).map((written) =>
      openIndex(ctx, { written, from: null, to: null, range: proposition.range }),
    );
    const frame = openFrame(
      'binder',
      indices.map((index) => index.name),
    );
    ctx.frames.push(frame);
    const body = truth(ctx, ctx.elaborate(proposition, indexScope(draft.scope, indices)), proposition.range);
    ctx.frames.pop();
    return reduce(
      'all',
      indices.map((index) => closeIndex(ctx, index)),
      closeFrame(frame, body),
    );
  });
}
