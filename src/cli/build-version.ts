import { fileURLToPath } from 'node:url';
import { version } from '../base/version.ts';
import { sha256 } from '../evidence/digest.ts';
import type { Host } from '../host/host.ts';

/** The module that runs checks. */
export const checkEntry = new URL('./check.worker.js', import.meta.url);

/**
 * The version of pv and of the code that runs its checks: `0.1.0+3f2a…`; without the second where there is no such module.
 * Evidence of another build is stale, because pv changes between two releases, too.
 *
 * The bundler names each chunk after a hash of its text and of every chunk that it reaches, so the text of the entry, which
 * names its chunks, changes with all that a check can run, and with nothing else.
 */
export async function buildVersion(host: Host, entry: URL = checkEntry): Promise<string> {
  const text = await host.readText(fileURLToPath(entry));
  return text.ok ? `${version}+${sha256(text.value).slice('sha256:'.length).slice(0, 12)}` : version;
}
