/** Bounded proofs from a contract and a kernel as text to a receipt. */
import { functionBackend } from '../../src/backends/function-kernel.ts';
import { describe, expect, it } from 'vitest';
import { invariant } from '../../src/base/invariant.ts';
import { gradeReceipt } from '../../src/evidence/grade.ts';
import type { Receipt } from '../../src/evidence/receipt.ts';
import { runJob } from '../../src/plan/run-job.ts';
import { planOf, planOptions } from './projects.ts';

interface Claim {
  readonly formal: string;
  readonly kernel?: string;
  readonly domain?: string;
  readonly strategy?: string;
  readonly bound?: number;
  /** Of single sizes, as YAML. */
  readonly sizes?: string;
  readonly requires?: string;
  /** In looks at the clock, of which each is one later. */
  readonly looks?: number;
  /** Of a matrix instead of a vector. */
  readonly matrix?: boolean;
}

const halves = 'return x[this.thread.x] / 2;';

/** The receipt of the one proof of a claim about `h(x)_i = x_i / 2`. */
async function prove({
  formal,
  kernel = halves,
  domain = 'x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 100',
  strategy = 'stub_float',
  bound = 3,
  sizes,
  requires,
  looks = 1e15,
  matrix = false,
}: Claim): Promise<Receipt> {
  const contract = `metadata: { version: "1.0.0", description: Halves }
equations:
  half:
    formula: "${matrix ? 'h(x)_ij = x_ij / 2' : 'h(x)_i = x_i / 2'}"
    domain: "${domain}"
proof_obligations:
  - id: H-1
    type: bound
    property: It holds
    formal: "${formal}"
    semantics: ieee
${requires === undefined ? '' : `    requires: ["${requires}"]\n`}kani_harnesses:
  - { id: KANI-1, obligation: H-1, strategy: ${strategy}, bound: ${bound}${sizes === undefined ? '' : `, sizes: ${sizes}`} }
`;
  const text = `export function kernel(this: any, x: number[]${matrix ? '[], n: number, m: number' : ''}): number { ${kernel} }`;
  const plan = await planOf({ 'half-v1': contract }, [{ contract: 'half-v1', equation: 'half', text }]);
  const check = plan.checks.find(({ method }) => method === 'bounded');
  invariant(check, 'the contract asks for a proof');
  let now = 0;
  const { receipt } = await runJob(
    { check, replay: [], timeoutMs: looks * 1e-6, tool: planOptions.tool },
    () => now++ * 1e-6,
    functionBackend,
  );
  return receipt;
}

