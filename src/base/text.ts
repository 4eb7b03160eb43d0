/**
 * Small operations on text that people read: widths on a terminal, plurals, near words.
 */

const zeroWidth = /^[\p{Mn}\p{Me}\u200B-\u200F\u2060-\u2064\uFEFF]$/u;
const wide =
  /^[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]$/u;

/** Columns that one code point takes on a terminal: 0, 1 or 2 (Unicode Standard Annex 11, without tabs). */
export function codePointWidth(character: string): 0 | 1 | 2 {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  if (zeroWidth.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** Whether a text has a letter or a digit: spaces, dots and characters that nobody sees name nobody and give no reason. */
export const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

const needsMeasuring =
  /[\p{Mn}\p{Me}\u1100-\u115F\u200B-\u200F\u2060-\u2064\u2E80-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFEFF-\uFFE6\u{10000}-\u{10FFFF}]/u;

/** Columns that `text` takes on a terminal, tabs counted as one. */
export function displayWidth(text: string): number {
  if (!needsMeasuring.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += codePointWidth(character);
  return width;
}

const unsafe = /[\u0000-\u0008\u000A-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]|##\[/;
const invisibleControls = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu;

/**
 * `text` with every control character made visible (ESC becomes ␛) and bidirectional controls replaced.
 *
 * Text from a file must never control the terminal that shows it, or a runner of GitHub Actions, which obeys `##[command]` anywhere in a
 * line: a word joiner splits that. Tabs stay; the renderer expands them.
 */
export function visible(text: string): string {
  // Nearly every text is already safe, which one search shows.
  if (!unsafe.test(text)) return text;
  return text
    .replace(/[\u0000-\u0008\u000A-\u001F]/g, (c) => String.fromCharCode(0x2400 + c.charCodeAt(0)))
    .replace(/[\u007F-\u009F\u2028\u2029]/g, '\uFFFD')
    .replace(invisibleControls, '\uFFFD')
    .replaceAll('##[', '##\u2060[');
}

/** `1 test`, `3 tests`; `many` only for irregular plurals. */
export function count(n: number, one: string, many: string = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** `a`, `a and b`, `a, b and c`; shortened to `limit` items with `and N more`. */
export function listOf(items: readonly string[], limit: number = items.length): string {
  const shown = items.slice(0, limit);
  const rest = items.length - shown.length;
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`;
  return shown.length <= 1 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown[shown.length - 1]}`;
}

/** `text`, cut to `limit` UTF-16 code units: names in strangers' files may be as long as these. */
export const shortened = (text: string, limit: number = 300): string =>
  text.length > limit ? `${text.slice(0, limit - 1)}…` : text;

/** `text` in quotes for a message, cut to `limit` characters and one line. */
export function quoted(text: string, limit: number = 60): string {
  // Characters have one or two code units, and what is cut need not be looked at.
  const line = text
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 2 * limit + 1);
  const characters = [...line];
  return `'${characters.length > limit ? `${characters.slice(0, limit - 1).join('')}…` : line}'`;
}

/** Candidates looked at: lists that people wrote are shorter, and suggestions must not cost more than findings. */
const CANDIDATE_LIMIT = 300;

/**
 * The candidate nearest to `word` in edit distance, or null if none is near.
 *
 * Near means at most two edits and at most a third of the longer word, so that `id` is not mistaken for `if`.
 */
export function closest(word: string, candidates: Iterable<string>): string | null {
  let best: string | null = null;
  let mostEdits = 2;
  let looked = 0;
  for (const candidate of candidates) {
    if (++looked > CANDIDATE_LIMIT || mostEdits < 0) break;
    const longer = Math.max(word.length, candidate.length);
    const limit = Math.min(mostEdits, Math.floor(longer / 3));
    if (longer > 64 || Math.abs(word.length - candidate.length) > limit) continue;
    for (let edits = 0; edits <= limit; edits++) {
      if (!isWithin(word, candidate, 0, 0, edits)) continue;
      best = candidate;
      mostEdits = edits - 1;
      break;
    }
  }
  return best;
}

/** Whether at most `edits` insertions, removals and replacements of letters turn one word into the other. */
export function editsWithin(a: string, b: string, edits: number): boolean {
  return isWithin(a, b, 0, 0, edits);
}

/**
 * Whether at most `edits` insertions, removals and replacements make the rest of `a` from `fromA` the rest of `b`.
 * Words that are not near differ early, where this ends: a table of all distances would be filled for each of them.
 */
function isWithin(a: string, b: string, fromA: number, fromB: number, edits: number): boolean {
  let i = fromA;
  let j = fromB;
  while (i < a.length && j < b.length && a.charCodeAt(i) === b.charCodeAt(j)) {
    i++;
    j++;
  }
  const [left, right] = [a.length - i, b.length - j];
  if (left === 0 || right === 0) return left + right <= edits;
  if (Math.abs(left - right) > edits || edits === 0) return false;
  return (
    isWithin(a, b, i + 1, j + 1, edits - 1) ||
    isWithin(a, b, i + 1, j, edits - 1) ||
    isWithin(a, b, i, j + 1, edits - 1)
  );
}

/** Shorter words are too close to each other for a typing mistake to be recognised. */
const SHORTEST_WORD = 3;
/** In shorter words a replaced letter gives another word: `date` and `data`. */
const WORD = 5;
/** From this length on, a word may have two mistakes. */
const LONG_WORD = 8;

/**
 * Whether `written` is `word` with a typing mistake: a letter missing, added, replaced or swapped with its neighbour,
 * or two edits in a long word. Edit distance alone takes `crate` for `created`, and `variants` for `invariants`: a text
 * with another first letter is another word, unless that letter is missing, added or swapped.
 */
export function isSlipOf(written: string, word: string): boolean {
  if (written === word || word.length < SHORTEST_WORD || Math.abs(written.length - word.length) > 2) return false;
  let at = 0;
  while (written[at] === word[at]) at++;
  const agree = (fromWritten: number, fromWord: number): boolean =>
    written.slice(at + fromWritten) === word.slice(at + fromWord);
  const isSwap = written[at] === word[at + 1] && written[at + 1] === word[at] && agree(2, 2);
  if (isSwap || agree(0, 1) || agree(1, 0)) return true;
  if (at === 0 || word.length < WORD) return false;
  return agree(1, 1) || (word.length >= LONG_WORD && isWithin(written, word, at, at, 2));
}

/** Compares by UTF-16 code units: the same order on every machine and locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
