/** Schedules at their edges against PyTorch 2.13, and through a trainer. Holds src/training/trainer/state.ts. */
import { describe, expect, it } from 'vitest';
import {
  constant,
  cosineAnnealing,
  exponential,
  freshSchedule,
  nextState,
  reduceOnPlateau,
  stepDecay,
  warmupLinear,
  type Schedule,
} from '../../../src/training/optimizer/schedule.ts';
import { weightNormBound } from '../../../src/training/invariants/weight-norm.ts';
import { gradientOf, trainerWith } from '../invariants/fixture.ts';

/** The rates of the first updates for a base rate of 0.1. */
function ratesOf(schedule: Schedule, losses: readonly number[]): readonly number[] {
  let state = freshSchedule;
  return losses.map((loss) => {
    const rate = schedule.rate(0.1, state);
    state = nextState(schedule, state, loss);
    return rate;
  });
}

const steps = (n: number): readonly number[] => new Array<number>(n).fill(1);
const expectRates = (found: readonly number[], expected: readonly number[], digits = 15): void => {
  expect(found).toEqual(expected.map((rate): unknown => expect.closeTo(rate, digits)));
};

describe('rates', () => {
  it('of StepLR change at every third update, not one earlier or later', () => {
    expectRates(
      ratesOf(stepDecay({ every: 3, gamma: 0.5 }), steps(8)),
      [0.1, 0.1, 0.1, 0.05, 0.05, 0.05, 0.025, 0.025],
    );
    expectRates(ratesOf(stepDecay({ every: 1, gamma: 1 }), steps(3)), [0.1, 0.1, 0.1]);
  });

  it('of ExponentialLR begin at the base rate', () => {
    expectRates(ratesOf(exponential({ gamma: 0.9 }), steps(5)), [0.1, 0.09, 0.081, 0.0729, 0.06561]);
  });

  it('of CosineAnnealingLR reach the floor at t_max, and stay there', () => {
    const rates = ratesOf(cosineAnnealing({ steps: 4, floor: 0.01 }), steps(9));
    expectRates(rates.slice(0, 5), [0.1, 0.086819805153395, 0.055, 0.023180194846605, 0.01], 8);
    expect(rates[0]).toBe(0.1);
    // A cycle of step mod t_max would restart at the base rate here, and never reach the floor.
    expect(rates.slice(4)).toEqual([0.01, 0.01, 0.01, 0.01, 0.01]);
  });

  it('of LinearLR from 1/steps move at the first update, and have the base rate from update `steps`', () => {
    expectRates(ratesOf(warmupLinear({ steps: 4 }), steps(6)), [0.025, 0.05, 0.075, 0.1, 0.1, 0.1]);
    expect(ratesOf(warmupLinear({ steps: 1 }), steps(2))).toEqual([0.1, 0.1]);
  });

  it('of ReduceLROnPlateau tolerate `patience` bad updates, and stop at the floor', () => {
    const losses = [5, 4, 4, 4, 4, 3, 3, 3, 3, 3, 3, 3];
    const rates = ratesOf(reduceOnPlateau({ factor: 0.5, patience: 2, floor: 0.03 }), losses);
    expectRates(rates, [0.1, 0.1, 0.1, 0.1, 0.1, 0.05, 0.05, 0.05, 0.05, 0.03, 0.03, 0.03]);
    const impatient = ratesOf(reduceOnPlateau({ factor: 0.5, patience: 0 }), [1, 1, 1]);
    expectRates(impatient, [0.1, 0.1, 0.05]);
    // A floor above the base rate raises nothing.
    expect(ratesOf(reduceOnPlateau({ factor: 0.5, patience: 9, floor: 1 }), [1])).toEqual([0.1]);
  });

  it('that are constant are constant', () => {
    expect(ratesOf(constant(), steps(3))).toEqual([0.1, 0.1, 0.1]);
  });

  it.each([
    () => stepDecay({ every: 0, gamma: 0.5 }),
    () => exponential({ gamma: 0 }),
    () => exponential({ gamma: 1.1 }),
    () => cosineAnnealing({ steps: 0 }),
    () => cosineAnnealing({ steps: 1, floor: -1 }),
    () => warmupLinear({ steps: 0.5 }),
    () => reduceOnPlateau({ factor: NaN, patience: 1 }),
    () => reduceOnPlateau({ factor: 0.5, patience: -1 }),
  ])('have settings in their ranges: %s', (make) => {
    expect(make).toThrow(/^PV-8403/);
  });
});

describe('a schedule in a trainer', () => {
  it('counts committed updates: a refused step neither moves it nor counts as a bad one', async () => {
    const trainer = trainerWith([weightNormBound({ max: 6 })], { schedule: stepDecay({ every: 2, gamma: 0.5 }) });
    const rates = [];
    for (const scale of [0, -1e4, -1e4, 0, 0]) {
      const { verdict, rate } = await trainer.step({ loss: 1, gradients: gradientOf(scale, 0, 0, 0) });
      rates.push([verdict, rate]);
    }
    expect(rates).toEqual([
      ['committed', 0.1],
      ['refused', 0.1],
      ['refused', 0.1],
      ['committed', 0.1],
      ['committed', 0.05],
    ]);
  });
});
