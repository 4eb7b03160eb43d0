/**
 * The domain of an equation or claim from its text: memberships declare, relations bound, helper definitions are
 * kept, and what is left is a precondition.
 */
import { reduce, variable } from '../../math/build.ts';
import type { Range } from '../../diagnostics/source.ts';
import type { Expression, Statement } from '../../math/notation/syntax.ts';
import { isAnyLength, lengthName } from '../../math/sequences.ts';
import { INTEGER, type Term } from '../../math/term.ts';
import { makeType, typeText } from '../../math/types.ts';
import type { FormalText } from '../contract.ts';
import { applyLink, setBounds } from './bounds.ts';
import { closeIndex, equalShapes, indexScope, integerTerm, openIndex } from './binders.ts';
import { fail, reading, type Context } from './context.ts';
import { addDefinition, addInput, addSize, publish, type DomainDraft } from './domain-draft.ts';
import { definitionsOf, headName } from './definition-heads.ts';
import { closeFrame, isolated, openFrame } from './frames.ts';
import { truth } from './reductions.ts';
import { linksOf } from './relations.ts';
import { lookup } from './scope.ts';
import type { ShapeName } from './shape-name.ts';
import { stringLink } from './string-bounds.ts';
import { freeIndices, mentions, namesOf } from './syntax-parts.ts';
import { readType, type TypeExpression } from './type-expressions.ts';

/** What an equation says of its result beside its domain. */
export interface Beside {
  /** Statements that have been read elsewhere. */
  readonly used: ReadonlySet<Statement>;
  /** Scalars that the shape of the result is made of. */
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
    .flatMap((text) => text.notation.statements.map((statement) => ({ text, statement })))
    .filter(({ statement }) => !used.has(statement));
  const axes = new Set(statements.flatMap(({ statement }) => axisNames(statement.body)));
  for (const { statement } of statements) {
    for (const name of axisNames(statement.body)) if (!draft.inputs.has(name)) addSize(draft, name);
    for (const { name, minimum } of names)
      if (!axes.has(name) && mentions(statement.body, (text) => text === name)) addSize(draft, name, minimum);
  }
  collectFactors(
    draft,
    statements.map(({ statement }) => statement.body),
  );
  const rest = statements.filter(({ text, statement }) => !reading(ctx, text, () => declare(ctx, draft, statement)));
  const relations = rest.filter(({ text, statement }) => !define(draft, text, statement));
  for (const { text, statement } of relations) reading(ctx, text, () => constrain(ctx, draft, statement));
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

/** `h = g·q` of a size h makes q a size too, wherever it is bounded; to the end of such chains. */
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

/** `x ∈ F32^n` and `a, b ∈ ℝ` for names that are new here; false when the statement declares nothing. */
function declare(ctx: Context, draft: DomainDraft, statement: Statement): boolean {
  const { body } = statement;
  const [left, right] =
    body.kind === 'relation' && body.operands.length === 2 && body.operators[0] === '∈' ? body.operands : [];
  if (!left || !right) return false;
  const names = left.kind === 'tuple' ? left.items : [left];
  const type = readType(right);
  const declares = names.every(
    (name) => name.kind === 'name' && !draft.sizes.has(name.text) && !isIndexed(draft, name),
  );
  if (!declares) return false;
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
  for (const name of names) if (name.kind === 'name') declareInput(ctx, draft, name, type);
  return true;
}

/** `x_i ∈ [-1, 1]` of a declared x bounds its elements. */
function isIndexed(draft: DomainDraft, name: Extract<Expression, { kind: 'name' }>): boolean {
  if (draft.inputs.has(name.text)) return false;
  for (let at = name.text.lastIndexOf('_'); at > 0; at = name.text.lastIndexOf('_', at - 1)) {
    if (draft.inputs.has(name.text.slice(0, at))) return true;
  }
  return false;
}

/** `name ∈ bound` of a quantifier. */
export function declareBound(ctx: Context, draft: DomainDraft, name: string, bound: Expression, range: Range): void {
  const type = readType(bound);
  for (const axis of type?.axes ?? [])
    for (const size of sizeNames(axis)) if (!draft.inputs.has(size)) addSize(draft, size);
  if (type) declareInput(ctx, draft, { kind: 'name', text: name, range }, type);
}

function declareInput(
  ctx: Context,
  draft: DomainDraft,
  name: Extract<Expression, { kind: 'name' }>,
  type: TypeExpression,
): void {
  const shape = type.axes.map((axis) => axisTerm(ctx, draft, name.text, axis));
  const known = draft.inputs.get(name.text);
  if (known && type.axes.length > 0 && !equalShapes(ctx, known.shape, shape)) {
    const [was, is] = [makeType(known.element, known.shape), makeType(type.element, shape)];
    fail(ctx, 'PV-4009', name.range, `${name.text} is declared as ${typeText(was)} and as ${typeText(is)}`);
    return;
  }
  const input = known ?? addInput(draft, name.text, type.element, shape);
  if (known && type.element.kind === 'integer' && known.element.kind === 'float') {
    input.element = type.element;
    publish(draft, input);
  }
  if (type.nonFinite) input.nonFinite = true;
  setBounds(ctx, draft, input, type);
}

/** The length of an axis; `ids ∈ ℤ*` has as many elements as `|ids|`, which may be none. */
function axisTerm(ctx: Context, draft: DomainDraft, input: string, axis: Expression): Term {
  if (axis.kind !== 'name' || !isAnyLength(axis.text))
    return isolated(ctx, () => integerTerm(ctx, axis, draft.scope, 'a size'));
  return variable(addSize(draft, lengthName(input), 0).name, INTEGER);
}

/** `θ_k = …`, `W = …`, `f(a) = …` for names that nothing declares: helpers of the formula. */
function define(draft: DomainDraft, text: FormalText, statement: Statement): boolean {
  for (const definition of definitionsOf(statement.definitions, text, draft.scope)) addDefinition(draft, definition);
  const { body } = statement;
  if (body.kind !== 'relation' || (body.operators[0] !== '=' && body.operators[0] !== ':=')) return false;
  const [head, value] = body.operands;
  const name = head && value ? headName(head, draft.scope, value) : null;
  if (name === null || lookup(draft.scope, name) !== null) return false;
  const [definition] = definitionsOf([body], text, draft.scope);
  if (!definition) return false;
  addDefinition(draft, definition);
  return true;
}

/** Bounds where the form is known, else a precondition. */
function constrain(ctx: Context, draft: DomainDraft, statement: Statement): void {
  if (ctx.problem) return;
  const { body } = statement;
  const links = body.kind === 'relation' && statement.conditions.length === 0 ? linksOf(body) : null;
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
  const conditions = statement.conditions.reduceRight<Expression>(
    (inner, premise) => ({ kind: 'logic', operator: '⟹', left: premise, right: inner, range: statement.range }),
    proposition,
  );
  const precondition = closedProposition(ctx, draft, conditions);
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
