import type { Token } from './token.ts';
import { phrases } from './vocabulary.ts';

const starts = new Set(phrases.map(([words]) => words[0]));

const startLengths = new Set(phrases.map(([words]) => words[0]?.length));

/** Joins English phrases (`for all`, `at most`) into the one token that they mean. */
export function joinPhrases(tokens: readonly Token[]): readonly Token[] {
  const first = tokens.findIndex((_, at) => phraseAt(tokens, at) !== null);
  // Most fields hold no phrase, and keep their list of tokens.
  return first < 0 ? tokens : join(tokens, first);
}

function join(tokens: readonly Token[], first: number): readonly Token[] {
  const joined = tokens.slice(0, first);
  for (let at = first; at < tokens.length;) {
    const phrase = phraseAt(tokens, at);
    const token = tokens[at];
    const last = phrase && tokens[at + phrase.length - 1];
    if (phrase && token && last) {
      joined.push({
        ...token,
        kind: phrase.kind,
        text: phrase.text,
        spelled: true,
        range: { start: token.range.start, end: last.range.end },
      });
      at += phrase.length;
    } else {
      if (token) joined.push(token);
      at += 1;
    }
  }
  return joined;
}

function phraseAt(
  tokens: readonly Token[],
  at: number,
): { readonly kind: 'symbol' | 'keyword'; readonly text: string; readonly length: number } | null {
  const token = tokens[at];
  if (token === undefined || !mayStart(token)) return null;
  const first = spelling(token);
  if (first === null || !starts.has(first)) return null;
  for (const [words, kind, text] of phrases) {
    if (words.every((word, i) => spelling(tokens[at + i]) === word)) return { kind, text, length: words.length };
  }
  return null;
}

/** Sorts out nearly every token by its length, before its letters are looked at. */
function mayStart({ kind, text, spelled }: Token): boolean {
  return kind === 'word' || kind === 'keyword' ? startLengths.has(text.length) : spelled;
}

/** The English word that a token was written as, for words that take part in phrases. */
function spelling(token: Token | undefined): string | null {
  if (!token) return null;
  if (token.kind === 'word') return token.text === token.text.toUpperCase() ? null : token.text.toLowerCase();
  if (token.kind === 'keyword') return token.text;
  if (token.kind === 'symbol' && token.spelled)
    return ({ '∧': 'and', '¬': 'not', '∈': 'in' } as Readonly<Record<string, string>>)[token.text] ?? null;
  return null;
}
