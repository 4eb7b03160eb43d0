/** `∀ c ∈ F32, |c| ≤ 100: p`, `for all x`, `when ε > 0`: what a claim says about its inputs before anything about outputs. */
import type { Binder, Expression, Statement } from '../../../math/notation/syntax.ts';
import { applyLink } from '../domains/bounds.ts';
import { binderRelation } from '../operators/clauses.ts';
import type { Context } from '../context/context.ts';
import { declareBound } from '../domains/domain.ts';
import { addInput, anyReal, identify, type DomainDraft, type DraftInput } from '../inputs/domain-draft.ts';
import { use, useAll } from '../context/ledger.ts';
import { linksOf } from '../operators/relations.ts';
import { lookup } from '../context/scope.ts';
import { childrenOf, freeIndices, nameRange, namesOf } from '../context/syntax-parts.ts';
import { readType } from '../inputs/type-expressions.ts';
import { resolveName } from '../context/names.ts';

interface Opened {
  readonly binders: readonly Binder[];
  readonly body: Expression;
  readonly conditions: readonly Expression[];
}

/**
 * Adds quantified inputs to `draft` and returns the indices, conditions and the body. A binder that `isShared` by the
 * whole claim narrows the domain; any other is a condition of its own statement only.
 */
export function quantifiedInputs(
  ctx: Context,
  draft: DomainDraft,
  statement: Statement,
  isShared: (binder: Binder) => boolean,
): Opened {
  const trailing = takeInputs(ctx, draft, statement.binders, statement.body, isShared);
  let { body } = statement;
  const leading: Binder[] = [];
  while (body.kind === 'quantified' && body.quantifier === 'forall') {
    const names = new Set(body.binders.map((binder) => binder.name));
    const kept = takeInputs(ctx, draft, body.binders, body.body, () => true);
    if (kept.binders.length === body.binders.length) break;
    leading.push(...kept.binders);
    body = withoutPremises(ctx, draft, implied(kept.conditions, body.body), names);
  }
  return {
    binders: [...leading, ...trailing.binders],
    body,
    conditions: [...statement.conditions, ...trailing.conditions],
  };
}

function implied(premises: readonly Expression[], body: Expression): Expression {
  return premises.reduceRight<Expression>(
    (right, left) => ({ kind: 'logic', operator: '⟹', left, right, range: body.range }),
    body,
  );
}

interface Taken {
  readonly binders: readonly Binder[];
  readonly conditions: readonly Expression[];
}

/** Declares the binders that are inputs; returns the others, and the conditions that binders set. */
function takeInputs(
  ctx: Context,
  draft: DomainDraft,
  written: readonly Binder[],
  body: Expression,
  isShared: (binder: Binder) => boolean,
): Taken {
  const binders: Binder[] = [];
  const conditions: Expression[] = [];
  for (const binder of written) {
    const relation = binderRelation(binder);
    const known = draft.inputs.has(binder.name) || draft.sizes.has(binder.name);
    if (known && !relation) {
      use(ctx, nameRange(binder));
      continue;
    }
    if (relation && (draft.sizes.has(binder.name) || isElement(draft, binder) || (known && !isShared(binder))))
      conditions.push(relation);
    else if (!boundsInput(ctx, draft, binder, body)) {
      if (!isInput(draft, binder)) binders.push(binder);
      else if (binder.bound) declareBound(ctx, draft, binder.name, binder.bound, nameRange(binder));
    }
  }
  return { binders, conditions };
}

/** `for x_i > 0` is a condition on elements. */
function isElement(draft: DomainDraft, { name: text, range }: Binder): boolean {
  return resolveName({ kind: 'name', text, range }, draft.scope)?.kind === 'indexed';
}

/** `for α ≠ 0`, `for all x > 0`: a bound of an input; a new name that is not an index of the body is a real. */
function boundsInput(ctx: Context, draft: DomainDraft, binder: Binder, body: Expression): boolean {
  if (!binder.bound || binder.relation === null || binder.relation === '∈' || binder.relation === ':=') return false;
  if (!draft.inputs.has(binder.name)) {
    const fresh =
      binder.relation !== '=' &&
      lookup(draft.scope, binder.name) === null &&
      !freeIndices(body, draft.scope).includes(binder.name);
    if (!fresh) return false;
    addInput(draft, binder.name, anyReal, []);
  }
  const name: Expression = { kind: 'name', text: binder.name, range: nameRange(binder) };
  return applyLink(ctx, draft, { left: name, operator: binder.relation, right: binder.bound, range: binder.range });
}

