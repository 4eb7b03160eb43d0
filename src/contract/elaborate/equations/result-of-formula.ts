/** What the result of a formula must be: closed, of a shape that depends on sizes only, and of the shape that its codomain declares. */
import { fail, giveUp, reading, type Context } from '../context/context.ts';
import { isolated } from '../context/frames.ts';
import type { DefinitionCase } from '../context/scope.ts';
import type { Value } from '../context/value.ts';
import { shapeOfValue, valueText } from '../context/values.ts';
import type { Main } from './main-formula.ts';
import type { Codomain } from './result-shape.ts';
import type { DomainDraft } from '../inputs/domain-draft.ts';
import { equalShapes, integerTerm } from '../operators/binders.ts';
import { call, integer } from '../../../math/term/build.ts';
import { FLOAT32, type ScalarType, type Term } from '../../../math/term/term.ts';
import { freeVariables } from '../../../math/term/traverse.ts';

/** An index of the left side that is used in computed places only: `y_i = Σ_j w_j · x_{i+j}`. */
export function unboundedIndex(ctx: Context, { head, cases }: Main): void {
  const index = head.indices.find((one) => one.kind === 'name');
  const written = index?.kind === 'name' ? index.text : 'i';
  fail(
    ctx,
    'PV-4006',
    index?.range ?? cases[0]?.range ?? { start: 0, end: 0 },
    `nothing says how far the index ${written} of ${head.name} runs`,
    `say it in the codomain, ${head.name} ∈ F32^m with m = …, or write 0 ≤ ${written} < m`,
  );
}

/** `f(x) = x^T` of a vector: a kernel returns vectors and matrices. */
export function refuseRow(ctx: Context, { head, cases }: Main): void {
  const range = cases[0]?.body.range ?? { start: 0, end: 0 };
  fail(ctx, 'PV-4007', range, `${head.name} is a row here`, 'leave out the ^T: a vector is written without it');
}

/** Kernels get the shape of their result before they run, so it depends only on sizes. */
export function overSizes(
  ctx: Context,
  draft: DomainDraft,
  shape: readonly Term[],
  cases: readonly DefinitionCase[],
): boolean {
  const stray = shape.flatMap((axis) => [...freeVariables(axis)]).find((name) => !draft.sizes.has(name));
  if (stray === undefined) return true;
  fail(
    ctx,
    'PV-4006',
    cases[0]?.range ?? { start: 0, end: 0 },
    `the size of the result depends on ${stray}, which is not a size`,
    `declare ${stray} as a whole number that is not negative: ${stray} ∈ ℕ`,
  );
  return false;
}

/** `n - k + 1 ≥ 1`: a result has elements, whatever sizes are drawn. */
export function notEmpty(shape: readonly Term[]): readonly Term[] {
  return shape.filter(mayVanish).map((axis) => call('greater-equal', axis, integer(1)));
}

function mayVanish(axis: Term): boolean {
  if (axis.kind !== 'call') return false;
  return axis.fn === 'subtract' || axis.fn === 'negate' || axis.fn === 'floor-divide' || axis.arguments.some(mayVanish);
}

/** The codomain's shape over the sizes of the domain; null if it says nothing. */
export function declaredShape(ctx: Context, draft: DomainDraft, codomain: Codomain | null): readonly Term[] | null {
  if (codomain === null) return null;
  return reading(ctx, codomain.text, () =>
    codomain.type.axes.map((axis) => isolated(ctx, () => integerTerm(ctx, axis, draft.scope, 'a size'))),
  );
}

export function checkCodomain(
  ctx: Context,
  value: Value,
  codomain: Codomain | null,
  declared: readonly Term[] | null,
  cases: readonly DefinitionCase[],
): void {
  if (codomain === null || declared === null || equalShapes(ctx, shapeOfValue(value), declared)) return;
  const range = cases[0]?.range ?? { start: 0, end: 0 };
  fail(ctx, 'PV-4016', range, `the formula computes ${valueText(value)}, and the codomain is ${codomain.text.text}`);
}

/** A size that a slice takes from an index cannot be used outside that index. */
export function isClosed(ctx: Context, draft: DomainDraft, body: Term, cases: readonly DefinitionCase[]): boolean {
  const stray = [...freeVariables(body)].find((name) => !draft.sizes.has(name) && !draft.inputs.has(name));
  if (stray === undefined) return true;
  giveUp(
    ctx,
    cases[0]?.range ?? { start: 0, end: 0 },
    `the size of a part depends on the index ${stray}`,
    'bound the index explicitly: Σ_{j≤i}',
  );
  return false;
}

/** Real results are stored as float32 unless the codomain names another format. */
export function resultElement(body: Term, codomain: Codomain | null): ScalarType {
  const own = body.type.kind === 'tensor' ? body.type.element : body.type;
  if (own.kind === 'boolean' || own.kind === 'string') return own;
  const declared = codomain?.type.element;
  if (own.kind === 'integer') return declared?.kind === 'float' ? declared : own;
  return declared?.kind === 'float' ? declared : own.kind === 'float' ? own : FLOAT32;
}
