/** An adapter whose tensors are read in parts, so that a round of large adapters fits in little memory. */
import { err, ok, type Result } from '../../base/result.ts';
import { float32Numbers } from '../../tensors/float32-bytes.ts';
import { readSafetensorsHeader, safetensorsDataStart, type SafetensorsHeader } from '../../tensors/safetensors.ts';

/** Bytes that are read where they are needed: a file, a blob of a store, or bytes in memory. */
export interface ByteReader {
  /** In bytes. */
  readonly size: number;
  /** The bytes from `offset`, in the beginning of `into` if that is given; an error says why they cannot be read. */
  readonly read: (
    offset: number,
    length: number,
    into?: Uint8Array,
  ) => Promise<Result<Uint8Array, { readonly message: string }>>;
}

/** An adapter that was opened. */
export interface AdapterReader {
  readonly tensors: SafetensorsHeader['tensors'];
  /** `count` elements of an F32 tensor from element `first`, in `into` (4·count bytes, aligned) or as a view of the source. */
  readonly read: (
    name: string,
    first: number,
    count: number,
    into: Uint8Array,
  ) => Promise<Result<Float32Array, string>>;
}

/** Bytes in memory as a reader; what it gives are views. */
export const readerOf = (bytes: Uint8Array): ByteReader => ({
  size: bytes.length,
  read: async (offset, length) =>
    offset >= 0 && offset + length <= bytes.length
      ? ok(bytes.subarray(offset, offset + length))
      : err({ message: `bytes ${offset} to ${offset + length} are outside the ${bytes.length} that there are` }),
});

/** Opens the safetensors file of an adapter: reads its header. An error says what is malformed or cannot be read. */
export async function openAdapter(source: ByteReader): Promise<Result<AdapterReader, string>> {
  const first = await source.read(0, Math.min(8, source.size));
  if (!first.ok) return err(first.error.message);
  const start = safetensorsDataStart(first.value, source.size);
  if (!start.ok) return err(start.error.message);
  const text = await source.read(8, start.value - 8);
  if (!text.ok) return err(text.error.message);
  const header = readSafetensorsHeader(text.value, source.size);
  if (!header.ok) return err(header.error.message);
  const { tensors, dataStart } = header.value;
  return ok({
    tensors,
    read: async (name, first, count, into) => {
      const place = tensors.get(name);
      if (place === undefined || place.dtype !== 'F32') return err(`it has no F32 tensor ${name}`);
      const bytes = await source.read(dataStart + place.start + 4 * first, 4 * count, into);
      return bytes.ok ? ok(float32Numbers(bytes.value)) : err(bytes.error.message);
    },
  });
}
