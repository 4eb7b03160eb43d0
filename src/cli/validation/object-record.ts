/**
 * Objects that pv has made, as one text: lists, plain objects, Maps, Sets, every number, and the one function that contracts
 * hold, that of their formal texts. What was one object is one object again: places of preconditions are found by their terms.
 */
import { deserialize, serialize } from 'node:v8';
import type { FormalText } from '../../contract/contract.ts';

/** A formal text whose function is a list. */
type WrittenText = Omit<FormalText, 'offsetInSource'> & { readonly offsets: Offsets };

/** Offsets and what they map to, in turn, at each place where the difference of the two changes. */
type Offsets = readonly number[];

interface Written {
  readonly value: unknown;
  /** Every formal text in `value`. */
  readonly texts: readonly WrittenText[];
  /** The objects in `value` that have no prototype. */
  readonly bare: readonly object[];
}

/** The text, for the same version of Node; null when something in `value` is neither data nor a formal text. */
export function writeObjects(value: object): string | null {
  const writer: Writer = { copies: new Map(), texts: [], bare: [], isData: true };
  const copy = write(writer, value);
  const { texts, bare, isData } = writer;
  const written: Written = { value: copy, texts, bare };
  return isData ? serialize(written).toString('base64') : null;
}

/** What {@link writeObjects} was given. */
export function readObjects(text: string): unknown {
  const { value, texts, bare } = deserialize(Buffer.from(text, 'base64')) as Written;
  for (const text of texts) restoreFunction(text);
  for (const object of bare) Object.setPrototypeOf(object, null);
  return value;
}

interface Writer {
  readonly copies: Map<object, object>;
  readonly texts: WrittenText[];
  readonly bare: object[];
  isData: boolean;
}

function write(writer: Writer, part: unknown): unknown {
  if (typeof part === 'function' || typeof part === 'symbol') {
    writer.isData = false;
    return null;
  }
  if (typeof part !== 'object' || part === null) return part;
  return writer.copies.get(part) ?? copyOf(writer, part);
}

/** Known before its parts are written: they may mention it. */
function copyOf(writer: Writer, part: object): object {
  const known = <T extends object>(copy: T): T => {
    writer.copies.set(part, copy);
    return copy;
  };
  if (Array.isArray(part)) {
    const list = known<unknown[]>([]);
    for (const element of part) list.push(write(writer, element));
    return list;
  }
  if (part instanceof Map) {
    const map = known(new Map<unknown, unknown>());
    for (const [key, element] of part) map.set(write(writer, key), write(writer, element));
    return map;
  }
  if (part instanceof Set) {
    const set = known(new Set());
    for (const element of part) set.add(write(writer, element));
    return set;
  }
  return copyOfRecord(writer, part, known<Record<string, unknown>>({}));
}

function copyOfRecord(writer: Writer, part: object, copy: Record<string, unknown>): object {
  const prototype: unknown = Object.getPrototypeOf(part);
  if (prototype === null) writer.bare.push(copy);
  else if (prototype !== Object.prototype) writer.isData = false;
  const { offsetInSource, ...rest } = part as Partial<FormalText>;
  for (const [key, element] of Object.entries(rest)) copy[key] = write(writer, element);
  if (offsetInSource === undefined) return copy;
  const text = Object.assign(copy as Omit<WrittenText, 'offsets'>, {
    offsets: offsetsOf(rest.text ?? '', offsetInSource),
  });
  writer.texts.push(text);
  return text;
}

function offsetsOf(text: string, offsetInSource: FormalText['offsetInSource']): Offsets {
  const offsets: number[] = [];
  let difference = NaN;
  for (let offset = 0; offset <= text.length; offset++) {
    const mapped = offsetInSource(offset);
    if (mapped - offset !== difference) offsets.push(offset, mapped);
    difference = mapped - offset;
  }
  return offsets;
}

/** Puts the function in the place of its list. */
function restoreFunction(text: WrittenText & { offsetInSource?: FormalText['offsetInSource'] }): void {
  const {
    offsets,
    text: { length },
  } = text;
  text.offsetInSource = (offset) => {
    const inside = Math.max(0, Math.min(offset, length));
    let at = 0;
    while ((offsets[at + 2] ?? Infinity) <= inside) at += 2;
    return (offsets[at + 1] ?? 0) + inside - (offsets[at] ?? 0);
  };
  Reflect.deleteProperty(text, 'offsets');
}
