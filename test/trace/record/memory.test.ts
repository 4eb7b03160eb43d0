/** What a recorder that writes to a file holds does not grow with the steps. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ok } from '../../../src/base/result.ts';
import type { Host } from '../../../src/host/host.ts';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import { createFileSink } from '../../../src/trace/record/file-sink.ts';
import type * as recorders from '../../../src/trace/record/recorder.ts';
import { manifestOf } from '../../../src/trace/subjects/recordings.ts';
import { editedModules, type Edit } from '../../support/edited-module.ts';

const editedModule = editedModules();

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Bytes of the heap behind everything that is garbage. */
async function heapBytes(): Promise<number> {
  // What a promise or a finalizer still holds is let go of between two turns.
  for (let turn = 0; turn < 3; turn++) {
    await setImmediate();
    collect();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** A host whose files keep nothing. */
const host: Host = {
  ...createMemoryHost(),
  createFile: async () =>
    ok({ append: () => ok(undefined), sync: async () => ok(undefined), close: async () => ok(undefined) }),
};

/**
 * Bytes that 20,000 steps leave behind in a recorder that has taken 2,000: the smaller of two stretches, since the engine compiles
 * when it likes, and keeps what it compiled.
 */
async function growth(edits: readonly Edit[]): Promise<number> {
  const { createRecorder } = await editedModule<typeof recorders>('src/trace/record/recorder.ts', edits);
  const sink = await createFileSink(host, '/run.trace');
  if (!sink.ok) throw new Error(sink.error.message);
  const recorder = createRecorder(manifestOf(4, 2), { sink: sink.value });
  const logits = new Float32Array(4);
  let position = 0;
  const record = (steps: number): void => {
    for (const end = position + steps; position < end; position++) {
      logits[position % 4] = position;
      recorder.logits(position, position % 4, logits);
      recorder.token((position + 1) % 4);
    }
  };
  record(2000);
  const before = await heapBytes();
  record(20_000);
  const between = await heapBytes();
  record(20_000);
  const after = await heapBytes();
  expect(recorder.head().size).toBe(42_001);
  return Math.min(between - before, after - between);
}

test('20,000 steps leave less than 10 bytes each', async () => {
  expect(await growth([])).toBeLessThan(200_000);
});

test('what a recorder that keeps its leaves holds is seen', async () => {
  const file = 'src/trace/record/growing-tree.ts';
  const kept = await growth([
    {
      file,
      before: 'const unhashed: Entry[] = [];',
      after: 'const unhashed: Entry[] = [];\n  const all: Hash[] = [];',
    },
    {
      file,
      before: 'tree.append(leafHash(entryLeaf(entry)))',
      after: '{ const leaf = leafHash(entryLeaf(entry)); all.push(leaf); tree.append(leaf); }',
    },
  ]);
  expect(kept).toBeGreaterThan(20_000 * 32);
});
