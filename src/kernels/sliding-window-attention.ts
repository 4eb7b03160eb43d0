import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * Causal attention over a sliding window: position i sees the last w positions up to itself, max(0, i − w + 1) to i.
 *
 * Laws: exactly min(w, i + 1) keys are seen; what lies outside the window has no influence, bit for bit; a window of at
 * least n positions is causal attention, bit for bit; w = 1 gives V.
 *
 * Shapes: Q and K are n×d, V is n×v, the output n×v. Range: w ≥ 1.
 * Sources: Beltagy, Peters & Cohan (2020), arXiv:2004.05150, section 3.1 ("sliding window"), to the left alone as in
 * Jiang et al. (2023), arXiv:2310.06825, section 2.
 */
export function slidingWindowAttention(
  this: KernelThread,
  Q: readonly (readonly number[])[],
  K: readonly (readonly number[])[],
  V: readonly (readonly number[])[],
  w: number,
  _n: number,
  d: number,
  _v: number,
): number {
  const scale = Math.sqrt(d);
  const first = Math.max(0, this.thread.y - w + 1);
  let largest = -Infinity;
  for (let j = first; j <= this.thread.y; j++) {
    let dot = 0;
    for (let l = 0; l < d; l++) {
      dot += Q[this.thread.y]![l]! * K[j]![l]!;
    }
    largest = Math.max(largest, dot / scale);
  }
  let total = 0;
  let weighted = 0;
  for (let j = first; j <= this.thread.y; j++) {
    let dot = 0;
    for (let l = 0; l < d; l++) {
      dot += Q[this.thread.y]![l]! * K[j]![l]!;
    }
    const weight = Math.exp(dot / scale - largest);
    total += weight;
    weighted += weight * V[j]![this.thread.x]!;
  }
  return weighted / total;
}
