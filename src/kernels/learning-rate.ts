import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * The learning rate after k optimizer steps: a linear warm-up over w steps to the peak, then half a cosine to the
 * floor at step T, where it stays: η·k/w, η, η_min + (η − η_min)·(1 + cos(π·(k − w)/(T − w)))/2.
 *
 * Laws, exact in float32: η at k = w, also for w = 0; η_min from k = T on; never above η; rising before w and falling
 * after it. Step t counted from 0 uses k = t + 1, so that 43 of 2000 warm-up steps reach 43/2000 of the peak.
 *
 * Shapes: k is n (integers ≥ 0), the output n. Range: 0 ≤ η_min ≤ η, integers 0 ≤ w < T ≤ 2²⁴.
 * Source: Loshchilov & Hutter (2017), arXiv:1608.03983, equation 5, one period; the warm-up is
 * Goyal et al. (2017), arXiv:1706.02677, section 2.2.
 */
export function learningRate(
  this: KernelThread,
  k: readonly number[],
  peak: number,
  floor: number,
  warmup: number,
  total: number,
  _n: number,
): number {
  const step = k[this.thread.x]!;
  if (step < warmup) {
    return peak * (step / warmup);
  }
  if (step === warmup) {
    return peak;
  }
  const progress = Math.min(1, (step - warmup) / (total - warmup));
  return Math.min(peak, floor + (peak - floor) * (0.5 * (1 + Math.cos(Math.PI * progress))));
}
