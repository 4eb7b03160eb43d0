/** What reports say of claims that are not about single runs of a kernel. */
import { functionBackend } from '../../src/backends/function-kernel.ts';
import { describe, expect, it } from 'vitest';
import { openProofs } from '../../src/audit/open-proofs.ts';
import { buildReport } from '../../src/audit/build-report.ts';
import type { Receipt } from '../../src/evidence/receipt.ts';
import type { Plan } from '../../src/plan/make-plan.ts';
import { abortedResult, runJob } from '../../src/plan/run-job.ts';
import type { Report } from '../../src/report/report.ts';
import { formatReport, plainOptions } from '../../src/report/formats.ts';
import { formatText } from '../../src/report/text.ts';
import { planOf, planOptions } from '../plan/projects.ts';

const contract = (claims: string, sizes = '1 ≤ n ≤ 16'): string => `metadata: { version: "1.0.0", description: Twice }
equations:
  double:
    formula: "D(x)_i = x_i / (1/2)"
    domain: "x ∈ F32^n, ${sizes}, |x_i| ≤ 100"
proof_obligations:
${claims}
`;
const ofKernel = `  - { id: K, type: equivalence, property: p, formal: "D(x) ≈ D_ref(x)", tolerance: { ulp: 0.5 }, applies_to: double }`;
const overReals = `  - { id: R, type: invariant, property: p, formal: "D(x)_i/2 = x_i", semantics: real, methods: { property: { cases: 20 } }, applies_to: double }`;
const text = 'export function kernel(this: any, x: number[]): number { return 2 * x[this.thread.x]; }';

async function reportOf(
  claims: string,
  backends: readonly ('ref32' | 'ref64')[] = ['ref32'],
  kernel = text,
  sizes = '1 ≤ n ≤ 16',
): Promise<Report> {
  const rows = [{ contract: 'c-v1', equation: 'double', text: kernel }];
  const plan: Plan = await planOf({ 'c-v1': contract(claims, sizes) }, rows, {
    backends,
  });
  const receipts: Receipt[] = [];
  for (const check of plan.checks) {
    const job = { check, replay: [], timeoutMs: 1e9, tool: planOptions.tool };
    const { receipt } =
      check.method === 'types' ? abortedResult(job, 'tested', '') : await runJob(job, () => 0, functionBackend);
    receipts.push(check.method === 'types' ? { ...receipt, reason: null } : receipt);
  }
  const currentChecks = new Set(plan.checks.map(({ id }) => id));
  const common = { subjects: [], faults: new Map(), diagnostics: [], minimumLevel: 'L0', reproduce: () => '' } as const;
  return buildReport({ plan, currentChecks, receipts, tool: planOptions.tool, ...common });
}

describe('a claim over the reals', () => {
  it('has its scope and no level, and leaves the level of its contract alone', async () => {
    const report = await reportOf(`${ofKernel}\n${overReals}`);
    const [only] = report.contracts;
    expect(only).toMatchObject({ verdict: 'tested', level: 'L3', evaluated: 2 });
    expect(only?.claims.map(({ id, verdict, level }) => [id, verdict, level])).toEqual([
      ['K', 'tested', 'L3'],
      ['R', 'tested', 'L0'],
    ]);
    expect(only?.claims[1]?.scope).toBe(
      'over the reals: 23 cases, seed 1, 40 digits or more, equal to 80 digits, 1 ≤ n ≤ 8 (the contract goes to 16: larger ones were not tested), about the equation and not about a kernel',
    );
    expect(formatText(report, plainOptions)).toContain('1 claim over the reals, about no kernel');
  });

  it.each(['text', 'json', 'html'] as const)(
    'says as %s how far numbers were compared that it takes for equal',
    async (format) => {
      const report = await reportOf(overReals.replace('D(x)_i/2 = x_i', 'exp(D(x)_i/2) = exp(x_i/2)^2'));
      expect(report.contracts[0]?.claims[0]).toMatchObject({ verdict: 'tested' });
      expect(await formatReport(format, report)).toContain('equal to 80 digits');
    },
  );

  it('says which sizes were tested where the contract sets no upper bound, and nothing where it does', async () => {
    const scopes = async (kernel: string, domain: string): Promise<readonly string[]> => {
      const report = await reportOf(`${kernel}\n${overReals}`, ['ref32'], text, domain);
      return report.contracts[0]?.claims.map(({ scope }) => scope) ?? [];
    };
    const [open, real] = await scopes(ofKernel, 'n ≥ 1');
    expect(open).toContain('1 ≤ n ≤ 64 (the contract sets no upper bound of n: larger ones were not tested)');
    expect(real).toContain('1 ≤ n ≤ 8 (the contract sets no upper bound of n: larger ones were not tested)');
    const [closed] = await scopes(ofKernel, '1 ≤ n ≤ 64');
    expect(closed).toMatch(/1 ≤ n ≤ 64$/);
    const bounded = ofKernel.replace('D(x) ≈ D_ref(x)', 'D(x) ≈ D_ref(x) for n ≤ 100');
    expect((await scopes(bounded, 'n ≥ 1'))[0]).toMatch(/1 ≤ n ≤ 100$/);
  });

  it('gives a contract that has no other no level', async () => {
    expect((await reportOf(overReals)).contracts[0]).toMatchObject({ verdict: 'tested', level: 'L0' });
  });

  it('brings no wrong kernel to the account of its contract', async () => {
    const [alone, both] = [await reportOf(ofKernel), await reportOf(`${ofKernel}\n${overReals}`)];
    expect(both.contracts[0]?.adequacy).toEqual(alone.contracts[0]?.adequacy);
  });
});

