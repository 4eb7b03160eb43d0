/**
 * Valid Python that the grammar misreads, replaced by text of the same length that it reads: offsets stay what they are. Names,
 * numbers and brackets change; the calls of a script do not.
 */

const blank = (text: string): string => ' '.repeat(text.length);
const name = (text: string): string => '_'.repeat(text.length);

/** The text to parse instead. Takes time linear in the length: every repetition that may be tried again is bounded. */
export function withoutGaps(text: string): string {
  const plain = text
    .replace(/^\uFEFF/, ' ')
    // `1. if x` is read as an attribute of 1.
    .replace(/(?<![\w.])(\d[\d_]*)\.(?![\w.])/g, '$10')
    // A `yield` without a value.
    .replace(/(?<![\w.])yield(?=[^\S\n]{0,99}(?:[)\]},;:#\n]|$))/g, 'None ')
    .replace(/^[^\S\n]*@[^\n]*/gm, (line) => line.replace(/\[[\w.'"-]{0,99}\]/g, name))
    .replace(/^[^\S\n]*case[^\S\n](?![^\S\n]*[=.,)\]:])[^\n]*:/gm, (line) =>
      line.replace(/(?<![\w.])[\w.]{0,99}(?:\(\s{0,9}\)|\[\s{0,9}\]|\{\s{0,9}\})/g, name),
    );
  return withItems(plain)
    .replace(
      /(\bas[^\S\n]{1,9})(\([\w\s,.*]{0,199}\)|\[[\w\s,.*]{0,199}\]|\w{1,99}(?:\.\w{1,99}|\[\w{0,99}\]){1,9})(?=\s{0,9}[,:)])/g,
      (_all, before: string, target: string) => before + name(target),
    )
    .replace(
      /(?<=(?:,|\bfor|\bin)[^\S\n]{0,9})\*(?=[^\S\n]{0,9}\w{1,99}(?:[^\S\n]{0,9},[^\S\n]{0,9}\w{1,99}){0,9}[^\S\n]{0,9}(?:\bin\b|,[^\S\n]{0,9}\w{1,99}[^\S\n]{0,9}:))/g,
      ' ',
    );
}

/** `with (a as b, c as d):` without the parentheses, on one line. */
function withItems(text: string): string {
  let result = '';
  let done = 0;
  for (const { 0: head, index } of text.matchAll(/(?<![\w.])with[^\S\n]{0,9}\(/g)) {
    const open = index + head.length - 1;
    if (open < done) continue;
    const close = closing(text, open);
    if (close === null) break;
    const inside = text.slice(open + 1, close);
    if (!/^[^\S\n]*:/.test(text.slice(close + 1, close + 40)) || !/\sas\s/.test(inside)) continue;
    const items = inside
      .replace(/#[^\n]*/g, blank)
      .replace(/[\r\n]/g, ' ')
      .replace(/,(?=\s*$)/, ' ');
    result += `${text.slice(done, open)} ${items} `;
    done = close + 1;
  }
  return result + text.slice(done);
}

/** The offset of the bracket that closes the one at an offset, strings and comments skipped; null if there is none. */
function closing(text: string, open: number): number | null {
  let depth = 0;
  for (const { 0: token, index } of tokensFrom(text, open)) {
    depth += depthOf(token);
    if (depth === 0) return index;
  }
  return null;
}

/** The offset of a bracket within more than `limit` others, where the parser would run out of stack; null if there is none. */
export function tooDeep(text: string, limit: number): number | null {
  let depth = 0;
  for (const { 0: token, index } of tokensFrom(text, 0)) {
    depth = Math.max(0, depth + depthOf(token));
    if (depth > limit) return index;
  }
  return null;
}

const depthOf = (token: string): number => (/^[([{]$/.test(token) ? 1 : /^[)\]}]$/.test(token) ? -1 : 0);

/** Strings, those without an end up to that of their line, comments and brackets. */
function tokensFrom(text: string, start: number): IterableIterator<RegExpExecArray> {
  const token = /"""[^]*?"""|'''[^]*?'''|"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?|#[^\n]*|[()[\]{}]/g;
  token.lastIndex = start;
  return text.matchAll(token);
}
