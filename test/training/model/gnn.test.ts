/** Gradients of the graph network against differences of its loss. Holds src/training/model/cross-entropy.ts, src/training/model/planted-graph.ts. */
import { describe, expect, it } from 'vitest';
import { createGnn, type GnnLayer } from '../../../src/training/model/gnn.ts';
import { glorotUniform } from '../../../src/training/model/initial.ts';
import { plantedGraph } from '../../../src/training/model/planted-graph.ts';

const widths = [5, 7, 6, 3];
const graph = plantedGraph({ nodes: 24, classes: 3, features: 5, degree: 3, homophily: 0.7, labelled: 0.6, seed: 5 });
const gnn = createGnn(widths, graph);
const layers: readonly GnnLayer[] = widths.slice(1).map((outputs, l) => ({
  weight: glorotUniform(2, `w${l}`, widths[l] ?? 0, outputs),
  bias: glorotUniform(2, `b${l}`, 1, outputs),
}));

describe('the gradient', () => {
  it('is the slope of the loss by every weight and bias', () => {
    const copies = gnn
      .lossAndGradients(layers)
      .gradients.map(({ weight, bias }) => [weight.slice(), bias.slice()] as const);
    const h = 2 ** -10;
    const errors: number[] = [];
    for (const [l, { weight, bias }] of layers.entries()) {
      for (const [part, array] of [weight, bias].entries()) {
        for (let i = 0; i < array.length; i++) {
          const kept = array[i] ?? NaN;
          const at = (value: number): number => {
            array[i] = value;
            return gnn.lossAndGradients(layers).loss;
          };
          const slope = (at(kept + h) - at(kept - h)) / (2 * h);
          array[i] = kept;
          errors.push(Math.abs(slope - (copies[l]?.[part]?.[i] ?? NaN)));
        }
      }
    }
    expect(errors).toHaveLength(5 * 7 + 7 + 7 * 6 + 6 + 6 * 3 + 3);
    // Float32 sums err by 1e-7 in the loss, so by 1e-4 in its slope; a ReLU whose kink is passed errs by more, and is rare.
    expect(errors.filter((error) => !(error < 5e-4)).length).toBeLessThanOrEqual(2);
  });
});
