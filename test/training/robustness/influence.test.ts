/** What an input can matter in a box is at least what it does between any two of its points. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createAnalysis } from '../../../src/training/robustness/analysis.ts';
import { propagate } from '../../../src/training/robustness/bounds.ts';
import { createEvaluator } from '../../../src/training/robustness/evaluate.ts';
import { createInfluence } from '../../../src/training/robustness/influence.ts';
import { networkOf } from '../../../src/training/robustness/network.ts';

const weight = fc.double({ min: -2, max: 2, noNaN: true });
const pair = fc.tuple(weight, weight);
const unit = fc.double({ min: -1, max: 1, noNaN: true });

it('bounds every difference quotient', () => {
  fc.assert(
    fc.property(
      fc.tuple(pair, pair, pair),
      fc.tuple(weight, weight, weight),
      fc.tuple(weight, weight, weight),
      unit,
      unit,
      unit,
      (rows, bias, out, a, b, other) => {
        const network = networkOf(2, [
          { weights: rows, bias, slope: 0.1 },
          { weights: [out], bias: [0] },
        ]);
        const analysis = createAnalysis(network, 'float64');
        propagate(analysis, { lo: [-1, -1], hi: [1, 1] }, 'ibp');
        const largest = new Float64Array(2);
        createInfluence(analysis)({ inputs: null, outputs: Float64Array.of(1), bound: 0, isStrict: false }, largest);
        const evaluate = createEvaluator(network);
        const [one = 0] = evaluate([a, other]);
        const [two = 0] = evaluate([b, other]);
        expect(Math.abs(one - two)).toBeLessThanOrEqual((largest[0] ?? 0) * Math.abs(a - b) + 1e-9);
      },
    ),
  );
});
