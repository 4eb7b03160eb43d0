/**
 * Calls of kernels on random float32 inputs, and how one shipped kernel is called.
 */
import type { KernelCall, KernelValue } from '../../src/subject/kernel.ts';

/** A source of numbers in [0, 1) that is the same in every run (mulberry32). */
export function randomSource(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** How to call one shipped kernel. */
export interface KernelCase {
  readonly family: string;
  readonly name: string;
  /** Draws sizes, then builds a call of them. */
  readonly call: (random: () => number) => KernelCall;
}

export type Argument = { readonly value: KernelValue; readonly shape: readonly number[] };

export const between = (random: () => number, low: number, high: number): number =>
  low + Math.floor(random() * (high - low + 1));
export const scalar = (value: number): Argument => ({ value: Math.fround(value), shape: [] });
export const tensor = (random: () => number, shape: readonly number[], scale: number): Argument => ({
  value: Float32Array.from(
    { length: shape.reduce((a, b) => a * b, 1) },
    () => (random() * 2 - 1) * scale * 10 ** -Math.floor(random() * 4),
  ),
  shape,
});
export const positive = (argument: Argument): Argument => ({
  ...argument,
  value: typeof argument.value === 'object' ? Float32Array.from(argument.value, Math.abs) : argument.value,
});

export function call(outputShape: readonly number[], ...parts: readonly Argument[]): KernelCall {
  return { arguments: parts.map((part) => part.value), shapes: parts.map((part) => part.shape), outputShape };
}
