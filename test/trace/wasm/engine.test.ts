/** The engine in WebAssembly against the strict engine, which defines the profile, and against llama2.c's own logits. */
import fc from 'fast-check';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { nextUp32 } from '../../../src/numeric/float.ts';
import { createStrictEngine } from '../../../src/trace/engine/strict.ts';
import { sha256 } from '../../../src/merkle/sha256.ts';
import type { Model, ModelWeights } from '../../../src/trace/model/model.ts';
import { tinyModel } from '../../../src/trace/model/tiny-model.ts';
import { createFastEngine, type FastEngine } from '../../../src/trace/wasm/fast.ts';
import { planMemory } from '../../../src/trace/wasm/plan.ts';
import { llamaData, modelOf } from '../../support/llama-data.ts';
import { bits } from './room.ts';

function fastEngine(model: Model): FastEngine['engine'] {
  const { engine, fallback } = createFastEngine(model);
  expect(fallback).toBeNull();
  return engine;
}

/** Sizes around those of tiles and vectors: heads of 2 to 20 numbers, shared or not, any width of the feed-forward layer. */
const models = fc
  .record({
    seed: fc.nat(),
    pairs: fc.integer({ min: 1, max: 10 }),
    kvHeads: fc.integer({ min: 1, max: 3 }),
    group: fc.integer({ min: 1, max: 3 }),
    hiddenDim: fc.integer({ min: 1, max: 70 }),
    layers: fc.integer({ min: 1, max: 3 }),
    sequenceLength: fc.integer({ min: 20, max: 40 }),
    separateClassifier: fc.boolean(),
  })
  .map(({ seed, pairs, kvHeads, group, hiddenDim, layers, sequenceLength, separateClassifier }) => {
    const heads = kvHeads * group;
    const config = { dim: 2 * pairs * heads, hiddenDim, layers, heads, kvHeads, sequenceLength };
    return modelOf(tinyModel(seed, { config, separateClassifier }).checkpoint);
  });

test('models of all sizes have the logits of the strict engine at every position, and after a step back', () => {
  fc.assert(
    fc.property(models, fc.nat(19), (model, again) => {
      const [strict, fast] = [createStrictEngine(model), fastEngine(model)];
      expect(fast.profile).toBe(strict.profile);
      for (const position of [...Array(20).keys(), again]) {
        const token = (position * 7919) % model.config.vocabSize;
        expect(bits(fast.forward(token, position))).toEqual(bits(strict.forward(token, position)));
      }
    }),
    { numRuns: 40 },
  );
});

/** The engine's blocks as they are there: the type lets an engine be without. */
function blocksOf({ block }: FastEngine['engine']): NonNullable<FastEngine['engine']['block']> {
  if (block === undefined) throw new Error('this engine takes one position after the other');
  return block;
}

test('blocks of all lengths, single steps between them and a step back have the logits of the strict engine', () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 16 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(models, lengths, fc.nat(), (model, counts, back) => {
      const [strict, fast] = [createStrictEngine(model), fastEngine(model)];
      const { vocabSize, sequenceLength } = model.config;
      const tokenAt = (position: number): number => (position * 7919) % vocabSize;
      const forwards = (from: number, count: number): void => {
        const positions = Array.from({ length: Math.min(count, sequenceLength - from) }, (_, i) => from + i);
        if (positions.length === 0) return;
        const rows = blocksOf(fast).forward(positions.map(tokenAt), from);
        // All of them first: a block's logits hold until the next call.
        expect(rows.map(bits)).toEqual(positions.map((position) => bits(strict.forward(tokenAt(position), position))));
      };
      let position = 0;
      for (const count of counts) {
        forwards(position, count);
        position = Math.min(position + count, sequenceLength - 1);
        expect(bits(fast.forward(tokenAt(position), position))).toEqual(
          bits(strict.forward(tokenAt(position), position)),
        );
        position += 1;
      }
      forwards(back % position, 16);
    }),
    { numRuns: 40 },
  );
});

test('a block that is empty or too long, or holds what the model does not have, is a defect of the caller', () => {
  const model = modelOf(tinyModel(3).checkpoint);
  const { vocabSize, sequenceLength } = model.config;
  const block = blocksOf(fastEngine(model));
  const ones = (count: number): number[] => Array<number>(count).fill(1);
  expect(() => block.forward([], 0)).toThrow('a block has');
  expect(() => block.forward(ones(block.positions + 1), 0)).toThrow('a block has');
  expect(() => block.forward([1, vocabSize], 0)).toThrow('callers check tokens');
  expect(() => block.forward([1, 1], 1)).toThrow('positions are fed in order');
  for (let position = 0; position < sequenceLength - 1; position++) block.forward([1], position);
  expect(() => block.forward([1, 1], sequenceLength - 1)).toThrow('callers check tokens');
});

