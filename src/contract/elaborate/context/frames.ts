/**
 * Sharing: reductions and materialised tensors are named once, in the outermost place where every variable
 * they mention is known. `exp(x_i − max(x)) / Σ_j exp(x_j − max(x))` becomes
 * `let max = … in let sum = … in [exp(x_i − max) / sum]`: linear instead of quadratic, and equal by construction.
 */
import { invariant } from '../../../base/invariant.ts';
import { element, letIn, tabulate, variable } from '../../../math/term/build.ts';
import { termKey } from '../../../math/term/term-key.ts';
import { INTEGER, type IndexBinder, type Term } from '../../../math/term/term.ts';
import { freeVariables, mapParts, occurrences, partsOf } from '../../../math/term/traverse.ts';
import type { Context } from './context.ts';
import type { Frame } from './frame.ts';

/** An empty frame in which the variables `bound` are known. */
export function openFrame(kind: Frame['kind'], bound: Iterable<string> = []): Frame {
  return { kind, bound: new Set(bound), lets: [], names: new Map(), definitions: new Map() };
}

/** Runs `body` inside `frame` and wraps its result in the names introduced there. */
export function inFrame(ctx: Context, frame: Frame, body: () => Term): Term {
  ctx.frames.push(frame);
  const result = body();
  const popped = ctx.frames.pop();
  invariant(popped === frame, 'frames close in the order in which they opened');
  return closeFrame(frame, result);
}

/** Runs `body` in a copy of a closed frame: another element of a value that was elaborated there. */
export function reopened(ctx: Context, frame: Frame, body: () => Term): Term {
  return inFrame(
    ctx,
    {
      ...frame,
      bound: new Set(frame.bound),
      lets: [...frame.lets],
      names: new Map(frame.names),
      definitions: new Map(),
    },
    body,
  );
}

/** Runs `body` in its own frames: its result mentions no name introduced outside. */
export function isolated(ctx: Context, body: () => Term): Term {
  const outside = ctx.frames;
  ctx.frames = [];
  const result = inFrame(ctx, openFrame('sealed'), body);
  ctx.frames = outside;
  return result;
}

/** Runs `body` in the frame of a condition: a branch, the right side of an implication. */
export function guarded(ctx: Context, body: () => Term): Term {
  return inFrame(ctx, openFrame('guard'), body);
}

/** Names `value` in the outermost frame that allows it and returns the name; an equal value there shares its name. */
export function share(ctx: Context, value: Term, hint: string, force = false): Term {
  if (isAtom(value)) return value;
  const frame = frameFor(ctx, value, force);
  const key = termKey(value);
  const known = frame.names.get(key);
  if (known !== undefined) return variable(known, value.type);
  const name = ctx.fresh(hint);
  frame.lets.push({ name, value });
  frame.names.set(key, name);
  frame.bound.add(name);
  return variable(name, value.type);
}

/** Whether a term is so small that naming it would not save work. */
export function isAtom(term: Term): boolean {
  return term.kind === 'variable' || term.kind === 'number' || term.kind === 'boolean' || term.kind === 'string';
}

function frameFor(ctx: Context, value: Term, force: boolean): Frame {
  const free = freeVariables(value);
  const mayLeaveGuards = force || (isTotal(ctx, value) && !readsWrittenRanges(ctx, value));
  for (let i = ctx.frames.length - 1; i > 0; i--) {
    const frame = ctx.frames[i];
    invariant(frame, 'the loop stays inside the array');
    const stays = frame.kind === 'sealed' || (frame.kind === 'guard' && !mayLeaveGuards);
    if (stays || [...free].some((name) => frame.bound.has(name))) return frame;
  }
  const [root] = ctx.frames;
  invariant(root, 'elaboration runs inside a frame');
  return root;
}

/** Whether evaluating `term` can never read outside a tensor: every index is a plain index variable of that axis. */
function isTotal(ctx: Context, term: Term): boolean {
  if (term.kind === 'element') {
    const mayLeave = term.origin !== null && ctx.reads.has(term.origin);
    if (mayLeave || term.indices.some((index) => index.kind !== 'variable')) return false;
  }
  if (term.kind === 'reduce' && (term.operator === 'argmax' || term.operator === 'argmin')) return false;
  return partsOf(term).every((part) => isTotal(ctx, part));
}

