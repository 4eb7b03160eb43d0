import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * One step of the ring: every rank sends one chunk to the next rank, which adds it in the first p − 1 steps and copies it
 * in the next p − 1. Later steps change nothing.
 *
 * Laws: after 2(p − 1) steps every rank has the same bits, the sum of all; in each step every rank changes only one
 * chunk.
 *
 * Shapes: X is p×n (a rank per row), the output p×n. Chunks have ⌈n/p⌉ elements, the last may have fewer or none. Range: t ≥ 0.
 * Source: Patarasuk & Yuan (2009), Bandwidth optimal all-reduce algorithms for clusters of workstations, section 4.
 */
export function ringStep(
  this: KernelThread,
  X: readonly (readonly number[])[],
  t: number,
  p: number,
  n: number,
): number {
  const rank = this.thread.y;
  const own = X[rank]![this.thread.x]!;
  const before = (rank + p - 1) % p;
  const sent = X[before]![this.thread.x]!;
  // Half an element off: a quotient that should be an integer may be slightly off on graphics hardware.
  const size = Math.ceil((n - 0.5) / p);
  const chunk = Math.floor((this.thread.x + 0.5) / size);
  // What arrives at a rank is one chunk further back with every step.
  const arriving = (before + p - (t % p)) % p;
  if (chunk !== arriving || t >= 2 * (p - 1)) {
    return own;
  }
  if (t < p - 1) {
    return own + sent;
  }
  return sent;
}

/**
 * The sum over all ranks of every element, as a ring all-reduce forms it: chunk c is summed from rank c on, around the ring.
 *
 * Laws: every rank gets the same bits; whole numbers are summed exactly; the same as 2(p − 1) steps of {@link ringStep}, bit
 * for bit.
 *
 * Shapes: X is p×n (a rank per row), the output p×n.
 * Source: Patarasuk & Yuan (2009), Bandwidth optimal all-reduce algorithms for clusters of workstations, section 4.
 */
export function ringAllReduce(this: KernelThread, X: readonly (readonly number[])[], p: number, n: number): number {
  // Half an element off: a quotient that should be an integer may be slightly off on graphics hardware.
  const size = Math.ceil((n - 0.5) / p);
  const chunk = Math.floor((this.thread.x + 0.5) / size);
  let sum = X[chunk]![this.thread.x]!;
  for (let s = 1; s < p; s++) {
    sum = X[(chunk + s) % p]![this.thread.x]! + sum;
  }
  return sum;
}

/**
 * The number of elements that each rank sends in the 2(p − 1) steps of a ring all-reduce.
 *
 * Laws: all ranks together send 2(p − 1)·n; where p divides n each sends 2(p − 1)·n/p, the least that any algorithm can do.
 *
 * Shapes: r is k (ranks, 0 ≤ r < p), the output k. Source: Patarasuk & Yuan (2009), theorem 1 and section 4.
 */
export function ringTraffic(this: KernelThread, r: readonly number[], p: number, n: number, _k: number): number {
  const size = Math.ceil((n - 0.5) / p);
  let sent = 0;
  for (let t = 0; t < 2 * (p - 1); t++) {
    const chunk = (r[this.thread.x]! + p - (t % p)) % p;
    sent += Math.max(0, Math.min(n, (chunk + 1) * size) - chunk * size);
  }
  return sent;
}
