/** Unsafe inputs, each confirmed by running the network. */
import { createEvaluator } from './evaluate.ts';
import type { Network } from './network.ts';
import { excess, isExactlyUnsafe, isUnsafe, type LinearConstraint } from './property.ts';

/** An input that violates a property, and what the network returns for it. */
export interface Counterexample {
  readonly inputs: readonly number[];
  /** The outputs in float64, sums from left to right. */
  readonly outputs: readonly number[];
  /** The outputs if the inputs and every operation are rounded to float32. */
  readonly outputs32: readonly number[];
  /** The evaluations in which the input is unsafe. */
  readonly unsafeIn: readonly ('float64' | 'float32')[];
  /** How far inside the unsafe set the outputs in float64 are: the least −(c · y − bound) over the constraints; 0 on its edge. */
  readonly margin: number;
}

/** Judges inputs by evaluating the network. */
export interface Judge {
  /** The outputs in float64; valid until the next call. */
  readonly outputs: (x: ArrayLike<number>) => Float64Array;
  /** The input as a counterexample if float64 evaluation satisfies all the constraints of one case. */
  readonly unsafe: (cases: readonly (readonly LinearConstraint[])[], x: Float64Array) => Counterexample | null;
}

export function createJudge(network: Network): Judge {
  const evaluate = createEvaluator(network);
  let evaluate32: ReturnType<typeof createEvaluator> | null = null;
  return {
    outputs: evaluate,
    unsafe: (cases, x) => {
      const outputs = evaluate(x);
      const hit = cases.find(
        // A product may underflow to 0.
        (constraints) => isUnsafe(constraints, x, outputs) && isExactlyUnsafe(constraints, x, outputs),
      );
      if (hit === undefined) return null;
      evaluate32 ??= createEvaluator(network, 'float32');
      const inputs32 = x.map(Math.fround);
      const outputs32 = evaluate32(inputs32);
      return {
        inputs: [...x],
        outputs: [...outputs],
        outputs32: [...outputs32],
        unsafeIn: isExactlyUnsafe(hit, inputs32, outputs32) ? ['float64', 'float32'] : ['float64'],
        margin: hit.reduce((least, constraint) => Math.min(least, -excess(constraint, x, outputs)), Infinity),
      };
    },
  };
}
