/** Steps that are slowed, escalated or refused by their energy. Holds src/training/invariants/tiers.ts. */
import { describe, expect, it } from 'vitest';
import { custom } from '../../../src/training/invariants/custom.ts';
import { energyGate, updateEnergy, type EnergyGateOptions } from '../../../src/training/invariants/energy-gate.ts';
import { attemptAt, gradientOf, trainerWith } from './fixture.ts';

/** A gate whose energy is the loss. */
const gateByLoss = (more: Partial<EnergyGateOptions> = {}) =>
  energyGate({ minEnergy: 2, criticalEnergy: 1, energy: ({ loss }) => loss, ...more });

const deep = custom({
  name: 'Deep',
  complexity: 10,
  phase: 'after',
  check: () => [{ what: 'depth', value: 0, is: 'at most', bound: 0 }],
});

const stepAt = async (energy: number, options: Partial<EnergyGateOptions> = {}) => {
  const trainer = trainerWith([gateByLoss(options), deep], { expensiveCheckInterval: 1000 });
  const { verdict, rate, measured } = await trainer.step({ loss: energy, gradients: gradientOf(1, 0, 0, 0) });
  return { verdict, rate, deep: measured.some(({ invariant }) => invariant === 'Deep'), weights: trainer.parameters };
};

describe('the energy of a step', () => {
  it('at the least or above takes the step as it is', async () => {
    expect(await stepAt(2, { rateFactor: 0.5 })).toMatchObject({ verdict: 'committed', rate: 0.1, deep: false });
  });

  it('below the least runs the deep checks and reduces the rate of the update itself', async () => {
    const { weights, ...step } = await stepAt(1.99, { rateFactor: 0.5 });
    expect(step).toMatchObject({ verdict: 'committed', rate: 0.05, deep: true });
    expect(weights[0]?.data[0]).toBe(Math.fround(2.95));
  });

  it('escalates no further than its tier', async () => {
    expect(await stepAt(1.99, { escalationTier: 'standard' })).toMatchObject({ verdict: 'committed', deep: false });
  });

  it.each([0.99, -5])('below the critical one (%s) refuses the step', async (energy) => {
    expect((await stepAt(energy)).verdict).toBe('refused');
    expect((await stepAt(1)).verdict).toBe('committed');
  });

  it('that is not a number refuses the step', async () => {
    const trainer = trainerWith([gateByLoss({ energy: () => NaN })]);
    const { verdict, violations } = await trainer.step({ loss: 1, gradients: gradientOf(0, 0, 0, 0) });
    expect(verdict).toBe('refused');
    expect(violations).toMatchObject([{ invariant: 'EnergyGate', what: 'energy', bound: 1 }]);
  });

  it('is by default the share of the weights in weights and update', () => {
    const attempt = { ...attemptAt(1, { a: Float32Array.of(3, 4) }), rate: 0.5, gradientNorm: 10 };
    expect(updateEnergy(attempt)).toBe(0.5);
    expect(updateEnergy({ ...attempt, gradientNorm: 0 })).toBe(1);
    expect(updateEnergy({ ...attempt, gradientNorm: 1e30 })).toBeLessThan(2e-29);
    expect(updateEnergy({ ...attemptAt(1, { a: Float32Array.of(0) }), gradientNorm: 1 })).toBe(0);
  });

  it('counts an escalated step among the deep ones', async () => {
    const trainer = trainerWith([gateByLoss()]);
    await trainer.step({ loss: 5, gradients: gradientOf(1, 0, 0, 0) });
    await trainer.step({ loss: 1.5, gradients: gradientOf(1, 0, 0, 0) });
    const { invariantStats } = await trainer.seal();
    expect(invariantStats).toMatchObject([{ name: 'EnergyGate', checks: 2, tierDistribution: [1, 0, 1] }]);
  });

  it.each([
    { minEnergy: 1, criticalEnergy: 2 },
    { minEnergy: -1, criticalEnergy: 0 },
    { minEnergy: 1, criticalEnergy: NaN },
    { minEnergy: 1, criticalEnergy: 0, rateFactor: 0 },
    { minEnergy: 1, criticalEnergy: 0, rateFactor: 1.5 },
  ])('has settings in their ranges, not %j', (options) => {
    expect(() => energyGate(options)).toThrow(/^PV-8403/);
  });
});
