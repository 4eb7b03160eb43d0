/**
 * The reference engine: llama2.c's forward pass (karpathy/llama2.c, `run.c`: `forward`) in strict float32, in plain
 * TypeScript.
 *
 * Its bits define the profile `f32-strict/1`; any other engine of that profile is held to it.
 */
import { invariant } from '../../base/invariant.ts';
import type { Model, ModelConfig, ModelWeights } from '../model/model.ts';
import { strictFloat32, type Engine } from './engine.ts';
import { createRows, type Rows } from './key-value-cache.ts';
import { add, groupedAttention, matrixProduct, rmsnorm, swiglu } from './operations.ts';
import { tokenProblem } from './range.ts';
import { createRotations, rotate } from './rope.ts';

type LayerWeights = Omit<ModelWeights, 'tokenEmbedding' | 'finalNorm' | 'classifier'>;

/** The weights of one layer, and its cache of earlier positions. */
interface Layer extends LayerWeights {
  readonly keys: Rows;
  readonly values: Rows;
}

/**
 * An engine for `model`.
 *
 * Apart from the weights, memory grows with the positions fed, not with the model's maximum length. A token or position that
 * the model does not have is a defect of the caller, who can check with {@link tokenProblem}.
 */
export function createStrictEngine(model: Model): Engine {
  const { config, weights } = model;
  const { dim, heads, kvHeads } = config;
  const rotationAt = createRotations(dim / heads);
  const layers = Array.from({ length: config.layers }, (_, layer) => ({
    ...layerOf(weights, config, layer),
    keys: createRows(config),
    values: createRows(config),
  }));

  const attention = (x: Float32Array, layer: Layer, position: number): Float32Array => {
    const { cosines, sines } = rotationAt(position);
    const normed = rmsnorm(x, layer.attentionNorm);
    const query = rotate(matrixProduct(layer.query, normed), cosines, sines);
    const keys = layer.keys.put(position, rotate(matrixProduct(layer.key, normed), cosines, sines));
    const values = layer.values.put(position, matrixProduct(layer.value, normed));
    return matrixProduct(layer.output, groupedAttention(query, keys, values, heads, kvHeads));
  };

  const feedForward = (x: Float32Array, layer: Layer): Float32Array => {
    const normed = rmsnorm(x, layer.feedForwardNorm);
    const gated = swiglu(matrixProduct(layer.gate, normed), matrixProduct(layer.up, normed));
    return matrixProduct(layer.down, gated);
  };

  let fed = 0;
  const forward = (token: number, position: number): Float32Array => {
    invariant(!tokenProblem(config, token, position), 'callers check tokens and positions that others have chosen');
    invariant(position <= fed, 'positions are fed in order');
    fed = position + 1;
    let x = weights.tokenEmbedding.subarray(token * dim, (token + 1) * dim);
    for (const layer of layers) {
      x = add(x, attention(x, layer, position));
      x = add(x, feedForward(x, layer));
    }
    return matrixProduct(weights.classifier, rmsnorm(x, weights.finalNorm));
  };
  return { config, profile: strictFloat32, forward };
}

function layerOf(weights: ModelWeights, { layers }: ModelConfig, layer: number): LayerWeights {
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
