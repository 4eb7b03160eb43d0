/**
 * The forward pass in WebAssembly, with the bits of the strict engine at several times its speed.
 *
 * Every operation rounds to float32 where the strict engine rounds, and only results that do not depend on each other share a vector: no
 * sum changes its order. Attention is a product with two matrices that grow by the step: keys are rows of one, values columns of the other.
 */
import { invariant } from '../../base/invariant.ts';
import type { WasmMemory } from '../../host/web-assembly.ts';
import { strictFloat32, type Engine } from '../engine/engine.ts';
import { tokenProblem } from '../engine/range.ts';
import { createRotations } from '../engine/rope.ts';
import { kvDimension } from '../model/layout.ts';
import type { ModelConfig } from '../model/model.ts';
import { bindKernels } from './kernels.ts';
import { tileRows } from './matrix-product.ts';
import { loadRow, storeColumn, storeRow, type Matrix } from './pack.ts';
import type { Layer, Plan } from './plan.ts';

/** The engine of a model as planned, in a `memory` of the plan's pages that is its own. A step takes no memory beside it. */
export function createWasmEngine(config: ModelConfig, plan: Plan, memory: WasmMemory): Engine {
  const { dim, hiddenDim, heads, kvHeads, vocabSize } = config;
  const headSize = dim / heads;
  const headBytes = 4 * headSize;
  /** Query heads that share keys and values. */
  const group = heads / kvHeads;
  const kvDim = kvDimension(config);
  const divisor = Math.fround(Math.sqrt(headSize));
  const floats = new Float32Array(memory.buffer);
  plan.writeTo(floats);
  const kernels = bindKernels(memory);
  const rotationAt = createRotations(headSize);
  const at = plan.vectors;
  const logits = floats.subarray(at.logits / 4, at.logits / 4 + vocabSize);

  /** out ← matrix · x, or the product with its first rows and columns. */
  const product = (out: number, matrix: Matrix, x: number, rows = matrix.rows, columns = matrix.columns): void =>
    kernels.matrixProduct(out, matrix.at, 4 * tileRows * matrix.columns, x, Math.ceil(rows / tileRows), columns);

  const attend = (layer: Layer, position: number): void => {
    kernels.rmsnorm(at.normed, at.residual, layer.attentionNorm, dim);
    product(at.query, layer.query, at.normed);
    product(at.key, layer.key, at.normed);
    product(at.value, layer.value, at.normed);
    kernels.rotate(at.query, at.cosines, at.sines, dim);
    kernels.rotate(at.key, at.cosines, at.sines, kvDim);
    layer.caches.forEach(({ keys, values }, kvHead) => {
      storeRow(floats, keys, position, at.key + kvHead * headBytes);
      storeColumn(floats, values, position, at.value + kvHead * headBytes);
      for (let head = kvHead * group; head < (kvHead + 1) * group; head++) {
        product(at.scores, keys, at.query + head * headBytes, position + 1);
        kernels.softmax(at.scores, position + 1, divisor);
        product(at.attended + head * headBytes, values, at.scores, headSize, position + 1);
      }
    });
    product(at.update, layer.output, at.attended);
    kernels.add(at.residual, at.update, dim);
  };

  const feedForward = (layer: Layer): void => {
    kernels.rmsnorm(at.normed, at.residual, layer.feedForwardNorm, dim);
    product(at.gate, layer.gate, at.normed);
    product(at.up, layer.up, at.normed);
    kernels.swiglu(at.gate, at.up, hiddenDim);
    product(at.update, layer.down, at.gate);
    kernels.add(at.residual, at.update, dim);
  };

  const place = (position: number): void => {
    const { cosines, sines } = rotationAt(position);
    for (let i = 0; i < dim; i += 2) {
      const pair = (i / 2) % cosines.length;
      const sine = sines[pair] ?? 0;
      floats.fill(cosines[pair] ?? 0, at.cosines / 4 + i, at.cosines / 4 + i + 2);
      floats[at.sines / 4 + i] = -sine;
      floats[at.sines / 4 + i + 1] = sine;
    }
  };

  let fed = 0;
  const forward = (token: number, position: number): Float32Array => {
    invariant(!tokenProblem(config, token, position), 'callers check tokens and positions that others have chosen');
    invariant(position <= fed, 'positions are fed in order');
    fed = position + 1;
    place(position);
    loadRow(floats, plan.embedding, token, at.residual);
    for (const layer of plan.layers) {
      attend(layer, position);
      feedForward(layer);
    }
    kernels.rmsnorm(at.normed, at.residual, plan.finalNorm, dim);
    product(at.logits, plan.classifier, at.normed);
    return logits;
  };
  return { config, profile: strictFloat32, forward };
}
