/** AdamW, learning rates, accumulation of gradients, dropout and gradients of embeddings; flat matrices are row-major. */
import type { KernelThread } from '../../../src/runtime/kernel-types.ts';

export function adamwInDoubles(
  theta: Float32Array,
  m: Float32Array,
  v: Float32Array,
  eta: number,
  beta1: number,
  beta2: number,
  epsilon: number,
  lambda: number,
  t: number,
): Float32Array {
  return theta.map((x, i) => {
    const first = m[i]! / (1 - beta1 ** t);
    const second = v[i]! / (1 - beta2 ** t);
    return x - eta * (first / (Math.sqrt(second) + epsilon) + lambda * x);
  });
}

/** Wrong: epsilon is under the root. */
export function adamwEpsilonInside(
  theta: Float32Array,
  m: Float32Array,
  v: Float32Array,
  eta: number,
  beta1: number,
  beta2: number,
  epsilon: number,
  lambda: number,
  t: number,
): Float32Array {
  return theta.map((x, i) => {
    const first = m[i]! / (1 - beta1 ** t);
    const second = v[i]! / (1 - beta2 ** t);
    return x - eta * (first / Math.sqrt(second + epsilon) + lambda * x);
  });
}

/** Wrong: the bias is corrected as one step before. */
export function adamwOneStepLess(
  theta: Float32Array,
  m: Float32Array,
  v: Float32Array,
  eta: number,
  beta1: number,
  beta2: number,
  epsilon: number,
  lambda: number,
  t: number,
): Float32Array {
  const step = Math.max(1, t - 1);
  return theta.map((x, i) => {
    const first = m[i]! / (1 - beta1 ** step);
    const second = v[i]! / (1 - beta2 ** step);
    return x - eta * (first / (Math.sqrt(second) + epsilon) + lambda * x);
  });
}

/** Wrong: the decay goes through the denominator, as in Adam with L2. */
export function adamwCoupled(
  theta: Float32Array,
  m: Float32Array,
  v: Float32Array,
  eta: number,
  beta1: number,
  beta2: number,
  epsilon: number,
  lambda: number,
  t: number,
): Float32Array {
  return theta.map((x, i) => {
    const first = m[i]! / (1 - beta1 ** t);
    const second = v[i]! / (1 - beta2 ** t);
    return x - (eta * (first + lambda * x)) / (Math.sqrt(second) + epsilon);
  });
}

/** With the square of half the angle's cosine. */
export function learningRateByHalfAngle(
  k: Int32Array,
  peak: number,
  floor: number,
  warmup: number,
  total: number,
): Float32Array {
  return Float32Array.from(k, (step) => {
    if (step < warmup) return (peak * step) / warmup;
    const share = Math.min(1, (step - warmup) / (total - warmup));
    return floor + (peak - floor) * Math.cos((Math.PI / 2) * share) ** 2;
  });
}

/** Wrong: the cosine goes on after the last step, and rises. */
export function learningRateRises(
  k: Int32Array,
  peak: number,
  floor: number,
  warmup: number,
  total: number,
): Float32Array {
  return Float32Array.from(k, (step) => {
    if (step < warmup) return (peak * step) / warmup;
    const share = (step - warmup) / (total - warmup);
    return floor + (peak - floor) * 0.5 * (1 + Math.cos(Math.PI * share));
  });
}

/** Wrong: the cosine begins with the warmup, so that there is a step. */
export function learningRateOfAllSteps(
  k: Int32Array,
  peak: number,
  floor: number,
  warmup: number,
  total: number,
): Float32Array {
  return Float32Array.from(k, (step) => {
    if (step < warmup) return (peak * step) / warmup;
    const share = Math.min(1, step / total);
    return floor + (peak - floor) * 0.5 * (1 + Math.cos(Math.PI * share));
  });
}

/** Wrong: 0, not the floor, after the last step. */
export function learningRateEndsAtZero(
  k: Int32Array,
  peak: number,
  floor: number,
  warmup: number,
  total: number,
): Float32Array {
  return Float32Array.from(k, (step) => {
    if (step < warmup) return (peak * step) / warmup;
    if (step > total) return 0;
    const share = (step - warmup) / (total - warmup);
    return floor + (peak - floor) * 0.5 * (1 + Math.cos(Math.PI * share));
  });
}

/** Backwards, every gradient with its share. */
export function accumulateShares(g: Float32Array, counts: Int32Array, N: number, n: number): Float32Array {
  const total = counts.reduce((a, b) => a + b, 0);
  return Float32Array.from({ length: n }, (_, i) => {
    let sum = 0;
    for (let batch = N - 1; batch >= 0; batch--) sum += (counts[batch]! / total) * g[batch * n + i]!;
    return sum;
  });
}

/** Wrong: the mean of means forgets how large batches are. */
export function accumulateMeanOfMeans(g: Float32Array, _counts: Int32Array, N: number, n: number): Float32Array {
  return Float32Array.from({ length: n }, (_, i) => {
    let sum = 0;
    for (let batch = 0; batch < N; batch++) sum += g[batch * n + i]!;
    return sum / N;
  });
}

export function dropoutByScale(x: Float32Array, u: Float32Array, p: number): Float32Array {
  const scale = 1 / (1 - p);
  return x.map((value, i) => (u[i]! >= p ? value * scale : 0));
}

export function dropoutByMask(this: KernelThread, x: readonly number[], u: readonly number[], p: number): number {
  let keep = 1;
  if (u[this.thread.x]! < p) keep = 0;
  return (x[this.thread.x]! * keep) / (1 - p);
}

/** Wrong: drops where u is p, too. */
export function dropoutAtP(this: KernelThread, x: readonly number[], u: readonly number[], p: number): number {
  if (u[this.thread.x]! <= p) return 0;
  return x[this.thread.x]! / (1 - p);
}

/** Wrong: scales by 1 + p. */
export function dropoutFirstOrder(this: KernelThread, x: readonly number[], u: readonly number[], p: number): number {
  if (u[this.thread.x]! < p) return 0;
  return x[this.thread.x]! * (1 + p);
}

/** Scatters backwards, in doubles. */
export function embeddingBackwardScattered(
  ids: Int32Array,
  g: Float32Array,
  n: number,
  d: number,
  v: number,
): Float32Array {
  const sums = new Float64Array(v * d);
  for (let t = n - 1; t >= 0; t--) {
    for (let k = 0; k < d; k++) {
      const at = ids[t]! * d + k;
      sums[at] = sums[at]! + g[t * d + k]!;
    }
  }
  return Float32Array.from(sums);
}

/** Wrong: of a repeated token the last gradient alone counts. */
export function embeddingBackwardLast(ids: Int32Array, g: Float32Array, n: number, d: number, v: number): Float32Array {
  const output = new Float32Array(v * d);
  for (let t = 0; t < n; t++) output.set(g.subarray(t * d, t * d + d), ids[t]! * d);
  return output;
}
