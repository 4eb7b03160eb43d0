/** Byte-pair encoding with the shipped merges. */
import { merges } from '../../../src/kernels/bpe-tokenizer.ts';

const bytesOf = (text: string): readonly number[] => [...new TextEncoder().encode(text)];

/** Merge `rank` from the left, everywhere. */
function join(ids: readonly number[], rank: number): readonly number[] {
  const [left, right] = merges[rank]!;
  const joined: number[] = [];
  for (let i = 0; i < ids.length; i++) {
    if (ids[i] === left && ids[i + 1] === right) {
      joined.push(256 + rank);
      i++;
    } else joined.push(ids[i]!);
  }
  return joined;
}

/** Merge after merge, in the order of training. */
export function encodeByMerge(s: string): Int32Array {
  return Int32Array.from(merges.reduce((ids, _merge, rank) => join(ids, rank), bytesOf(s)));
}

/** Wrong: the latest merges come first. */
export function encodeLatestFirst(s: string): Int32Array {
  const backwards = merges.reduce((ids, _merge, i) => join(ids, merges.length - 1 - i), bytesOf(s));
  return Int32Array.from(merges.reduce((ids, _merge, rank) => join(ids, rank), backwards));
}

/** Wrong: the leftmost pair that merges comes first, whatever its rank. */
export function encodeLeftmostFirst(s: string): Int32Array {
  const ranks = new Map(merges.map(([left, right], rank) => [`${left},${right}`, rank]));
  const ids = [...bytesOf(s)];
  for (let i = 0; i + 1 < ids.length; i++) {
    const rank = ranks.get(`${ids[i]},${ids[i + 1]}`);
    if (rank === undefined) continue;
    ids.splice(i, 2, 256 + rank);
    i = -1;
  }
  return Int32Array.from(ids);
}

/** Wrong: the later half of the merges is not known. */
export function encodeHalfTrained(s: string): Int32Array {
  const half = merges.slice(0, merges.length / 2);
  return Int32Array.from(half.reduce((ids, _merge, rank) => join(ids, rank), bytesOf(s)));
}

/** Wrong: of three in a row the last two are joined. */
export function encodeFromRight(s: string): Int32Array {
  let ids = bytesOf(s);
  for (const [rank, [left, right]] of merges.entries()) {
    const joined: number[] = [];
    for (let i = ids.length - 1; i >= 0; i--) {
      if (ids[i] === right && ids[i - 1] === left) {
        joined.unshift(256 + rank);
        i--;
      } else joined.unshift(ids[i]!);
    }
    ids = joined;
  }
  return Int32Array.from(ids);
}

/** Wrong: characters beyond ASCII become question marks. */
export function encodeAscii(s: string): Int32Array {
  return encodeByMerge([...s].map((character) => (character.codePointAt(0)! < 128 ? character : '?')).join(''));
}

/** What every token stands for. */
const tokens: readonly Uint8Array[] = merges.reduce(
  (known, [left, right]) => [...known, Uint8Array.of(...known[left]!, ...known[right]!)],
  Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte)),
);

const asBytes = (ids: Int32Array): Uint8Array => Uint8Array.from([...ids].flatMap((id) => [...tokens[id]!]));

export function decodeByTable(ids: Int32Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(asBytes(ids));
}

/** Wrong: characters that are cut into several tokens are lost. */
export function decodeEachToken(ids: Int32Array): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return [...ids].map((id) => decoder.decode(tokens[id])).join('');
}

/** Wrong: a byte order mark is dropped. */
export function decodeWithoutMark(ids: Int32Array): string {
  return new TextDecoder().decode(asBytes(ids));
}
