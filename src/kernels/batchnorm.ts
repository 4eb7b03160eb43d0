import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * Batch normalisation in training: γⱼ·(x_bj − μⱼ) / √(σⱼ² + ε) + βⱼ, with the mean μⱼ and the variance σⱼ² (divisor r) of
 * each column over the batch, the variance in a second pass.
 *
 * Laws: with γ = 1 and β = 0 every column has mean 0 and variance σ²/(σ² + ε) ≤ 1; a batch of one gives β; adding a
 * constant to a column changes nothing; exchanging rows exchanges the output's rows.
 *
 * Shapes: x is r×n (a batch of r), γ and β are n, the output r×n. Range: |x| up to 1e18; ε > 0.
 * Source: Ioffe & Szegedy (2015), arXiv:1502.03167, algorithm 1.
 */
export function batchNorm(
  this: KernelThread,
  x: readonly (readonly number[])[],
  gamma: readonly number[],
  beta: readonly number[],
  epsilon: number,
  r: number,
  _n: number,
): number {
  const column = this.thread.x;
  let sum = 0;
  for (let a = 0; a < r; a++) {
    sum += x[a]![column]!;
  }
  const mean = sum / r;
  let squares = 0;
  for (let a = 0; a < r; a++) {
    squares += (x[a]![column]! - mean) * (x[a]![column]! - mean);
  }
  const deviation = Math.sqrt(squares / r + epsilon);
  return gamma[column]! * ((x[this.thread.y]![column]! - mean) / deviation) + beta[column]!;
}

/**
 * Batch normalisation in inference: γⱼ·(x_bj − mⱼ) / √(sⱼ + ε) + βⱼ with the running mean m and the running variance s.
 *
 * Laws: each row's output depends on that row alone; affine in x.
 *
 * Shapes: x is r×n, γ, β, m and s are n, the output r×n. Range: s ≥ 0, ε > 0.
 * Source: Ioffe & Szegedy (2015), arXiv:1502.03167, algorithm 2, step 11.
 */
export function batchNormInference(
  this: KernelThread,
  x: readonly (readonly number[])[],
  gamma: readonly number[],
  beta: readonly number[],
  mean: readonly number[],
  variance: readonly number[],
  epsilon: number,
  _r: number,
  _n: number,
): number {
  const column = this.thread.x;
  const deviation = Math.sqrt(variance[column]! + epsilon);
  return gamma[column]! * ((x[this.thread.y]![column]! - mean[column]!) / deviation) + beta[column]!;
}

/**
 * The running mean after a batch: (1 − ρ)·mⱼ + ρ·μⱼ.
 *
 * Laws: ρ = 0 keeps the mean, ρ = 1 takes the batch's; between the two otherwise.
 *
 * Shapes: x is r×n, m is n, ρ a number, the output n. Range: 0 ≤ ρ ≤ 1.
 * Source: Ioffe & Szegedy (2015), arXiv:1502.03167, section 3.1 (moving averages).
 */
export function runningMean(
  this: KernelThread,
  x: readonly (readonly number[])[],
  mean: readonly number[],
  momentum: number,
  r: number,
  _n: number,
): number {
  let sum = 0;
  for (let a = 0; a < r; a++) {
    sum += x[a]![this.thread.x]!;
  }
  return (1 - momentum) * mean[this.thread.x]! + momentum * (sum / r);
}

/**
 * The running variance after a batch: (1 − ρ)·sⱼ + ρ·σ̂ⱼ², with the unbiased variance σ̂² (divisor r − 1).
 *
 * Laws: never negative; ρ = 0 keeps the variance; a constant column contributes 0.
 *
 * Shapes: x is r×n with r ≥ 2, s is n, ρ a number, the output n. Range: 0 ≤ ρ ≤ 1, s ≥ 0.
 * Source: Ioffe & Szegedy (2015), arXiv:1502.03167, algorithm 2, step 10 (the factor m/(m − 1)).
 */
