/**
 * Formulas over functions that nobody defines: `y = x + sublayer(x)`.
 *
 * Whatever such a function computes, its value is some number, or some tensor like its argument. The equation can be computed with
 * that value as one more input. It is then about more functions than its author means.
 */
import { closest, listOf } from '../../../base/text.ts';
import { readNotation } from '../../../math/notation/read.ts';
import type { Expression, Statement } from '../../../math/notation/syntax.ts';
import type { Equation, FormalText } from '../../contract.ts';
import { mapExpression } from '../context/map-expression.ts';
import { lookup, visibleNames, type Scope } from '../context/scope.ts';
import { childrenOf, namesOf } from '../context/syntax-parts.ts';
import { sidesOf } from '../domains/definition-heads.ts';
import { isKnownFunction, knownFunctionNames } from '../expressions/known-functions.ts';
import { builtinNames } from '../operators/builtins.ts';

/** An equation with the values of such functions as inputs. */
export interface OpaqueReading {
  /** The values are like their arguments first, and then numbers. */
  readonly equations: readonly Equation[];
  /** For messages. */
  readonly said: string;
}

type Call = Extract<Expression, { kind: 'call' }>;

interface Opaque {
  readonly name: string;
  readonly call: Call;
}

const mostParts = 8;

/**
 * Null if the formula has no such part, or only passes on what a function returns. Words that a choice yields (`GPU if n > c else CPU`)
 * are read as numbers that differ, and names with an index (`freq_i`) as vectors.
 */
export function opaqueParts(equation: Equation, globals: Scope): OpaqueReading | null {
  const { formula, domain } = equation;
  if (domain === null || formula.notation.status === 'prose') return null;
  const { statements } = formula.notation;
  const known = new Set([...headsOf(statements), ...subjectsOf(domain)]);
  const found: Found = { calls: new Map(), labels: new Map(), vectors: new Map() };
  const change = changer(formula, { known, globals, found });
  const changed = statements.map((statement) => withRightSides(statement, change));
  const { calls, labels, vectors } = found;
  const size = calls.size + labels.size + vectors.size;
  if (size === 0 || size > mostParts || changed.slice(-1).some(isPassedOn)) return null;
  const opaque = [...calls.values()];
  const withTypes = (types: readonly string[]): Equation => ({
    ...equation,
    formula: { ...formula, notation: { ...formula.notation, statements: changed } },
    domain: declaring(domain, [...types, ...[...vectors].map(([name, axis]) => `${name} ∈ ℝ^${axis}`)]),
  });
  const like = opaque.map((one) => `${one.name} ∈ ${typeOf(one.call, domain) ?? 'ℝ'}`);
  const numbers = opaque.map(({ name }) => `${name} ∈ ℝ`);
  const isLike = like.some((text, i) => text !== numbers[i]);
  const undefinedParts = [
    ...opaque.map(({ call }) => formula.text.slice(call.range.start, call.range.end)),
    ...vectors.keys(),
  ];
  return {
    equations: [...(isLike ? [withTypes(like)] : []), withTypes(numbers)],
    said: [
      ...(undefinedParts.length > 0 ? [`nothing defines ${listOf(undefinedParts)}, so any value is taken`] : []),
      ...(labels.size > 0 ? [`${listOf([...labels.keys()])} are read as labels`] : []),
    ].join('; '),
  };
}

interface Found {
  readonly calls: Map<string, Opaque>;
  /** Numbers by what is written. */
  readonly labels: Map<string, number>;
  /** Sizes by name. */
  readonly vectors: Map<string, string>;
}

interface Known {
  readonly known: ReadonlySet<string>;
  readonly globals: Scope;
  readonly found: Found;
}

