/**
 * The two moments of Adam belong together. Both average the same gradients g, with decays β₁ and β₂, so that by the inequality of
 * Cauchy and Schwarz, where β₁² < β₂,
 *
 *     m² = ((1 − β₁) Σ β₁ᵏ gₖ)² ≤ (1 − β₁)² / ((1 − β₂) (1 − β₁²/β₂)) · v,
 *
 * for every number and whatever the gradients were; with the usual decays, |m| ≤ 7.3 √v.
 */
import type { Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import type { OptimizerState, ParameterGroup, ParameterState, StoredTensor } from '../checkpoint.ts';
import { numbersIn } from '../numbers.ts';
import type { Details } from './check.ts';

/** Of each tensor's beginning, middle and end: enough to find what was replaced as a whole, and little to read twice. */
const sampleBytes = 4096;

/** Moments in bfloat16 are rounded at each step, and the decays may have been others before: the bound is taken ten times as wide. */
const slack = 10;

/** Below this, squares of float32 underflow: 1e-15² · (1 − β₂) is 1e-33 with the usual decay, and 1e-38 is the least normal number. */
const smallest = 1e-15;

/** Types with exponents of eight bits or more. The squares of gradients are 0 in float16. */
const wide = new Set(['F64', 'F32', 'BF16']);

/** The largest |m| / √v, by the decays `betas.0` and `betas.1`; null where they allow any. */
export function largestRatio({ isAdam, settings }: Pick<ParameterGroup, 'isAdam' | 'settings'>): number | null {
  const [first, second] = [settings?.get('betas.0'), settings?.get('betas.1')];
  if (!isAdam || typeof first !== 'number' || typeof second !== 'number' || first ** 2 >= second) return null;
  return (1 - first) / Math.sqrt((1 - second) * (1 - first ** 2 / second));
}

/** What is wrong with the moments; null if nothing is. */
export async function momentFault({ groups, states }: OptimizerState): Promise<Result<Details | null, Problem>> {
  const byIndex = new Map(states.map((state) => [state.index, state]));
  for (const group of groups) {
    const ratio = largestRatio(group);
    if (ratio === null) continue;
    for (const index of group.parameters) {
      const fault = await faultOfState(byIndex.get(index), ratio);
      if (!fault.ok || fault.value !== null) return fault;
    }
  }
  return ok(null);
}

async function faultOfState(
  state: ParameterState | undefined,
  ratio: number,
): Promise<Result<Details | null, Problem>> {
  const [first, second] = [state?.tensors.get('exp_avg'), state?.tensors.get('exp_avg_sq')];
  if (first === undefined || second === undefined || first.shape.join() !== second.shape.join()) return ok(null);
  if (![first, second].every(({ dtype }) => wide.has(dtype))) return ok(null);
  const [m, v] = [await sampled(first), await sampled(second)];
  if (!m.ok) return m;
  if (!v.ok) return v;
  const fix = 'Resume from an earlier checkpoint, or reset optimizer and scheduler together.';
  const filled = m.value.filter((value) => value !== 0).length;
  if (filled >= 2 && m.value.every((value, i) => value === v.value[i]))
    return ok({
      expected: `${first.name} and ${second.name}: averages of gradients and of their squares`,
      actual: 'the same numbers',
      why: 'one of the moments was saved for both',
      fix,
    });
  const at = m.value.findIndex((value, i) => Math.abs(value) > slack * ratio * (Math.sqrt(v.value[i] ?? 0) + smallest));
  if (at < 0) return ok(null);
  return ok({
    expected: `${first.name} at most ${short(ratio)} times the root of ${second.name}`,
    actual: `${short(m.value[at] ?? 0)}, and the root is ${short(Math.sqrt(v.value[at] ?? 0))}`,
    why: 'no gradients give these two moments: one of them was emptied, or is that of another run',
    fix,
  });
}

async function sampled({ source, offset, bytes, dtype }: StoredTensor): Promise<Result<readonly number[], Problem>> {
  const size = Math.min(sampleBytes, bytes);
  const middle = Math.floor((bytes - size) / 2 / 8) * 8;
  const numbers: number[] = [];
  for (const from of bytes <= sampleBytes ? [0] : [0, middle, Math.floor((bytes - size) / 8) * 8]) {
    const piece = await source.read(offset + from, size);
    if (!piece.ok) return piece;
    numbers.push(...numbersIn(dtype, piece.value));
  }
  return ok(numbers);
}

const short = (value: number): string => String(Number(value.toPrecision(3)));
