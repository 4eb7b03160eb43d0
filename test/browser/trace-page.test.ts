/** The page that checks traces and proofs, as it is built, in a real browser. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bytesToHex } from '@noble/hashes/utils.js';
import { readTrace } from '../../src/trace/format/read-trace.ts';
import { treeOf } from '../../src/trace/format/leaves.ts';
import type { Trace } from '../../src/trace/format/trace.ts';
import { encodeTrace } from '../../src/trace/format/write-trace.ts';
import { legacyProof, writeLegacyProof } from '../../src/trace/legacy/proof.ts';
import { legacyTrace } from '../../src/trace/legacy/trace.ts';
import { writeLegacyTrace } from '../../src/trace/legacy/write-trace.ts';
import { formatCheckpoint } from '../../src/notes/checkpoint.ts';
import { signText } from '../../src/notes/signer.ts';
import { makeProof } from '../../src/trace/verify/make-proof.ts';
import { ensureBuilt, repositoryRoot } from '../support/built.ts';
import { generated, signerOf, valueOf } from '../notes/signers.ts';
import { tinyModel } from '../../src/trace/model/tiny-model.ts';
import { promptText, recorded } from '../trace/verify/recorded.ts';
import { madeTrace, manifest } from '../trace/verify/traces.ts';
import { findChromium, openBrowser } from './chromium.ts';

const executable = findChromium();
const path = join(repositoryRoot, 'dist/trace/page.html');

const checks = executable === null ? withoutChromium : () => inChromium(executable);
describe('in Chromium', () => {
  checks();
});

function withoutChromium(): void {
  test('there is no Chromium: the browser checks did not run (set CHROMIUM)', () => expect(executable).toBeNull());
}

const trace = madeTrace(20);
const root = bytesToHex(treeOf(trace).root());
const proof = valueOf(makeProof(trace, 8, null));
const keysOf = (fill: number) => generated('example.com/signer', 'ed25519', new Uint8Array(32).fill(fill));
const head = { origin: 'o', size: 21, root: treeOf(trace).root(), extensions: [] };
const checkpoint = valueOf(signText(valueOf(formatCheckpoint(head)), [signerOf(keysOf(1).signerKey)], 0));
const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>\u202e';

const llama = valueOf(
  legacyTrace(
    [1, 2, 3, 4, 5].map((fill, position) => ({
      position,
      token: fill,
      text: null,
      logitsHash: new Uint8Array(32).fill(fill),
    })),
    { modelPath: hostile, prompt: 'p', steps: 5 },
  ),
);

function inChromium(executablePath: string): void {
  let browser: Browser;
  beforeAll(async () => {
    ensureBuilt();
    browser = await openBrowser(executablePath);
  });
  afterAll(() => browser.close());

  async function open(): Promise<{ page: Page; complaints: string[]; requests: string[] }> {
    const page = await browser.newPage();
    const [complaints, requests]: [string[], string[]] = [[], []];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(pathToFileURL(path).href);
    return { page, complaints, requests };
  }

  interface Given {
    readonly root?: string;
    readonly size?: number;
  }

  /** Opens a file and returns the verdict as the page shows it. */
  async function checked(page: Page, bytes: Uint8Array | string, given: Given = {}): Promise<string> {
    await page.getByLabel('Root (64 hexadecimal digits)').fill(given.root ?? '');
    await page.getByLabel('Leaves of the tree').fill(given.size === undefined ? '' : String(given.size));
    const file = { name: 'a.file', mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) };
    await page.locator('#file').setInputFiles(file);
    const verdict = page.locator('h2.verdict');
    await verdict.waitFor();
    return (await verdict.textContent()) ?? '';
  }

  /** Drags files over the place for them and drops them; whether the page took them from the browser. */
  const drop = (page: Page, files: readonly { readonly name: string; readonly text: string }[]): Promise<boolean> =>
    page.evaluate<boolean>(`(${dropped})(${JSON.stringify(files)})`);

  test('a proof against the right root is verified, and its path is drawn up to that root', async () => {
    const { page, complaints, requests } = await open();
    expect(await checked(page, proof, { root, size: 21 })).toBe(
      '✓ VERIFIED (step of position 7 and path; nothing replayed)',
    );
    expect(await page.locator('figure.path svg title').allTextContents()).toContain(root);
    expect(await page.locator('figure.path svg g.sibling').count()).toBe(5);
    expect(await page.locator('dl').textContent()).toContain('position7');
    expect([complaints, requests.length]).toEqual([[], 1]);
    await page.close();
  });

  test('a proof without a root is unanchored; with another root, or with one character changed, it fails', async () => {
    const { page } = await open();
    expect(await checked(page, proof)).toContain('? UNANCHORED');
    expect(await checked(page, proof, { root: 'ab'.repeat(32) })).toBe('✗ FAILED');
    const at = proof.indexOf('extra ') + 20;
    const tampered = `${proof.slice(0, at)}${proof[at] === 'A' ? 'B' : 'A'}${proof.slice(at + 1)}`;
    expect(await checked(page, tampered, { root, size: 21 })).toBe('✗ FAILED');
    expect(await page.locator('figure.path').count()).toBe(0);
    expect(await page.locator('section').allTextContents()).toEqual(
      expect.arrayContaining([expect.stringContaining('PV-80')]),
    );
    await page.close();
  });

  test('a yes, a no and neither have different colours, above the form', async () => {
    const { page } = await open();
    const file = await encodeTrace(trace, null);
    const colours = new Set<string>();
    for (const [given, mark] of [
      [{ root, size: 21 }, '✓ INTACT'],
      [{}, '? UNANCHORED, so not verified (intact, root self-declared'],
      [{ root: 'ab'.repeat(32) }, '✗ FAILED'],
    ] as const) {
      expect(await checked(page, file, given)).toContain(mark);
      const verdict = page.locator('h2.verdict');
      const colour = `getComputedStyle(document.body.shadowRoot.querySelector('h2.verdict')).color`;
      colours.add(await page.evaluate<string>(colour));
      const [above, form] = [await verdict.boundingBox(), await page.locator('form').boundingBox()];
      expect(above?.y).toBeLessThan(form?.y ?? 0);
    }
    expect(colours.size).toBe(3);
    await page.close();
  });

  test('the text of a trace is shown if its tokenizer is given, with the part that the prompt forced', async () => {
    const { page, complaints } = await open();
    const run = await recorded();
    await page.locator('#tokenizer').setInputFiles({
      name: 'tiny-tokenizer.bin',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(tinyModel(7).tokenizer),
    });
    await checked(page, await encodeTrace(run, null), { root: bytesToHex(run.root) });
    expect(await page.locator('p.text mark').textContent()).toBe(promptText);
    expect((await page.locator('p.text').textContent())?.length).toBeGreaterThan(promptText.length);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('a signed proof is verified by the key of its signer, and fails by that of another', async () => {
    const { page } = await open();
    const signed = valueOf(makeProof(trace, 8, checkpoint));
    const keys = page.getByLabel('Verifier keys that you trust');
    await keys.fill(keysOf(1).verifierKey);
    expect(await checked(page, signed)).toMatch(/^✓ VERIFIED \(/);
    expect(await page.locator('section').allTextContents()).toContainEqual(expect.stringMatching(/^Signed byexample/));
    await keys.fill(keysOf(2).verifierKey);
    expect(await checked(page, signed)).toBe('✗ FAILED');
    await page.close();
  });

  test('a proof that is pasted, by the keyboard alone', async () => {
    const { page } = await open();
    await page.getByLabel('or paste a proof').fill(proof);
    await page.getByLabel('Root (64 hexadecimal digits)').fill(root);
    await page.keyboard.press('Enter');
    await page.locator('h2.verdict').waitFor();
    expect(await page.locator('h2.verdict').textContent()).toMatch(/^✓ VERIFIED \(/);
    await page.close();
  });

  test('a pasted proof and checkpoint may have lost their last line end, or got more', async () => {
    const { page } = await open();
    for (const end of ['', '\n', '\n\n ']) {
      await page.getByLabel('or paste a proof').fill(proof.trimEnd() + end);
      await page.getByLabel('Checkpoint', { exact: true }).fill(checkpoint.trimEnd() + end);
      await page.getByLabel('Verifier keys that you trust').fill(keysOf(1).verifierKey);
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      await page.locator('h2.verdict').waitFor();
      expect(await page.locator('h2.verdict').textContent()).toMatch(/^✓ VERIFIED \(/);
    }
    await page.close();
  });

  test('a trace is intact against its root and names what it does not show; cut or changed it fails', async () => {
    const { page, complaints } = await open();
    const bytes = await encodeTrace(trace, null);
    expect(await checked(page, bytes, { root, size: 21 })).toBe('✓ INTACT (leaves and tree; nothing replayed)');
    expect(await page.locator('section').allTextContents()).toEqual(
      expect.arrayContaining([expect.stringContaining('nothing was replayed here')]),
    );
    await page.getByRole('button', { name: 'Path of position 3', exact: true }).click();
    await page.locator('figure.path').waitFor();
    expect(await page.locator('figure.path svg title').allTextContents()).toContain(root);
    expect(await checked(page, bytes.subarray(0, bytes.length - 30), { root })).toBe('✗ FAILED');
    const changed = bytes.slice();
    changed[bytes.length - 50] = (changed[bytes.length - 50] ?? 0) ^ 1;
    expect(await checked(page, changed, { root })).toBe('✗ FAILED');
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('a trace and a proof of llama2-rs come with the warnings of their format, hostile text as text', async () => {
    const { page, complaints } = await open();
    expect(await checked(page, writeLegacyTrace(llama), { root: bytesToHex(llama.root) })).toContain('INTACT');
    expect(await page.locator('section').allTextContents()).toEqual(
      expect.arrayContaining([expect.stringContaining('The legacy format binds neither')]),
    );
    expect(await page.locator('dl').textContent()).toContain('<img src=x');
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).toBe('Check a trace of inference');
    const one = writeLegacyProof(legacyProof(llama, 2));
    expect(await checked(page, one, { root: bytesToHex(llama.root) })).toBe(
      '? UNDETERMINED, so not verified (the path leads to the root; step, index and size not bound, nothing replayed)',
    );
    expect(await checked(page, one, { root })).toBe('✗ FAILED');
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('a manifest is shown as text: it creates no elements and runs no script', async () => {
    const { page, complaints } = await open();
    const odd: Trace = {
      ...trace,
      manifest: {
        ...manifest,
        model: { name: hostile, digest: null },
        prompt: { tokens: [1], text: hostile },
        profile: hostile,
      },
    };
    await checked(page, await encodeTrace(odd, null));
    expect(await page.locator('dl').textContent()).toContain('<img src=x onerror');
    expect(await page.locator('dl').textContent()).not.toContain('\u202e');
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.locator('script').count()).toBe(1);
    expect(await page.title()).toBe('Check a trace of inference');
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('ten thousand steps: few rows in the document, and any of them within reach', async () => {
    const { page } = await open();
    const many = { ...madeTrace(10_000), manifest: { ...manifest, vocabSize: 20_000 } };
    expect(valueOf(await readTrace(await encodeTrace(many, null))).size).toBe(10_001);
    await checked(page, await encodeTrace(many, null));
    expect(await page.locator('tbody tr').count()).toBeLessThan(80);
    expect(await page.locator('table').getAttribute('aria-rowcount')).toBe('10001');
    await page.getByLabel('Go to entry').fill('9999');
    await page.getByRole('button', { name: 'Path of position 9999' }).waitFor();
    expect(await page.locator('tbody tr').count()).toBeLessThan(80);
    await page.close();
  });

  test('the keyboard goes from row to row, also to those that were not in view', async () => {
    const { page } = await open();
    await checked(page, await encodeTrace({ ...madeTrace(300), manifest: { ...manifest, vocabSize: 600 } }, null));
    await page.getByRole('button', { name: 'Path of position 0', exact: true }).focus();
    // No faster than rows are drawn, as on a real keyboard.
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab');
      await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    }
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Path of position 60 in the tree' }).waitFor();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Path of position 59 in the tree' }).waitFor();
    await page.close();
  });

  test('a long trace leaves the page its turns while it is read', async () => {
    const { page } = await open();
    const many = { ...madeTrace(30_000), manifest: { ...manifest, vocabSize: 60_000 } };
    await page.evaluate(watched);
    await checked(page, await encodeTrace(many, null));
    const { longest, whole } = await page.evaluate<{ longest: number; whole: number }>('watched()');
    expect(longest).toBeLessThan(whole / 2);
    await page.close();
  });

  test('an empty choice and a malformed root are said in words', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    expect(await page.getByRole('alert').textContent()).toContain('Choose a file');
    await page.getByLabel('or paste a proof').fill(proof);
    await page.getByLabel('Root (64 hexadecimal digits)').fill('abc');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    expect(await page.getByRole('alert').textContent()).toContain('PV-8015');
    await page.close();
  });

  test('a malformed number weakens no demand, and any change withdraws the previous verdict', async () => {
    const { page } = await open();
    expect(await checked(page, proof, { root, size: 21 })).toMatch(/^✓ VERIFIED \(/);
    const size = page.getByLabel('Leaves of the tree');
    await size.fill('');
    await size.pressSequentially('2e');
    expect(await page.locator('.output').textContent()).toBe('');
    const file = { name: 'b.file', mimeType: 'text/plain', buffer: Buffer.from(proof) };
    await page.locator('#file').setInputFiles(file);
    await page.waitForTimeout(500);
    expect(await page.locator('.output').textContent()).toBe('');
    await page.close();
  });

  test('of two files the last is shown, whichever is read first', async () => {
    const { page } = await open();
    await page.evaluate(`{
      const read = File.prototype.arrayBuffer;
      File.prototype.arrayBuffer = async function () {
        if (this.name === 'slow.file') await new Promise((resolve) => setTimeout(resolve, 600));
        return read.call(this);
      };
    }`);
    for (const name of ['slow.file', 'quick.file']) {
      await page.locator('#file').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(proof) });
    }
    await page.waitForTimeout(1000);
    expect(await page.locator('.output').textContent()).toContain('quick.file');
    await page.close();
  });

  test('every field has a label, and text has contrast in light and in dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await open();
      await page.emulateMedia({ colorScheme });
      await checked(page, proof);
      expect(await page.evaluate(unlabelled)).toEqual([]);
      expect(Math.min(...(await page.evaluate<number[]>(contrasts)))).toBeGreaterThanOrEqual(4.5);
      await page.close();
    }
  });

  test('a file that is dropped is checked, in place of what was pasted; a text that is dropped opens nothing', async () => {
    const { page, complaints, requests } = await open();
    await page.getByLabel('Root (64 hexadecimal digits)').fill(root);
    await page.getByLabel('or paste a proof').fill('something else');
    expect(await drop(page, [{ name: 'dropped.proof', text: proof }])).toBe(true);
    const verdict = page.locator('h2.verdict');
    await verdict.waitFor();
    expect(await verdict.textContent()).toMatch(/^✓ VERIFIED \(step of position 7/);
    expect(await page.locator('.output p').first().textContent()).toContain('dropped.proof: a proof.');
    expect(await page.getByLabel('or paste a proof').inputValue()).toBe('');
    // The next one takes its place, and what is no proof is told by what it is.
    await drop(page, [{ name: 'picture.png', text: '\x89PNG\r\n' }]);
    await page.getByText('picture.png: a file.').waitFor();
    expect(await verdict.textContent()).toBe('✗ FAILED');
    expect(await page.locator('section').allTextContents()).toContainEqual(expect.stringContaining('PV-8083'));
    await drop(page, []);
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('Choose a file');
    expect([page.url(), complaints, requests.length]).toEqual([pathToFileURL(path).href, [], 1]);
    await page.close();
  });

  test('it works in a frame of another page, which shows nothing but a frame', async () => {
    const page = await browser.newPage();
    const [complaints, requests]: [string[], string[]] = [[], []];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('request', (request) => requests.push(request.url()));
    const around = join(tmpdir(), `pv-frame-${process.pid}.html`);
    const frameUrl = pathToFileURL(path).href;
    writeFileSync(
      around,
      `<!doctype html><title>around</title><iframe src="${frameUrl}" title="Check a trace" width="100%" height="800"></iframe>`,
    );
    await page.goto(pathToFileURL(around).href);
    const frame = page.frameLocator('iframe[title="Check a trace"]');
    await frame.getByLabel('Root (64 hexadecimal digits)').fill(root);
    await frame.locator('#file').setInputFiles({ name: 'a.proof', mimeType: 'text/plain', buffer: Buffer.from(proof) });
    const verdict = frame.locator('h2.verdict');
    await verdict.waitFor();
    expect(await verdict.textContent()).toMatch(/^✓ VERIFIED \(step of position 7/);
    expect(await frame.locator('figure.path svg title').allTextContents()).toContain(root);
    const box = await verdict.boundingBox();
    expect(box === null ? 0 : box.width).toBeGreaterThan(100);
    expect([await page.title(), complaints, requests.length]).toEqual(['around', [], 2]);
    await page.close();
    rmSync(around);
  });

  test('it works in any page as a module', async () => {
    const page = await browser.newPage();
    const module = readFileSync(join(repositoryRoot, 'dist/trace/checker.js'), 'utf8');
    const source = `data:text/javascript;base64,${Buffer.from(module).toString('base64')}`;
    await page.setContent(
      `<div id="place"></div><script type="module">import { mountChecker } from '${source}'; mountChecker(place);</script>`,
    );
    await page.locator('#file').waitFor();
    expect(await checked(page, proof, { root })).toMatch(/^✓ VERIFIED \(/);
    await page.close();
  });
}

/** The longest time without a turn from the choice of a file to the verdict, beside the whole. */
const watched = `{
  const turns = [];
  setInterval(() => turns.push(performance.now()), 5);
  const shadow = document.body.shadowRoot;
  let [from, to] = [0, 0];
  shadow.querySelector('#file').addEventListener('change', () => (from = performance.now()), { capture: true });
  new MutationObserver(() => {
    if (from > 0 && to === 0 && shadow.querySelector('h2.verdict')) to = performance.now();
  }).observe(shadow, { subtree: true, childList: true });
  window.watched = () => {
    const within = [from, ...turns.filter((turn) => from < turn && turn < to), to];
    return { longest: Math.max(...within.slice(1).map((turn, i) => turn - within[i])), whole: to - from };
  };
}`;

/** No file is a text that is dropped. */
const dropped = `(files) => {
  const dataTransfer = new DataTransfer();
  for (const { name, text } of files) {
    dataTransfer.items.add(new File([Uint8Array.from(text, (one) => one.charCodeAt(0))], name));
  }
  if (files.length === 0) dataTransfer.items.add('a text', 'text/plain');
  const place = document.body.shadowRoot.querySelector('.drop');
  const send = (type) => !place.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  return [send('dragover'), send('drop')].every(Boolean);
}`;

const unlabelled = `[...document.body.shadowRoot.querySelectorAll('input, textarea')]
  .filter((field) => field.labels.length === 0).map((field) => field.id)`;

/** WCAG 2.2, contrast ratio, of each text against the nearest ground behind it. */
const contrasts = `(() => {
  const numbers = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = (color) => {
    const [r, g, b] = numbers(color).map((c) => { const s = c / 255; return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const groundOf = (node) => {
    for (let at = node; at; at = at.parentElement ?? at.getRootNode().host) {
      const color = getComputedStyle(at).backgroundColor;
      if (numbers(color)[3] !== 0) return color;
    }
    return 'rgb(255, 255, 255)';
  };
  return [...document.body.shadowRoot.querySelectorAll('h1, h2, h3, p, li, label, legend, dt, dd, button, input')].map((node) => {
    const [a, b] = [light(getComputedStyle(node).color), light(groundOf(node))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  });
})()`;
