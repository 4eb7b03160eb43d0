/** Holds src/federated/aggregate/server-step.ts, src/federated/aggregate/fed-prox.ts. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { proximalGradient } from '../../../src/federated/aggregate/fed-prox.ts';
import { freshServerState, serverStep } from '../../../src/federated/aggregate/server-step.ts';

const numbers = fc.array(fc.float({ noNaN: true, min: -100, max: 100 }), { minLength: 4, maxLength: 4 });

test('fedavgm with rate 1 and no momentum takes the average', () => {
  fc.assert(
    fc.property(numbers, numbers, (start, average) => {
      const rule = { name: 'fedavgm', rate: 1, momentum: 0 } as const;
      const state = freshServerState(4);
      const { weights } = serverStep(rule, Float32Array.from(start), Float32Array.from(average), state);
      for (const [i, x] of weights.entries()) expect(Math.abs(x - (average[i] ?? NaN))).toBeLessThan(2e-5);
      expect(state).toEqual(freshServerState(4));
    }),
  );
});

test('fedavgm remembers earlier differences', () => {
  const rule = { name: 'fedavgm', rate: 0.5, momentum: 0.5 } as const;
  const first = serverStep(rule, Float32Array.of(1), Float32Array.of(3), freshServerState(1));
  expect([first.weights[0], first.state.momentum[0]]).toEqual([2, 2]);
  const second = serverStep(rule, first.weights, Float32Array.of(2), first.state);
  expect([second.weights[0], second.state.momentum[0]]).toEqual([2.5, 1]);
});

test('fedadam follows algorithm 2 of Reddi et al.', () => {
  const rule = { name: 'fedadam', rate: 0.1, beta1: 0.9, beta2: 0.99, epsilon: 1e-3 } as const;
  let [x, m, v] = [1, 0, 0];
  let [weights, state] = [Float32Array.of(1), freshServerState(1)];
  for (const average of [3, -1, 0.5]) {
    ({ weights, state } = serverStep(rule, weights, Float32Array.of(average), state));
    const difference = average - x;
    m = 0.9 * m + 0.1 * difference;
    v = 0.99 * v + 0.01 * difference ** 2;
    x += (0.1 * m) / (Math.sqrt(v) + 1e-3);
    expect(weights[0]).toBeCloseTo(x, 5);
  }
});

test('a frozen tensor stays under both', () => {
  const frozen = Float32Array.of(0.1, -0.2);
  const momentum = { name: 'fedavgm', rate: 1, momentum: 0.9 } as const;
  const adam = { name: 'fedadam', rate: 1, beta1: 0.9, beta2: 0.99, epsilon: 1e-3 } as const;
  for (const rule of [momentum, adam])
    expect(serverStep(rule, frozen, frozen, freshServerState(2)).weights).toEqual(frozen);
});

test('the proximal gradient is the derivative of loss + μ/2·‖w − start‖²', () => {
  const [w, start] = [Float32Array.of(1, 2), Float32Array.of(0.5, 3)];
  const gradient = Float32Array.of(0.25, 0.75);
  expect([...proximalGradient(gradient, w, start, 0.5)]).toEqual([0.5, 0.25]);
  expect(proximalGradient(gradient, w, start, 0)).toEqual(gradient);
  expect(proximalGradient(gradient, w, w, 7)).toEqual(gradient);
});
