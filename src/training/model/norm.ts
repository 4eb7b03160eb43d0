/**
 * Layer normalisation: y = gain·(x − mean)/√(variance + 10⁻⁵) + bias, for each row.
 *
 * Source: Ba, Kiros & Hinton (2016), Layer normalization, arXiv:1607.06450, equation 3. Sums are float64, from left to right.
 */
import type { Module } from './module.ts';

const epsilon = 1e-5;

/** `name.gain` and `name.bias` have `width` numbers; the input has `rows` rows. */
export function layerNorm(name: string, rows: number, width: number): Module {
  const output = new Float32Array(rows * width);
  const inputGradient = new Float32Array(rows * width);
  const gain = new Float32Array(width);
  const bias = new Float32Array(width);
  let input: Float32Array = new Float32Array(0);
  return {
    gradients: { [`${name}.gain`]: gain, [`${name}.bias`]: bias },
    forward(weights, x) {
      input = x;
      normalise(output, x, weights(`${name}.gain`), weights(`${name}.bias`));
      return output;
    },
    backward(weights, gradient) {
      normaliseBackward({ x: inputGradient, gain, bias }, gradient, input, weights(`${name}.gain`));
      return inputGradient;
    },
  };
}

/** The mean of row `start…`, and the reciprocal of its standard deviation. */
function moments(x: Float32Array, start: number, width: number): readonly [number, number] {
  let mean = 0;
  for (let j = 0; j < width; j++) mean += x[start + j] ?? NaN;
  mean /= width;
  let variance = 0;
  for (let j = 0; j < width; j++) {
    const d = (x[start + j] ?? NaN) - mean;
    variance += d * d;
  }
  return [mean, 1 / Math.sqrt(variance / width + epsilon)];
}

/** out ← the normalised rows of x, each as wide as `gain` and `bias`. */
export function normalise(out: Float32Array, x: Float32Array, gain: Float32Array, bias: Float32Array): void {
  const width = gain.length;
  for (let start = 0; start < x.length; start += width) {
    const [mean, scale] = moments(x, start, width);
    for (let j = 0; j < width; j++)
      out[start + j] = ((x[start + j] ?? NaN) - mean) * scale * (gain[j] ?? NaN) + (bias[j] ?? NaN);
  }
}

/** out ← the gradients by input, gain and bias, given the gradient `g` by the output of {@link normalise}. */
export function normaliseBackward(
  out: { readonly x: Float32Array; readonly gain: Float32Array; readonly bias: Float32Array },
  g: Float32Array,
  x: Float32Array,
  gain: Float32Array,
): void {
  const width = gain.length;
  const [gainSums, biasSums] = [new Float64Array(width), new Float64Array(width)];
  for (let start = 0; start < x.length; start += width) {
    const [mean, scale] = moments(x, start, width);
    let [along, plain] = [0, 0];
    for (let j = 0; j < width; j++) {
      const normal = ((x[start + j] ?? NaN) - mean) * scale;
      const slope = g[start + j] ?? NaN;
      gainSums[j] = (gainSums[j] ?? NaN) + slope * normal;
      biasSums[j] = (biasSums[j] ?? NaN) + slope;
      plain += slope * (gain[j] ?? NaN);
      along += slope * (gain[j] ?? NaN) * normal;
    }
    for (let j = 0; j < width; j++) {
      const normal = ((x[start + j] ?? NaN) - mean) * scale;
      out.x[start + j] = scale * ((g[start + j] ?? NaN) * (gain[j] ?? NaN) - plain / width - normal * (along / width));
    }
  }
  out.gain.set(gainSums);
  out.bias.set(biasSums);
}
