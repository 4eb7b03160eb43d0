import { fileURLToPath } from 'node:url';
import { version } from '../base/version.ts';
import { sha256 } from '../evidence/digest.ts';
import type { Host } from '../host/host.ts';

/** The module that runs checks, and the one in which plain functions run. */
export const checkEntry = new URL('./check.worker.js', import.meta.url);
export const functionEntry = new URL('./function.worker.js', import.meta.url);

/** The text of a process that knows nothing of pv: see `startBareProcess`. */
export const bareEntry = new URL('./bare.worker.js', import.meta.url);

/** The program that calls a kernel without pv: see `alone.worker.ts`. */
export const aloneEntry = new URL('./alone.worker.js', import.meta.url);

/**
 * The version of pv and of the code that runs its checks: `0.1.0+3f2a…`; only the former if there are no such modules. Evidence
 * of another build is stale, because pv also changes between releases.
 *
 * The bundler names each chunk after a hash of its text and of every chunk that it reaches, so the text of an entry, which
 * contains these names, changes with all the code that it can run, and only with that.
 */
export async function buildVersion(host: Host, entries: readonly URL[] = [checkEntry, functionEntry]): Promise<string> {
  const texts = await Promise.all(entries.map((entry) => host.readText(fileURLToPath(entry))));
  const hashes = texts.flatMap((text) => (text.ok ? [sha256(text.value)] : []));
  return hashes.length < entries.length
    ? version
    : `${version}+${sha256(hashes.join()).slice('sha256:'.length).slice(0, 12)}`;
}
