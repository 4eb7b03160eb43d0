/** A file of a checkpoint whose parts are read where they are needed. */
import { asClause } from '../host/file-problem.ts';
import { wrong, type Problem } from '../base/problem.ts';
import { ok, type Result } from '../base/result.ts';
import type { OpenFile } from '../host/host.ts';

/** Reads parts of a file. */
export interface ByteSource {
  /** In bytes. */
  readonly size: number;
  /** The bytes from `offset`, in the beginning of `into` if that is given; PV-8502 if the file cannot be read. */
  readonly read: (offset: number, length: number, into?: Uint8Array) => Promise<Result<Uint8Array, Problem>>;
}

/** An open file as a source. */
export function byteSource({ size, read }: OpenFile): ByteSource {
  return {
    size,
    read: async (offset, length, into) => {
      const bytes = await read(offset, length, into);
      return bytes.ok
        ? bytes
        : wrong('PV-8502', 'file', `The file cannot be read: ${asClause(bytes.error)}.`, { offset });
    },
  };
}

/** A part of a source, as a source; what asks for more than the part gets a problem. */
export const sliceOf = (source: ByteSource, start: number, size: number): ByteSource => ({
  size,
  read: async (offset, length) =>
    offset < 0 || offset + length > size
      ? wrong('PV-8502', 'file', `A part of the file ends after ${size} bytes.`, { offset: start + size })
      : source.read(start + offset, length),
});

/** Bytes in memory as a source. */
export const memorySource = (bytes: Uint8Array): ByteSource =>
  sliceOf(
    { size: bytes.length, read: async (offset, length) => ok(bytes.subarray(offset, offset + length)) },
    0,
    bytes.length,
  );
