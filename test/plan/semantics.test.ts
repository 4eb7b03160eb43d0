/**
 * Claims over the reals and about distributions, from their YAML to a receipt.
 *
 * Holds src/plan/found.ts, src/plan/open-subjects.ts, src/plan/run-job.ts, src/plan/run-reals.ts,
 * src/plan/wrong-kernels.ts.
 */
import { functionBackend } from '../../src/backends/function-kernel.ts';
import { describe, expect, it } from 'vitest';
import { invariant } from '../../src/base/invariant.ts';
import type { MethodId, Receipt } from '../../src/evidence/receipt.ts';
import type { Plan } from '../../src/plan/make-plan.ts';
import { runJob } from '../../src/plan/run-job.ts';
import { planOf, planOptions } from './projects.ts';

async function receiptOf(plan: Plan, method: MethodId, backend?: string): Promise<Receipt> {
  const check = plan.checks.find((one) => one.method === method && (backend === undefined || one.backend === backend));
  invariant(check, `there is a check of method ${method}`);
  let now = 0;
  const { receipt } = await runJob(
    { check, replay: [], timeoutMs: 1e9, tool: planOptions.tool },
    () => now++ * 1e-6,
    functionBackend,
  );
  return receipt;
}

const kernelText = (parameters: string, body: string): string =>
  `export function kernel(this: any, ${parameters}): number { const i = this.thread.x; ${body} }`;

const contract = (
  equation: string,
  domain: string,
  claim: string,
): string => `metadata: { version: "1.0.0", description: d }
equations:
  f:
    formula: "${equation}"
    domain: "${domain}"
proof_obligations:
  - { id: C, type: invariant, property: p, applies_to: f, ${claim} }
`;

describe('a statistical claim about dropout', () => {
  const dropout = (claim: string): string =>
    contract(
      'f(x, u)_i = if u_i < p then 0 else x_i / (1 - p)',
      'x ∈ F32^n, u ∈ F32^n, p ∈ F32, 2 ≤ n ≤ 8, 1 ≤ x_i ≤ 100, 0 ≤ u_i < 1, 0.25 ≤ p ≤ 0.75',
      claim,
    );
  const mean =
    'formal: "mean(f(x, u)_i) ≈ x_i", semantics: statistical, tolerance: { rel: 0.15 }, methods: { statistical: { random: [u], draws: 8000, settings: 3 } }';
  const rate =
    'formal: "probability(f(x, u)_i = 0) ≈ p", semantics: statistical, tolerance: { abs: 0.05 }, methods: { statistical: { random: [u], draws: 8000, settings: 3 } }';
  const run = async (claim: string, body: string): Promise<Receipt> =>
    receiptOf(
      await planOf({ 'd-v1': dropout(claim) }, [
        { contract: 'd-v1', equation: 'f', text: kernelText('x: number[], u: number[], p: number', body) },
      ]),
      'statistical',
    );

  const right = 'return u[i] < p ? 0 : x[i] / (1 - p);';
  const unscaled = 'return u[i] < p ? 0 : x[i];';
  const otherRate = 'return u[i] < p * p ? 0 : x[i] / (1 - p * p);';
  const biased = 'if (i < 1) { return x[i]; } return u[i] < p ? 0 : x[i] / (1 - p);';

  it.each([
    ['mean', mean],
    ['rate', rate],
  ])('holds of the right kernel: %s', async (_, claim) => {
    const receipt = await run(claim, right);
    expect(receipt).toMatchObject({ verdict: 'tested', reason: null, cases: 24_000, declaredCases: 24_000 });
    const [record] = receipt.statistics ?? [];
    invariant(record, 'there is a comparison');
    expect(record.within).toBe(record.intervals);
    expect(record.worst.low).toBeLessThan(record.worst.estimate);
    expect(record.worst.high).toBeGreaterThan(record.worst.estimate);
    // Every interval has its share of alpha, so all of them together miss with at most that.
    expect(record.worst.alpha * record.intervals).toBeLessThanOrEqual(0.001 * (1 + 1e-9) * 3);
  });

  it.each([
    ['no scaling', mean, unscaled],
    ['another rate', rate, otherRate],
    ['a biased mask', rate, biased],
  ])('is broken by %s', async (_, claim, body) => {
    const receipt = await run(claim, body);
    expect(receipt.verdict).toBe('falsified');
    expect(receipt.counterexample?.explanation).toMatch(/confidence 99\.9\d* %; right = .* intervals lie within/);
  });

  it('does not see what it does not measure', async () => {
    // Another rate with the scale that fits it has the right mean.
    expect((await run(mean, otherRate)).verdict).toBe('tested');
  });

  it('is open where the draws do not suffice', async () => {
    const receipt = await run(rate.replace('8000', '200'), right);
    expect(receipt.verdict).toBe('undetermined');
    expect(receipt.reason).toContain('more draws would decide');
  });

  it('gives the same figures for the same seed, and others for another', async () => {
    const seeded = (seed: number): string =>
      mean.replace('{ statistical:', `{ property: { seed: ${seed} }, statistical:`);
    const [first, again, other] = [
      await run(seeded(5), right),
      await run(seeded(5), right),
      await run(seeded(6), right),
    ];
    expect(again.statistics).toEqual(first.statistics);
    expect(other.statistics).not.toEqual(first.statistics);
    expect(first.generator.seed).toBe(5);
  });

  it('needs a finite range to draw from', async () => {
    const open = dropout(mean).replace(', 0 ≤ u_i < 1', '');
    const plan = await planOf({ 'd-v1': open }, [
      { contract: 'd-v1', equation: 'f', text: kernelText('x: number[], u: number[], p: number', right) },
    ]);
    const { verdict, reason } = await receiptOf(plan, 'statistical');
    expect([verdict, reason]).toEqual(['undetermined', expect.stringContaining('finite range')]);
  });

  it('is held against wrong kernels', async () => {
    const plan = await planOf({ 'd-v1': dropout(mean) }, [
      { contract: 'd-v1', equation: 'f', text: kernelText('x: number[], u: number[], p: number', right) },
    ]);
    const { mutants } = await receiptOf(plan, 'adequacy');
    const zero = mutants?.find(({ mutant }) => mutant.startsWith('saboteur:zero'));
    expect(zero?.killedByOrdinary).toEqual(['d-v1/C']);
    expect(mutants?.some(({ killedBy }) => killedBy.length === 0)).toBe(true);
  });
});

