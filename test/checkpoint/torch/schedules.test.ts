/** The states of schedulers that others may have written: none is a reason to recurse, to loop for long, or to guess. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Pickled } from '../../../src/pickle/pickled.ts';
import { kindOf, ownRate } from '../../../src/checkpoint/torch/schedules.ts';

type Entries = Map<Pickled, Pickled>;

const dict = (entries: Entries): Pickled => ({ kind: 'dict', entries });
const list = (items: readonly Pickled[]): Pickled => ({ kind: 'list', items });
const numbers = (from: number, length: number): Pickled => list(Array.from({ length }, (_, i) => from + i));
const state = (...entries: readonly (readonly [string, Pickled])[]): Entries =>
  new Map<Pickled, Pickled>([['base_lrs', list([1])], ...entries]);

const at = (entries: Entries, count: number): number | undefined => ownRate(entries)?.(count, 0, new Map());

describe('the state of a scheduler', () => {
  it('may contain itself', () => {
    const parts: Pickled[] = [];
    const own = state(['_milestones', list([5])], ['_schedulers', list(parts)]);
    parts.push(dict(own), dict(own));
    expect(kindOf(own)).toBe('SequentialLR');
    expect(ownRate(own)).toBeNull();
  });

  it('may have more milestones or parts than anyone trains with', () => {
    const counter = dict(new Map([[3, 1e9]]));
    expect(ownRate(state(['milestones', counter], ['gamma', 0.5]))).toBeNull();
    const many = state(['_milestones', numbers(1, 100_000)], ['_schedulers', numbers(1, 100_001)]);
    expect(ownRate(many)).toBeNull();
  });

  it('determines no rates where it lacks a setting, or has one that is not a number', () => {
    expect(at(state(['T_max', 10]), 3)).toBeNaN();
    expect(at(state(['T_max', '10'], ['eta_min', 0]), 3)).toBeNaN();
    const restarts = (factor: number): Entries => state(['T_0', 5], ['T_mult', factor], ['eta_min', 0], ['T_cur', 2]);
    expect(at(restarts(2), 12)).toBeCloseTo(0.5 * (1 + Math.cos(0.7 * Math.PI)));
    for (const factor of [0, 1.000001, -1, NaN]) expect(at(restarts(factor), 1e15)).toBeNaN();
    // `step(epoch + share)` is called between two counts.
    expect(ownRate(restarts(2).set('T_cur', 2.5))).toBeNull();
    expect(ownRate(state(['lr_lambdas', list([null])]))).toBeNull();
    expect(ownRate(null)).toBeNull();
  });

  it('never raises an error', () => {
    const value: fc.Arbitrary<Pickled> = fc.oneof(
      fc.constant(null),
      fc.double(),
      fc.string(),
      fc.array(fc.double()).map((items) => list(items)),
      fc.array(fc.tuple(fc.double(), fc.double())).map((entries) => dict(new Map(entries))),
    );
    const keys = ['T_max', 'eta_min', 'T_0', 'T_mult', 'T_cur', 'gamma', 'milestones', '_milestones', '_schedulers'];
    const more = ['_schedule_phases', '_anneal_func_type', 'total_size', 'max_lrs', 'mode', 'step_size', 'power'];
    const pair = fc.tuple(fc.constantFrom<Pickled>(...keys, ...more), value);
    fc.assert(
      fc.property(fc.array(pair), fc.integer({ min: -2, max: 1000 }), (entries, count) => {
        const rate = ownRate(new Map(entries));
        expect(rate === null || typeof rate(count, 0, new Map()) === 'number').toBe(true);
      }),
    );
  });
});
