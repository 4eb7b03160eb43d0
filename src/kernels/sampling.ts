import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * The index of the largest logit of each row, the first of equal ones.
 *
 * Shapes: z is r×v, the output r. Source: Holtzman et al. (2020), arXiv:1904.09751, section 3 (maximization).
 */
export function greedy(this: KernelThread, z: readonly (readonly number[])[], _r: number, v: number): number {
  let best = 0;
  for (let j = 0; j < v; j++) {
    if (z[this.thread.x]![j]! > z[this.thread.x]![best]!) {
      best = j;
    }
  }
  return best;
}

/**
 * The distribution of tokens at a temperature: softmax of the logits divided by it.
 *
 * Law: every row sums to 1; temperature 1 is the softmax. Shapes: z is r×v, the output r×v. Range: temperature > 0.
 * Source: Holtzman et al. (2020), arXiv:1904.09751, equation 4.
 */
export function temperatureSoftmax(
  this: KernelThread,
  z: readonly (readonly number[])[],
  temperature: number,
  _r: number,
  v: number,
): number {
  let largest = -Infinity;
  for (let j = 0; j < v; j++) {
    largest = Math.max(largest, z[this.thread.y]![j]!);
  }
  let total = 0;
  for (let j = 0; j < v; j++) {
    total += Math.exp((z[this.thread.y]![j]! - largest) / temperature);
  }
  return Math.exp((z[this.thread.y]![this.thread.x]! - largest) / temperature) / total;
}

/**
 * A token of each row, drawn from its k likeliest by the uniform number u in [0, 1): the first, in the order of the
 * indices, whose cumulative mass is above the share u of the mass that is kept.
 *
 * Laws: k = 1 is greedy choice; the token is always among those that are kept. Of equal probabilities the first are kept.
 *
 * Shapes: P (probabilities or any masses) is r×v, u is r, the output r. Range: 1 ≤ k ≤ v, P > 0.
 * Sources: Fan, Lewis & Dauphin (2018), arXiv:1805.04833, section 5.4; Devroye (1986), section III.2.
 */
export function sampleTopK(
  this: KernelThread,
  P: readonly (readonly number[])[],
  u: readonly number[],
  k: number,
  _r: number,
  v: number,
): number {
  let kept = 0;
  for (let j = 0; j < v; j++) {
    let rank = 0;
    for (let l = 0; l < v; l++) {
      const other = P[this.thread.x]![l]!;
      if (other > P[this.thread.x]![j]! || (other === P[this.thread.x]![j]! && l < j)) {
        rank += 1;
      }
    }
    if (rank < k) {
      kept += P[this.thread.x]![j]!;
    }
  }
  const threshold = u[this.thread.x]! * kept;
  let mass = 0;
  let token = 0;
  for (let j = 0; j < v; j++) {
    let rank = 0;
    for (let l = 0; l < v; l++) {
      const other = P[this.thread.x]![l]!;
      if (other > P[this.thread.x]![j]! || (other === P[this.thread.x]![j]! && l < j)) {
        rank += 1;
      }
    }
    if (rank < k) {
      mass += P[this.thread.x]![j]!;
    }
    if (mass <= threshold) {
      token += 1;
    }
  }
  return token;
}

/**
 * A token of each row, drawn by the uniform number u in [0, 1) from the smallest set of likeliest tokens whose mass
 * reaches the share p (nucleus sampling).
 *
 * Laws: a small p leaves only the likeliest token, p = 1 leaves all; the token is always among those that are kept.
 *
 * Shapes: P (probabilities or any masses) is r×v, u is r, the output r. Range: 0 < p ≤ 1, P > 0.
 * Source: Holtzman et al. (2020), arXiv:1904.09751, equations 2 and 3.
 */
export function sampleTopP(
  this: KernelThread,
  P: readonly (readonly number[])[],
  u: readonly number[],
  p: number,
  _r: number,
  v: number,
): number {
  let mass = 0;
  for (let j = 0; j < v; j++) {
    mass += P[this.thread.x]![j]!;
  }
  let kept = 0;
  for (let j = 0; j < v; j++) {
    let likelier = 0;
    for (let l = 0; l < v; l++) {
      const other = P[this.thread.x]![l]!;
      if (other > P[this.thread.x]![j]! || (other === P[this.thread.x]![j]! && l < j)) {
        likelier += other;
      }
    }
    if (likelier < p * mass) {
      kept += P[this.thread.x]![j]!;
    }
  }
  const threshold = u[this.thread.x]! * kept;
  let reached = 0;
  let token = 0;
  for (let j = 0; j < v; j++) {
    let likelier = 0;
    for (let l = 0; l < v; l++) {
      const other = P[this.thread.x]![l]!;
      if (other > P[this.thread.x]![j]! || (other === P[this.thread.x]![j]! && l < j)) {
        likelier += other;
      }
    }
    if (likelier < p * mass) {
      reached += P[this.thread.x]![j]!;
    }
    if (reached <= threshold) {
      token += 1;
    }
  }
  return token;
}
