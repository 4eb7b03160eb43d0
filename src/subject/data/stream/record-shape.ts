/** What the records of a text log name: a line is judged by the record before it. */
import { saysMissing } from '../number-text.ts';
import type { Slot } from './log-rows.ts';

export interface TextValue {
  readonly slot: Slot;
  readonly text: string;
}

export interface RecordShape {
  /** A line begins. */
  readonly begin: () => void;
  /** The line gives a number. */
  readonly number: (slot: Slot) => void;
  /** The line gives a text under a key. */
  readonly text: (key: string, text: string) => void;
  /** Texts of the line where the record before had numbers. */
  readonly texts: () => readonly TextValue[];
  /** The line says less than the record before, and the same as far as it goes. */
  readonly stopsEarly: () => boolean;
  /** The line was a record. */
  readonly end: () => void;
}

export function createRecordShape(): RecordShape {
  let names: Slot[] = [];
  let before: Slot[] = [];
  const texts: TextValue[] = [];
  return {
    begin: () => {
      names.length = 0;
      texts.length = 0;
    },
    number: (slot) => void names.push(slot),
    text: (key, text) => {
      if (text === '' || saysMissing(text)) return;
      const slot = before.find((one) => one.key === key && (one.place === 'log' || one.place === 'eval'));
      if (slot) texts.push({ slot, text });
    },
    texts: () => texts,
    stopsEarly: () => names.length < before.length && names.every((slot, i) => slot === before[i]),
    end: () => void ([names, before] = [before, names]),
  };
}
