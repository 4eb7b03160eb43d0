/**
 * What a call of a kernel costs on each backend, against a typed loop written by hand, in the same run.
 *
 * Usage: npx esbuild bench/kernels.ts --bundle --platform=node --format=esm --packages=external --outfile=node_modules/.cache/kernels.mjs && node node_modules/.cache/kernels.mjs
 */
import { readFile } from 'node:fs/promises';
import { invariant } from '../src/base/invariant.ts';
import { loadBackend } from '../src/backends/registry.ts';
import { readKernelProgram } from '../src/subject/kernel-program.ts';
import type { BackendId, KernelCall, KernelProgram } from '../src/subject/kernel.ts';

const backends: readonly BackendId[] = ['ref32', 'ref64', 'gpujs-webasm', 'gpujs-cpu'];

/** Deterministic float32 values in [-1, 1). */
const vector = (n: number): Float32Array =>
  Float32Array.from({ length: n }, (_, i) => ((i * 2654435761) % 2048) / 1024 - 1);

function softmaxCall(n: number): KernelCall {
  return { arguments: [vector(n), n], shapes: [[n], []], outputShape: [n] };
}

function matmulCall(n: number): KernelCall {
  return {
    arguments: [vector(n * n), vector(n * n), n, n, n],
    shapes: [[n, n], [n, n], [], [], []],
    outputShape: [n, n],
  };
}

/** Softmax in float32 as one would write it by hand: one pass for each of maximum, sum and quotient. */
function softmaxByHand({ arguments: [x], outputShape: [n = 0] }: KernelCall): Float32Array {
  const f = Math.fround;
  invariant(x instanceof Float32Array, 'softmax takes a vector');
  let largest = x[0] ?? 0;
  for (let i = 1; i < n; i++) largest = Math.max(largest, x[i] ?? 0);
  let sum = 0;
  for (let i = 0; i < n; i++) sum = f(sum + f(Math.exp(f((x[i] ?? 0) - largest))));
  const output = new Float32Array(n);
  for (let i = 0; i < n; i++) output[i] = f(Math.exp(f((x[i] ?? 0) - largest))) / sum;
  return output;
}

function matmulByHand({ arguments: [A, B], outputShape: [m = 0, n = 0] }: KernelCall): Float32Array {
  const f = Math.fround;
  invariant(A instanceof Float32Array && B instanceof Float32Array, 'matmul takes matrices');
  const output = new Float32Array(m * n);
  const k = A.length / m;
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let l = 0; l < k; l++) sum = f(sum + f((A[i * k + l] ?? 0) * (B[l * n + j] ?? 0)));
      output[i * n + j] = sum;
    }
  }
  return output;
}

/** Microseconds per call: the best of five rounds of at least 60 ms. */
function microseconds(run: () => unknown): number {
  let best = Infinity;
  for (let round = 0; round < 5; round++) {
    const start = performance.now();
    let calls = 0;
    for (; performance.now() - start < 60; calls++) run();
    best = Math.min(best, ((performance.now() - start) * 1000) / calls);
  }
  return best;
}

async function programOf(family: string): Promise<KernelProgram> {
  const path = `src/kernels/${family}.ts`;
  const { value } = await readKernelProgram({ path, text: await readFile(path, 'utf8') }, family);
  invariant(value, `${path} is a kernel`);
  return value;
}

const rows: (readonly [string, string, string, string])[] = [];
const cases = [
  { family: 'softmax', byHand: softmaxByHand, call: softmaxCall, sizes: [16, 128] },
  { family: 'matmul', byHand: matmulByHand, call: matmulCall, sizes: [8, 32] },
] as const;

for (const { family, byHand, call, sizes } of cases) {
  const program = await programOf(family);
  for (const size of sizes) {
    const given = call(size);
    const hand = microseconds(() => byHand(given));
    rows.push([`${family} ${size}`, 'by hand', hand.toFixed(1), '1.00']);
    for (const id of backends) {
      const opened = await (await loadBackend(id)).open(program);
      invariant(opened.ok && opened.kernel.runSync, `${id} runs ${family}`);
      const { runSync } = opened.kernel;
      const same = microseconds(() => runSync(given));
      rows.push([`${family} ${size}`, id, same.toFixed(1), (same / hand).toFixed(2)]);
      const alternating = [call(size), call(size + 1)];
      let turn = 0;
      const changing = microseconds(() => runSync(alternating[turn++ % 2] ?? given));
      rows.push([`${family} ${size}`, `${id}, shapes alternating`, changing.toFixed(1), (changing / hand).toFixed(2)]);
      await opened.kernel.close();
    }
  }
}

const header = ['kernel', 'backend', 'µs per call', '× by hand'] as const;
for (const [kernel, backend, time, ratio] of [header, ...rows])
  console.log(`${kernel.padEnd(14)}${backend.padEnd(36)}${time.padStart(12)}${ratio.padStart(12)}`);
