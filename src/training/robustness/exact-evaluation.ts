/** What a network computes over the reals. */
import { addRational, fromFloat, multiplyRational, ZERO, type Rational } from '../../numeric/rational.ts';
import { forEachInRow } from './matrix.ts';
import type { Network } from './network.ts';

/** Products of rational numbers, a few seconds. */
const mostProducts = 1_000_000;

/** The outputs for an input in exact arithmetic; null for a network of more than a million products. */
export function evaluateExactly(network: Network, inputs: Float64Array): readonly Rational[] | null {
  const products = network.nodes.reduce(
    (sum, node) =>
      node.kind === 'affine' ? node.terms.reduce((all, { matrix }) => all + matrix.values.length, sum) : sum,
    0,
  );
  if (products > mostProducts) return null;
  const values: (readonly Rational[])[] = [];
  for (const node of network.nodes) {
    if (node.kind === 'input') values.push(Array.from(inputs, fromFloat));
    else if (node.kind === 'activation')
      values.push(
        (values[node.from] ?? []).map((x, j) =>
          x.numerator >= 0n ? x : multiplyRational(x, fromFloat(node.slopes[j] ?? 0)),
        ),
      );
    else
      values.push(
        Array.from(node.bias, (bias, j) => {
          let sum = fromFloat(bias);
          for (const { from, matrix } of node.terms)
            forEachInRow(matrix, j, (c, weight) => {
              sum = addRational(sum, multiplyRational(fromFloat(weight), values[from]?.[c] ?? ZERO));
            });
          return sum;
        }),
      );
  }
  return values[network.output] ?? [];
}
