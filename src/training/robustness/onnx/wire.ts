/** The wire format of protocol buffers: messages as lists of fields, every length checked before it is used. */
import { wrong, type Problem } from '../../../base/problem.ts';
import { ok, type Result } from '../../../base/result.ts';

/** One field of a message. Only the value of its wire type is meaningful. */
export interface Field {
  readonly number: number;
  readonly type: 'varint' | 'fixed64' | 'bytes' | 'fixed32';
  /** Of a varint: as a signed 64-bit integer; the nearest float64 of a large one. */
  readonly integer: number;
  /** The bytes of a length-delimited or fixed field; a view of the message. */
  readonly bytes: Uint8Array;
  /** Where the field starts in the file. */
  readonly offset: number;
}

/** The fields of a message that pv knows, by number. */
export type Schema = Readonly<Record<number, FieldSchema>>;

interface FieldSchema {
  readonly name: string;
  readonly type: Field['type'];
  /** May be there several times. Numbers may then be packed. */
  readonly isRepeated: boolean;
}

export const one = (name: string, type: Field['type']): FieldSchema => ({ name, type, isRepeated: false });
export const many = (name: string, type: Field['type']): FieldSchema => ({ name, type, isRepeated: true });

/** More fields than any message of a network needs; a hostile file could ask for one object per two bytes. */
const mostFields = 250_000;

const types = ['varint', 'fixed64', 'bytes', null, null, 'fixed32'] as const;
const noBytes = new Uint8Array(0);

/** The largest key of a field that protocol buffers have. Some readers cut longer ones to 32 bits. */
const largestKey = 2 ** 32 - 1;

/**
 * The fields of a message, in order. `base` is the offset of the message in the file. Fields that the schema does not have are
 * left for the caller to ignore, as readers do. One of another type, which readers ignore too, and one that is given twice, of
 * which some take the last and some merge both, are refused.
 */
export function readFields(message: Uint8Array, base: number, schema: Schema): Result<readonly Field[], Problem> {
  const fields: Field[] = [];
  const seen = new Set<number>();
  let at = 0;
  while (at < message.length) {
    const start = at;
    const key = readVarint(message, at);
    if (key === null) return cut(base + start);
    at = key.end;
    const number = Math.floor(key.low / 8);
    const type = types[key.low % 8] ?? null;
    if (type === null || number < 1 || key.low > largestKey) return malformed(base + start, key.low % 8);
    const misfit = fieldFault(schema[number], type, seen.has(number), base + start);
    if (misfit !== null) return misfit;
    seen.add(number);
    if (fields.length >= mostFields) return tooMany(base + start);
    if (type === 'varint') {
      const value = readVarint(message, at);
      if (value === null) return cut(base + start);
      at = value.end;
      fields.push({ number, type, integer: value.integer, bytes: noBytes, offset: base + start });
      continue;
    }
    let length = type === 'fixed64' ? 8 : 4;
    if (type === 'bytes') {
      const value = readVarint(message, at);
      if (value === null) return cut(base + start);
      at = value.end;
      length = value.integer;
    }
    if (!(length >= 0 && length <= message.length - at)) return beyond(base + start, length, message.length - at);
    fields.push({ number, type, integer: 0, bytes: message.subarray(at, at + length), offset: base + at });
    at += length;
  }
  return ok(fields);
}

/** What is wrong with a field that the schema has; null if nothing is. */
function fieldFault(
  known: FieldSchema | undefined,
  type: Field['type'],
  isAgain: boolean,
  offset: number,
): Result<never, Problem> | null {
  if (known === undefined) return null;
  if (type !== known.type && !(known.isRepeated && type === 'bytes')) return ofOtherType(offset, known, type);
  return known.isRepeated || !isAgain ? null : repeated(`the field '${known.name}'`, offset);
}

