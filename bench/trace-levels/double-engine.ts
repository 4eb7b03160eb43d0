/**
 * Another honest engine: the same model in float64 with the platform's exp, sin and cos, as a GPU or a BLAS differs from
 * strict float32. Keys and values may be kept in float16, as llama.cpp keeps them.
 */
import type { Engine } from '../../src/trace/engine/engine.ts';
import type { Model } from '../../src/trace/model/model.ts';

export type Round = (x: number) => number;

/** An engine whose cache holds `keep` of each number; its profile does not promise equal bits. */
export function createDoubleEngine({ config, weights }: Model, keep: Round): Engine {
  const { dim, hiddenDim, layers, heads, kvHeads, vocabSize } = config;
  const headSize = dim / heads;
  const kvDim = headSize * kvHeads;
  const keys: Float64Array[][] = Array.from({ length: layers }, () => []);
  const values: Float64Array[][] = Array.from({ length: layers }, () => []);
  const layerOf = (tensor: Float32Array, layer: number): Float32Array => {
    const size = tensor.length / layers;
    return tensor.subarray(layer * size, (layer + 1) * size);
  };

  const attend = (query: Float64Array, layer: number): Float64Array => {
    const out = new Float64Array(dim);
    for (let head = 0; head < heads; head++) {
      const from = head * headSize;
      const shared = Math.floor((head * kvHeads) / heads) * headSize;
      const scores = Float64Array.from(keys[layer] ?? [], (key) => {
        let score = 0;
        for (let i = 0; i < headSize; i++) score += (query[from + i] ?? 0) * (key[shared + i] ?? 0);
        return score / Math.sqrt(headSize);
      });
      softmax(scores).forEach((weight, position) => {
        const value = values[layer]?.[position];
        for (let i = 0; i < headSize; i++) out[from + i] = (out[from + i] ?? 0) + weight * (value?.[shared + i] ?? 0);
      });
    }
    return out;
  };

  const forward = (token: number, position: number): Float32Array => {
    const x = Float64Array.from(weights.tokenEmbedding.subarray(token * dim, (token + 1) * dim));
    for (let layer = 0; layer < layers; layer++) {
      const normed = normalised(x, layerOf(weights.attentionNorm, layer));
      const query = turned(product(layerOf(weights.query, layer), normed, dim), headSize, position);
      const key = turned(product(layerOf(weights.key, layer), normed, kvDim), headSize, position);
      // Positions that are fed again replace the earlier ones.
      (keys[layer] ?? [])[position] = key.map(keep);
      (values[layer] ?? [])[position] = product(layerOf(weights.value, layer), normed, kvDim).map(keep);
      addTo(x, product(layerOf(weights.output, layer), attend(query, layer), dim));
      const hidden = normalised(x, layerOf(weights.feedForwardNorm, layer));
      const up = product(layerOf(weights.up, layer), hidden, hiddenDim);
      const gated = product(layerOf(weights.gate, layer), hidden, hiddenDim).map(
        (gate, i) => (gate / (1 + Math.exp(-gate))) * (up[i] ?? 0),
      );
      addTo(x, product(layerOf(weights.down, layer), gated, dim));
    }
    return Float32Array.from(product(weights.classifier, normalised(x, weights.finalNorm), vocabSize));
  };
  return { config, profile: 'unspecified', forward };
}

function softmax(scores: Float64Array): Float64Array {
  const largest = scores.reduce((a, b) => Math.max(a, b), -Infinity);
  const weights = scores.map((score) => Math.exp(score - largest));
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / sum);
}

function normalised(x: Float64Array, gain: Float32Array): Float64Array {
  const squares = x.reduce((sum, value) => sum + value * value, 0);
  const inverse = 1 / Math.sqrt(squares / x.length + 1e-5);
  return x.map((value, i) => value * inverse * (gain[i] ?? 0));
}

function product(matrix: Float32Array, x: Float64Array, rows: number): Float64Array {
  const columns = x.length;
  return Float64Array.from({ length: rows }, (_, row) => {
    let sum = 0;
    for (let j = 0; j < columns; j++) sum += (matrix[row * columns + j] ?? 0) * (x[j] ?? 0);
    return sum;
  });
}

function addTo(x: Float64Array, y: Float64Array): void {
  for (let i = 0; i < x.length; i++) x[i] = (x[i] ?? 0) + (y[i] ?? 0);
}

function turned(x: Float64Array, headSize: number, position: number): Float64Array {
  const out = new Float64Array(x.length);
  for (let i = 0; i < x.length; i += 2) {
    const angle = position / 10000 ** ((i % headSize) / headSize);
    const [a, b, cosine, sine] = [x[i] ?? 0, x[i + 1] ?? 0, Math.cos(angle), Math.sin(angle)];
    out[i] = a * cosine - b * sine;
    out[i + 1] = a * sine + b * cosine;
  }
  return out;
}
