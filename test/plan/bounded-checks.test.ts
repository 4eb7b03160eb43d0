/** What names a bounded proof: the engine that was asked for, and of a solver of the system also its version. */
import { describe, expect, it } from 'vitest';
import { harnessesOf } from '../../src/contract/harnesses.ts';
import type { AskedProofs } from '../../src/plan/bounded-checks.ts';
import { planOf } from './projects.ts';

const contract = `metadata: { version: "1.0.0", description: Halves }
equations:
  half:
    formula: "h(x)_i = x_i / 2"
    domain: "x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 100"
proof_obligations:
  - { id: H-1, type: bound, property: It holds, formal: "|h(x)_i| ≤ 50", semantics: ieee }
kani_harnesses:
  - { id: KANI-1, obligation: H-1, strategy: stub_float, bound: 3 }
`;
const text = 'export function kernel(this: any, x: number[]): number { return x[this.thread.x] / 2; }';

/** The ids of the proofs that are asked for so. */
async function idsOf(asked?: Omit<AskedProofs, 'harnesses'>): Promise<readonly string[]> {
  const plan = await planOf(
    { 'half-v1': contract },
    [{ contract: 'half-v1', equation: 'half', text }],
    asked ? { bounded: { ...asked, harnesses: harnessesOf } } : {},
  );
  return plan.checks.filter(({ method }) => method === 'bounded').map(({ id }) => id);
}

describe('the check of a bounded proof', () => {
  it('is another one with another engine, and with another version of a solver of the system', async () => {
    const ids = [
      await idsOf(),
      await idsOf({ engine: 'smt' }),
      await idsOf({ engine: 'z3-native', engineVersion: 'z3 4.8.12' }),
      await idsOf({ engine: 'z3-native', engineVersion: 'z3 4.13.0' }),
    ];
    expect(new Set(ids.flat()).size).toBe(4);
  });

  it('is the same for equal requests', async () => {
    const asked = { engine: 'z3-native', engineVersion: 'z3 4.8.12' };
    expect(await idsOf(asked)).toEqual(await idsOf(asked));
    expect(await idsOf({ engine: null })).toEqual(await idsOf());
  });
});
