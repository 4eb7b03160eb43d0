/** Vectors as programs declare them: `Vec<f32>`, `&[f32]`, `[f64; n]`, `list[float]`. */
import { advance, peek, sees, since, type Cursor } from './cursor.ts';
import type { Expression } from './syntax.ts';
import { typeNames } from './vocabulary.ts';

/** In place of the length that such a type leaves open. */
export const openLength = 'len';

/** The type as `f32^len` or `f64^n`; null, with the cursor unmoved, if this is not one. */
export function parseVectorType(c: Cursor): Expression | null {
  const from = c.at;
  const start = peek(c).range.start;
  const type = vectorType(c);
  if (type === null) c.at = from;
  return type && { kind: 'binary', operator: '^', ...type, juxtaposed: false, range: since(c, start) };
}

function vectorType(c: Cursor): { readonly left: Expression; readonly right: Expression } | null {
  if (sees(c, '&')) advance(c);
  if (peek(c).text === 'mut') advance(c);
  const opening = openings.get(peek(c).text);
  if (opening === undefined) return null;
  const word = advance(c);
  if (word.text !== '[') {
    if (!sees(c, opening)) return null;
    advance(c);
  }
  const left = named(c, (text) => typeNames.has(text));
  let right: Expression | null = { kind: 'name', text: openLength, range: word.range };
  if (word.text === '[' && sees(c, ';')) {
    advance(c);
    right = named(c, () => true);
  }
  if (left === null || right === null || !sees(c, opening === '<' ? '>' : ']')) return null;
  advance(c);
  return { left, right };
}

/** What opens the type of the elements. */
const openings: ReadonlyMap<string, '<' | '['> = new Map([
  ['Vec', '<'],
  ['list', '['],
  ['List', '['],
  ['[', '['],
]);

function named(c: Cursor, fits: (text: string) => boolean): Expression | null {
  const { kind, text, range } = peek(c);
  if (kind === 'number' && /^\d+$/u.test(text) && fits(text)) {
    advance(c);
    return { kind: 'number', value: text, unit: null, range };
  }
  if (kind !== 'word' || !fits(text)) return null;
  advance(c);
  return { kind: 'name', text, range };
}
