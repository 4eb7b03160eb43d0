/**
 * What certifying costs, and what it decides: `node scripts/bench.mjs robustness`.
 *
 * On the networks of VNN-COMP 2021 where they are there (../shared/data/robustness): processor time of the bounds of one box; the largest
 * difference from the reference bounds of auto_LiRPA; and the verdict on every given instance of the ACAS Xu properties 1 to 4
 * beside that of the competition. Arguments: seconds for each instance (60), the arithmetic (float32). Exits with 1 if a
 * verdict is wrong, fewer than 95 of 100 instances are decided, a bound differs by more than 1e-9 of its interval, or a box takes over 5 ms.
 */
import { createAnalysis } from '../src/training/robustness/analysis.ts';
import { bounds, propagate } from '../src/training/robustness/bounds.ts';
import { certify } from '../src/training/robustness/certify.ts';
import type { Arithmetic } from '../src/training/robustness/rounding.ts';
import { hasRobustnessData, instances, jsonAt, networkAt, propertyAt } from '../test/support/robustness-data.ts';

const seconds = Number(process.argv[2] ?? 60);
const arithmetic = (process.argv[3] ?? 'float32') as Arithmetic;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Reference {
  readonly onnx: string;
  readonly lo: readonly number[];
  readonly hi: readonly number[];
  readonly IBP: { readonly lb: readonly number[]; readonly ub: readonly number[] };
  readonly DeepPoly: { readonly lb: readonly number[]; readonly ub: readonly number[] };
}

/** Milliseconds of processor time that `work` takes, the least of several rounds. */
function processorTime(work: () => void): number {
  let least = Infinity;
  for (let round = 0; round < 7; round++) {
    const start = process.cpuUsage();
    for (let k = 0; k < 20; k++) work();
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / 1000 / 20);
  }
  return least;
}

function timeOfBounds(references: readonly Reference[]): boolean {
  let isFast = true;
  for (const box of [references[0], references.at(-1)]) {
    if (box === undefined) continue;
    const network = networkAt(`acasxu/${box.onnx}`);
    const analysis = createAnalysis(network, arithmetic);
    const [ibp, deepPoly] = (['ibp', 'deeppoly'] as const).map((method) =>
      processorTime(() => propagate(analysis, box, method)),
    );
    say(`one box of ${box.onnx}: intervals ${ibp?.toFixed(2)} ms, DeepPoly ${deepPoly?.toFixed(2)} ms (target 5)`);
    isFast &&= (deepPoly ?? Infinity) <= 5;
  }
  return isFast;
}

function largestDifference(references: readonly Reference[]): number {
  let largest = 0;
  for (const one of references) {
    const network = networkAt(`acasxu/${one.onnx}`);
    for (const [method, { lb, ub }] of [
      ['ibp', one.IBP],
      ['deeppoly', one.DeepPoly],
    ] as const) {
      const { lo, hi } = bounds(network, one, method, 'real');
      for (const [found, expected] of [
        [lo, lb],
        [hi, ub],
      ] as const)
        for (const [j, value] of expected.entries()) {
          // An end near 0 is the difference of large numbers: the interval's size is what its rounding follows.
          const size = Math.max(Math.abs(lb[j] ?? Number.NaN), Math.abs(ub[j] ?? Number.NaN));
          largest = Math.max(largest, Math.abs((found[network.output]?.[j] ?? Number.NaN) - value) / size);
        }
    }
  }
  return largest;
}

interface Tally {
  instances: number;
  decided: number;
  wrong: number;
  milliseconds: number;
}

function decideAll(): Tally {
  const tally: Tally = { instances: 0, decided: 0, wrong: 0, milliseconds: 0 };
  for (const { onnx, vnnlib, consensus } of instances()) {
    if (!onnx.startsWith('acasxu')) continue;
    const found = certify(networkAt(onnx), propertyAt(vnnlib), {
      arithmetic,
      now: () => performance.now(),
      maxMilliseconds: 1000 * seconds,
    });
    if (!found.ok) throw new Error(found.error.message);
    const { verdict, boxes, milliseconds, openShare } = found.value;
    const isWrong = (verdict === 'holds' && consensus === 'sat') || (verdict === 'violated' && consensus === 'unsat');
    tally.instances++;
    tally.milliseconds += milliseconds ?? 0;
    if (verdict !== 'undecided') tally.decided++;
    if (isWrong) tally.wrong++;
    const left = verdict === 'undecided' ? `, ${(100 * openShare).toFixed(1)} % left` : '';
    say(
      `${onnx.slice(20, 23)} ${vnnlib.slice(7)} ${consensus.padEnd(8)} ${verdict.padEnd(9)} ${boxes} boxes, ${((milliseconds ?? 0) / 1000).toFixed(2)} s${left}${isWrong ? '  WRONG' : ''}`,
    );
  }
  return tally;
}

if (hasRobustnessData) {
  const references = jsonAt<readonly Reference[]>('acasxu/reference_bounds_f64.json', []);
  const isFast = timeOfBounds(references);
  const difference = largestDifference(references);
  say(
    `largest difference from ${references.length} reference boxes, as a share of the interval's larger end: ${difference.toExponential(1)} (target 1e-9)`,
  );
  const { instances, decided, wrong, milliseconds } = decideAll();
  say(`${decided} of ${instances} decided, ${wrong} wrong, ${(milliseconds / 1000).toFixed(0)} s in all`);
  if (wrong > 0 || decided < 0.95 * instances || !(difference <= 1e-9) || !isFast) process.exitCode = 1;
} else say('the networks of VNN-COMP are not there (../shared/data/robustness): nothing was measured');
