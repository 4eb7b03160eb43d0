import { isAbsolute, join, resolve } from 'node:path';
import { isUnder } from '../host/contained-path.ts';
import type { Host } from '../host/host.ts';

/** Environment variables by name, as in `process.env`. */
export type Env = Readonly<Record<string, string | undefined>>;

/**
 * pv's folder in the user's cache (XDG Base Directory Specification; %LOCALAPPDATA% on Windows); null if there is none, or only
 * one inside the project, which may have come from anyone.
 */
export function userFolder(host: Host, { XDG_CACHE_HOME: xdg, LOCALAPPDATA: local, HOME: home }: Env): string | null {
  const folder = [xdg, local, home && join(home, '.cache')].find((path) => path !== undefined && isAbsolute(path));
  if (folder === undefined) return null;
  const own = join(folder, 'pv');
  return isUnder(resolve(host.root), own) ? null : own;
}
