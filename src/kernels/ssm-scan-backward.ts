import type { KernelThread } from '../runtime/kernel-types.ts';

// The gradients of a selective state space layer, by each of its inputs: states h run forward, their gradients
// Λ_ten = Σ_{s≥t} g_se·C_sn·∏_{t<u≤s} exp(Δ_ue·A_en) backward, and each kernel recomputes what it needs of both.

/**
 * The gradient of a selective state space layer with respect to its input: D·g_t + Σ_n Λ_tn·(exp(Δ_t·A_n) − 1)/A_n·B_tn.
 *
 * Laws: linear in g; of the last step only its own g matters; with C = 0 it is D·g.
 *
 * Shapes: Δ and g are T×c, A is c×N, B and C are T×N, D is c, the output T×c. Range: A < 0, Δ > 0.
 * Sources: Gu & Dao (2023) Mamba, arXiv:2312.00752, equations 2 to 4, section 3.3.2 (states are recomputed);
 * Martin & Cundy (2018), arXiv:1709.04057, section 2.3 (the gradient is a scan from the end).
 */
export function selectiveBackwardInput(
  this: KernelThread,
  delta: readonly (readonly number[])[],
  A: readonly (readonly number[])[],
  B: readonly (readonly number[])[],
  C: readonly (readonly number[])[],
  D: readonly number[],
  g: readonly (readonly number[])[],
  T: number,
  _c: number,
  N: number,
): number {
  const step = this.thread.y;
  const channel = this.thread.x;
  let sum = D[channel]! * g[step]![channel]!;
  for (let n = 0; n < N; n++) {
    const decay = A[channel]![n]!;
    let adjoint = 0;
    for (let t = T - 1; t >= step; t--) {
      adjoint += g[t]![channel]! * C[t]![n]!;
      if (t > step) {
        adjoint *= Math.exp(delta[t]![channel]! * decay);
      }
    }
    // exp(z) − 1 as in selectiveScan.
    const half = Math.tanh(Math.max(-10, Math.min(10, (delta[step]![channel]! * decay) / 2)));
    sum += adjoint * ((2 * half) / (1 - half) / decay) * B[step]![n]!;
  }
  return sum;
}

/**
 * The gradient of a selective state space layer with respect to the lengths of its steps:
 * Σ_n Λ_tn·exp(Δ_t·A_n)·(A_n·h_{t−1,n} + B_tn·x_t).
 *
 * Laws: linear in g; 0 where C is.
 *
 * Shapes: x, Δ and g are T×c, A is c×N, B and C are T×N, the output T×c. Range: A < 0, Δ > 0.
 * Sources: as {@link selectiveBackwardInput}.
 */
export function selectiveBackwardStep(
  this: KernelThread,
  x: readonly (readonly number[])[],
  delta: readonly (readonly number[])[],
  A: readonly (readonly number[])[],
  B: readonly (readonly number[])[],
  C: readonly (readonly number[])[],
  g: readonly (readonly number[])[],
  T: number,
  _c: number,
  N: number,
): number {
  const step = this.thread.y;
  const channel = this.thread.x;
  let sum = 0;
  for (let n = 0; n < N; n++) {
    const decay = A[channel]![n]!;
    let state = 0;
    for (let t = 0; t < step; t++) {
      const exponent = delta[t]![channel]! * decay;
      // exp(z) − 1 as in selectiveScan.
      const half = Math.tanh(Math.max(-10, Math.min(10, exponent / 2)));
      state = Math.exp(exponent) * state + ((2 * half) / (1 - half) / decay) * B[t]![n]! * x[t]![channel]!;
    }
    let adjoint = 0;
    for (let t = T - 1; t >= step; t--) {
      adjoint = (adjoint + g[t]![channel]! * C[t]![n]!) * Math.exp(delta[t]![channel]! * decay);
    }
    sum += adjoint * (decay * state + B[step]![n]! * x[step]![channel]!);
  }
  return sum;
}

/**
 * The gradient of a selective state space layer with respect to A:
 * Σ_t Λ_t·(Δ_t·exp(Δ_t·A)·h_{t−1} + B_t·x_t·Δ_t²·φ(Δ_t·A)), φ(z) = (z·eᶻ − eᶻ + 1)/z² the derivative of (eᶻ − 1)/z.
 *
 * Laws: linear in g; 0 where C is.
 *
 * Shapes: x, Δ and g are T×c, A is c×N, B and C are T×N, the output c×N. Range: A < 0, Δ > 0.
 * Sources: as {@link selectiveBackwardInput}; φ is Hochbruck & Ostermann (2010) Exponential integrators, Acta Numerica 19,
 * section 2.1, φ₁' by its series Σ zᵏ·(k + 1)/(k + 2)! near 0.
 */
