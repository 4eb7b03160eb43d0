/** Holds src/trace/record/growing-tree.ts, src/trace/record/recorder-error.ts. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readTrace } from '../../../src/trace/format/read-trace.ts';
import { treeOf } from '../../../src/trace/format/leaves.ts';
import { createRecorder, type Recorder } from '../../../src/trace/record/recorder.ts';
import { refusalOf } from './refusal.ts';
import { greedyManifest } from '../../support/trace-cases.ts';

const manifest = { ...greedyManifest, vocabSize: 4 };
const logits = (...values: number[]): Float32Array => Float32Array.from(values);
const one = logits(1, 2, 3, 4);

/** The code and the check of what `call` is refused with. */
function refusal(recorder: Recorder<unknown>, call: () => void): string {
  const problem = refusalOf(recorder, call);
  return problem === null ? 'taken' : `${problem.code} ${problem.check}`;
}

describe('a recorder', () => {
  it('makes a finished file of logits, tokens and gaps', async () => {
    const recorder = createRecorder(manifest);
    recorder.gap(0, 2);
    recorder.gap(2, 3);
    recorder.logits(5, 1, one);
    recorder.token(3);
    recorder.logits(6, 3, logits(0, 0, 0, 0));
    const { size, root, checkpoint, file } = await recorder.finish();
    const read = await readTrace(file);
    if (!read.ok) throw new Error(read.error.message);
    expect(read.value).toMatchObject({ complete: true, size, root, checkpoint, droppedBytes: 0 });
    expect(checkpoint).toBe(null);
    expect(read.value.entries).toMatchObject([
      { kind: 'gap', position: 0, count: 5 },
      { kind: 'step', position: 5, inputToken: 1, outputToken: 3 },
      { kind: 'step', position: 6, inputToken: 3, outputToken: null },
    ]);
    expect(treeOf(read.value).root()).toEqual(root);
  });

  it('keeps a gap that comes last', async () => {
    const recorder = createRecorder(manifest);
    recorder.logits(0, 1, one);
    recorder.token(3);
    recorder.gap(1, 2);
    recorder.gap(3, 4);
    const { size, root, file } = await recorder.finish();
    const read = await readTrace(file);
    if (!read.ok) throw new Error(read.error.message);
    expect(read.value).toMatchObject({ size: 3, root, entries: [{ kind: 'step' }, { position: 1, count: 6 }] });
    expect(size).toBe(3);
  });

  it('does not join what a step lies between', async () => {
    const recorder = createRecorder(manifest);
    recorder.gap(0, 2);
    expect(refusal(recorder, () => recorder.gap(3, 1))).toBe('PV-8038 position');
    recorder.logits(2, 1, one);
    recorder.token(0);
    recorder.gap(3, 1);
    const read = await readTrace((await recorder.finish()).file);
    expect(read).toMatchObject({ value: { entries: [{ count: 2 }, { position: 2 }, { position: 3, count: 1 }] } });
  });

  it('hashes before it returns, so that the buffer may be written to', async () => {
    const recorder = createRecorder({ ...manifest, sketch: 2 });
    const buffer = one.slice();
    recorder.logits(0, 1, buffer);
    buffer.fill(Number.NaN);
    recorder.token(0);
    const read = await readTrace((await recorder.finish()).file);
    const hash = new Uint8Array(createHash('sha256').update(new Uint8Array(one.buffer)).digest());
    expect(read).toMatchObject({ value: { entries: [{ logitsHash: hash, sketch: { ids: [3, 2], logits: [4, 3] } }] } });
  });

  it('hashes the view that it is given, not its underlying buffer', async () => {
    const whole = logits(9, 9, 1, 2, 3, 4, 9);
    const [part, same] = [createRecorder(manifest), createRecorder(manifest)];
    part.logits(0, 1, whole.subarray(2, 6));
    same.logits(0, 1, one);
    expect((await part.finish()).root).toEqual((await same.finish()).root);
  });

  it('grows: every head is the root of the entries so far', async () => {
    const recorder = createRecorder(manifest);
    const heads = [recorder.head()];
    for (let i = 0; i < 9; i++) {
      recorder.logits(i, i % 4, one);
      recorder.token((i + 1) % 4);
      heads.push(recorder.head());
    }
    const read = await readTrace((await recorder.finish()).file);
    if (!read.ok) throw new Error(read.error.message);
    const tree = treeOf(read.value);
    for (const { size, root } of heads) expect(tree.root(size)).toEqual(root);
  });

  it('lets a signer speak for the head', async () => {
    const recorder = createRecorder(manifest);
    const finished = await recorder.finish(async ({ size }) => `size ${size}\n`);
    expect(finished.checkpoint).toBe('size 1\n');
    expect(await readTrace(finished.file)).toMatchObject({ value: { checkpoint: 'size 1\n', entries: [] } });
  });

  it('holds steps to the prompt of the manifest', () => {
    const recorder = createRecorder({ ...manifest, prompt: { tokens: [1, 2, 3], text: null } });
    expect(refusal(recorder, () => recorder.logits(0, 2, one))).toBe('PV-8040 prompt token');
    recorder.logits(0, 1, one);
    expect(refusal(recorder, () => recorder.token(3))).toBe('PV-8040 prompt token');
    recorder.token(2);
  });

  it.each<readonly [string, string, (recorder: Recorder<unknown>) => void]>([
    ['a token first', 'PV-8048 call order', (r) => r.token(1)],
    ['the position left out', 'PV-8038 position', (r) => r.logits(1, 1, one)],
    ['a token outside of the vocabulary', 'PV-8039 token', (r) => r.logits(0, 4, one)],
    ['a negative token', 'PV-8037 input token', (r) => r.logits(0, -1, one)],
    ['logits of another length', 'PV-8048 logits length', (r) => r.logits(0, 1, logits(1, 2, 3))],
    ['NaN', 'PV-8049 finite logits', (r) => r.logits(0, 1, logits(1, Number.NaN, 3, 4))],
    ['infinity', 'PV-8049 finite logits', (r) => r.logits(0, 1, logits(1, 2, 3, -Infinity))],
    ['infinities that cancel', 'PV-8049 finite logits', (r) => r.logits(0, 1, logits(-Infinity, Infinity, 3, 4))],
    ['a list instead of logits', 'PV-8048 logits length', (r) => r.logits(0, 1, [1, 2, 3, 4] as never)],
    ['a gap of nothing', 'PV-8037 gap length', (r) => r.gap(0, 0)],
    ['a gap elsewhere', 'PV-8038 position', (r) => r.gap(3, 1)],
    ['a gap of half a position', 'PV-8037 gap length', (r) => r.gap(0, 0.5)],
  ])('refuses %s at the start', (_, code, call) => {
    const recorder = createRecorder(manifest);
    expect(refusal(recorder, () => call(recorder))).toBe(code);
  });

  it('refuses a step out of turn, and continues', () => {
    const recorder = createRecorder(manifest);
    recorder.logits(0, 1, one);
    expect(refusal(recorder, () => recorder.logits(1, 1, one))).toBe('PV-8048 call order');
    expect(refusal(recorder, () => recorder.gap(1, 1))).toBe('PV-8048 call order');
    expect(refusal(recorder, () => recorder.token(4))).toBe('PV-8039 token');
    recorder.token(3);
    expect(refusal(recorder, () => recorder.token(3))).toBe('PV-8048 call order');
    expect(refusal(recorder, () => recorder.logits(0, 3, one))).toBe('PV-8038 position');
    expect(refusal(recorder, () => recorder.logits(1, 2, one))).toBe('PV-8040 input token');
    recorder.logits(1, 3, one);
  });

  it('takes nothing after its end', async () => {
    const recorder = createRecorder(manifest);
    await recorder.finish();
    expect(refusal(recorder, () => recorder.logits(0, 1, one))).toBe('PV-8048 finished');
    expect(refusal(recorder, () => recorder.token(1))).toBe('PV-8048 finished');
    expect(refusal(recorder, () => recorder.gap(0, 1))).toBe('PV-8048 finished');
    await expect(recorder.finish()).rejects.toThrow('PV-8048');
  });

  it('refuses a malformed manifest, and logits without a vocabulary', () => {
    expect(() => createRecorder({ ...manifest, sketch: -1 })).toThrow('PV-8034');
    const recorder = createRecorder({ ...manifest, vocabSize: null });
    expect(refusal(recorder, () => recorder.logits(0, 1, one))).toBe('PV-8048 logits length');
  });
});
