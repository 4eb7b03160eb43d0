/**
 * Operations of the engine as `contracts/trace-operations-v1.yaml` binds them, where it does not bind the engine's
 * functions themselves.
 */
import { createRotations, rotate } from '../engine/rope.ts';
import { matrixProduct, swiglu } from '../engine/operations.ts';

/** Position p of `x` (n × heads × d), turned as the engine turns queries and keys at position p. */
export function rotated(x: Float32Array, n: number, h: number, d: number): Float32Array {
  const rotationAt = createRotations(d);
  const turned = new Float32Array(x.length);
  for (let p = 0; p < n; p++) {
    const { cosines, sines } = rotationAt(p);
    turned.set(rotate(x.subarray(p * h * d, (p + 1) * h * d), cosines, sines), p * h * d);
  }
  return turned;
}

/** The gated layer up to its way back down; `gate` and `up` have a row per output. */
export function gated(x: Float32Array, gate: Float32Array, up: Float32Array): Float32Array {
  return swiglu(matrixProduct(gate, x), matrixProduct(up, x));
}
