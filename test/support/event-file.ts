/**
 * Writes TensorBoard event files byte by byte, apart from the reader: frames, checksums and messages from their
 * specifications.
 */
export interface ScalarEvent {
  readonly step: number;
  readonly tag: string;
  readonly value: number;
  readonly wallTime: number;
  /** As `simple_value`, or as a tensor of one element. */
  readonly as?: 'simple' | 'tensor' | 'double';
}

/** Bit by bit, so that a mistake in the reader's table would show. */
export function slowCrc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function masked(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

/** One frame of TFRecord around a message. */
export function frame(data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(16 + data.length);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt(data.length), true);
  view.setUint32(8, masked(slowCrc32c(bytes.subarray(0, 8))), true);
  bytes.set(data, 12);
  view.setUint32(12 + data.length, masked(slowCrc32c(data)), true);
  return bytes;
}

function varint(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) | 0x80);
    rest = Math.floor(rest / 128);
  }
  return [...bytes, rest];
}

function float64(value: number): readonly number[] {
  return [...new Uint8Array(new Float64Array([value]).buffer)];
}

function float32(value: number): readonly number[] {
  return [...new Uint8Array(new Float32Array([value]).buffer)];
}

/** A field of wire type 2. */
function field(number: number, content: readonly number[]): readonly number[] {
  return [...varint(number * 8 + 2), ...varint(content.length), ...content];
}

function valueBytes({ value, as }: ScalarEvent): readonly number[] {
  if (as === 'tensor') return field(8, [8, 1, ...field(4, float32(value))]);
  if (as === 'double') return field(8, [8, 2, ...field(6, float64(value))]);
  return [2 * 8 + 5, ...float32(value)];
}

/** `tensorflow.Event` with a summary of one value: wall_time 1, step 2, summary 5 { value 1 { tag 1, simple_value 2, tensor 8 } }. */
export function eventMessage(event: ScalarEvent): Uint8Array {
  const tag = [...new TextEncoder().encode(event.tag)];
  const summary = field(1, [...field(1, tag), ...valueBytes(event)]);
  return Uint8Array.from([8 + 1, ...float64(event.wallTime), 2 * 8, ...varint(event.step), ...field(5, summary)]);
}

export function eventFile(events: readonly ScalarEvent[]): Uint8Array {
  const frames = events.map((event) => frame(eventMessage(event)));
  const bytes = new Uint8Array(frames.reduce((sum, one) => sum + one.length, 0));
  let at = 0;
  for (const one of frames) {
    bytes.set(one, at);
    at += one.length;
  }
  return bytes;
}
