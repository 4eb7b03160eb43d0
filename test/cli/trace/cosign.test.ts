/** Further signatures on a checkpoint, of whoever compared it with the trace. */
import { beforeEach, expect, it } from 'vitest';
import type { MemoryHost } from '../../../src/host/memory-host.ts';
import { parseSignerKey, signText } from '../../../src/trace/notes/signer.ts';
import { valueOf } from '../../trace/notes/signers.ts';
import { modelFlags, put, pvTrace, recorded, textAt } from './recorded.ts';

let host: MemoryHost;
let before = '';

beforeEach(async () => {
  host = (await recorded()).host;
  for (const name of ['alice', 'carol']) await pvTrace(host, 'keygen', name);
  await pvTrace(host, 'sign', 'run.trace', '--key', 'alice.key', '--out', 'run.checkpoint');
  before = textAt(host, 'run.checkpoint');
});

const cosign = (...more: readonly string[]) => pvTrace(host, 'cosign', 'run.checkpoint', '--key', 'carol.key', ...more);

it('stand behind those that are there, in another file or in the same', async () => {
  const ran = await cosign('--trace', 'run.trace', '-o', 'carols.checkpoint');
  const after = textAt(host, 'carols.checkpoint');
  expect(ran).toMatchObject({ code: 0, stdout: after });
  expect(ran.stderr).not.toContain('warning');
  expect(after.startsWith(before)).toBe(true);
  expect(after.slice(before.length)).toMatch(/^— carol \S+\n$/);
  expect(textAt(host, 'run.checkpoint')).toBe(before);
  expect((await cosign('--trace', 'run.trace')).code).toBe(0);
  expect(textAt(host, 'run.checkpoint')).toBe(after);
});

it('are written over no other file', async () => {
  const key = textAt(host, 'carol.key');
  expect((await cosign('-o', 'carol.key')).code).toBe(2);
  expect(textAt(host, 'carol.key')).toBe(key);
});

it('are not given to a signed note that is no checkpoint', async () => {
  const signer = valueOf(parseSignerKey(textAt(host, 'alice.key')));
  put(host, 'run.checkpoint', new TextEncoder().encode(valueOf(signText('pay 5 to carol\n', [signer], 0))));
  expect(await cosign('-o', 'new.checkpoint')).toMatchObject({ code: 1, stderr: expect.stringContaining('PV-8054') });
  expect(host.files.has('/project/new.checkpoint')).toBe(false);
});

it('are not given to a checkpoint of another trace, or where there is no trace of v2', async () => {
  const longer = await recorded('-n', '13');
  const legacy = await recorded('--format', 'legacy');
  for (const [name, { host: other }] of [
    ['longer.trace', longer],
    ['legacy.trace', legacy],
  ] as const) {
    put(host, name, other.files.get('/project/run.trace') ?? new Uint8Array());
  }
  for (const name of ['longer.trace', 'legacy.trace', 'none.trace', 'run.checkpoint']) {
    expect((await cosign('--trace', name, '-o', 'new.checkpoint')).code, name).not.toBe(0);
    expect(host.files.has('/project/new.checkpoint'), name).toBe(false);
  }
  const told = await cosign('--trace', 'longer.trace');
  expect(told).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('PV-8059') });
  expect(textAt(host, 'run.checkpoint')).toBe(before);
});

it('go with every proof of a trace that was signed as it ended', async () => {
  const { host: own } = await recorded();
  await pvTrace(own, 'keygen', 'alice');
  await pvTrace(own, 'record', ...modelFlags, '-i', 'Once', '-n', '5', '--key', 'alice.key', '-o', 'signed.trace');
  expect((await pvTrace(own, 'prove', 'signed.trace', '--iteration', '3', '-o', 'step3.proof')).code).toBe(0);
  const checked = await pvTrace(own, 'check', 'step3.proof', '--key', 'alice.pub');
  expect(checked.code).toBe(0);
  expect(checked.stdout).toContain('by signatures of keys that you trust');
});
