/** Logits in every kind of memory, recorders that are called in every wrong way, and what is left of them. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import { readTrace } from '../../../src/trace/format/read-trace.ts';
import type { Manifest } from '../../../src/trace/format/trace.ts';
import { keepLogits, type LogitsThread } from '../../../src/trace/record/kept-logits.ts';
import { startLogitsThread } from '../../../src/trace/record/logits-thread.ts';
import { memorySink } from '../../../src/trace/record/memory-sink.ts';
import { createRecorder, type Recorder } from '../../../src/trace/record/recorder.ts';
import { repositoryRoot } from '../../support/built.ts';
import { refusalOf } from './refusal.ts';
import { greedyManifest } from '../../support/trace-cases.ts';

const manifest: Manifest = { ...greedyManifest, vocabSize: 4 };
const values = [1, 2, 3, 4];
const one = Float32Array.from(values);

const threads: LogitsThread[] = [];
afterEach(() => {
  for (const thread of threads.splice(0)) thread.end();
});

async function running(length: number, sketch = 0): Promise<LogitsThread> {
  const entry = pathToFileURL(`${repositoryRoot}dist/trace/record/keep-logits.worker.js`).href;
  const thread = startLogitsThread(length, sketch, entry);
  threads.push(thread);
  while (thread.taken() === 0) {
    await sleep(5);
    thread.take(new Float32Array(length))({ position: 0, inputToken: 0, outputToken: 0 }, null)();
  }
  return thread;
}

/** What is told of `call`, the recorder being as it was. */
function refusal(recorder: Recorder<unknown>, call: () => void): string {
  const problem = refusalOf(recorder, call);
  return problem === null ? 'taken' : `${problem.code} ${problem.check}: ${problem.expected} / ${problem.actual}`;
}

/** The hash that a finished file has of its only step. */
async function hashIn(file: Uint8Array): Promise<string> {
  const read = await readTrace(file);
  const [step] = read.ok ? read.value.entries : [];
  return step?.kind === 'step' ? Buffer.from(step.logitsHash).toString('hex') : 'no step';
}

const hashOf = (logits: Float32Array): string =>
  createHash('sha256')
    .update(new Uint8Array(logits.buffer, logits.byteOffset, logits.byteLength))
    .digest('hex');

function inShared(): Float32Array {
  const logits = new Float32Array(new SharedArrayBuffer(16));
  logits.set(values);
  return logits;
}

function inResizable(): Float32Array {
  const buffer: ArrayBuffer = Reflect.construct(ArrayBuffer, [8, { maxByteLength: 64 }]);
  Reflect.apply(Reflect.get(buffer, 'resize'), buffer, [16]);
  const logits = new Float32Array(buffer);
  logits.set(values);
  return logits;
}

const memories: readonly (readonly [string, () => Float32Array])[] = [
  ['a buffer of their own', () => one.slice()],
  ['the middle of a larger buffer', () => Float32Array.of(9, 9, ...values, 9).subarray(2, 6)],
  ['shared memory', inShared],
  ['a resizable buffer', inResizable],
  ['another realm', () => runInContext(`Float32Array.of(${values.join()})`, createContext())],
];

it('logits in shared memory are copied before they are looked at: they may change in the meantime', () => {
  const seen: Float32Array[] = [];
  const thread: LogitsThread = {
    length: 4,
    sketch: 0,
    take(logits) {
      seen.push(logits);
      return () => () => ({ kept: keepLogits(logits, 0), appended: null });
    },
    taken: () => 0,
    end: () => undefined,
  };
  const recorder = createRecorder(manifest, { sink: memorySink(), thread });
  const shared = inShared();
  recorder.logits(0, 1, shared);
  recorder.token(2);
  recorder.logits(1, 2, one);
  expect(seen).toEqual([one, one]);
  expect(seen.map(({ buffer }) => buffer instanceof SharedArrayBuffer)).toEqual([false, false]);
  // Those that nobody else can write to are not copied again.
  expect(seen[1]).toBe(one);
});

