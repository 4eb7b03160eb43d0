import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * Grouped-query attention: h query heads share g key-value heads; head a reads group ⌊a·g/h⌋.
 *
 * Laws: g = h is multi-head attention, g = 1 multi-query attention; repeating each group's K and V h/g times and
 * running with g = h gives the same output, exactly; every output is a convex combination of its group's values.
 *
 * Shapes: Q is h×n×d, K and V are g×s×d, the output h×n×d, h a multiple of g.
 * Source: Ainslie et al. (2023), arXiv:2305.13245, section 2.2; each head is Vaswani et al. (2017), equation 1.
 */
export function gqa(
  this: KernelThread,
  Q: readonly (readonly (readonly number[])[])[],
  K: readonly (readonly (readonly number[])[])[],
  V: readonly (readonly (readonly number[])[])[],
  h: number,
  _n: number,
  d: number,
  g: number,
  s: number,
): number {
  const group = Math.floor((this.thread.z * g) / h);
  const scale = Math.sqrt(d);
  let largest = -Infinity;
  for (let j = 0; j < s; j++) {
    let dot = 0;
    for (let l = 0; l < d; l++) {
      dot += Q[this.thread.z]![this.thread.y]![l]! * K[group]![j]![l]!;
    }
    largest = Math.max(largest, dot / scale);
  }
  let total = 0;
  let weighted = 0;
  for (let j = 0; j < s; j++) {
    let dot = 0;
    for (let l = 0; l < d; l++) {
      dot += Q[this.thread.z]![this.thread.y]![l]! * K[group]![j]![l]!;
    }
    const weight = Math.exp(dot / scale - largest);
    total += weight;
    weighted += weight * V[group]![j]![this.thread.x]!;
  }
  return weighted / total;
}