/** Whether an index with a written range reads a tensor: the range may reach past the axis where a condition does not hold. */
function readsWrittenRanges(ctx: Context, term: Term): boolean {
  const written = (index: Term): boolean =>
    index.kind === 'variable' && (ctx.indices.get(index.name)?.to ?? null) !== null;
  return (
    (term.kind === 'element' && term.indices.some(written)) ||
    partsOf(term).some((part) => readsWrittenRanges(ctx, part))
  );
}

/** The names of `frame` around `body`; a name that is used once, where it is evaluated once, is inlined. */
export function closeFrame(frame: Frame, body: Term): Term {
  return frame.lets.reduceRight((inner, { name, value }) => {
    const uses = occurrences(inner, name);
    if (uses.count === 0) return inner;
    if (uses.count === 1 && !uses.repeated) return putBack(inner, name, value);
    return letIn(name, value, inner);
  }, body);
}

/** Replaces the one occurrence of `name`. Bound names are unique within an elaboration, so nothing is captured. */
function putBack(term: Term, name: string, value: Term): Term {
  if (term.kind === 'variable') return term.name === name ? value : term;
  const parts = partsOf(term);
  if (parts.length === 0) return term;
  return mapParts(term, (part) => putBack(part, name, value));
}

/**
 * Closes the frame of `binders`, which ctx has left. What depends on some of the binders only is computed once for
 * those, outside: `max_j S_ij` in a table over i and j becomes a vector over i. `tabulated`: the caller makes a tensor
 * of the result, of which a tensor over all the binders would only be a copy.
 */
export function closeBinders(
  ctx: Context,
  frame: Frame,
  binders: readonly IndexBinder[],
  body: Term,
  tabulated = false,
): Term {
  const moved = new Map<string, Term>();
  const kept: Frame['lets'] = [];
  for (const { name, value } of frame.lets) {
    const current = replaceAll(value, moved);
    const lifted = lift(ctx, frame, { binders, tabulated }, name, current);
    if (lifted) moved.set(name, lifted);
    else kept.push({ name, value: current });
  }
  return closeFrame({ ...frame, lets: kept }, replaceAll(body, moved));
}

/** The value as an element of a tensor that is shared further out, or null if nothing is gained or known. */
function lift(
  ctx: Context,
  frame: Frame,
  { binders, tabulated }: { binders: readonly IndexBinder[]; tabulated: boolean },
  name: string,
  value: Term,
): Term | null {
  if (value.type.kind === 'tensor' || !hasReduction(value) || !isTotal(ctx, value)) return null;
  const free = freeVariables(value);
  const over = binders.filter((binder) => free.has(binder.name));
  const local = [...frame.bound].some((bound) => free.has(bound) && !over.some((binder) => binder.name === bound));
  const ranges = over.flatMap((binder) => [...freeVariables(binder.from), ...freeVariables(binder.to)]);
  const plain = over.every((binder) => binder.from.kind === 'number' && binder.from.value === '0');
  if (local || !plain || ranges.some((range) => frame.bound.has(range))) return null;
  const table = tabulate(over, value);
  if (over.length === binders.length && (tabulated || !leavesLoop(ctx, table))) return null;
  const shared = share(ctx, table, name.replace(/~\d+$/, ''));
  return element(
    shared,
    over.map((binder) => variable(binder.name, INTEGER)),
  );
}

/** Whether sharing `value` takes it out of a loop that it does not depend on. */
function leavesLoop(ctx: Context, value: Term): boolean {
  const target = frameFor(ctx, value, false);
  return ctx.frames.slice(ctx.frames.indexOf(target) + 1).some((frame) => frame.kind === 'binder');
}

function hasReduction(term: Term): boolean {
  return term.kind === 'reduce' || partsOf(term).some(hasReduction);
}

function replaceAll(term: Term, replacements: ReadonlyMap<string, Term>): Term {
  if (replacements.size === 0) return term;
  if (term.kind === 'variable') return replacements.get(term.name) ?? term;
  return partsOf(term).length === 0 ? term : mapParts(term, (part) => replaceAll(part, replacements));
}

/** The value of a name in an open frame, or null. */
export function sharedValue(ctx: Context, name: string): Term | null {
  for (const frame of ctx.frames) {
    const found = frame.lets.find((entry) => entry.name === name);
    if (found) return found.value;
  }
  return null;
}
