/**
 * What generated cases and the property engine cost, against fast-check and against loops written by hand, in the same run.
 *
 * Softmax at n = 128: outputs sum to one within 6e-8·n, and each output is within 1e-5 relative of the equation.
 * Usage: node scripts/run.mjs bench/property.ts
 */
import { fileURLToPath } from 'node:url';
import { Worker, isMainThread, parentPort } from 'node:worker_threads';
import * as fc from 'fast-check';
import type { KernelCall, OpenKernel } from '../src/backends/backend.ts';
import type { Goal } from '../src/contract/goal.ts';
import * as b from '../src/math/term/build.ts';
import type { CompiledGoal } from '../src/math/compile/compiled.ts';
import { loadGoal } from '../src/math/compile/load.ts';
import type { Domain } from '../src/math/domain.ts';
import { FLOAT32, type Term } from '../src/math/term/term.ts';
import { runProperty, type PropertyRequest } from '../src/methods/property.ts';
import { caseArbitrary } from '../src/runtime/case-arbitrary.ts';
import { createGenerator, type CaseGenerator } from '../src/runtime/generate/generator.ts';
import type { TestableGoal } from '../src/runtime/testable-goal.ts';
import { index, n, over, softmax, x } from '../test/math/equations.ts';

const LENGTH = 128;
const CASES = 10_000;
const OBLIGATIONS = 150;
const WORKERS = 2;

const bound = (value: Term): { readonly value: Term; readonly open: boolean } => ({ value, open: false });
const limit = b.decimal('1e4');
const domain: Domain = {
  sizes: [{ name: 'n', minimum: LENGTH, maximum: LENGTH, multipleOf: 1, definition: null }],
  variables: [
    {
      name: 'x',
      element: FLOAT32,
      shape: [n],
      lower: bound(b.call('negate', limit)),
      upper: bound(limit),
      choices: null,
      excluded: [],
      nonFinite: false,
      structure: 'none',
    },
  ],
  preconditions: [],
};

const output = b.variable('out:0', x.type);
const reference = b.element(softmax.body, [index('i')]);
const sumsToOne = b.call(
  'approximately',
  b.reduce('sum', [over('i')], b.element(output, [index('i')])),
  b.integer(1),
  b.call('multiply', b.decimal('6e-8'), n),
);
const allowed = b.call('add', b.call('multiply', b.decimal('1e-5'), b.call('absolute', reference)), b.decimal('1e-44'));
const equivalent = b.reduce(
  'all',
  [over('i')],
  b.call('approximately', b.element(output, [index('i')]), reference, allowed),
);

const goal: Omit<TestableGoal, 'applications'> & Pick<Goal, 'applications' | 'predicate'> = {
  id: 'softmax-kernel-v1/BENCH',
  claim: 'BENCH',
  property: 'sums to one and computes the equation',
  formal: 'sums to one and computes the equation',
  domain,
  applications: [{ output: 'out:0', equation: 'softmax', arguments: [x], sizes: [n], type: x.type }],
  predicate: b.call('and', sumsToOne, equivalent),
  given: null,
  cases: CASES,
  toleranceText: '',
  ifFails: null,
};

/** Softmax in float32: the kernel under test, the same for every row of the table. */
function kernelSoftmax(input: Float32Array, out: Float32Array): void {
  let largest = -Infinity;
  for (let i = 0; i < input.length; i++) largest = Math.max(largest, input[i] ?? 0);
  let sum = 0;
  for (let i = 0; i < input.length; i++) {
    const e = Math.fround(Math.exp((input[i] ?? 0) - largest));
    out[i] = e;
    sum += e;
  }
  for (let i = 0; i < input.length; i++) out[i] = (out[i] ?? 0) / sum;
}

const exps = new Float64Array(LENGTH);

/** The claim by hand: one pass for the maximum, one exponential per element, the worst error kept. */
function checkByHand(input: Float32Array, out: Float32Array): number {
  let total = 0;
  let largest = -Infinity;
  for (let i = 0; i < input.length; i++) {
    total += out[i] ?? 0;
    largest = Math.max(largest, input[i] ?? 0);
  }
  let worst = Math.abs(total - 1) / (6e-8 * input.length);
  let sum = 0;
  for (let i = 0; i < input.length; i++) {
    const e = Math.exp((input[i] ?? 0) - largest);
    exps[i] = e;
    sum += e;
  }
  for (let i = 0; i < input.length; i++) {
    const want = (exps[i] ?? 0) / sum;
    const ratio = Math.abs((out[i] ?? 0) - want) / (1e-5 * want + 1e-44);
    if (ratio > worst) worst = ratio;
  }
  return worst;
}

function openSoftmax(): OpenKernel {
  const runSync = ({ arguments: [input] }: KernelCall): ReturnType<NonNullable<OpenKernel['runSync']>> => {
    const out = new Float32Array(LENGTH);
    if (input instanceof Float32Array) kernelSoftmax(input, out);
    return { ok: true, output: out };
  };
  return {
    ran: { backend: 'function', device: 'bench', arithmetic: 'f32' },
    runSync,
    run: async (calls) => calls.map(runSync),
    close: async () => {},
  };
}

function generatorFor(seed: number): CaseGenerator {
  const generator = createGenerator(domain, seed, goal.id);
  if (!generator.ok) throw new Error(generator.error);
  return generator.value;
}

