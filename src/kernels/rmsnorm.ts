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

/**
 * The gradient of the normalisation of each row with respect to x: (hᵢ − xᵢ·mean(h·x) / R²) / R with h = g·γ and
 * R = √(Σx²/n + ε).
 *
 * Laws: linear in g; orthogonal to its row of x as ε → 0, since scaling a row changes nothing then.
 *
 * Shapes: x and g are r×n, γ is n, the output r×n. Range: as {@link rmsnorm}.
 * Source: Zhang & Sennrich (2019), arXiv:1910.07467, section 4.2 (the matrix R there, with the gain in h).
 */
export function rmsnormBackward(
  this: KernelThread,
  x: readonly (readonly number[])[],
  gamma: readonly number[],
  g: readonly (readonly number[])[],
  epsilon: number,
  _r: number,
  n: number,
): number {
  const row = this.thread.y;
  let squares = 0;
  let along = 0;
  for (let j = 0; j < n; j++) {
    squares += x[row]![j]! * x[row]![j]!;
    along += g[row]![j]! * gamma[j]! * x[row]![j]!;
  }
  const root = Math.sqrt(squares / n + epsilon);
  const own = g[row]![this.thread.x]! * gamma[this.thread.x]!;
  return (own - (x[row]![this.thread.x]! / root) * (along / n / root)) / root;
}

/**
 * The gradient of the normalisation with respect to its gain γ: Σ over rows of gᵢ·xᵢ / √(Σx²/n + ε).
 *
 * Laws: linear in g; does not depend on γ.
 *
 * Shapes: x and g are r×n, the output n. Range: as {@link rmsnorm}.
 * Source: Zhang & Sennrich (2019), arXiv:1910.07467, section 4.2 (the gradient of g there).
 */
export function rmsnormGainBackward(
  this: KernelThread,
  x: readonly (readonly number[])[],
  g: readonly (readonly number[])[],
  epsilon: number,
  r: number,
  n: number,
): number {
  let result = 0;
  for (let b = 0; b < r; b++) {
    let squares = 0;
    for (let j = 0; j < n; j++) {
      squares += x[b]![j]! * x[b]![j]!;
    }
    result += g[b]![this.thread.x]! * (x[b]![this.thread.x]! / Math.sqrt(squares / n + epsilon));
  }
  return result;
}
