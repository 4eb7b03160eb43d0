/** Which equations define a name, and which are conditions on known names. */
import { quoted } from '../../../base/text.ts';
import type { Expression } from '../../../math/notation/syntax.ts';
import type { FormalText } from '../../contract.ts';
import { builtinNames, constants, definedByAuthors, isBuiltinWord } from '../operators/builtins.ts';
import { fail, type Context } from '../context/context.ts';
import { definitionsOf, readHead, type Defining, type Head } from './definition-heads.ts';
import { addDefinition, type DomainDraft } from '../inputs/domain-draft.ts';
import { useHead } from '../context/ledger.ts';
import { resolveName } from '../context/names.ts';
import { lookup, type Scope } from '../context/scope.ts';
import { mentions, namesOf } from '../context/syntax-parts.ts';

type Name = Extract<Expression, { kind: 'name' }>;

/** Whether a name that already has a meaning keeps it despite the equation `name = right`. */
export type Keeps = (head: Head, right: Expression) => boolean;

/** In a domain, an equation for a declared name is a condition. */
export const always: Keeps = () => true;

/**
 * A helper after `where` may take the name of an input, which then means the helper. `where n = 1` for a size and `where c = 2`
 * for an input are conditions.
 */
export function ofInputs({ sizes, inputs }: Pick<DomainDraft, 'sizes' | 'inputs'>): Keeps {
  return ({ name, indices }, right) =>
    (sizes.has(name) && indices.length === 0) || (inputs.has(name) && namesOf(right).length === 0);
}

/** In a claim, `where mask(i, j) = 1` of an equation mask is a condition too. */
export function ofEquations(draft: DomainDraft): Keeps {
  const keeps = ofInputs(draft);
  return (head, right) =>
    keeps(head, right) || (lookup(draft.scope, head.name)?.kind === 'equation' && !isFunctionOf(head, right));
}

/** Keeps the equations that define names as helpers of `draft`; returns the others, which are conditions on known names. */
export function keepHelpers(
  ctx: Context,
  draft: DomainDraft,
  equations: readonly Defining[],
  { text, keeps }: { readonly text: FormalText; readonly keeps: Keeps },
): readonly Expression[] {
  const defining = equations.filter(({ equation }) => definesName(ctx, equation, draft.scope, keeps));
  for (const { equation } of defining) useHead(ctx, equation);
  for (const definition of definitionsOf(defining, text, draft.scope)) addDefinition(draft, definition);
  return equations.filter((one) => !defining.includes(one)).map(({ equation }) => equation);
}

/**
 * Whether `equation` defines a name. It does not if the name `keeps` its meaning or is a word of the function table:
 * `sum(p) = 1` is a condition on p, and `sum = 1` is an error, recorded in `ctx`.
 */
export function definesName(ctx: Context, equation: Expression, scope: Scope, keeps: Keeps): boolean {
  if (equation.kind !== 'relation' || (equation.operators[0] !== '=' && equation.operators[0] !== ':=')) return false;
  const [left, right] = equation.operands;
  const head = left && right ? readHead(left, scope, right) : null;
  if (!left || !right || !head) return false;
  const known = lookup(scope, head.name);
  // In the texts of an equation, `d = 128` gives d its value even if another equation computes a d.
  const isValue = known?.kind === 'equation' && left.kind === 'name' && right.kind === 'number';
  if (known !== null) return (isValue && ctx.claim === null) || !keeps(head, right);
  if (left.kind === 'name' && isElement(left, right, scope)) return false;
  const isFree = !builtinNames.has(head.name) || (head.indices.length > 0 && !isBuiltinFunction(head));
  return isFree || redefines(ctx, { head, left, right }, scope, keeps);
}

/** `max(a, b)`, `exp(x)_i`; `σ(z)` and `norm(x)` mean what a formula says about them. */
function isBuiltinFunction({ name, arguments: written, indices }: Head): boolean {
  return written !== null && isBuiltinWord(name) && !(definedByAuthors.has(name) && indices.length === 0);
}

interface Sides {
  readonly head: Head;
  readonly left: Expression;
  readonly right: Expression;
}

/** Whether an equation for a built-in name may define a helper of that name: a function of one letter, or a letter after `where`. */
function redefines(ctx: Context, { head, left, right }: Sides, scope: Scope, keeps: Keeps): boolean {
  const about = (head.arguments ?? []).some((argument) => isAboutKnown(argument, scope));
  // `where … e = 1e-5` gives a single letter its meaning next to the formula that uses it.
  if (keeps !== always && head.arguments === null && /^[a-z]$/.test(head.name)) return true;
  const isFunction = isFunctionOf(head, right) && !(about && keeps === always);
  if (isFunction && !isBuiltinFunction(head)) return true;
  if (!isFunction && (about || (keeps === always && head.arguments !== null))) return false;
  fail(
    ctx,
    'PV-4030',
    left.range,
    `${quoted(head.name)} is built in and cannot be redefined`,
    renaming(head, isFunction),
  );
  return false;
}

function renaming({ name }: Head, isFunction: boolean): string {
  if (isFunction) return `give the function another name; ${name}(…) is the built-in one everywhere`;
  return constants.has(name)
    ? `declare another number as an input (${name} ∈ F32), or give it another name`
    : `apply it to something, as in ${name}(x) = 1, or choose another name`;
}

/** `x_0 = 1`, `x_i = 2` for an input x are conditions on its elements; `x_c = x - mean(x)` defines a new name. */
function isElement(left: Name, right: Expression, scope: Scope): boolean {
  const resolved = resolveName(left, scope);
  if (resolved?.kind !== 'indexed' || resolved.entry.kind !== 'value') return false;
  return resolved.indices.every(({ kind }) => kind === 'number') || namesOf(right).length === 0;
}

function isAboutKnown(argument: Expression, scope: Scope): boolean {
  return namesOf(argument).some((text) => resolveName({ kind: 'name', text, range: argument.range }, scope) !== null);
}

/** Whether the right side uses every argument, as that of a function does; for a name without arguments, whether it uses any name. */
function isFunctionOf(head: Head, right: Expression): boolean {
  if (head.arguments === null) return namesOf(right).length > 0;
  return (
    right.kind !== 'name' &&
    head.arguments.every(
      (argument) =>
        argument.kind === 'name' &&
        mentions(right, (text) => text === argument.text || text.startsWith(`${argument.text}_`)),
    )
  );
}
