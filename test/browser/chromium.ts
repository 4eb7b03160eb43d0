import { existsSync } from 'node:fs';
import process from 'node:process';
import { chromium, type Browser } from 'playwright-core';

/** Where Chromium is, or null. In CI its absence is a failure: a check that silently does not run is no check. */
export function findChromium(): string | null {
  const found = [process.env['CHROMIUM'], '/usr/bin/chromium'].find(
    (path) => path !== undefined && path !== '' && existsSync(path),
  );
  if (found === undefined && process.env['CI'])
    throw new Error('Chromium is missing: install it or set CHROMIUM to its path');
  return found ?? null;
}

export function openBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}
