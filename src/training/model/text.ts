/** A text as symbols. */
import { err, ok, type Result } from '../../base/result.ts';
import { decodeUtf8 } from '../../base/utf8.ts';

/** What a symbol is: a Unicode character (code point), or a byte. */
export type Unit = 'characters' | 'bytes';

/** A text as numbers. */
export interface Symbols {
  /** Each in [0, vocabulary). */
  readonly tokens: Int32Array;
  readonly vocabulary: number;
}

/**
 * The symbols of a file. Bytes are their own numbers, of 256. Characters are numbered by ascending code point among those of the
 * text; a byte order mark is dropped. An error says why the file cannot be used.
 */
export function symbolsOf(file: Uint8Array, unit: Unit): Result<Symbols, string> {
  if (unit === 'bytes') return ok({ tokens: Int32Array.from(file), vocabulary: 256 });
  const text = decodeUtf8(file, 'dropped');
  if (text === null) return err('is not UTF-8; convert it, or set data.unit to bytes');
  const points = codePoints(text);
  const alphabet = [...new Set(points)].sort((a, b) => a - b);
  const numbers = new Map(alphabet.map((point, number) => [point, number]));
  return ok({ tokens: points.map((point) => numbers.get(point) ?? 0), vocabulary: alphabet.length });
}

function codePoints(text: string): Int32Array {
  const points = new Int32Array(text.length);
  let count = 0;
  for (const character of text) points[count++] = character.codePointAt(0) ?? 0;
  return points.subarray(0, count);
}
