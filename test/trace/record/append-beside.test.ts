/**
 * Steps that the thread which hashes them appends to the file itself: the same bytes, and as safe.
 *
 * Holds src/trace/record/recording.ts.
 */
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ok } from '../../../src/base/result.ts';
import type { Host } from '../../../src/host/host.ts';
import { createNodeHost } from '../../../src/host/node-host.ts';
import { streamFor, unitFloat } from '../../../src/numeric/xoshiro.ts';
import { readTrace } from '../../../src/trace/format/read-trace.ts';
import type { Manifest, TraceFile } from '../../../src/trace/format/trace.ts';
import { createFileSink, type FileSink } from '../../../src/trace/record/file-sink.ts';
import type { LogitsThread } from '../../../src/trace/record/kept-logits.ts';
import { startLogitsThread } from '../../../src/trace/record/logits-thread.ts';
import { createRecorder, type Recorder } from '../../../src/trace/record/recorder.ts';
import { isRecorderError } from '../../../src/trace/record/recorder-error.ts';
import { repositoryRoot } from '../../support/built.ts';
import { greedyManifest } from '../../support/trace-cases.ts';

const vocabSize = 40;
const builtWorker = pathToFileURL(`${repositoryRoot}dist/trace/record/keep-logits.worker.js`).href;
const manifestOf = (sketch: number): Manifest => ({ ...greedyManifest, vocabSize, sketch });
const firstStep = { position: 0, inputToken: 0, outputToken: 0 };

let folder = '';
const threads: LogitsThread[] = [];
const sinks: FileSink[] = [];
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'pv-append-'))));
afterEach(async () => {
  for (const thread of threads.splice(0)) thread.end();
  for (const sink of sinks.splice(0)) await sink.abandon();
  rmSync(folder, { recursive: true });
});

async function running(sketch: number, entry: string = builtWorker): Promise<LogitsThread> {
  const thread = startLogitsThread(vocabSize, sketch, entry);
  threads.push(thread);
  while (thread.taken() === 0) {
    await sleep(5);
    thread.take(new Float32Array(vocabSize))(firstStep, null)();
  }
  return thread;
}

async function sinkOf(host: Host, name = 'run.trace'): Promise<FileSink> {
  const sink = await createFileSink(host, name);
  if (!sink.ok) throw new Error(sink.error.message);
  sinks.push(sink.value);
  return sink.value;
}

const logitsAt = (position: number): Float32Array => {
  const stream = streamFor(position, 'logits of a recording');
  return Float32Array.from({ length: vocabSize }, () => 20 * unitFloat(stream) - 10);
};

function recordTo(recorder: Recorder<unknown>, from: number, to: number): void {
  for (let position = from; position < to; position++) {
    recorder.logits(position, position % vocabSize, logitsAt(position));
    recorder.token((position + 1) % vocabSize);
  }
}

const bytesOf = (name = 'run.trace'): Uint8Array => readFileSync(join(folder, name));

async function opened(name = 'run.trace'): Promise<TraceFile> {
  const read = await readTrace(bytesOf(name));
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}

/** Reads until the file has `steps` of them: when the thread appends is its own business. */
async function grownTo(steps: number): Promise<TraceFile> {
  for (let tries = 0; ; tries++) {
    const trace = await opened();
    if (trace.entries.length >= steps || tries > 2000) return trace;
    await sleep(5);
  }
}

/** What a host's files are appended by. */
function counting(host: Host, withDescriptor?: number): { readonly host: Host; readonly appended: () => number } {
  let calls = 0;
  const createFile: Host['createFile'] = async (path) => {
    const created = await host.createFile(path);
    if (!created.ok) return created;
    const { append, close, sync, descriptor } = created.value;
    const counted = (bytes: Uint8Array): ReturnType<typeof append> => {
      calls += 1;
      return append(bytes);
    };
    return ok({ append: counted, close, sync, descriptor: withDescriptor ?? descriptor ?? -1 });
  };
  return { host: { ...host, createFile }, appended: () => calls };
}

function problemOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (isRecorderError(error)) return `${error.problem.code}: ${error.problem.message}`;
    throw error;
  }
  return 'none';
}

