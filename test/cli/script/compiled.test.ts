import { describe, expect, it } from 'vitest';
import { loadScript } from '../../../src/cli/script/compiled.ts';
import { sealed } from '../../../src/host/seal.ts';
import { createMemoryHost, type MemoryHost } from '../../../src/host/memory-host.ts';

const script = '/pv/dist/cli/quick-AAAAAAAA.cjs';
const text = `(function (exports, require, module, scriptUrl) {
  exports.answer = () => 42;
  exports.url = scriptUrl;
  exports.join = require('node:path').join('a', 'b');
})`;
const home = { HOME: '/home/me' };
const keptAt = `/home/me/.cache/pv/check-node-${process.versions.node}-${process.arch}.code`;

const hostWith = (): MemoryHost => createMemoryHost({ [script]: text });

/** Loads the script, runs it and keeps what is worth keeping; whether something was written. */
async function use(host: MemoryHost, env: Readonly<Record<string, string>> = home, path = script): Promise<boolean> {
  const before = host.files.get(keptAt);
  const { exports, keep } = await loadScript(host, env, path, 'check');
  const { answer } = exports;
  expect(typeof answer === 'function' && answer()).toBe(42);
  await keep();
  return host.files.get(keptAt) !== before;
}

/** The kept file with another body under a seal that fits it. */
function resealed(host: MemoryHost, change: (body: Buffer) => Buffer): void {
  const kept = Buffer.from(host.files.get(keptAt) ?? '');
  const seal = new TextDecoder().decode(host.files.get('/home/me/.cache/pv/validate.key'));
  const body = change(kept.subarray(kept.indexOf('\n') + 1));
  host.files.set(keptAt, Buffer.concat([Buffer.from(`${sealed(seal, body)}\n`), body]));
}

describe('a script', () => {
  it('is run as a module is, and knows where it stands', async () => {
    const { exports } = await loadScript(hostWith(), {}, script, 'check');
    expect(exports).toMatchObject({ url: `file://${script}`, join: 'a/b' });
  });

  it('is compiled once: later runs use what the first one kept', async () => {
    const host = hostWith();
    expect(await use(host)).toBe(true);
    expect(await use(host)).toBe(false);
  });

  it.each([
    ['in CI', { ...home, CI: 'true' }],
    ['where node itself is told to keep none', { ...home, NODE_DISABLE_COMPILE_CACHE: '1' }],
    ['without a folder of the user', {}],
    ['when that folder lies in the project', { HOME: '/project' }],
  ])('keeps nothing %s', async (_, env) => {
    const host = hostWith();
    await use(host, env);
    expect([...host.files.keys()]).toEqual([script]);
  });
});

describe('kept code', () => {
  it.each([
    ['damaged', (kept: Uint8Array) => kept.map((byte, i) => (i === kept.length - 40 ? byte ^ 0xff : byte))],
    ['cut short', (kept: Uint8Array) => kept.slice(0, kept.length >> 1)],
    ['empty', () => new Uint8Array()],
  ])('that is %s is never given to V8, and replaced', async (_, change) => {
    const host = hostWith();
    await use(host);
    host.files.set(keptAt, change(host.files.get(keptAt) ?? new Uint8Array()));
    expect(await use(host)).toBe(true);
    expect(await use(host)).toBe(false);
  });

  it('of somebody else is not used', async () => {
    const host = hostWith();
    await use(host);
    host.files.set('/home/me/.cache/pv/validate.key', new TextEncoder().encode('0'.repeat(64)));
    expect(await use(host)).toBe(true);
  });

  it('of another script or another V8 is not used', async () => {
    const host = hostWith();
    await use(host);
    host.files.set('/pv/dist/cli/quick-BBBBBBBB.cjs', new TextEncoder().encode(text));
    expect(await use(host, home, '/pv/dist/cli/quick-BBBBBBBB.cjs')).toBe(true);
    resealed(host, (body) => Buffer.from(body.toString('latin1').replace(/ v8 \d+/, ' v8 1'), 'latin1'));
    expect(await use(host, home, '/pv/dist/cli/quick-BBBBBBBB.cjs')).toBe(true);
  });

  it('that V8 does not accept is replaced', async () => {
    const host = hostWith();
    await use(host);
    // In one process V8 recognises a text that it has compiled, and looks at no kept code.
    host.files.set(script, new TextEncoder().encode(`${text} `));
    expect(await use(host)).toBe(true);
  });

  it('is replaced by that of a run that did far more', async () => {
    const host = hostWith();
    await use(host);
    resealed(host, (body) => Buffer.from(body.toString('latin1').replace(/ \d+ ms\n/, ' 1 ms\n'), 'latin1'));
    expect(await use(host)).toBe(true);
    expect(await use(host)).toBe(false);
  });
});
