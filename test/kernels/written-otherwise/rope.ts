/** Rotary embeddings of pairs of neighbours; flat matrices are row-major. */
import type { KernelThread } from '../../../src/runtime/kernel-types.ts';

type Matrix = readonly (readonly number[])[];

export function ropeInDoubles(x: Float32Array, b: number, n: number, d: number): Float32Array {
  const output = new Float32Array(n * d);
  for (let p = 0; p < n; p++) {
    for (let k = 0; k < d / 2; k++) {
      const angle = p * b ** ((-2 * k) / d);
      const even = x[p * d + 2 * k]!;
      const odd = x[p * d + 2 * k + 1]!;
      output[p * d + 2 * k] = even * Math.cos(angle) - odd * Math.sin(angle);
      output[p * d + 2 * k + 1] = even * Math.sin(angle) + odd * Math.cos(angle);
    }
  }
  return output;
}

export function ropeByLogarithm(this: KernelThread, x: Matrix, b: number, _n: number, d: number): number {
  const p = this.thread.y;
  const c = this.thread.x;
  const angle = p * Math.exp(((-2 * Math.floor(c / 2)) / d) * Math.log(b));
  if (c % 2 === 0) return x[p]![c]! * Math.cos(angle) - x[p]![c + 1]! * Math.sin(angle);
  return x[p]![c - 1]! * Math.sin(angle) + x[p]![c]! * Math.cos(angle);
}

/** Wrong: element c is paired with c + d/2, not with its neighbour. */
export function ropeHalves(this: KernelThread, x: Matrix, b: number, _n: number, d: number): number {
  const p = this.thread.y;
  const c = this.thread.x;
  const half = d / 2;
  let k = c;
  if (c >= half) k = c - half;
  const angle = p * Math.pow(b, (-2 * k) / d);
  if (c < half) return x[p]![c]! * Math.cos(angle) - x[p]![c + half]! * Math.sin(angle);
  return x[p]![c - half]! * Math.sin(angle) + x[p]![c]! * Math.cos(angle);
}

/** Wrong: turns the other way. */
export function ropeTurnedBack(this: KernelThread, x: Matrix, b: number, _n: number, d: number): number {
  const p = this.thread.y;
  const c = this.thread.x;
  const angle = p * Math.pow(b, (-2 * Math.floor(c / 2)) / d);
  if (c % 2 === 0) return x[p]![c]! * Math.cos(angle) + x[p]![c + 1]! * Math.sin(angle);
  return x[p]![c]! * Math.cos(angle) - x[p]![c - 1]! * Math.sin(angle);
}

/** Wrong: the two elements of a pair have frequencies of their own. */
export function ropeUnevenFrequencies(this: KernelThread, x: Matrix, b: number, _n: number, d: number): number {
  const p = this.thread.y;
  const c = this.thread.x;
  const angle = p * Math.pow(b, -c / d);
  if (c % 2 === 0) return x[p]![c]! * Math.cos(angle) - x[p]![c + 1]! * Math.sin(angle);
  return x[p]![c - 1]! * Math.sin(angle) + x[p]![c]! * Math.cos(angle);
}

/** Wrong: positions count from 1. */
export function ropeFromOne(this: KernelThread, x: Matrix, b: number, _n: number, d: number): number {
  const p = this.thread.y;
  const c = this.thread.x;
  const angle = (p + 1) * Math.pow(b, (-2 * Math.floor(c / 2)) / d);
  if (c % 2 === 0) return x[p]![c]! * Math.cos(angle) - x[p]![c + 1]! * Math.sin(angle);
  return x[p]![c - 1]! * Math.sin(angle) + x[p]![c]! * Math.cos(angle);
}
