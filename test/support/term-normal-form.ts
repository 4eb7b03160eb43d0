import { call, choose, variable } from '../../src/math/term/build.ts';
import type { FunctionName } from '../../src/math/functions.ts';
import { simplifySize } from '../../src/math/term/sizes.ts';
import { freshNames } from '../../src/math/term/symbols.ts';
import { termKey } from '../../src/math/term/term-key.ts';
import { INTEGER, type IndexBinder, type Term } from '../../src/math/term/term.ts';
import { freeVariables, mapParts, substitute } from '../../src/math/term/traverse.ts';

/** Equal for terms that differ in what is named and in how sizes are written: every let and every helper is written out. */
export function normalKey(term: Term): string {
  return termKey(ordered(byDepth(normalForm(term), 0)));
}

/** Bound variables are called by how deep they are bound, so that names order nothing. */
function byDepth(term: Term, depth: number): Term {
  if (term.kind !== 'reduce' && term.kind !== 'tabulate' && term.kind !== 'recurrence')
    return mapParts(term, (part) => byDepth(part, depth));
  const places = new Map(term.binders.map(({ name }, i) => [name, variable(`depth ${depth + i}`, INTEGER)] as const));
  const binders = term.binders.map(({ from, to }, i): IndexBinder => ({
    name: `depth ${depth + i}`,
    from: replaced(from, places),
    to: replaced(to, places),
  }));
  const inner = mapParts({ ...term, binders: [] }, (part) => replaced(part, places));
  return mapParts({ ...inner, binders } as typeof term, (part) => byDepth(part, depth + binders.length));
}

/** What `=` and `≠` compare in one order. */
function ordered(term: Term): Term {
  const parts = mapParts(term, ordered);
  if (parts.kind !== 'call' || (parts.fn !== 'equal' && parts.fn !== 'not-equal')) return parts;
  return call(parts.fn, ...parts.arguments.toSorted((a, b) => (termKey(a) < termKey(b) ? -1 : 1)));
}

function normalForm(term: Term): Term {
  if (term.kind === 'let') {
    const value = normalForm(term.value);
    return normalForm(replaced(term.body, new Map([[term.name, value]])));
  }
  if (term.kind === 'element') {
    const [tensor, indices] = [normalForm(term.tensor), term.indices.map(normalForm)];
    if (tensor.kind === 'if') {
      const at = (part: Term): Term => normalForm({ ...term, tensor: part, indices });
      return choose(tensor.condition, at(tensor.then), at(tensor.otherwise), term.type);
    }
    if (tensor.kind !== 'tabulate') return { ...term, tensor, indices };
    const places = new Map(tensor.binders.map((binder, axis) => [binder.name, indices[axis] ?? binder.from] as const));
    return normalForm(replaced(tensor.body, places));
  }
  // The notation has no negative numbers, only their negation.
  if (term.kind === 'number' && term.value.startsWith('-'))
    return call('negate', { ...term, value: term.value.slice(1) });
  const parts = mapParts(term, normalForm);
  switch (parts.kind) {
    case 'call':
      return oneWay(parts.fn, parts.arguments);
    case 'if':
      return choose(parts.condition, parts.then, parts.otherwise, parts.type);
    case 'tabulate':
      return { ...parts, binders: parts.binders.map(simplified) };
    case 'reduce':
      return { ...quantified(parts), binders: parts.binders.map(simplified) };
    default:
      return parts;
  }
}

/** `b > a` as `a < b`. */
function oneWay(fn: FunctionName, args: readonly Term[]): Term {
  if (fn === 'greater' || fn === 'greater-equal')
    return call(fn === 'greater' ? 'less' : 'less-equal', ...args.toReversed());
  const [only] = args;
  // The notation reads ⌊a/b⌋ of whole numbers as their quotient, and ⌈a/b⌉ by way of it.
  if (only?.kind === 'call' && only.fn === 'divide' && only.arguments.every(hasWholeValue)) {
    const [a, b] = only.arguments;
    if (fn === 'floor' && a && b) return call('floor-divide', a, b);
    if (fn === 'ceiling' && a && b) return call('negate', call('floor-divide', call('negate', a), b));
  }
  if (only && (fn === 'floor' || fn === 'ceiling' || fn === 'round') && hasWholeValue(only)) return only;
  return call(fn, ...args);
}

const isWhole = ({ type }: Term): boolean => type.kind === 'integer';

const keepWhole: ReadonlySet<FunctionName> = new Set([
  'add',
  'subtract',
  'multiply',
  'negate',
  'absolute',
  'minimum',
  'maximum',
]);

/** Whether the value is seen to be whole, whatever the type says. */
function hasWholeValue(term: Term): boolean {
  if (isWhole(term)) return true;
  if (term.kind === 'if') return hasWholeValue(term.then) && hasWholeValue(term.otherwise);
  if (term.kind === 'reduce') return hasWholeValue(term.body);
  return term.kind === 'call' && keepWhole.has(term.fn) && term.arguments.every(hasWholeValue);
}

/** `∀ i with p: q` is `∀ i: p ⟹ q`. */
function quantified(term: Extract<Term, { kind: 'reduce' }>): Extract<Term, { kind: 'reduce' }> {
  const { operator, condition, body } = term;
  if (condition === null || (operator !== 'all' && operator !== 'any')) return term;
  return { ...term, condition: null, body: call(operator === 'all' ? 'implies' : 'and', condition, body) };
}

function simplified({ name, from, to }: IndexBinder): IndexBinder {
  return { name, from: simplifySize(from), to: simplifySize(to) };
}

function replaced(term: Term, values: ReadonlyMap<string, Term>): Term {
  const reserved = [...values.values()].flatMap((value) => [...freeVariables(value)]);
  return substitute(term, values, freshNames([...freeVariables(term), ...reserved]));
}
