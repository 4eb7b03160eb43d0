/** Five updates of each optimizer against PyTorch 2.13 in float64, and Lion against its formula; see each `expected`. */
import { describe, expect, it } from 'vitest';
import { adam, adamW, lion, sgd } from '../../../src/training/optimizer/rules.ts';
import type { Optimizer } from '../../../src/training/optimizer/optimizer.ts';

const start = [1, -2, 0.5];
const gradients = [
  [0.5, -1, 0.25],
  [-0.25, 2, 0.125],
  [1, 0.5, -0.75],
  [0, -0.5, 3],
  [0.125, 0, 0.5],
];

/** The weights after each update. */
function weightsOf({ learningRate, slots, decays, update }: Optimizer): readonly (readonly number[])[] {
  const weights = Float32Array.from(start);
  const now = { weights, state: slots.map(() => new Float32Array(3)) };
  let powers = decays.map(() => 1);
  return gradients.map((gradient) => {
    powers = powers.map((power, i) => power * (decays[i] ?? NaN));
    update(now, Float32Array.from(gradient), { rate: learningRate, powers }, now);
    return [...weights];
  });
}

// prettier-ignore
const expected = {
  sgd: [[0.95, -1.9, 0.475], [0.975, -2.1, 0.4625], [0.875, -2.15, 0.5375], [0.875, -2.1, 0.2375], [0.8625, -2.1, 0.1875]],
  sgdWithMomentum: [[0.949, -1.898, 0.4745], [0.927151, -2.004302, 0.4385755], [0.806559749, -2.147969498, 0.4808048745], [0.697221063351, -2.225122276702, 0.218330506675], [0.585619025204, -2.292334655257, -0.068114754873]],
  adam: [[0.990000000167, -1.990000000083, 0.490000000333], [0.985319199306, -1.992479504501, 0.480469651265], [0.977977554764, -1.995257769676, 0.482936984015], [0.971532010112, -1.99565120363, 0.477810643118], [0.965221461729, -1.99550905211, 0.472606099117]],
  adamW: [[0.9890000002, -1.9880000001, 0.4895000004], [0.98588640879, -1.99019630617, 0.479803937858], [0.978061572004, -1.992747236475, 0.483584629165], [0.971792264825, -1.992712537502, 0.477609574662], [0.965907309495, -1.992278378961, 0.47178614853]],
  lion: [[0.989, -1.988, 0.4895], [0.998011, -1.996012, 0.4790105], [0.987012989, -2.004015988, 0.4885314895], [0.976025976011, -1.992011972012, 0.478042958011], [0.965049950035, -2.00001996004, 0.467564915052]],
};

const optimizers = {
  sgd: sgd({ learningRate: 0.1 }),
  sgdWithMomentum: sgd({ learningRate: 0.1, momentum: 0.9, weightDecay: 0.01 }),
  adam: adam({ learningRate: 0.01, weightDecay: 0.1 }),
  adamW: adamW({ learningRate: 0.01, beta1: 0.8, beta2: 0.95, weightDecay: 0.1 }),
  lion: lion({ learningRate: 0.01, weightDecay: 0.1 }),
};

/** The largest difference of two lists of weights. */
const distance = (a: readonly (readonly number[])[], b: readonly (readonly number[])[]): number =>
  a.reduce((most, row, k) => row.reduce((m, value, i) => Math.max(m, Math.abs(value - (b[k]?.[i] ?? NaN))), most), 0);

/** Wrong optimizers: the same loop with one rule changed. */
const wrong = {
  'gradient descent whose momentum is a mean': [
    expected.sgdWithMomentum,
    changed(optimizers.sgdWithMomentum, ({ m, g, rate, weight }) => {
      const next = 0.9 * m + 0.1 * (g + 0.01 * weight);
      return [weight - rate * next, next];
    }),
  ],
  'Adam with the decay of AdamW': [expected.adam, adamW({ learningRate: 0.01, weightDecay: 0.1 })],
  'Adam whose first power is β⁰': [expected.adam, { ...optimizers.adam, decays: [0.81, 0.998001] }],
} as const;

interface One {
  readonly weight: number;
  readonly m: number;
  readonly g: number;
  readonly rate: number;
}

function changed(optimizer: Optimizer, rule: (one: One) => readonly [number, number]): Optimizer {
  return {
    ...optimizer,
    update(now, gradient, { rate }, next) {
      for (const [i, g] of gradient.entries()) {
        const [w, m] = rule({ weight: now.weights[i] ?? NaN, m: now.state[0]?.[i] ?? NaN, g, rate });
        next.weights[i] = w;
        next.state[0]?.fill(m, i, i + 1);
      }
    },
  };
}

describe('the updates of an optimizer', () => {
  it.each(['sgd', 'sgdWithMomentum', 'adam', 'adamW', 'lion'] as const)('are those of the reference: %s', (name) => {
    expect(distance(weightsOf(optimizers[name]), expected[name])).toBeLessThan(5e-7);
  });

  it.each(Object.entries(wrong))('are not those of %s', (_, [reference, optimizer]) => {
    expect(distance(weightsOf(optimizer), reference)).toBeGreaterThan(1e-5);
  });

  it('of Lion come before that of its momentum: a gradient of 8.5 times the momentum does not turn the sign', () => {
    const now = { weights: Float32Array.of(0), state: [Float32Array.of(1)] };
    lion().update(now, Float32Array.of(-8.5), { rate: 0.5, powers: [] }, now);
    // 0.9·1 − 0.1·8.5 > 0, but with the momentum updated first 0.9·(0.99 − 0.085) − 0.85 < 0.
    expect([...now.weights]).toEqual([-0.5]);
    expect([...(now.state[0] ?? [])]).toEqual([Math.fround(0.905)]);
  });

  it('move nothing where Lion has neither gradient nor momentum', () => {
    const now = { weights: Float32Array.of(2), state: [new Float32Array(1)] };
    lion().update(now, Float32Array.of(0), { rate: 1, powers: [] }, now);
    expect([...now.weights]).toEqual([2]);
  });
});
