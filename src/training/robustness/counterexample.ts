/** Unsafe inputs, each confirmed by running the network. */
import { toFloat, ZERO } from '../../numeric/rational.ts';
import { bounds } from './bounds.ts';
import { createEvaluator } from './evaluate.ts';
import { evaluateExactly } from './exact-evaluation.ts';
import type { Network } from './network.ts';
import { exactExcess, exactForm, isExactlyUnsafe, isUnsafe, type LinearConstraint } from './property.ts';
import { nearestInput, type Region } from './region.ts';
import type { Arithmetic } from './rounding.ts';

/** An input that violates a property, and what the network returns for it. */
export interface Counterexample {
  readonly inputs: readonly number[];
  /** The outputs in float64, sums from left to right. */
  readonly outputs: readonly number[];
  /** The outputs if the inputs and every operation are rounded to float32. */
  readonly outputs32: readonly number[];
  /** The evaluations in which the input is unsafe; `real` is exact, and examined only where a verdict is on the reals. */
  readonly unsafeIn: readonly Arithmetic[];
  /** How far inside the unsafe set the outputs in float64 are: the least −(c · y − bound) over the constraints; 0 on its edge. */
  readonly margin: number;
}

/** Judges inputs by evaluating the network. */
export interface Judge {
  /** The outputs in float64; valid until the next call. */
  readonly outputs: (x: ArrayLike<number>) => Float64Array;
  /**
   * The input of the region that is nearest to x, as a counterexample if it and its outputs satisfy all the constraints of one case, which
   * is judged exactly: the outputs in float64, and those in the arithmetic of the verdict.
   */
  readonly unsafe: (region: Region, cases: Region['unsafe'], x: Float64Array) => Counterexample | null;
  /** Whether an input was not confirmed: the network is too large for exact arithmetic, or merged operators round too much there. */
  readonly hasUnconfirmed: () => boolean;
}

export function createJudge(network: Network, arithmetic: Arithmetic): Judge {
  const evaluate = createEvaluator(network);
  const evaluate32 = createEvaluator(network, 'float32');
  let hasUnconfirmed = false;
  /** In the arithmetic of the verdict. */
  const isConfirmed = (constraints: readonly LinearConstraint[], x: Float64Array): boolean => {
    const outputs =
      arithmetic === 'real' ? evaluateExactly(network, x) : arithmetic === 'float32' ? evaluate32(x) : null;
    if (outputs !== null && !isExactlyUnsafe(constraints, x, outputs)) return false;
    // Rewritten operators are exact over the reals.
    const isSure =
      arithmetic === 'real' ? outputs !== null : network.isRewritten !== true || isUnsafeInAnyOrder(constraints, x);
    hasUnconfirmed ||= !isSure;
    return isSure;
  };
  /** Whether the bounds of the outputs, which hold for every order of the roundings, leave only unsafe ones. */
  const isUnsafeInAnyOrder = (constraints: readonly LinearConstraint[], x: Float64Array): boolean => {
    const { lo, hi } = bounds(network, { lo: x, hi: x }, 'hybrid', arithmetic);
    const [low, high] = [lo[network.output], hi[network.output]];
    if (!low?.every(Number.isFinite) || !high?.every(Number.isFinite)) return false;
    return constraints.every((constraint) => {
      const worst = low.slice();
      for (const [j, coefficient] of exactForm(constraint).outputs)
        if (coefficient.numerator > 0n) worst[j] = high[j] ?? NaN;
      return isExactlyUnsafe([constraint], x, worst);
    });
  };
  return {
    outputs: evaluate,
    unsafe: (region, cases, near) => {
      const x = nearestInput(region, near);
      const outputs = evaluate(x);
      const hit = cases.find(
        // Rounded sums are quick, but a product may underflow to 0.
        (constraints) =>
          isUnsafe(constraints, x, outputs) && isExactlyUnsafe(constraints, x, outputs) && isConfirmed(constraints, x),
      );
      if (hit === undefined) return null;
      const inputs32 = x.map(Math.fround);
      const outputs32 = evaluate32(inputs32);
      const margins = hit.map((constraint) => -toFloat(exactExcess(constraint, x, outputs) ?? ZERO));
      return {
        inputs: [...x],
        outputs: [...outputs],
        outputs32: [...outputs32],
        unsafeIn: [
          ...(arithmetic === 'real' ? (['real'] as const) : []),
          'float64',
          ...(isExactlyUnsafe(hit, inputs32, outputs32) ? (['float32'] as const) : []),
        ],
        margin: margins.reduce((least, one) => Math.min(least, one), Infinity),
      };
    },
    hasUnconfirmed: () => hasUnconfirmed,
  };
}
