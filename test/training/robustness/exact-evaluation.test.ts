/** Evaluation over the reals. */
import { expect, it } from 'vitest';
import { fraction } from '../../../src/numeric/rational.ts';
import { createEvaluator } from '../../../src/training/robustness/evaluate.ts';
import { evaluateExactly } from '../../../src/training/robustness/exact-evaluation.ts';
import { networkOf } from '../../../src/training/robustness/network.ts';

it('keeps what float64 rounds away', () => {
  const network = networkOf(1, [
    { weights: [[1], [-1]], bias: [1e16, 0], slope: 0.25 },
    { weights: [[1, 2]], bias: [-1e16] },
  ]);
  expect([...createEvaluator(network)([0.5])]).toEqual([0]);
  // 0.5 + 1e16 − 1e16 + 2 · 0.25 · −0.5
  expect(evaluateExactly(network, Float64Array.of(0.5))).toEqual([fraction(1n, 4n)]);
});

it('declines a network of more than a million products', () => {
  const row = new Float64Array(1001);
  const network = networkOf(1001, [{ weights: Array.from({ length: 1000 }, () => row), bias: new Float64Array(1000) }]);
  expect(evaluateExactly(network, row)).toBe(null);
});
