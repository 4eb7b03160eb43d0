/** Models that are not the one they claim to be: coarser weights, one weight changed, a layer left out. */
import { floatFormats } from '../../src/numeric/float-format.ts';
import type { Model, ModelWeights } from '../../src/trace/model/model.ts';
import type { Round } from './double-engine.ts';

type Edit = (tensor: Float32Array, name: keyof ModelWeights) => Float32Array;

/** Classifier and embedding remain one array if they are one. */
function edited(model: Model, edit: Edit): Model {
  const { weights } = model;
  const tokenEmbedding = edit(weights.tokenEmbedding, 'tokenEmbedding');
  const shared = weights.classifier === weights.tokenEmbedding;
  const classifier = shared ? tokenEmbedding : edit(weights.classifier, 'classifier');
  const { attentionNorm, query, key, value, output, feedForwardNorm, gate, down, up, finalNorm } = weights;
  return {
    ...model,
    weights: {
      tokenEmbedding,
      attentionNorm: edit(attentionNorm, 'attentionNorm'),
      query: edit(query, 'query'),
      key: edit(key, 'key'),
      value: edit(value, 'value'),
      output: edit(output, 'output'),
      feedForwardNorm: edit(feedForwardNorm, 'feedForwardNorm'),
      gate: edit(gate, 'gate'),
      down: edit(down, 'down'),
      up: edit(up, 'up'),
      finalNorm: edit(finalNorm, 'finalNorm'),
      classifier,
    },
  };
}

export const toFloat16: Round = floatFormats.f16.round;
const toBfloat16: Round = floatFormats.bf16.round;

export const withFloat16 = (model: Model): Model => edited(model, (tensor) => tensor.map(toFloat16));
export const withBfloat16 = (model: Model): Model => edited(model, (tensor) => tensor.map(toBfloat16));

const isNorm = (name: keyof ModelWeights): boolean => name.endsWith('Norm');

/** Matrices in whole numbers of `bits` bits, symmetric, with one scale per 32 weights; norms are unchanged. */
export function quantised(model: Model, bits: number): Model {
  const largest = 2 ** (bits - 1) - 1;
  return edited(model, (tensor, name) => {
    if (isNorm(name)) return tensor;
    const out = Float32Array.from(tensor);
    for (let start = 0; start < out.length; start += 32) {
      const group = out.subarray(start, start + 32);
      const scale = group.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / largest;
      if (scale > 0) group.forEach((weight, i) => (group[i] = Math.round(weight / scale) * scale));
    }
    return out;
  });
}

/** One weight, increased by `change`. */
export const withWeight = (model: Model, of: keyof ModelWeights, index: number, change: number): Model =>
  edited(model, (tensor, name) => (name === of ? tensor.with(index, (tensor[index] ?? 0) + change) : tensor));

/** The last layer adds nothing. */
export const withoutLastLayer = (model: Model): Model =>
  edited(model, (tensor, name) => {
    if (name !== 'output' && name !== 'down') return tensor;
    return Float32Array.from(tensor).fill(0, (tensor.length / model.config.layers) * (model.config.layers - 1));
  });
