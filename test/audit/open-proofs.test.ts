/** A bounded proof that a contract asks for stands, or the report says why it does not. */
import { describe, expect, it } from 'vitest';
import { openProofs } from '../../src/audit/open-proofs.ts';
import type { Receipt } from '../../src/evidence/receipt.ts';
import { sampleProof, sampleReceipt } from '../evidence/sample-receipt.ts';
import { planOf } from '../plan/projects.ts';

const contract = `metadata: { version: "1.0.0", description: Halves }
equations:
  half:
    formula: "h(x)_i = x_i / 2"
    domain: "x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 100"
  other:
    formula: "o(x)_i = x_i / 4"
    domain: "x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 100"
proof_obligations:
  - { id: H-1, type: bound, property: It halves, formal: "|h(x)_i| ≤ 50", semantics: ieee }
  - { id: H-2, type: bound, property: It is fast, formal: "as fast as it can be" }
  - { id: H-3, type: bound, property: On average, formal: "mean(h(x)_i) ≈ 0", semantics: statistical, tolerance: { abs: 1 }, methods: { statistical: { random: [x] } } }
  - { id: H-4, type: bound, property: Another kernel, formal: "|o(x)_i| ≤ 25", semantics: ieee }
kani_harnesses:
`;
const kernel = {
  contract: 'half-v1',
  equation: 'half',
  text: 'export function kernel(this: any, x: number[]): number { return x[this.thread.x] / 2; }',
};
const harness = (id: string, obligation: string, bound = 3): string =>
  `  - { id: ${id}, obligation: ${obligation}, strategy: stub_float, bound: ${bound} }\n`;

/** Why proofs do not stand, of a contract with these harnesses; `receipts` are those of its bounded checks, in order. */
async function why(harnesses: string, receipts: readonly Partial<Receipt>[] = []): Promise<readonly string[]> {
  const plan = await planOf({ 'half-v1': contract + harnesses }, [kernel]);
  const bounded = plan.checks.filter(({ method }) => method === 'bounded');
  const receiptsByCheck = new Map(
    receipts.flatMap((changes, i) => {
      const check = bounded[i];
      return check ? [[check.id, { ...sampleReceipt({ method: 'bounded', ...changes }), check: check.id }]] : [];
    }),
  );
  return openProofs({ plan, receiptsByCheck }).map(({ message }) => message);
}

/** The proofs that findings name, in order. */
const named = (found: readonly string[]): readonly string[] => found.join('\n').match(/'K-\d'/gu) ?? [];

describe('a proof that a contract requires', () => {
  it('is reported until it has run', async () => {
    expect(await why(harness('K-1', 'H-1'))).toEqual([
      "the bounded proof 'K-1' of 'H-1' (stub_float, sizes to 3) does not hold: it has not run",
    ]);
  });

  it.each<[string, Partial<Receipt>, readonly string[]]>([
    ['stands', sampleProof(), []],
    ['was refuted, which its claim says', { verdict: 'falsified', reason: 'no' }, []],
    ['was left open', { verdict: 'undetermined', reason: 'z3 gave up' }, ['undetermined: z3 gave up']],
    ['says nothing', { verdict: 'undetermined', reason: null }, ['undetermined: bounded: undetermined']],
    [
      'leaves a statement open',
      sampleProof({ proved: 2 }),
      ['undetermined: 2 of 16 statements and 400 of 400 conditions were proved'],
    ],
    [
      'is of some sizes only',
      sampleProof({ inPart: 'n = 2 is left out' }),
      ['it is proved in part: n = 2 is left out'],
    ],
    [
      'rests on a proof that is gone',
      sampleProof({ assumed: [{ goal: 'd-v1/D-1', harness: 'K', check: 'sha256:0', scope: 'every n' }] }),
      ['stale: d-v1/D-1 (K) replaced a kernel and is no longer proved'],
    ],
  ])('that %s', async (_, receipt, reasons) => {
    expect(await why(harness('K-1', 'H-1'), [receipt])).toEqual(
      reasons.map((reason) => `the bounded proof 'K-1' of 'H-1' (stub_float, sizes to 3) does not hold: ${reason}`),
    );
  });

  it('of some sizes only is enough beside one of all sizes', async () => {
    const both = harness('K-1', 'H-1') + harness('K-2', 'H-1', 2);
    const part = sampleProof({ inPart: 'n = 2 is left out' });
    expect(await why(both, [part, sampleProof()])).toEqual([]);
    expect(named(await why(both, [part, part]))).toEqual(["'K-1'", "'K-2'"]);
  });

  it('is the one that the report names, and not another of the claim', async () => {
    const both = harness('K-1', 'H-1') + harness('K-2', 'H-1', 2);
    const open = { verdict: 'undetermined', reason: 'z3 gave up' } as const;
    expect(named(await why(both, [sampleProof(), open]))).toEqual(["'K-2'"]);
    expect(named(await why(both, [open, sampleProof()]))).toEqual(["'K-1'"]);
    expect(named(await why(both, [open, open]))).toEqual(["'K-1'", "'K-2'"]);
  });

  it('is one finding with others that are missing for the same reason', async () => {
    expect(await why(harness('K-1', 'H-1') + harness('K-3', 'H-3') + harness('K-2', 'H-1', 2))).toEqual([
      "2 bounded proofs do not hold (it has not run): 'K-1' of 'H-1' (stub_float, sizes to 3) and 'K-2' of 'H-1' (stub_float, sizes to 2)",
      "the bounded proof 'K-3' of 'H-3' (stub_float, sizes to 3) does not hold: it is not a claim about the code of a kernel",
    ]);
  });

  it.each([
    ['H-2', /H-2' is prose: /],
    ['H-3', /it is not a claim about the code of a kernel$/],
  ])('and that cannot be planned, of %s, says what stands in its way', async (obligation, reason) => {
    const found = await why(harness('K-1', obligation));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(reason);
  });

  it('and that has no kernel is not reported beside its claim, which says so', async () => {
    expect(await why(harness('K-1', 'H-4'))).toEqual([]);
  });
});
