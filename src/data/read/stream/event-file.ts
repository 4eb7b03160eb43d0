/**
 * TensorBoard event files: TFRecord frames (length, masked CRC-32C, data, masked CRC-32C) of `tensorflow.Event`.
 *
 * Scalars are `Summary.Value.simple_value`, or `tensor` of one float, double, half or integer element. Each tag is a
 * column; values of one step are one row, in whatever order a writer wrote its tags.
 */
import { normalKey } from '../log-names.ts';
import type { Findings } from './findings.ts';
import type { SeriesRows } from './series-rows.ts';
import { maskedCrc32c } from './crc32c.ts';
import { scalarOfTensor } from './tensor-scalar.ts';
import { visitFields } from './protobuf.ts';

/** Takes a file in pieces of any size; `push` returns false when no more is wanted. */
export interface EventFileReader {
  readonly push: (chunk: Uint8Array) => boolean;
  readonly end: () => void;
}

const HEADER = 12;
const FOOTER = 4;
/** Scalars take a hundred bytes; larger records are images and graphs, and are skipped. */
export const MAX_RECORD = 4 * 1024 * 1024;

/** Whether bytes start with a frame of TFRecord: a length and its checksum. */
export function startsWithFrame(bytes: Uint8Array): boolean {
  if (bytes.length < HEADER) return false;
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(8, true) === maskedCrc32c(bytes, 0, 8);
}

/** A reader that puts scalars into `rows` and reports damage by its byte offset. */
export function createEventFile(rows: SeriesRows, findings: Findings): EventFileReader {
  let held = new Uint8Array(0);
  let offset = 0;
  let stopped = false;
  /** Bytes of a large record that are still to come. */
  let passing = 0;

  /** Reads whole frames of `bytes`; returns how many bytes they took. */
  const readFrames = (bytes: Uint8Array): number => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 0;
    while (!stopped && at + HEADER <= bytes.length) {
      const length = view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
      if (view.getUint32(at + 8, true) !== maskedCrc32c(bytes, at, at + 8)) {
        damaged(
          offset + at,
          'The length of a record does not fit its checksum',
          'Nothing after it can be found; what precedes it was read.',
        );
        stopped = true;
        return at;
      }
      const next = at + HEADER + length + FOOTER;
      if (length > MAX_RECORD) {
        passing = Math.max(0, next - bytes.length);
        at = Math.min(next, bytes.length);
        continue;
      }
      if (next > bytes.length) return at;
      const data = at + HEADER;
      if (view.getUint32(data + length, true) === maskedCrc32c(bytes, data, data + length))
        readEvent(bytes, data, data + length, offset + at);
      else
        damaged(
          offset + at,
          'The data of a record do not fit their checksum',
          'The record is passed over. Copy the file again.',
        );
      at = next;
    }
    return at;
  };
  const damaged = (at: number, message: string, hint: string): void =>
    findings.atByte('PV-7027', at, message, { hint });
  const readEvent = (bytes: Uint8Array, start: number, end: number, place: number): void => {
    let step = 0;
    let wallTime = NaN;
    const summaries: { readonly start: number; readonly end: number }[] = [];
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const isMessage = visitFields(bytes, start, end, (field) => {
      if (field.number === 1 && field.type === 'fixed64') wallTime = view.getFloat64(field.start, true);
      else if (field.number === 2 && field.type === 'varint') step = field.varint;
      else if (field.number === 5 && field.type === 'bytes') summaries.push(field);
    });
    if (!isMessage)
      damaged(place, 'A record is not an event', 'The record is passed over. Is this a TensorBoard file?');
    for (const summary of summaries)
      visitFields(bytes, summary.start, summary.end, (field) => {
        if (field.number === 1 && field.type === 'bytes')
          readValue(bytes, field.start, field.end, step, wallTime, place);
      });
  };
  const readValue = (
    bytes: Uint8Array,
    start: number,
    end: number,
    step: number,
    wallTime: number,
    place: number,
  ): void => {
    let tag = '';
    let value: number | null = null;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    visitFields(bytes, start, end, (field) => {
      if (field.number === 1 && field.type === 'bytes')
        tag = new TextDecoder().decode(bytes.subarray(field.start, field.end));
      else if (field.number === 2 && field.type === 'fixed32') value = view.getFloat32(field.start, true);
      else if (field.number === 8 && field.type === 'bytes') value = scalarOfTensor(bytes, field.start, field.end);
    });
    if (tag === '' || normalKey(tag) === '') return;
    if (value === null) rows.putText(tag);
    else if (!rows.put(tag, step, value, wallTime, place)) stopped = true;
  };
  return {
    push: (chunk) => {
      const passed = Math.min(passing, chunk.length);
      passing -= passed;
      offset += passed;
      const bytes = joined(held, chunk.subarray(passed));
      const taken = readFrames(bytes);
      held = bytes.slice(taken);
      offset += taken;
      return !stopped;
    },
    end: () => {
      if ((held.length > 0 || passing > 0) && !stopped)
        findings.atByte('PV-7020', offset, 'The last record is cut off: the file ends within it', {
          hint: 'The run was stopped while it wrote, or is still running. The record is not read. --allow-cut if that is expected.',
        });
    },
  };
}

function joined(held: Uint8Array, chunk: Uint8Array): Uint8Array {
  if (held.length === 0) return chunk;
  const bytes = new Uint8Array(held.length + chunk.length);
  bytes.set(held);
  bytes.set(chunk, held.length);
  return bytes;
}