export function runningVariance(
  this: KernelThread,
  x: readonly (readonly number[])[],
  variance: readonly number[],
  momentum: number,
  r: number,
  _n: number,
): number {
  let sum = 0;
  for (let a = 0; a < r; a++) {
    sum += x[a]![this.thread.x]!;
  }
  const mean = sum / r;
  let squares = 0;
  for (let a = 0; a < r; a++) {
    squares += (x[a]![this.thread.x]! - mean) * (x[a]![this.thread.x]! - mean);
  }
  return (1 - momentum) * variance[this.thread.x]! + momentum * (squares / (r - 1));
}

/**
 * The gradient of batch normalisation in training with respect to x: γⱼ·(g − mean(g) − z·mean(g·z)) / √(σⱼ² + ε) per
 * column, with the normalised column z.
 *
 * Laws: linear in g; every column sums to 0; a batch of one has gradient 0.
 *
 * Shapes: x and g are r×n, γ is n, the output r×n. Range: as {@link batchNorm}.
 * Source: Ioffe & Szegedy (2015), arXiv:1502.03167, section 3, the chain rule after algorithm 1.
 */
export function batchNormBackward(
  this: KernelThread,
  x: readonly (readonly number[])[],
  gamma: readonly number[],
  g: readonly (readonly number[])[],
  epsilon: number,
  r: number,
  _n: number,
): number {
  const column = this.thread.x;
  let sum = 0;
  for (let a = 0; a < r; a++) {
    sum += x[a]![column]!;
  }
  const mean = sum / r;
  let squares = 0;
  for (let a = 0; a < r; a++) {
    squares += (x[a]![column]! - mean) * (x[a]![column]! - mean);
  }
  const deviation = Math.sqrt(squares / r + epsilon);
  let total = 0;
  let along = 0;
  for (let a = 0; a < r; a++) {
    total += g[a]![column]!;
    along += g[a]![column]! * ((x[a]![column]! - mean) / deviation);
  }
  const z = (x[this.thread.y]![column]! - mean) / deviation;
  return (gamma[column]! * (g[this.thread.y]![column]! - total / r - z * (along / r))) / deviation;
}

/**
 * The gradient of batch normalisation with respect to the gain γ: Σ over the batch of g_bj·z_bj. That with respect to β
 * is the sum of g over the batch, as for a bias.
 *
 * Laws: linear in g; does not depend on γ and β.
 *
 * Shapes: x and g are r×n, the output n. Range: as {@link batchNorm}.
 * Source: Ioffe & Szegedy (2015), arXiv:1502.03167, section 3, the chain rule after algorithm 1.
 */
export function batchNormGainBackward(
  this: KernelThread,
  x: readonly (readonly number[])[],
  g: readonly (readonly number[])[],
  epsilon: number,
  r: number,
  _n: number,
): number {
  const column = this.thread.x;
  let sum = 0;
  for (let a = 0; a < r; a++) {
    sum += x[a]![column]!;
  }
  const mean = sum / r;
  let squares = 0;
  for (let a = 0; a < r; a++) {
    squares += (x[a]![column]! - mean) * (x[a]![column]! - mean);
  }
  const deviation = Math.sqrt(squares / r + epsilon);
  let result = 0;
  for (let a = 0; a < r; a++) {
    result += g[a]![column]! * ((x[a]![column]! - mean) / deviation);
  }
  return result;
}

/**
 * The gradient of batch normalisation in inference with respect to x: γⱼ·g_bj / √(sⱼ + ε).
 *
 * Laws: linear in g; does not depend on x: the statistics are constants.
 *
 * Shapes: γ and s are n, g is r×n, the output r×n. Range: s ≥ 0, ε > 0.
 * Source: Ioffe & Szegedy (2015), arXiv:1502.03167, algorithm 2, step 11, differentiated.
 */
export function batchNormInferenceBackward(
  this: KernelThread,
  gamma: readonly number[],
  g: readonly (readonly number[])[],
  variance: readonly number[],
  epsilon: number,
  _n: number,
  _r: number,
): number {
  const column = this.thread.x;
  return (gamma[column]! * g[this.thread.y]![column]!) / Math.sqrt(variance[column]! + epsilon);
}
