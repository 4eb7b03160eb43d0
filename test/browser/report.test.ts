import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { visible } from '../../src/base/text.ts';
import { isGreen, verdicts } from '../../src/evidence/verdict.ts';
import { formatReport } from '../../src/report/formats.ts';
import type { Report } from '../../src/report/report.ts';
import { everyVerdict, hostileText, largeReport, nothing, samples } from '../report/sample-reports.ts';
import { findChromium, openBrowser } from './chromium.ts';

const executable = findChromium();
const mermaidPath = 'node_modules/mermaid/dist/mermaid.min.js';

// Registered one way or the other, so that no check is counted as skipped.
const checks = executable === null ? withoutChromium : () => inChromium(executable);
describe('in Chromium', () => {
  checks();
});

function withoutChromium(): void {
  test('there is no Chromium: the browser checks did not run (set CHROMIUM)', () => expect(executable).toBeNull());
}

function inChromium(executablePath: string): void {
  let browser: Browser;
  let directory = '';
  beforeAll(async () => {
    browser = await openBrowser(executablePath);
    directory = mkdtempSync(join(tmpdir(), 'pv-browser-'));
  });
  afterAll(async () => {
    await browser.close();
    rmSync(directory, { recursive: true });
  });

  interface Opened {
    readonly page: Page;
    readonly complaints: readonly string[];
    readonly requests: readonly string[];
  }

  async function open(report: Report, width = 1280): Promise<Opened> {
    const file = join(directory, 'report.html');
    writeFileSync(file, await formatReport('html', report));
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    const [complaints, requests]: [string[], string[]] = [[], []];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('dialog', (dialog) => void complaints.push(`dialog: ${dialog.message()}`));
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(pathToFileURL(file).href);
    return { page, complaints, requests };
  }

  describe('the HTML report', () => {
    test.each([...samples, ['large', largeReport(150)] as const])(
      '%s: no complaint, one request, no sideways scrolling on a phone',
      async (_, report) => {
        for (const width of [390, 1280]) {
          const { page, complaints, requests } = await open(report, width);
          expect(complaints).toEqual([]);
          expect(requests.filter((url) => !url.startsWith('data:'))).toHaveLength(1);
          expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
          await page.close();
        }
      },
    );

    test('hostile text is text: no element, handler or link comes of it', async () => {
      const { page, complaints } = await open(everyVerdict);
      expect(
        await page.locator('img, iframe, object, embed, script:not(:last-of-type), [onerror], [onclick]').count(),
      ).toBe(0);
      expect(await page.locator('script').count()).toBe(1);
      for (const href of await page.locator('a').evaluateAll((links) => links.map((link) => link.getAttribute('href'))))
        expect(href).toMatch(/^#n\d+(?:-\d+)?$/);
      expect(await page.locator('.card h3').allTextContents()).toContain(`? undetermined odd ${visible(hostileText)}`);
      expect(complaints).toEqual([]);
      await page.close();
    });

    test('a script that got into the page would not run', async () => {
      const file = join(directory, 'injected.html');
      writeFileSync(
        file,
        (await formatReport('html', everyVerdict)).replace(
          '</main>',
          '<script>document.title="owned"</script><img src="x" onerror="document.title=1"></main>',
        ),
      );
      const page = await browser.newPage();
      await page.goto(pathToFileURL(file).href);
      expect(await page.title()).toContain('gate FAILED');
      await page.close();
    });

    test('the drawing: readable labels inside their boxes, an arrowhead per edge', async () => {
      const { page } = await open(largeReport(150));
      const sizes: { size: number; inside: boolean }[] =
        await page.evaluate(`[...document.querySelectorAll('.node text')].map((text) => {
        const box = text.parentElement.querySelector('rect').getBoundingClientRect();
        const own = text.getBoundingClientRect();
        return { size: Number.parseFloat(getComputedStyle(text).fontSize), inside: own.left >= box.left && own.right <= box.right };
      })`);
      expect(sizes.length).toBeGreaterThan(100);
      expect(sizes.filter(({ size, inside }) => size < 11 || !inside)).toEqual([]);
      const edges = await page.locator('.edge').count();
      expect(edges).toBe(largeReport(150).edges.length);
      expect(await page.locator('.edge[marker-end="url(#arrow)"]').count()).toBe(edges);
      await page.close();
    });

    test('pointing at a contract, or reaching it by keyboard, lights up what it rests on and what rests on it', async () => {
      const { page } = await open(everyVerdict);
      const lit = (): Promise<(string | null)[]> =>
        page.locator('.node.lit').evaluateAll((nodes) => nodes.map((node) => node.getAttribute('data-key')));
      await page.locator('.node[data-key=n0]').hover();
      expect(await lit()).toEqual(['n0', 'n1']);
      await page.mouse.move(0, 0);
      expect(await page.locator('svg.picking').count()).toBe(0);
      await page.locator('a.node[data-key=n1]').focus();
      expect(await lit()).toEqual(['n0', 'n1', 'n4']);
      await page.keyboard.press('Escape');
      expect(await page.locator('svg.picking').count()).toBe(0);
      await page.close();
    });

    test('filters by verdict and name, and says how many are shown', async () => {
      const { page } = await open(everyVerdict);
      const cards = (): Promise<number> => page.locator('.card:visible').count();
      expect(await cards()).toBe(4);
      await page.getByRole('button', { name: 'stale' }).press('Enter');
      expect([await cards(), await page.locator('.claim:visible').count()]).toEqual([1, 1]);
      expect(await page.locator('output').textContent()).toBe('1 of 4 contracts');
      await page.getByRole('button', { name: 'stale' }).click();
      await page.getByRole('searchbox').fill('MATMUL');
      expect(await cards()).toBe(1);
      await page.close();
    });

    test('a link to a claim unfolds its card, also past a filter', async () => {
      const { page } = await open(everyVerdict);
      await page.getByRole('searchbox').fill('softmax');
      await page.evaluate('location.hash = "n1-0"');
      await page.locator('#n1-0').waitFor({ state: 'visible' });
      expect(await page.getByRole('searchbox').inputValue()).toBe('');
      await page.close();
    });

    test('a command is copied', async () => {
      const { page } = await open(everyVerdict);
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.locator('.copy').first().click();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
        'pv verify contracts/softmax-kernel-v1.yaml --only SM-INV-001 --seed 7',
      );
      await page.close();
    });

    test('every control has a name, and no verdict is conveyed by colour alone', async () => {
      const { page } = await open(everyVerdict);
      for (const control of await page.locator('a, button, input, [tabindex]').all())
        expect(await control.evaluate((element) => element.getAttribute('aria-label') ?? element.textContent)).not.toBe(
          '',
        );
      const cells = await page.locator('.card').first().locator('.cell').allTextContents();
      // Wrong kernels survive in this contract: what held in it has the mark of what is incomplete.
      const marks = verdicts.map((verdict) => (isGreen(verdict) ? 'incomplete' : verdict));
      expect(new Set(cells).size).toBe(new Set(marks).size);
      await page.close();
    });

    test('equations are drawn as MathML, or shown as text', async () => {
      const { page } = await open(everyVerdict);
      expect(await page.locator('math mfrac').count()).toBe(1);
      expect(await page.locator('.equation pre').count()).toBe(2);
      await page.close();
    });

    test('is readable without scripts', async () => {
      const context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await page.setContent(await formatReport('html', everyVerdict));
      expect(await page.locator('.card:visible').count()).toBe(4);
      await page.locator('.card summary').nth(1).click();
      expect(await page.locator('#n1-0').isVisible()).toBe(true);
      await context.close();
    });
  });

  describe('Mermaid itself', () => {
    async function draw(
      report: Report,
    ): Promise<{ readonly nodes: readonly string[]; readonly edges: number; readonly scripts: number }> {
      const page = await browser.newPage();
      await page.setContent('<div id="target"></div>');
      await page.addScriptTag({ content: readFileSync(mermaidPath, 'utf8') });
      const source = JSON.stringify(await formatReport('mermaid', report));
      await page.evaluate(
        `mermaid.initialize({ startOnLoad: false }); mermaid.render('graph', ${source}).then(({ svg }) => { document.querySelector('#target').innerHTML = svg; })`,
      );
      const nodes = await page.locator('#target .node').allTextContents();
      const edges = await page.locator('#target .flowchart-link').count();
      const scripts = await page.locator('#target script, #target img, #target [onerror]').count();
      await page.close();
      return { nodes, edges, scripts };
    }

    test.each([...samples, ['large', largeReport(150)] as const])(
      '%s: draws every node and edge',
      async (_, report) => {
        const drawn = await draw(report);
        const missing = new Set(report.edges.filter((edge) => edge.missing).map(({ to }) => to)).size;
        expect(drawn.nodes).toHaveLength(Math.max(1, report.contracts.length + missing));
        expect(drawn.edges).toBe(report.edges.length);
      },
    );

    test('any name arrives as it is', async () => {
      const drawn = await draw(everyVerdict);
      expect(drawn.nodes.map((text) => text.replaceAll('\u2060', ''))).toContainEqual(
        expect.stringContaining(`odd ${visible(hostileText)}`),
      );
      expect(drawn.scripts).toBe(0);
      expect((await draw(nothing)).nodes[0]).toContain('nothing was verified');
    });
  });

  test.each(samples)('%s: the JUnit file is well-formed XML to a browser', async (_, report) => {
    const page = await browser.newPage();
    const xml = JSON.stringify(await formatReport('junit', report));
    expect(
      await page.evaluate(
        `new DOMParser().parseFromString(${xml}, 'application/xml').querySelector('parsererror')?.textContent ?? null`,
      ),
    ).toBeNull();
    await page.close();
  });
}
