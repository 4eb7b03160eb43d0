/** `softmax(x) is finite for all x`, `f(x) sums to 1`: sentences of a few fixed forms, each of which has one mathematical meaning. */
import { readNotation } from '../../../math/notation/read.ts';
import type { FormalText } from '../../contract.ts';

/** What is said of a subject, as notation; null if it has no such meaning. */
type Predicate = (subject: string, found: readonly string[]) => string | null;

const be = '(?:is|are|is always|are always|stays?|remains?|must be)';
const argument = String.raw`in\s+(\p{L}\w*)`;

// "is finite" and "is non-negative" are notation. "increasing" alone may be strict or not.
const forms: readonly (readonly [pattern: RegExp, predicate: Predicate])[] = [
  [form(String.raw`${be}\s+(?:never|not)\s+NaN\s+(?:or|nor)\s+±?[Ii]nf(?:inity|inite)?`), (s) => `is_finite(${s})`],
  [form(String.raw`(?:${be}\s+)?strictly\s+positive`), (s) => `${s} > 0`],
  [form(String.raw`${be}\s+between\s+(-?[\d.]+)\s+and\s+(-?[\d.]+)`), (s, [a = '', b = '']) => `${a} ≤ ${s} ≤ ${b}`],
  [form(String.raw`(?:${be}\s+)?(?:bounded|contained|lies?)\s+(?:by|in|within)\s+(\[[^\]]+\])`), inSet],
  [form(String.raw`(?:${be}\s+)?within\s+(?:±|\+/-)?([\d.]+)\s*%\s+of\s+(\S.*?)`), withinShare],
  [form(String.raw`(?:sums?|adds? up)\s+to\s+(?:1|1\.0|one)`), (s) => `sum(${s}) ≈ 1`],
  [form(String.raw`${be}\s+(?:monotonically\s+)?non-?decreasing\s+${argument}`), along('≤')],
  [form(String.raw`${be}\s+(?:monotonically\s+)?non-?increasing\s+${argument}`), along('≥')],
  [form(String.raw`${be}\s+strictly\s+increasing\s+${argument}`), along('<')],
  [form(String.raw`${be}\s+strictly\s+decreasing\s+${argument}`), along('>')],
];

/** Words that say no more than that the inputs are the equation's. */
const everywhere =
  /\s+(?:for\s+(?:all|any|every|each)\s+(?:(?:finite|valid|real|possible)\s+)*(?:inputs?|values?|\p{L}\w?|x_\w)|when(?:ever)?\s+\p{L}[\w']*\s+(?:is|are)\s+finite)\s*\.?$/u;

/** Words that take inputs away: what holds without them holds with them. */
const narrower = /\s+for\s+(?:\p{Ll}[\p{L}-]+\s+){1,2}(?:inputs?|vectors?|values)\s*\.?$/u;

const longest = 200;

/** The claim as notation; null if it is no such sentence. */
export function sentenceOf(formal: FormalText): FormalText | null {
  if (formal.text.length > longest) return null;
  const text = formal.text.trim().replace(everywhere, '').replace(narrower, '');
  const plain = text === formal.text ? null : readNotation(text, 'proposition');
  if (plain?.status === 'math') return { ...formal, text, notation: plain };
  for (const [pattern, predicate] of forms) {
    const [, subjects, ...found] = pattern.exec(text) ?? [];
    const parts = subjects?.split(/\s*,\s*(?![^([]*[)\]])|\s+and\s+/u) ?? [];
    const said = parts.map((part) => (isExpression(part) ? predicate(part, found) : null));
    if (said.length === 0 || said.includes(null)) continue;
    const notation = readNotation(said.join(' ∧ '), 'proposition');
    if (notation.status === 'math') return { ...formal, text: said.join(' ∧ '), notation };
  }
  return null;
}

function form(predicate: string): RegExp {
  return new RegExp(String.raw`^(\S.*?)\s+${predicate}$`, 'u');
}

/** `‖y‖ is within 1% of ‖x‖`. */
function withinShare(subject: string, [percent = '', of = '']: readonly string[]): string | null {
  return isExpression(of) ? `abs((${subject}) - (${of})) ≤ ${percent}/100 · abs(${of})` : null;
}

function inSet(subject: string, [set = '']: readonly string[]): string {
  return `${subject} ∈ ${set}`;
}

/** `f(x) ≤ f(x') whenever x ≤ x'`, of a subject in which the argument is written. */
function along(sign: '≤' | '<' | '≥' | '>'): Predicate {
  return (subject, [name = '']) => {
    const other = `${name}'`;
    const moved = subject.replaceAll(new RegExp(`(?<![\\p{L}\\p{N}_])${name}(?![\\p{L}\\p{N}_'])`, 'gu'), other);
    if (moved === subject || !/\(/u.test(subject)) return null;
    const strict = sign === '<' || sign === '>';
    return `${name} ${strict ? '<' : '≤'} ${other} ⟹ ${subject} ${sign} ${moved}`;
  };
}

/** A name or an application, and not English words. */
function isExpression(text: string): boolean {
  const { status, statements } = readNotation(text, 'expression');
  const [only, more] = statements;
  return (
    status === 'math' &&
    only !== undefined &&
    !more &&
    ['name', 'call', 'index', 'absolute', 'norm'].includes(only.body.kind)
  );
}
