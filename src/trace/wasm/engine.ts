/**
 * The forward pass in WebAssembly, with the bits of the strict engine at several times its speed.
 *
 * Every operation rounds to float32 where the strict engine rounds, and only results that do not depend on each other
 * share a vector: no sum changes its order. Attention is a product with two matrices that grow by the step: keys are
 * rows of one, values columns of the other. Positions of a block go through each layer together: weights are read once
 * for all of them, and every result is that of one alone.
 */
import { invariant } from '../../base/invariant.ts';
import type { WasmMemory } from '../../host/web-assembly.ts';
import { strictFloat32, type Engine } from '../engine/engine.ts';
import { tokenProblem } from '../engine/range.ts';
import { createRotations } from '../engine/rope.ts';
import type { ModelConfig } from '../model/model.ts';
import { bindKernels } from './kernels.ts';
import { bindLayer } from './layer.ts';
import { loadRow } from '../../wasm/pack.ts';
import type { Plan, Vectors } from './plan.ts';
import { bindProducts } from './products.ts';

/**
 * The engine of a model as planned, in a `memory` of the plan's pages that is its own: the numbers of a step are all in
 * it.
 */
export function createWasmEngine(config: ModelConfig, plan: Plan, memory: WasmMemory): Engine {
  const { dim, heads, vocabSize } = config;
  const { vectors } = plan;
  const floats = new Float32Array(memory.buffer);
  plan.writeTo(floats);
  const kernels = bindKernels(memory);
  const products = bindProducts(kernels, plan);
  const passLayer = bindLayer(config, kernels, products, floats, plan.scores);
  const rotationAt = createRotations(dim / heads);

  const place = (at: Vectors, token: number, position: number): void => {
    const { cosines, sines } = rotationAt(position);
    for (let i = 0; i < dim; i += 2) {
      const pair = (i / 2) % cosines.length;
      const sine = sines[pair] ?? 0;
      floats.fill(cosines[pair] ?? 0, at.cosines / 4 + i, at.cosines / 4 + i + 2);
      floats[at.sines / 4 + i] = -sine;
      floats[at.sines / 4 + i + 1] = sine;
    }
    loadRow(floats, plan.embedding, token, at.residual);
  };

  const rows = vectors.map(({ logits }) => floats.subarray(logits / 4, logits / 4 + vocabSize));
  let fed = 0;
  const forward = (tokens: readonly number[], position: number): readonly Float32Array[] => {
    const count = tokens.length;
    invariant(
      count >= 1 && count <= vectors.length,
      'a block has one position or more, and not more than there is room for',
    );
    invariant(position <= fed, 'positions are fed in order');
    const active = vectors.slice(0, count);
    active.forEach((at, i) => {
      const token = tokens[i] ?? 0;
      const known = !tokenProblem(config, token, position + i);
      invariant(known, 'callers check tokens and positions that others have chosen');
      place(at, token, position + i);
    });
    fed = position + count;
    for (const layer of plan.layers) passLayer(layer, active, position);
    for (const at of active) kernels.rmsnorm(at.normed, at.residual, plan.finalNorm, dim);
    products.each('logits', plan.classifier, 'normed', count);
    return rows.slice(0, count);
  };
  const one = (token: number, position: number): Float32Array => {
    const [logits] = forward([token], position);
    invariant(logits !== undefined, 'a block has the logits of each of its positions');
    return logits;
  };
  return { config, profile: strictFloat32, forward: one, block: { positions: vectors.length, forward } };
}