describe('a bounded proof', () => {
  it('has bounds of its own for single sizes, and says them', async () => {
    const domain = 'x ∈ F32^{n×m}, 1 ≤ n ≤ 8, 1 ≤ m ≤ 8, |x_ij| ≤ 100';
    const kernel = 'return x[this.thread.y][this.thread.x] / 2;';
    const formal = '|h(x)_ij| ≤ 50';
    const { proof } = await prove({ formal, domain, kernel, matrix: true, bound: 2, sizes: '{ n: 4 }' });
    expect(proof).toMatchObject({ bound: 4, instances: 8, scope: 'all 8 sizes with n ≤ 4, m ≤ 2' });
  });

  it('is of every combination of sizes, so that a mistake at one of 256 shows', async () => {
    const domain = 'x ∈ F32^{n×m}, 1 ≤ n ≤ 16, 1 ≤ m ≤ 16, |x_ij| ≤ 100';
    const formal = '|h(x)_ij| ≤ 50';
    const half = 'return x[this.thread.y][this.thread.x] / 2;';
    const common = { formal, domain, matrix: true, strategy: 'interval', bound: 16 };
    const whole = await prove({ ...common, kernel: half });
    expect(whole).toMatchObject({ verdict: 'proved', proof: { instances: 256, inPart: null } });
    const wrong = `if (n === 7 && m === 11) { return x[this.thread.y][this.thread.x]; } ${half}`;
    expect(await prove({ ...common, kernel: wrong })).toMatchObject({ verdict: 'falsified' });
    const some = await prove({ ...common, kernel: half, sizes: '{ n: [1, 16] }' });
    expect(some).toMatchObject({ verdict: 'proved', proof: { inPart: 'n = 2 is left out' } });
    const least = await prove({ ...common, kernel: half, bound: 1 });
    expect(least).toMatchObject({ verdict: 'proved', proof: { instances: 1, inPart: 'no size reaches 2' } });
  });

  it('says that it is in part where there are more combinations than are tried', async () => {
    const domain = 'x ∈ F32^{n×m}, 1 ≤ n ≤ 32, 1 ≤ m ≤ 32, |x_ij| ≤ 100';
    const kernel = 'return x[this.thread.y][this.thread.x] / 2;';
    const { proof } = await prove({
      formal: '|h(x)_ij| ≤ 50',
      domain,
      kernel,
      matrix: true,
      strategy: 'interval',
      bound: 32,
    });
    expect(proof).toMatchObject({
      inPart: 'it leaves combinations of sizes out',
      scope: '28 of the sizes with n, m ≤ 32',
    });
  });

  it('holds for every size up to the bound, with what it rests on', async () => {
    const receipt = await prove({ formal: '|h(x)_i| ≤ 50', strategy: 'interval' });
    expect(gradeReceipt(receipt)).toEqual({ verdict: 'proved', reason: null });
    expect(receipt.proof).toMatchObject({
      harness: 'KANI-1',
      about: 'float32 code',
      bound: 3,
      scope: 'every n from 1 to 3',
      instances: 3,
      open: [],
    });
    expect(receipt.proof?.statements).toBe(receipt.proof?.proved);
    expect(receipt.proof?.witness).not.toBeNull();
    expect(receipt.proof?.refuted?.mutant).toMatch(/^kernel:/u);
  });

  it('that runs out of time is incomplete, wherever it does', async () => {
    const claim = { formal: '|h(x)_i| ≤ 50', strategy: 'interval', bound: 1 };
    const verdicts: string[] = [];
    for (let looks = 1; verdicts.at(-1) !== 'proved' && looks < 1e6; looks = Math.ceil(looks * 1.4))
      verdicts.push(gradeReceipt(await prove({ ...claim, looks })).verdict);
    expect(verdicts.length).toBeGreaterThan(4);
    expect(new Set(verdicts)).toEqual(new Set(['incomplete', 'proved']));
  });

  it('is the same bytes again', async () => {
    const claim = { formal: '|h(x)_i| ≤ 50', strategy: 'interval' };
    const [one, two] = [await prove(claim), await prove(claim)];
    expect({ ...one, timing: null }).toEqual({ ...two, timing: null });
  });

  it('of a false claim is a counterexample that the kernel shows', async () => {
    const receipt = await prove({ formal: '|h(x)_i| ≤ 49', strategy: 'interval' });
    expect(receipt.verdict).toBe('falsified');
    expect(receipt.counterexample?.outputs).toHaveLength(1);
  });

  it('finds the one input that sampling misses', async () => {
    const receipt = await prove({
      formal: 'h(x)_i ≤ 50',
      kernel: 'const v = x[this.thread.x]; return v > 77.7 && v < 77.7001 ? 60 : v / 2;',
      strategy: 'interval',
      bound: 1,
    });
    expect(receipt.verdict).not.toBe('proved');
  });

  it('does not hold if the code divides by zero, although the claim holds for the result', async () => {
    const receipt = await prove({
      formal: '0 ≤ h(x)_i ≤ 1',
      kernel: 'const w = 1 / x[this.thread.x]; return w > 1 ? 1 : 0;',
      strategy: 'interval',
      bound: 1,
    });
    expect(receipt.verdict).toBe('undetermined');
    expect(receipt.proof).toMatchObject({ statements: 2, proved: 2 });
    expect(receipt.proof?.open.join()).toContain('division at 1:');
  });

  it('is vacuous where no input satisfies the preconditions', async () => {
    const receipt = await prove({ formal: 'h(x)_i ≤ 50', requires: 'x_0 > 200', strategy: 'interval' });
    expect(gradeReceipt(receipt).verdict).not.toBe('proved');
  });

  it('is about something where only a result with the other sign breaks the claim', async () => {
    const { verdict, proof } = await prove({
      formal: 'x_i ≤ x_j ⟹ h(x)_i ≤ h(x)_j',
      kernel: 'return x[this.thread.x];',
      bound: 2,
    });
    expect([verdict, proof?.refuted?.mutant]).toEqual(['proved', 'kernel: result → -result']);
  });

  it('shows the input at which the code leaves the arithmetic that the claim assumes', async () => {
    const { verdict, reason } = await prove({
      formal: 'h(x)_i ≥ 0',
      kernel: 'return x[this.thread.x] * x[this.thread.x];',
      domain: 'x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 1e30',
      bound: 1,
    });
    expect(verdict).toBe('undetermined');
    expect(reason).toMatch(/overflow at 1:\d+ \(.* does not overflow\): it fails at x = \[-?[\d.e+]+\]/);
  });

  it('is vacuous where no wrong kernel breaks the claim', async () => {
    const domain = 'x ∈ F32^n, 1 ≤ n ≤ 8, 1 ≤ x_i ≤ 100';
    const receipt = await prove({ formal: '|h(x)_i| ≥ 0', domain, strategy: 'interval' });
    expect(gradeReceipt(receipt)).toMatchObject({ verdict: 'vacuous' });
  });

  it('has only the sizes that are listed, and says them', async () => {
    const { proof, verdict } = await prove({ formal: '|h(x)_i| ≤ 50', strategy: 'interval', sizes: '{ n: [2, 5] }' });
    expect(verdict).toBe('proved');
    expect(proof).toMatchObject({ instances: 2, scope: 'n ∈ {2, 5}', bound: 5 });
    expect(await prove({ formal: '|h(x)_i| ≤ 50', strategy: 'interval', sizes: '{ n: [9, 10] }' })).toMatchObject({
      verdict: 'undetermined',
      reason: 'none of the values listed for n is in the domain',
    });
  });

  it('of a claim that runs no kernel of another contract is composed of nothing', async () => {
    expect(await prove({ formal: '|h(x)_i| ≤ 50', strategy: 'compositional' })).toMatchObject({
      verdict: 'undetermined',
      reason: expect.stringContaining('no kernel can be replaced by what is proved'),
    });
  });

  it('has no sizes where the bound is less than the least of them', async () => {
    const receipt = await prove({ formal: '|h(x)_i| ≤ 50', domain: 'x ∈ F32^n, 4 ≤ n ≤ 8, |x_i| ≤ 100', bound: 2 });
    expect(receipt).toMatchObject({
      verdict: 'undetermined',
      reason: expect.stringContaining('more than the bound 2'),
    });
  });
});
