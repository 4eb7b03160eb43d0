/** Parts of a network: each keeps what its backward pass needs, and its own gradients. */

/** Weights by name. */
export type Weights = (name: string) => Float32Array;

/** A part with one input and one output, which are buffers of fixed size; a part writes only into its own. */
export interface Module {
  /** The output for `x`; the next call overwrites it. `x` must stay unchanged until `backward`. */
  readonly forward: (weights: Weights, x: Float32Array) => Float32Array;
  /**
   * The gradient by the input of the last `forward`, given that by its output; the next call overwrites it. Also sets the
   * gradients of the part's own weights.
   */
  readonly backward: (weights: Weights, gradient: Float32Array) => Float32Array;
  /** The gradients of its weights as the last `backward` left them. */
  readonly gradients: Readonly<Record<string, Float32Array>>;
}

/** out ← a + b, each sum rounded to float32. */
export function add(out: Float32Array, a: Float32Array, b: Float32Array): void {
  for (let i = 0; i < out.length; i++) out[i] = (a[i] ?? NaN) + (b[i] ?? NaN);
}