/** `c ∈ F32` and `t ∈ [0, 1]` are inputs; `i ∈ [0, n)`, `i ∈ {0, …, n-1}` are indices; a declared input remains one. */
function isInput(draft: DomainDraft, binder: Binder): boolean {
  if (binder.relation !== '∈' || !binder.bound) return false;
  if (draft.inputs.has(binder.name)) return true;
  const type = readType(binder.bound);
  if (!type) return false;
  const range = binder.bound.kind === 'interval' || binder.bound.kind === 'span' || binder.bound.kind === 'set';
  return !(range && type.element.kind === 'integer');
}

/** `premise ⟹ p` right after a quantifier restricts the quantified inputs; bounds are met by construction. */
function withoutPremises(ctx: Context, draft: DomainDraft, body: Expression, names: ReadonlySet<string>): Expression {
  if (body.kind !== 'logic' || body.operator !== '⟹') return body;
  const about = namesOf(body.left);
  const own = about.some((name) => names.has(name)) && about.every((name) => lookup(draft.scope, name) !== null);
  const rest = own ? premisesAsBounds(ctx, draft, [body.left], body.right) : [body.left];
  return rest.length === 0 ? withoutPremises(ctx, draft, body.right, names) : body;
}

/** `a = b = c ⟹ p` of inputs, or of one and a number, is met by construction: drawn numbers are hardly ever equal. */
export function withoutEqualities(ctx: Context, draft: DomainDraft, body: Expression): Expression {
  if (body.kind !== 'logic' || body.operator !== '⟹') return body;
  const isEquality = conjuncts(body.left).every(
    (part) =>
      part.kind === 'relation' &&
      part.operators.every((operator) => operator === '=') &&
      part.operands.some((side) => isScalar(draft, side)) &&
      part.operands.every((side) => isScalar(draft, side) || isNumber(side)),
  );
  return isEquality && premisesAsBounds(ctx, draft, [body.left], body.right).length === 0 ? body.right : body;
}

/**
 * Conditions that bound inputs narrow the domain; the others are returned. A condition on the index that `body` is about
 * (`σ(x)_i ≥ 0 when x_i > 0`) says nothing about the other elements, so it remains a condition.
 */
export function premisesAsBounds(
  ctx: Context,
  draft: DomainDraft,
  conditions: readonly Expression[],
  body: Expression,
): readonly Expression[] {
  const claimed = new Set(freeIndices(body, draft.scope));
  return conditions.flatMap(conjuncts).filter((condition) => {
    if (condition.kind !== 'relation' || namesOf(condition).some((name) => isOutside(draft, name))) return true;
    if (freeIndices(condition, draft.scope).some((index) => claimed.has(index))) return true;
    const links = linksOf(condition);
    const [only, more] = links;
    if (only && !more && onTensors(draft, only)) return !identified(ctx, draft, only);
    return !links.every((link) => link.operator !== '≈' && applyLink(ctx, draft, link));
  });
}

function conjuncts(condition: Expression): readonly Expression[] {
  return condition.kind === 'logic' && condition.operator === '∧'
    ? [...conjuncts(condition.left), ...conjuncts(condition.right)]
    : [condition];
}

/** Whether the name is not an input or size: outputs and helpers cannot be built, and unknown names must be reported. */
function isOutside(draft: DomainDraft, name: string): boolean {
  if (draft.inputs.has(name) || draft.sizes.has(name)) return false;
  const resolved = resolveName({ kind: 'name', text: name, range: { start: 0, end: 0 } }, draft.scope);
  return resolved?.kind !== 'indexed' || !draft.inputs.has(resolved.name);
}

type Equality = ReturnType<typeof linksOf>[number];

const inputAt = ({ inputs }: DomainDraft, side: Expression): DraftInput | undefined =>
  side.kind === 'name' ? inputs.get(side.text) : undefined;

/** `0.75`, `1/3`: no words. */
const isNumber = (side: Expression): boolean =>
  side.kind === 'number' || ((side.kind === 'binary' || side.kind === 'negate') && childrenOf(side).every(isNumber));

const isScalar = (draft: DomainDraft, side: Expression): boolean => inputAt(draft, side)?.shape.length === 0;

/** Whether both sides are whole inputs with axes, of which neither can bound the other. */
function onTensors(draft: DomainDraft, { left, right }: Equality): boolean {
  return [left, right].every((side) => (inputAt(draft, side)?.shape.length ?? 0) > 0);
}

/** `ŷ = y` of two inputs of one type: the claim is about one input with two names. */
function identified(ctx: Context, draft: DomainDraft, { left, operator, right }: Equality): boolean {
  const [one, other] = [inputAt(draft, left), inputAt(draft, right)];
  if (operator !== '=' || !one || !other || !identify(draft, one, other, ctx.fresh)) return false;
  useAll(ctx, left);
  useAll(ctx, right);
  return true;
}
