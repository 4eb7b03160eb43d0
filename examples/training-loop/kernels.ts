/**
 * The kernels of the loop, opened on `ref32`: float32, one rounding per operation, the same bits on every machine whose
 * exp, log and cos agree.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ref32 } from '../../src/backends/ref32.ts';
import { invariant } from '../../src/base/invariant.ts';
import type { KernelCall } from '../../src/subject/kernel.ts';
import { readKernelProgram } from '../../src/subject/kernel-program.ts';

const elementwise = 'examples/training-loop/elementwise-kernels.ts';
const files = {
  matmul: 'src/kernels/matmul.ts',
  gemmBackwardA: 'src/kernels/gemm-backward.ts',
  gemmBackwardB: 'src/kernels/gemm-backward.ts',
  crossEntropy: 'src/kernels/cross-entropy.ts',
  distillationGradient: 'src/kernels/distillation.ts',
  accumulateGradients: 'src/kernels/gradient-accumulation.ts',
  clipGradient: 'src/kernels/gradient-clipping.ts',
  learningRate: 'src/kernels/learning-rate.ts',
  smoothLoss: 'src/kernels/loss-smoothing.ts',
  adamFirstMoment: 'src/kernels/adamw.ts',
  adamSecondMoment: 'src/kernels/adamw.ts',
  adamwUpdate: 'src/kernels/adamw.ts',
  silu: elementwise,
  siluBackward: elementwise,
  add: elementwise,
  scale: elementwise,
  transpose: elementwise,
  scatterAdd: elementwise,
} as const;

export type KernelName = keyof typeof files;

/** Runs one kernel; throws when it fails, which means that the loop calls it wrongly. */
export type RunKernel = (name: KernelName, call: KernelCall) => Float32Array;

/** Reads and opens every kernel under `root`, the folder of the repository. */
export async function openKernels(root: string): Promise<RunKernel> {
  const opened = new Map<string, (call: KernelCall) => Float32Array>();
  for (const [name, file] of Object.entries(files)) {
    const path = join(root, file);
    const { value: program } = await readKernelProgram({ path, text: await readFile(path, 'utf8') }, name);
    invariant(program, `${file} holds the kernel ${name}`);
    const result = await ref32.open(program);
    invariant(result.ok && result.kernel.runSync, `${name} opens`);
    const { runSync } = result.kernel;
    opened.set(name, (call) => {
      const outcome = runSync(call);
      invariant(outcome.ok, `${name} runs: ${JSON.stringify(outcome)}`);
      return Float32Array.from(outcome.output);
    });
  }
  return (name, call) => {
    const run = opened.get(name);
    invariant(run, `${name} is open`);
    return run(call);
  };
}
