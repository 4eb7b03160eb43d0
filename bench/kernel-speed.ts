/**
 * The core kernels at 128 × 512, one call of each: gpu.js in WebAssembly (pv's default), the reference of pv, typed
 * arrays by hand, and other libraries where bench/peers is installed. Milliseconds: the minimum of many calls, in one
 * run. Exits with 1 when a kernel has less than 0.8 of the speed by hand, or is slower than tfjs on the CPU.
 */
import { readFile } from 'node:fs/promises';
import { invariant } from '../src/base/invariant.ts';
import { loadBackend } from '../src/backends/registry.ts';
import { readKernelProgram } from '../src/subject/kernel-program.ts';
import type { KernelCall } from '../src/subject/kernel.ts';
import * as hand from './kernel-speed/by-hand.ts';
import { peersOf, type Peer, type Task } from './kernel-speed/peers.ts';
import { workAt } from './kernel-speed/work.ts';

const work = workAt(128, 512, 64);
const { rows, n, k, d, x, gamma, A, B, Q, K, V, theta, m, v, y } = work;
const all = rows * n;

interface Row {
  readonly name: string;
  readonly file: string;
  readonly kernel: string;
  readonly byHand: Task;
  readonly call: KernelCall;
  /** The calls that make up the work: a kernel of vectors runs once per row. */
  readonly times: number;
}

const scalars = (count: number): readonly number[][] => Array.from({ length: count }, () => []);
const row = x.slice(0, n);
const swigluArguments = { W: A.slice(0, n * 128), V: B.slice(0, n * 128) };

const table: readonly Row[] = [
  {
    name: 'softmax',
    file: 'softmax',
    kernel: 'softmax',
    byHand: () => hand.softmaxRows(x, rows, n),
    call: { arguments: [row, n], shapes: [[n], []], outputShape: [n] },
    times: rows,
  },
  {
    name: 'rmsnorm',
    file: 'rmsnorm',
    kernel: 'rmsnorm',
    byHand: () => hand.rmsnormRows(x, gamma, 1e-5, rows, n),
    call: { arguments: [row, gamma, 1e-5, n], shapes: [[n], [n], [], []], outputShape: [n] },
    times: rows,
  },
  {
    name: 'gelu',
    file: 'gelu',
    kernel: 'geluTanh',
    byHand: () => hand.geluTanh(x),
    call: { arguments: [x, all], shapes: [[all], []], outputShape: [all] },
    times: 1,
  },
  {
    name: 'matmul',
    file: 'matmul',
    kernel: 'matmul',
    byHand: () => hand.matmul(A, B, rows, k, rows),
    call: {
      arguments: [A, B, rows, k, rows],
      shapes: [[rows, k], [k, rows], ...scalars(3)],
      outputShape: [rows, rows],
    },
    times: 1,
  },
  {
    name: 'attention',
    file: 'attention',
    kernel: 'attention',
    byHand: () => hand.attention(Q, K, V, { n: rows, d, s: n, v: d }),
    call: {
      arguments: [Q, K, V, rows, d, n, d],
      shapes: [[rows, d], [n, d], [n, d], ...scalars(4)],
      outputShape: [rows, d],
    },
    times: 1,
  },
  {
    name: 'cross-entropy',
    file: 'cross-entropy',
    kernel: 'crossEntropy',
    byHand: () => hand.crossEntropy(x, y, rows, n),
    call: { arguments: [x, y, rows, n], shapes: [[rows, n], [rows], ...scalars(2)], outputShape: [rows] },
    times: 1,
  },
  {
    name: 'adamw',
    file: 'adamw',
    kernel: 'adamwUpdate',
    byHand: () => hand.adamwUpdate(theta, m, v),
    call: {
      arguments: [theta, m, v, 0.001, 0.9, 0.999, 1e-8, 0.1, 10, all],
      shapes: [[all], [all], [all], ...scalars(7)],
      outputShape: [all],
    },
    times: 1,
  },
  {
    name: 'rope',
    file: 'rope',
    kernel: 'rope',
    byHand: () => hand.rope(x, 1e4, rows, n),
    call: { arguments: [x, 1e4, rows, n], shapes: [[rows, n], ...scalars(3)], outputShape: [rows, n] },
    times: 1,
  },
  {
    name: 'swiglu',
    file: 'swiglu',
    kernel: 'swiglu',
    byHand: () => hand.swiglu(row, swigluArguments.W, swigluArguments.V, n, 128),
    call: {
      arguments: [row, swigluArguments.W, swigluArguments.V, n, 128],
      shapes: [[n], [n, 128], [n, 128], ...scalars(2)],
      outputShape: [128],
    },
    times: 1,
  },
  {
    name: 'gqa',
    file: 'gqa',
    kernel: 'gqa',
    byHand: () => hand.attention(Q, K, V, { n: rows, d, s: n, v: d }),
    call: {
      arguments: [Q, K, V, 1, rows, d, 1, n],
      shapes: [[1, rows, d], [1, n, d], [1, n, d], ...scalars(5)],
      outputShape: [1, rows, d],
    },
    times: 1,
  },
];

