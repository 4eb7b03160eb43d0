import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * Gradient clipping by the Euclidean norm: gᵢ where ‖g‖ ≤ c, and c·gᵢ / ‖g‖ elsewhere.
 *
 * Laws: the norm of the output is min(‖g‖, c) up to rounding; the direction is kept; a gradient within the bound is
 * returned bit for bit. The gradient is divided by its largest magnitude before it is squared, so that neither 1e35
 * overflows nor 1e-30 vanishes in the norm.
 *
 * Shapes: g is n, the output n. Range: |g| up to 1e37 for n ≤ 256 (the norm itself must be a float32), c > 0.
 * Source: Pascanu, Mikolov & Bengio (2013), arXiv:1211.5063, algorithm 1; the scaled norm is
 * Higham (2002), Accuracy and Stability of Numerical Algorithms, 2nd ed., section 27.8.
 */
export function clipGradient(this: KernelThread, g: readonly number[], maxNorm: number, n: number): number {
  let largest = 0;
  for (let j = 0; j < n; j++) {
    largest = Math.max(largest, Math.abs(g[j]!));
  }
  if (largest === 0) {
    return 0;
  }
  let squares = 0;
  for (let j = 0; j < n; j++) {
    const share = g[j]! / largest;
    squares += share * share;
  }
  const root = Math.sqrt(squares);
  if (largest * root <= maxNorm) {
    return g[this.thread.x]!;
  }
  return (g[this.thread.x]! / largest / root) * maxNorm;
}
