/** The left sides of definitions: `RMS(x) = …`, `S_ij = …`, `f(x)_{2k} = …`, `c = …`. */
import type { Range } from '../../../diagnostics/source.ts';
import type { Binder, Expression } from '../../../math/notation/syntax.ts';
import type { FormalText } from '../../contract.ts';
import { subscriptItems } from '../operators/indexing.ts';
import { indexedName, splitIndexName, squareName, type Binary } from '../context/names.ts';
import { lookup, type Definition, type DefinitionCase, type Scope } from '../context/scope.ts';
import { stepKey } from './step-names.ts';
import { mentions } from '../context/syntax-parts.ts';
import { rankOf } from '../context/values.ts';
import { isBuiltinWord } from '../operators/builtins.ts';
import { isKnownFunction } from '../expressions/known-functions.ts';

/** What a left side says: the symbol, its arguments (null without parentheses), its indices. */
export interface Head {
  readonly name: string;
  readonly arguments: readonly Expression[] | null;
  readonly indices: readonly Expression[];
}

/**
 * Reads a left side; null for anything else. `body` is the right side, which shows whether a letter is an index or part
 * of a name.
 */
export function readHead(expression: Expression, scope: Scope, body: Expression | null): Head | null {
  if (expression.kind === 'name') return nameHead(expression, scope, body);
  if (expression.kind === 'call' && expression.callee.kind === 'name') {
    if (isIdentity(expression, scope) || (body !== null && isOfOne(expression, body))) return null;
    const rows = body === null ? null : rowHead(expression, scope);
    if (rows !== null) return rows;
    return { name: expression.callee.text, arguments: expression.arguments.map((a) => a.value), indices: [] };
  }
  if (expression.kind === 'binary') return squareHead(expression, scope) ?? rateHead(expression, scope);
  if (expression.kind !== 'index') return null;
  const base = readHead(expression.base, scope, null);
  const items = expression.style === 'subscript' ? subscriptItems(expression.items, scope, 0) : expression.items;
  const indices = items.flatMap((item) => (item.kind === 'at' ? [item.value] : []));
  return base && indices.length === items.length ? { ...base, indices: [...base.indices, ...indices] } : null;
}

/** `H(a_i) = …` of an input a with axes defines `H(a)_i`. */
function rowHead({ callee, arguments: args }: Extract<Expression, { kind: 'call' }>, scope: Scope): Head | null {
  const parts = args.map(({ value }) => ({ value, element: elementOf(value, scope) }));
  const indices = parts.flatMap(({ element }) => (element ? [element.index] : []));
  if (callee.kind !== 'name' || indices.length === 0) return null;
  return { name: callee.text, arguments: parts.map(({ value, element }) => element?.base ?? value), indices };
}

/** `a` and `i` of `a_i`, if a has axes and `a_i` is not a name of its own. */
function elementOf(value: Expression, scope: Scope): { readonly base: Expression; readonly index: Expression } | null {
  const parts = indexedName(value);
  const entry = parts && lookup(scope, parts.base.text);
  if (parts === null || value.kind !== 'name' || lookup(scope, value.text) !== null) return null;
  return entry?.kind === 'value' && rankOf(entry.value) > 0 ? parts : null;
}

/** `softmax(x + c)` of a function that is known: an equation with it on the left states an identity, and defines nothing. */
export function isIdentity({ callee, arguments: args }: Extract<Expression, { kind: 'call' }>, scope: Scope): boolean {
  const name = callee.kind === 'name' ? callee.text : '';
  const isKnown = isKnownFunction(name) || isBuiltinWord(name) || lookup(scope, name)?.kind === 'equation';
  return isKnown && args.some(({ value }) => isComputed(value));
}

/** `product(a) = product(b)` of a function that is known: a statement about it, on both sides. */
export function isOfOne({ callee }: Extract<Expression, { kind: 'call' }>, right: Expression): boolean {
  const name = callee.kind === 'name' ? callee.text : '';
  return (isKnownFunction(name) || isBuiltinWord(name)) && mentions(right, (one) => one === name);
}

