/**
 * JSON Lines: one object per line, its numbers become columns. Nested objects are columns `a.b`; lists are left out.
 */
import { quoted } from '../../../base/text.ts';
import { numberFromText, saysMissing } from '../number-text.ts';
import { parseJson } from '../syntax/json.ts';
import type { DataNode } from '../syntax/tree.ts';
import type { Findings } from './findings.ts';
import type { LogRows } from './log-rows.ts';
import type { Slot } from './slot.ts';
import { textForNumber } from './text-for-number.ts';

/** What JSON.parse makes. */
type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Keys of one object, with the keys of the objects in it. */
interface KeySpace {
  readonly prefix: string;
  readonly slots: Map<string, Slot>;
  readonly below: Map<string, KeySpace>;
}

/** Reads a log line by line. */
export interface RecordReader {
  /** One line; false ends reading. */
  readonly readLine: (text: string, line: number, last: boolean) => boolean;
}

const rowKinds: ReadonlySet<string> = new Set(['type', 'kind', 'split', 'phase', 'mode', 'event', 'stage', 'prefix']);
const evaluations = /^(?:eval|evaluation|val|valid|validation|test|dev)$/i;
const MAX_DEPTH = 8;

/** A reader that puts the numbers of each object into `rows`, and reports lines that are not objects. */
export function createJsonLines(rows: LogRows, findings: Findings): RecordReader {
  const root: KeySpace = { prefix: '', slots: new Map(), below: new Map() };
  let event: string | undefined;
  let keys = 0;

  const slotOf = (space: KeySpace, key: string): Slot => {
    let slot = space.slots.get(key);
    if (!slot) space.slots.set(key, (slot = rows.slot(space.prefix + key)));
    return slot;
  };
  const putText = (slot: Slot, key: string, text: string, line: number, whole: string): void => {
    if (rowKinds.has(key)) {
      if (evaluations.test(text)) event = 'eval';
      else if (/^roll(?:ed)?[-_ ]?back$/i.test(text)) event = 'rollbacks';
    }
    const known = slot.name !== slot.key || slot.place !== 'other';
    const number = known ? numberFromText(text) : null;
    if (number !== null) rows.put(slot, number);
    else {
      rows.putText(slot);
      // Times of day and dates are texts in many logs.
      if (known && text !== '' && slot.name !== 'wall_time' && !saysMissing(text))
        textForNumber(
          findings,
          slot,
          line,
          whole,
          `${slot.key} is the text ${quoted(text, 40)}, where numbers are logged`,
        );
    }
  };
  const putSwitch = (slot: Slot, value: boolean, line: number, whole: string): void => {
    if (mayBeSwitch(slot)) return rows.put(slot, value ? 1 : 0);
    rows.putText(slot);
    textForNumber(findings, slot, line, whole, `${slot.key} is ${value}, where numbers are logged`);
  };
  const put = (
    value: { readonly [key: string]: Json },
    space: KeySpace,
    depth: number,
    line: number,
    whole: string,
  ): void => {
    for (const key in value) {
      keys += 1;
      const item = value[key];
      if (typeof item === 'number') rows.put(slotOf(space, key), item);
      else if (typeof item === 'string') putText(slotOf(space, key), key, item, line, whole);
      else if (typeof item === 'boolean') putSwitch(slotOf(space, key), item, line, whole);
      else if (item === null || item === undefined) rows.putMissing(slotOf(space, key));
      else if (isList(item) || depth >= MAX_DEPTH) {
        rows.putText(slotOf(space, key));
        keys += keysOf(item);
      } else put(item, belowOf(space, key), depth + 1, line, whole);
    }
  };
  return {
    readLine: (text, line, last) => {
      if (isBlank(text)) return true;
      const record = parseRecord(text);
      if (record === null) {
        if (last) cutOff(findings, text, line);
        else notARecord(findings, text, line);
        return true;
      }
      event = undefined;
      keys = 0;
      put(record, root, 0, line, text);
      if (keysIn(text) > keys) tellRepeated(findings, text, line);
      return rows.endRow(line, event);
    },
  };
}

/** `skipped: true` counts one; a loss is not a switch. */
export function mayBeSwitch({ name, place }: Slot): boolean {
  return place === 'other' || name === 'skipped' || name === 'nan_iterations';
}

function keysOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  const [own, items] = isList(value) ? [0, value] : [Object.keys(value).length, Object.values(value)];
  return items.reduce<number>((sum, item) => sum + keysOf(item), own);
}

/** As many keys as a line has at most: quotes in texts may look like them. */
function keysIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) {
    let next = at + 1;
    while (text[next] === ' ') next += 1;
    if (text[next] === ':') count += 1;
  }
  return count;
}

/** JSON.parse takes the last of them, and so hides the others. */
function tellRepeated(findings: Findings, text: string, line: number): void {
  const repeated = parseJson({ path: '', text }).diagnostics.find(({ code }) => code === 'PV-7033');
  if (!repeated) return;
  findings.atLine('PV-7033', line, text, repeated.message, {
    hint: 'The last value is used. Remove or rename the others.',
  });
}

function belowOf(space: KeySpace, key: string): KeySpace {
  let below = space.below.get(key);
  if (!below) space.below.set(key, (below = { prefix: `${space.prefix}${key}.`, slots: new Map(), below: new Map() }));
  return below;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isBlank(text: string): boolean {
  return text === '' || text.trim() === '' || text === '\uFEFF';
}

/** The object of a line, or null. JSON.parse knows no NaN, so a line that it refuses is read again by pv's own reader. */
function parseRecord(text: string): { readonly [key: string]: Json } | null {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    const node = parseJson({ path: '', text }).value;
    if (!node) return null;
    value = plain(node);
  }
  return typeof value === 'object' && value !== null && !isList(value) ? value : null;
}

function plain(node: DataNode): Json {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'sequence') return node.items.map(plain);
  const object: Record<string, Json> = Object.create(null);
  for (const { key, value } of node.entries) object[key] = plain(value);
  return object;
}

function notARecord(findings: Findings, text: string, line: number): void {
  const parsed = parseJson({ path: '', text });
  const why = parsed.diagnostics[0]?.message ?? 'it is not a JSON object';
  findings.atLine('PV-7019', line, text, `This line is not a JSON object: ${why}`, {
    hint: 'JSON Lines has one object per line. The line is skipped; its content is unknown.',
  });
}

function cutOff(findings: Findings, text: string, line: number): void {
  findings.atLine('PV-7020', line, text, 'The last line is cut off: the file ends within it', {
    hint: 'The run was stopped while it wrote, or is still running. The line is not read. --allow-cut if that is expected.',
  });
}
