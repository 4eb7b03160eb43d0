/**
 * Holds src/trace/record/adapters/forward-passes.ts, src/trace/record/adapters/tensor.ts,
 * src/trace/record/adapters/transformers.ts, src/trace/record/adapters/web-llm.ts.
 */
import { describe, expect, it } from 'vitest';
import { readTrace } from '../../../../src/trace/format/read-trace.ts';
import type { Entry } from '../../../../src/trace/format/trace.ts';
import { sha256 } from '../../../../src/merkle/sha256.ts';
import { recordPasses } from '../../../../src/trace/record/adapters/forward-passes.ts';
import { float32Rows, tokenIds, type TensorLike } from '../../../../src/trace/record/adapters/tensor.ts';
import { recordTransformers, type TransformersModel } from '../../../../src/trace/record/adapters/transformers.ts';
import { webLlmProcessor } from '../../../../src/trace/record/adapters/web-llm.ts';
import { createRecorder, type Recorder } from '../../../../src/trace/record/recorder.ts';
import { greedyManifest } from '../../../support/trace-cases.ts';

const manifest = { ...greedyManifest, vocabSize: 3, profile: 'unspecified' };
const row = (position: number): readonly number[] => [position, -position, 0.5];
const tensor = (rows: readonly (readonly number[])[]): TensorLike => ({
  type: 'float32',
  dims: [1, rows.length, 3],
  data: Float32Array.from(rows.flat()),
});
const ids = (tokens: readonly number[]): TensorLike => ({
  type: 'int64',
  dims: [1, tokens.length],
  data: BigInt64Array.from(tokens, BigInt),
});
const hashOf = (values: readonly number[]): Uint8Array => sha256(new Uint8Array(Float32Array.from(values).buffer));

async function entriesOf(recorder: Recorder<Uint8Array>): Promise<readonly Entry[]> {
  const read = await readTrace((await recorder.finish()).file);
  if (!read.ok) throw new Error(read.error.message);
  return read.value.entries;
}

const step = (position: number, inputToken: number, outputToken: number | null) => ({
  kind: 'step',
  position,
  inputToken,
  outputToken,
  logitsHash: hashOf(row(position)),
  sketch: null,
});

describe('forward passes', () => {
  it('give every position of a prefill, and one for each pass after it', async () => {
    const recorder = createRecorder(manifest);
    const passes = recordPasses(recorder);
    passes.pass([1, 2, 0], tensor([row(0), row(1), row(2)]));
    passes.pass([2], tensor([row(3)]));
    passes.last(1);
    expect(await entriesOf(recorder)).toEqual([step(0, 1, 2), step(1, 2, 0), step(2, 0, 2), step(3, 2, 1)]);
  });

  it('leave a gap where only the last position has logits', async () => {
    const recorder = createRecorder(manifest);
    const passes = recordPasses(recorder);
    passes.pass([1, 2, 0], tensor([row(2)]));
    passes.pass([2], tensor([row(3)]));
    expect(await entriesOf(recorder)).toEqual([
      { kind: 'gap', position: 0, count: 2 },
      step(2, 0, 2),
      step(3, 2, null),
    ]);
  });

  it('are recorded once where an engine without a cache computes all again', async () => {
    const recorder = createRecorder(manifest);
    const passes = recordPasses(recorder);
    passes.pass([1, 2], tensor([row(0), row(1)]), 0);
    passes.pass([1, 2, 0], tensor([row(0), row(1), row(2)]), 0);
    expect(await entriesOf(recorder)).toEqual([step(0, 1, 2), step(1, 2, 0), step(2, 0, null)]);
  });

  it('of another generation are refused, where they would pass for positions that are computed again', () => {
    const passes = recordPasses(createRecorder(manifest));
    passes.pass([1, 2], tensor([row(0), row(1)]));
    expect(() => passes.pass([1, 0], tensor([row(0), row(1)]), 0)).toThrow('another generation needs another recorder');
    expect(() => passes.pass([1], tensor([row(0)]), -1)).toThrow('PV-8048');
    passes.pass([0], tensor([row(2)]));
  });

  it('that leave positions out are refused', () => {
    const passes = recordPasses(createRecorder(manifest));
    expect(() => passes.pass([1], tensor([row(4)]), 4)).toThrow('PV-8038');
  });
});

