/**
 * Lower bounds of linear forms over the values of a network, by substituting each node backwards (POPL 2019, §4.3).
 *
 * Where an activation has a positive coefficient its lower line is substituted, where it has a negative one its upper line. The
 * slack of every affine neuron is subtracted once for each coefficient that reaches it.
 */
import { addRow, type Matrix } from './matrix.ts';
import { stateOf, type Analysis, type NodeState } from './analysis.ts';
import { tiny } from './rounding.ts';

/** How activations are bounded: by their lines, or by their intervals, where substitution ends. */
export type Through = 'lines' | 'intervals';

/** Adds `factor` to the coefficient of one value of a node. */
export function addCoefficient(analysis: Analysis, node: number, at: number, factor: number): void {
  const { coefficients } = stateOf(analysis, node);
  coefficients[at] = (coefficients[at] ?? 0) + factor;
  analysis.pending[node] = 1;
}

/**
 * The lower bound of the linear form whose coefficients were added, plus `constant`; −∞ where arithmetic overflows. The
 * coefficients are zero afterwards. `gradient`, if given, receives the coefficients of the inputs.
 */
export function lowerBound(
  analysis: Analysis,
  from: number,
  constant: number,
  through: Through,
  gradient?: Float64Array,
): number {
  const { states, pending, network } = analysis;
  let sum = constant;
  for (let n = from; n > 0; n--) {
    if (pending[n] === 0) continue;
    pending[n] = 0;
    const state = stateOf(analysis, n);
    const { node, coefficients } = state;
    if (node.kind === 'affine') {
      sum += affineConstant(state, node.bias);
      for (const { from: source, matrix } of node.terms) {
        addRows(matrix, coefficients, stateOf(analysis, source).coefficients);
        pending[source] = 1;
      }
    } else if (node.kind === 'activation') {
      if (through === 'intervals') sum += leastOfBox(state, analysis.error);
      else {
        sum += throughLines(state, stateOf(analysis, node.from).coefficients);
        pending[node.from] = 1;
      }
    }
    coefficients.fill(0);
  }
  const input = states[0];
  if (input !== undefined && pending[0] === 1) {
    pending[0] = 0;
    sum += leastOfBox(input, analysis.error);
    gradient?.set(input.coefficients.subarray(0, network.inputSize));
    input.coefficients.fill(0);
  }
  sum -= Math.abs(constant) * analysis.error + tiny * (analysis.peak[0] ?? 1);
  return Number.isNaN(sum) ? -Infinity : sum;
}

/** target += coefficients · matrix. */
function addRows(matrix: Matrix, coefficients: Float64Array, target: Float64Array): void {
  for (let j = 0; j < matrix.rows; j++) {
    const a = coefficients[j] ?? 0;
    if (a !== 0) addRow(matrix, j, a, target);
  }
}

/** What the biases and the slack of an affine node contribute. */
function affineConstant({ coefficients, slack }: NodeState, bias: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < coefficients.length; j++) {
    const a = coefficients[j] ?? 0;
    if (a !== 0) sum += a * (bias[j] ?? 0) - Math.abs(a) * (slack[j] ?? 0);
  }
  return sum;
}

/** Moves the coefficients of an activation to the node that it reads; returns what the offsets of the lines contribute. */
function throughLines(state: NodeState, target: Float64Array): number {
  const { coefficients, lowerSlope, lowerOffset, upperSlope, upperOffset } = state;
  let sum = 0;
  for (let j = 0; j < coefficients.length; j++) {
    const a = coefficients[j] ?? 0;
    if (a > 0) {
      target[j] = (target[j] ?? 0) + a * (lowerSlope[j] ?? 0);
      sum += a * (lowerOffset[j] ?? 0);
    } else if (a < 0) {
      target[j] = (target[j] ?? 0) + a * (upperSlope[j] ?? 0);
      sum += a * (upperOffset[j] ?? 0);
    }
  }
  return sum;
}

/** The least value of the coefficients over the bounds of a node, less the rounding of this sum. */
function leastOfBox({ coefficients, lo, hi, magnitude }: NodeState, error: number): number {
  let sum = 0;
  let size = 0;
  for (let j = 0; j < coefficients.length; j++) {
    const a = coefficients[j] ?? 0;
    if (a === 0) continue;
    sum += a > 0 ? a * (lo[j] ?? 0) : a * (hi[j] ?? 0);
    size += Math.abs(a) * (magnitude[j] ?? 0);
  }
  return sum - size * error;
}
