import { utf8ToBytes } from '@noble/hashes/utils.js';
import { dirname } from 'node:path';
import { err, ok, type Result } from '../../base/result.ts';
import type { FileOperation, FileProblem, Host } from '../../host/host.ts';
import { writeSynced } from '../../host/write-synced.ts';
import { inside } from './layout.ts';

/** Makes a folder and its parents durably. */
export async function makeFolder(host: Host, folder: string): Promise<Result<void, FileProblem>> {
  if ((await host.kindOf(folder)) !== 'missing') return ok(undefined);
  const parent = dirname(folder);
  const above = parent === folder ? ok(undefined) : await makeFolder(host, parent);
  if (!above.ok) return above;
  const made = await host.perform({ kind: 'make-folder', path: folder });
  // Another process may have been faster.
  if (!made.ok && made.error.kind !== 'exists') return made;
  const synced = await host.perform({ kind: 'sync-folder', path: parent });
  return synced.ok ? ok(undefined) : synced;
}

/** The file of {@link tryOperations}. */
export const probeName = '.probe';

/**
 * Tries every operation of a save in a folder: it fails where nothing can be written, and where a file system cannot rename or sync.
 * Better before the first hour of training than after it.
 */
export async function tryOperations(host: Host, folder: string): Promise<Result<void, FileProblem>> {
  const [probe, renamed] = [inside(folder, probeName), inside(folder, `${probeName}-renamed`)];
  const written = await writeSynced(host, probe, [utf8ToBytes('provable-contracts')]);
  const rest: readonly (readonly [FileOperation, string])[] = [
    [{ kind: 'rename', from: probe, to: renamed }, 'renaming a file failed'],
    [{ kind: 'sync-folder', path: folder }, 'syncing a folder failed, without which no checkpoint is durable'],
    [{ kind: 'remove', path: renamed }, 'removing a file failed'],
  ];
  let failure: FileProblem | null = written.ok ? null : written.error;
  for (const [operation, why] of rest) {
    if (failure !== null) break;
    const done = await host.perform(operation);
    if (!done.ok) failure = { ...done.error, message: `${done.error.message} (${why})` };
  }
  if (failure === null) return ok(undefined);
  for (const path of [probe, renamed]) await host.perform({ kind: 'remove', path });
  return err(failure);
}
