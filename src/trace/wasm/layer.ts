/** One layer of the decoder, in WebAssembly, for positions that follow each other. */
import { kvDimension } from '../model/layout.ts';
import type { ModelConfig } from '../model/model.ts';
import type { Kernels } from './kernels.ts';
import { storeColumn, storeRow } from '../../wasm/pack.ts';
import type { Layer, Vectors } from './plan.ts';
import type { Products } from './products.ts';

/** Takes the residual of each of `active` through `layer`; the first of them is at `position`. */
export type PassLayer = (layer: Layer, active: readonly Vectors[], position: number) => void;

/** `floats` is all of the memory, `scores` the address of room for a number for each position. */
export function bindLayer(
  config: ModelConfig,
  kernels: Kernels,
  products: Products,
  floats: Float32Array,
  scores: number,
): PassLayer {
  const { dim, hiddenDim, heads, kvHeads } = config;
  const headSize = dim / heads;
  const headBytes = 4 * headSize;
  /** Query heads that share keys and values. */
  const group = heads / kvHeads;
  const kvDim = kvDimension(config);
  const divisor = Math.fround(Math.sqrt(headSize));

  /** Attention of one position, whose query, key and value are made, to itself and those before it. */
  const attend = (at: Vectors, { caches }: Layer, position: number): void => {
    kernels.rotate(at.query, at.cosines, at.sines, dim);
    kernels.rotate(at.key, at.cosines, at.sines, kvDim);
    caches.forEach(({ keys, values }, kvHead) => {
      storeRow(floats, keys, position, at.key + kvHead * headBytes);
      storeColumn(floats, values, position, at.value + kvHead * headBytes);
      for (let head = kvHead * group; head < (kvHead + 1) * group; head++) {
        products.part(scores, keys, at.query + head * headBytes, position + 1, headSize);
        kernels.softmax(scores, position + 1, divisor);
        products.part(at.attended + head * headBytes, values, scores, headSize, position + 1);
      }
    });
  };

  return (layer, active, position) => {
    const count = active.length;
    for (const at of active) kernels.rmsnorm(at.normed, at.residual, layer.attentionNorm, dim);
    products.each('query', layer.query, 'normed', count);
    products.each('key', layer.key, 'normed', count);
    products.each('value', layer.value, 'normed', count);
    active.forEach((at, i) => attend(at, layer, position + i));
    products.each('update', layer.output, 'attended', count);
    for (const at of active) {
      kernels.add(at.residual, at.update, dim);
      kernels.rmsnorm(at.normed, at.residual, layer.feedForwardNorm, dim);
    }
    products.each('gate', layer.gate, 'normed', count);
    products.each('up', layer.up, 'normed', count);
    for (const at of active) kernels.swiglu(at.gate, at.up, hiddenDim);
    products.each('update', layer.down, 'gate', count);
    for (const at of active) kernels.add(at.residual, at.update, dim);
  };
}
