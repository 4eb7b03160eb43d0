/**
 * The small kernels that the loop needs beside the shipped ones. They have no contracts: contracts are for what
 * several loops share.
 */
import type { KernelThread } from '../../src/runtime/kernel-types.ts';

/** x·σ(x), elementwise. x is n, the output n. */
export function silu(this: KernelThread, x: readonly number[], _n: number): number {
  const value = x[this.thread.x]!;
  return value / (1 + Math.exp(-value));
}

/** The gradient of x·σ(x): dy·σ(x)·(1 + x·(1 − σ(x))). x and dy are n, the output n. */
export function siluBackward(this: KernelThread, x: readonly number[], dy: readonly number[], _n: number): number {
  const value = x[this.thread.x]!;
  const gate = 1 / (1 + Math.exp(-value));
  return dy[this.thread.x]! * (gate * (1 + value * (1 - gate)));
}

/** x + y, elementwise. x and y are n, the output n. */
export function add(this: KernelThread, x: readonly number[], y: readonly number[], _n: number): number {
  return x[this.thread.x]! + y[this.thread.x]!;
}

/** c·x, elementwise. x is n, the output n. */
export function scale(this: KernelThread, x: readonly number[], c: number, _n: number): number {
  return c * x[this.thread.x]!;
}

/** The transpose of a matrix. x is height×width, the output width×height. */
export function transpose(
  this: KernelThread,
  x: readonly (readonly number[])[],
  _height: number,
  _width: number,
): number {
  return x[this.thread.x]![this.thread.y]!;
}

/** The sum of the rows of dX whose token is the output's row: the gradient of an embedding. dX is r×h, the output v×h. */
export function scatterAdd(
  this: KernelThread,
  dX: readonly (readonly number[])[],
  tokens: readonly number[],
  r: number,
  _h: number,
): number {
  let sum = 0;
  for (let i = 0; i < r; i++) {
    if (tokens[i]! === this.thread.y) {
      sum += dX[i]![this.thread.x]!;
    }
  }
  return sum;
}
