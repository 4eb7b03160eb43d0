/**
 * The events of a Chrome trace, one after the other, from pieces of bytes: `{"traceEvents": [ … ]}` or a bare list.
 * Only brackets and quotes are looked at, so that irrelevant events cost little.
 */

/** Finds the objects of `traceEvents` in a file that does not fit into memory. */
export interface EventSplitter {
  /** False when nothing more is wanted. */
  readonly push: (chunk: Uint8Array) => boolean;
  /** The state of the list after the last piece. */
  readonly state: () => 'no list' | 'inside' | 'complete';
  /** Where a second list of events begins: readers of JSON take the last of two keys, and this one took the first. */
  readonly secondList: () => number | null;
  /** Bytes taken so far. */
  readonly offset: () => number;
}

/** The bytes of one event, and where it starts in the file; false ends reading. */
export type OnEvent = (bytes: Uint8Array, start: number, end: number, offset: number) => boolean;

/** Call stacks and shapes make events of kilobytes, never of megabytes. */
export const MAX_EVENT = 16 * 1024 * 1024;

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;

const listKey = new TextEncoder().encode('traceEvents');

/** A splitter that passes the text of every event to `onEvent`. */
export function createEventSplitter(onEvent: OnEvent): EventSplitter {
  let held = new Uint8Array(0);
  let consumed = 0;
  let depth = 0;
  let inString = false;
  let escaped = false;
  let stringStart = 0;
  let keyIsList = false;
  /** Depth inside the list of events; −1 before it. */
  let listDepth = -1;
  let complete = false;
  let secondList: number | null = null;
  let eventStart = -1;

  const closeString = (bytes: Uint8Array, end: number): void => {
    inString = false;
    if (depth === 1 && (listDepth < 0 || complete))
      keyIsList = end - stringStart === listKey.length && listKey.every((byte, i) => bytes[stringStart + i] === byte);
  };
  const open = (isList: boolean, at: number): void => {
    if (listDepth < 0 && isList && ((depth === 0 && eventStart < 0) || (depth === 1 && keyIsList)))
      listDepth = depth + 1;
    else if (complete && depth === 1 && keyIsList) secondList ??= consumed + at;
    else if (depth === listDepth && !isList && !complete) eventStart = at;
    keyIsList = false;
    depth += 1;
  };
  /** False when the event's reader needs no more. */
  const close = (bytes: Uint8Array, at: number): boolean => {
    depth -= 1;
    if (listDepth < 0 || complete) return true;
    if (depth === listDepth - 1) complete = true;
    if (depth !== listDepth || eventStart < 0) return true;
    const start = eventStart;
    eventStart = -1;
    return onEvent(bytes, start, at + 1, consumed + start);
  };
  const scan = (bytes: Uint8Array, from: number): boolean => {
    for (let at = from; at < bytes.length; at++) {
      const c = bytes[at] ?? 0;
      if (inString) {
        if (escaped) escaped = false;
        else if (c === BACKSLASH) escaped = true;
        else if (c === QUOTE) closeString(bytes, at);
      } else if (c === QUOTE) {
        inString = true;
        stringStart = at + 1;
      } else if (c === OPEN_BRACE || c === OPEN_BRACKET) open(c === OPEN_BRACKET, at);
      else if ((c === CLOSE_BRACE || c === CLOSE_BRACKET) && !close(bytes, at)) return false;
    }
    return true;
  };
  return {
    push: (chunk) => {
      const before = held.length;
      const bytes = before === 0 ? chunk : joined(held, chunk);
      if (!scan(bytes, before)) return false;
      // An open event is kept whole; an open key only matters before the list, where it is short.
      const keep =
        eventStart >= 0
          ? eventStart
          : inString && (listDepth < 0 || complete)
            ? Math.max(stringStart, bytes.length - 64)
            : bytes.length;
      if (bytes.length - keep > MAX_EVENT) return false;
      held = bytes.slice(keep);
      consumed += keep;
      stringStart -= keep;
      if (eventStart >= 0) eventStart = 0;
      return true;
    },
    secondList: () => secondList,
    state: () => (complete ? 'complete' : listDepth < 0 ? 'no list' : 'inside'),
    offset: () => consumed + held.length,
  };
}

function joined(held: Uint8Array, chunk: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(held.length + chunk.length);
  bytes.set(held);
  bytes.set(chunk, held.length);
  return bytes;
}
