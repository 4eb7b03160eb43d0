import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * Spherical linear interpolation of two weight vectors: sin((1 − τ)Ω)/sin Ω·uᵢ + sin(τΩ)/sin Ω·wᵢ, with Ω the angle
 * between them; the straight line where they are parallel, and where the great circle is not unique: one is zero, or they
 * are opposite (within 0.01 of half a turn).
 *
 * Laws: τ = 0 gives u and τ = 1 gives w, exactly; unit vectors give unit vectors. The angle is
 * 2·atan(‖û − ŵ‖/‖û + ŵ‖), which keeps its digits for nearly parallel vectors where acos⟨û, ŵ⟩ loses half of them.
 *
 * Shapes: u and w are n, the output n. Range: 0 ≤ τ ≤ 1.
 * Source: Shoemake (1985), Animating rotation with quaternion curves, section 3.3; the angle is
 * Kahan (2006), How futile are mindless assessments of roundoff, section 12.
 */
export function slerp(this: KernelThread, u: readonly number[], w: readonly number[], tau: number, n: number): number {
  let squaresU = 0;
  let squaresW = 0;
  for (let j = 0; j < n; j++) {
    squaresU += u[j]! * u[j]!;
    squaresW += w[j]! * w[j]!;
  }
  const normU = Math.sqrt(squaresU);
  const normW = Math.sqrt(squaresW);
  const line = (1 - tau) * u[this.thread.x]! + tau * w[this.thread.x]!;
  if (normU === 0 || normW === 0) {
    return line;
  }
  let apart = 0;
  let along = 0;
  for (let j = 0; j < n; j++) {
    const difference = u[j]! / normU - w[j]! / normW;
    const sum = u[j]! / normU + w[j]! / normW;
    apart += difference * difference;
    along += sum * sum;
  }
  const angle = 2 * Math.atan(Math.sqrt(apart / along));
  if (along <= 1e-4 || angle === 0) {
    return line;
  }
  const shareU = Math.sin((1 - tau) * angle) / Math.sin(angle);
  const shareW = Math.sin(tau * angle) / Math.sin(angle);
  return shareU * u[this.thread.x]! + shareW * w[this.thread.x]!;
}

/**
 * TIES merge of task vectors: keep the k largest magnitudes of each, elect per element the sign with the larger sum,
 * and average the kept values of that sign.
 *
 * Laws: at most K·k elements are not 0; a single task vector is only trimmed; the sign of all vectors flips the result,
 * where no election is tied. Of equal magnitudes the first is kept first; a tied election is positive.
 *
 * Shapes: δ is K×n (one task vector per row), the output n. Range: 0 ≤ k ≤ n.
 * Source: Yadav et al. (2023), arXiv:2306.01708, algorithm 1.
 */
export function tiesMerge(
  this: KernelThread,
  delta: readonly (readonly number[])[],
  k: number,
  K: number,
  n: number,
): number {
  let up = 0;
  let down = 0;
  let upCount = 0;
  let downCount = 0;
  for (let a = 0; a < K; a++) {
    const own = delta[a]![this.thread.x]!;
    let before = 0;
    for (let l = 0; l < n; l++) {
      const other = Math.abs(delta[a]![l]!);
      if (other > Math.abs(own) || (other === Math.abs(own) && l < this.thread.x)) {
        before += 1;
      }
    }
    if (before < k && own > 0) {
      up += own;
      upCount += 1;
    }
    if (before < k && own < 0) {
      down -= own;
      downCount += 1;
    }
  }
  return up >= down ? up / Math.max(1, upCount) : -down / downCount;
}

/**
 * DARE merge of task vectors: every element of every model is dropped with probability ρ, by given uniform numbers; the
 * rest is divided by 1 − ρ, and the models are added.
 *
 * Laws: the mean over the numbers is the sum of the task vectors; ρ = 0 is that sum.
 *
 * Shapes: δ and ω are K×n (one model per row), the output n. Range: 0 ≤ ρ < 1, 0 ≤ ω < 1.
 * Source: Yu et al. (2024), arXiv:2311.03099, section 3, equations 1 and 2, added as in Ilharco et al. (2023),
 * arXiv:2212.04089, section 2.
 */
export function dareMerge(
  this: KernelThread,
  delta: readonly (readonly number[])[],
  omega: readonly (readonly number[])[],
  rate: number,
  K: number,
  _n: number,
): number {
  let sum = 0;
  for (let a = 0; a < K; a++) {
    if (omega[a]![this.thread.x]! >= rate) {
      sum += delta[a]![this.thread.x]! / (1 - rate);
    }
  }
  return sum;
}
