/** Where Chromium is on this machine, and what comes with it. */
import { dirname } from 'node:path';

/** Where to start a Chromium, in the words of Playwright's `launch`. */
export interface ChromiumPlace {
  readonly executablePath?: string;
  /** A browser that its vendor installs at a fixed place. */
  readonly channel?: string;
}

/** The variable of the environment that names the Chromium to use; then no other is tried. */
const named = (): string | null => {
  const path = process.env['CHROMIUM'];
  return path === undefined || path === '' ? null : path;
};

/** What to start, the best first. */
export function chromiumPlaces(): readonly ChromiumPlace[] {
  const path = named();
  return path === null
    ? [{ executablePath: '/usr/bin/chromium' }, { channel: 'chrome' }, { channel: 'msedge' }]
    : [{ executablePath: path }];
}

/** A place in words. */
export function placeName({ executablePath, channel }: ChromiumPlace): string {
  return executablePath ?? channel ?? '';
}

/** Folders that may hold Chromium's own Vulkan driver (SwiftShader) and loader. */
export function chromiumFolders(): readonly string[] {
  const path = named();
  return [...(path === null ? [] : [dirname(path)]), '/usr/lib/chromium'];
}
