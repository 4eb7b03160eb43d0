import { describe, expect, it } from 'vitest';
import { hollowTolerance } from '../../src/audit/hollow-tolerance.ts';
import { invariant } from '../../src/base/invariant.ts';
import { planOf } from '../plan/projects.ts';
import { doublingContract, doublingKernel } from './audited.ts';

/** Why the tolerance of `D(x)_i ≈ 2·x_i` is hollow on the backends. */
async function hollow(
  tolerance: string,
  backends: readonly string[] = ['ref32'],
  formal = 'D(x)_i ≈ 2·x_i',
): Promise<string | null> {
  const more = tolerance === '' ? '' : `tolerance: ${tolerance}`;
  const { contracts } = await planOf({ 'double-v1': doublingContract([[formal, more]]) }, [doublingKernel]);
  const [planned] = contracts;
  const goal = planned?.goals[0]?.goal;
  invariant(goal, 'the contract has a claim');
  return hollowTolerance(goal, planned.elaborated.contract, backends);
}

describe('a tolerance as large as the value', () => {
  it.each([
    ['{ rel: 1 }', 'rel 1'],
    ['{ rel: 1.5 }', 'rel 1.5'],
    ['{ ulp: 16777216 }', 'ulp 16777216'],
    ['{ rel: 2, ulp: 20000000 }', 'rel 2, ulp 20000000'],
  ])('%s accepts 0 in place of any value', async (tolerance, parts) => {
    expect(await hollow(tolerance)).toBe(`its tolerance (${parts}) accepts 0 in place of any value`);
  });

  it.each(['{ rel: 0.999 }', '{ ulp: 16777215 }', '{ abs: 1e30 }', '{ abs: 1e30, rel: 0.5, ulp: 4 }'])(
    '%s is smaller, or absolute: outputs say what that is worth',
    async (tolerance) => {
      expect(await hollow(tolerance)).toBeNull();
    },
  );

  it('counts on the backends that the claim is held to, each with its own', async () => {
    const onDevice = '{ ulp: 4, backends: { webgl2: { rel: 1 } } }';
    expect(await hollow(onDevice, ['ref32'])).toBeNull();
    expect(await hollow(onDevice, ['ref32', 'webgl2'])).toBe(
      'its tolerance on webgl2 (rel 1) accepts 0 in place of any value',
    );
    expect(await hollow('{ rel: 1, backends: { webgl2: { ulp: 4 } } }', ['webgl2'])).toBeNull();
    expect(await hollow('{ rel: 1 }', [])).toBeNull();
  });

  it('decides nothing where the claim compares nothing by it', async () => {
    expect(await hollow('{ rel: 1 }', ['ref32'], 'D(x)_i = 2·x_i')).toBeNull();
    expect(await hollow('', ['ref32'], 'D(x)_i = 2·x_i')).toBeNull();
    // A claim whose text allows a difference has no tolerance that could be hollow.
    expect(await hollow('', ['ref32'], '|D(x)_i - 2·x_i| ≤ 1e-3')).toBeNull();
  });
});
