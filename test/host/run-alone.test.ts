/** Holds src/host/run-alone.ts. */
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { runAlone, type AloneEnd } from '../../src/host/run-alone.ts';

const ran = (main: string, timeoutMs = 20_000): Promise<AloneEnd> =>
  runAlone({
    files: { 'main.mjs': main, 'src/given.mjs': 'export const given = 7;\n' },
    main: 'main.mjs',
    result: 'left',
    cwd: tmpdir(),
    memoryMb: 200,
    timeoutMs,
  });

const head = `import { writeFileSync, symlinkSync, mkdirSync } from 'node:fs';
import { given } from './src/given.mjs';
const left = new URL('left', import.meta.url);
`;
const leave = `${head}const write = (text) => writeFileSync(left, text);\n`;

const temporary = process.env['TMPDIR'];
afterEach(() => {
  if (temporary === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = temporary;
});

describe('a program alone', () => {
  it('runs its files without flags, arguments, pipes and listeners, and its folder is removed', async () => {
    const end = await ran(
      `${leave}write(JSON.stringify([given, process.execArgv, process.argv.length, process.channel ?? null, process.eventNames(), process.cwd(), import.meta.url]));`,
    );
    expect(end.ok).toBe(true);
    const [given, flags, count, channel, events, folder, url] = JSON.parse(
      Buffer.from(end.ok ? end.bytes : []).toString(),
    );
    expect([given, flags, count, channel, folder]).toEqual([7, [], 2, null, tmpdir()]);
    expect(events).not.toContain('unhandledRejection');
    expect(existsSync(new URL('.', url))).toBe(false);
  });

  it('counts when it has left its result, however it ends', async () => {
    expect(await ran(`${leave}write('a'); process.kill(process.pid, 'SIGKILL');`)).toMatchObject({ ok: true });
    expect(await ran(`${leave}write('a'); throw new Error('late');`)).toMatchObject({ ok: true });
  });

  it.each([
    ['nothing', `${head}process.exit(7);`, 'it ended its process with code 7'],
    ['a link', `${head}symlinkSync('/dev/zero', left);`, 'it ended its process with code 0'],
    ['a folder', `${head}mkdirSync(left);`, 'it ended its process with code 0'],
    [
      'an error',
      `${head}process.kill(process.pid, 'SIGTERM'); setInterval(() => 0, 1000);`,
      'its process was ended by SIGTERM',
    ],
    [
      'all memory',
      `${head}for (const all = []; ; ) all.push(new Float64Array(1e6).fill(1));`,
      'it used more than 200 MB of memory',
    ],
  ])('fails that leaves %s', async (_, main, reason) => {
    expect(await ran(main)).toEqual({ ok: false, ran: true, reason, timedOut: false });
  });

  it('is ended when its time is over, whatever it has left', async () => {
    expect(await ran(`${leave}write('a'); for (;;);`, 1000)).toEqual({
      ok: false,
      ran: true,
      reason: 'it did not end within 1 s',
      timedOut: true,
    });
  });

  it('does not run without a temporary folder', async () => {
    process.env['TMPDIR'] = '/no-such-folder';
    const end = await ran(leave);
    expect(end).toMatchObject({ ok: false, ran: false, reason: expect.stringContaining('no-such-folder') });
    delete process.env['TMPDIR'];
    expect(readdirSync(tmpdir()).length).toBeGreaterThan(0);
  });
});
