/** Threads that end or fall silent while they have a step: told in bounded time, and with what the file holds. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ok } from '../../../src/base/result.ts';
import { createNodeHost } from '../../../src/host/node-host.ts';
import { readTrace } from '../../../src/trace/format/read-trace.ts';
import { createFileSink } from '../../../src/trace/record/file-sink.ts';
import type { LogitsThread } from '../../../src/trace/record/kept-logits.ts';
import { startLogitsThread } from '../../../src/trace/record/logits-thread.ts';
import { memorySink } from '../../../src/trace/record/memory-sink.ts';
import { createRecorder, type Recorder } from '../../../src/trace/record/recorder.ts';
import { isRecorderError } from '../../../src/trace/record/recorder-error.ts';
import { repositoryRoot, runProcess } from '../../support/built.ts';
import { greedyManifest } from '../../support/trace-cases.ts';

const vocabSize = 40;
const manifest = { ...greedyManifest, vocabSize };
const builtWorker = JSON.stringify(pathToFileURL(`${repositoryRoot}dist/trace/record/keep-logits.worker.js`).href);

const threads: LogitsThread[] = [];
let folder = '';
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'pv-lost-'))));
afterEach(() => {
  for (const thread of threads.splice(0)) thread.end();
  rmSync(folder, { recursive: true });
});

const module = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;

/** The thread as it is, with a `writeSync` of its own: `write` is the real one, and `last` says whether it is the fourth. */
const writing = (body: string): string =>
  module(`
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const write = fs.writeSync;
    let calls = 0;
    fs.writeSync = (...given) => {
      const last = ++calls === 4;
      ${body}
      return write(...given);
    };
    syncBuiltinESMExports();
    await import(${builtWorker});`);

async function running(entry: string, writeMs?: number): Promise<LogitsThread> {
  const thread = startLogitsThread(vocabSize, 0, entry, writeMs);
  threads.push(thread);
  while (thread.taken() === 0) {
    await sleep(5);
    thread.take(new Float32Array(vocabSize))({ position: 0, inputToken: 0, outputToken: 0 }, null)();
  }
  return thread;
}

const logitsAt = (position: number): Float32Array => new Float32Array(vocabSize).fill(position);

function recordTo(recorder: Recorder<unknown>, from: number, to: number): void {
  for (let position = from; position < to; position++) {
    recorder.logits(position, position % vocabSize, logitsAt(position));
    recorder.token((position + 1) % vocabSize);
  }
}

function messageOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (isRecorderError(error)) return error.message;
    throw error;
  }
  return 'none';
}

describe('a thread that is gone while it writes a step', () => {
  const forEver = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);';
  test.each([
    ['ends before it has written', 'if (last) process.exit(0);', 3],
    ['ends when it has written', 'if (last) { write(...given); process.exit(0); }', 4],
    ['ends in the middle', 'if (last) { write(given[0], given[1].subarray(0, 20)); process.exit(0); }', 3],
    ['never comes back', `if (last) ${forEver}`, 3],
  ])('%s: the recording ends, and its file is whole as far as it says', async (_, body, whole) => {
    const sink = await createFileSink(createNodeHost(folder), 'run.trace');
    if (!sink.ok) throw new Error(sink.error.message);
    const recorder = createRecorder(manifest, { sink: sink.value, thread: await running(writing(body), 1000) });
    recordTo(recorder, 0, 4);
    const lost = messageOf(() => recorder.logits(4, 4, logitsAt(4)));
    expect(lost).toMatch(/^PV-8047: .*run\.trace is not written on: the thread .* has ended or does not answer\./);
    expect(lost).toContain('It holds 3 entries, whole, and may hold this step.');
    for (const call of [recorder.head, () => recorder.token(1), () => recorder.gap(4, 1)]) {
      expect(messageOf(call)).toBe(lost);
    }
    await expect(recorder.finish()).rejects.toThrow(lost);
    expect(await sink.value.abandon()).toEqual(ok(undefined));
    const read = await readTrace(readFileSync(join(folder, 'run.trace')));
    expect(read).toMatchObject({ value: { complete: false, size: 1 + whole } });
  });

  test('is not needed where the step is not its to write', async () => {
    const dying = module(`
      import { workerData } from 'node:worker_threads';
      const control = new Int32Array(workerData.memory, 0, 2);
      Atomics.store(control, 0, 1);
      Atomics.wait(control, 1, 0);
      Atomics.store(control, 1, 2);
      ${forEver}`);
    const thread = startLogitsThread(vocabSize, 0, dying, 1000);
    threads.push(thread);
    await sleep(1000);
    const [here, beside] = [createRecorder(manifest), createRecorder(manifest, { sink: memorySink(), thread })];
    for (const recorder of [here, beside]) recordTo(recorder, 0, 5);
    expect((await beside.finish()).root).toEqual((await here.finish()).root);
    expect(thread.taken()).toBe(1);
  });
});

test('a thread that ends with nothing to write costs no step, wherever it ends', async () => {
  const ending = module(`
    const { compareExchange } = Atomics;
    let asked = 0;
    Atomics.compareExchange = (...given) => {
      if (given[2] === 1 && ++asked === 3) process.exit(0);
      return compareExchange(...given);
    };
    await import(${builtWorker});`);
  const thread = await running(ending);
  const [here, beside] = [createRecorder(manifest), createRecorder(manifest, { sink: memorySink(), thread })];
  for (const recorder of [here, beside]) recordTo(recorder, 0, 6);
  expect((await beside.finish()).root).toEqual((await here.finish()).root);
  expect(thread.taken()).toBe(3);
});

test('where no thread may be started, everything is hashed here', async () => {
  const source = (name: string): string => JSON.stringify(pathToFileURL(`${repositoryRoot}dist/trace/${name}`).href);
  const code = `
    import { createRecorder } from ${source('index.js')};
    import { logitsThreadFor } from ${source('node.js')};
    const manifest = ${JSON.stringify({ ...greedyManifest, vocabSize: 9000 })};
    const thread = logitsThreadFor(manifest);
    const recorder = createRecorder(manifest);
    recorder.logits(0, 1, new Float32Array(9000));
    console.log(thread?.taken() ?? 0, (await recorder.finish()).size);`;
  const flags = ['--experimental-permission', '--allow-fs-read=*', '--no-warnings', '--input-type=module', '-e', code];
  const { stdout, stderr } = await runProcess(process.execPath, flags);
  expect({ stdout, stderr }).toEqual({ stdout: '0 2\n', stderr: '' });
});
