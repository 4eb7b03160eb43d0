/**
 * How to call the kernels of training and of what follows it: clipping, schedules, distillation, merging, pruning.
 */
import { type Argument, between, call, type KernelCase, positive, scalar, tensor } from './kernel-calls.ts';

const integers = (random: () => number, length: number, low: number, high: number): Argument => ({
  value: Int32Array.from({ length }, () => between(random, low, high)),
  shape: [length],
});

function distillation(name: string, output: (r: number, v: number) => readonly number[]): KernelCase {
  return {
    family: 'distillation',
    name,
    call: (random) => {
      const [r, v] = [between(random, 1, 4), between(random, 1, 9)];
      return call(
        output(r, v),
        tensor(random, [r, v], 20),
        tensor(random, [r, v], 20),
        integers(random, r, 0, v - 1),
        scalar(0.5 + 9 * random()),
        scalar(random()),
        scalar(r),
        scalar(v),
      );
    },
  };
}

export const trainingKernelCases: readonly KernelCase[] = [
  {
    family: 'gradient-clipping',
    name: 'clipGradient',
    call: (r) => {
      const n = between(r, 1, 30);
      return call([n], tensor(r, [n], 5), scalar(10 ** between(r, -3, 2)), scalar(n));
    },
  },
  {
    family: 'learning-rate',
    name: 'learningRate',
    call: (r) => {
      const [n, warmup] = [between(r, 1, 12), between(r, 0, 40)];
      const steps = integers(r, n, 0, 200);
      return call(
        [n],
        steps,
        scalar(3e-4),
        scalar(3e-5),
        scalar(warmup),
        scalar(warmup + between(r, 1, 99)),
        scalar(n),
      );
    },
  },
  {
    family: 'loss-smoothing',
    name: 'smoothLoss',
    call: (r) => {
      const n = between(r, 1, 30);
      return call([n], positive(tensor(r, [n], 12)), scalar(r()), scalar(n));
    },
  },
  distillation('distillationLoss', (r) => [r]),
  distillation('distillationGradient', (r, v) => [r, v]),
  {
    family: 'gradient-accumulation',
    name: 'accumulateGradients',
    call: (r) => {
      const [N, n] = [between(r, 1, 9), between(r, 1, 9)];
      return call([n], tensor(r, [N, n], 10), integers(r, N, 1, 64), scalar(N), scalar(n));
    },
  },
  {
    family: 'merging',
    name: 'slerp',
    call: (r) => {
      const n = between(r, 4, 20);
      return call([n], tensor(r, [n], 3), tensor(r, [n], 3), scalar(r()), scalar(n));
    },
  },
  {
    family: 'merging',
    name: 'tiesMerge',
    call: (r) => {
      const [K, n] = [between(r, 1, 3), between(r, 1, 9)];
      return call([n], tensor(r, [K, n], 3), scalar(between(r, 0, n)), scalar(K), scalar(n));
    },
  },
  {
    family: 'pruning',
    name: 'wandaScore',
    call: (r) => {
      const [m, n, s] = [between(r, 1, 5), between(r, 1, 5), between(r, 1, 9)];
      return call([m, n], tensor(r, [m, n], 3), tensor(r, [s, n], 3), scalar(m), scalar(n), scalar(s));
    },
  },
  {
    family: 'pruning',
    name: 'pruneRows',
    call: (r) => {
      const [m, n] = [between(r, 1, 5), between(r, 1, 9)];
      const scores = positive(tensor(r, [m, n], 3));
      return call([m, n], tensor(r, [m, n], 3), scores, scalar(between(r, 0, n)), scalar(m), scalar(n));
    },
  },
  {
    family: 'quantization',
    name: 'quantizeRoundTrip',
    call: (r) => {
      const [blocks, c] = [between(r, 1, 4), between(r, 1, 20)];
      return call([blocks, c], tensor(r, [blocks, c], 3), scalar(r() < 0.5 ? 7 : 127), scalar(blocks), scalar(c));
    },
  },
];