/** Inputs in [−10⁴, 10⁴], drawn as one would for a single test. */
function uniformByHand(cases: number): void {
  let state = 1;
  const input = new Float32Array(LENGTH);
  for (let k = 0; k < cases; k++) {
    for (let i = 0; i < LENGTH; i++) {
      state = (Math.imul(state, 1664525) + 1013904223) | 0;
      input[i] = state * (1e4 / 2 ** 31);
    }
  }
}

/** The same generator, kernel and checks in one loop, without the engine. */
function loopByHand(seed: number, cases: number): void {
  const generator = generatorFor(seed);
  const buffer = generator.allocate([LENGTH]);
  for (let k = 0; k < cases; k++) {
    generator.fill(k, buffer);
    const [input] = buffer.values;
    if (!(input instanceof Float32Array)) throw new Error('x is a float32 vector');
    const out = new Float32Array(LENGTH);
    kernelSoftmax(input, out);
    if (!(checkByHand(input, out) <= 1)) throw new Error('a faithful softmax satisfies its check');
  }
}

function request(compiled: CompiledGoal, seed: number): PropertyRequest {
  const toCall: PropertyRequest['toCall'] = (_application, args) => ({
    arguments: args.map((value) => (value instanceof Float32Array ? value : 0)),
    shapes: [[LENGTH], []],
    outputShape: [LENGTH],
  });
  return { goal, compiled, kernels: new Map([['softmax', openSoftmax()]]), toCall, seed, cases: CASES };
}

async function runObligations(seeds: readonly number[]): Promise<void> {
  const compiled = await loadGoal(goal);
  for (const seed of seeds) {
    const outcome = await runProperty(request(compiled, seed));
    if (outcome.verdict !== 'tested') throw new Error(`${outcome.verdict}: ${outcome.reason}`);
  }
}

/** Processor seconds of the fastest round, so that other work on the machine does not count. */
async function seconds(run: () => void | Promise<void>, rounds = 5): Promise<number> {
  let best = Infinity;
  for (let round = 0; round < rounds; round++) {
    const start = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1e6);
  }
  return best;
}

function inWorker(seeds: readonly number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(fileURLToPath(import.meta.url));
    worker.once('error', reject);
    worker.once('message', () => resolve(void worker.terminate()));
    worker.postMessage(seeds);
  });
}

function sampleAll(arbitrary: fc.Arbitrary<unknown>, cases: number): void {
  fc.sample(arbitrary, { numRuns: cases, seed: 7 });
}

async function main(): Promise<void> {
  const generator = generatorFor(7);
  const buffer = generator.allocate([LENGTH]);
  const fill = (): void => {
    for (let k = 0; k < 50_000; k++) generator.fill(k, buffer);
  };
  const bounded = fc.float32Array({
    minLength: LENGTH,
    maxLength: LENGTH,
    min: -1e4,
    max: 1e4,
    noNaN: true,
    size: 'max',
  });
  const rates: [string, number][] = [
    ['fast-check float32Array', 5000 / (await seconds(() => sampleAll(bounded, 5000)))],
    ['pv cases under fast-check', 20_000 / (await seconds(() => sampleAll(caseArbitrary(generator), 20_000)))],
    ['pv cases', 50_000 / (await seconds(fill))],
    ['uniform loop by hand', 50_000 / (await seconds(() => uniformByHand(50_000)))],
  ];
  console.log(`cases of float32[${LENGTH}], Node ${process.versions.node}`);
  const [, base = 1] = rates[0] ?? [];
  for (const [name, rate] of rates)
    console.log(
      `${name.padEnd(34)} ${(rate / 1000).toFixed(0).padStart(8)} k/s ${(rate / base).toFixed(1).padStart(8)}×`,
    );

  const compiled = await loadGoal(goal);
  let hand = Infinity;
  let engine = Infinity;
  // They alternate, so that other work on the machine affects both alike.
  for (let round = 0; round < 20; round++) {
    hand = Math.min(hand, await seconds(() => loopByHand(7, CASES), 1));
    engine = Math.min(engine, await seconds(async () => void (await runProperty(request(compiled, 7))), 1));
  }
  console.log(`\n${CASES} cases: generate, softmax, sum to one and equivalence`);
  for (const [name, time] of [
    ['loop by hand', hand],
    ['property engine', engine],
  ] as const)
    console.log(
      `${name.padEnd(34)} ${(time * 1000).toFixed(1).padStart(8)} ms  ${(time / hand).toFixed(2).padStart(7)}×`,
    );

  const seeds = Array.from({ length: OBLIGATIONS }, (_, i) => i + 1);
  const shares = Array.from({ length: WORKERS }, (_, w) => seeds.filter((seed) => seed % WORKERS === w));
  const start = process.hrtime.bigint();
  const processor = await seconds(async () => void (await Promise.all(shares.map(inWorker))), 1);
  const elapsed = Number(process.hrtime.bigint() - start) / 1e9;
  console.log(
    `\n${OBLIGATIONS} obligations × ${CASES} cases on ${WORKERS} threads: ${elapsed.toFixed(1)} s (${processor.toFixed(1)} processor seconds)`,
  );
}

if (isMainThread) await main();
else
  parentPort?.once(
    'message',
    (seeds: readonly number[]) => void runObligations(seeds).then(() => parentPort?.postMessage('done')),
  );
