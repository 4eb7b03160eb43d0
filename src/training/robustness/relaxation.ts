/**
 * The two lines between which DeepPoly keeps an activation (Singh et al., An abstract domain for certifying neural networks, POPL 2019,
 * §4.2), for ReLU and leaky ReLU.
 */
import { stateOf, type Analysis, type NodeState } from './analysis.ts';
import type { ActivationNode } from './network.ts';

/** Sets lines, bounds and magnitudes of an activation from the bounds of what it reads. */
export function relax(analysis: Analysis, state: NodeState, node: ActivationNode): void {
  const source = stateOf(analysis, node.from);
  const { lo, hi, magnitude } = state;
  for (let j = 0; j < node.size; j++) {
    const l = source.lo[j] ?? 0;
    const u = source.hi[j] ?? 0;
    const slope = node.slopes[j] ?? 0;
    if (!(u - l < Infinity)) {
      setOpen(state, j);
      continue;
    }
    setLines(analysis, state, j, l, u, slope);
    // A product with 0 or 1 is exact.
    const loss = slope === 0 || slope === 1 ? 0 : slope * -l * analysis.productError + analysis.productUnderflow;
    lo[j] = l >= 0 ? l : slope === 0 ? 0 : slope * l - loss;
    hi[j] = u >= 0 ? u : slope === 0 ? 0 : slope * u + loss;
    magnitude[j] = Math.max(Math.abs(lo[j] ?? 0), Math.abs(hi[j] ?? 0));
  }
}

/** Element j has no bounds where it reads a value without bounds: that may be NaN, which ReLU keeps or not. */
function setOpen({ lo, hi, magnitude, lowerSlope, lowerOffset, upperSlope, upperOffset }: NodeState, j: number): void {
  for (const slopes of [lowerSlope, upperSlope]) slopes[j] = 0;
  for (const least of [lo, lowerOffset]) least[j] = -Infinity;
  for (const most of [hi, upperOffset, magnitude]) most[j] = Infinity;
}

/** The lines of element j, which reads a value between l and u. */
function setLines(analysis: Analysis, state: NodeState, j: number, l: number, u: number, slope: number): void {
  const { lowerSlope, lowerOffset, upperSlope, upperOffset } = state;
  const isActive = l >= 0 || slope === 1;
  const isInactive = !isActive && u <= 0;
  const lower = isActive || (!isInactive && u > -l) ? 1 : slope;
  let upper = isActive ? 1 : slope;
  let above = 0;
  if (!isActive && !isInactive) {
    upper = Math.min(1, Math.max(slope, (u - slope * l) / (u - l)));
    // Whatever the chord was rounded to: the line must not lie below the activation at either end.
    above = Math.max((slope - upper) * l, (1 - upper) * u) * (1 + analysis.error);
  }
  const size = Math.max(Math.abs(l), Math.abs(u));
  const rounded =
    slope === 0 || slope === 1 || l >= 0 ? 0 : slope * -l * analysis.productError + analysis.productUnderflow;
  lowerSlope[j] = lower;
  upperSlope[j] = upper;
  // The rounding of a coefficient times a slope is paid for here.
  lowerOffset[j] = lower === 0 ? -rounded : -rounded - lower * size * analysis.error;
  upperOffset[j] = above + (upper === 0 ? rounded : rounded + upper * size * analysis.error);
}
