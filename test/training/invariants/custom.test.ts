/** Invariants of the caller's, and the tier that their complexity gives them. */
import { describe, expect, it } from 'vitest';
import { custom } from '../../../src/training/invariants/custom.ts';
import type { Measurement } from '../../../src/training/invariants/invariant.ts';
import { rollbackStrategies } from '../../../src/training/trainer/rollback.ts';
import { gradientOf, trainerWith } from './fixture.ts';

const atMost = (value: number, bound: number): readonly Measurement[] => [{ what: 'x', value, is: 'at most', bound }];
const zero = gradientOf(0, 0, 0, 0);
const phases = ['before', 'layer', 'after'] as const;

describe('a custom invariant', () => {
  it.each(phases)('of the phase %s decides with numbers, and is external', async (phase) => {
    for (const bound of [0.5, 1]) {
      const trainer = trainerWith([custom({ name: 'Mine', complexity: 1, phase, check: () => atMost(1, bound) })]);
      const step = await trainer.step({ loss: 1, gradients: zero });
      expect(step.verdict).toBe(bound === 1 ? 'committed' : 'refused');
      expect(step.measured).toEqual([{ invariant: 'Mine', what: 'x', value: 1, is: 'at most', bound }]);
      const [stats] = (await trainer.seal()).invariantStats;
      expect(stats).toMatchObject({ name: 'Mine', evidence: { class: 'external' }, checks: 1 });
    }
  });

  it('sees the weights before the step, or the proposed ones', async () => {
    const seen: number[] = [];
    const check = (weights: Float32Array | undefined) => {
      seen.push(weights?.[0] ?? NaN);
      return atMost(0, 0);
    };
    const common = { complexity: 1 } as const;
    const trainer = trainerWith([
      custom({ ...common, name: 'A', phase: 'before', check: ({ parameters }) => check(parameters[0]?.data) }),
      custom({ ...common, name: 'B', phase: 'layer', check: ({ weights }) => check(weights[0]) }),
      custom({ ...common, name: 'C', phase: 'after', check: (proposed) => check(proposed[0]?.data) }),
    ]);
    await trainer.step({ loss: 1, gradients: gradientOf(1, 0, 0, 0) });
    expect(seen).toEqual([3, Math.fround(2.9), Math.fround(2.9)]);
  });

  it('runs at every step below a complexity of 10, and with the deep checks from there', async () => {
    const counts = [9, 10].map(async (complexity) => {
      const trainer = trainerWith([custom({ name: 'Mine', complexity, phase: 'before', check: () => atMost(0, 0) })], {
        expensiveCheckInterval: 4,
      });
      for (let i = 0; i < 8; i++) await trainer.step({ loss: 1, gradients: zero });
      return (await trainer.seal()).invariantStats[0]?.checks;
    });
    expect(await Promise.all(counts)).toEqual([8, 2]);
  });

  it('that compares nothing fails', async () => {
    const trainer = trainerWith([custom({ name: 'Mine', complexity: 1, phase: 'before', check: () => [] })]);
    const { verdict, violations } = await trainer.step({ loss: 1, gradients: zero });
    expect(verdict).toBe('refused');
    expect(violations).toMatchObject([{ what: 'Mine compared nothing' }]);
  });

  it.each(rollbackStrategies)('that throws leaves every weight unchanged under %s', async (rollbackStrategy) => {
    for (const phase of phases) {
      let fails = true;
      const check = () => {
        if (fails) throw new Error('broken');
        return atMost(0, 0);
      };
      const trainer = trainerWith([custom({ name: 'Mine', complexity: 1, phase, check })], { rollbackStrategy });
      await expect(trainer.step({ loss: 1, gradients: gradientOf(1, 1, 1, 1) })).rejects.toThrow('broken');
      expect([...(trainer.parameters[0]?.data ?? [])]).toEqual([3, 0, 0, 4]);
      fails = false;
      expect(await trainer.step({ loss: 1, gradients: zero })).toMatchObject({ step: 1, verdict: 'committed' });
    }
  });

  it.each(['', 'Finite', 'WeightNormBound', 'CoherenceBound'])('cannot pass for an invariant of pv: %j', (name) => {
    expect(() => custom({ name, complexity: 1, phase: 'before', check: () => atMost(0, 0) })).toThrow(/^PV-8403: name/);
  });

  it('has a complexity', () => {
    expect(() => custom({ name: 'Mine', complexity: -1, phase: 'before', check: () => [] })).toThrow(/^PV-8403/);
  });
});
