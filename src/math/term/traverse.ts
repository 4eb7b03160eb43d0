/**
 * Walking terms: parts, free variables, substitution. Chains of `let` are walked in a loop, because
 * sharing makes them long.
 */
import { integerValue } from './fold.ts';
import type { FunctionName } from '../functions.ts';
import type { IndexBinder, Term, Type } from './term.ts';

/** The sub-terms of `term`, with those of its binders; shapes inside types are not parts. */
export function partsOf(term: Term): readonly Term[] {
  switch (term.kind) {
    case 'number':
    case 'boolean':
    case 'string':
    case 'variable':
      return [];
    case 'call':
      return term.arguments;
    case 'if':
      return [term.condition, term.then, term.otherwise];
    case 'element':
      return [term.tensor, ...term.indices];
    case 'tabulate':
    case 'recurrence':
      return [...term.binders.flatMap(rangeOf), term.body];
    case 'reduce':
      return [...term.binders.flatMap(rangeOf), ...(term.condition ? [term.condition] : []), term.body];
    case 'let':
      return [term.value, term.body];
    case 'apply':
      return [...term.arguments, ...term.sizes];
  }
}

const rangeOf = (binder: IndexBinder): readonly Term[] => [binder.from, binder.to];

/** Names that `term` mentions and does not bind. Binders of one node are in scope in each other's ranges only leftwards. */
export function freeVariables(term: Term): ReadonlySet<string> {
  const free = new Set<string>();
  collectFree(term, new Map(), free);
  return free;
}

/** `bound` counts how often each name is bound around the current place. */
function collectFree(start: Term, bound: Map<string, number>, free: Set<string>): void {
  const opened: string[] = [];
  let term = start;
  while (term.kind === 'let') {
    collectFree(term.value, bound, free);
    open(term.name, bound, opened);
    term = term.body;
  }
  if (term.kind === 'variable') {
    if (!bound.get(term.name)) free.add(term.name);
  } else if (term.kind === 'tabulate' || term.kind === 'recurrence' || term.kind === 'reduce') {
    for (const binder of term.binders) {
      collectFree(binder.from, bound, free);
      collectFree(binder.to, bound, free);
      open(binder.name, bound, opened);
    }
    if (term.kind === 'reduce' && term.condition) collectFree(term.condition, bound, free);
    if (term.kind === 'recurrence') open(term.name, bound, opened);
    collectFree(term.body, bound, free);
  } else {
    for (const part of partsOf(term)) collectFree(part, bound, free);
  }
  for (const name of opened) bound.set(name, (bound.get(name) ?? 1) - 1);
}

function open(name: string, bound: Map<string, number>, opened: string[]): void {
  bound.set(name, (bound.get(name) ?? 0) + 1);
  opened.push(name);
}

/** Replaces the direct parts of `term` (and the terms in its type) by `change` of them. */
export function mapParts(term: Term, change: (part: Term) => Term): Term {
  const type = mapType(term.type, change);
  switch (term.kind) {
    case 'number':
    case 'boolean':
    case 'string':
      return term;
    case 'variable':
      return type === term.type ? term : { ...term, type };
    case 'call':
      return { ...term, type, arguments: term.arguments.map(change) };
    case 'if':
      return {
        ...term,
        type,
        condition: change(term.condition),
        then: change(term.then),
        otherwise: change(term.otherwise),
      };
    case 'element':
      return { ...term, type, tensor: change(term.tensor), indices: term.indices.map(change) };
    case 'tabulate':
    case 'recurrence':
      return { ...term, type, binders: mapBinders(term.binders, change), body: change(term.body) };
    case 'reduce':
      return {
        ...term,
        type,
        binders: mapBinders(term.binders, change),
        condition: term.condition && change(term.condition),
        body: change(term.body),
      };
    case 'let':
      return { ...term, type, value: change(term.value), body: change(term.body) };
    case 'apply':
      return { ...term, type, arguments: term.arguments.map(change), sizes: term.sizes.map(change) };
  }
}

function mapBinders(binders: readonly IndexBinder[], change: (part: Term) => Term): IndexBinder[] {
  return binders.map((b) => ({ name: b.name, from: change(b.from), to: change(b.to) }));
}

function mapType(type: Type, change: (part: Term) => Term): Type {
  return type.kind === 'tensor' ? { ...type, shape: type.shape.map(change) } : type;
}

