/**
 * Proofs in which proofs of sub-contracts stand in for kernels: what they may conclude, and how they fall.
 *
 * Holds src/plan/assumed-claims.ts, src/plan/composed-subjects.ts.
 */
import { functionBackend } from '../../src/backends/function-kernel.ts';
import { describe, expect, it } from 'vitest';
import { invariant } from '../../src/base/invariant.ts';
import { gradeComposed } from '../../src/evidence/grade-composed.ts';
import type { Receipt } from '../../src/evidence/receipt.ts';
import { whyNotProved } from '../../src/plan/assumed-claims.ts';
import type { Check } from '../../src/plan/check.ts';
import { runJob } from '../../src/plan/run-job.ts';
import { planOf, planOptions } from './projects.ts';

interface Parts {
  /** What the sub-contract claims of shares, and the proofs that it asks for. */
  readonly claims?: string;
  readonly below?: string;
  readonly shares?: string;
  readonly mean?: string;
  readonly formal?: string;
  readonly harness?: string;
}

const sumAndRange = `  - { id: S-1, type: invariant, property: They sum to one, formal: "|Σ_i Shares(x)_i - 1| ≤ 1e-6", semantics: ieee }
  - { id: S-2, type: bound, property: They are shares, formal: "0 ≤ Shares(x)_i ≤ 1", semantics: ieee }`;
const proofsBelow = `  - { id: K-1, obligation: S-1, strategy: stub_float, bound: 4 }
  - { id: K-2, obligation: S-2, strategy: stub_float, bound: 4 }`;
const sharesKernel = `let sum = 0;
  for (let j = 0; j < n; j++) { sum += Math.exp(x[j]!); }
  return Math.exp(x[this.thread.x]!) / sum;`;
const meanKernel = `let mean = 0;
  for (let j = 0; j < n; j++) { mean += p[j]! * v[j]!; }
  return mean;`;

async function planned({
  claims = sumAndRange,
  below = proofsBelow,
  shares = sharesKernel,
  mean = meanKernel,
  formal = 'min_j v_j - 2e-4 ≤ Mean(Shares(x), v) ∧ Mean(Shares(x), v) ≤ max_j v_j + 2e-4',
  harness = 'strategy: compositional, bound: 4',
}: Parts): Promise<readonly Check[]> {
  const sub = `metadata: { version: "1.0.0", description: Shares }
equations:
  shares:
    formula: "Shares(x)_i = exp(x_i) / Σ_j exp(x_j)"
    domain: "x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 5"
proof_obligations:
${claims}
kani_harnesses:
${below}
`;
  const top = `metadata: { version: "1.0.0", description: A mean, depends_on: [shares-v1] }
equations:
  mean:
    formula: "Mean(p, v) = Σ_j p_j·v_j"
    domain: "p ∈ F32^n, v ∈ F32^n, 1 ≤ n ≤ 8, 0 ≤ p_j ≤ 1, |v_j| ≤ 10"
proof_obligations:
  - id: M-1
    type: bound
    property: A mean lies between what it averages
    formal: "${formal}"
    requires: ["x ∈ F32^n, |x_i| ≤ 5"]
    semantics: ieee
    applies_to: mean
kani_harnesses:
  - { id: K-3, obligation: M-1, ${harness} }
`;
  const plan = await planOf({ 'shares-v1': sub, 'mean-v1': top }, [
    {
      contract: 'shares-v1',
      equation: 'shares',
      text: `export function kernel(this: any, x: number[], n: number): number { ${shares} }`,
    },
    {
      contract: 'mean-v1',
      equation: 'mean',
      text: `export function kernel(this: any, p: number[], v: number[], n: number): number { ${mean} }`,
    },
  ]);
  return plan.checks.filter(({ method }) => method === 'bounded');
}

