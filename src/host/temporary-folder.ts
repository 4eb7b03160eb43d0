/** A folder for the temporary files of what is started, which cannot remove them when it is ended. */
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder among the system's temporary files; null where none can be made. */
export function temporaryFolder(): string | null {
  try {
    return mkdtempSync(join(tmpdir(), 'pv-thread-'));
  } catch (problem) {
    if (problem instanceof Error && 'code' in problem) return null;
    throw problem;
  }
}

/** Removes it, to which processes that are ending may still write. What cannot be removed is left to the system. */
export async function removeTemporary(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  } catch (problem) {
    if (!(problem instanceof Error && 'code' in problem)) throw problem;
  }
}