describe.each([
  ['here', false],
  ['by a thread', true],
])('logits that are hashed %s', (_, threaded) => {
  it.each(memories)('may be in %s, and may be overwritten at once', async (_where, make) => {
    const thread = threaded ? await running(4) : null;
    const recorder = createRecorder(manifest, { sink: memorySink(), thread });
    const logits = make();
    recorder.logits(0, 1, logits);
    logits.fill(Number.NaN);
    recorder.token(2);
    expect(await hashIn((await recorder.finish()).file)).toBe(hashOf(one));
  });

  it.each([1, 256_000])('may be %i', async (vocabSize) => {
    const large: Manifest = { ...manifest, vocabSize, sketch: 1 };
    const logits = Float32Array.from({ length: vocabSize }, (_none, i) => Math.fround(Math.sin(i)));
    const thread = threaded ? await running(vocabSize, 1) : null;
    const recorder = createRecorder(large, { sink: memorySink(), thread });
    recorder.logits(0, vocabSize - 1, logits);
    recorder.token(0);
    expect(await hashIn((await recorder.finish()).file)).toBe(hashOf(logits));
  });

  it.each<readonly [string, unknown, string]>([
    ['doubles', Float64Array.from(values), 'a Float64Array of 4 numbers'],
    ['half floats, as bits', new Uint16Array(4), 'a Uint16Array of 4 numbers'],
    ['bytes', new Uint8Array(16), 'a Uint8Array of 16 numbers'],
    ['a list', values, 'Array'],
    ['nothing', undefined, 'Undefined'],
    ['too many', new Float32Array(5), 'a Float32Array of 5 numbers'],
    ['too few', new Float32Array(1), 'a Float32Array of 1 number'],
    ['what was given away', detached(), 'a Float32Array of 0 numbers'],
  ])('may not be %s', async (_what, logits, actual) => {
    const recorder = createRecorder(manifest, { sink: memorySink(), thread: threaded ? await running(4) : null });
    const refused = refusal(recorder, () => recorder.logits(0, 1, logits as Float32Array));
    expect(refused).toBe(`PV-8048 logits length: a Float32Array of 4 numbers / ${actual}`);
    recorder.logits(0, 1, one);
  });
});

function detached(): Float32Array {
  const logits = one.slice();
  structuredClone(logits.buffer, { transfer: [logits.buffer] });
  return logits;
}

describe('recorders beside each other', () => {
  const record = (recorder: Recorder<unknown>, position: number, offset: number): void => {
    recorder.logits(
      position,
      position % 4,
      one.map((value) => value + position + offset),
    );
    recorder.token((position + 1) % 4);
  };
  const alone = async (offset: number): Promise<Uint8Array> => {
    const recorder = createRecorder(manifest);
    for (let position = 0; position < 20; position++) record(recorder, position, offset);
    return (await recorder.finish()).root;
  };

  it('with a thread each, or one for both, record what each would alone', async () => {
    const [first, second] = [await running(4), await running(4)];
    for (const [one, other] of [
      [first, second],
      [first, first],
    ] as const) {
      const recorders = [one, other].map((thread) => createRecorder(manifest, { sink: memorySink(), thread }));
      for (let position = 0; position < 20; position++) {
        for (const [i, recorder] of recorders.entries()) record(recorder, position, 100 * i);
      }
      for (const [i, recorder] of recorders.entries()) {
        expect((await recorder.finish()).root).toEqual(await alone(100 * i));
      }
    }
  });

  it('with one thread keep apart the logits whose tokens have not come', async () => {
    const thread = await running(4);
    const [one, other] = [0, 1].map(() => createRecorder(manifest, { sink: memorySink(), thread }));
    if (one === undefined || other === undefined) throw new Error('there are two');
    const both = [Float32Array.of(1, 2, 3, 4), Float32Array.of(5, 6, 7, 8)] as const;
    one.logits(0, 0, both[0]);
    other.logits(0, 0, both[1]);
    one.token(1);
    other.token(1);
    expect(await hashIn((await one.finish()).file)).toBe(hashOf(both[0]));
    expect(await hashIn((await other.finish()).file)).toBe(hashOf(both[1]));
  });

  it('take no thread that was made for another manifest', async () => {
    const thread = await running(4, 2);
    for (const [vocabSize, sketch, asked] of [
      [5, 2, '5 logits with a sketch of 2'],
      [3, 2, '3 logits with a sketch of 2'],
      [4, 0, '4 logits with a sketch of 0'],
      [null, 2, 'no logits with a sketch of 2'],
    ] as const) {
      expect(() => createRecorder({ ...manifest, vocabSize, sketch }, { sink: memorySink(), thread })).toThrow(
        expect.objectContaining({
          problem: expect.objectContaining({ code: 'PV-8048', expected: asked, actual: '4 with a sketch of 2' }),
        }),
      );
    }
  });
});