describe('a statistical claim about He initialisation', () => {
  // He et al. (2015), arXiv:1502.01852, equation 10: the variance is 2/n for n inputs; uniform on ±√(6/n).
  const he = (claim: string): string =>
    contract(
      'f(u, a)_i = a·(2·u_i - 1)·sqrt(6/n)',
      'u ∈ F32^m, a ∈ F32, 1 ≤ m ≤ 4, n ∈ ℕ, 1 ≤ n ≤ 16, 0 ≤ u_i < 1, 1 ≤ a ≤ 1',
      claim,
    );
  const variance =
    'formal: "variance(f(u, a)_i) ≈ 2/n", semantics: statistical, tolerance: { rel: 0.1 }, methods: { statistical: { random: [u], draws: 8000 } }';
  const run = async (claim: string, body: string): Promise<Receipt> =>
    receiptOf(
      await planOf({ 'h-v1': he(claim) }, [
        { contract: 'h-v1', equation: 'f', text: kernelText('u: number[], a: number, n: number', body) },
      ]),
      'statistical',
    );

  it('holds of the right kernel', async () => {
    expect(await run(variance, 'return a * (2 * u[i] - 1) * Math.sqrt(6 / n);')).toMatchObject({ verdict: 'tested' });
  });

  it.each([
    ['the variance of Glorot', 'return a * (2 * u[i] - 1) * Math.sqrt(3 / n);'],
    ['a standard deviation in place of a variance', 'return a * (2 * u[i] - 1) * (2 / n);'],
    ['draws that are not spread over both signs', 'return a * u[i] * Math.sqrt(6 / n);'],
  ])('is broken by %s', async (_, body) => {
    expect(await run(variance, body)).toMatchObject({ verdict: 'falsified' });
  });
});

