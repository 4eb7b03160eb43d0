/**
 * Further signatures on a checkpoint, of whoever compared it with the trace.
 *
 * Holds src/cli/trace/input.ts, src/cli/trace/leaf-text.ts, src/cli/trace/lock.ts, src/cli/trace/open-trace.ts,
 * src/cli/trace/signed-heads.ts.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import type { MemoryHost } from '../../../src/host/memory-host.ts';
import { treeOf } from '../../../src/trace/format/leaves.ts';
import { readTrace } from '../../../src/trace/format/read-trace.ts';
import { signTreeHead } from '../../../src/notes/tree-head.ts';
import { parseSignerKey, signText } from '../../../src/notes/signer.ts';
import { valueOf } from '../../notes/signers.ts';
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

it('are appended to the existing ones, in another file or in the same', async () => {
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

describe('are not given to an invented checkpoint', () => {
  /** A head that no trace has, under the origin of this one. */
  const invented = (size: number): string => {
    const signer = valueOf(parseSignerKey(textAt(host, 'alice.key')));
    const root = new Uint8Array(32).fill(size);
    return valueOf(signTreeHead({ size, root }, before.split('\n')[0] ?? '', [signer], 0));
  };
  const putCheckpoint = (text: string): void => put(host, 'run.checkpoint', new TextEncoder().encode(text));
  const refused = async (code: string, ...more: readonly string[]): Promise<void> => {
    const [text, heads] = [textAt(host, 'run.checkpoint'), host.files.get('/project/carol.key.heads')];
    expect(await cosign(...more)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(code) });
    expect(textAt(host, 'run.checkpoint')).toBe(text);
    expect(host.files.get('/project/carol.key.heads')).toBe(heads);
  };

  it('whatever was signed before', async () => {
    putCheckpoint(invented(40));
    await refused('PV-8094');
    await refused('PV-8059', '--trace', 'run.trace');
    putCheckpoint(before);
    await refused('PV-8094');
    expect((await cosign('--trace', 'run.trace')).code).toBe(0);
    putCheckpoint(invented(40));
    await refused('PV-8094');
    // The head that was signed may be signed again.
    putCheckpoint(before);
    expect((await cosign()).code).toBe(0);
  });

  it('unless --blind is given, which is reported and stores nothing', async () => {
    putCheckpoint(invented(40));
    const blind = await cosign('--blind');
    expect(blind).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('warning: the checkpoint was not compared'),
    });
    expect(host.files.has('/project/carol.key.heads')).toBe(false);
    putCheckpoint(invented(40));
    await refused('PV-8094');
    expect((await cosign('--blind', '--trace', 'run.trace')).code).toBe(2);
  });

  it('but to one that a proof shows to continue the head signed last', async () => {
    const head = async (steps: number): Promise<string> => {
      const other = await recorded('-n', '12');
      const read = valueOf(await readTrace(other.host.files.get('/project/run.trace') ?? new Uint8Array()));
      const tree = treeOf(read);
      const signer = valueOf(parseSignerKey(textAt(host, 'alice.key')));
      return valueOf(signTreeHead({ size: steps, root: tree.root(steps) }, 'example.org/log', [signer], 0));
    };
    const prove = (from: number, to: number) =>
      pvTrace(
        host,
        'consistency',
        'prove',
        'run.trace',
        '--from',
        `${from}`,
        '--to',
        `${to}`,
        '--force',
        '-o',
        'grown.proof',
      );
    const [five, nine, thirteen] = [await head(5), await head(9), await head(13)];
    // The key has signed nothing yet that it could continue.
    putCheckpoint(nine);
    await prove(5, 9);
    await refused('PV-8094', '--consistency', 'grown.proof');
    put(host, 'carol.key.heads', new TextEncoder().encode(headsOf(five)));
    expect((await cosign('--consistency', 'grown.proof')).code).toBe(0);
    expect(JSON.parse(textAt(host, 'carol.key.heads')).heads).toMatchObject([{ origin: 'example.org/log', size: 9 }]);
    // The same proof again starts from a head that is no longer the last.
    putCheckpoint(thirteen);
    await refused('PV-8095', '--consistency', 'grown.proof');
    await prove(9, 13);
    putCheckpoint(invented(13).replace(/^.*\n/, 'example.org/log\n'));
    await refused('PV-8095', '--consistency', 'grown.proof');
    const broken = textAt(host, 'grown.proof').replace(
      /"path": \[\s*"./,
      (start) => `${start.slice(0, -1)}${start.endsWith('0') ? '1' : '0'}`,
    );
    put(host, 'broken.proof', new TextEncoder().encode(broken));
    putCheckpoint(thirteen);
    await refused('PV-8018', '--consistency', 'broken.proof');
    expect((await cosign('--consistency', 'grown.proof')).code).toBe(0);
    // Back to a smaller one, even with its trace.
    await pvTrace(host, 'record', ...modelFlags, '-i', 'Once upon', '-n', '12', '--force', '-o', 'run.trace');
    putCheckpoint(nine);
    await refused('PV-8059', '--trace', 'run.trace');
    putCheckpoint(five);
    await refused('PV-8094');
  });

  it('of another history of the same log, even with its trace', async () => {
    const { host: other } = await recorded('-s', '7');
    put(host, 'other.trace', other.files.get('/project/run.trace') ?? new Uint8Array());
    for (const name of ['run', 'other']) {
      const argv = ['sign', `${name}.trace`, '--key', 'alice.key', '--origin', 'example.org/log'];
      expect((await pvTrace(host, ...argv, '-o', `${name}.log`)).code).toBe(0);
    }
    const bob = (name: string) =>
      pvTrace(host, 'cosign', `${name}.log`, '--key', 'carol.key', '--trace', `${name}.trace`);
    expect((await bob('run')).code).toBe(0);
    expect(await bob('other')).toMatchObject({ code: 1, stderr: expect.stringContaining('PV-8095') });
    expect((await bob('run')).code).toBe(0);
  });

  it('if the signed heads cannot be read', async () => {
    for (const text of [
      '',
      '{}',
      '[]',
      '{"format":"pv-signed-heads/1","heads":[{"origin":"a","size":-1,"root":""}]}',
    ]) {
      put(host, 'carol.key.heads', new TextEncoder().encode(text));
      await refused('PV-8096', '--trace', 'run.trace');
    }
  });
});