export function selectiveBackwardDecay(
  this: KernelThread,
  x: readonly (readonly number[])[],
  delta: readonly (readonly number[])[],
  A: readonly (readonly number[])[],
  B: readonly (readonly number[])[],
  C: readonly (readonly number[])[],
  g: readonly (readonly number[])[],
  T: number,
  _c: number,
  _N: number,
): number {
  const channel = this.thread.y;
  const n = this.thread.x;
  const decay = A[channel]![n]!;
  let state = 0;
  let sum = 0;
  for (let t = 0; t < T; t++) {
    const length = delta[t]![channel]!;
    const exponent = length * decay;
    const kept = Math.exp(exponent);
    const driven = B[t]![n]! * x[t]![channel]!;
    // The difference loses its digits near 0, where the series needs few terms.
    let slope = (exponent * kept - kept + 1) / (exponent * exponent);
    if (exponent > -1) {
      slope = 0;
      let power = 0.5;
      for (let k = 0; k < 10; k++) {
        slope += power * (k + 1);
        power *= exponent / (k + 3);
      }
    }
    let adjoint = 0;
    for (let s = T - 1; s >= t; s--) {
      adjoint += g[s]![channel]! * C[s]![n]!;
      if (s > t) {
        adjoint *= Math.exp(delta[s]![channel]! * decay);
      }
    }
    sum += adjoint * length * (kept * state + driven * length * slope);
    // exp(z) − 1 as in selectiveScan.
    const half = Math.tanh(Math.max(-10, Math.min(10, exponent / 2)));
    state = kept * state + ((2 * half) / (1 - half) / decay) * driven;
  }
  return sum;
}

/**
 * The gradient of a selective state space layer with respect to B: over the channels Σ_e Λ_te·(exp(Δ_te·A_e) − 1)/A_e·x_te.
 *
 * Laws: linear in g and in x; 0 where C is.
 *
 * Shapes: x, Δ and g are T×c, A is c×N, C is T×N, the output T×N. Range: A < 0, Δ > 0.
 * Sources: as {@link selectiveBackwardInput}.
 */
export function selectiveBackwardWrite(
  this: KernelThread,
  x: readonly (readonly number[])[],
  delta: readonly (readonly number[])[],
  A: readonly (readonly number[])[],
  C: readonly (readonly number[])[],
  g: readonly (readonly number[])[],
  T: number,
  c: number,
  _N: number,
): number {
  const step = this.thread.y;
  const n = this.thread.x;
  let sum = 0;
  for (let channel = 0; channel < c; channel++) {
    const decay = A[channel]![n]!;
    let adjoint = 0;
    for (let t = T - 1; t >= step; t--) {
      adjoint += g[t]![channel]! * C[t]![n]!;
      if (t > step) {
        adjoint *= Math.exp(delta[t]![channel]! * decay);
      }
    }
    // exp(z) − 1 as in selectiveScan.
    const half = Math.tanh(Math.max(-10, Math.min(10, (delta[step]![channel]! * decay) / 2)));
    sum += adjoint * ((2 * half) / (1 - half) / decay) * x[step]![channel]!;
  }
  return sum;
}

/**
 * The gradient of a selective state space layer with respect to C: over the channels Σ_e g_te·h_te. That of D is Σ_t g_te·x_te.
 *
 * Laws: linear in g and in x; of the first step only its own input matters.
 *
 * Shapes: x, Δ and g are T×c, A is c×N, B is T×N, the output T×N. Range: A < 0, Δ > 0.
 * Sources: as {@link selectiveBackwardInput}.
 */
export function selectiveBackwardRead(
  this: KernelThread,
  x: readonly (readonly number[])[],
  delta: readonly (readonly number[])[],
  A: readonly (readonly number[])[],
  B: readonly (readonly number[])[],
  g: readonly (readonly number[])[],
  _T: number,
  c: number,
  _N: number,
): number {
  const n = this.thread.x;
  let sum = 0;
  for (let channel = 0; channel < c; channel++) {
    const decay = A[channel]![n]!;
    let state = 0;
    for (let t = 0; t <= this.thread.y; t++) {
      const exponent = delta[t]![channel]! * decay;
      // exp(z) − 1 as in selectiveScan.
      const half = Math.tanh(Math.max(-10, Math.min(10, exponent / 2)));
      state = Math.exp(exponent) * state + ((2 * half) / (1 - half) / decay) * B[t]![n]! * x[t]![channel]!;
    }
    sum += g[this.thread.y]![channel]! * state;
  }
  return sum;
}

/**
 * The gradient of a selective state space layer with respect to D: Σ_t g_te·x_te.
 *
 * Laws: linear in g and in x; the states do not matter.
 *
 * Shapes: x and g are T×c, the output c. Source: Gu, Goel & Ré (2022), arXiv:2111.00396, equation 1, differentiated.
 */
export function selectiveBackwardDirect(
  this: KernelThread,
  x: readonly (readonly number[])[],
  g: readonly (readonly number[])[],
  T: number,
  _c: number,
): number {
  let sum = 0;
  for (let t = 0; t < T; t++) {
    sum += g[t]![this.thread.x]! * x[t]![this.thread.x]!;
  }
  return sum;
}
