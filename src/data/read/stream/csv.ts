/**
 * Logs as delimited text with a header: comma, semicolon, tab or bar; an empty field is a missing value.
 */
import { count, quoted } from '../../../base/text.ts';
import { numberFromText, saysMissing } from '../number-text.ts';
import { delimiterOf, endsInQuotes, splitFields, type Delimiter } from './csv-fields.ts';
import type { Findings } from './findings.ts';
import type { RecordReader } from './json-lines.ts';
import type { LogRows } from './log-rows.ts';
import type { Slot } from './slot.ts';
import { textForNumber } from './text-for-number.ts';
import { createValueRows, valueParts, type ValueParts } from './value-rows.ts';

/** Lines that one quoted field may span before the quote is treated as a mistake. */
const MAX_JOINED = 100;

/** A reader of delimited text. */
export interface CsvReader extends RecordReader {
  /** After the last line; false when the rows are too many. */
  readonly end: () => boolean;
}

interface Header {
  readonly delimiter: Delimiter;
  readonly slots: readonly Slot[];
  /** Where each line holds one value with its name and step. */
  readonly parts: ValueParts | null;
  /** Whether text above the first number was reported, once per column. */
  readonly remarked: Set<Slot>;
}

/** A reader that takes the first line as the header and puts numeric fields into `rows`. */
export function createCsv(rows: LogRows, findings: Findings): CsvReader {
  let header: Header | null = null;
  const values = createValueRows(rows);
  /** Rows so far, while each of them has something in its last field; NaN after one that has not. */
  let fullRows = 0;
  let open: { text: string; line: number; lines: number } | null = null;

  const readRecord = (text: string, line: number, last: boolean): boolean => {
    if (text.trim() === '') return true;
    if (!header) {
      header = readHeader(text.replace(/^\uFEFF/, ''), rows, findings, line);
      return header !== null;
    }
    const fields = splitFields(text, header.delimiter);
    // Without a line end, an empty last field may be one whose number was still to come.
    if (last && fullRows > 1 && fields.length === header.slots.length && fields.at(-1) === '') {
      wrongWidth(findings, text, line, last, fields.length - 1, header.slots.length);
      return true;
    }
    fullRows = fields.at(-1) === '' ? NaN : fullRows + 1;
    if (fields.length !== header.slots.length) {
      wrongWidth(findings, text, line, last, fields.length, header.slots.length);
      return true;
    }
    if (header.parts) return readValue(fields, header.parts, text, line);
    for (const [i, slot] of header.slots.entries()) putField(fields[i] ?? '', slot, header, text, line);
    return rows.endRow(line);
  };
  const readValue = (fields: readonly string[], parts: ValueParts, text: string, line: number): boolean => {
    const [name = '', value = '', step = ''] = [fields[parts.name], fields[parts.value], fields[parts.step]];
    const [number, at] = [numberFromText(value), numberFromText(step)];
    if (at !== null && (number !== null || value === '' || saysMissing(value)))
      return values.put(name.trim(), at, number, line);
    findings.atLine('PV-7021', line, text, `${quoted(at === null ? step : value, 40)} is not a number`, {
      hint: 'The row is passed over. A row is the name of a value, its step, and the value.',
    });
    return true;
  };
  const putField = (field: string, slot: Slot, { delimiter, remarked }: Header, text: string, line: number): void => {
    if (field === '') return rows.putNothing(slot);
    if (slot.place !== 'other' && saysMissing(field)) return rows.putMissing(slot);
    const direct = Number(field);
    // Number('  ') is 0; NaN may be written, or the text may not be a number at all.
    const value = Number.isNaN(direct) || direct === 0 ? fieldNumber(field, delimiter) : direct;
    if (value !== null) rows.put(slot, value);
    else if (field.trim() !== '') {
      rows.putText(slot);
      const isNews = slot.lastColumn !== null || !remarked.has(slot);
      if (slot.place === 'other' || slot.name === 'wall_time' || !isNews) return;
      remarked.add(slot);
      textForNumber(
        findings,
        slot,
        line,
        text,
        `The column ${slot.key} holds the text ${quoted(field, 40)}, where numbers are logged`,
      );
    }
  };
  return {
    end: () => !header?.parts || values.end(),
    readLine: (text, line, last) => {
      if (open) {
        open.text += `\n${text}`;
        open.lines += 1;
        if (endsInQuotes(open.text) && !last && open.lines < MAX_JOINED) return true;
        const joined = open;
        open = null;
        return readRecord(joined.text, joined.line, last);
      }
      if (text.includes('"') && endsInQuotes(text) && !last) {
        open = { text, line, lines: 1 };
        return true;
      }
      return readRecord(text, line, last);
    },
  };
}

function readHeader(text: string, rows: LogRows, findings: Findings, line: number): Header | null {
  const delimiter = delimiterOf(text);
  if (delimiter === null) {
    findings.atLine('PV-7021', line, text, 'The first line is not a header: it has a single field', {
      hint: 'Write the names of the columns in the first line, separated by commas, semicolons or tabs.',
    });
    return null;
  }
  const names = splitFields(text, delimiter).map((name) => name.trim());
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name))
      findings.atLine('PV-7033', line, text, `The column '${name}' is repeated in the header`, {
        hint: 'The last one is read. Rename one.',
      });
    seen.add(name);
  }
  const slots = meaningsOf(names).map((name) => rows.slot(name));
  return { delimiter, slots, parts: valueParts(names), remarked: new Set() };
}

/** Weights & Biases exports `run-name - train/loss`: the last part, when no other column ends with it. */
function meaningsOf(names: readonly string[]): readonly string[] {
  const parts = names.map((name) => / - ([^-]+)$/.exec(name)?.[1] ?? '');
  const ends = new Map<string, number>();
  for (const part of parts) ends.set(part, (ends.get(part) ?? 0) + 1);
  return names.map((name, i) => {
    const part = parts[i] ?? '';
    return part !== '' && ends.get(part) === 1 ? part : name;
  });
}

/** With semicolons the comma can be the decimal sign. */
export function fieldNumber(field: string, delimiter: Delimiter): number | null {
  if (delimiter === ';' && /^\s*[-+]?\d+,\d+(?:[eE][-+]?\d+)?\s*$/.test(field)) return Number(field.replace(',', '.'));
  return numberFromText(field);
}

function wrongWidth(
  findings: Findings,
  text: string,
  line: number,
  last: boolean,
  found: number,
  expected: number,
): void {
  if (last && found < expected) {
    findings.atLine('PV-7020', line, text, 'The last line is cut off: the file ends within it', {
      hint: 'The run was stopped while it wrote, or is still running. The line is not read. --allow-cut if that is expected.',
    });
    return;
  }
  findings.atLine('PV-7021', line, text, `This row has ${count(found, 'field')}, the header has ${expected}`, {
    hint: 'The row is passed over. Put fields that hold the delimiter in double quotes.',
  });
}
