/**
 * Low-rank adapters on the linear layers of a character transformer: W′ = W + (α/r)·(B·A)ᵀ, since pv keeps W as inputs×outputs and
 * PEFT keeps A as r×inputs and B as outputs×r.
 *
 * Source: Hu et al. (2022), LoRA: Low-rank adaptation of large language models, arXiv:2106.09685, section 4.1.
 */
import { present } from '../../base/invariant.ts';
import { charTransformerShapes, type CharTransformerSizes } from '../../training/model/char-transformer.ts';
import type { Weights } from '../../training/model/module.ts';
import { multiply, multiplyTransposedLeft } from '../../training/model/products.ts';
import type { LossAndGradients } from '../../training/run/task.ts';
import { factorNames, type AdaptedLayer } from '../adapter/layout.ts';
import type { BaseModel } from './base-model.ts';

/** The linear layers of a network's blocks, which can carry an adapter, in the order of the network. */
export const linearLayers = (sizes: CharTransformerSizes): readonly AdaptedLayer[] =>
  Object.entries(charTransformerShapes(sizes)).flatMap(([name, shape]) => {
    const [inputs, outputs] = shape;
    const path = name.replace(/\.weight$/, '');
    const isLinear = path !== name && path.startsWith('block') && inputs !== undefined && outputs !== undefined;
    return isLinear ? [{ path, inputs, outputs }] : [];
  });

/** Rank and scale of an adapter. */
export interface LoraScale {
  readonly rank: number;
  readonly alpha: number;
}

/** A model with an adapter; its arrays are overwritten by the next call. */
export interface AdaptedModel {
  /** The weights with the adapter merged into them. */
  readonly merged: (adapter: Weights) => Weights;
  /** The gradients of the factors of every layer, from those of the merged weights. */
  readonly factorGradients: (
    adapter: Weights,
    merged: LossAndGradients['gradients'],
  ) => Readonly<Record<string, Float32Array>>;
}

/** Carries an adapter on `layers` of a base model. */
export function adaptModel(base: BaseModel, layers: readonly AdaptedLayer[], { rank, alpha }: LoraScale): AdaptedModel {
  const scale = Math.fround(alpha / rank);
  const adapted = new Map(layers.map((layer) => [`${layer.path}.weight`, adaptLayer(base, layer, rank, scale)]));
  const gradients = Object.assign({}, ...[...adapted.values()].map((layer) => layer.gradients)) as Readonly<
    Record<string, Float32Array>
  >;
  return {
    merged(adapter) {
      for (const layer of adapted.values()) layer.merge(adapter);
      return (name) => adapted.get(name)?.weight ?? weightOf(base, name);
    },
    factorGradients(adapter, merged) {
      for (const [name, layer] of adapted) layer.project(adapter, present(merged[name], 'a weight has its gradient'));
      return gradients;
    },
  };
}

const weightOf = ({ weights }: BaseModel, name: string): Float32Array =>
  present(weights.get(name), 'a model knows its parameters');

function adaptLayer(base: BaseModel, { path, inputs, outputs }: AdaptedLayer, rank: number, scale: number) {
  const names = factorNames(path);
  const original = weightOf(base, `${path}.weight`);
  const weight = new Float32Array(original.length);
  const [gradientA, gradientB] = [new Float32Array(rank * inputs), new Float32Array(outputs * rank)];
  // B and A transposed, and the product of a gradient with B.
  const [turnedB, turnedA, throughB] = [
    new Float32Array(rank * outputs),
    new Float32Array(inputs * rank),
    new Float32Array(inputs * rank),
  ];
  return {
    weight,
    gradients: { [names.a]: gradientA, [names.b]: gradientB },
    merge(adapter: Weights): void {
      transpose(turnedB, adapter(names.b), outputs, rank);
      multiplyTransposedLeft(weight, adapter(names.a), turnedB, rank, inputs, outputs);
      for (let i = 0; i < weight.length; i++)
        weight[i] = (original[i] ?? NaN) + Math.fround(scale * (weight[i] ?? NaN));
    },
    /** ∂A = s·(G·B)ᵀ and ∂B = s·Gᵀ·Aᵀ for the gradient G of the merged weight, inputs×outputs. */
    project(adapter: Weights, gradient: Float32Array): void {
      multiply(throughB, gradient, adapter(names.b), inputs, outputs, rank);
      transpose(gradientA, throughB, inputs, rank);
      transpose(turnedA, adapter(names.a), rank, inputs);
      multiplyTransposedLeft(gradientB, gradient, turnedA, inputs, outputs, rank);
      for (const factor of [gradientA, gradientB])
        for (let i = 0; i < factor.length; i++) factor[i] = scale * (factor[i] ?? NaN);
    },
  };
}

/** out (n×m) ← xᵀ for x (m×n). */
function transpose(out: Float32Array, x: Float32Array, m: number, n: number): void {
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) out[j * m + i] = x[i * n + j] ?? NaN;
}