describe('the end of a recording', () => {
  it('may come before anything was recorded, after gaps alone, or twice a gap at either side', async () => {
    expect((await createRecorder(manifest).finish()).size).toBe(1);
    const gaps = createRecorder(manifest);
    gaps.gap(0, 3);
    expect(await readTrace((await gaps.finish()).file)).toMatchObject({
      value: { complete: true, entries: [{ kind: 'gap', position: 0, count: 3 }] },
    });
    const around = createRecorder(manifest);
    around.gap(0, 1);
    around.logits(1, 1, one);
    around.token(2);
    around.gap(2, 5);
    expect(await readTrace((await around.finish()).file)).toMatchObject({
      value: { complete: true, entries: [{ count: 1 }, { position: 1 }, { position: 2, count: 5 }] },
    });
  });

  it('takes nothing while it is being signed, and is signed once', async () => {
    const recorder = createRecorder(manifest);
    recorder.logits(0, 1, one);
    recorder.token(2);
    const { head } = recorder;
    let signed = 0;
    const signer = async (): Promise<string> => {
      signed += 1;
      const before = head();
      for (const call of [() => recorder.logits(1, 2, one), () => recorder.token(1), () => recorder.gap(1, 1)]) {
        expect(call).toThrow('PV-8048: The trace is being finished');
      }
      expect(head()).toEqual(before);
      await sleep(5);
      return 'signed\n';
    };
    const [first, second] = await Promise.allSettled([recorder.finish(signer), recorder.finish(signer)]);
    expect(second).toMatchObject({ reason: { problem: { code: 'PV-8048' } } });
    expect(signed).toBe(1);
    expect(first.status === 'fulfilled' && (await readTrace(first.value.file))).toMatchObject({
      value: { complete: true, size: 2, checkpoint: 'signed\n' },
    });
  });

  it('takes nothing between a signature and the file that it goes into', async () => {
    const recorder = createRecorder(manifest);
    const signature = Promise.resolve('signed\n');
    const finished = recorder.finish(() => signature);
    for (let turns = 0; turns < 20; turns++) {
      await signature;
      expect(() => recorder.logits(0, 1, one)).toThrow('PV-8048');
    }
    expect(await finished).toMatchObject({ size: 1, checkpoint: 'signed\n' });
  });

  it('that its signer refuses has not come: another signs, and steps are taken until then', async () => {
    for (const signer of [
      (): never => {
        throw new Error('no such key');
      },
      async (): Promise<never> => {
        throw new Error('no such key');
      },
    ]) {
      const recorder = createRecorder(manifest);
      await expect(recorder.finish(signer)).rejects.toThrow('no such key');
      recorder.logits(0, 1, one);
      expect(await recorder.finish(() => 'signed\n')).toMatchObject({ size: 2, checkpoint: 'signed\n' });
    }
  });
});

it('a failed sink is reported again with every call, in the same words', async () => {
  const full = new Error('the cupboard is full');
  let room = 1;
  const entry = (): void => {
    if (room-- === 0) throw full;
  };
  const recorder = createRecorder(manifest, { sink: { ...memorySink(), entry } });
  recorder.logits(0, 1, one);
  recorder.token(2);
  recorder.logits(1, 2, one);
  for (const call of [() => recorder.token(3), () => recorder.token(3), () => recorder.gap(2, 1), recorder.head]) {
    expect(call).toThrow(full);
  }
  await expect(recorder.finish()).rejects.toThrow(full);
});
