/**
 * Recordings whose logits another thread hashes: the same as those of one thread, a step late.
 *
 * Holds src/trace/record/kept-logits.ts, src/trace/record/logits-exchange.ts.
 */
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { err, ok } from '../../../src/base/result.ts';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import { streamFor, unitFloat } from '../../../src/numeric/xoshiro.ts';
import { readTrace } from '../../../src/trace/format/read-trace.ts';
import type { Entry, Manifest } from '../../../src/trace/format/trace.ts';
import { createFileSink } from '../../../src/trace/record/file-sink.ts';
import type { LogitsThread } from '../../../src/trace/record/kept-logits.ts';
import { logitsThreadFor, startLogitsThread } from '../../../src/trace/record/logits-thread.ts';
import { memorySink } from '../../../src/trace/record/memory-sink.ts';
import { createRecorder, type Recorder } from '../../../src/trace/record/recorder.ts';
import { isRecorderError } from '../../../src/trace/record/recorder-error.ts';
import { repositoryRoot, runProcess } from '../../support/built.ts';
import { greedyManifest } from '../../support/trace-cases.ts';

const vocabSize = 40;
const builtWorker = pathToFileURL(`${repositoryRoot}dist/trace/record/keep-logits.worker.js`).href;
const manifestOf = (sketch: number): Manifest => ({ ...greedyManifest, vocabSize, sketch });

const firstStep = { position: 0, inputToken: 0, outputToken: 0 };

const threads: LogitsThread[] = [];
afterEach(() => {
  for (const thread of threads.splice(0)) thread.end();
});

function started(sketch: number, entry: string = builtWorker): LogitsThread {
  const thread = startLogitsThread(vocabSize, sketch, entry);
  threads.push(thread);
  return thread;
}

/** A thread that runs: until then the calling thread does the work. */
async function running(sketch = 0): Promise<LogitsThread> {
  const thread = started(sketch);
  while (thread.taken() === 0) {
    await sleep(5);
    thread.take(new Float32Array(vocabSize))(firstStep, null)();
  }
  return thread;
}

const logitsAt = (position: number): Float32Array => {
  const stream = streamFor(position, 'logits of a recording');
  return Float32Array.from({ length: vocabSize }, () => 20 * unitFloat(stream) - 10);
};

/** Records `steps` with one buffer, which is written over as soon as the recorder has it. */
function recordTo(recorder: Recorder<unknown>, steps: number, from = 0): void {
  const buffer = new Float32Array(vocabSize);
  for (let position = from; position < from + steps; position++) {
    buffer.set(logitsAt(position));
    recorder.logits(position, position % vocabSize, buffer);
    buffer.fill(Number.NaN);
    recorder.token((position + 1) % vocabSize);
  }
}

function problemOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (isRecorderError(error)) return `${error.problem.code} at ${error.problem.position}: ${error.problem.actual}`;
    throw error;
  }
  return 'none';
}

describe('a thread beside the recorder', () => {
  test.each([0, 3, 40])('makes the same file, with a sketch of %i', async (sketch) => {
    const here = createRecorder(manifestOf(sketch));
    const thread = await running(sketch);
    const before = thread.taken();
    const beside = createRecorder(manifestOf(sketch), { sink: memorySink(), thread });
    for (const recorder of [here, beside]) {
      recordTo(recorder, 30);
      recorder.gap(30, 2);
      recorder.logits(32, 5, logitsAt(32));
    }
    const [one, other] = [await here.finish(), await beside.finish()];
    expect(other.root).toEqual(one.root);
    expect(Buffer.compare(other.file, one.file)).toBe(0);
    expect(thread.taken() - before).toBe(31);
  });

  test('is a step late, and no more: the next call writes what waits', async () => {
    const written: Entry[] = [];
    const sink = { ...memorySink(), entry: (entry: Entry) => void written.push(entry) };
    const recorder = createRecorder(manifestOf(0), { sink, thread: await running() });
    recordTo(recorder, 3);
    expect(written.length).toBe(2);
    recorder.logits(3, 3, logitsAt(3));
    expect(written.length).toBe(3);
    recorder.token(4);
    expect(recorder.head().size).toBe(5);
    expect(written.map(({ position }) => position)).toEqual([0, 1, 2, 3]);
  });

  const bad = (): Float32Array => logitsAt(2).fill(Number.NaN, 7, 8).fill(-Infinity, 9, 10);
  test.each<readonly [string, (recorder: Recorder<unknown>) => unknown]>([
    ['logits', (recorder) => recorder.logits(3, 3, logitsAt(3))],
    ['gap', (recorder) => recorder.gap(3, 1)],
    ['head', (recorder) => recorder.head()],
  ])('tells of NaN with the next call (%s), and leaves that step out', async (_, next) => {
    const recorder = createRecorder(manifestOf(0), { sink: memorySink(), thread: await running() });
    recordTo(recorder, 2);
    recorder.logits(2, 2, bad());
    recorder.token(3);
    expect(problemOf(() => next(recorder))).toBe('PV-8049 at 2: NaN');
    expect(problemOf(() => recorder.logits(3, 3, logitsAt(3)))).toBe('PV-8038 at 3: 3');
    recordTo(recorder, 2, 2);
    const read = await readTrace((await recorder.finish()).file);
    const whole = createRecorder(manifestOf(0));
    recordTo(whole, 4);
    expect(read).toMatchObject({ value: { root: (await whole.finish()).root, size: 5 } });
  });

  test('reports NaN at the end', async () => {
    for (const [withToken, position] of [
      [true, 0],
      [false, 0],
    ] as const) {
      const recorder = createRecorder(manifestOf(0), { sink: memorySink(), thread: await running() });
      recorder.logits(position, 0, bad());
      if (withToken) recorder.token(1);
      await expect(recorder.finish()).rejects.toThrow('PV-8049');
      expect((await recorder.finish()).size).toBe(1);
    }
  });

  test('refuses at once what needs no hash', async () => {
    const recorder = createRecorder(manifestOf(3), { sink: memorySink(), thread: await running(3) });
    expect(problemOf(() => recorder.logits(1, 0, logitsAt(0)))).toBe('PV-8038 at 1: 1');
    expect(problemOf(() => recorder.logits(0, vocabSize, logitsAt(0)))).toBe(`PV-8039 at 0: ${vocabSize}`);
    expect(problemOf(() => recorder.logits(0, 0, new Float32Array(3)))).toBe(
      'PV-8048 at 0: a Float32Array of 3 numbers',
    );
    recordTo(recorder, 1);
    expect(problemOf(() => recorder.logits(1, 0, logitsAt(1)))).toBe('PV-8040 at 1: 0');
    recordTo(recorder, 1, 1);
    expect(recorder.head().size).toBe(3);
  });

  test('a full disk is reported with the next call, and the trace cannot be finished', async () => {
    const host = createMemoryHost();
    let left = 3;
    const full = { kind: 'no-space', path: 'run.trace', message: 'no space left on the device' } as const;
    const filling: typeof host = {
      ...host,
      createFile: async (path) => {
        const made = await host.createFile(path);
        if (!made.ok) return made;
        const { append, close, sync } = made.value;
        return ok({ sync, append: (bytes: Uint8Array) => (left-- > 0 ? append(bytes) : err(full)), close });
      },
    };
    const sink = await createFileSink(filling, 'run.trace');
    if (!sink.ok) throw new Error(sink.error.message);
    const recorder = createRecorder(manifestOf(0), { sink: sink.value, thread: await running() });
    recordTo(recorder, 3);
    expect(problemOf(() => recorder.logits(3, 3, logitsAt(3)))).toContain('PV-8047');
    await expect(recorder.finish()).rejects.toThrow('PV-8047');
  });
});

