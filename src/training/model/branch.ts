import type { Module } from './module.ts';

/** A path next to an affine layer with weights and gradients of its own, such as a low-rank adapter. */
export interface Branch {
  /** Adds to the layer's `output` what the branch makes of the layer's input, which stays unchanged until `addBackward`. */
  readonly addForward: (output: Float32Array, x: Float32Array) => void;
  /** Adds to the layer's `inputGradient`, given the gradient by the output. Also sets the gradients of the branch. */
  readonly addBackward: (inputGradient: Float32Array, gradient: Float32Array) => void;
}

/** The branch of an affine layer by its name, for so many rows of input; null where it has none. */
export type Branches = (layer: string, rows: number) => Branch | null;

/** A network of which no layer has a branch. */
export const noBranches: Branches = () => null;

/** `layer` and its branch as one; without a branch, the layer itself. */
export function withBranch(layer: Module, branch: Branch | null): Module {
  if (branch === null) return layer;
  return {
    gradients: layer.gradients,
    forward(weights, x) {
      const output = layer.forward(weights, x);
      branch.addForward(output, x);
      return output;
    },
    backward(weights, gradient) {
      const inputGradient = layer.backward(weights, gradient);
      branch.addBackward(inputGradient, gradient);
      return inputGradient;
    },
  };
}
