/**
 * GELU in its tanh form: x·σ(u) with u = 2·√(2/π)·(x + 0.044715·x³).
 *
 * Source: Hendrycks & Gimpel (2016), Gaussian error linear units, arXiv:1606.08415, section 2.
 */
import { exp32 } from '../../numeric/elementary32/exp.ts';
import type { Module } from './module.ts';

/** √(2/π) */
const steepness = 0.7978845608028654;
const cubic = 0.044715;

/** GELU of each of `size` numbers. */
export function gelu(size: number): Module {
  const output = new Float32Array(size);
  const inputGradient = new Float32Array(size);
  let input: Float32Array = new Float32Array(0);
  return {
    gradients: {},
    forward(_, x) {
      input = x;
      geluOf(output, x);
      return output;
    },
    backward(_, gradient) {
      geluBackward(inputGradient, gradient, input);
      return inputGradient;
    },
  };
}

/** out ← GELU(x). */
export function geluOf(out: Float32Array, x: Float32Array): void {
  for (let i = 0; i < x.length; i++) {
    const value = x[i] ?? NaN;
    out[i] = value * sigmoid(argument(value));
  }
}

/** out ← g·GELU′(x). */
export function geluBackward(out: Float32Array, g: Float32Array, x: Float32Array): void {
  for (let i = 0; i < x.length; i++) {
    const value = x[i] ?? NaN;
    const u = argument(value);
    const rising = 2 * steepness * (1 + 3 * cubic * value * value);
    // σ(u)·σ(−u) rather than σ(u)·(1 − σ(u)), which cancels.
    out[i] = (g[i] ?? NaN) * (sigmoid(u) + value * (sigmoid(u) * sigmoid(-u)) * rising);
  }
}

const argument = (x: number): number => 2 * steepness * (x + cubic * x * x * x);

const sigmoid = (u: number): number => 1 / (1 + exp32(-u));
