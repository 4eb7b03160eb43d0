import type { Lexeme } from './lexeme.ts';
import { lowered, raised } from './scripts.ts';
import { keywords, numberSets, wordSymbols } from './vocabulary.ts';

const name = /[\p{L}∂∇_](?:[\p{L}\p{M}\p{Nd}]|_+(?=[\p{L}\p{Nd}])|['′](?![\p{L}]))*/uy;
const positivePart = /(?:\^?\+|\^\{\+\}|⁺|_\+|_\{\+\}|_\{(>=|≥|>|<=|≤|<)\s?0\}|_(>=|≥|>|<=|≤|<)\s?0)(?![\p{Nd}(])/uy;

/** A name with its underscores, digits and primes; or the keyword or operator that the word is. */
export function lexName(text: string, at: number): Lexeme | null {
  name.lastIndex = at;
  const match = name.exec(text);
  if (!match) return null;
  const word = cut(match[0]);
  if (word === '' || /^_+$/.test(word)) return null;
  const end = at + word.length;
  if (numberSets.has(word)) return numberSet(text, word, end);
  if (word === 'NaN' || word === 'nan') return { kind: 'word', text: 'NaN', end };
  const ratio = metricAt(text, word, end);
  if (ratio !== null) return ratio;
  const called = text.charAt(end) === '(';
  const symbol = wordSymbols.get(word);
  if (symbol !== undefined && !(called && (word === 'exists' || word === 'not' || word === 'mod')))
    return { kind: 'symbol', text: symbol, end, spelled: true };
  const lower = word.charAt(0).toLowerCase() + word.slice(1);
  if (keywords.has(lower) && !called) return { kind: 'keyword', text: lower, end, spelled: true };
  const digits = loweredDigits(text, end);
  if (digits !== null) return { kind: 'word', text: `${canonical(word)}_${digits.text}`, end: digits.end };
  return { kind: 'word', text: canonical(word), end };
}

/** Raised and lowered letters are letters to Unicode; a name ends before them. `mθ` is a product of `m` and `θ`. */
function cut(word: string): string {
  const characters = [...word];
  const script = characters.findIndex((c) => raised.has(c) || lowered.has(c) || c === 'Σ');
  const plain = script < 0 ? characters : characters.slice(0, script);
  const [first = '', second = ''] = plain;
  return /[A-Za-z]/.test(first) && /[α-ω]/.test(second) ? first : plain.join('');
}

function canonical(word: string): string {
  return word.normalize('NFC').replace(/µ/g, 'μ').replace(/ϵ/g, 'ε').replace(/∆/g, 'Δ').replace(/′/g, "'");
}

/** `ℝ⁺`, `R_>0`, `Z+`: the positive part of a set of numbers is one name. */
function numberSet(text: string, word: string, end: number): Lexeme {
  positivePart.lastIndex = end;
  const match = positivePart.exec(text);
  // `N + 1` and `N+1` are sums: a bare sign belongs to the set only when nothing follows it that it could add.
  if (!match || (match[0] === '+' && /^\s*[\p{L}\p{N}(|√Σ∑]/u.test(text.slice(end + 1, end + 9))))
    return { kind: 'word', text: word, end };
  const relation = (match[1] ?? match[2])?.replace('>=', '≥').replace('<=', '≤');
  return {
    kind: 'word',
    text: relation === undefined ? `${word}⁺` : `${word}_${relation}0`,
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

/** `β₁` is the name `β_1`, as its ASCII spelling is. */
function loweredDigits(text: string, at: number): { readonly text: string; readonly end: number } | null {
  let end = at;
  let digits = '';
  for (let c = lowered.get(text.charAt(end)); c !== undefined && /\d/.test(c); c = lowered.get(text.charAt(end))) {
    digits += c;
    end += 1;
  }
  return digits === '' || lowered.has(text.charAt(end)) ? null : { text: digits, end };
}
