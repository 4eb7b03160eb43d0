/**
 * A proof of llama2-rs binds a leaf to a root, and whatever more is demanded of it is refused.
 *
 * Holds src/cli/trace/check.ts, src/cli/trace/proof-verdict-text.ts.
 */
import { beforeAll, expect, it } from 'vitest';
import type { MemoryHost } from '../../../src/host/memory-host.ts';
import { bytesAt, put, pvTrace, recorded } from './recorded.ts';

let host: MemoryHost;
let root = '';

beforeAll(async () => {
  host = (await recorded('--format', 'legacy')).host;
  root = Buffer.from(bytesAt(host, 'run.trace').slice(-32)).toString('hex');
  await pvTrace(host, 'prove', 'run.trace', '--iteration', '3', '-o', 'step3.proof');
  await pvTrace(host, 'keygen', 'alice');
  put(host, 'a.checkpoint', new TextEncoder().encode(`a\n7\n${Buffer.from(root, 'hex').toString('base64')}\n`));
});

it('shows its leaf and its root', async () => {
  const ran = await pvTrace(host, 'check', 'step3.proof', '--root', root);
  expect(ran.code).toBe(5);
  expect(ran.stdout).toContain(`root       ${root}`);
  expect(ran.stdout).toMatch(/leaf hash {2}[0-9a-f]{64}\n/);
});

it.each([
  ['--size', '7'],
  ['--key', 'alice.pub'],
  ['--origin', 'a'],
  ['--checkpoint', 'a.checkpoint'],
])('with %s is no question that could be answered', async (...demanded) => {
  const ran = await pvTrace(host, 'check', 'step3.proof', '--root', root, ...demanded);
  expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('against --root alone') });
});
