/**
 * The page and the abort window of `pv resume check`. Holds src/cli/resume/report-page.ts, src/cli/resume/abort-window.ts,
 * src/cli/html/page.ts, src/cli/html/write-page.ts.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMemoryHost, type MemoryHost } from '../../../src/host/memory-host.ts';
import { runPv, type RunOptions } from '../../support/memory-cli.ts';
import { trainerFolder, type FolderOptions } from '../../support/trainer-folder.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const row = (step: number, loss: number): string =>
  JSON.stringify({ step, loss, learning_rate: 0.001 * Math.min((step - 1) / 10, (100 - step + 1) / 90) });

/** A log of 40 steps, whose loss is `jump` higher after step 25. */
const logWith = (jump: number): string =>
  Array.from({ length: 40 }, (_, i) => row(i + 1, 2 + 0.02 * Math.sin(7 * i) + (i < 25 ? 0 : jump))).join('\n');

function hostWith(jump: number, options: FolderOptions = {}): MemoryHost {
  const host = createMemoryHost({ 'log.jsonl': logWith(jump) });
  for (const [name, bytes] of trainerFolder(options)) host.files.set(`/project/checkpoint-25/${name}`, bytes);
  return host;
}

async function page(host: MemoryHost, ...more: readonly string[]) {
  const argv = ['resume', 'check', 'checkpoint-25', '--html', 'page.html', '--log', 'log.jsonl', ...more];
  const ran = await runPv(argv, { host });
  const bytes = host.files.get('/project/page.html');
  return { ...ran, html: bytes === undefined ? '' : new TextDecoder().decode(bytes) };
}

describe('--html', () => {
  it('draws loss and learning rate across the stop, with the band, and passes', async () => {
    const { code, html } = await page(hostWith(0));
    expect(code).toBe(0);
    expect(html).toMatch(/^<!DOCTYPE html>/u);
    expect(html.match(/<svg class="chart"/gu)).toHaveLength(2);
    expect(html.match(/stop at 25/gu)).toHaveLength(2);
    expect(html.match(/class="band"/gu)).toHaveLength(1);
    expect(html).not.toContain('class="cross"');
    expect(html).not.toMatch(/<script|https?:|NaN/u);
    expect(html).toContain('@media print');
    expect(html).toContain('width=device-width');
  });

  it('crosses losses outside the band, and shows what is wrong first', async () => {
    const { code, html } = await page(hostWith(3));
    expect(code).toBe(1);
    expect(html).toContain('class="cross"');
    expect(html.indexOf('loss consistency')).toBeLessThan(html.indexOf('required files'));
    expect(html).toContain('<span class="mark">CRITICAL</span>');
  });

  it('escapes what files say, and lists what is not covered', async () => {
    const { html } = await page(hostWith(0, { settings: [['lr_scheduler_type', '<b>x</b>']] }));
    expect(html).not.toContain('<b>x</b>');
    expect(html).toContain('&lt;b&gt;');
    expect(html).toContain('data order, which needs --probe');
  });

  it('overwrites no file that is not a page', async () => {
    const host = hostWith(0);
    host.files.set('/project/page.html', bytesOf('notes'));
    expect(await page(host)).toMatchObject({ code: 2, html: 'notes' });
  });

  it('says so where there is no log', async () => {
    const host = hostWith(0);
    await runPv(['resume', 'check', 'checkpoint-25', '--html', 'page.html'], { host });
    const html = new TextDecoder().decode(host.files.get('/project/page.html'));
    expect(html).toContain('No log has a loss: pass --log.');
  });
});

describe('--interactive', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());
  const run = (options: RunOptions, ...flags: readonly string[]) =>
    runPv(['resume', 'check', 'checkpoint-25', ...flags], options);
  /** The report is printed, and the ten seconds have begun. */
  const window = (): Promise<unknown> => vi.waitUntil(() => vi.getTimerCount() > 0, { timeout: 5_000 });
  const broken = { schedulerSteps: 1 } as const;

  it('waits ten seconds on a terminal if a check fails, and then goes on', async () => {
    let isDone = false;
    const running = run({ host: hostWith(0, broken), terminal: true }, '--interactive').finally(() => (isDone = true));
    await window();
    await vi.advanceTimersByTimeAsync(9_000);
    expect(isDone).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    const ran = await running;
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('Press Ctrl+C within 10 seconds to abort');
  });

  it('stops at Ctrl+C', async () => {
    const control = new AbortController();
    const running = run({ host: hostWith(0, broken), terminal: true, signal: control.signal }, '--interactive');
    await window();
    control.abort();
    expect((await running).code).toBe(130);
  });

  it.each<readonly [string, RunOptions, FolderOptions, number]>([
    ['without a terminal', {}, broken, 1],
    ['in CI', { terminal: true, env: { CI: 'true' } }, broken, 1],
    ['if nothing is wrong', { terminal: true }, {}, 0],
  ])('never waits %s', async (_, options, folder, code) => {
    const ran = await run({ ...options, host: hostWith(0, folder) }, '--interactive');
    expect(ran.code).toBe(code);
    expect(ran.stderr).not.toContain('Ctrl+C');
  });

  it('does not wait where it was not asked to', async () => {
    expect((await run({ host: hostWith(0, broken), terminal: true })).code).toBe(1);
  });
});
