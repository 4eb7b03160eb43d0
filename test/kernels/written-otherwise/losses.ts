/** Cross-entropy, Huber loss and distillation; flat matrices are row-major, a row per sample. */
import type { KernelThread } from '../../../src/runtime/kernel-types.ts';

export function crossEntropyInDoubles(z: Float32Array, y: Int32Array, r: number, v: number): Float32Array {
  return Float32Array.from({ length: r }, (_, b) => {
    const row = z.subarray(b * v, b * v + v);
    const largest = Math.max(...row);
    const sum = row.reduce((total, logit) => total + Math.exp(logit - largest), 0);
    return Math.log(sum) + largest - row[y[b]!]!;
  });
}

/** Wrong: the logarithm is of a probability that underflows. */
export function crossEntropyOfProbability(
  this: KernelThread,
  z: readonly (readonly number[])[],
  y: readonly number[],
  _r: number,
  v: number,
): number {
  const b = this.thread.x;
  let largest = z[b]![0]!;
  for (let j = 1; j < v; j++) {
    largest = Math.max(largest, z[b]![j]!);
  }
  let sum = 0;
  for (let j = 0; j < v; j++) {
    sum += Math.exp(z[b]![j]! - largest);
  }
  return -Math.log(Math.max(1e-30, Math.exp(z[b]![y[b]!]! - largest) / sum));
}

/** Wrong: the maximum is not taken out. */
export function crossEntropyWithoutMaximum(
  this: KernelThread,
  z: readonly (readonly number[])[],
  y: readonly number[],
  _r: number,
  v: number,
): number {
  const b = this.thread.x;
  let sum = 0;
  for (let j = 0; j < v; j++) {
    sum += Math.exp(z[b]![j]!);
  }
  return Math.log(sum) - z[b]![y[b]!]!;
}

/** Backwards, with the two branches written by other formulas. */
export function huberBackwards(x: Float32Array, y: Float32Array, delta: number, r: number, n: number): Float32Array {
  return Float32Array.from({ length: r }, (_, b) => {
    let sum = 0;
    for (let i = b * n + n - 1; i >= b * n; i--) {
      const error = Math.abs(x[i]! - y[i]!);
      sum += error <= delta ? (error * error) / 2 : delta * error - (delta * delta) / 2;
    }
    return sum / n;
  });
}

/** Wrong: the line lacks delta²/2, so that there is a step at delta. */
export function huberWithStep(x: Float32Array, y: Float32Array, delta: number, r: number, n: number): Float32Array {
  return Float32Array.from({ length: r }, (_, b) => {
    let sum = 0;
    for (let i = b * n; i < b * n + n; i++) {
      const error = Math.abs(x[i]! - y[i]!);
      sum += error <= delta ? 0.5 * error * error : delta * (error - delta);
    }
    return sum / n;
  });
}

function logSoftmax(row: Float32Array, temperature: number): readonly number[] {
  const largest = Math.max(...row);
  const scaled = Array.from(row, (logit) => (logit - largest) / temperature);
  const logarithm = Math.log(scaled.reduce((sum, logit) => sum + Math.exp(logit), 0));
  return scaled.map((logit) => logit - logarithm);
}

/** Σ P·log(P/Q) of two rows of logarithms. */
function divergence(P: readonly number[], Q: readonly number[]): number {
  return P.reduce((sum, p, j) => sum + Math.exp(p) * (p - Q[j]!), 0);
}

export function distillationLossInDoubles(
  teacher: Float32Array,
  student: Float32Array,
  y: Int32Array,
  temperature: number,
  alpha: number,
  r: number,
  v: number,
): Float32Array {
  return Float32Array.from({ length: r }, (_, b) => {
    const own = student.subarray(b * v, b * v + v);
    const soft = divergence(logSoftmax(teacher.subarray(b * v, b * v + v), temperature), logSoftmax(own, temperature));
    return alpha * temperature ** 2 * soft - (1 - alpha) * logSoftmax(own, 1)[y[b]!]!;
  });
}

/** Wrong: the divergence lacks the square of the temperature. */
export function distillationLossWithoutSquare(
  teacher: Float32Array,
  student: Float32Array,
  y: Int32Array,
  temperature: number,
  alpha: number,
  r: number,
  v: number,
): Float32Array {
  return Float32Array.from({ length: r }, (_, b) => {
    const own = student.subarray(b * v, b * v + v);
    const soft = divergence(logSoftmax(teacher.subarray(b * v, b * v + v), temperature), logSoftmax(own, temperature));
    return alpha * soft - (1 - alpha) * logSoftmax(own, 1)[y[b]!]!;
  });
}

/** Wrong: the divergence is of the teacher from the student. */
export function distillationLossReversed(
  teacher: Float32Array,
  student: Float32Array,
  y: Int32Array,
  temperature: number,
  alpha: number,
  r: number,
  v: number,
): Float32Array {
  return Float32Array.from({ length: r }, (_, b) => {
    const own = student.subarray(b * v, b * v + v);
    const soft = divergence(logSoftmax(own, temperature), logSoftmax(teacher.subarray(b * v, b * v + v), temperature));
    return alpha * temperature ** 2 * soft - (1 - alpha) * logSoftmax(own, 1)[y[b]!]!;
  });
}