/**
 * The minimum milliseconds per call of each: at least five rounds of one call each, for as many half seconds as there are
 * tasks. They alternate, so that other work on the machine affects all alike.
 */
async function least(tasks: readonly Task[]): Promise<readonly number[]> {
  const best = tasks.map(() => Infinity);
  const end = performance.now() + 500 * tasks.length;
  for (let round = 0; round < 5 || performance.now() < end; round++) {
    for (const [i, task] of tasks.entries()) {
      const start = performance.now();
      await task();
      best[i] = Math.min(best[i] ?? Infinity, performance.now() - start);
    }
  }
  return best;
}

async function backendTask(id: 'gpujs-webasm' | 'ref32', one: Row): Promise<Task> {
  const path = `src/kernels/${one.file}.ts`;
  const { value } = await readKernelProgram({ path, text: await readFile(path, 'utf8') }, one.kernel);
  invariant(value, `${path} holds ${one.kernel}`);
  const opened = await (await loadBackend(id)).open(value);
  invariant(opened.ok && opened.kernel.runSync, `${id} runs ${one.kernel}`);
  const { runSync } = opened.kernel;
  return () => {
    for (let i = 0; i < one.times; i++) {
      const outcome = runSync(one.call);
      invariant(outcome.ok, `${one.kernel} runs`);
    }
  };
}

/** As a share of the speed of the loops written by hand. */
const target = 0.8;
const missed: string[] = [];

const peers: readonly Peer[] = await peersOf(work);
const heads = ['by hand', 'gpujs-webasm', 'ref32', ...peers.map(({ name }) => name)];
console.log(`| ms at 128 × 512 | ${heads.join(' | ')} | gpujs-webasm × by hand |`);
console.log(`| --- |${heads.map(() => ' ---: |').join('')} ---: |`);
for (const one of table) {
  const [byHand = 0, webasm = 0] = await least([one.byHand, await backendTask('gpujs-webasm', one)]);
  const others: string[] = [];
  for (const task of [await backendTask('ref32', one), ...peers.map(({ tasks }) => tasks.get(one.name))])
    others.push(task ? ((await least([task]))[0] ?? 0).toFixed(2) : '');
  const cells = [byHand.toFixed(2), webasm.toFixed(2), ...others, (byHand / webasm).toFixed(2)];
  console.log(`| ${one.name} | ${cells.join(' | ')} |`);
  const cpu = cells[heads.indexOf('tfjs cpu')];
  if (byHand / webasm < target || (cpu && webasm > Number(cpu))) missed.push(one.name);
}
console.log(
  missed.length === 0
    ? `every kernel has ${target} of the speed by hand or more`
    : `missed (${target} of the speed by hand, and that of tfjs on the CPU): ${missed.join(', ')}`,
);
if (missed.length > 0) process.exitCode = 1;