/** All proofs in the order of the plan, each with what stands of those before it. */
async function prove(
  parts: Parts,
  lose: (check: Check) => boolean = () => false,
): Promise<ReadonlyMap<string, Receipt>> {
  const receipts = new Map<string, Receipt>();
  let now = 0;
  for (const check of await planned(parts)) {
    const standing = Object.fromEntries([...receipts.values()].map((one) => [one.check, whyNotProved(one)]));
    const { receipt } = await runJob(
      { check, standing, replay: [], timeoutMs: 1e9, tool: planOptions.tool },
      () => now++ * 1e-6,
      functionBackend,
    );
    if (!lose(check)) receipts.set(check.id, receipt);
  }
  return receipts;
}

function last(receipts: ReadonlyMap<string, Receipt>): Receipt {
  const receipt = [...receipts.values()].at(-1);
  invariant(receipt?.proof?.harness === 'K-3' || receipt?.goal === 'mean-v1/M-1', 'the mean is planned last');
  return receipt;
}

describe('a compositional proof', () => {
  it('rests on what is proved about the part, and names it', async () => {
    const receipts = await prove({});
    const receipt = last(receipts);
    expect(receipt).toMatchObject({ verdict: 'proved', reason: null });
    expect(receipt.proof?.assumed?.map(({ goal, harness, scope }) => [goal, harness, scope])).toEqual([
      ['shares-v1/S-1', 'K-1', 'every n from 1 to 4'],
      ['shares-v1/S-2', 'K-2', 'every n from 1 to 4'],
    ]);
    expect(receipt.proof?.engines.find(({ engine }) => engine === 'weights')?.proved).toBeGreaterThan(0);
    expect(receipt.restsOn).toMatchObject({ 'shares-v1/S-1#K-1': receipt.proof?.assumed?.[0]?.check });
    expect(gradeComposed(receipt, (check) => receipts.get(check)).verdict).toBe('proved');
    expect(gradeComposed(receipt, () => undefined)).toMatchObject({ verdict: 'stale' });
  });

  it.each([
    ['a claim of the part is weaker', { claims: sumAndRange.replace('≤ 1e-6', '≤ 1e-2') }, /proved; open: n = /u],
    [
      'a claim of the part is missing',
      { claims: sumAndRange.split('\n')[1] ?? '', below: proofsBelow.split('\n')[1] ?? '' },
      /proved; open: n = /u,
    ],
    ['the part is wrong', { shares: 'return Math.exp(x[this.thread.x]!);' }, /cannot replace the code/u],
    ['the part is proved at fewer sizes', { below: proofsBelow.replaceAll('bound: 4', 'bound: 3') }, /at n = 4/u],
    ['the part asks for no proofs', { below: '  []' }, /no kernel can be replaced/u],
    [
      'it names what is not a claim of a part',
      { harness: 'strategy: compositional, bound: 4, assumes: [S-9]' },
      /no kernel can be replaced|S-9/u,
    ],
  ] as const)('falls where %s', async (_, parts, reason) => {
    const receipt = last(await prove(parts));
    expect(receipt.verdict).toBe('undetermined');
    expect(receipt.reason).toMatch(reason);
  });

  it('falls where the proof below has not run', async () => {
    const receipt = last(await prove({}, ({ goal }) => goal === 'shares-v1/S-1' || goal === 'shares-v1/S-2'));
    expect(receipt).toMatchObject({ verdict: 'undetermined', reason: expect.stringContaining('it has not run') });
  });

  it('refuses code around the part that is wrong, on the real kernels', async () => {
    const receipt = last(await prove({ mean: meanKernel.replace('mean += p', 'mean += 1.001 * p') }));
    expect(receipt.verdict).toBe('falsified');
    expect(receipt.counterexample?.outputs.length).toBeGreaterThan(0);
  });

  it('shows that the part is called inside its domain', async () => {
    const receipt = last(await prove({ formal: 'Mean(Shares(2·x), v) ≤ max_j v_j + 2e-4' }));
    expect(receipt.verdict).toBe('undetermined');
    expect(receipt.proof?.open.join()).toContain('precondition in the claim (shares: x is inside its bounds)');
  });

  it('changes its check with the proof below', async () => {
    const [one, other] = [await planned({}), await planned({ below: proofsBelow.replace('bound: 4', 'bound: 5') })];
    expect(one.at(-1)?.id).not.toBe(other.at(-1)?.id);
  });
});
