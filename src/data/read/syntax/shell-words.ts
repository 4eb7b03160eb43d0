/** The words of a shell script with their places; text in quotes that holds flags is split too. */

/** One word, with its quotes and references as they are written. */
export interface ShellWord {
  readonly raw: string;
  /** In the whole text. */
  readonly start: number;
  readonly end: number;
  /** It begins a command, an array or a line. */
  readonly isFirst: boolean;
  /** It begins a line, outside of brackets and quotes. */
  readonly opensLine: boolean;
  /** It is inside an `if` or a `case`. */
  readonly isConditional: boolean;
}

/** Quoted text is read again as words to this depth. */
const MAX_DEPTH = 3;

const skipped = /(?:[ \t\r\v\f]|\\\r?\n)+/y;
const separator = /[\n;&|()<>]+/y;
const comment = /#[^\n]*/y;
const piece =
  /\\(?!\r?\n[ \t])[^]|'[^']*'|"(?:[^"\\]|\\[^])*"|`[^`]*`|\$\(\([^()]*(?:\([^()]*\)[^()]*)*\)\)|\$\([^()]*(?:\([^()]*\)[^()]*)*\)|\$\{[^}\n]{0,500}\}|[^\s;&|()<>"'`\\]|["'`]|\\(?!\r?\n[ \t])/y;

const opens = new Set(['if', 'case']);
const closes = new Set(['fi', 'esac']);

/** In the order of the text; comments are left out. */
export function shellWords(text: string): readonly ShellWord[] {
  const words: ShellWord[] = [];
  split({ text, words, conditions: 0 }, 0, text.length, 0);
  return words;
}

interface Splitting {
  readonly text: string;
  readonly words: ShellWord[];
  /** How many conditions are open. */
  conditions: number;
}

function split(splitting: Splitting, from: number, to: number, depth: number): void {
  const { text } = splitting;
  let isFirst = true;
  let opensLine = depth === 0;
  let brackets = 0;
  for (let at = from; at < to;) {
    const past = passed(skipped, text, at) ?? passed(comment, text, at);
    const next = past ?? passed(separator, text, at);
    if (next !== null) {
      const between = past === null ? text.slice(at, next) : '';
      brackets = Math.max(0, brackets + count(between, '(') - count(between, ')'));
      isFirst ||= past === null;
      opensLine ||= depth === 0 && brackets === 0 && between.includes('\n');
      at = next;
      continue;
    }
    const end = Math.min(endOfWord(text, at), to);
    if (redirected.test(text.slice(at, end + 1))) {
      at = end;
      continue;
    }
    add(splitting, { start: at, end, isFirst, opensLine }, depth);
    isFirst = false;
    opensLine = false;
    at = Math.max(end, at + 1);
  }
}

/** The number of a stream before an arrow is not a word: `2>&1`. */
const redirected = /^\d[<>]$/;

const count = (text: string, letter: string): number => text.split(letter).length - 1;

const quotedFlags = /^((?:[A-Za-z_]\w*\+?=)?)(["'])([^]*)\2$/;

function add(splitting: Splitting, word: Omit<ShellWord, 'raw' | 'isConditional'>, depth: number): void {
  const raw = splitting.text.slice(word.start, word.end);
  if (closes.has(raw)) splitting.conditions = Math.max(0, splitting.conditions - 1);
  splitting.words.push({ raw, ...word, isConditional: splitting.conditions > 0 });
  if (opens.has(raw)) splitting.conditions += 1;
  const [, before = '', , inner = ''] = quotedFlags.exec(raw) ?? [];
  if (depth < MAX_DEPTH && /(?:^|\s)--[A-Za-z]/.test(inner))
    split(splitting, word.start + before.length + 1, word.end - 1, depth + 1);
}

function endOfWord(text: string, start: number): number {
  let at = start;
  for (let next = passed(piece, text, at); next !== null; next = passed(piece, text, at)) at = next;
  return at;
}

/** Where a match at `at` ends; null if there is none. */
function passed(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}
