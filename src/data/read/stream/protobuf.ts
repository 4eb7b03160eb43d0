/**
 * Fields of one protocol buffer message in wire format (protobuf.dev/programming-guides/encoding), without a schema.
 */

/** `bytes` ranges refer to the message's own array; numbers are what their wire type says. */
export interface WireField {
  readonly number: number;
  readonly type: 'varint' | 'fixed64' | 'bytes' | 'fixed32';
  /** Of a varint; exact to 2^53. */
  readonly varint: number;
  /** Where the content of the other types lies. */
  readonly start: number;
  readonly end: number;
}

/** Visits every field of `[start, end)`; false if the bytes are not a message. */
export function visitFields(bytes: Uint8Array, start: number, end: number, visit: (field: WireField) => void): boolean {
  let at = start;
  const cursor = { at: 0, value: 0 };
  const varint = (): boolean => {
    if (!readVarint(bytes, at, end, cursor)) return false;
    at = cursor.at;
    return true;
  };
  while (at < end) {
    if (!varint()) return false;
    const number = Math.floor(cursor.value / 8);
    const wire = cursor.value % 8;
    if (number === 0) return false;
    if (wire === 0) {
      if (!varint()) return false;
      visit({ number, type: 'varint', varint: cursor.value, start: at, end: at });
      continue;
    }
    if (wire !== 1 && wire !== 2 && wire !== 5) return false;
    if (wire === 2 && !varint()) return false;
    const length = wire === 1 ? 8 : wire === 5 ? 4 : cursor.value;
    if (at + length > end) return false;
    visit({
      number,
      type: wire === 1 ? 'fixed64' : wire === 2 ? 'bytes' : 'fixed32',
      varint: 0,
      start: at,
      end: at + length,
    });
    at += length;
  }
  return true;
}

/** Seven bits a byte, least significant first, at most ten bytes. Negative int64 values become large positive ones. */
function readVarint(bytes: Uint8Array, from: number, end: number, into: { at: number; value: number }): boolean {
  let value = 0;
  let scale = 1;
  for (let at = from; at < end && at < from + 10; at++) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * scale;
    scale *= 128;
    if (byte < 0x80) {
      into.at = at + 1;
      into.value = value;
      return true;
    }
  }
  return false;
}
