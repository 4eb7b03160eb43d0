/** Affine layers: x ↦ x·W + b. */
import type { Module } from './module.ts';
import { multiply, multiplyTransposedLeft, multiplyTransposedRight } from './products.ts';

const { fround } = Math;

/** `name.weight` is inputs×outputs, `name.bias` has `outputs` numbers; the input has `rows` rows. */
export function linear(name: string, rows: number, inputs: number, outputs: number): Module {
  const output = new Float32Array(rows * outputs);
  const inputGradient = new Float32Array(rows * inputs);
  const weight = new Float32Array(inputs * outputs);
  const bias = new Float32Array(outputs);
  let input: Float32Array = new Float32Array(0);
  return {
    gradients: { [`${name}.weight`]: weight, [`${name}.bias`]: bias },
    forward(weights, x) {
      input = x;
      multiply(output, x, weights(`${name}.weight`), rows, inputs, outputs);
      addBias(output, weights(`${name}.bias`));
      return output;
    },
    backward(weights, gradient) {
      multiplyTransposedLeft(weight, input, gradient, rows, inputs, outputs);
      sumRows(bias, gradient, rows);
      multiplyTransposedRight(inputGradient, gradient, weights(`${name}.weight`), rows, inputs, outputs);
      return inputGradient;
    },
  };
}

/** x ← x + bias for each row. */
function addBias(x: Float32Array, bias: Float32Array): void {
  const n = bias.length;
  for (let start = 0; start < x.length; start += n)
    for (let j = 0; j < n; j++) x[start + j] = (x[start + j] ?? NaN) + (bias[j] ?? NaN);
}

/** out ← Σ over the rows of g, from the first to the last. */
export function sumRows(out: Float32Array, g: Float32Array, rows: number): void {
  out.fill(0);
  const n = out.length;
  for (let row = 0; row < rows; row++)
    for (let j = 0; j < n; j++) out[j] = fround((out[j] ?? NaN) + (g[row * n + j] ?? NaN));
}
