/**
 * The reference engine: llama2.c's forward pass (karpathy/llama2.c, `run.c`: `forward`) in strict float32, in plain TypeScript.
 *
 * Its bits define the profile `f32-strict/1`; any other engine of that profile is held to it.
 */
import { invariant } from '../../base/invariant.ts';
import { kvDimension } from '../model/layout.ts';
import type { Model, ModelConfig, ModelWeights } from '../model/model.ts';
import { strictFloat32, type Engine } from './engine.ts';
import { createKeyValueCache, type KeyValueCache } from './key-value-cache.ts';
import { add, attend, matrixProduct, rmsnorm, swiglu } from './operations.ts';
import { tokenProblem } from './range.ts';
import { createRotations, rotate, type Rotation } from './rope.ts';

/** The weights of one layer. */
type Layer = Omit<ModelWeights, 'tokenEmbedding' | 'finalNorm' | 'classifier'>;

/**
 * An engine for `model`.
 *
 * Memory beside the weights grows with the positions fed, not with the longest sequence that the model allows. A token or
 * position that the model does not have is a defect of the caller: {@link tokenProblem} tells beforehand.
 */
export function createStrictEngine(model: Model): Engine {
  const { config, weights } = model;
  const { dim, hiddenDim, heads, kvHeads, vocabSize } = config;
  const headSize = dim / heads;
  const kvDim = kvDimension(config);
  const layers = Array.from({ length: config.layers }, (_, l) => layerOf(weights, config, l));
  const rotationAt = createRotations(headSize);
  const cache = createKeyValueCache(config);

  const residual = new Float32Array(dim);
  const normed = new Float32Array(dim);
  const attended = new Float32Array(dim);
  const update = new Float32Array(dim);
  const query = new Float32Array(dim);
  const gate = new Float32Array(hiddenDim);
  const up = new Float32Array(hiddenDim);
  const logits = new Float32Array(vocabSize);
  const headsOf = (vector: Float32Array): readonly Float32Array[] =>
    Array.from({ length: heads }, (_, h) => vector.subarray(h * headSize, (h + 1) * headSize));
  const queryHeads = headsOf(query);
  const attendedHeads = headsOf(attended);

  const attention = (layer: Layer, { keys, values }: KeyValueCache, position: number, rotation: Rotation): void => {
    rmsnorm(normed, residual, layer.attentionNorm);
    const key = keys.subarray(position * kvDim, (position + 1) * kvDim);
    matrixProduct(query, layer.query, normed);
    matrixProduct(key, layer.key, normed);
    matrixProduct(values.subarray(position * kvDim, (position + 1) * kvDim), layer.value, normed);
    rotate(query, rotation);
    rotate(key, rotation);
    const scores = cache.scores.subarray(0, position + 1);
    queryHeads.forEach((head, h) => {
      // As many query heads in a row share each head of keys and values as there are heads for one.
      const offset = Math.floor((h * kvHeads) / heads) * headSize;
      const rows = { stride: kvDim, offset };
      attend(attendedHeads[h] ?? attended, head, { rows: keys, ...rows }, { rows: values, ...rows }, scores);
    });
    matrixProduct(update, layer.output, attended);
    add(residual, update);
  };

  const feedForward = (layer: Layer): void => {
    rmsnorm(normed, residual, layer.feedForwardNorm);
    matrixProduct(gate, layer.gate, normed);
    matrixProduct(up, layer.up, normed);
    swiglu(gate, up);
    matrixProduct(update, layer.down, gate);
    add(residual, update);
  };

  let fed = 0;
  const forward = (token: number, position: number): Float32Array => {
    invariant(!tokenProblem(config, token, position), 'callers check tokens and positions that others have chosen');
    invariant(position <= fed, 'positions are fed in order');
    fed = position + 1;
    cache.reserve(fed);
    residual.set(weights.tokenEmbedding.subarray(token * dim, (token + 1) * dim));
    const rotation = rotationAt(position);
    layers.forEach((layer, l) => {
      attention(layer, cache.layer(l), position, rotation);
      feedForward(layer);
    });
    rmsnorm(residual, residual, weights.finalNorm);
    matrixProduct(logits, weights.classifier, residual);
    return logits;
  };
  return { config, profile: strictFloat32, forward };
}

function layerOf(weights: ModelWeights, { layers }: ModelConfig, layer: number): Layer {
  const part = (tensor: Float32Array): Float32Array => {
    const size = tensor.length / layers;
    return tensor.subarray(layer * size, (layer + 1) * size);
  };
  return {
    attentionNorm: part(weights.attentionNorm),
    query: part(weights.query),
    key: part(weights.key),
    value: part(weights.value),
    output: part(weights.output),
    feedForwardNorm: part(weights.feedForwardNorm),
    gate: part(weights.gate),
    down: part(weights.down),
    up: part(weights.up),
  };
}
