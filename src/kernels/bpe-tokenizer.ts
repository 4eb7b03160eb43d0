/**
 * A byte-level BPE tokenizer with a small vocabulary: token ids 0 to 255 are the bytes of UTF-8, id 256 + k is the pair
 * that merge k joins.
 *
 * Laws: `decode(encode(s)) = s` for every well-formed string; ids are in [0, vocabularySize); no two neighbours are
 * a pair that an earlier merge would have joined; the bytes of all tokens together are those of the string.
 *
 * Sources: Gage (1994), A New Algorithm for Data Compression; Sennrich, Haddow & Birch (2016), arXiv:1508.07909,
 * section 3.2 (merges by frequency); Radford et al. (2019), Language Models are Unsupervised Multitask Learners,
 * section 2.2 (bytes as the alphabet).
 */

/** Ids of single bytes. */
const BYTES = 256;

/**
 * The pairs of ids that are merged, the most frequent first: pair k becomes token 256 + k.
 *
 * Printed by `scripts/train-bpe.ts`, which trains them on the text in `scripts/bpe-training-text.ts`.
 */
export const merges: readonly (readonly [number, number])[] = [
  [32, 116],
  [256, 104],
  [257, 101],
  [116, 32],
  [44, 32],
  [105, 110],
  [258, 32],
  [101, 110],
  [258, 256],
  [101, 120],
  [101, 114],
  [114, 101],
  [110, 100],
  [97, 268],
  [101, 115],
  [116, 104],
  [256, 111],
  [264, 265],
  [32, 115],
  [46, 32],
  [105, 115],
  [107, 263],
  [261, 103],
  [273, 259],
  [32, 99],
  [98, 121],
  [105, 271],
  [116, 260],
  [119, 282],
  [195, 169],
  [280, 97],
  [281, 116],
  [32, 97],
  [48, 48],
  [100, 101],
  [102, 111],
  [102, 285],
  [257, 97],
  [272, 277],
  [284, 32],
  [286, 292],
  [32, 287],
  [32, 291],
  [46, 10],
  [84, 104],
  [101, 97],
  [102, 116],
  [105, 122],
  [106, 111],
  [110, 111],
  [114, 105],
  [114, 111],
  [114, 278],
  [114, 297],
  [115, 260],
  [116, 279],
  [116, 308],
  [262, 109],
  [269, 32],
  [274, 312],
  [295, 49],
  [303, 266],
  [304, 261],
  [32, 109],
];

/** The number of tokens. */
export const vocabularySize = BYTES + merges.length;

/** Pairs of ids are looked up as one number, which is exact for any vocabulary below 2²⁶. */
const keyOf = (left: number, right: number): number => left * 2 ** 26 + right;

const ranks: ReadonlyMap<number, number> = new Map(merges.map(([left, right], rank) => [keyOf(left, right), rank]));

/** The bytes of every token. */
const bytesOfTokens: readonly (readonly number[])[] = merges.reduce<readonly (readonly number[])[]>(
  (known, [left, right]) => [...known, [...(known[left] ?? []), ...(known[right] ?? [])]],
  Array.from({ length: BYTES }, (_, byte) => [byte]),
);

/** `ids` with every occurrence of the pair replaced by `merged`, from left to right. */
function join(ids: readonly number[], [left, right]: readonly [number, number], merged: number): readonly number[] {
  const joined: number[] = [];
  for (let at = 0; at < ids.length; at++) {
    const both = ids[at] === left && ids[at + 1] === right;
    joined.push(both ? merged : (ids[at] ?? 0));
    if (both) at++;
  }
  return joined;
}

/** The lowest rank among neighbouring pairs; infinite when no merge joins any. */
function lowestRank(ids: readonly number[]): number {
  let lowest = Infinity;
  for (let at = 0; at + 1 < ids.length; at++)
    lowest = Math.min(lowest, ranks.get(keyOf(ids[at] ?? 0, ids[at + 1] ?? 0)) ?? Infinity);
  return lowest;
}

/** The token ids of `s` after all merges: at most one per byte of UTF-8, none for the empty string. */
export function encode(s: string): Int32Array {
  let ids: readonly number[] = [...new TextEncoder().encode(s)];
  for (let rank = lowestRank(ids); rank < merges.length; rank = lowestRank(ids))
    ids = join(ids, merges[rank] ?? [0, 0], BYTES + rank);
  return Int32Array.from(ids);
}

/** The string of the bytes of `ids`; bytes that are not UTF-8 become U+FFFD; ids outside the vocabulary are dropped. */
export function decode(ids: Int32Array): string {
  const bytes = Uint8Array.from([...ids].flatMap((id) => bytesOfTokens[id] ?? []));
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** The number of bytes that each of `ids` represents; 0 outside the vocabulary. */
export function tokenBytes(ids: Int32Array): Float32Array {
  return Float32Array.from(ids, (id) => bytesOfTokens[id]?.length ?? 0);
}

/**
 * The `count` merges that BPE training on `text` gives: the pair that occurs most often, the lowest pair of ids among
 * equals, until no pair occurs twice.
 */
export function trainMerges(text: string, count: number): readonly (readonly [number, number])[] {
  const learnt: (readonly [number, number])[] = [];
  let ids: readonly number[] = [...new TextEncoder().encode(text)];
  while (learnt.length < count) {
    const pair = mostFrequentPair(ids);
    if (pair === null) break;
    ids = join(ids, pair, BYTES + learnt.length);
    learnt.push(pair);
  }
  return learnt;
}

/** The pairs of ids that training on `s` merges, in the order in which they are learnt; at most 64. */
export function train(s: string): Int32Array {
  return Int32Array.from(trainMerges(s, 64).flat());
}

/** Null if no pair occurs twice. */
function mostFrequentPair(ids: readonly number[]): readonly [number, number] | null {
  const counts = new Map<number, number>();
  for (let at = 0; at + 1 < ids.length; at++) {
    const key = keyOf(ids[at] ?? 0, ids[at + 1] ?? 0);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const [best] = [...counts].sort(([a, m], [b, n]) => n - m || a - b);
  return best && best[1] > 1 ? [Math.floor(best[0] / 2 ** 26), best[0] % 2 ** 26] : null;
}
