/** Interval bound propagation (Gowal et al., 2019): the bounds of a node from the bounds of those that it reads. */
import { rowMagnitudeTimes, type Matrix } from './matrix.ts';
import { stateOf, type Analysis, type NodeState } from './analysis.ts';
import type { AffineNode } from './network.ts';

/** Sets the slack of an affine node, and its extent, from the magnitudes of what it reads. */
export function setSlack(analysis: Analysis, state: NodeState, node: AffineNode, index: number): void {
  const { slack, rounding } = state;
  const { extents, peak } = analysis;
  slack.set(node.biasMagnitude);
  let reach = 1;
  for (const { from, matrix } of node.terms) {
    const source = stateOf(analysis, from);
    reach = Math.max(reach, source.node.kind === 'affine' ? (extents[from] ?? 0) : largestOf(source.magnitude));
    for (let j = 0; j < node.size; j++) slack[j] = (slack[j] ?? 0) + rowMagnitudeTimes(matrix, j, source.magnitude);
  }
  const extent = rounding.scale * reach + rounding.bias;
  extents[index] = extent;
  const isInRange = extent < rounding.largest;
  if (isInRange) peak[0] = Math.max(peak[0] ?? 1, extent);
  for (let j = 0; j < node.size; j++) {
    const sum = slack[j] ?? 0;
    slack[j] = isInRange && sum < rounding.largest ? rounding.relative * sum + rounding.underflow * extent : Infinity;
  }
}

const largestOf = (values: Float64Array): number => values.reduce((most, one) => Math.max(most, one), 0);

/** Sets the bounds of an affine node by intervals; its slack is set already. */
export function setAffineIntervals(analysis: Analysis, state: NodeState, node: AffineNode): void {
  const { lo, hi, slack } = state;
  for (let j = 0; j < node.size; j++) {
    const bias = node.bias[j] ?? 0;
    const width = slack[j] ?? 0;
    lo[j] = bias - width;
    hi[j] = bias + width;
  }
  for (const { from, matrix } of node.terms) {
    const source = stateOf(analysis, from);
    for (let j = 0; j < node.size; j++) {
      lo[j] = (lo[j] ?? 0) + cornerProduct(matrix, j, source.lo, source.hi);
      hi[j] = (hi[j] ?? 0) + cornerProduct(matrix, j, source.hi, source.lo);
    }
  }
  for (let j = 0; j < node.size; j++) {
    if (Number.isNaN(lo[j])) lo[j] = -Infinity;
    if (Number.isNaN(hi[j])) hi[j] = Infinity;
  }
}

/** The product of row r with the corner of a box that has `positive` where a weight is positive, and `negative` where it is negative. */
function cornerProduct(matrix: Matrix, r: number, positive: Float64Array, negative: Float64Array): number {
  const { values, columns } = matrix;
  let sum = 0;
  if (matrix.kind === 'dense') {
    const start = r * columns;
    for (let c = 0; c < columns; c++) {
      const w = values[start + c] ?? 0;
      if (w > 0) sum += w * (positive[c] ?? 0);
      else if (w < 0) sum += w * (negative[c] ?? 0);
    }
    return sum;
  }
  const end = matrix.starts[r + 1] ?? 0;
  for (let k = matrix.starts[r] ?? 0; k < end; k++) {
    const w = values[k] ?? 0;
    const c = matrix.at[k] ?? 0;
    if (w > 0) sum += w * (positive[c] ?? 0);
    else if (w < 0) sum += w * (negative[c] ?? 0);
  }
  return sum;
}

/** Sets the magnitudes of a node from its bounds. */
export function setMagnitudes({ lo, hi, magnitude }: NodeState): void {
  for (let j = 0; j < lo.length; j++) magnitude[j] = Math.max(Math.abs(lo[j] ?? 0), Math.abs(hi[j] ?? 0));
}
