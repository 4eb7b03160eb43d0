import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * The exponential moving average of a series with bias correction: Σ_{j≤i} βⁱ⁻ʲ·ℓⱼ / Σ_{j≤i} βⁱ⁻ʲ, which is Adam's
 * (1 − β)·Σ_{j≤i} βⁱ⁻ʲ·ℓⱼ / (1 − βⁱ⁺¹) without its cancelling denominator.
 *
 * Laws: the first value is ℓ₀, exactly; a constant series is its own average; between the least and the largest value
 * so far. A window of N values is β = 1 − 2/(N + 1).
 *
 * Shapes: ℓ is n (one value per step, oldest first), the output n. Range: 0 ≤ β ≤ 1; β = 1 is the running mean.
 * Source: Kingma & Ba (2015), arXiv:1412.6980, section 3.
 */
export function smoothLoss(this: KernelThread, loss: readonly number[], beta: number, _n: number): number {
  let weighted = 0;
  let weights = 0;
  for (let j = 0; j <= this.thread.x; j++) {
    weighted = beta * weighted + loss[j]!;
    weights = beta * weights + 1;
  }
  return weighted / weights;
}
