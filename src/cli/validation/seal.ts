/**
 * The secret that remembered answers are sealed with.
 *
 * A cache stands in the project, and a project may come from anybody: without a seal its author could send along the
 * answer that all is well. The secret stands in the user's own cache folder, where no project can have put it.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { isAbsolute, join, resolve } from 'node:path';
import { isUnder } from '../../host/contained-path.ts';
import type { Host } from '../../host/host.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The user's secret, made at its first use; null where the user has no folder for it outside of the project. */
export async function sealOf(host: Host, env: Env): Promise<string | null> {
  const folder = cacheFolder(env);
  if (folder === null) return null;
  const path = join(folder, 'pv', 'validate.key');
  if (isUnder(resolve(host.root), path)) return null;
  const known = await host.readText(path, { maxBytes: 1000 });
  if (known.ok && /^[0-9a-f]{64}$/.test(known.value)) return known.value;
  const made = randomBytes(32).toString('hex');
  return (await host.writeFileAtomic(path, made)).ok ? made : null;
}

/** Where programs keep what they can do without (XDG Base Directory Specification; %LOCALAPPDATA% on Windows). */
function cacheFolder(env: Env): string | null {
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: local, HOME: home } = env;
  const folder = [xdg, local, home && join(home, '.cache')].find((path) => path !== undefined && isAbsolute(path));
  return folder ?? null;
}

/** What only who knows `seal` can say of `text` (HMAC-SHA-256, RFC 2104), in lower-case hexadecimal. */
export function sealed(seal: string, text: string): string {
  return createHmac('sha256', seal).update(text).digest('hex');
}
