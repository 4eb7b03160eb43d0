/** A file that is read from its start to its end, and whose digest is compared when all of it was read. */
import { err, ok, type Result } from '../../base/result.ts';
import type { Host } from '../../host/host.ts';
import { sha256Stream } from '../../merkle/sha256.ts';
import type { ListedFile } from './manifest.ts';

/** Such a file, open. */
export interface HashedFile {
  /** In bytes. */
  readonly size: number;
  /** The next `length` bytes, in a buffer of their own. */
  readonly take: (length: number) => Promise<Result<Uint8Array, string>>;
  /** What `read` returns, if it has read the whole file and the digest is the listed one. */
  readonly verified: <T>(read: () => Promise<Result<T, string>>) => Promise<Result<T, string>>;
  readonly close: () => Promise<void>;
}

const PIECE_BYTES = 4 * 1024 * 1024;

/** Opens a file of the listed size; an error names what is wrong with it. */
export async function openHashed(
  host: Host,
  path: string,
  { name, bytes, sha256 }: ListedFile,
): Promise<Result<HashedFile, string>> {
  const opened = await host.openFile(path);
  if (!opened.ok) return err(`${name} ${opened.error.message}`);
  const { size, read, close } = opened.value;
  if (size !== bytes) {
    await close();
    return err(`${name} has ${size} bytes; ${bytes} were written`);
  }
  const hash = sha256Stream();
  let at = 0;
  return ok({
    size,
    async take(length) {
      const taken = new Uint8Array(length);
      for (let filled = 0; filled < length;) {
        const piece = await read(at, Math.min(PIECE_BYTES, length - filled));
        if (!piece.ok) return err(`${name} ${piece.error.message}`);
        hash.update(piece.value);
        taken.set(piece.value, filled);
        filled += piece.value.length;
        at += piece.value.length;
      }
      return ok(taken);
    },
    async verified(action) {
      const result = await action();
      // A damaged file may also be malformed; that it is damaged says more, so the rest is read for its digest.
      while (at < size) {
        const piece = await read(at, Math.min(PIECE_BYTES, size - at));
        if (!piece.ok) return err(`${name} ${piece.error.message}`);
        hash.update(piece.value);
        at += piece.value.length;
      }
      return hash.hex() === sha256 ? result : err(`the SHA-256 of ${name} is not the one in manifest.json`);
    },
    close,
  });
}
