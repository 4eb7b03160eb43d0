/** The report of federated rounds in Chromium: on a phone, on a screen and in print. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { visible } from '../../src/base/text.ts';
import { roundsPage } from '../../src/cli/fed/rounds-page.ts';
import { readNodeFolder } from '../../src/federated/verify/verify-round.ts';
import { good } from '../federated/nodes.ts';
import { hostileText, severalRounds } from '../federated/several-rounds.ts';
import { findChromium, openBrowser } from './chromium.ts';

const executable = findChromium();
const checks = executable === null ? withoutChromium : () => inChromium(executable);
describe('in Chromium', () => {
  checks();
});

function withoutChromium(): void {
  test('there is no Chromium: the browser checks did not run (set CHROMIUM)', () => expect(executable).toBeNull());
}

function inChromium(executablePath: string): void {
  let browser: Browser;
  let folder = '';
  beforeAll(async () => {
    browser = await openBrowser(executablePath);
    folder = mkdtempSync(join(tmpdir(), 'pv-rounds-'));
    const { host, verify } = await severalRounds();
    const folders = [good(await readNodeFolder(host, 'ada')), good(await readNodeFolder(host, 'bernd'))];
    const page = roundsPage({ folders, verdicts: await verify('ada', 'bernd'), scope: hostileText });
    writeFileSync(join(folder, 'report.html'), page);
    // The policy of the page, not only its escaping, keeps scripts from running.
    writeFileSync(
      join(folder, 'injected.html'),
      page.replace('</main>', '<script>document.title="owned"</script></main>'),
    );
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  test.each([
    ['a phone', 390, 'screen'],
    ['a screen', 1280, 'screen'],
    ['paper', 794, 'print'],
  ] as const)('on %s: no complaint, one request, nothing beyond the edge', async (_, width, media) => {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    const [complaints, requests]: [string[], string[]] = [[], []];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => requests.push(request.url()));
    await page.emulateMedia({ media });
    await page.goto(pathToFileURL(join(folder, 'report.html')).href);
    expect(complaints).toEqual([]);
    expect(requests.filter((url) => !url.startsWith('data:'))).toHaveLength(1);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await page.locator('img, script, iframe, [onerror]').count()).toBe(0);
    expect(await page.locator('.top > p').first().textContent()).toBe(visible(hostileText));
    expect(await page.title()).toBe('3 federated rounds');
    await page.close();
  });

  test('a script that got into the page would not run', async () => {
    const page = await browser.newPage();
    await page.goto(pathToFileURL(join(folder, 'injected.html')).href);
    expect(await page.title()).toBe('3 federated rounds');
    await page.close();
  });
}
