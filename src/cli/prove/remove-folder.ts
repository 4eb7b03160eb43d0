import { join } from 'node:path';
import type { Host } from '../../host/host.ts';

/** Removes a folder that pv created and everything in it. Links are removed, never followed. */
export async function removeFolder(host: Host, folder: string): Promise<void> {
  const entries = await host.list(folder);
  if (!entries.ok) return;
  for (const { name, kind } of entries.value) {
    const path = join(folder, name);
    if (kind === 'directory') await removeFolder(host, path);
    else await host.remove(path);
  }
  await host.removeEmptyFolder(folder);
}
