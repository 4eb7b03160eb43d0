/** Numbers on the line below their names, as `print("loss:")` and `print(loss)` leave them. */
import type { BlockLine } from './text-blocks.ts';

const label = /^\s*[A-Za-z][\w ./-]{0,40}[:=]\s*$/;
const value = /^\s*[-+]?(?:\d*\.?\d+(?:e[-+]?\d+)?|nan|inf(?:inity)?)\s*$/i;
const MAX_VALUE = 40;

/** Joins each such number with its name. */
export interface ValueLines {
  /** What there is to read once this line is known; nothing while a name waits for its number. */
  readonly take: (text: string, line: number) => readonly BlockLine[];
  /** A name without a number at the end. */
  readonly end: () => readonly BlockLine[];
}

/** A joiner before the first line. */
export function createValueLines(): ValueLines {
  let held: BlockLine | null = null;
  const release = (): readonly BlockLine[] => {
    const before = held === null ? [] : [held];
    held = null;
    return before;
  };
  return {
    end: release,
    take: (text, line) => {
      if (held !== null && text.length <= MAX_VALUE && value.test(text)) {
        const joined = { text: `${held.text.trimEnd()} ${text.trim()}`, line: held.line };
        held = null;
        return [joined];
      }
      const before = release();
      if (!label.test(text)) return [...before, { text, line }];
      held = { text, line };
      return before;
    },
  };
}
