/**
 * Numbers with names in a line of free text: `step=12 loss=8.43`, `lm loss: 1.24E+01 | grad norm: 67.6`,
 * `{'loss': 2.09, 'epoch': 0.1}`, `iter 100: loss 3.21, time 12.3ms`.
 */
import { isKnownKey } from '../log-names.ts';
import { numberFromText } from '../number-text.ts';

/** `unit` is what immediately follows the number: `ms`, `%`, `K`, `MB`, or nothing. */
export type VisitPair = (phrase: string, number: number, unit: string) => void;

const numberAt =
  /[-+]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,])|\d+(?:_\d+)*(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)/y;
const wordAt = /[-+]?(?:1\.#\w+|(?:nan|inf(?:inity)?)(?![A-Za-z0-9_]))/iy;
const unitAt = /[a-zA-Z%°/]+\d?/y;
const units: ReadonlySet<string> = new Set(
  'ms s sec secs us ns min h % K k M B G T KB MB GB TB kB KiB MiB GiB TiB tok/s it/s tokens/s steps/s TFLOPs TFLOPS tflops W C x'.split(
    ' ',
  ),
);

interface Found {
  readonly value: number;
  readonly unit: string;
  readonly end: number;
}

/** A number at an offset; null if the digits belong to a time, a date, a version, an address or a word. */
export function readNumber(line: string, at: number): Found | null {
  return readWord(line, at) ?? readDigits(line, at);
}

/** Behind digits: they belong to a time, a date, a version or a name. */
const goesOn = /^(?:[_#]|[-:.]\d)/;

function readDigits(line: string, at: number): Found | null {
  numberAt.lastIndex = at;
  const digits = numberAt.exec(line)?.[0];
  if (digits === undefined) return null;
  let end = at + digits.length;
  // A sentence may end right after a number.
  const text = digits.endsWith('.') && !/[\d]/.test(line[end] ?? '') ? digits.slice(0, -1) : digits;
  unitAt.lastIndex = end;
  const unit = unitAt.exec(line)?.[0] ?? '';
  if (goesOn.test(line.slice(end, end + 2))) return null;
  if (unit === '') return { value: toNumber(text), unit: '', end };
  if (unit.startsWith('/')) return { value: toNumber(text), unit: '', end };
  if (!units.has(unit)) return null;
  end += unit.length;
  return { value: toNumber(text), unit, end };
}

function readWord(line: string, at: number): Found | null {
  wordAt.lastIndex = at;
  const word = wordAt.exec(line)?.[0];
  const value = word === undefined ? null : numberFromText(word);
  return word === undefined || value === null ? null : { value, unit: '', end: at + word.length };
}

function toNumber(text: string): number {
  return Number(/[_,]/.test(text) ? text.replaceAll(/[_,]/g, '') : text);
}

/** Visits every `name = number` and `name: number` from left to right; the phrase is all text since the last pair or delimiter. */
export function visitPairs(line: string, visit: VisitPair, visitText?: (phrase: string, text: string) => void): void {
  let from = 0;
  for (let at = nextSeparator(line, 0); at >= 0; at = nextSeparator(line, at + 1)) {
    let start = at + 1;
    while (line[start] === ' ' || line[start] === '\t') start += 1;
    if (line[start] === "'" || line[start] === '"') start += 1;
    const found = readNumber(line, start);
    const phrase = phraseBefore(line, from, at);
    if (phrase === '') continue;
    if (!found) {
      visitText?.(phrase, wordAfter(line, start));
      // What precedes a text value is not part of the next name.
      from = at + 1;
      continue;
    }
    visit(phrase, found.value, found.unit);
    from = found.end;
    at = Math.max(at, found.end - 1);
  }
}

const valueWord = /[^\s,;|)\]}]*/y;

function wordAfter(line: string, start: number): string {
  valueWord.lastIndex = start;
  return valueWord.exec(line)?.[0].replace(/['"]$/, '') ?? '';
}

function nextSeparator(line: string, from: number): number {
  for (let at = from; at < line.length; at++) {
    const c = line.charCodeAt(at);
    if (c === 58 || c === 61) return at;
  }
  return -1;
}

const delimiters = new Set([...'|,;{}[]<>'].map((c) => c.charCodeAt(0)));
const namesSomething = /[A-Za-z_][\w./-]*$|\)$/;

/** The words before a separator, without quotes; empty when they name nothing. */
function phraseBefore(line: string, from: number, separator: number): string {
  let end = separator;
  while (end > from && isSpace(line.charCodeAt(end - 1))) end -= 1;
  const last = line.charCodeAt(end - 1);
  if (last === 39 || last === 34) {
    const open = line.lastIndexOf(line[end - 1] ?? '', end - 2);
    return open < from ? '' : line.slice(open + 1, end - 1);
  }
  let start = end;
  while (start > from && !delimiters.has(line.charCodeAt(start - 1))) start -= 1;
  while (start < end && isSpace(line.charCodeAt(start))) start += 1;
  const phrase = line.slice(start, end);
  return namesSomething.test(phrase) ? phrase : '';
}

function isSpace(c: number): boolean {
  return c === 32 || c === 9;
}

const words =
  '(?:train(?:ing)? |val(?:id(?:ation)?)? |eval |grad(?:ient)? |global )?(?:step|steps|iter|iteration|epoch|update|num_updates|loss|time|lr|learning rate|ppl|mfu|gnorm|norm|dt|total rewards mean)';
const compounds = '[A-Za-z]+(?:[_/][A-Za-z0-9]+)+';
/** Sentences speak of `val_ppl 662.4` too; in a record such a name begins the line or follows a value or a delimiter. */
const beforeCompound = /(?:^|[|,;:\])%]|\d|\d[a-z]{1,2}|\b(?:nan|inf))\s*$/i;
const spoken = new RegExp(`(?:^|[\\s|,([]|\\]:)(${words}|${compounds})(?=\\s+[^\\s:=])`, 'gi');
/** A value that is not a number: one word, or an object as Python prints it. */
const spokenText = /(?:[\w.]*(?:\([^)]*\)|\[[^\]]*\])|[^\s,;|]+)/y;

/** The place of a text in its line. */
export interface TextPlace {
  readonly start: number;
  readonly end: number;
}

/** Visits every `name number` without a separator, for the few names that logs write so; then values that are not numbers. */
export function visitSpoken(
  line: string,
  visit: VisitPair,
  visitText?: (phrase: string, text: string, place: TextPlace) => void,
): void {
  for (const match of line.matchAll(spoken)) {
    const phrase = match[1] ?? '';
    let start = match.index + match[0].length;
    const head = line.slice(0, start - phrase.length);
    if (/[_/]/.test(phrase) && !(isKnownKey(phrase) && beforeCompound.test(head))) continue;
    while (isSpace(line.charCodeAt(start))) start += 1;
    const found = readNumber(line, start);
    if (found) visit(phrase, found.value, found.unit);
    else if (visitText) {
      spokenText.lastIndex = start;
      const text = spokenText.exec(line)?.[0];
      if (text !== undefined) visitText(phrase, text, { start, end: start + text.length });
    }
  }
}
