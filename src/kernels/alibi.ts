import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * The slopes of attention with linear biases: 2^(−8(h + 1)/H) for head h of H, counted from 0.
 *
 * Laws: a geometric sequence whose ratio is its first element; the last head's slope is 2⁻⁸, exactly.
 *
 * Shapes: heads is n (0 ≤ h < H), the output n. Source: Press, Smith & Lewis (2022), arXiv:2108.12409, section 3.
 */
export function alibiSlopes(this: KernelThread, heads: readonly number[], H: number, _n: number): number {
  return Math.pow(2, (-8 * (heads[this.thread.x]! + 1)) / H);
}

/**
 * Causal attention of H heads with linear biases: softmax(q_i·k_j/√d − m_h·(i − j)) over j ≤ i, m_h the slope of head h.
 *
 * Laws: each further step multiplies the weight by exp(−m_h), at every distance; causal; slope 0 would be causal
 * attention.
 *
 * Shapes: Q and K are H×n×d, V is H×n×v, the output H×n×v.
 * Source: Press, Smith & Lewis (2022), arXiv:2108.12409, section 3 and figure 3 (the scores are divided by √d before the bias).
 */
export function alibiAttention(
  this: KernelThread,
  Q: readonly (readonly (readonly number[])[])[],
  K: readonly (readonly (readonly number[])[])[],
  V: readonly (readonly (readonly number[])[])[],
  H: number,
  _n: number,
  d: number,
  _v: number,
): number {
  const slope = Math.pow(2, (-8 * (this.thread.z + 1)) / H);
  const scale = Math.sqrt(d);
  let largest = -Infinity;
  for (let j = 0; j <= this.thread.y; j++) {
    let dot = 0;
    for (let l = 0; l < d; l++) {
      dot += Q[this.thread.z]![this.thread.y]![l]! * K[this.thread.z]![j]![l]!;
    }
    largest = Math.max(largest, dot / scale - slope * (this.thread.y - j));
  }
  let total = 0;
  let weighted = 0;
  for (let j = 0; j <= this.thread.y; j++) {
    let dot = 0;
    for (let l = 0; l < d; l++) {
      dot += Q[this.thread.z]![this.thread.y]![l]! * K[this.thread.z]![j]![l]!;
    }
    const weight = Math.exp(dot / scale - slope * (this.thread.y - j) - largest);
    total += weight;
    weighted += weight * V[this.thread.z]![j]![this.thread.x]!;
  }
  return weighted / total;
}
