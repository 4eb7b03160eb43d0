/** GELU, SiLU and ELU. */
import type { KernelThread } from '../../../src/runtime/kernel-types.ts';

/** erfc(z) of z ≥ 0 in doubles. Source: Abramowitz & Stegun (1964), 7.1.5 (the series) and 7.1.14 (the continued fraction). */
function erfc(z: number): number {
  if (z < 2) {
    let power = z;
    let sum = z;
    for (let k = 1; k < 40; k++) {
      power *= (-z * z) / k;
      sum += power / (2 * k + 1);
    }
    return 1 - (2 / Math.sqrt(Math.PI)) * sum;
  }
  let fraction = z;
  for (let k = 60; k >= 1; k--) fraction = z + k / 2 / fraction;
  return Math.exp(-z * z) / (Math.sqrt(Math.PI) * fraction);
}

/** By the complementary error function, so that nothing cancels where x is negative. */
export function geluByComplement(x: Float32Array): Float32Array {
  return x.map((value) => {
    const tail = erfc(Math.abs(value) / Math.SQRT2) / 2;
    return value * (value < 0 ? tail : 1 - tail);
  });
}

/** (1 + tanh u)/2 is the sigmoid of 2u. */
export function geluTanhByLogistic(x: Float32Array): Float32Array {
  return x.map((value) => {
    const inner = Math.sqrt(2 / Math.PI) * (value + 0.044715 * value ** 3);
    return value / (1 + Math.exp(-2 * inner));
  });
}

/** Wrong: the approximation by a hyperbolic tangent is not the error function. */
export function geluByTanh(this: KernelThread, x: readonly number[]): number {
  const value = x[this.thread.x]!;
  const inner = Math.max(-20, Math.min(20, 0.7978845608 * (value + 0.044715 * value * value * value)));
  return 0.5 * value * (1 + Math.tanh(inner));
}

/** Wrong: the approximation by a sigmoid is a third function. */
export function geluTanhBySigmoid(this: KernelThread, x: readonly number[]): number {
  const value = x[this.thread.x]!;
  return value / (1 + Math.exp(-1.702 * value));
}

export function siluInDoubles(x: Float32Array): Float32Array {
  return x.map((value) => value / (1 + Math.exp(-value)));
}

/** Wrong: the power overflows where x is large. */
export function siluOverflows(x: Float32Array): Float32Array {
  return x.map((value) => {
    const power = Math.fround(Math.exp(value));
    return (value * power) / (1 + power);
  });
}

export function siluBackwardInDoubles(x: Float32Array, g: Float32Array): Float32Array {
  return x.map((value, i) => {
    const sigmoid = 1 / (1 + Math.exp(-value));
    return g[i]! * (sigmoid + value * sigmoid * (1 - sigmoid));
  });
}

/** Wrong: the sigmoid is taken for a constant. */
export function siluBackwardOfConstant(x: Float32Array, g: Float32Array): Float32Array {
  return x.map((value, i) => g[i]! / (1 + Math.exp(-value)));
}

export function eluByExpm1(x: Float32Array, alpha: number): Float32Array {
  return x.map((value) => (value > 0 ? value : alpha * Math.expm1(value)));
}

/** Wrong: alpha is left out. */
export function eluWithoutAlpha(x: Float32Array, _alpha: number): Float32Array {
  return x.map((value) => (value > 0 ? value : Math.expm1(value)));
}
