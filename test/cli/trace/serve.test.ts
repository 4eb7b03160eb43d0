/** Holds src/cli/say-diagnostics.ts, src/cli/trace/run-serve.ts, src/cli/trace/serve-flags.ts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import { encodeTrace } from '../../../src/trace/format/write-trace.ts';
import { bin, ensureBuilt } from '../../support/built.ts';
import { tinyFiles } from '../../trace/serve/service.ts';
import { recorded as recordedTrace } from '../../trace/verify/recorded.ts';
import { pvTrace, put } from './recorded.ts';

test('a folder without models, and one that is not there, are usage errors', async () => {
  const host = createMemoryHost();
  put(host, 'models/notes.txt', new TextEncoder().encode('no model'));
  const none = await pvTrace(host, 'serve', '--models', 'models');
  expect(none.code).toBe(2);
  expect(none.stderr).toContain('warning: models/notes.txt is neither a model nor a tokenizer');
  expect(none.stderr).toContain("pv: 'models' holds no model");
  expect((await pvTrace(host, 'serve', '--models', 'absent')).code).toBe(2);
});

test.each([
  ['--port', '65536'],
  ['--workers', '0'],
  ['--max-body', '12'],
  ['--timeout', '0'],
])('%s %s is refused', async (flag, value) => {
  const { code, stderr } = await pvTrace(createMemoryHost(), 'serve', '--models', 'models', flag, value);
  expect([code, stderr.includes('is not between')]).toEqual([2, true]);
});

test.each(['a.example', 'https://a.example/', 'HTTPS://a.example', 'file://x', 'null', ''])(
  '--cors %s is refused, as no browser names its origin so',
  async (origin) => {
    const { code, stderr } = await pvTrace(createMemoryHost(), 'serve', '--models', 'models', '--cors', origin);
    expect([code, stderr.includes('is not an origin')]).toEqual([2, true]);
  },
);

test('a process serves, verifies on a worker, shows the page, and ends when told to', async () => {
  ensureBuilt();
  const folder = mkdtempSync(join(tmpdir(), 'pv-serve-'));
  for (const [name, bytes] of Object.entries(tinyFiles())) writeFileSync(join(folder, name), bytes);
  const child = spawn(process.execPath, [
    bin,
    'trace',
    'serve',
    '--models',
    folder,
    '--port',
    '0',
    '--cors',
    'https://a.example',
  ]);
  const ended = once(child, 'exit');
  try {
    const [url] = await once(createInterface(child.stdout), 'line');
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const page = await fetch(url);
    expect(await page.text()).toContain('Check a trace of inference');
    const trace = Buffer.from(await encodeTrace(await recordedTrace(), null)).toString('base64');
    const headers = { 'content-type': 'application/json', origin: 'https://a.example' };
    const answer = await fetch(`${url}/v1/verify`, { method: 'POST', headers, body: JSON.stringify({ trace }) });
    expect(await answer.json()).toMatchObject({ verdict: 'verified', level: 'exact', standing: 'nothing' });
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://a.example');
    child.kill('SIGTERM');
    expect(await ended).toEqual([130, null]);
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
});
