/** A model of any sizes with seeded weights: for measuring speed, which does not depend on their values. */
import { streamFor, unitFloat } from '../../src/numeric/xoshiro.ts';
import { headerFields, kvDimension, tensorPlaces } from '../../src/trace/model/layout.ts';
import type { Model, ModelConfig, ModelWeights } from '../../src/trace/model/model.ts';

/** The sizes of llama2.c's stories15M: 15 million weights, 60 MB. */
export const shape15M: ModelConfig = {
  dim: 288,
  hiddenDim: 768,
  layers: 6,
  heads: 6,
  kvHeads: 6,
  vocabSize: 32_000,
  sequenceLength: 256,
};

/** The sizes of llama2.c's stories260K. */
export const shape260K: ModelConfig = {
  dim: 64,
  hiddenDim: 172,
  layers: 5,
  heads: 8,
  kvHeads: 4,
  vocabSize: 512,
  sequenceLength: 512,
};

/**
 * Weights are uniform in ±√(3/dim), so that products keep the magnitude of their vectors; gains are 1. The classifier is
 * the embedding.
 */
export function syntheticModel(config: ModelConfig, seed: number): Model {
  const { dim, hiddenDim, layers, vocabSize } = config;
  const kvDim = kvDimension(config);
  const width = Math.sqrt(3 / dim);
  const tensor = (name: keyof ModelWeights, count: number): Float32Array => {
    const stream = streamFor(seed, `synthetic model: ${name}`);
    return Float32Array.from({ length: count }, () => (2 * unitFloat(stream) - 1) * width);
  };
  const gains = (count: number): Float32Array => new Float32Array(count).fill(1);
  const tokenEmbedding = tensor('tokenEmbedding', vocabSize * dim);
  return {
    config,
    digest: `sha256:${'0'.repeat(64)}`,
    weights: {
      tokenEmbedding,
      attentionNorm: gains(layers * dim),
      query: tensor('query', layers * dim * dim),
      key: tensor('key', layers * kvDim * dim),
      value: tensor('value', layers * kvDim * dim),
      output: tensor('output', layers * dim * dim),
      feedForwardNorm: gains(layers * dim),
      gate: tensor('gate', layers * hiddenDim * dim),
      down: tensor('down', layers * dim * hiddenDim),
      up: tensor('up', layers * hiddenDim * dim),
      finalNorm: gains(dim),
      classifier: tokenEmbedding,
    },
  };
}

/** The checkpoint file of a model that shares its classifier, for programs in other languages. */
export function checkpointOf({ config, weights }: Model): Uint8Array {
  const parts = tensorPlaces(config, true).map(({ name, count }) =>
    name === 'ropeCosines' || name === 'ropeSines' ? new Float32Array(count) : weights[name],
  );
  const header = Int32Array.from(headerFields, (field) => config[field]);
  return Buffer.concat([header, ...parts].map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength)));
}
