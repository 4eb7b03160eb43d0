/**
 * What a compiled check costs compared with a loop written by hand, in the same run.
 *
 * Softmax at n = 128: outputs sum to one within 6e-8·n, and each output is within 1e-5 relative of the equation.
 * Usage: npx esbuild bench/predicate.ts --bundle --platform=node --format=esm --outfile=/tmp/predicate.mjs && node /tmp/predicate.mjs
 */
import * as b from '../src/math/term/build.ts';
import type { CheckReport } from '../src/math/compile/compiled.ts';
import { loadEquation, loadGoal } from '../src/math/compile/load.ts';
import type { GoalMathematics } from '../src/math/compile/model.ts';
import { interpret, type Binding } from '../src/math/evaluate/interpret.ts';
import { float64 } from '../src/math/evaluate/floats.ts';
import { FLOAT32 } from '../src/math/term/term.ts';
import { index, n, over, softmax, x } from '../test/math/equations.ts';

const LENGTH = 128;
const output = b.variable('out:0', x.type);
const reference = b.element(softmax.body, [index('i')]);
const sumsToOne = b.call(
  'approximately',
  b.reduce('sum', [over('i')], b.element(output, [index('i')])),
  b.integer(1),
  b.call('multiply', b.decimal('6e-8'), n),
);
const equivalent = b.reduce(
  'all',
  [over('i')],
  b.call(
    'approximately',
    b.element(output, [index('i')]),
    reference,
    b.call('multiply', b.decimal('1e-5'), b.call('absolute', reference)),
  ),
);

const goal: GoalMathematics = {
  id: 'softmax',
  formal: 'sums to one and computes the equation',
  domain: {
    sizes: [{ name: 'n', minimum: 1, maximum: LENGTH, multipleOf: 1, definition: null }],
    variables: [
      {
        name: 'x',
        element: FLOAT32,
        shape: [n],
        lower: null,
        upper: null,
        choices: null,
        excluded: [],
        nonFinite: false,
        structure: 'none',
      },
    ],
    preconditions: [],
  },
  applications: [{ output: 'out:0', arguments: [x], sizes: [n], type: x.type }],
  predicate: b.call('and', sumsToOne, equivalent),
};

const emptyReport = (): CheckReport => ({
  premise: false,
  ratio: -1,
  error: 0,
  allowed: 0,
  left: 0,
  right: 0,
  comparison: -1,
  at: [],
});
const exps = new Float64Array(LENGTH);

/** The same two checks by hand: one pass for the maximum, one exponential per element, the worst error kept. */
function byHand(input: Float32Array, out: Float32Array, report: CheckReport): boolean {
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
    const ratio = Math.abs((out[i] ?? 0) - want) / (1e-5 * want);
    if (ratio > worst) worst = ratio;
  }
  report.ratio = worst;
  return worst <= 1;
}

function nanosecondsPerCall(run: (k: number) => void, calls: number): number {
  let best = Infinity;
  for (let round = 0; round < 7; round++) {
    const start = process.hrtime.bigint();
    for (let k = 0; k < calls; k++) run(k);
    best = Math.min(best, Number(process.hrtime.bigint() - start) / calls);
  }
  return best;
}

const inputs = Array.from({ length: 64 }, (_, k) =>
  Float32Array.from({ length: LENGTH }, (_unused, i) => Math.sin(i * 12.9898 + k) * 10),
);
const equation32 = await loadEquation(softmax, { arithmetic: 'float32' });
const outputs = inputs.map((input) => equation32([LENGTH], [input]));
const compiled = await loadGoal(goal);
const report = emptyReport();
const sizes = [LENGTH];
const none = new Float32Array(0);

const compiledCheck = (k: number): void => {
  if (!compiled.check(sizes, [inputs[k & 63] ?? none], [outputs[k & 63] ?? none], report))
    throw new Error('a faithful softmax satisfies its check');
};
const handCheck = (k: number): void => {
  const out = outputs[k & 63];
  if (!(out instanceof Float32Array) || !byHand(inputs[k & 63] ?? none, out, report))
    throw new Error('a faithful softmax satisfies its check');
};
const interpretedCheck = (k: number): void => {
  const environment = new Map<string, Binding>([
    ['n', LENGTH],
    ['out:0', { shape: sizes, data: outputs[k & 63] ?? none }],
  ]);
  interpret(sumsToOne, environment, float64);
};

const hand = nanosecondsPerCall(handCheck, 20_000);
const rows: [string, number][] = [
  ['hand-written typed loop', hand],
  ['compiled check', nanosecondsPerCall(compiledCheck, 20_000)],
  ['interpreted sum-to-one alone', nanosecondsPerCall(interpretedCheck, 100)],
];
console.log(`softmax, n = ${LENGTH}, best of 7 rounds, Node ${process.versions.node}`);
for (const [name, time] of rows)
  console.log(
    `${name.padEnd(32)} ${(time / 1000).toFixed(2).padStart(9)} µs  ${(time / hand).toFixed(2).padStart(7)}×`,
  );