describe('where there is no such thread', () => {
  const silent = `import { workerData } from 'node:worker_threads';
    const control = new Int32Array(workerData.memory, 0, 2);
    Atomics.store(control, 0, 1);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`;
  test.each([
    ['it cannot be started', new URL('./nothing.worker.js', import.meta.url).href, 0],
    ['it fails', 'data:text/javascript,throw new Error()', 0],
    ['it does not answer', `data:text/javascript,${encodeURIComponent(silent)}`, 1],
  ])('since %s, the recording is the same', async (_, entry, taken) => {
    const thread = started(2, entry);
    await sleep(taken === 0 ? 300 : 2000);
    const [here, beside] = [
      createRecorder(manifestOf(2)),
      createRecorder(manifestOf(2), { sink: memorySink(), thread }),
    ];
    for (const recorder of [here, beside]) recordTo(recorder, 5);
    expect((await beside.finish()).root).toEqual((await here.finish()).root);
    expect(thread.taken()).toBe(taken);
  });

  test('what a thread has taken on is waited for, however long it takes: it may be in the file already', async () => {
    const slow = `import { workerData } from 'node:worker_threads';
      const control = new Int32Array(workerData.memory, 0, 2);
      Atomics.store(control, 0, 1);
      Atomics.wait(control, 1, 0);
      Atomics.store(control, 1, 2);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
      Atomics.store(control, 1, 3);
      Atomics.notify(control, 1);`;
    const thread = started(0, `data:text/javascript,${encodeURIComponent(slow)}`);
    await sleep(2000);
    const written: Entry[] = [];
    const sink = { ...memorySink(), entry: (entry: Entry) => void written.push(entry) };
    const recorder = createRecorder(manifestOf(0), { sink, thread });
    recordTo(recorder, 1);
    recorder.head();
    // Its answer, which is no hash of anything: nobody else has hashed the step.
    expect(written).toMatchObject([{ position: 0, logitsHash: new Uint8Array(32) }]);
  });

  test('small and unknown vocabularies get no thread', () => {
    expect(logitsThreadFor(manifestOf(0))).toBeNull();
    expect(logitsThreadFor({ ...manifestOf(0), vocabSize: null })).toBeNull();
  });
});

test('the package brings its thread, which takes the work and does not keep the process alive', async () => {
  const code = `
    import { logitsThreadFor } from ${JSON.stringify(pathToFileURL(`${repositoryRoot}dist/trace/node.js`).href)};
    const manifest = ${JSON.stringify({ ...greedyManifest, vocabSize: 9000 })};
    const thread = logitsThreadFor(manifest);
    const logits = new Float32Array(9000);
    for (let tries = 0; thread !== null && thread.taken() === 0 && tries < 2000; tries++) { await new Promise((later) => setTimeout(later, 5)); thread.take(logits)({ position: 0, inputToken: 0, outputToken: 0 }, null)(); }
    console.log(thread === null ? 'one core' : thread.taken() > 0 ? 'taken' : 'not taken');`;
  const { stdout, stderr, code: exit } = await runProcess(process.execPath, ['--input-type=module', '-e', code]);
  expect({ stdout, stderr, exit }).toEqual({
    stdout: expect.stringMatching(/^(taken|one core)\n$/),
    stderr: '',
    exit: 0,
  });
});
