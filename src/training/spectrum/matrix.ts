/** Weights as matrices, for spectral measurements. */
import { present } from '../../base/invariant.ts';
import type { Attempt, ProposedLayer } from '../invariants/invariant.ts';

/** A row-major matrix. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly data: Float32Array | Float64Array;
}

/** A matrix of a layer, named after its parameter. */
export interface NamedMatrix extends Matrix {
  readonly name: string;
  /** Positions in a convolution kernel: the product of all dimensions from the third; 1 for a matrix. */
  readonly taps: number;
}

/**
 * The parameters of a layer with two or more dimensions, each reshaped to first dimension × all others. Biases and other vectors
 * are excluded, since no input is multiplied by them.
 */
export function matricesOf({ layer, weights }: ProposedLayer, { parameters }: Attempt): readonly NamedMatrix[] {
  return layer.members.flatMap((i, nth) => {
    const { name, shape } = present(parameters[i], 'a member of a layer is a parameter');
    const data = present(weights[nth], 'a member of a layer has weights');
    const [rows = 0, ...rest] = shape;
    if (rest.length === 0 || data.length === 0) return [];
    const taps = rest.slice(1).reduce((product, n) => product * n, 1);
    return [{ name, rows, columns: data.length / rows, taps, data }];
  });
}

/** out ← W·x in float64, each sum from left to right. */
export function apply({ rows, columns, data }: Matrix, x: Float64Array, out: Float64Array): void {
  for (let i = 0, p = 0; i < rows; i++) {
    let sum = 0;
    for (let j = 0; j < columns; j++, p++) sum += (data[p] ?? NaN) * (x[j] ?? NaN);
    out[i] = sum;
  }
}

/** out ← Wᵀ·y in float64, each sum over the rows in their order. */
export function applyTransposed({ rows, columns, data }: Matrix, y: Float64Array, out: Float64Array): void {
  out.fill(0);
  for (let i = 0, p = 0; i < rows; i++) {
    const factor = y[i] ?? NaN;
    for (let j = 0; j < columns; j++, p++) out[j] = (out[j] ?? NaN) + (data[p] ?? NaN) * factor;
  }
}

/** ‖x‖₂, summed from left to right. */
export function length(x: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += (x[i] ?? NaN) * (x[i] ?? NaN);
  return Math.sqrt(sum);
}
