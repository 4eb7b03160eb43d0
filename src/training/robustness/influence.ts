/** How much an input can matter in a box: bounds of the derivatives of a linear form over the values of the network. */
import { stateOf, type Analysis, type NodeState } from './analysis.ts';
import type { Matrix } from './matrix.ts';
import type { LinearConstraint } from './property.ts';

/** Finds the largest magnitude of each derivative over the box that an analysis holds, in arrays of its own. Not rounded outward. */
export type Influence = (constraint: LinearConstraint, out: Float64Array) => void;

/** Lower and upper bounds of the derivatives by the values of each node. */
interface Derivatives {
  readonly lo: Float64Array;
  readonly hi: Float64Array;
}

export function createInfluence(analysis: Analysis): Influence {
  const derivatives = analysis.states.map(({ node: { size } }): Derivatives => ({
    lo: new Float64Array(size),
    hi: new Float64Array(size),
  }));
  return ({ inputs, outputs }, out) => {
    for (const { lo, hi } of derivatives) {
      lo.fill(0);
      hi.fill(0);
    }
    const add = (node: number, values: Float64Array | null): void => {
      derivatives[node]?.lo.set(values ?? []);
      derivatives[node]?.hi.set(values ?? []);
    };
    add(0, inputs);
    add(analysis.network.output, outputs);
    for (let n = analysis.network.output; n > 0; n--) backwards(analysis, n, derivatives);
    const [first] = derivatives;
    for (let i = 0; i < out.length; i++) out[i] = Math.max(Math.abs(first?.lo[i] ?? 0), Math.abs(first?.hi[i] ?? 0));
  };
}

/** Moves the derivatives by one node to those that it reads. */
function backwards(analysis: Analysis, n: number, derivatives: readonly Derivatives[]): void {
  const own = derivatives[n];
  const { node } = stateOf(analysis, n);
  if (own === undefined || node.kind === 'input') return;
  if (node.kind === 'affine') {
    for (const { from, matrix } of node.terms) {
      const target = derivatives[from];
      if (target) addProducts(matrix, own, target);
    }
    return;
  }
  const target = derivatives[node.from];
  if (target) throughActivation(stateOf(analysis, node.from), node.slopes, own, target);
}

function throughActivation({ lo, hi }: NodeState, slopes: Float64Array, own: Derivatives, target: Derivatives): void {
  for (let j = 0; j < slopes.length; j++) {
    const [a, b, slope] = [own.lo[j] ?? 0, own.hi[j] ?? 0, slopes[j] ?? 0];
    const least = (lo[j] ?? 0) >= 0 ? 1 : slope;
    const most = (hi[j] ?? 0) <= 0 ? slope : 1;
    target.lo[j] = (target.lo[j] ?? 0) + Math.min(a * least, a * most);
    target.hi[j] = (target.hi[j] ?? 0) + Math.max(b * least, b * most);
  }
}

/** target += own · matrix, for intervals. */
function addProducts(matrix: Matrix, own: Derivatives, target: Derivatives): void {
  const { values, columns } = matrix;
  for (let r = 0; r < matrix.rows; r++) {
    const [a, b] = [own.lo[r] ?? 0, own.hi[r] ?? 0];
    if (a === 0 && b === 0) continue;
    const start = matrix.kind === 'dense' ? r * columns : (matrix.starts[r] ?? 0);
    const end = matrix.kind === 'dense' ? start + columns : (matrix.starts[r + 1] ?? 0);
    for (let k = start; k < end; k++) {
      const c = matrix.kind === 'dense' ? k - start : (matrix.at[k] ?? 0);
      const w = values[k] ?? 0;
      target.lo[c] = (target.lo[c] ?? 0) + (w > 0 ? w * a : w * b);
      target.hi[c] = (target.hi[c] ?? 0) + (w > 0 ? w * b : w * a);
    }
  }
}