/** Replaces what nothing defines, and records it. */
function changer(
  { text, notation: { statements } }: FormalText,
  { known, globals, found }: Known,
): (part: Expression) => Expression {
  const indices = new Set(statements.flatMap(indexNames));
  const axes = new Map([...statements.flatMap(leftLetters), ...statements.flatMap(axesOf)]);
  const taken = new Set(statements.flatMap(({ body }) => plainNames(body)));
  const free = taken.has('n') ? 'length' : 'n';
  const written = ({ range }: Expression): string => text.slice(range.start, range.end).replaceAll(/\s/gu, '');
  const isOpaque = (part: Expression): part is Call =>
    part.kind === 'call' && isUnknown(part, known, globals) && !namesOf(part).some((name) => dependsOn(name, indices));
  const labelled = (part: Expression): Expression => {
    const names = namesOf(part);
    const isLabel =
      (part.kind === 'name' || part.kind === 'binary') &&
      names.length > 0 &&
      names.every((name) => /^\p{L}{3,}|^\p{Lu}+_/u.test(name) && !known.has(name) && lookup(globals, name) === null);
    if (!isLabel) return change(part);
    const value = found.labels.get(written(part)) ?? found.labels.size;
    found.labels.set(written(part), value);
    return { kind: 'number', value: String(value), unit: null, range: part.range };
  };
  const note = (name: string, axis: string): void => {
    if (!known.has(name) && !builtinNames.has(name)) found.vectors.set(name, axis);
  };
  const noteTensor = (part: Expression): void => {
    const vector = vectorOf(part);
    if (vector && lookup(globals, vector.name) === null) note(vector.name, axes.get(vector.letter) ?? free);
    if (part.kind !== 'name') return;
    const matrix = matrixOf(part.text, statements, axes);
    const rows = taken.has('m') ? 'rows' : 'm';
    if (matrix) return note(matrix.name, `{${rows} × ${axes.get(matrix.letter) ?? free}}`);
    const [, stem, letter] = /^(\p{L}[\p{L}\p{M}\p{N}'′_]*)_(\p{Ll})$/u.exec(part.text) ?? [];
    if (stem !== undefined && letter !== undefined && axes.has(letter)) note(stem, axes.get(letter) ?? free);
  };
  const change = (part: Expression): Expression => {
    if (part.kind === 'conditional')
      return {
        ...part,
        condition: change(part.condition),
        then: labelled(part.then),
        otherwise: labelled(part.otherwise),
      };
    noteTensor(part);
    if (!isOpaque(part)) return mapExpression(part, change);
    const { range } = part;
    const opaque = found.calls.get(written(part)) ?? { name: newName(part, taken), call: part };
    found.calls.set(written(part), opaque);
    return { kind: 'name', text: opaque.name, range };
  };
  return change;
}

/** `grad` and `w` of `grad_b_w`, where the left side has the index b and a sum the index w. */
function matrixOf(
  text: string,
  statements: readonly Statement[],
  axes: ReadonlyMap<string, string | null>,
): { readonly name: string; readonly letter: string } | null {
  const [, name, row, letter] = /^(\p{L}[\p{L}\p{M}\p{N}'′_]*)_(\p{Ll})_(\p{Ll})$/u.exec(text) ?? [];
  if (name === undefined || letter === undefined || !axes.has(letter)) return null;
  const hasRow = statements.flatMap(({ body }) => headOf(body)).some((head) => head.endsWith(`_${row ?? ''}`));
  return hasRow ? { name, letter } : null;
}

/** `grad` and `i` of `grad[i]`. */
function vectorOf(part: Expression): { readonly name: string; readonly letter: string } | null {
  const [item, more] = part.kind === 'index' && part.style === 'bracket' ? part.items : [];
  if (part.kind !== 'index' || part.base.kind !== 'name' || item?.kind !== 'at' || more) return null;
  const { value } = item;
  return value.kind === 'name' && /^[ijkmb]$/u.test(value.text) ? { name: part.base.text, letter: value.text } : null;
}

/** i of `freq'_i = …`, which runs over an axis that nobody names. */
function leftLetters({ body }: Statement): readonly (readonly [string, string | null])[] {
  const left = sidesOf(body)?.left;
  const [, letter] = (left?.kind === 'name' && /_([ijkmb])$/u.exec(left.text)) || [];
  return letter === undefined ? [] : [[letter, null]];
}

/** i and N of `Σ_{i=1}^{N} g_i`. */
function axesOf({ body, definitions }: Statement): readonly (readonly [string, string | null])[] {
  const within = (part: Expression): readonly (readonly [string, string | null])[] => {
    const own: readonly (readonly [string, string | null])[] =
      part.kind === 'big' ? part.binders.map(({ name, bound }) => [name, lengthOf(bound, part.upper)] as const) : [];
    return [...own, ...childrenOf(part).flatMap(within)];
  };
  return [body, ...definitions].flatMap(within);
}

/** N of `Σ_{i=1}^{N}` and `Σ_{i=0}^{N-1}`. */
export function lengthOf(from: Expression | null, upper: Expression | null): string | null {
  const isFromZero = from?.kind === 'number' && from.value === '0';
  if (upper?.kind === 'binary' && upper.operator === '-' && isFromZero)
    return upper.left.kind === 'name' && upper.right.kind === 'number' && upper.right.value === '1'
      ? upper.left.text
      : null;
  return upper?.kind === 'name' ? upper.text : null;
}

function isUnknown({ callee }: Call, known: ReadonlySet<string>, globals: Scope): boolean {
  if (callee.kind !== 'name') return false;
  const name = callee.text;
  if (known.has(name) || builtinNames.has(name) || isKnownFunction(name) || lookup(globals, name) !== null)
    return false;
  // `attn` is not a misspelt `atan`, and `tahn` is a misspelt `tanh`.
  const letters = (word: string): string => [...word].toSorted().join('');
  const words = [...builtinNames, ...knownFunctionNames];
  const near = closest(name, [...visibleNames(globals), ...known, ...words.filter((one) => one.length > 4)]);
  return name.length > 1 && near === null && !words.some((one) => letters(one) === letters(name));
}

/** What the formula defines, and what the domain declares. */
const headsOf = (statements: readonly Statement[]): readonly string[] =>
  statements.flatMap(({ body, definitions }) => [body, ...definitions].flatMap(headOf));

function headOf(part: Expression): readonly string[] {
  const left = sidesOf(part)?.left ?? (part.kind === 'relation' ? part.operands[0] : undefined);
  const head = left?.kind === 'index' ? left.base : left;
  const name = head?.kind === 'call' ? head.callee : head;
  return name?.kind === 'name' ? [name.text] : [];
}

const subjectsOf = ({ notation }: FormalText): readonly string[] =>
  notation.statements.flatMap(({ body }) => {
    const [left] = body.kind === 'relation' ? body.operands : [];
    return left?.kind === 'name' ? [left.text] : [];
  });

/** The names that a statement binds: a value that depends on one is not one value. */
function indexNames({ body, binders, conditions, definitions }: Statement): readonly string[] {
  return [...binders.map(({ name }) => name), ...[body, ...conditions, ...definitions].flatMap(boundIn)];
}

function boundIn(part: Expression): readonly string[] {
  const own =
    part.kind === 'big' || part.kind === 'quantified'
      ? part.binders.map(({ name }) => name)
      : part.kind === 'index'
        ? part.items.flatMap((item) => (item.kind === 'at' ? namesOf(item.value) : []))
        : [];
  return [...own, ...childrenOf(part).flatMap(boundIn)];
}

function dependsOn(name: string, indices: ReadonlySet<string>): boolean {
  const suffix = name.slice(name.lastIndexOf('_') + 1);
  return indices.has(name) || indices.has(suffix) || (suffix !== name && /^[ijkbt]{1,2}$/u.test(suffix));
}

const plainNames = (part: Expression): readonly string[] =>
  part.kind === 'name'
    ? [part.text]
    : childrenOf(part).flatMap((child) => (part.kind === 'call' && child === part.callee ? [] : plainNames(child)));

/** `sublayer` of sublayer(x); `F′` if another F is called or meant. */
function newName({ callee }: Call, taken: Set<string>): string {
  let name = callee.kind === 'name' ? callee.text : 'value';
  while (taken.has(name)) name += '′';
  taken.add(name);
  return name;
}

function withRightSides(statement: Statement, change: (part: Expression) => Expression): Statement {
  const { body } = statement;
  const definitions = statement.definitions.map((part) => rightSides(part, change));
  return { ...statement, body: rightSides(body, change), definitions };
}

function rightSides(part: Expression, change: (part: Expression) => Expression): Expression {
  if (part.kind === 'logic' && sidesOf(part))
    return { ...part, left: rightSides(part.left, change), right: change(part.right) };
  if (part.kind !== 'relation' || !['=', ':=', '≈'].includes(part.operators[0] ?? ''))
    return part.kind === 'call' ? mapExpression(part, change) : change(part);
  return { ...part, operands: part.operands.map((operand, i) => (i === 0 ? operand : change(operand))) };
}

/** `m = compose(a, b)` computes nothing of its own. */
function isPassedOn({ body }: Statement): boolean {
  return body.kind === 'relation' && body.operators.length === 1 && body.operands[1]?.kind === 'name';
}

/** The set of the first argument, at any depth, that the domain declares. */
function typeOf(call: Call, { notation, text }: FormalText): string | null {
  const names = new Set(call.arguments.flatMap(({ value }) => namesOf(value)));
  for (const { body } of notation.statements) {
    const [left, set] = body.kind === 'relation' && body.operators[0] === '∈' ? body.operands : [];
    if (left?.kind === 'name' && set && set.kind !== 'interval' && set.kind !== 'set' && names.has(left.text))
      return text.slice(set.range.start, set.range.end);
  }
  return null;
}

/** The domain with more declarations, and without those of the calls themselves (`sublayer(x) ∈ ℝ^h`). */
function declaring(domain: FormalText, declarations: readonly string[]): FormalText {
  const { notation } = domain;
  const added = declarations.flatMap((text) => readNotation(text, 'domain').statements);
  const kept = notation.statements.filter(({ body }) => body.kind !== 'relation' || body.operands[0]?.kind !== 'call');
  return { ...domain, notation: { ...notation, statements: [...kept, ...added] } };
}
