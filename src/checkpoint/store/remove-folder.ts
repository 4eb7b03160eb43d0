import { ok, type Result } from '../../base/result.ts';
import type { FileProblem, Host } from '../../host/host.ts';
import { inside } from './layout.ts';

/** Removes a folder of files. A missing one is not an error, and a link in it is removed itself. */
export async function removeFolder(host: Host, folder: string): Promise<Result<void, FileProblem>> {
  const listed = await host.list(folder);
  if (!listed.ok) return listed.error.kind === 'missing' ? ok(undefined) : listed;
  for (const { name } of listed.value) {
    const removed = await host.perform({ kind: 'remove', path: inside(folder, name) });
    if (!removed.ok && removed.error.kind !== 'missing') return removed;
  }
  const removed = await host.perform({ kind: 'remove-folder', path: folder });
  return removed.ok || removed.error.kind === 'missing' ? ok(undefined) : removed;
}
