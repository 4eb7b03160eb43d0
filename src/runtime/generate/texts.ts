/**
 * Strings that find mistakes: empty, white space, combining marks, characters of one to four bytes, repetitions.
 *
 * Every string is well-formed Unicode (no lone surrogate): others have no UTF-8, so nothing round-trips them.
 */
import { nextUint32, uniformInteger, type Xoshiro } from '../../numeric/xoshiro.ts';
import type { VariablePlan } from './domain-plan.ts';

type Lookup = (name: string) => number;

/** The longest string of a domain that does not say how long its strings are. */
const DEFAULT_LENGTH = 32;

interface TextRange {
  /** In characters. */
  readonly shortest: number;
  readonly longest: number;
}

/** How long the strings of `variable` are; contradictory bounds leave no string. */
function textRange({ lower, upper }: VariablePlan, lookup: Lookup): TextRange {
  const [low, high] = [lower?.value(lookup) ?? 0, upper?.value(lookup) ?? NaN];
  const shortest = Math.max(0, lower?.open ? Math.floor(low) + 1 : Math.ceil(low));
  const longest = Number.isNaN(high)
    ? Math.max(DEFAULT_LENGTH, shortest)
    : upper?.open
      ? Math.ceil(high) - 1
      : Math.floor(high);
  return { shortest, longest };
}

/** Why `text` is not a string of the variable; null if it is. */
export function textProblem(variable: VariablePlan, text: string, lookup: Lookup): string | null {
  if (variable.stringChoices) return variable.stringChoices.includes(text) ? null : 'is not one of its strings';
  const characters = [...text];
  const { shortest, longest } = textRange(variable, lookup);
  if (characters.length < shortest) return `has ${characters.length} characters, fewer than ${shortest}`;
  if (characters.length > longest) return `has ${characters.length} characters, more than ${longest}`;
  const stray = variable.alphabet && characters.find((character) => !variable.alphabet?.includes(character));
  if (stray) return `${JSON.stringify(stray)} is not in its alphabet`;
  return characters.some((character) => /^\p{Surrogate}$/u.test(character)) ? 'has a lone surrogate' : null;
}

/** Letters, digits and marks that words are made of. */
const letters = [...'abcdefghijklmnopqrstuvwxyz'];
const common = [...'etaoinshr '];
const spaces = [' ', ' ', '\n', '\t', '\r', '\u00a0', '\u2003', '\u3000'];
/** One of each kind that code treats differently: bytes 1 to 4, marks, joiners, direction, byte order, control, capitals. */
const oddities = [
  ...'aZ09 -_.,;:!?\'"\\/()[]{}<>#@&%',
  '\u0000',
  '\u001f',
  '\u007f',
  '\n',
  'é',
  'ß',
  'ſ',
  'İ',
  'e',
  '\u0301',
  '\u0308',
  '\u00ad',
  'Ω',
  'ж',
  'א',
  '\u0e01',
  '\u200d',
  '\u200b',
  '\u202e',
  '\u2028',
  '\ufeff',
  '\ufffd',
  '\uffff',
  '中',
  '한',
  'ﬁ',
  '😀',
  '👩',
  '🏽',
  '\u{1f1e9}',
  '\u{10000}',
  '\u{10ffff}',
] as const;

/** Strings that break tokenizers and text code often enough to be tried by name. */
const notorious = [
  '',
  ' ',
  '  ',
  ' a',
  'a ',
  'a  b',
  'aa',
  'aaa',
  '\n',
  '\r\n',
  'e\u0301',
  'é',
  '😀',
  '👩\u200d👩\u200d👧',
  '🇩🇪',
  '\ufeffa',
  'the',
  "don't",
  '<|endoftext|>',
  '\u0000',
  'ﬁ',
  'ÅÅ',
] as const;

function pick<T>(items: readonly T[], s: Xoshiro): T | undefined {
  return items[nextUint32(s) % Math.max(1, items.length)];
}

/** Any character of the plane, or of the first two; never a surrogate. */
function anyCharacter(s: Xoshiro): string {
  const most = [0x7f, 0x7ff, 0xffff, 0x10ffff][nextUint32(s) % 4] ?? 0x7f;
  const point = uniformInteger(s, 0, most);
  return String.fromCodePoint(point >= 0xd800 && point <= 0xdfff ? point - 0x800 : point);
}

type DrawCharacter = (s: Xoshiro) => string;

/** Ways to choose the characters of one string, as long as nothing restricts them. */
const styles: readonly ((s: Xoshiro) => DrawCharacter)[] = [
  () => (s) => pick(letters, s) ?? 'a',
  () => (s) => pick(common, s) ?? 'e',
  () => (s) => (nextUint32(s) % 5 === 0 ? ' ' : (pick(letters, s) ?? 'a')),
  () => (s) => pick(oddities, s) ?? 'a',
  () => anyCharacter,
  () => (s) => pick(spaces, s) ?? ' ',
  (first) => {
    const two = [pick(oddities, first) ?? 'a', pick(letters, first) ?? 'a'];
    return (s) => pick(two, s) ?? 'a';
  },
];

function drawLength({ shortest, longest }: TextRange, s: Xoshiro): number {
  const ends = [shortest, shortest + 1, shortest + 2, shortest + 3, longest];
  const chosen =
    nextUint32(s) % 3 === 0 ? (pick(ends, s) ?? shortest) : uniformInteger(s, shortest, Math.max(shortest, longest));
  return Math.min(Math.max(chosen, shortest), longest);
}

/** A string of the variable's domain; null if its bounds leave none. */
export function drawText(variable: VariablePlan, lookup: Lookup, s: Xoshiro): string | null {
  if (variable.stringChoices) return pick(variable.stringChoices, s) ?? '';
  if (nextUint32(s) % 8 === 0) {
    const named = pick(notorious, s) ?? '';
    if (textProblem(variable, named, lookup) === null) return named;
  }
  const range = textRange(variable, lookup);
  if (!(range.shortest <= range.longest)) return null;
  const length = drawLength(range, s);
  const { alphabet } = variable;
  const style: DrawCharacter = alphabet
    ? (stream) => pick(alphabet, stream) ?? ''
    : (styles[nextUint32(s) % styles.length]?.(s) ?? anyCharacter);
  return Array.from({ length }, () => style(s)).join('');
}