describe('a claim over the reals', () => {
  const softmax = (claim: string): string =>
    contract('f(x)_i = exp(x_i - max(x)) / Σ_j exp(x_j - max(x))', 'x ∈ F32^n, 1 ≤ n ≤ 512, |x_i| ≤ 1e3', claim);
  const run = async (claim: string, method: MethodId = 'reals'): Promise<Receipt> =>
    receiptOf(
      await planOf({ 's-v1': softmax(`${claim}, semantics: real, methods: { property: { cases: 40 } }`) }, []),
      method,
    );

  it.each([
    ['holds exactly where no float does', 'formal: "Σ_i f(x)_i = 1"'],
    ['keeps strict inequalities', 'formal: "f(x)_i > 0"'],
    ['knows shifts', 'formal: "f(x + c) = f(x)", requires: "c ∈ F32, |c| ≤ 1e3"'],
  ])('%s', async (_, claim) => {
    expect(await run(claim)).toMatchObject({
      verdict: 'tested',
      declaredCases: 40,
      backend: { id: 'decimal', arithmetic: 'decimal' },
      subject: { kind: 'equation' },
    });
  });

  it('sees what float64 cannot', async () => {
    const receipt = await run('formal: "Σ_i f(x)_i = 1.0000000000000000000000001"');
    expect(receipt.verdict).toBe('falsified');
    expect(receipt.counterexample?.explanation).toMatch(/over the reals, 1 = 1\.\d+ is false \(\d+ digits\)/);
  });

  it('distinguishes what forty digits treat as equal', async () => {
    const order = contract(
      'f(x)_i = exp(x_i) / (exp(x_0) + exp(x_1))',
      'x ∈ F32^n, n = 2, 0 ≤ x_i ≤ 1e-30',
      'formal: "x_i > x_j ⟹ f(x)_i > f(x)_j", semantics: real, methods: { property: { cases: 100 } }',
    );
    expect(await receiptOf(await planOf({ 's-v1': order }, []), 'reals')).toMatchObject({ verdict: 'tested' });
  });

  it('falsifies a strict order between equal numbers that rounding sets apart', async () => {
    expect(await run('formal: "Σ_i f(x)_i < 1"')).toMatchObject({ verdict: 'falsified' });
  });

  it('is held against wrong equations', async () => {
    const { mutants } = await run('formal: "Σ_i f(x)_i = 1"', 'adequacy');
    expect(mutants?.some(({ killedBy }) => killedBy.length === 1)).toBe(true);
    expect(mutants?.some(({ killedBy }) => killedBy.length === 0)).toBe(true);
  });

  it('is held against them at more sizes than the smallest', async () => {
    // Of one element every equation that only weighs the positions otherwise is right.
    const weighted = contract(
      'f(x) = Σ_i (i + 1)·x_i',
      'x ∈ F32^n, 1 ≤ n ≤ 6, 1 ≤ x_i ≤ 2',
      'formal: "f(x) = Σ_i (i + 1)·x_i", semantics: real, methods: { property: { cases: 20 } }',
    );
    const { mutants } = await receiptOf(await planOf({ 'w-v1': weighted }, []), 'adequacy');
    expect(mutants?.filter(({ killedBy }) => killedBy.length === 0).map(({ mutant }) => mutant)).toEqual([]);
    expect(mutants?.map(({ mutant }) => mutant)).toContain('equation:x_i → x_{(i + 1) mod n}');
  });

  it('says when no premise holds', async () => {
    expect(await run('formal: "f(x)_i > 2 ⟹ f(x)_i = 7"')).toMatchObject({ verdict: 'vacuous' });
  });

  it('needs no kernel, and plans no check that would run one', async () => {
    const plan = await planOf({ 's-v1': softmax('formal: "Σ_i f(x)_i = 1", semantics: real') }, []);
    expect(plan.checks.map(({ method }) => method)).toEqual(['reals', 'adequacy']);
    expect(plan.contracts[0]?.goals[0]?.unboundEquations).toEqual([]);
  });
});

describe('tolerances of backends', () => {
  const scaled = contract(
    'f(x)_i = x_i / 3',
    'x ∈ F32^n, 1 ≤ n ≤ 8, 1 ≤ x_i ≤ 100',
    'formal: "f(x) ≈ f_ref(x)", tolerance: { rel: 1e-12, backends: { ref32: { ulp: 1 } } }',
  );
  const plan = planOf(
    { 't-v1': scaled },
    [{ contract: 't-v1', equation: 'f', text: kernelText('x: number[]', 'return x[i] / 3;') }],
    { backends: ['ref32', 'gpujs-cpu'], cases: 200 },
  );

  it('decide on their backend, the common one elsewhere', async () => {
    expect((await receiptOf(await plan, 'property', 'ref32')).verdict).toBe('tested');
    expect((await receiptOf(await plan, 'property', 'gpujs-cpu')).verdict).toBe('falsified');
  });

  it('hold for the equation in float32, which runs on the reference', async () => {
    expect((await receiptOf(await plan, 'soundness')).verdict).toBe('tested');
  });
});