/** What a key remembers that has signed this checkpoint. */
function headsOf(note: string): string {
  const [origin = '', size = '', root = ''] = note.split('\n');
  const head = { origin, size: Number(size), root: Buffer.from(root, 'base64').toString('hex') };
  return JSON.stringify({ format: 'pv-signed-heads/1', heads: [head] });
}

it('are written over no other file', async () => {
  const key = textAt(host, 'carol.key');
  expect((await cosign('-o', 'carol.key')).code).toBe(2);
  expect(textAt(host, 'carol.key')).toBe(key);
});

it('are not given to a signed note that is not a checkpoint', async () => {
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

describe('of one key are given by one process at a time', () => {
  const lock = 'carol.key.heads.lock';
  const checkpointOf = async (steps: string): Promise<Uint8Array> => {
    const other = (await recorded('-n', steps)).host;
    put(other, 'alice.key', new TextEncoder().encode(textAt(host, 'alice.key')));
    await pvTrace(other, 'sign', 'run.trace', '--key', 'alice.key', '--origin', 'example.org/log', '--out', 'c');
    put(host, `${steps}.trace`, other.files.get('/project/run.trace') ?? new Uint8Array());
    return other.files.get('/project/c') ?? new Uint8Array();
  };

  it('two that start together do not sign two heads', async () => {
    for (const steps of ['7', '9']) put(host, `${steps}.checkpoint`, await checkpointOf(steps));
    const sign = (steps: string) =>
      pvTrace(host, 'cosign', `${steps}.checkpoint`, '--key', 'carol.key', '--trace', `${steps}.trace`);
    const ran = await Promise.all([sign('7'), sign('9')]);
    expect(ran.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, 1]);
    expect(ran.find(({ code }) => code === 1)?.stderr).toContain('PV-8098');
    expect(host.files.has(`/project/${lock}`)).toBe(false);
  });

  it('a lock that was left is named with how to fix it, and what fails leaves none', async () => {
    put(host, lock, new Uint8Array());
    const refused = await cosign('--trace', 'run.trace');
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('PV-8098') });
    expect(refused.stderr).toContain(`remove '/project/${lock}'`);
    expect(textAt(host, 'run.checkpoint')).toBe(before);
    host.files.delete(`/project/${lock}`);
    expect((await cosign()).code).toBe(1);
    expect(host.files.has(`/project/${lock}`)).toBe(false);
    expect((await cosign('--trace', 'run.trace')).code).toBe(0);
    expect(host.files.has(`/project/${lock}`)).toBe(false);
  });

  it('blind ones need no lock', async () => {
    put(host, lock, new Uint8Array());
    expect((await cosign('--blind')).code).toBe(0);
  });
});
