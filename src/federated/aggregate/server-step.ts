/** Optimizers of the server, which take the mean difference of a round for a gradient. */
import { invariant } from '../../base/invariant.ts';
import type { FloatTensor, StateDict } from '../adapter/layout.ts';

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

/** What the server keeps from round to round, by the names of the tensors; it is written and read as an adapter is. */
export interface ServerState {
  readonly momentum: StateDict;
  /** Of `fedadam`; all 0 for `fedavgm`. */
  readonly second: StateDict;
}

/**
 * The adapter after the server's step from `start` towards the round's `average` of the same tensors, and the next state, which is
 * null before the first round; nothing is overwritten. With Δ = average − start:
 *
 * - `fedavgm`: v ← β·v + Δ, x ← start + η·v. η = 1 and β = 0 give the average, up to one rounding.
 * - `fedadam`: m ← β₁·m + (1 − β₁)·Δ, v ← β₂·v + (1 − β₂)·Δ², x ← start + η·m/(√v + τ).
 *
 * Each number is computed in float64 from the float32 state and rounded once, so that every machine gives the same bits. A tensor that
 * the round froze stays as it is.
 *
 * Source: Hsu, Qi & Brown (2019), arXiv:1909.06335, section 4.3; Reddi et al. (2021), arXiv:2003.00295, algorithm 2.
 */
export function serverStep(
  rule: ServerRule,
  start: StateDict,
  average: StateDict,
  state: ServerState | null,
): { readonly adapter: StateDict; readonly state: ServerState } {
  const adapter = new Map<string, FloatTensor>();
  const momentum = new Map<string, FloatTensor>();
  const second = new Map<string, FloatTensor>();
  for (const [name, { shape, data }] of start) {
    const towards = average.get(name)?.data;
    invariant(towards?.length === data.length, 'the average has the tensors of the start');
    const fresh = new Float32Array(data.length);
    const before = { m: state?.momentum.get(name)?.data ?? fresh, v: state?.second.get(name)?.data ?? fresh };
    const after = stepped(rule, data, towards, before);
    adapter.set(name, { shape, data: after.x });
    momentum.set(name, { shape, data: after.m });
    second.set(name, { shape, data: after.v });
  }
  return { adapter, state: { momentum, second } };
}

interface Moments {
  readonly m: Float32Array;
  readonly v: Float32Array;
}

function stepped(
  rule: ServerRule,
  start: Float32Array,
  average: Float32Array,
  before: Moments,
): Moments & { readonly x: Float32Array } {
  const { length } = start;
  const [x, m, v] = [new Float32Array(length), new Float32Array(length), new Float32Array(length)];
  for (let i = 0; i < length; i++) {
    const from = start[i] ?? NaN;
    const difference = (average[i] ?? NaN) - from;
    const [m0, v0] = [before.m[i] ?? NaN, before.v[i] ?? NaN];
    if (rule.name === 'fedavgm') {
      const next = rule.momentum * m0 + difference;
      m[i] = next;
      x[i] = from + rule.rate * next;
    } else {
      const next = rule.beta1 * m0 + (1 - rule.beta1) * difference;
      const square = rule.beta2 * v0 + (1 - rule.beta2) * difference * difference;
      m[i] = next;
      v[i] = square;
      x[i] = from + (rule.rate * next) / (Math.sqrt(square) + rule.epsilon);
    }
  }
  return { x, m, v };
}
