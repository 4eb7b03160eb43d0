/** Holds src/trace/record/memory-sink.ts. */
import { describe, expect, it } from 'vitest';
import { createMemoryHost, type MemoryHost } from '../../../src/host/memory-host.ts';
import { err } from '../../../src/base/result.ts';
import { readTrace } from '../../../src/trace/format/read-trace.ts';
import type { Manifest, TraceFile } from '../../../src/trace/format/trace.ts';
import { createFileSink } from '../../../src/trace/record/file-sink.ts';
import { createRecorder, type Recorder } from '../../../src/trace/record/recorder.ts';
import { greedyManifest } from '../../support/trace-cases.ts';

const manifest: Manifest = { ...greedyManifest, vocabSize: 4, sketch: 2 };

function generate(recorder: Recorder<unknown>, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    recorder.logits(i, i % 4, Float32Array.of(i, 1, 2, i / 3));
    recorder.token((i + 1) % 4);
  }
}

async function sinkOf(host: MemoryHost, path = 'run.trace') {
  const sink = await createFileSink(host, path);
  if (!sink.ok) throw new Error(sink.error.message);
  return sink.value;
}

async function fileOf(host: MemoryHost, path = 'run.trace'): Promise<TraceFile> {
  const bytes = await host.readBytes(path);
  const read = bytes.ok ? await readTrace(bytes.value) : null;
  if (!read?.ok) throw new Error(JSON.stringify(read ?? bytes));
  return read.value;
}

describe('a trace that is written while it grows', () => {
  it('is there after every step, and finished in the end: the same bytes as from memory', async () => {
    const host = createMemoryHost();
    const sink = await sinkOf(host);
    const recorder = createRecorder(manifest, { sink });
    expect(await fileOf(host)).toMatchObject({ complete: false, entries: [], size: 1 });
    generate(recorder, 0, 3);
    expect(await fileOf(host)).toMatchObject({ complete: false, droppedBytes: 0, ...recorder.head() });
    generate(recorder, 3, 2500);
    const inMemory = createRecorder(manifest);
    generate(inMemory, 0, 2500);
    const finished = await recorder.finish(() => 'signed');
    const { file } = await inMemory.finish(() => 'signed');
    const read = await host.readBytes('run.trace');
    expect(read.ok && Buffer.compare(read.value, file)).toBe(0);
    expect(finished.file.bytes).toBe(file.length);
    expect([...host.files.keys()]).toEqual(['/project/run.trace']);
    expect(await fileOf(host)).toMatchObject({ complete: true, checkpoint: 'signed', size: 2501 });
  });

  it('keeps what there is when it is abandoned', async () => {
    const host = createMemoryHost();
    const sink = await sinkOf(host);
    const recorder = createRecorder(manifest, { sink });
    generate(recorder, 0, 5);
    expect(await sink.abandon()).toEqual({ ok: true, value: undefined });
    expect(await fileOf(host)).toMatchObject({ complete: false, size: 6, droppedBytes: 0 });
  });

  it('is not finished over what another program wrote into it', async () => {
    const host = createMemoryHost();
    const recorder = createRecorder(manifest, { sink: await sinkOf(host) });
    generate(recorder, 0, 5);
    const bytes = host.files.get('/project/run.trace') ?? new Uint8Array(0);
    host.files.set('/project/run.trace', bytes.slice(0, -60));
    await expect(recorder.finish()).rejects.toThrow('PV-8043');
    expect([...host.files.keys()]).toEqual(['/project/run.trace']);
  });

  it('stops generation where it cannot be written', async () => {
    const host = createMemoryHost();
    let room = 3;
    const full: MemoryHost = {
      ...host,
      createFile: async (path) => {
        const created = await host.createFile(path);
        if (!created.ok) return created;
        const append: typeof created.value.append = (bytes) =>
          room-- > 0
            ? created.value.append(bytes)
            : err({ kind: 'no-space', path, message: 'no space left on the device' });
        return { ok: true, value: { ...created.value, append } };
      },
    };
    const recorder = createRecorder(manifest, { sink: await sinkOf(full) });
    expect(() => generate(recorder, 0, 5)).toThrow('PV-8047: The trace cannot be written: run.trace no space left');
    expect(await fileOf(host)).toMatchObject({ complete: false, size: 3 });
  });

  it('is not finished where the packed file cannot take its place', async () => {
    const host = createMemoryHost();
    const held: MemoryHost = {
      ...host,
      rename: async (from) => Promise.resolve(err({ kind: 'other', path: from, message: 'cannot be moved' })),
    };
    const recorder = createRecorder(manifest, { sink: await sinkOf(held) });
    generate(recorder, 0, 5);
    await expect(recorder.finish()).rejects.toThrow(
      'PV-8047: The trace cannot be written: run.trace.packing cannot be moved. run.trace holds 5 entries, whole, and is incomplete',
    );
    expect(await fileOf(host)).toMatchObject({ complete: false, size: 6 });
  });
});
