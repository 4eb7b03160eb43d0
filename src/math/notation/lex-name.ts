import { characterClass, classAt } from './characters.ts';
import type { Lexeme } from './lexeme.ts';
import { lowered, raised } from './scripts.ts';
import { keywords, numberSets, wordSymbols } from './vocabulary.ts';

const name = /[\p{L}∂∇_](?:[\p{L}\p{M}\p{Nd}]|_+(?=[\p{L}\p{Nd}])|['′](?!(?![ₐ-ₜᵢ-ᵪⱼ])\p{L}))*/uy;
const positivePart =
  /(?:\^?\+|\^\{\+\}|⁺|₊|_\+|_\{\+\}|_\{(>=|≥|>|<=|≤|<)\s?(\d+)\}|_(>=|≥|>|<=|≤|<)\s?(\d+))(?![\p{Nd}(])/uy;

/** A name with its underscores, digits and primes; or the keyword or operator that the word is. */
export function lexName(text: string, at: number): Lexeme | null {
  const ascii = asciiWord(text, at);
  if (ascii !== '') return lexWord(text, ascii, ascii, at + ascii.length);
  name.lastIndex = at;
  const match = name.exec(text);
  if (!match) return null;
  const word = cut(match[0]);
  if (word === '' || /^_+$/.test(word)) return null;
  return lexWord(text, word, canonical(word), at + word.length);
}

/** What `name` matches at `at` when that is ASCII throughout, and what follows too; otherwise nothing. */
function asciiWord(text: string, at: number): string {
  if (classAt(text, at) !== characterClass.letter) return '';
  let end = at + 1;
  for (;;) {
    const kind = classAt(text, end);
    if (kind === characterClass.letter || kind === characterClass.digit) end += 1;
    else if (kind === characterClass.underscore) {
      let next = end + 1;
      while (classAt(text, next) === characterClass.underscore) next += 1;
      const after = classAt(text, next);
      if (text.charCodeAt(next) >= 128) return '';
      if (after !== characterClass.letter && after !== characterClass.digit) return text.slice(at, end);
      end = next;
    } else if (kind === characterClass.prime) {
      if (text.charCodeAt(end + 1) >= 128) return '';
      if (classAt(text, end + 1) === characterClass.letter) return text.slice(at, end);
      end += 1;
    } else return text.charCodeAt(end) >= 128 ? '' : text.slice(at, end);
  }
}

type Meaning = 'number set' | 'not a number' | { readonly symbol: string } | { readonly keyword: string };

const meanings = new Map<string, Meaning>([
  ...[...keywords].flatMap((word): readonly (readonly [string, Meaning])[] => [
    [word, { keyword: word }],
    [word.charAt(0).toUpperCase() + word.slice(1), { keyword: word }],
  ]),
  ...[...wordSymbols].map(([word, symbol]): readonly [string, Meaning] => [word, { symbol }]),
  ...['NaN', 'nan'].map((word): readonly [string, Meaning] => [word, 'not a number']),
  ...[...numberSets].map((word): readonly [string, Meaning] => [word, 'number set']),
]);

/** The token of `word`, which ends before `end`; `spelling` is its canonical form. */
function lexWord(text: string, word: string, spelling: string, end: number): Lexeme {
  const meaning = meanings.get(word);
  if (meaning === 'number set') return numberSet(text, word, end);
  if (meaning === 'not a number') return { kind: 'word', text: 'NaN', end };
  const next = text.charCodeAt(end);
  // `s.t.`: such that.
  if (word === 's' && next === 0x2e && text.startsWith('.t.', end))
    return { kind: 'keyword', text: 'given', end: end + 3, spelled: true };
  const metric = next === 0x40 ? metricAt(text, word, end) : null;
  if (metric !== null) return metric;
  if (meaning !== undefined) {
    const called = next === 0x28;
    if ('symbol' in meaning) {
      if (!(called && (word === 'exists' || word === 'not' || word === 'mod')))
        return { kind: 'symbol', text: meaning.symbol, end, spelled: true };
    } else if (!called) return { kind: 'keyword', text: meaning.keyword, end, spelled: true };
  }
  const digits = next >= 128 ? (loweredDigits(text, end) ?? loweredLabel(text, end)) : null;
  if (digits !== null) return { kind: 'word', text: `${spelling}_${digits.text}`, end: digits.end };
  return { kind: 'word', text: spelling, end };
}

/** Raised and lowered letters are letters to Unicode; a name ends before them. `mθ` is a product of `m` and `θ`. */
function cut(word: string): string {
  let end = 0;
  while (end < word.length && !endsName(word.charAt(end))) end += 1;
  const latinThenGreek =
    end > 1 && classAt(word, 0) === characterClass.letter && word.charAt(1) >= 'α' && word.charAt(1) <= 'ω';
  return word.slice(0, latinThenGreek ? 1 : end);
}

const endsName = (c: string): boolean => c >= '\x80' && (raised.has(c) || lowered.has(c) || c === 'Σ');

function canonical(word: string): string {
  return word.normalize('NFC').replace(/[µϵ∆′]/g, (c) => variants[c] ?? c);
}

const variants: Readonly<Record<string, string>> = { µ: 'μ', ϵ: 'ε', '∆': 'Δ', '′': "'" };

/** `ℝ⁺`, `R_>0`, `Z+`: the positive part of a set of numbers is one name. */
function numberSet(text: string, word: string, end: number): Lexeme {
  // As `ℕ_0`, which is a name already.
  if (word === 'ℕ' && text.startsWith('₀', end)) return { kind: 'word', text: 'ℕ_0', end: end + 1 };
  positivePart.lastIndex = end;
  const match = positivePart.exec(text);
  // `N + 1` and `N+1` are sums: a bare sign belongs to the set only when nothing follows it that it could add.
  if (!match || (match[0] === '+' && /^\s*[\p{L}\p{N}(|√Σ∑]/u.test(text.slice(end + 1, end + 9))))
    return { kind: 'word', text: word, end };
  const relation = (match[1] ?? match[3])?.replace('>=', '≥').replace('<=', '≤');
  return {
    kind: 'word',
    text: relation === undefined ? `${word}⁺` : `${word}_${relation}${match[2] ?? match[4] ?? ''}`,
    end: end + match[0].length,
  };
}

const metric = /@(?:\d+|k)(?![\p{L}\p{Nd}]|_[^{])/uy;

/** `pass@1`, `NDCG@k`: a metric at a rank, not a matrix product. */
function metricAt(text: string, word: string, end: number): Lexeme | null {
  if (word.length < 3) return null;
  metric.lastIndex = end;
  const match = metric.exec(text);
  return match ? { kind: 'word', text: word + match[0], end: end + match[0].length } : null;
}

interface Lowered {
  readonly text: string;
  readonly end: number;
}

/** `β₁` is the name `β_1`, as its ASCII spelling is. */
function loweredDigits(text: string, at: number): Lowered | null {
  let end = at;
  let digits = '';
  for (let c = lowered.get(text.charAt(end)); c !== undefined && /\d/.test(c); c = lowered.get(text.charAt(end))) {
    digits += c;
    end += 1;
  }
  return digits === '' || lowered.has(text.charAt(end)) ? null : { text: digits, end };
}

/** What a lowered text says as a part of a name, as no index does. */
const labels = new Set('o e a x r u v min max opt mean total train test val out'.split(' '));

/** `ηₘᵢₙ` is the name `η_min`, and `pₒ` is `p_o`. */
function loweredLabel(text: string, at: number): Lowered | null {
  let end = at;
  let label = '';
  for (let c = lowered.get(text.charAt(end)); c !== undefined; c = lowered.get(text.charAt(end))) {
    label += c;
    end += 1;
  }
  return labels.has(label) ? { text: label, end } : null;
}
