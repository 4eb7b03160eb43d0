/** Writes whole files through the operations of a durable write. */
import { err, ok, type Result } from '../base/result.ts';
import type { FileProblem, Host } from './host.ts';

/** What durable writes need of a host. */
export type DurableFiles = Pick<Host, 'perform'>;

/** Large enough that calls cost little, small enough that a piece is hashed while the previous one is written. */
const PIECE_BYTES = 4 * 1024 * 1024;

/**
 * Creates a file that must not exist, writes all of `parts`, and syncs it; its name is durable once its folder is synced too.
 * `beside` gets each piece while it is being written. After a problem, the file may be there, in part.
 */
export async function writeSynced(
  { perform }: DurableFiles,
  path: string,
  parts: readonly Uint8Array[],
  { mode, beside }: { readonly mode?: number; readonly beside?: (piece: Uint8Array) => void } = {},
): Promise<Result<void, FileProblem>> {
  const created = await perform({ kind: 'create', path, ...(mode === undefined ? {} : { mode }) });
  if (!created.ok) return created;
  const written = await writeAll({ perform }, path, parts, beside);
  const synced = written.ok ? await perform({ kind: 'sync', path }) : written;
  const closed = await perform({ kind: 'close', path });
  if (!synced.ok) return synced;
  return closed.ok ? ok(undefined) : closed;
}

async function writeAll(
  { perform }: DurableFiles,
  path: string,
  parts: readonly Uint8Array[],
  beside: ((piece: Uint8Array) => void) | undefined,
): Promise<Result<void, FileProblem>> {
  for (const part of parts) {
    for (let start = 0; start < part.length;) {
      const piece = part.subarray(start, start + PIECE_BYTES);
      const writing = perform({ kind: 'write', path, bytes: piece });
      beside?.(piece);
      let took = await writing;
      // A full disk takes a part of the bytes before it refuses the rest.
      for (let done = 0; ;) {
        if (!took.ok) return took;
        if (took.value === 0) return err({ kind: 'other', path, message: 'takes no more bytes' });
        done += took.value;
        if (done >= piece.length) break;
        took = await perform({ kind: 'write', path, bytes: piece.subarray(done) });
      }
      start += piece.length;
    }
  }
  return ok(undefined);
}
