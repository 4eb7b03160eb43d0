/** SHA-256 of a file of any size, in bounded memory: the next piece is read while the last one is hashed. */
import { createHash } from 'node:crypto';
import { ok, type Result } from '../base/result.ts';
import type { Problem } from '../base/problem.ts';
import type { ByteSource } from './byte-source.ts';

const pieceBytes = 1024 ** 2;

/** In hexadecimal. `observe` sees every piece too, in order. */
export async function sha256Of(
  { size, read }: ByteSource,
  observe?: (offset: number, bytes: Uint8Array) => void,
): Promise<Result<string, Problem>> {
  const hash = createHash('sha256');
  const pieceAt = (at: number): ReturnType<typeof read> => read(at, Math.min(pieceBytes, size - at));
  let next = pieceAt(0);
  for (let at = 0; at < size; at += pieceBytes) {
    const piece = await next;
    if (!piece.ok) return piece;
    if (at + pieceBytes < size) next = pieceAt(at + pieceBytes);
    hash.update(piece.value);
    observe?.(at, piece.value);
  }
  return ok(hash.digest('hex'));
}
