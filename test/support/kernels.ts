/**
 * The shipped kernels as programs, and calls for them on random float32 inputs.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { invariant } from '../../src/base/invariant.ts';
import type { KernelProgram } from '../../src/subject/kernel.ts';
import { readKernelProgram } from '../../src/subject/kernel-program.ts';
import { between, call, type KernelCase, positive, scalar, tensor } from './kernel-calls.ts';
import { trainingKernelCases } from './training-kernel-cases.ts';

export { randomSource } from './kernel-calls.ts';

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
  ...trainingKernelCases,
];