describe('a thread that appends steps', () => {
  test.each([0, 3, 40])(
    'makes the file of one thread, gaps and a last step without token included; sketch of %i',
    async (sketch) => {
      const { host, appended } = counting(createNodeHost(folder));
      const thread = await running(sketch);
      const one = createRecorder(manifestOf(sketch), { sink: await sinkOf(createNodeHost(folder), 'one.trace') });
      const other = createRecorder(manifestOf(sketch), { sink: await sinkOf(host), thread });
      for (const recorder of [one, other]) {
        recordTo(recorder, 0, 20);
        recorder.gap(20, 2);
        recorder.logits(22, 5, logitsAt(22));
        recorder.token(6);
        recorder.logits(23, 6, logitsAt(23));
        recorder.token(7);
        recorder.head();
      }
      expect(Buffer.compare(bytesOf(), bytesOf('one.trace'))).toBe(0);
      // The header and the gap; all 22 steps are the thread's.
      expect(appended()).toBe(2);
      for (const recorder of [one, other]) recorder.logits(24, 7, logitsAt(24));
      const [here, beside] = [await one.finish(), await other.finish()];
      expect(beside.root).toEqual(here.root);
      expect(Buffer.compare(bytesOf(), bytesOf('one.trace'))).toBe(0);
    },
  );

  test('has a step in the file without another call', async () => {
    const recorder = createRecorder(manifestOf(0), {
      sink: await sinkOf(createNodeHost(folder)),
      thread: await running(0),
    });
    recordTo(recorder, 0, 3);
    expect(await grownTo(3)).toMatchObject({ complete: false, droppedBytes: 0, size: 4 });
    expect(await opened()).toMatchObject(recorder.head());
  });

  test('leaves out a step whose logits are not finite', async () => {
    const recorder = createRecorder(manifestOf(0), {
      sink: await sinkOf(createNodeHost(folder)),
      thread: await running(0),
    });
    recordTo(recorder, 0, 2);
    recorder.logits(2, 2, logitsAt(2).fill(Number.NaN, 7, 8));
    recorder.token(3);
    expect(problemOf(recorder.head)).toContain('PV-8049: The logit of token 7 at position 2 is NaN');
    expect(await opened()).toMatchObject({ droppedBytes: 0, size: 3 });
    recordTo(recorder, 2, 4);
    expect((await recorder.finish()).size).toBe(5);
  });

  test('reports with the next call which file cannot be written, and why', async () => {
    writeFileSync(join(folder, 'locked'), '');
    const locked = openSync(join(folder, 'locked'), 'r');
    const { host } = counting(createNodeHost(folder), locked);
    const recorder = createRecorder(manifestOf(0), { sink: await sinkOf(host), thread: await running(0) });
    recordTo(recorder, 0, 1);
    expect(problemOf(() => recorder.logits(1, 1, logitsAt(1)))).toMatch(
      /^PV-8047: The trace cannot be written: run.trace EBADF/,
    );
    await expect(recorder.finish()).rejects.toThrow('PV-8047');
    closeSync(locked);
  });

  test('is waited for where a recording is given up', async () => {
    const sink = await sinkOf(createNodeHost(folder));
    const recorder = createRecorder(manifestOf(0), { sink, thread: await running(0) });
    recordTo(recorder, 0, 4);
    expect(await sink.abandon()).toEqual(ok(undefined));
    expect(await opened()).toMatchObject({ complete: false, droppedBytes: 0, size: 5 });
  });

  test('that is ended before its last step is requested has written it once', async () => {
    const thread = await running(0);
    const one = createRecorder(manifestOf(0));
    const other = createRecorder(manifestOf(0), { sink: await sinkOf(createNodeHost(folder)), thread });
    for (const recorder of [one, other]) recordTo(recorder, 0, 3);
    thread.end();
    for (const recorder of [one, other]) recordTo(recorder, 3, 5);
    const [here] = [await one.finish(), await other.finish()];
    expect(Buffer.compare(bytesOf(), here.file)).toBe(0);
  });

  test('that does not answer is left alone, and the file is the same', async () => {
    const silent = `import { workerData } from 'node:worker_threads';
      Atomics.store(new Int32Array(workerData.memory, 0, 2), 0, 1);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`;
    const thread = startLogitsThread(vocabSize, 0, `data:text/javascript,${encodeURIComponent(silent)}`);
    threads.push(thread);
    await sleep(2000);
    const { host, appended } = counting(createNodeHost(folder));
    const one = createRecorder(manifestOf(0));
    const other = createRecorder(manifestOf(0), { sink: await sinkOf(host), thread });
    for (const recorder of [one, other]) recordTo(recorder, 0, 5);
    const [here] = [await one.finish(), await other.finish()];
    expect(Buffer.compare(bytesOf(), here.file)).toBe(0);
    expect(thread.taken()).toBe(1);
    // Header and five steps while it grew; header, block and footer when it was packed.
    expect(appended()).toBe(9);
  });
});

test('a process that is killed leaves every step whose token it had a moment to write', async () => {
  const source = (name: string): string => JSON.stringify(pathToFileURL(`${repositoryRoot}dist/${name}`).href);
  const manifest = JSON.stringify({ ...greedyManifest, vocabSize: 9000 });
  const code = `
    import { createRecorder } from ${source('trace/index.js')};
    import { createFileSink, createNodeHost } from ${source('trace/node.js')};
    import { startLogitsThread } from ${source('trace/record/logits-thread.js')};
    const manifest = ${manifest};
    const thread = startLogitsThread(9000, 0);
    const logits = new Float32Array(9000);
    while (thread.taken() === 0) {
      await new Promise((later) => setTimeout(later, 5));
      thread.take(logits)({ position: 0, inputToken: 0, outputToken: 0 }, null)();
    }
    const sink = await createFileSink(createNodeHost(${JSON.stringify(folder)}), 'run.trace');
    const recorder = createRecorder(manifest, { sink: sink.value, thread });
    for (let position = 0; position < 30; position++) {
      recorder.logits(position, 1, logits);
      recorder.token(1);
    }
    setTimeout(() => {}, 60_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  for (let tries = 0; tries < 4000; tries++) {
    await sleep(5);
    try {
      if ((await opened()).entries.length === 30) break;
    } catch {
      // Not there yet.
    }
  }
  child.kill('SIGKILL');
  await ended;
  expect(await opened()).toMatchObject({ complete: false, droppedBytes: 0, size: 31 });
});
