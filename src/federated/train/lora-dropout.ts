/**
 * Dropout on the input of a low-rank adapter, as PEFT applies `lora_dropout`: y = x·W + (α/r)·drop(x)·Aᵀ·Bᵀ. The adapter cannot be merged
 * into W then, because the layer itself sees x without dropout. Used in training alone.
 *
 * Source: Hu et al. (2022), LoRA, arXiv:2106.09685, section 4.1; Srivastava et al. (2014), Dropout, JMLR 15, section 10.
 */
import { present } from '../../base/invariant.ts';
import { encodeUtf8 } from '../../base/utf8.ts';
import { dropout, dropoutBackward } from '../../kernels/dropout.ts';
import { positionUniforms } from '../../kernels/philox.ts';
import { sha256 } from '../../merkle/sha256.ts';
import type { Branch, Branches } from '../../training/model/branch.ts';
import { add, type Weights } from '../../training/model/module.ts';
import { multiply, multiplyTransposedLeft, multiplyTransposedRight } from '../../training/model/products.ts';
import { factorNames, type AdaptedLayer } from '../adapter/layout.ts';
import type { LoraScale } from './lora.ts';

/**
 * The uniform numbers of a layer's input in a step, from 1: that of position `row·inputs + column` under the key that is the first four
 * bytes (big-endian) of SHA-256 of `pv lora dropout\nSEED\nLAYER\nSTEP`, by Philox4x32-10 (src/kernels/philox.ts). Equal arguments give
 * equal masks, wherever and in whatever order they are drawn.
 */
export function dropoutUniforms(seed: number, layer: string, step: number, length: number): Float32Array {
  const digest = sha256(encodeUtf8(`pv lora dropout\n${seed}\n${layer}\n${step}`));
  const key = new DataView(digest.buffer, digest.byteOffset).getInt32(0);
  return positionUniforms(
    key,
    Int32Array.from({ length }, (_, i) => i),
  );
}

/** Adapters with dropout as branches of the layers that carry them. */
interface DroppedAdapter {
  readonly branches: Branches;
  /** Draws the masks of a step, and takes its factors; the masks are kept until the next call. */
  readonly begin: (factors: Weights, step: number) => void;
  /** Of the factors of every layer, from the last backward pass of the network. */
  readonly gradients: Readonly<Record<string, Float32Array>>;
}

/** What an adapter with dropout is made of. */
interface DropoutParts extends LoraScale {
  readonly layers: readonly AdaptedLayer[];
  /** The share that is dropped: above 0, below 1. */
  readonly dropout: number;
  readonly seed: number;
}

/** Branches for one network. */
export function dropAdapter(parts: DropoutParts): DroppedAdapter {
  let current: Drawn = { factors: () => new Float32Array(0), step: 0 };
  const gradients: Record<string, Float32Array> = {};
  for (const { path, inputs, outputs } of parts.layers) {
    const { a, b } = factorNames(path);
    gradients[a] = new Float32Array(parts.rank * inputs);
    gradients[b] = new Float32Array(outputs * parts.rank);
  }
  return {
    gradients,
    begin(factors, step) {
      current = { factors, step };
    },
    branches(path, rows) {
      const layer = parts.layers.find((one) => one.path === path);
      return layer === undefined ? null : branchOf(parts, layer, rows, { gradients, now: () => current });
    },
  };
}

interface Drawn {
  readonly factors: Weights;
  readonly step: number;
}

interface Shared {
  readonly gradients: Readonly<Record<string, Float32Array>>;
  readonly now: () => Drawn;
}

function branchOf(
  { rank, alpha, dropout: share, seed }: DropoutParts,
  { path, inputs, outputs }: AdaptedLayer,
  rows: number,
  { gradients, now }: Shared,
): Branch {
  const scale = Math.fround(alpha / rank);
  const names = factorNames(path);
  const gradientOf = (name: string): Float32Array => present(gradients[name], 'a factor has its gradient');
  const [gradientA, gradientB] = [gradientOf(names.a), gradientOf(names.b)];
  const [dropped, droppedGradient] = [new Float32Array(rows * inputs), new Float32Array(rows * inputs)];
  const [inner, innerGradient] = [new Float32Array(rows * rank), new Float32Array(rows * rank)];
  const through = new Float32Array(rows * outputs);
  let uniforms: Float32Array = new Float32Array(0);
  return {
    addForward(output, x) {
      const { factors, step } = now();
      uniforms = dropoutUniforms(seed, path, step, x.length);
      runKernel(dropped, dropout, x, uniforms, share);
      multiplyTransposedRight(inner, dropped, factors(names.a), rows, rank, inputs);
      multiplyTransposedRight(through, inner, factors(names.b), rows, outputs, rank);
      scaleBy(through, scale);
      add(output, output, through);
    },
    // ∂B = s·Gᵀ·h and ∂A = s·(G·B)ᵀ·d for d = drop(x) and h = d·Aᵀ; to x goes drop′(s·G·B·A).
    addBackward(inputGradient, gradient) {
      const { factors } = now();
      multiplyTransposedLeft(gradientB, gradient, inner, rows, outputs, rank);
      scaleBy(gradientB, scale);
      multiply(innerGradient, gradient, factors(names.b), rows, outputs, rank);
      scaleBy(innerGradient, scale);
      multiplyTransposedLeft(gradientA, innerGradient, dropped, rows, rank, inputs);
      multiply(droppedGradient, innerGradient, factors(names.a), rows, rank, inputs);
      runKernel(droppedGradient, dropoutBackward, droppedGradient, uniforms, share);
      add(inputGradient, inputGradient, droppedGradient);
    },
  };
}

/** out ← the kernel at each element, which may be of `out` itself. */
function runKernel(out: Float32Array, kernel: typeof dropout, x: Float32Array, u: Float32Array, share: number): void {
  const at = { x: 0, y: 0, z: 0 };
  const thread: ThisParameterType<typeof dropout> = {
    thread: at,
    constants: {},
    output: { x: out.length, y: 1, z: 1 },
  };
  // Kernels are typed for gpu.js; they read elements, and nothing else of an array.
  const [numbers, draws] = [x, u] as unknown as readonly [readonly number[], readonly number[]];
  for (at.x = 0; at.x < out.length; at.x++) out[at.x] = kernel.call(thread, numbers, draws, share, out.length);
}

/** x ← s·x. */
function scaleBy(x: Float32Array, scale: number): void {
  for (let i = 0; i < x.length; i++) x[i] = scale * (x[i] ?? NaN);
}
