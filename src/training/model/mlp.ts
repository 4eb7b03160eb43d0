/** The feed-forward part of a transformer block: x ↦ GELU(x·W₁ + b₁)·W₂ + b₂, four times as wide inside. */
import { noBranches, withBranch, type Branches } from './branch.ts';
import { gelu } from './gelu.ts';
import { linear } from './linear.ts';
import type { Module } from './module.ts';

/** How much wider the inner layer is. */
export const widening = 4;

/** `name.up` and `name.down` are affine layers; the input has `rows` rows. */
export function mlp(name: string, rows: number, width: number, branches: Branches = noBranches): Module {
  const inner = widening * width;
  const part = (which: string, inputs: number, outputs: number): Module =>
    withBranch(linear(`${name}.${which}`, rows, inputs, outputs), branches(`${name}.${which}`, rows));
  const [up, between, down] = [part('up', width, inner), gelu(rows * inner), part('down', inner, width)];
  return {
    gradients: { ...up.gradients, ...down.gradients },
    forward: (weights, x) => down.forward(weights, between.forward(weights, up.forward(weights, x))),
    backward: (weights, gradient) => up.backward(weights, between.backward(weights, down.backward(weights, gradient))),
  };
}
