/**
 * gzip (RFC 1952) by what the platform has: zlib in Node, compression streams in browsers.
 */
import type * as Zlib from 'node:zlib';
import { concatBytes } from '@noble/hashes/utils.js';
import { plainBytes } from './plain-bytes.ts';

const zlib = globalThis.process?.getBuiltinModule?.('node:zlib');

/**
 * Header and trailer of a member, and the shortest output of deflate (RFC 1952, section 2.3; RFC 1951, section 3.2).
 */
export const leastMemberBytes = 10 + 2 + 8;

/**
 * What zlib is to take for its output at once, where about `length` bytes come: sixteen kilobytes else, which cost more
 * than to fill them.
 */
const roomFor = (length: number): number => Math.min(Math.max(64, length + 64), 65_536);

/** The bytes as one gzip member. */
export async function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  if (zlib !== undefined) return plainBytes(zlib.gzipSync(bytes, { level: 9, chunkSize: roomFor(bytes.length) }));
  return collect(bytes, new CompressionStream('gzip'), Infinity);
}

/**
 * The `length` bytes that one gzip member holds; null if it is damaged, holds others or does not end with `packed`.
 */
export async function gunzip(packed: Uint8Array, length: number): Promise<Uint8Array | null> {
  try {
    const bytes = zlib === undefined ? await gunzipByStream(packed, length) : gunzipByZlib(packed, length, zlib);
    return bytes?.length === length ? bytes : null;
  } catch {
    // Both throw for damaged data, and for nothing else that strangers' bytes can bring about.
    return null;
  }
}

function gunzipByZlib(packed: Uint8Array, length: number, { gunzipSync }: typeof Zlib): Uint8Array | null {
  // At most one byte more is ever allocated; `info` says how much was read, since zlib ignores what follows a
  // member.
  const options = { maxOutputLength: length + 1, chunkSize: roomFor(length), info: true };
  const result: unknown = gunzipSync(packed, options);
  const { buffer, engine } = result as {
    readonly buffer: Uint8Array;
    readonly engine: { readonly bytesWritten: number };
  };
  return engine.bytesWritten === packed.length ? plainBytes(buffer) : null;
}

/** In browsers, which themselves refuse bytes after the member. */
export function gunzipByStream(packed: Uint8Array, length: number): Promise<Uint8Array> {
  return collect(packed, new DecompressionStream('gzip'), length);
}

/** The output of `stream` for `bytes`, stopped as soon as it exceeds `limit`. */
async function collect(
  bytes: Uint8Array,
  stream: CompressionStream | DecompressionStream,
  limit: number,
): Promise<Uint8Array> {
  const writer = stream.writable.getWriter();
  // Its failure is the failure of reading, which is awaited below.
  const written = writer
    .write(Uint8Array.from(bytes))
    .then(() => writer.close())
    .catch(() => undefined);
  const chunks: Uint8Array[] = [];
  let total = 0;
  const reader: ReadableStreamDefaultReader<Uint8Array> = stream.readable.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    total += value.length;
    if (total > limit) {
      await reader.cancel();
      break;
    }
  }
  await written;
  return concatBytes(...chunks);
}
