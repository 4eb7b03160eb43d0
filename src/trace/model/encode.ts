/**
 * Byte-pair encoding by scores, with the result of llama2.c (karpathy/llama2.c, `run.c`: `encode`) in n·log n steps: the
 * original looks through the whole text for every merge.
 */
import { insertPair, nextPair, type Pair } from './pair-heap.ts';

/** SentencePiece has `<unk>`, `<s>` and `</s>` first, then the 256 bytes. */
const firstByteToken = 3;
const unknownToken = 0;
/** Pairs that score no more are never merged: where llama2.c starts looking for the best. */
const leastScore = -1e10;

/**
 * Encodes texts with the tokens `pieces` (their bytes, one character each) and their merge `scores`.
 *
 * BOS (1) first; then, unless the text is empty, a space as SentencePiece has it; then one token for every character,
 * or where there is none one for each of its UTF-8 bytes. As long as two neighbours together are a token of the
 * vocabulary, the pair with the highest score is merged, of equal ones the first. A lone surrogate counts as U+FFFD.
 * Where bytes have no tokens (vocabularies below 259, for which llama2.c writes past its table) `<unk>` stands for
 * them; of two tokens with the same bytes the first is taken, where llama2.c takes one or the other.
 */
export function bytePairEncoder(
  pieces: readonly string[],
  scores: readonly number[],
): (text: string) => readonly number[] {
  const idOf = new Map<string, number>();
  pieces.forEach((piece, id) => {
    if (!idOf.has(piece)) idOf.set(piece, id);
  });
  const longest = pieces.reduce((most, { length }) => Math.max(most, length), 0);

  const tokensOf = (character: string): readonly number[] => {
    const id = idOf.get(character);
    if (id !== undefined) return [id];
    return Array.from(character, (byte) => {
      const token = byte.charCodeAt(0) + firstByteToken;
      return token < pieces.length ? token : unknownToken;
    });
  };
  const merged = (left: number, right: number): number | undefined => {
    const a = pieces[left] ?? '';
    const b = pieces[right] ?? '';
    const id = a.length + b.length > longest ? undefined : idOf.get(a + b);
    return id !== undefined && (scores[id] ?? 0) > leastScore ? id : undefined;
  };

  return (text) => {
    const tokens = [1];
    if (text !== '') tokens.push(...tokensOf(' '));
    for (const character of text) tokens.push(...tokensOf(utf8(character)));
    return mergeAll(tokens, merged, scores);
  };
}

const utf8Encoder = new TextEncoder();
const utf8 = (character: string): string =>
  character < '\u0080' ? character : String.fromCharCode(...utf8Encoder.encode(character));

const gone = -1;

/** The list of tokens as a chain; a merge turns the left token into the pair and removes the right one. */
function mergeAll(
  first: readonly number[],
  merged: (left: number, right: number) => number | undefined,
  scores: readonly number[],
): readonly number[] {
  const tokens = [...first];
  const next = tokens.map((_, i) => i + 1);
  const previous = tokens.map((_, i) => i - 1);
  const pairs: Pair[] = [];
  const consider = (left: number): void => {
    const right = next[left] ?? tokens.length;
    const a = tokens[left];
    const b = tokens[right];
    if (a === undefined || b === undefined) return;
    const into = merged(a, b);
    if (into !== undefined) insertPair(pairs, { left, right, a, b, into, score: scores[into] ?? 0 });
  };
  for (let i = 0; i + 1 < tokens.length; i++) consider(i);

  for (let pair = nextPair(pairs); pair; pair = nextPair(pairs)) {
    const { left, right, into } = pair;
    // A pair may have been merged with others since it was found.
    if (tokens[left] !== pair.a || tokens[right] !== pair.b || next[left] !== right) continue;
    tokens[left] = into;
    tokens[right] = gone;
    const after = next[right] ?? tokens.length;
    next[left] = after;
    if (after < tokens.length) previous[after] = left;
    const before = previous[left] ?? gone;
    if (before >= 0) consider(before);
    consider(left);
  }
  return tokens.filter((token) => token !== gone);
}
