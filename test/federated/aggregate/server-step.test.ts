/** Holds src/federated/aggregate/server-step.ts, src/federated/aggregate/fed-prox.ts. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StateDict } from '../../../src/federated/adapter/layout.ts';
import { proximalGradient } from '../../../src/federated/aggregate/fed-prox.ts';
import { serverStep, type ServerState } from '../../../src/federated/aggregate/server-step.ts';

const numbers = fc.array(fc.float({ noNaN: true, min: -100, max: 100 }), { minLength: 4, maxLength: 4 });

const dictOf = (...data: readonly number[]): StateDict =>
  new Map([['b', { shape: [data.length], data: Float32Array.from(data) }]]);
const numbersOf = (dict: StateDict): readonly number[] => [...(dict.get('b')?.data ?? [])];

test('fedavgm with rate 1 and no momentum takes the average', () => {
  fc.assert(
    fc.property(numbers, numbers, (start, average) => {
      const rule = { name: 'fedavgm', rate: 1, momentum: 0 } as const;
      const { adapter } = serverStep(rule, dictOf(...start), dictOf(...average), null);
      for (const [i, x] of numbersOf(adapter).entries()) expect(Math.abs(x - (average[i] ?? NaN))).toBeLessThan(2e-5);
    }),
  );
});

test('fedavgm remembers earlier differences', () => {
  const rule = { name: 'fedavgm', rate: 0.5, momentum: 0.5 } as const;
  const first = serverStep(rule, dictOf(1), dictOf(3), null);
  expect([numbersOf(first.adapter), numbersOf(first.state.momentum)]).toEqual([[2], [2]]);
  const second = serverStep(rule, first.adapter, dictOf(2), first.state);
  expect([numbersOf(second.adapter), numbersOf(second.state.momentum)]).toEqual([[2.5], [1]]);
});

test('fedadam follows algorithm 2 of Reddi et al.', () => {
  const rule = { name: 'fedadam', rate: 0.1, beta1: 0.9, beta2: 0.99, epsilon: 1e-3 } as const;
  let [x, m, v] = [1, 0, 0];
  let [adapter, state]: [StateDict, ServerState | null] = [dictOf(1), null];
  for (const average of [3, -1, 0.5]) {
    ({ adapter, state } = serverStep(rule, adapter, dictOf(average), state));
    const difference = average - x;
    m = 0.9 * m + 0.1 * difference;
    v = 0.99 * v + 0.01 * difference ** 2;
    x += (0.1 * m) / (Math.sqrt(v) + 1e-3);
    expect(numbersOf(adapter)[0]).toBeCloseTo(x, 5);
  }
});

test('a frozen tensor stays under both', () => {
  const frozen = dictOf(0.1, -0.2);
  const momentum = { name: 'fedavgm', rate: 1, momentum: 0.9 } as const;
  const adam = { name: 'fedadam', rate: 1, beta1: 0.9, beta2: 0.99, epsilon: 1e-3 } as const;
  for (const rule of [momentum, adam]) expect(serverStep(rule, frozen, frozen, null).adapter).toEqual(frozen);
});

test('the proximal gradient is the derivative of loss + μ/2·‖w − start‖²', () => {
  const [w, start] = [Float32Array.of(1, 2), Float32Array.of(0.5, 3)];
  const gradient = Float32Array.of(0.25, 0.75);
  expect([...proximalGradient(gradient, w, start, 0.5)]).toEqual([0.5, 0.25]);
  expect(proximalGradient(gradient, w, start, 0)).toEqual(gradient);
  expect(proximalGradient(gradient, w, w, 7)).toEqual(gradient);
});
