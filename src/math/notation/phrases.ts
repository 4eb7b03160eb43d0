import type { Token } from './token.ts';
import { phrases } from './vocabulary.ts';

const starts = new Set(phrases.map(([words]) => words[0]));

/** Joins English phrases (`for all`, `at most`) into the one token that they mean. */
export function joinPhrases(tokens: readonly Token[]): readonly Token[] {
  const joined: Token[] = [];
  for (let at = 0; at < tokens.length;) {
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
  const first = spelling(tokens[at]);
  if (first === null || !starts.has(first)) return null;
  for (const [words, kind, text] of phrases) {
    if (words.every((word, i) => spelling(tokens[at + i]) === word)) return { kind, text, length: words.length };
  }
  return null;
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
