import { describe, expect, test } from 'vitest';
import { createStrictEngine } from '../../../src/trace/engine/strict.ts';
import { headerBytes } from '../../../src/trace/model/layout.ts';
import { tinyModel } from '../../../src/trace/model/tiny-model.ts';
import { modelOf, tokenizerOf } from '../../support/llama-data.ts';
import { greedy, hashedSteps, hashOf, topP } from './generations.ts';

const files = tinyModel(1);
const model = modelOf(files.checkpoint);
const { encode } = tokenizerOf(files.tokenizer);
const prompt = encode('Once upon a time');

/** The digest of all hashes of a hundred steps. */
function digest(separateClassifier: boolean, sampler: Parameters<typeof hashedSteps>[1]['sampler']): string {
  const engine = createStrictEngine(modelOf(tinyModel(1, { separateClassifier }).checkpoint));
  const steps = hashedSteps(engine, { prompt, steps: 100, sampler });
  return hashOf(Float32Array.from(Buffer.from(steps.map(({ hash }) => hash).join(''))));
}

describe('the tiny model', () => {
  test.each([
    ['greedy', false, greedy, '811d847bf19ff6e40dc905635c69d995369a00fa4af1a9618e90640541aec256'],
    ['by top-p', false, topP(), 'bd43d0e64cf01f9f6078952874897e039924d715307f99a9ef24de0db0fefbc1'],
    [
      'from the whole distribution',
      false,
      topP({ topP: 1, generator: 'xorshift64star/1' }),
      'c04fa340e785a4dbe750dcb544c5d325fbda72664c450e673ba9dafbd687409a',
    ],
    [
      'greedy, with a classifier of its own',
      true,
      greedy,
      '06bb97823c4492ce14c041a81c737784636bfaaf6fca4602bc09038968a21e64',
    ],
  ])('has the same hundred hashes everywhere: %s', (_, separateClassifier, sampler, golden) => {
    expect(digest(separateClassifier, sampler)).toBe(golden);
  });

  test('of another seed has others', () => {
    const other = createStrictEngine(modelOf(tinyModel(2).checkpoint));
    expect(hashOf(other.forward(1, 0))).not.toBe(hashOf(createStrictEngine(model).forward(1, 0)));
  });
});

describe('the strict engine', () => {
  test('goes back to any position, and then has the same logits as if it had never been further', () => {
    const straight = createStrictEngine(model);
    const back = createStrictEngine(model);
    const tokens = [1, 300, 301, 302, 303];
    const hashes = tokens.map((token, position) => hashOf(straight.forward(token, position)));
    for (const [position, token] of [1, 300, 400, 401, 402].entries()) back.forward(token, position);
    expect(tokens.slice(2).map((token, i) => hashOf(back.forward(token, i + 2)))).toEqual(hashes.slice(2));
  });

  test('keeps what it knows of earlier positions while its memory grows', () => {
    const engine = createStrictEngine(model);
    const again = createStrictEngine(model);
    const hashes = Array.from({ length: 70 }, (_, position) => hashOf(engine.forward(position + 260, position)));
    expect(Array.from({ length: 70 }, (_, position) => hashOf(again.forward(position + 260, position)))).toEqual(
      hashes,
    );
    // Position 69 rests on position 0: another first token changes it.
    again.forward(299, 0);
    for (let position = 1; position < 69; position++) again.forward(position + 260, position);
    expect(hashOf(again.forward(69 + 260, 69))).not.toBe(hashes[69]);
  });

  test('lets query heads share keys: as a model with the keys and values of each head repeated', () => {
    const sizes = { layers: 1, sequenceLength: 16 };
    const shared = tinyModel(3, { config: { ...sizes, kvHeads: 2 } }).checkpoint;
    const { config, weights } = modelOf(shared);
    // 2 heads of keys of 8 rows of 32 weights: head h of 4 takes those of h / 2.
    const repeated = (tensor: Float32Array) =>
      [0, 0, 1, 1].flatMap((head) => [...tensor.subarray(head * 8 * 32, (head + 1) * 8 * 32)]);
    const twice = {
      config: { ...config, kvHeads: 4 },
      weights: {
        ...weights,
        key: Float32Array.from(repeated(weights.key)),
        value: Float32Array.from(repeated(weights.value)),
      },
      digest: '',
    };
    const [engine, wide] = [createStrictEngine(modelOf(shared)), createStrictEngine(twice)];
    for (let position = 0; position < 16; position++) {
      expect(hashOf(wide.forward(300 + position, position))).toBe(hashOf(engine.forward(300 + position, position)));
    }
  });

  test('refuses what would be read beside its tables', () => {
    const engine = createStrictEngine(model);
    for (const token of [-1, 414, 0.5, Number.NaN]) expect(() => engine.forward(token, 0)).toThrow('callers check');
    for (const position of [-1, 256, 0.5]) expect(() => engine.forward(1, position)).toThrow('callers check');
    expect(() => engine.forward(1, 1)).toThrow('in order');
  });

  test('of a checkpoint of kilobytes that claims a long sequence takes memory as positions come', () => {
    const { checkpoint } = tinyModel(1, {
      config: { dim: 4, heads: 2, kvHeads: 2, hiddenDim: 1, layers: 3000, sequenceLength: 100_000 },
    });
    expect(checkpoint.length).toBeLessThan(4e6);
    const before = process.memoryUsage().arrayBuffers;
    // All positions at once would be 9.6 GB.
    createStrictEngine(modelOf(checkpoint)).forward(1, 0);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50e6);
  });

  test('rounds what a float64 engine would not: one weight away from its place changes the logits', () => {
    const changed = Uint8Array.from(files.checkpoint);
    new DataView(changed.buffer).setFloat32(headerBytes + 4 * 32, 0.5, true);
    expect(hashOf(createStrictEngine(modelOf(changed)).forward(1, 0))).not.toBe(
      hashOf(createStrictEngine(model).forward(1, 0)),
    );
  });
});
