import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readModel } from '../../../src/trace/model/checkpoint.ts';
import { headerBytes } from '../../../src/trace/model/layout.ts';
import { tinyModel } from '../../../src/trace/model/tiny-model.ts';
import { llamaData, modelOf } from '../../support/llama-data.ts';

const { checkpoint } = tinyModel(1);

/** A copy with one number changed; `offset` in bytes. */
function edited(offset: number, value: number, kind: 'int' | 'float' = 'int'): Uint8Array {
  const bytes = Uint8Array.from(checkpoint);
  const view = new DataView(bytes.buffer);
  if (kind === 'int') view.setInt32(offset, value, true);
  else view.setFloat32(offset, value, true);
  return bytes;
}

function problemOf(bytes: Uint8Array) {
  const read = readModel(bytes);
  if (read.ok) throw new Error('the checkpoint was read');
  return read.error;
}

describe('a checkpoint', () => {
  test('is read with its sizes, tensors and digest', () => {
    const { config, weights, digest } = modelOf(checkpoint);
    expect(config).toEqual({
      dim: 32,
      hiddenDim: 64,
      layers: 2,
      heads: 4,
      kvHeads: 2,
      vocabSize: 414,
      sequenceLength: 256,
    });
    expect(digest).toBe('sha256:a72945f5546205f8a0932adb41e2870f71f8f03d80151298f667c15ab7d27e6b');
    expect(weights.key.length).toBe(2 * 16 * 32);
    expect(weights.classifier).toBe(weights.tokenEmbedding);
    const view = new DataView(checkpoint.buffer);
    expect(weights.tokenEmbedding[0]).toBe(view.getFloat32(headerBytes, true));
    const beforeTables = checkpoint.length - 4 * 256 * 8;
    expect(weights.finalNorm[31]).toBe(view.getFloat32(beforeTables - 4, true));
  });

  test('with a negative vocabulary size has a classifier of its own, at the end of the file', () => {
    const separate = tinyModel(1, { separateClassifier: true }).checkpoint;
    const { config, weights } = modelOf(separate);
    expect(config.vocabSize).toBe(414);
    expect(weights.classifier).not.toBe(weights.tokenEmbedding);
    expect(weights.classifier.at(-1)).toBe(new DataView(separate.buffer).getFloat32(separate.length - 4, true));
  });

  test('is viewed where it is aligned and copied where it is not, with the same numbers', () => {
    const shifted = new Uint8Array(checkpoint.length + 1);
    shifted.set(checkpoint, 1);
    expect(modelOf(checkpoint).weights.up.buffer).toBe(checkpoint.buffer);
    expect(modelOf(shifted.subarray(1))).toEqual(modelOf(checkpoint));
  });
});

describe('a checkpoint is refused', () => {
  test.each([0, 1, headerBytes - 1])('that ends inside its header, at %i', (length) => {
    expect(problemOf(checkpoint.subarray(0, length))).toMatchObject({ code: 'PV-8007', offset: length });
  });

  test.each([
    ['dim', 0, 0],
    ['dim', 0, 30],
    ['dim', 0, -32],
    ['hiddenDim', 4, 0],
    ['layers', 8, -1],
    ['heads', 12, 0],
    ['kvHeads', 16, 0],
    ['kvHeads', 16, 3],
    ['kvHeads', 16, 8],
    ['vocabSize', 20, 0],
    ['vocabSize', 20, 1],
    ['vocabSize', 20, -1],
    ['sequenceLength', 24, 0],
  ])('with %s (at %i) = %i', (field, offset, value) => {
    expect(problemOf(edited(offset, value))).toMatchObject({
      code: 'PV-8007',
      check: `checkpoint header: ${field}`,
      actual: `${value}`,
    });
  });

  test.each([
    [4, 65],
    [8, 3],
    [20, 415],
    [20, -414],
    [24, 255],
    [4, 0x7fffffff],
    [24, 0x7fffffff],
  ])('whose length is not that of its header (at %i: %i), before anything is allocated', (offset, value) => {
    expect(problemOf(edited(offset, value))).toMatchObject({
      code: 'PV-8008',
      actual: `${checkpoint.length} bytes`,
    });
  });

  test('that is truncated or too long, saying by how much and where', () => {
    expect(problemOf(checkpoint.subarray(0, -1))).toMatchObject({ code: 'PV-8008', offset: checkpoint.length - 1 });
    const longer = new Uint8Array(checkpoint.length + 3);
    longer.set(checkpoint);
    const problem = problemOf(longer);
    expect(problem).toMatchObject({ code: 'PV-8008', offset: checkpoint.length });
    expect(problem.message).toContain('continues after its last tensor for 3 bytes');
  });

  test.each([Number.NaN, Infinity, -Infinity])('with a weight that is %d, by tensor and index', (value) => {
    const index = 7;
    const offset = headerBytes + 4 * (414 * 32 + index);
    const problem = problemOf(edited(offset, value, 'float'));
    expect(problem).toMatchObject({ code: 'PV-8009', offset, actual: `${value}` });
    expect(problem.message).toContain(`Number ${index} of the tensor attentionNorm`);
    // The first number of all.
    expect(problemOf(edited(headerBytes, value, 'float'))).toMatchObject({ code: 'PV-8009', offset: headerBytes });
  });

  test('but not with a NaN in the tables of cosines and sines, with which nothing is computed', () => {
    const first = checkpoint.length - 4 * 256 * 8;
    for (const offset of [first, checkpoint.length - 4]) {
      expect(readModel(edited(offset, Number.NaN, 'float')).ok).toBe(true);
    }
    expect(problemOf(edited(first - 4, Number.NaN, 'float')).message).toContain('finalNorm');
  });
});

const present = existsSync(llamaData);
test(`the model of others is ${present ? 'there' : 'absent (../shared/data/llama): it is not read'}`, () => {
  expect(existsSync(llamaData)).toBe(present);
});

describe.runIf(present)('stories260K', () => {
  test('is read with the sizes and the hash that were published', () => {
    const { config, digest } = modelOf(readFileSync(`${llamaData}/stories260K.bin`));
    expect(Object.values(config)).toEqual([64, 172, 5, 8, 4, 512, 512]);
    expect(digest).toBe('sha256:b0a507e7ad0f626624f17112325e66691f9076d622e1d3274d103d00299f2696');
  });
});
