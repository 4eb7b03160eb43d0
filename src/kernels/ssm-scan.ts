import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * One step of a linear recurrence after another: h_t = a_t·h_{t−1} + b_t from h_{−1} = 0, for every channel.
 *
 * Laws: linear in b; a = 0 gives b, a = 1 its running sums; the blocked scan gives the same except for rounding.
 *
 * Shapes: a and b are T×c, the output T×c. Source: Gu & Dao (2023) Mamba, arXiv:2312.00752, equation 2a.
 */
export function sequentialScan(
  this: KernelThread,
  a: readonly (readonly number[])[],
  b: readonly (readonly number[])[],
  _T: number,
  _c: number,
): number {
  let state = 0;
  for (let t = 0; t <= this.thread.y; t++) {
    state = a[t]![this.thread.x]! * state + b[t]![this.thread.x]!;
  }
  return state;
}

/**
 * The same recurrence from blocks of k steps, as a parallel scan computes it: each block becomes one pair (product of its a,
 * state that it leaves from 0), and pairs are combined by (a, b)∘(c, d) = (c·a, c·b + d), which is associative.
 *
 * Law: the sequential scan, whatever k is, except for rounding.
 *
 * Shapes: a and b are T×c, the output T×c. Range: k ≥ 1.
 * Source: Blelloch (1990) Prefix Sums and Their Applications, section 1.4 (first-order recurrences); as used in Smith,
 * Warrington & Linderman (2023), arXiv:2208.04933, section 2.2.
 */
export function blockedScan(
  this: KernelThread,
  a: readonly (readonly number[])[],
  b: readonly (readonly number[])[],
  k: number,
  T: number,
  _c: number,
): number {
  let state = 0;
  for (let block = 0; block < T; block++) {
    const end = Math.min(this.thread.y + 1, (block + 1) * k);
    let product = 1;
    let own = 0;
    for (let t = block * k; t < end; t++) {
      product = a[t]![this.thread.x]! * product;
      own = a[t]![this.thread.x]! * own + b[t]![this.thread.x]!;
    }
    state = product * state + own;
  }
  return state;
}

/**
 * The gradient of the scan with respect to b: the same recurrence from the end, d_t = g_t + a_{t+1}·d_{t+1}.
 *
 * Laws: linear in g; a = 0 gives g.
 *
 * Shapes: a and g are T×c, the output T×c. Source: Martin & Cundy (2018), arXiv:1709.04057, section 2.3 (the reverse scan).
 */
export function scanBackwardInput(
  this: KernelThread,
  a: readonly (readonly number[])[],
  g: readonly (readonly number[])[],
  T: number,
  _c: number,
): number {
  let sum = 0;
  for (let t = T - 1; t > this.thread.y; t--) {
    sum = a[t]![this.thread.x]! * (g[t]![this.thread.x]! + sum);
  }
  return g[this.thread.y]![this.thread.x]! + sum;
}

/**
 * The gradient of the scan with respect to a: the state before each step times the gradient of its b.
 *
 * Laws: linear in g and in b; 0 in the first step, before which the state is 0.
 *
 * Shapes: a, b and g are T×c, the output T×c. Source: Martin & Cundy (2018), arXiv:1709.04057, section 2.3.
 */
export function scanBackwardDecay(
  this: KernelThread,
  a: readonly (readonly number[])[],
  b: readonly (readonly number[])[],
  g: readonly (readonly number[])[],
  T: number,
  _c: number,
): number {
  let state = 0;
  for (let t = 0; t < this.thread.y; t++) {
    state = a[t]![this.thread.x]! * state + b[t]![this.thread.x]!;
  }
  let sum = 0;
  for (let t = T - 1; t > this.thread.y; t--) {
    sum = a[t]![this.thread.x]! * (g[t]![this.thread.x]! + sum);
  }
  return state * (g[this.thread.y]![this.thread.x]! + sum);
}

/**
 * A selective state space layer: h_tcn = exp(Δ_tc·A_cn)·h_{t−1,c,n} + (exp(Δ_tc·A_cn) − 1)/A_cn·B_tn·x_tc and
 * y_tc = Σ_n C_tn·h_tcn + D_c·x_tc, the inputs held constant during each step of length Δ (zero-order hold).
 *
 * Laws: linear in x; causal; where Δ, B and C do not change it is a convolution with C·Āⁱ·B̄.
 *
 * Shapes: x and Δ are T×c, A is c×N, B and C are T×N, D is c, the output T×c. Range: A < 0 (it decays), Δ > 0.
 * Sources: Gu & Dao (2023) Mamba, arXiv:2312.00752, equations 2 to 4 and algorithm 2; D as in Gu, Goel & Ré (2022),
 * arXiv:2111.00396, equation 1.
 */
export function selectiveScan(
  this: KernelThread,
  x: readonly (readonly number[])[],
  delta: readonly (readonly number[])[],
  A: readonly (readonly number[])[],
  B: readonly (readonly number[])[],
  C: readonly (readonly number[])[],
  D: readonly number[],
  _T: number,
  _c: number,
  N: number,
): number {
  let sum = D[this.thread.x]! * x[this.thread.y]![this.thread.x]!;
  for (let n = 0; n < N; n++) {
    const decay = A[this.thread.x]![n]!;
    let state = 0;
    for (let t = 0; t <= this.thread.y; t++) {
      const exponent = delta[t]![this.thread.x]! * decay;
      // exp(z) − 1 as 2·tanh(z/2)/(1 − tanh(z/2)), which keeps its digits near 0 where the difference loses them.
      const half = Math.tanh(Math.max(-10, Math.min(10, exponent / 2)));
      const grown = (2 * half) / (1 - half);
      state = Math.exp(exponent) * state + (grown / decay) * B[t]![n]! * x[t]![this.thread.x]!;
    }
    sum += C[this.thread.y]![n]! * state;
  }
  return sum;
}