/** Whether it is not the name of an argument: `2·x`, `f(x)`, `-x`. */
export const isComputed = ({ kind }: Expression): boolean => kind === 'binary' || kind === 'call' || kind === 'negate';

/**
 * `d(x, y) = d(y, x)` and `d(x, x) = 0` where an equation other than `own` defines d: statements about it. A definition names each of its
 * arguments once, and what it uses on its right side is defined elsewhere.
 */
export function isAboutAnother({ left, right }: Sides, scope: Scope, own: string): boolean {
  const call = left.kind === 'index' ? left.base : left;
  if (call.kind !== 'call' || call.callee.kind !== 'name') return false;
  const { text } = call.callee;
  const entry = lookup(scope, text);
  if (entry?.kind !== 'equation' || entry.name === own) return false;
  const names = call.arguments.map(({ value }) => (value.kind === 'name' ? value.text : null));
  return new Set(names).size < names.length || mentions(right, (name) => name === text);
}

/** `σ² = …` defines the square of a name that means nothing else. */
function squareHead(expression: Binary, scope: Scope): Head | null {
  const name = squareName(expression);
  const isNew = expression.left.kind === 'name' && lookup(scope, expression.left.text) === null;
  return name !== null && isNew ? { name, arguments: null, indices: [] } : null;
}

/** `tok/s = …`: the name of a rate, where neither part is the name of anything else in its contract. */
function rateHead({ operator, left, right }: Binary, scope: Scope): Head | null {
  if (operator !== '/' || left.kind !== 'name' || right.kind !== 'name') return null;
  const isRate = right.text === 's' && left.text.length > 1;
  const isNew = [left, right].every(({ text }) => {
    const entry = lookup(scope, text);
    // An equation `s(r)` of another contract is called `other/key`, and does not change what a second is.
    return entry === null || (entry.kind === 'equation' && entry.name.includes('/'));
  });
  return isRate && isNew ? { name: `${left.text}/s`, arguments: null, indices: [] } : null;
}

/** The two sides of a definition. */
export interface Sides {
  readonly left: Expression;
  readonly right: Expression;
}

/**
 * The sides of `y = e`, and of `s = (p > 0) ∧ (q ≥ p)`, which reads as `(s = (p > 0)) ∧ (q ≥ p)` and defines s as the whole. Null if
 * the expression is not a definition; two equations joined by ∧ are not.
 */
export function sidesOf(body: Expression): Sides | null {
  if (body.kind === 'logic' && (body.operator === '∧' || body.operator === '∨')) {
    const first = comparedSides(body.left) ?? sidesOf(body.left);
    const isTruth = first && ['relation', 'logic', 'not'].includes(first.right.kind);
    return first && isTruth ? { left: first.left, right: { ...body, left: first.right } } : null;
  }
  if (body.kind !== 'relation' || (body.operators[0] !== '=' && body.operators[0] !== ':=')) return null;
  const [left, right] = body.operands;
  return left && right ? { left, right } : null;
}

/** `f(t) = r > 0.3` at the head of a condition, `f(t) = r > 0.3 ∨ c < 10`: what f computes is a truth value. */
function comparedSides(body: Expression): Sides | null {
  if (body.kind !== 'relation' || body.operators.length < 2 || body.operators[0] !== '=') return null;
  const [left, ...operands] = body.operands;
  const operators = body.operators.slice(1);
  const [first] = operands;
  if (left?.kind !== 'call' || !first || operators.includes('=')) return null;
  return { left, right: { ...body, operands, operators, range: { ...body.range, start: first.range.start } } };
}

/**
 * `S_ij = Q_i·K_j` defines S with two indices, `d_ff = 4·d` the name d_ff: what follows the underscore are indices
 * when the right side uses every letter of it as one.
 */
