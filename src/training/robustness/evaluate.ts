/** Runs a network on one input. */
import { rowTimes } from './matrix.ts';
import type { Network } from './network.ts';

/** Evaluates a network repeatedly in its own arrays; the outputs are valid until the next call. */
export type Evaluator = (inputs: ArrayLike<number>) => Float64Array;

/**
 * Evaluation in float64, sums from left to right; with `float32`, every product and sum is rounded to float32, as by
 * an engine without fused operations or wider accumulators.
 */
export function createEvaluator(network: Network, arithmetic: 'float64' | 'float32' = 'float64'): Evaluator {
  const values = network.nodes.map(({ size }) => new Float64Array(size));
  const empty = new Float64Array(0);
  const at = (node: number): Float64Array => values[node] ?? empty;
  const product = arithmetic === 'float32' ? rowTimes32 : rowTimes;
  const round = arithmetic === 'float32' ? Math.fround : (x: number) => x;
  return (inputs) => {
    at(0).set(inputs);
    for (const [n, node] of network.nodes.entries()) {
      const out = at(n);
      if (node.kind === 'affine') {
        out.fill(0);
        for (const { from, matrix } of node.terms) {
          const source = at(from);
          for (let j = 0; j < node.size; j++) out[j] = round((out[j] ?? 0) + product(matrix, j, source));
        }
        for (let j = 0; j < node.size; j++) out[j] = round((out[j] ?? 0) + round(node.bias[j] ?? 0));
      } else if (node.kind === 'activation') {
        const source = at(node.from);
        for (let j = 0; j < node.size; j++) {
          const x = source[j] ?? 0;
          out[j] = x >= 0 ? x : (node.slopes[j] ?? 0) === 0 ? 0 : round(x * (node.slopes[j] ?? 0));
        }
      }
    }
    return at(network.output);
  };
}

const rowTimes32: typeof rowTimes = (matrix, r, x) => {
  const { values, columns } = matrix;
  let sum = 0;
  const start = matrix.kind === 'dense' ? r * columns : (matrix.starts[r] ?? 0);
  const end = matrix.kind === 'dense' ? start + columns : (matrix.starts[r + 1] ?? 0);
  for (let k = start; k < end; k++) {
    const c = matrix.kind === 'dense' ? k - start : (matrix.at[k] ?? 0);
    sum = Math.fround(sum + Math.fround(Math.fround(values[k] ?? 0) * (x[c] ?? 0)));
  }
  return sum;
};
