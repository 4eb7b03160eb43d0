/** The wording of a record: a line of text without its numbers. */
import type { TextPlace } from './text-pairs.ts';

/** Compares a line with the last complete record. */
export interface RecordTemplate {
  readonly set: (record: string) => void;
  /** Whether the record has a number where the line has the text at `place`, with the same words before and none but its own after. */
  readonly hasNumberAt: (line: string, place: TextPlace) => boolean;
  /** Whether the line ends within the wording of the record. */
  readonly stopsWithin: (line: string) => boolean;
}

const number = /[-+]?(?:\b\d[\w.,:+-]*(?<![.,:])|\.\d\w*|\b(?:nan|inf(?:inity)?)\b)/gi;
const NUMBER = '#';

/** A template without a record, which matches nothing. */
export function createTemplate(): RecordTemplate {
  let record = '';
  return {
    set: (line) => void (record = line),
    hasNumberAt: (line, { start, end }) => {
      const words = wording(record);
      const head = wording(line.slice(0, start)) + NUMBER;
      if (!words.startsWith(head)) return false;
      const next = firstWord(wording(line.slice(end)));
      return next === '' || next === firstWord(words.slice(head.length));
    },
    stopsWithin: (line) => {
      const [words, said] = [wording(record), wording(line).trimEnd()];
      let at = 0;
      while (at < said.length && said[at] === words[at]) at += 1;
      // The last word may itself be cut: `na` of `nan`.
      return at > 0 && at < words.length && (at === said.length || (words[at] === NUMBER && !said.includes(' ', at)));
    },
  };
}

function wording(text: string): string {
  return text.replace(number, NUMBER).replace(/\s+/g, ' ');
}

function firstWord(text: string): string {
  return /^\s*\S*/.exec(text)?.[0].trim() ?? '';
}
