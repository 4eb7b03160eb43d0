/**
 * The secret that evidence is sealed with.
 *
 * Evidence is stored in the project, and a project may come from anyone: without a seal its author could include forged
 * evidence. The secret is in the user's own cache folder, which no project can write to.
 */
import { join } from 'node:path';
import type { Host } from '../host/host.ts';
import { userFolder, type Env } from './user-folder.ts';

/** The user's secret, created on first use; null if the user has no folder for it outside the project. */
export async function sealOf(host: Host, env: Env): Promise<string | null> {
  const folder = userFolder(host, env);
  if (folder === null) return null;
  const path = join(folder, 'validate.key');
  const known = await readKey(host, path);
  if (known !== null) return known;
  const made = crypto().randomBytes(32).toString('hex');
  if (!(await host.writeFileAtomic(path, made, { secret: true })).ok) return null;
  // Another process may write one at the same time; the last one written counts.
  return readKey(host, path);
}

async function readKey(host: Host, path: string): Promise<string | null> {
  const text = await host.readText(path, { maxBytes: 1000 });
  return text.ok && /^[0-9a-f]{64}$/.test(text.value) ? text.value : null;
}

/** Loaded on demand: `pv --help` needs no seal, and this module is in bin.js. */
const crypto = () => process.getBuiltinModule('node:crypto');
