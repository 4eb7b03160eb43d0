/** Holds src/host/write-synced.ts and src/checkpoint/store/unwritable.ts: saves on disks that fail. */
import { describe, expect, it } from 'vitest';
import { loadFrom } from '../../../src/checkpoint/store/load.ts';
import { openCheckpoints } from '../../../src/checkpoint/store/writer.ts';
import type { Host } from '../../../src/host/host.ts';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import { failed, intercepted, shortWrites, type Intercept } from './recorded-host.ts';
import { stateOf, textOf } from './states.ts';

const folder = '/project/checkpoints';

const memory = (): Host => ({ ...createMemoryHost({ 'other.txt': '' }), isOver: () => true });

/** Saves states 1 to 3 as long as it goes; returns the last that was acknowledged, and the codes of the errors. */
async function saveThree(host: Host): Promise<{ readonly acknowledged: number; readonly codes: readonly string[] }> {
  const writer = await openCheckpoints(host, folder, { keep: 1 });
  if (!writer.ok) return { acknowledged: 0, codes: [writer.error.code] };
  let acknowledged = 0;
  const codes: string[] = [];
  for (let n = 1; n <= 3; n++) {
    const saved = await writer.value.save(stateOf(n));
    if (saved.ok) acknowledged = n;
    else codes.push(saved.error.code);
  }
  return { acknowledged, codes };
}

async function operationsOf(run: (host: Host) => Promise<unknown>): Promise<number> {
  let count = 0;
  await run(
    intercepted(memory(), (_, index) => {
      count = index + 1;
      return undefined;
    }),
  );
  return count;
}

const faults: readonly (readonly [string, (from: number) => Intercept])[] = [
  ['EIO once', (at) => (operation, index) => (index === at ? failed(operation, 'other', 'EIO: i/o error') : undefined)],
  [
    'EIO from then on',
    (at) => (operation, index) => (index >= at ? failed(operation, 'other', 'EIO: i/o error') : undefined),
  ],
  [
    'ENOSPC from then on',
    (at) => (operation, index) =>
      index >= at && ['create', 'write', 'make-folder'].includes(operation.kind)
        ? failed(operation, 'no-space', 'no space left on the device')
        : undefined,
  ],
  [
    'a write that takes nothing',
    (at) => (operation, index) => (index >= at && operation.kind === 'write' ? { ok: true, value: 0 } : undefined),
  ],
];

describe.each(faults)('%s, at every operation', (_, faultAt) => {
  it('loses no acknowledged checkpoint, is reported, and lets the next run go on', async () => {
    const operations = await operationsOf(saveThree);
    expect(operations).toBeGreaterThan(90);
    for (let at = 0; at < operations; at++) {
      const host = memory();
      const { acknowledged, codes } = await saveThree(intercepted(host, faultAt(at)));
      for (const code of codes) expect(['PV-8541', 'PV-8543']).toContain(code);
      if (acknowledged < 3 && at < operations - 30) expect(codes.length, `operation ${at}`).toBeGreaterThan(0);
      const loaded = await loadFrom(host, folder);
      if (acknowledged > 0) {
        expect(loaded.ok && loaded.value.state.position.step, `operation ${at}`).toBeGreaterThanOrEqual(
          10 * acknowledged,
        );
        expect(loaded.ok && loaded.value.passedOver).toEqual([]);
      }
      if (loaded.ok) expect(textOf(loaded.value.state)).toBe(textOf(stateOf(loaded.value.state.position.step / 10)));
      expect(await saveThree(host), `operation ${at}`).toEqual({ acknowledged: 3, codes: [] });
    }
  });
});

it('writes that take a part of the bytes are continued', async () => {
  const host = memory();
  expect(await saveThree(intercepted(host, shortWrites(host)))).toEqual({ acknowledged: 3, codes: [] });
  const loaded = await loadFrom(host, folder);
  expect(loaded.ok && textOf(loaded.value.state)).toBe(textOf(stateOf(3)));
});

describe('before training starts', () => {
  it.each<readonly [string, Intercept, RegExp]>([
    [
      'a read-only folder',
      (operation) =>
        operation.kind === 'create' ? failed(operation, 'denied', 'the file system is read-only') : undefined,
      /read-only/,
    ],
    [
      'a file system that cannot sync folders',
      (operation) => (operation.kind === 'sync-folder' ? failed(operation, 'other', 'EINVAL') : undefined),
      /syncing a folder failed/,
    ],
    [
      'a file system that cannot rename',
      (operation) => (operation.kind === 'rename' ? failed(operation, 'other', 'EPERM') : undefined),
      /renaming a folder failed/,
    ],
  ])('%s is reported, and leaves nothing behind', async (_, intercept, message) => {
    const host = createMemoryHost({ 'checkpoints/other.txt': '' });
    const opened = await openCheckpoints(intercepted(host, intercept), folder);
    expect(opened).toMatchObject({ ok: false, error: { code: 'PV-8541', message: expect.stringMatching(message) } });
    expect([...host.files.keys()]).toEqual([`${folder}/other.txt`]);
  });

  it('a disk without room for the next checkpoint is found before anything is written', async () => {
    const host = createMemoryHost({ 'other.txt': '' });
    const writer = await openCheckpoints(
      { ...host, fileSystem: async () => ({ freeBytes: 1000, unreliable: null }) },
      folder,
    );
    const before = [...host.files.keys()];
    const saved = writer.ok && (await writer.value.save(stateOf(1)));
    expect(saved).toMatchObject({
      ok: false,
      error: { code: 'PV-8541', message: expect.stringContaining('room for 1000 bytes') },
    });
    expect([...host.files.keys()]).toEqual(before);
  });
});