test('a model that overflows does so alike, and NaN and ∞ spread alike', () => {
  const model = modelOf(tinyModel(3).checkpoint);
  const larger = (factor: number, name: keyof ModelWeights): Model => ({
    ...model,
    weights: { ...model.weights, [name]: model.weights[name].map((weight) => weight * factor) },
  });
  for (const name of ['query', 'key', 'value', 'gate', 'up', 'down', 'finalNorm'] as const) {
    for (const factor of [2 ** 60, 2 ** 126]) {
      const [strict, fast] = [createStrictEngine(larger(factor, name)), fastEngine(larger(factor, name))];
      const expected = Array.from({ length: 6 }, (_, position) => bits(strict.forward(5, position)));
      expect(expected.map((_, position) => bits(fast.forward(5, position)))).toEqual(expected);
      expect(blocksOf(fast).forward([5, 5, 5, 5, 5, 5], 0).map(bits)).toEqual(expected);
    }
  }
});

test('one bit of one weight is seen in the logits', () => {
  const model = modelOf(tinyModel(3).checkpoint);
  const finalNorm = model.weights.finalNorm.slice();
  // Not every weight will do: rounding swallows such a change of the first one, in either engine.
  finalNorm[4] = nextUp32(finalNorm[4] ?? 0);
  const changed = { ...model, weights: { ...model.weights, finalNorm } };
  expect(bits(fastEngine(changed).forward(5, 0))).not.toEqual(bits(fastEngine(model).forward(5, 0)));
});

test('tokens and positions that the model does not have, or out of order, are a defect of the caller', () => {
  const model = modelOf(tinyModel(3).checkpoint);
  const { vocabSize, sequenceLength } = model.config;
  for (const [token, position] of [
    [vocabSize, 0],
    [-1, 0],
    [0.5, 0],
    [0, 1],
    [0, -1],
    [0, sequenceLength],
  ] as const) {
    expect(() => fastEngine(model).forward(token, position)).toThrow(/positions are fed in order|callers check tokens/);
  }
});

test('addresses beyond 2 GiB are as good as others', () => {
  const model = modelOf(tinyModel(3).checkpoint);
  // Room for the keys and values of so many positions is planned before the weights; pages that nobody touches take no memory.
  const long: Model = { ...model, config: { ...model.config, sequenceLength: 2 ** 23 } };
  const plan = planMemory(long);
  expect(plan.classifier.at).toBeGreaterThan(2 ** 31);
  expect(plan.pages).toBeLessThan(2 ** 16);
  const [strict, fast] = [createStrictEngine(long), fastEngine(long)];
  for (let position = 0; position < 20; position++) {
    expect(bits(fast.forward(position, position))).toEqual(bits(strict.forward(position, position)));
  }
});

test('after a step back the positions after it have to be fed again', () => {
  const engine = fastEngine(modelOf(tinyModel(3).checkpoint));
  for (const position of [0, 1, 2, 0]) engine.forward(5, position);
  expect(() => engine.forward(5, 2)).toThrow('positions are fed in order');
});

const present = existsSync(llamaData);
test(`llama2.c's logits are ${present ? 'there' : 'absent (../shared/data/llama): none are compared'}`, () => {
  expect(existsSync(llamaData)).toBe(present);
});

interface ReferenceCase {
  readonly name: string;
  readonly input_tokens: readonly number[];
  readonly logits_sha256_every_position: readonly string[];
}

describe.runIf(present)('stories260K', () => {
  const engine = present ? fastEngine(modelOf(readFileSync(`${llamaData}/stories260K.bin`))) : null;
  const cases = present
    ? (JSON.parse(readFileSync(`${llamaData}/expected.json`, 'utf8')) as { readonly cases: readonly ReferenceCase[] })
        .cases
    : [];
  test.each(cases)(
    '$name: the hash of llama2.c at every position',
    ({ input_tokens, logits_sha256_every_position }) => {
      const hashes = input_tokens.map((token, position) => {
        const logits = engine?.forward(token, position) ?? new Float32Array();
        return Buffer.from(sha256(new Uint8Array(logits.slice().buffer))).toString('hex');
      });
      expect(hashes).toEqual(logits_sha256_every_position);
      const inBlocks: string[] = [];
      for (let from = 0; engine && from < input_tokens.length; from += 16) {
        const rows = blocksOf(engine).forward(input_tokens.slice(from, from + 16), from);
        inBlocks.push(...rows.map((row) => Buffer.from(sha256(new Uint8Array(row.slice().buffer))).toString('hex')));
      }
      expect(inBlocks).toEqual(logits_sha256_every_position);
    },
  );
});
