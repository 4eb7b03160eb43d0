import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * Root-mean-square layer normalisation of one vector: xᵢ / √(Σⱼ xⱼ² / n + ε) · γᵢ.
 *
 * Laws: odd in x, exactly; scaling x by α and ε by α² changes nothing; with γ = 1 and ε → 0 the output has
 * root mean square 1.
 *
 * Shapes: x and γ are n, the output n. Range: |x| up to 1e18, beyond which x² overflows float32; ε > 0.
 * Source: Zhang & Sennrich (2019), arXiv:1910.07467, section 4, equation 4; ε as in their published code.
 */
export function rmsnorm(
  this: KernelThread,
  x: readonly number[],
  gamma: readonly number[],
  epsilon: number,
  n: number,
): number {
  let squares = 0;
  for (let j = 0; j < n; j++) {
    squares += x[j]! * x[j]!;
  }
  const rootMeanSquare = Math.sqrt(squares / n + epsilon);
  return (x[this.thread.x]! / rootMeanSquare) * gamma[this.thread.x]!;
}