function nameHead(name: Extract<Expression, { kind: 'name' }>, scope: Scope, body: Expression | null): Head {
  const whole: Head = { name: name.text, arguments: null, indices: [] };
  const at = name.text.lastIndexOf('_');
  if (at <= 0 || body === null || lookup(scope, name.text)) return whole;
  const part: Extract<Expression, { kind: 'name' }> = { ...name, text: name.text.slice(at + 1) };
  const indices = splitIndexName(part, scope, new Set());
  if (isWord(part.text)) return whole;
  if (lookup(scope, stepKey(part.text)) || isArgument(part.text, scope, body)) return whole;
  const used = indices.every((index) => index.kind !== 'name' || usesIndex(body, index.text, scope));
  const letters =
    indices.length <= 4 && indices.every((index) => index.kind === 'name' && /^\p{L}\p{M}*['′]*$/u.test(index.text));
  return used && letters ? { name: name.text.slice(0, at), arguments: null, indices } : whole;
}

/** `should_eval`, `should_stop`: a word, not one index per letter. Nobody writes four indices with e, o or u among them. */
const isWord = (text: string): boolean => /^[a-z]{4,}$/.test(text) && /[eou]/.test(text);

/** `lr_t = η·t` of an input t is one number: t is never an index on the right side. */
function isArgument(letter: string, scope: Scope, body: Expression): boolean {
  const places = (text: string): readonly string[] => text.split('_').slice(1);
  return lookup(scope, letter)?.kind === 'value' && !mentions(body, (text) => places(text).includes(letter));
}

/** Whether `letter` occurs alone in `expression` or among the letters after an underscore of a name that is not declared as a whole. */
function usesIndex(expression: Expression, letter: string, scope: Scope): boolean {
  return mentions(
    expression,
    (text) =>
      text === letter ||
      (text.length <= 3 && text.includes(letter)) ||
      (lookup(scope, text) === null &&
        text
          .split('_')
          .slice(1)
          .some((part) => part.length <= 4 && part.includes(letter))),
  );
}

/** `s_0 = 0` next to `s_t = …` gives an element of s, not a separate number. */
export function withElements<T extends { readonly head: Head; readonly range: Range }>(
  rows: readonly T[],
): readonly T[] {
  const sequences = new Set(rows.flatMap(({ head }) => (head.indices.length > 0 ? [head.name] : [])));
  return rows.map((row) => {
    const { name, indices, arguments: args } = row.head;
    const [, base, digits] = /^(.+)_(\d+)$/u.exec(name) ?? [];
    if (base === undefined || digits === undefined || indices.length > 0 || args !== null || !sequences.has(base))
      return row;
    const range = row.range;
    return {
      ...row,
      head: { name: base, arguments: null, indices: [{ kind: 'number', value: digits, unit: null, range }] },
    };
  });
}

/** An equation that defines a name, with the written ranges of its indices. */
export interface Defining {
  readonly equation: Expression;
  readonly binders: readonly Binder[];
}

/** An equation whose indices have no written range. */
export const unbound = (equation: Expression): Defining => ({ equation, binders: [] });

/** Definitions from equations such as those after `where`; several for one name are its cases. */
export function definitionsOf(equations: readonly Defining[], text: FormalText, scope: Scope): readonly Definition[] {
  const rows = equations.flatMap(({ equation, binders }) => {
    if (equation.kind !== 'relation' || (equation.operators[0] !== '=' && equation.operators[0] !== ':=')) return [];
    const [left, body] = equation.operands;
    const head = left && body ? readHead(left, scope, body) : null;
    return head && body ? [{ head, body, binders, range: equation.range }] : [];
  });
  const found = new Map<string, { parameters: readonly string[]; cases: DefinitionCase[] }>();
  for (const { head, body, binders, range } of withElements(rows)) {
    const parameters = (head.arguments ?? []).flatMap((argument) => (argument.kind === 'name' ? [argument.text] : []));
    const known = found.get(head.name) ?? { parameters, cases: [] };
    known.cases.push({ indices: head.indices, body, binders, text, range });
    found.set(head.name, known);
  }
  return [...found].map(([name, definition]) => ({ name, ...definition, text, scope }));
}
