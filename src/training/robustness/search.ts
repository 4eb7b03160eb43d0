/** The search for an unsafe input: descent along the gradients of the network, from seeded starts. */
import { streamFor, unitDouble } from '../../numeric/xoshiro.ts';
import type { Analysis } from './analysis.ts';
import { propagate } from './bounds.ts';
import type { Counterexample, Judge } from './counterexample.ts';
import { excess, type LinearConstraint } from './property.ts';
import type { Region } from './region.ts';
import { excessBound } from './specification.ts';

const [starts, steps] = [12, 24];

/** An unsafe input in the region, or null if none was found. `goesOn` is called before every step. */
export function search(
  analysis: Analysis,
  region: Region,
  judge: Judge,
  seed: number,
  goesOn: () => boolean,
): Counterexample | null {
  const { lo, hi, unsafe } = region;
  const stream = streamFor(seed, 'counterexample search');
  const x = new Float64Array(lo.length);
  const gradient = new Float64Array(lo.length);
  for (let start = 0; start < starts; start++) {
    // The centre first. Every other start aims at the nearest case, the rest at one case each, in turn.
    for (let i = 0; i < x.length; i++) x[i] = between(lo[i] ?? 0, hi[i] ?? 0, start === 0 ? 0.5 : unitDouble(stream));
    const turn = (start >> 1) % unsafe.length;
    for (let step = 0; step <= steps && goesOn(); step++) {
      const outputs = judge.outputs(x);
      const found = judge.unsafe(region, unsafe, x);
      if (found !== null) return found;
      const aims = start % 2 === 0 ? unsafe : unsafe.slice(turn, turn + 1);
      const worst = nearest(aims, x, outputs);
      if (worst === null) break;
      // At a point every line is exact, so that the coefficients are the gradient.
      propagate(analysis, { lo: x, hi: x }, 'ibp');
      gradient.fill(0);
      excessBound(analysis, worst, 'lines', gradient);
      const reach = 0.5 * 0.8 ** step;
      for (let i = 0; i < x.length; i++) {
        const [l, h] = [lo[i] ?? 0, hi[i] ?? 0];
        const moved = (x[i] ?? 0) - Math.sign(gradient[i] ?? 0) * reach * (h - l);
        x[i] = Math.min(h, Math.max(l, moved));
      }
    }
  }
  return null;
}

/** Of the case that is nearest to being satisfied, the constraint that is furthest from it. */
function nearest(cases: Region['unsafe'], x: Float64Array, outputs: Float64Array): LinearConstraint | null {
  let found: LinearConstraint | null = null;
  let least = Infinity;
  for (const constraints of cases) {
    let worst: LinearConstraint | null = null;
    let most = -Infinity;
    for (const constraint of constraints) {
      const value = excess(constraint, x, outputs);
      if (value > most) [worst, most] = [constraint, value];
    }
    if (most < least) [found, least] = [worst, most];
  }
  return found;
}

/** A share of the way from l to h, never outside. */
export const between = (l: number, h: number, share: number): number => Math.min(h, Math.max(l, l + share * (h - l)));
