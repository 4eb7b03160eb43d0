/**
 * The shipped kernels as programs, and calls for them on random float32 inputs.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { invariant } from '../../src/base/invariant.ts';
import type { KernelCall, KernelProgram, KernelValue } from '../../src/subject/kernel.ts';
import { readKernelProgram } from '../../src/subject/kernel-program.ts';

/** Reads a kernel of `src/kernels`; throws when it has any diagnostic. */
export async function shippedKernel(family: string, name: string): Promise<KernelProgram> {
  const path = fileURLToPath(new URL(`../../src/kernels/${family}.ts`, import.meta.url));
  const { value, diagnostics } = await readKernelProgram({ path, text: readFileSync(path, 'utf8') }, name);
  invariant(value && diagnostics.length === 0, `${family}.ts: ${diagnostics.map((found) => found.message).join('; ')}`);
  return value;
}

/** Reads a kernel from a text of one function `kernel`; throws when it has any diagnostic. */
export async function kernelFromText(text: string, name = 'kernel'): Promise<KernelProgram> {
  const { value, diagnostics } = await readKernelProgram({ path: 'kernel.ts', text }, name);
  invariant(value && diagnostics.length === 0, diagnostics.map((found) => found.message).join('; '));
  return value;
}

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

type Argument = { readonly value: KernelValue; readonly shape: readonly number[] };

const between = (random: () => number, low: number, high: number): number =>
  low + Math.floor(random() * (high - low + 1));
const scalar = (value: number): Argument => ({ value: Math.fround(value), shape: [] });
const tensor = (random: () => number, shape: readonly number[], scale: number): Argument => ({
  value: Float32Array.from(
    { length: shape.reduce((a, b) => a * b, 1) },
    () => (random() * 2 - 1) * scale * 10 ** -Math.floor(random() * 4),
  ),
  shape,
});
const positive = (argument: Argument): Argument => ({
  ...argument,
  value: typeof argument.value === 'number' ? argument.value : Float32Array.from(argument.value, Math.abs),
});

function call(outputShape: readonly number[], ...parts: readonly Argument[]): KernelCall {
  return { arguments: parts.map((part) => part.value), shapes: parts.map((part) => part.shape), outputShape };
}

export const kernelCases: readonly KernelCase[] = [
  {
    family: 'softmax',
    name: 'softmax',
    call: (r) => {
      const n = between(r, 1, 40);
      return call([n], tensor(r, [n], 100), scalar(n));
    },
  },
  {
    family: 'rmsnorm',
    name: 'rmsnorm',
    call: (r) => {
      const n = between(r, 1, 40);
      return call([n], tensor(r, [n], 100), tensor(r, [n], 2), scalar(1e-5), scalar(n));
    },
  },
  {
    family: 'matmul',
    name: 'matmul',
    call: (r) => {
      const [m, k, n] = [between(r, 1, 9), between(r, 1, 17), between(r, 1, 9)];
      return call([m, n], tensor(r, [m, k], 10), tensor(r, [k, n], 10), scalar(m), scalar(k), scalar(n));
    },
  },
  {
    family: 'attention',
    name: 'attention',
    call: (r) => {
      const [n, d, s, v] = [between(r, 1, 5), between(r, 1, 6), between(r, 1, 9), between(r, 1, 6)];
      return call(
        [n, v],
        tensor(r, [n, d], 5),
        tensor(r, [s, d], 5),
        tensor(r, [s, v], 5),
        scalar(n),
        scalar(d),
        scalar(s),
        scalar(v),
      );
    },
  },
  {
    family: 'attention',
    name: 'causalAttention',
    call: (r) => {
      const [n, d, v] = [between(r, 1, 8), between(r, 1, 6), between(r, 1, 6)];
      return call(
        [n, v],
        tensor(r, [n, d], 5),
        tensor(r, [n, d], 5),
        tensor(r, [n, v], 5),
        scalar(n),
        scalar(d),
        scalar(v),
      );
    },
  },
  {
    family: 'rope',
    name: 'rope',
    call: (r) => {
      const [n, d] = [between(r, 1, 9), 2 * between(r, 1, 8)];
      return call([n, d], tensor(r, [n, d], 5), scalar(10_000), scalar(n), scalar(d));
    },
  },
  {
    family: 'gelu',
    name: 'gelu',
    call: (r) => {
      const n = between(r, 1, 40);
      return call([n], tensor(r, [n], 12), scalar(n));
    },
  },
  {
    family: 'gelu',
    name: 'geluTanh',
    call: (r) => {
      const n = between(r, 1, 40);
      return call([n], tensor(r, [n], 12), scalar(n));
    },
  },
  {
    family: 'cross-entropy',
    name: 'crossEntropy',
    call: (r) => {
      const [b, v] = [between(r, 1, 7), between(r, 1, 12)];
      return call(
        [b],
        tensor(r, [b, v], 50),
        { value: Int32Array.from({ length: b }, () => between(r, 0, v - 1)), shape: [b] },
        scalar(b),
        scalar(v),
      );
    },
  },
  {
    family: 'adamw',
    name: 'adamFirstMoment',
    call: (r) => {
      const n = between(r, 1, 30);
      return call([n], tensor(r, [n], 3), tensor(r, [n], 3), scalar(0.9), scalar(n));
    },
  },
  {
    family: 'adamw',
    name: 'adamSecondMoment',
    call: (r) => {
      const n = between(r, 1, 30);
      return call([n], positive(tensor(r, [n], 3)), tensor(r, [n], 3), scalar(0.999), scalar(n));
    },
  },
  {
    family: 'adamw',
    name: 'adamwUpdate',
    call: (r) => {
      const n = between(r, 1, 30);
      return call(
        [n],
        tensor(r, [n], 3),
        tensor(r, [n], 3),
        positive(tensor(r, [n], 3)),
        scalar(1e-3),
        scalar(0.9),
        scalar(0.999),
        scalar(1e-8),
        scalar(0.01),
        scalar(between(r, 1, 5000)),
        scalar(n),
      );
    },
  },
  {
    family: 'gqa',
    name: 'gqa',
    call: (r) => {
      const [g, n, s, d] = [between(r, 1, 3), between(r, 1, 3), between(r, 1, 7), between(r, 1, 5)];
      const h = g * between(r, 1, 3);
      return call(
        [h, n, d],
        tensor(r, [h, n, d], 5),
        tensor(r, [g, s, d], 5),
        tensor(r, [g, s, d], 5),
        scalar(h),
        scalar(n),
        scalar(d),
        scalar(g),
        scalar(s),
      );
    },
  },
  {
    family: 'swiglu',
    name: 'swiglu',
    call: (r) => {
      const [n, m] = [between(r, 1, 12), between(r, 1, 12)];
      return call([m], tensor(r, [n], 3), tensor(r, [n, m], 3), tensor(r, [n, m], 3), scalar(n), scalar(m));
    },
  },
];
