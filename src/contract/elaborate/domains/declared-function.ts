/** `encode: String → ℤ*`: a function with only a type. Only claims say what it computes. */
import type { Range } from '../../../diagnostics/source.ts';
import type { Expression } from '../../../math/notation/syntax.ts';
import { isAnyLength, lengthName, sequenceOf } from '../../../math/term/sequences.ts';
import type { Term, Type } from '../../../math/term/term.ts';
import { isNumeric, makeType, typeText } from '../../../math/term/types.ts';
import type { FormalText } from '../../contract.ts';
import type { Parameter } from '../../goal.ts';
import { equalSizes, integerTerm } from '../operators/binders.ts';
import { setBounds } from './bounds.ts';
import { fail, giveUp, type Context } from '../context/context.ts';
import type { DomainDraft, DraftInput } from '../inputs/domain-draft.ts';
import { isolated } from '../context/frames.ts';
import { use, useAll } from '../context/ledger.ts';
import { isTerm, readType, useType, type TypeExpression } from '../inputs/type-expressions.ts';

/** The parts of `symbol: from → to`, as written. */
export interface DeclaredFunction {
  readonly symbol: string;
  readonly from: readonly Expression[];
  readonly to: Expression;
  readonly range: Range;
}

/** The declaration that `text` is, or null if it says how something is computed. */
export function declaredFunction(text: FormalText): DeclaredFunction | null {
  const [only, more] = text.notation.statements;
  if (!only || more || only.conditions.length > 0) return null;
  const { body, label, range } = only;
  if (body.kind === 'function-type' && label !== null && /^\p{L}[\p{L}\p{M}\p{N}_'′]*$/u.test(label))
    return { symbol: label, from: factors(body.from), to: body.to, range };
  const [left, right] = body.kind === 'relation' && body.operators[0] === '∈' ? body.operands : [];
  return left?.kind === 'name' && right?.kind === 'function-type'
    ? { symbol: left.text, from: factors(right.from), to: right.to, range }
    : null;
}

/** `A × B` and `(A, B)`. */
function factors(type: Expression): readonly Expression[] {
  if (type.kind === 'tuple') return type.items;
  return type.kind === 'binary' && type.operator === '×' ? [...factors(type.left), ...factors(type.right)] : [type];
}

/** The types of a function. */
export interface Signature {
  readonly parameters: readonly Parameter[];
  readonly result: Type;
}

/** The signature over the inputs of the domain, which the declared types must fit; null if they do not. */
export function signatureOf(ctx: Context, draft: DomainDraft, declared: DeclaredFunction): Signature | null {
  const inputs = [...draft.inputs.values()];
  if (inputs.length !== declared.from.length) {
    fail(
      ctx,
      'PV-4008',
      declared.range,
      `${declared.symbol} takes ${declared.from.length} arguments, and the domain declares ${inputs.length} inputs`,
      'name every argument in the domain, in their order: s ∈ String, |s| ≤ 32',
    );
    return null;
  }
  inputs.forEach((input, i) => checkArgument(ctx, draft, input, declared.from[i]));
  const result = resultOf(ctx, draft, declared.to);
  if (ctx.problem || result === null) return null;
  return { parameters: inputs.map(({ name, element, shape }) => ({ name, type: makeType(element, shape) })), result };
}

function knownType(ctx: Context, written: Expression): TypeExpression | null {
  const type = readType(written);
  useType(ctx, written);
  if (type === null)
    fail(
      ctx,
      'PV-4002',
      written.range,
      'this is not a type or set that pv knows',
      'write e.g. String, ℤ, ℤ*, F32^n, {0, …, V-1}*',
    );
  return type;
}

/** The type of an argument is that of the input in its place; its bounds are bounds of the input. */
function checkArgument(ctx: Context, draft: DomainDraft, input: DraftInput, written: Expression | undefined): void {
  const type = written && knownType(ctx, written);
  if (!written || !type) return;
  const { name, element, shape } = input;
  const sameElement = type.element.kind === element.kind || (isNumeric(type.element) && element.kind === 'float');
  const sameShape =
    type.axes.length === shape.length && type.axes.every((axis, i) => isAxis(ctx, draft, axis, shape[i], name));
  if (sameElement && sameShape) {
    setBounds(ctx, draft, input, type);
    return;
  }
  fail(
    ctx,
    'PV-4009',
    written.range,
    `${name} is declared as ${typeText(makeType(element, shape))} in the domain and as ${ctx.text.text.slice(written.range.start, written.range.end)} here`,
  );
}

function isAxis(ctx: Context, draft: DomainDraft, axis: Expression, size: Term | undefined, input: string): boolean {
  if (axis.kind === 'name' && isAnyLength(axis.text)) {
    use(ctx, axis.range);
    return size?.kind === 'variable' && size.name === lengthName(input);
  }
  const written = isolated(ctx, () => integerTerm(ctx, axis, draft.scope, 'a size'));
  return size !== undefined && (ctx.problem !== null || equalSizes(ctx, written, size));
}

/** An otherwise undeclared exponent is a length that the kernel decides. */
function resultOf(ctx: Context, draft: DomainDraft, written: Expression): Type | null {
  const type = knownType(ctx, written);
  if (type === null) return null;
  // No formula computes the result, so only claims can bound it: see `boundedResult`.
  for (const part of boundsOf(type)) useAll(ctx, part);
  const [axis, more] = type.axes;
  if (axis?.kind === 'name' && !more && (isAnyLength(axis.text) || !draft.sizes.has(axis.text))) {
    use(ctx, axis.range);
    if (type.element.kind === 'integer') return sequenceOf(type.element);
    giveUp(ctx, written.range, 'pv runs kernels whose result is a sequence of whole numbers, and of nothing else');
    return null;
  }
  if (type.axes.length > 0 && type.element.kind === 'string') {
    giveUp(ctx, written.range, 'pv runs kernels whose result is one string, not a tensor of strings');
    return null;
  }
  return makeType(
    type.element,
    type.axes.map((one) => isolated(ctx, () => integerTerm(ctx, one, draft.scope, 'a size'))),
  );
}

/** The type of the result if it bounds the values, as `{0, …, V-1}*` does; null otherwise. */
export function boundedResult(text: FormalText): Expression | null {
  const to = text.notation.status === 'math' ? declaredFunction(text)?.to : undefined;
  const type = to && readType(to);
  return to && type && boundsOf(type).length > 0 ? to : null;
}

function boundsOf({ lower, upper, choices }: TypeExpression): readonly Expression[] {
  const ends = [lower, upper].flatMap((bound) => (bound && !isTerm(bound.value) ? [bound.value] : []));
  return [...ends, ...(choices ?? [])];
}
