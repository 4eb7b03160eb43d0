import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * Layer normalisation of each row: γᵢ·(xᵢ − μ) / √(σ² + ε) + βᵢ, with the row's mean μ and variance σ² (divisor n). The
 * variance is taken from the differences, in a second pass: Σx²/n − μ² would cancel.
 *
 * Laws: with γ = 1 and β = 0 every row has mean 0 and variance σ²/(σ² + ε) ≤ 1; adding a constant to a row changes
 * nothing; scaling x by α > 0 and ε by α² changes nothing.
 *
 * Shapes: x is r×n, γ and β are n, the output r×n. Range: |x| up to 1e18, beyond which squares overflow float32; ε > 0.
 * Source: Ba, Kiros & Hinton (2016), arXiv:1607.06450, section 3, equations 3 and 4; ε as in the published code.
 */
export function layernorm(
  this: KernelThread,
  x: readonly (readonly number[])[],
  gamma: readonly number[],
  beta: readonly number[],
  epsilon: number,
  _r: number,
  n: number,
): number {
  const row = this.thread.y;
  let sum = 0;
  for (let j = 0; j < n; j++) {
    sum += x[row]![j]!;
  }
  const mean = sum / n;
  let squares = 0;
  for (let j = 0; j < n; j++) {
    squares += (x[row]![j]! - mean) * (x[row]![j]! - mean);
  }
  const deviation = Math.sqrt(squares / n + epsilon);
  return gamma[this.thread.x]! * ((x[row]![this.thread.x]! - mean) / deviation) + beta[this.thread.x]!;
}

/**
 * The gradient of layer normalisation with respect to x: (hᵢ − mean(h) − zᵢ·mean(h·z)) / √(σ² + ε) per row, with
 * h = g·γ and the normalised row z.
 *
 * Laws: linear in g; every row sums to 0, and is orthogonal to z as ε → 0.
 *
 * Shapes: x and g are r×n, γ is n, the output r×n. Range: as {@link layernorm}.
 * Source: Ioffe & Szegedy (2015), arXiv:1502.03167, section 3 (the chain rule through mean and variance), along rows.
 */
export function layernormBackward(
  this: KernelThread,
  x: readonly (readonly number[])[],
  gamma: readonly number[],
  g: readonly (readonly number[])[],
  epsilon: number,
  _r: number,
  n: number,
): number {
  const row = this.thread.y;
  let sum = 0;
  for (let j = 0; j < n; j++) {
    sum += x[row]![j]!;
  }
  const mean = sum / n;
  let squares = 0;
  for (let j = 0; j < n; j++) {
    squares += (x[row]![j]! - mean) * (x[row]![j]! - mean);
  }
  const deviation = Math.sqrt(squares / n + epsilon);
  let total = 0;
  let along = 0;
  for (let j = 0; j < n; j++) {
    const h = g[row]![j]! * gamma[j]!;
    total += h;
    along += h * ((x[row]![j]! - mean) / deviation);
  }
  const own = g[row]![this.thread.x]! * gamma[this.thread.x]!;
  const z = (x[row]![this.thread.x]! - mean) / deviation;
  return (own - total / n - z * (along / n)) / deviation;
}

/**
 * The gradient of layer normalisation with respect to the gain γ: Σ over rows of gᵢ·zᵢ, with the normalised row z.
 *
 * Laws: linear in g; does not depend on γ and β.
 *
 * Shapes: x and g are r×n, the output n. Range: as {@link layernorm}. The gradient with respect to β is the sum of g
 * over the rows, as for a bias.
 * Source: Ioffe & Szegedy (2015), arXiv:1502.03167, section 3, along rows.
 */
export function layernormGainBackward(
  this: KernelThread,
  x: readonly (readonly number[])[],
  g: readonly (readonly number[])[],
  epsilon: number,
  r: number,
  n: number,
): number {
  let result = 0;
  for (let b = 0; b < r; b++) {
    let sum = 0;
    for (let j = 0; j < n; j++) {
      sum += x[b]![j]!;
    }
    const mean = sum / n;
    let squares = 0;
    for (let j = 0; j < n; j++) {
      squares += (x[b]![j]! - mean) * (x[b]![j]! - mean);
    }
    const deviation = Math.sqrt(squares / n + epsilon);
    result += g[b]![this.thread.x]! * ((x[b]![this.thread.x]! - mean) / deviation);
  }
  return result;
}
