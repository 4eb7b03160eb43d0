/** Several runs of one kernel in one application: the arguments of each run, and the outputs of all as one. */
import type { CaseValue, CompiledGoal } from '../math/compile/compiled.ts';

/** How an application runs once per index. */
export type EachRun = NonNullable<CompiledGoal['applications'][number]['each']>;

/** How many runs the sizes of a case ask for. */
export function runCount(each: EachRun, sizes: readonly number[], values: readonly CaseValue[]): number {
  return each.runs(sizes, values).reduce((product, size) => product * size, 1);
}

/** The arguments of run `index` of `count`: of a divided argument the part or the number that is its own. */
export function argumentsOfRun(
  each: EachRun,
  args: readonly CaseValue[],
  index: number,
  count: number,
): readonly CaseValue[] {
  return args.map((value, i) => {
    const way = each.arguments[i] ?? 'same';
    if (way === 'same' || typeof value !== 'object') return value;
    if (way === 'element') return value[index] ?? NaN;
    const length = value.length / count;
    return value.slice(index * length, (index + 1) * length);
  });
}

/** Collects the outputs of `count` runs, which all have the same length. */
export interface RunOutputs {
  readonly add: (output: CaseValue) => void;
  readonly all: () => Float32Array | Float64Array;
}

/** Joins the outputs of `count` runs into one flat array, in their order. */
export function collectOutputs(count: number): RunOutputs {
  let all: Float32Array | Float64Array | null = null;
  let filled = 0;
  return {
    add: (output) => {
      const values = typeof output === 'object' ? output : Float64Array.of(Number(output));
      all ??= new (values instanceof Float32Array ? Float32Array : Float64Array)(values.length * count);
      all.set(values, filled);
      filled += values.length;
    },
    all: () => all ?? new Float32Array(0),
  };
}