/**
 * Replaces free variables by terms and gives every bound name a fresh one, so nothing can be captured.
 * `fresh` must return names that occur in no replacement.
 */
export function substitute(term: Term, replacements: ReadonlyMap<string, Term>, fresh: (hint: string) => string): Term {
  switch (term.kind) {
    case 'variable': {
      const found = replacements.get(term.name);
      return found ?? mapParts(term, (part) => substitute(part, replacements, fresh));
    }
    case 'let': {
      const value = substitute(term.value, replacements, fresh);
      const name = fresh(term.name);
      const inner = new Map(replacements).set(term.name, { kind: 'variable', name, type: value.type, origin: null });
      const body = substitute(term.body, inner, fresh);
      return { ...term, name, value, body, type: body.type };
    }
    case 'if': {
      const condition = substitute(term.condition, replacements, fresh);
      // `f(drop_last = true)` has one case: the other can never apply.
      const known = truthOf(condition);
      if (known !== null) return substitute(known ? term.then : term.otherwise, replacements, fresh);
      return mapParts(term, (part) => substitute(part, replacements, fresh));
    }
    case 'tabulate':
    case 'recurrence':
    case 'reduce':
      return substituteBinding(term, replacements, fresh);
    default:
      return mapParts(term, (part) => substitute(part, replacements, fresh));
  }
}

/** Whether a condition holds, if it says so itself: `true`, `0 < 1`. */
function truthOf(condition: Term): boolean | null {
  if (condition.kind === 'boolean') return condition.value;
  if (condition.kind !== 'call' || (condition.fn !== 'less' && condition.fn !== 'less-equal')) return null;
  const [a = null, b = null] = condition.arguments.map(integerValue);
  if (a === null || b === null) return null;
  return condition.fn === 'less' ? a < b : a <= b;
}

function substituteBinding(
  term: Extract<Term, { kind: 'tabulate' | 'recurrence' | 'reduce' }>,
  replacements: ReadonlyMap<string, Term>,
  fresh: (hint: string) => string,
): Term {
  const inner = new Map(replacements);
  const binders = term.binders.map((binder): IndexBinder => {
    const from = substitute(binder.from, inner, fresh);
    const to = substitute(binder.to, inner, fresh);
    const name = fresh(binder.name);
    inner.set(binder.name, { kind: 'variable', name, type: { kind: 'integer' }, origin: null });
    return { name, from, to };
  });
  const type = mapType(term.type, (part) => substitute(part, replacements, fresh));
  if (term.kind === 'recurrence') {
    const name = fresh(term.name);
    inner.set(term.name, { kind: 'variable', name, type, origin: null });
    return { ...term, type, name, binders, body: substitute(term.body, inner, fresh) };
  }
  const body = substitute(term.body, inner, fresh);
  if (term.kind === 'tabulate') return { ...term, type, binders, body };
  return { ...term, type, binders, condition: term.condition && substitute(term.condition, inner, fresh), body };
}

/** How often the free variable `name` occurs, and whether an occurrence is evaluated more than once (under a binder). */
export function occurrences(term: Term, name: string): { readonly count: number; readonly repeated: boolean } {
  let count = 0;
  let repeated = false;
  const walk = (start: Term, under: boolean): void => {
    let at = start;
    while (at.kind === 'let') {
      walk(at.value, under);
      at = at.body;
    }
    if (at.kind === 'variable' && at.name === name) {
      count++;
      repeated ||= under;
    }
    const binds = at.kind === 'tabulate' || at.kind === 'recurrence' || at.kind === 'reduce';
    for (const part of partsOf(at)) walk(part, under || binds);
  };
  walk(term, false);
  return { count, repeated };
}

/** The number of nodes of `term`, written out (shared sub-terms count as often as they occur). */
export function termSize(term: Term): number {
  let size = 0;
  let at = term;
  while (at.kind === 'let') {
    size += 1 + termSize(at.value);
    at = at.body;
  }
  for (const part of partsOf(at)) size += termSize(part);
  return size + 1;
}

/** The functions that a term calls. */
export function functionsIn(term: Term): ReadonlySet<FunctionName> {
  const found = new Set<FunctionName>();
  const seen = new Set<Term>();
  const stack = [term];
  for (let at = stack.pop(); at; at = stack.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    if (at.kind === 'call') found.add(at.fn);
    stack.push(...partsOf(at));
  }
  return found;
}