it('the tolerance of a backend is reported where it applied', async () => {
  const claims = ofKernel.replace('{ ulp: 0.5 }', '{ ulp: 0.5, backends: { ref64: { rel: 1e-15 } } }');
  const { contracts } = await reportOf(claims, ['ref32', 'ref64']);
  expect(contracts[0]?.claims[0]).toMatchObject({
    verdict: 'tested',
    tolerance: 'ulp 0.5 on ref32, rel 1e-15 on ref64',
    scope:
      '10,000 cases at all 16 sizes and 9 at the numbers in the kernel, seed 1, float32 on ref32, 10,000 cases at all 16 sizes and 9 at the numbers in the kernel, seed 1, float64 on ref64 (tolerance rel 1e-15), 1 ≤ n ≤ 16',
  });
});

describe('the tolerance of a claim', () => {
  const claims = ofKernel.replace('{ ulp: 0.5 }', '{ ulp: 0.5, backends: { ref64: { rel: 1e-15 } } }');

  it('is that of the backend it ran on', async () => {
    expect((await reportOf(claims, ['ref64'])).contracts[0]?.claims[0]?.tolerance).toBe('rel 1e-15');
    expect((await reportOf(claims, ['ref32'])).contracts[0]?.claims[0]?.tolerance).toBe('ulp 0.5');
  });

  it('is that of the run that broke it, in every report', async () => {
    const wrong = text.replace('2 *', '3 *');
    const report = await reportOf(claims, ['ref64'], wrong);
    expect(report.contracts[0]?.claims[0]).toMatchObject({ verdict: 'falsified', tolerance: 'rel 1e-15' });
    for (const format of ['text', 'json', 'markdown', 'html'] as const) {
      const shown = await formatReport(format, report, plainOptions);
      expect(shown, format).toContain('rel 1e-15');
      expect(shown, format).not.toContain('ulp 0.5');
    }
  });

  it('is that of the formula where the formula broke it', async () => {
    const unsound = claims.replace('D(x) ≈ D_ref(x)', 'D(x)_i ≈ 3·x_i');
    expect((await reportOf(unsound, ['ref64'], text.replace('2 *', '3 *'))).contracts[0]?.claims[0]).toMatchObject({
      verdict: 'unsound',
      tolerance: 'ulp 0.5',
    });
  });
});

it('a failed bounded proof is reported if it was requested, and only then', async () => {
  const asked = ofKernel.replace(
    'applies_to',
    'methods: { bounded: { strategy: exhaustive, n: 4, timeout: 60 } }, applies_to',
  );
  const plan = await planOf({ 'c-v1': contract(`${asked}\n${overReals}`) }, [
    { contract: 'c-v1', equation: 'double', text },
  ]);
  const found = openProofs({ plan, receiptsByCheck: new Map() });
  expect(found.map(({ code, severity, message }) => [code, severity, message])).toEqual([
    ['PV-6015', 'warning', "the bounded proof 'K' (exhaustive, sizes to 4) does not hold: it has not run"],
  ]);
});