/** The integers of a repeated field: one, or several packed. */
export function integersOf(field: Field): Result<readonly number[], Problem> {
  if (field.type === 'varint') return ok([field.integer]);
  const values: number[] = [];
  for (let at = 0; at < field.bytes.length;) {
    const value = readVarint(field.bytes, at);
    if (value === null) return cut(field.offset + at);
    values.push(value.integer);
    at = value.end;
  }
  return ok(values);
}

interface Varint {
  /** The lowest 49 bits: all of a key. */
  readonly low: number;
  readonly integer: number;
  readonly end: number;
}

/** The text of a field; PV-8300 if it is too long for a name, or not valid UTF-8: two names could look the same. */
export function textOf({ bytes, offset }: Field): Result<string, Problem> {
  if (bytes.length <= longestText) {
    try {
      return ok(decoder.decode(bytes));
    } catch {
      // Not valid.
    }
  }
  return wrong('PV-8300', 'protobuf text', 'A name is not valid UTF-8, or longer than any name.', {
    offset,
    expected: `UTF-8 of at most ${longestText} bytes`,
    actual: `${bytes.length} bytes`,
  });
}

/** The text of the field with this number, which is given once at most; empty where it is left out. */
export function nameAt(fields: readonly Field[], number: number): Result<string, Problem> {
  const field = fields.find((one) => one.number === number);
  return field === undefined ? ok('') : textOf(field);
}

const longestText = 4096;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A varint of at most ten bytes, or null if the message ends inside it or it is longer. */
function readVarint(bytes: Uint8Array, start: number): Varint | null {
  let low = 0;
  let scale = 1;
  for (let at = start; at < bytes.length && at < start + 10; at++) {
    const byte = bytes[at] ?? 0;
    if (at < start + 7) {
      low += (byte & 127) * scale;
      scale *= 128;
    }
    if (byte < 128) return { low, integer: at < start + 7 ? low : longInteger(bytes, start, at + 1), end: at + 1 };
  }
  return null;
}

/** A varint of eight to ten bytes, as a signed integer of 64 bits. */
function longInteger(bytes: Uint8Array, start: number, end: number): number {
  let value = 0n;
  for (let at = end - 1; at >= start; at--) value = value * 128n + BigInt((bytes[at] ?? 0) & 127);
  return Number(BigInt.asIntN(64, value));
}

const cut = (offset: number): Result<never, Problem> =>
  wrong('PV-8300', 'protobuf field', 'The file ends inside a field: it was truncated, or it is not an ONNX model.', {
    offset,
  });

/** Readers disagree about which of two counts, or merge them. */
export const repeated = (what: string, offset: number): Result<never, Problem> =>
  wrong('PV-8301', 'graph', `The file has ${what} twice, so readers would disagree about it.`, { offset });

const ofOtherType = (offset: number, { name, type }: FieldSchema, actual: Field['type']): Result<never, Problem> =>
  wrong(
    'PV-8300',
    'protobuf field',
    `The field '${name}' is of another type than ONNX gives it, so readers ignore it.`,
    {
      offset,
      expected: type,
      actual,
    },
  );

const malformed = (offset: number, type: number): Result<never, Problem> =>
  wrong(
    'PV-8300',
    'protobuf field',
    'This is not a field of a protocol buffer message: the file is damaged, or it is not an ONNX model.',
    { offset, expected: 'a field number above 0 and a wire type of 0, 1, 2 or 5', actual: `wire type ${type}` },
  );

const tooMany = (offset: number): Result<never, Problem> =>
  wrong('PV-8300', 'protobuf field', `A message has more than ${mostFields} fields, more than any network needs.`, {
    offset,
  });

const beyond = (offset: number, length: number, left: number): Result<never, Problem> =>
  wrong(
    'PV-8300',
    'protobuf length',
    'A field is longer than the rest of its message: the file was truncated or damaged.',
    {
      offset,
      expected: `at most ${left} bytes`,
      actual: `${length} bytes`,
    },
  );