describe('tensors', () => {
  it('of half precision are converted exactly', () => {
    const halves = Uint16Array.of(0x3c00, 0xc000, 0x0001, 0x7bff, 0x8000, 0x03ff);
    const rows = float32Rows({ type: 'float16', dims: [1, 2, 3], data: halves });
    expect(rows).toEqual([Float32Array.of(1, -2, 2 ** -24), Float32Array.of(65504, -0, 1023 * 2 ** -24)]);
    expect(float32Rows({ type: 'float16', dims: [1, 2], data: Uint16Array.of(0x7c00, 0x7e00) })).toEqual([
      Float32Array.of(Infinity, Number.NaN),
    ]);
  });

  it.each<readonly [string, TensorLike]>([
    ['a batch of two', { type: 'float32', dims: [2, 1, 3], data: new Float32Array(6) }],
    ['whole numbers', { type: 'int32', dims: [1, 1, 3], data: new Int32Array(3) }],
    ['too few numbers', { type: 'float32', dims: [1, 2, 3], data: new Float32Array(3) }],
    ['data elsewhere', { type: 'float32', dims: [1, 1, 3], data: undefined }],
  ])('of %s are refused', (_, wrong) => {
    expect(() => float32Rows(wrong)).toThrow('PV-8048');
  });

  it('of tokens may hold bigints or numbers, of one sequence', () => {
    expect(tokenIds(ids([1, 2]))).toEqual([1, 2]);
    expect(() => tokenIds({ type: 'int64', dims: [2, 1], data: BigInt64Array.of(1n, 2n) })).toThrow('PV-8048');
    expect(() => tokenIds({ type: 'missing', dims: [], data: null })).toThrow('PV-8048');
  });
});

describe('transformers.js', () => {
  /** As `generate` calls a model: the prompt first, then token by token, with a mask over all of them. */
  async function generate(
    model: TransformersModel,
    prompt: readonly number[],
    chosen: readonly number[],
  ): Promise<void> {
    let fed = prompt;
    let total = prompt.length;
    for (const token of chosen) {
      await model.forward({ input_ids: ids(fed), attention_mask: ids(Array.from({ length: total }, () => 1)) });
      fed = [token];
      total += 1;
    }
  }
  const modelOf = (lastOnly: boolean): TransformersModel => ({
    async forward({ input_ids: fed, attention_mask: mask }) {
      const [total = 0, length = 0] = [mask?.dims[1], fed?.dims[1]];
      const rows = Array.from({ length }, (_, i) => row(total - length + i));
      return { logits: tensor(lastOnly ? rows.slice(-1) : rows) };
    },
  });

  it('is recorded by its forward passes', async () => {
    const recorder = createRecorder(manifest);
    const model = modelOf(false);
    const { forward } = model;
    const recording = recordTransformers(model, recorder);
    await generate(model, [1, 2], [0, 2]);
    recording.last(2);
    recording.release();
    expect(model.forward).toBe(forward);
    expect(await entriesOf(recorder)).toEqual([step(0, 1, 2), step(1, 2, 0), step(2, 0, 2)]);
  });

  it('is refused where the model has an encoder, whose tokens are not those of the text', async () => {
    const model = modelOf(false);
    recordTransformers(model, createRecorder(manifest));
    const inputs = { input_ids: ids([1, 2]), decoder_input_ids: ids([0]) };
    await expect(model.forward(inputs)).rejects.toThrow('PV-8048: The model has an encoder');
  });

  it('has the forward of its class again when it is released', async () => {
    class Model {
      forward(): Promise<{ readonly logits: TensorLike }> {
        return Promise.resolve({ logits: tensor([row(0)]) });
      }
    }
    const model = new Model();
    const recording = recordTransformers(model, createRecorder(manifest));
    expect(Object.hasOwn(model, 'forward')).toBe(true);
    recording.release();
    expect(Object.hasOwn(model, 'forward')).toBe(false);
  });

  it('has a gap for a prompt whose logits are not handed out', async () => {
    const recorder = createRecorder(manifest);
    const model = modelOf(true);
    recordTransformers(model, recorder);
    await generate(model, [1, 2, 1], [0]);
    expect(await entriesOf(recorder)).toEqual([{ kind: 'gap', position: 0, count: 2 }, step(2, 1, null)]);
  });
});

describe('WebLLM', () => {
  it('is recorded by a processor that changes nothing', async () => {
    const recorder = createRecorder(manifest);
    const processor = webLlmProcessor(recorder, [1, 2, 0]);
    processor.resetState();
    for (const [i, token] of [2, 1].entries()) {
      const logits = Float32Array.from(row(2 + i));
      expect(processor.processLogits(logits)).toBe(logits);
      processor.processSampledToken(token);
    }
    expect(await entriesOf(recorder)).toEqual([{ kind: 'gap', position: 0, count: 2 }, step(2, 0, 2), step(3, 2, 1)]);
  });

  it('is refused after a reset, without a prompt, and under a grammar', () => {
    const recorder = createRecorder(manifest);
    const processor = webLlmProcessor(recorder, [1]);
    processor.processLogits(Float32Array.from(row(0)));
    processor.processSampledToken(1);
    processor.resetState();
    expect(() => processor.processLogits(Float32Array.from(row(1)))).toThrow('another recorder');
    const other =
      (prompt: readonly number[], ...logits: number[]) =>
      () =>
        webLlmProcessor(createRecorder(manifest), prompt).processLogits(Float32Array.from(logits));
    expect(other([], 1, 2, 3)).toThrow('PV-8048');
    expect(other([1], 1, -Infinity, 3)).toThrow('PV-8049');
  });
});
