/** Optimizers of the server, which take the mean difference of a round for a gradient. */

/** `fedavgm`: momentum. `fedadam`: Adam without bias correction. */
export type ServerRule =
  | { readonly name: 'fedavgm'; readonly rate: number; readonly momentum: number }
  | {
      readonly name: 'fedadam';
      readonly rate: number;
      readonly beta1: number;
      readonly beta2: number;
      /** τ, above 0: the smaller, the more adaptive. */
      readonly epsilon: number;
    };

/** What the server keeps of a tensor from round to round; all 0 at the first. */
export interface ServerState {
  readonly momentum: Float32Array;
  /** Of `fedadam`; all 0 for `fedavgm`. */
  readonly second: Float32Array;
}

/**
 * A tensor after the server's step from `start` towards the round's `average`, and the next state; nothing is overwritten. With
 * Δ = average − start:
 *
 * - `fedavgm`: v ← β·v + Δ, x ← start + η·v. η = 1 and β = 0 give the average, up to one rounding.
 * - `fedadam`: m ← β₁·m + (1 − β₁)·Δ, v ← β₂·v + (1 − β₂)·Δ², x ← start + η·m/(√v + τ).
 *
 * Each element is computed in float64 from the float32 state and rounded once, so that every machine gives the same bits.
 *
 * Source: Hsu, Qi & Brown (2019), arXiv:1909.06335, section 4.3; Reddi et al. (2021), arXiv:2003.00295, algorithm 2.
 */
export function serverStep(
  rule: ServerRule,
  start: Float32Array,
  average: Float32Array,
  state: ServerState,
): { readonly weights: Float32Array; readonly state: ServerState } {
  const { length } = start;
  const weights = new Float32Array(length);
  const next = { momentum: new Float32Array(length), second: new Float32Array(length) };
  for (let i = 0; i < length; i++) {
    const from = start[i] ?? NaN;
    const difference = (average[i] ?? NaN) - from;
    const [m, v] = [state.momentum[i] ?? NaN, state.second[i] ?? NaN];
    if (rule.name === 'fedavgm') {
      const momentum = rule.momentum * m + difference;
      next.momentum[i] = momentum;
      weights[i] = from + rule.rate * momentum;
    } else {
      const momentum = rule.beta1 * m + (1 - rule.beta1) * difference;
      const second = rule.beta2 * v + (1 - rule.beta2) * difference * difference;
      next.momentum[i] = momentum;
      next.second[i] = second;
      weights[i] = from + (rule.rate * momentum) / (Math.sqrt(second) + rule.epsilon);
    }
  }
  return { weights, state: next };
}

/** The state before the first round of a tensor with `length` elements. */
export const freshServerState = (length: number): ServerState => ({
  momentum: new Float32Array(length),
  second: new Float32Array(length),
});
