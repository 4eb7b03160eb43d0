/** The names in the records of a text log: a line is judged by the record before it. */
import { saysMissing } from '../number-text.ts';
import type { Slot } from './slot.ts';
import { createTemplate } from './record-template.ts';
import type { TextPlace } from './text-pairs.ts';

/** A text where the records of a log usually have a number. */
export interface TextValue {
  readonly slot: Slot;
  readonly text: string;
}

/** Learns which names the records of a log have, and tells when a line lacks one. */
export interface RecordShape {
  /** A line begins. */
  readonly begin: () => void;
  /** The line gives a number. */
  readonly number: (slot: Slot) => void;
  /** The line gives a number after a name alone, without a separator. */
  readonly spokenNumber: (slot: Slot) => void;
  /** The line gives a text under a key. */
  readonly text: (key: string, text: string) => void;
  /** The same after a name alone: it counts where the record before has its number. */
  readonly spokenText: (key: string, text: string, line: string, place: TextPlace) => void;
  /** Texts of the line where the record before had numbers. */
  readonly texts: () => readonly TextValue[];
  /** Names of the line that say they have no value, where the record before had numbers. */
  readonly missing: () => readonly Slot[];
  /** The line says less than the record before, and the same as far as it goes. */
  readonly stopsEarly: (line: string) => boolean;
  /** The line was a record. */
  readonly end: (line: string) => void;
}

/** A shape that has seen no records. */
export function createRecordShape(): RecordShape {
  let names: Slot[] = [];
  let before: Slot[] = [];
  let spoken: Slot[] = [];
  let spokenBefore: Slot[] = [];
  const texts: TextValue[] = [];
  const missing: Slot[] = [];
  const template = createTemplate();
  const text = (key: string, value: string): void => {
    if (value === '') return;
    const isIt = (one: Slot): boolean => one.key === key && (one.place === 'log' || one.place === 'eval');
    const slot = before.find(isIt) ?? spokenBefore.find(isIt);
    if (!slot) return;
    if (saysMissing(value)) missing.push(slot);
    else texts.push({ slot, text: value });
  };
  return {
    begin: () => {
      names.length = 0;
      spoken.length = 0;
      texts.length = 0;
      missing.length = 0;
    },
    number: (slot) => void names.push(slot),
    spokenNumber: (slot) => void spoken.push(slot),
    text,
    spokenText: (key, value, line, place) => {
      if (template.hasNumberAt(line, place)) text(key, value);
    },
    texts: () => texts,
    missing: () => missing,
    stopsEarly: (line) =>
      (names.length < before.length && names.every((slot, i) => slot === before[i])) || template.stopsWithin(line),
    end: (line) => {
      // What comes after a text or a gap is judged by the last record without.
      if (texts.length > 0 || missing.length > 0) return;
      [names, before] = [before, names];
      [spoken, spokenBefore] = [spokenBefore, spoken];
      template.set(line);
    },
  };
}
