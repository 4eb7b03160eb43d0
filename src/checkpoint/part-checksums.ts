/** CRC-32 of the parts of a file whose pieces come one after the other. */
import { crc32 } from 'node:zlib';

/** Where a part is in its file. */
interface Part {
  readonly offset: number;
  readonly size: number;
}

/** The checksums of some parts, in their order, once all pieces were given to `update`. */
export interface PartChecksums {
  /** `offset` is that of the piece in the file. */
  readonly update: (offset: number, bytes: Uint8Array) => void;
  readonly values: () => readonly number[];
}

export function partChecksums(parts: readonly Part[]): PartChecksums {
  const inOrder = parts.map((part, index) => ({ ...part, index })).toSorted((a, b) => a.offset - b.offset);
  const actual = parts.map(() => 0);
  let first = 0;
  return {
    update: (offset, bytes) => {
      const end = offset + bytes.length;
      for (let i = first; i < inOrder.length; i++) {
        const part = inOrder[i];
        if (part === undefined || part.offset >= end) return;
        const stop = part.offset + part.size;
        if (stop <= offset) {
          if (i === first) first += 1;
          continue;
        }
        const piece = bytes.subarray(Math.max(0, part.offset - offset), Math.min(bytes.length, stop - offset));
        actual[part.index] = crc32(piece, actual[part.index]);
      }
    },
    values: () => actual,
  };
}
