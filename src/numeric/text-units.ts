/**
 * Strings as sequences of characters (Unicode code points) and of bytes (UTF-8).
 *
 * A lone surrogate is one character, and three bytes in UTF-8: those of U+FFFD.
 * Source: The Unicode Standard, sections 3.9 (encoding forms) and 5.22 (U+FFFD substitution).
 */

/** How many code points `text` has. Linear. */
export function codePointCount(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += widthAt(text, at)) count++;
  return count;
}

function widthAt(text: string, at: number): 1 | 2 {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

const encoder = new TextEncoder();

/** What was requested last: a loop over the units of one string takes it apart once. */
const last = { text: '', points: new Uint32Array(0), bytes: new Uint8Array(0) };

function remember(text: string): typeof last {
  if (last.text !== text) {
    last.points = Uint32Array.from(text, (character) => character.codePointAt(0) ?? 0);
    last.bytes = encoder.encode(text);
    last.text = text;
  }
  return last;
}

/** The code point number `at` (from 0) of `text`; NaN outside it. */
export function codePointAt(text: string, at: number): number {
  return remember(text).points[at] ?? Number.NaN;
}

/** How many bytes `text` has in UTF-8. */
export function utf8Length(text: string): number {
  return remember(text).bytes.length;
}

/** Byte number `at` (from 0) of `text` in UTF-8; NaN outside it. */
export function utf8At(text: string, at: number): number {
  return remember(text).bytes[at] ?? Number.NaN;
}
