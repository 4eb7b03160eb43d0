/**
 * From a written name to what it means: the whole name first (`d_k`, `m_hat_t`), then the longest declared
 * prefix with the rest as indices (`x_i`, `A_ij`), then a product of one-letter names (`QK`).
 */
import type { Expression } from '../../../math/notation/syntax.ts';
import { lookup, type DefinitionCase, type Entry, type Scope } from './scope.ts';
import { rankOf } from './values.ts';

type Name = Extract<Expression, { kind: 'name' }>;

/** What a written name means: an entry, an entry with indices, or a product of entries. */
export type Resolved =
  | { readonly kind: 'entry'; readonly name: string; readonly entry: Entry }
  | { readonly kind: 'indexed'; readonly name: string; readonly entry: Entry; readonly indices: readonly Expression[] }
  | { readonly kind: 'product'; readonly factors: readonly Name[] };

/** Null if no reading of the name consists of declared names. */
export function resolveName(name: Name, scope: Scope): Resolved | null {
  const whole = lookup(scope, name.text);
  if (whole) return { kind: 'entry', name: name.text, entry: whole };
  return prefixed(name, scope) ?? product(name, scope);
}

function prefixed(name: Name, scope: Scope): Resolved | null {
  for (let at = name.text.lastIndexOf('_'); at > 0; at = name.text.lastIndexOf('_', at - 1)) {
    const entry = lookup(scope, name.text.slice(0, at));
    if (!entry || entry.kind === 'index' || entry.kind === 'tolerance') continue;
    const text = name.text.slice(at + 1);
    if (!couldIndex(entry, text)) continue;
    const rest = text.split('_');
    let offset = at + 1;
    const indices = rest.flatMap((text) => {
      const part = partOf(name, offset, text);
      offset += text.length + 1;
      return splitIndexName(
        part,
        scope,
        new Set(),
        rest.length === 1 && entry.kind === 'value' ? rankOf(entry.value) : 0,
      );
    });
    return { kind: 'indexed', name: name.text.slice(0, at), entry, indices };
  }
  return null;
}

/** Whether `text` can be indices of the entry: a number has none, and `fast` is not a list of four indices. */
function couldIndex(entry: Entry, text: string): boolean {
  if (entry.kind === 'value' && rankOf(entry.value) === 0) return false;
  const rank = entry.kind === 'value' ? rankOf(entry.value) : 3;
  if (entry.kind === 'definition' && entry.definition.cases.every(isNumber)) return false;
  const letters = lettersOf(text.replace(/\d+|_/gu, ''));
  return letters.length <= Math.max(rank, 2);
}

/** `d = 3584` has no elements, so `d_ffn` is another name. */
function isNumber({ indices, body }: DefinitionCase): boolean {
  return indices.length === 0 && body.kind === 'number';
}

/** `acc`, `mse`, `Err` are words, and nobody writes `xx` for a product: an unknown name is reported instead. */
const isWord = (stem: string): boolean => /^[A-Za-z][a-z]{2,}$/.test(stem) || /(\p{Ll}).*\1/u.test(stem);

/** `QK` or `mθ_k` where every factor is a declared name of one letter (with primes); the last may carry indices. */
function product(name: Name, scope: Scope): Resolved | null {
  const cut = name.text.indexOf('_');
  const stem = cut < 0 ? name.text : name.text.slice(0, cut);
  const letters = lettersOf(stem);
  if (letters.length < 2 || letters.length > 4 || isWord(stem)) return null;
  let offset = 0;
  const factors = letters.map((letter, i) => {
    const text = i === letters.length - 1 ? name.text.slice(offset) : letter;
    const factor = partOf(name, offset, text);
    offset += letter.length;
    return factor;
  });
  const known = factors.every((factor) => lookup(scope, factor.text) !== null || prefixed(factor, scope) !== null);
  return known ? { kind: 'product', factors } : null;
}

/** Characters with the primes that follow them: `i'j` → `i'`, `j`. */
function lettersOf(text: string): readonly string[] {
  return text.match(/\P{M}\p{M}*['′″]*/gu) ?? [];
}

/** A piece of `name`; its range is exact if the name is written as it is. */
function partOf(name: Name, offset: number, text: string): Name {
  const exact = name.range.end - name.range.start === name.text.length;
  const start = name.range.start + offset;
  return { kind: 'name', text, range: exact ? { start, end: start + text.length } : name.range };
}

/**
 * The indices that an index text denotes on a value with `axes` axes (0: not known yet): itself when it is a known name;
 * one index per letter or digit where there is one for every axis (`A_ij`, `A_10`, `A_0j`); else a number, `2k` as a
 * product, or one index per letter or digit.
 */
export function splitIndexName(name: Name, scope: Scope, bound: ReadonlySet<string>, axes = 0): readonly Expression[] {
  const { text } = name;
  if (bound.has(text) || lookup(scope, text) || text.includes('_')) return [name];
  const characters = lettersOf(text);
  if (
    axes >= 2 &&
    characters.length === axes &&
    characters.every((character) => /^(?:\d|\p{L}\p{M}*['′]*)$/u.test(character))
  )
    return separate(name, characters);
  if (/^\d+$/.test(text)) return [{ kind: 'number', value: text, unit: null, range: name.range }];
  const multiple = /^(\d+)(\p{L}\p{M}*['′]*)$/u.exec(text);
  if (multiple?.[1] && multiple[2]) return [timesIndex(name, multiple[1], multiple[2])];
  return characters.length < 2 ? [name] : separate(name, characters);
}

function separate(name: Name, characters: readonly string[]): readonly Expression[] {
  let offset = 0;
  return characters.map((letter): Expression => {
    const part = partOf(name, offset, letter);
    offset += letter.length;
    return /^\d$/.test(letter) ? { kind: 'number', value: letter, unit: null, range: part.range } : part;
  });
}

function timesIndex(name: Name, factor: string, letter: string): Expression {
  const left: Expression = { kind: 'number', value: factor, unit: null, range: partOf(name, 0, factor).range };
  return {
    kind: 'binary',
    operator: '·',
    left,
    right: partOf(name, factor.length, letter),
    juxtaposed: true,
    range: name.range,
  };
}

/** An operation on two operands as written. */
export type Binary = Extract<Expression, { kind: 'binary' }>;

/** `σ²` of σ², σ^2; null for any other expression. */
export function squareName({ operator, left, right }: Binary): string | null {
  const isSquare = operator === '^' && left.kind === 'name' && right.kind === 'number' && right.value === '2';
  return isSquare ? `${left.text}²` : null;
}

/** `a` and `i` of `a_i`; null for anything else. */
export function indexedName(value: Expression): { readonly base: Name; readonly index: Name } | null {
  if (value.kind !== 'name') return null;
  const [, stem, letter] = /^(.+)_(\p{Ll})$/u.exec(value.text) ?? [];
  if (stem === undefined || letter === undefined) return null;
  return { base: { ...value, text: stem }, index: { ...value, text: letter } };
}
