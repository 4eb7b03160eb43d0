/**
 * What a plain scalar means: the core schema of YAML 1.2.2 (§10.3), and the words that YAML 1.1 read differently.
 */
import type { Range } from '../../diagnostics/source.ts';

const integer = /^[-+]?[0-9]+$/;
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const words = new Map<string, boolean | null | number>([
  ['', null],
  ['~', null],
  ['null', null],
  ['Null', null],
  ['NULL', null],
  ['true', true],
  ['True', true],
  ['TRUE', true],
  ['false', false],
  ['False', false],
  ['FALSE', false],
  ['.inf', Infinity],
  ['.Inf', Infinity],
  ['.INF', Infinity],
  ['+.inf', Infinity],
  ['+.Inf', Infinity],
  ['+.INF', Infinity],
  ['-.inf', -Infinity],
  ['-.Inf', -Infinity],
  ['-.INF', -Infinity],
  ['.nan', NaN],
  ['.NaN', NaN],
  ['.NAN', NaN],
]);

/** The value of an unquoted scalar. */
export function resolvePlain(text: string): string | number | boolean | null {
  // Most plain scalars are identifiers: one look at the first character saves the tests.
  const first = text.charCodeAt(0);
  const numeric = (first >= 48 && first <= 57) || first === 43 || first === 45 || first === 46;
  if (!numeric) return text.length <= 5 ? (words.get(text) ?? (words.has(text) ? null : text)) : text;
  if (integer.test(text) || float.test(text)) return Number(text);
  if (/^0o[0-7]+$/.test(text) || /^0x[0-9a-fA-F]+$/.test(text)) return Number(text);
  return words.get(text) ?? text;
}

const booleanLookAlike = /^(?:yes|no|on|off)$/i;
const numberLookAlike =
  /^[-+]?(?:[0-9][0-9_]*_[0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|0b[01_]+|[0-9]+(?::[0-5]?[0-9])+(?:\.[0-9]*)?)$/;

/**
 * What YAML 1.1 would have made of a plain scalar that is text in YAML 1.2: readers disagree about it.
 * `y` and `n` are left out: the readers in use take them as text, and sizes are called n.
 */
export function lookAlike(text: string): 'boolean' | 'number' | null {
  if (text.length > 32) return null;
  if (booleanLookAlike.test(text)) return 'boolean';
  return numberLookAlike.test(text) ? 'number' : null;
}

/** `[start, end)` without the white space at its ends. */
export function trimmedRange(text: string, start: number, end: number): Range {
  let from = start;
  let to = end;
  while (from < to && /\s/.test(text[from] ?? '')) from++;
  while (to > from && /\s/.test(text[to - 1] ?? '')) to--;
  return { start: from, end: to };
}
