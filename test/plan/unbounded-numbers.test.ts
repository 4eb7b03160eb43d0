/** ℝ and ℤ have no ends: claims about the mathematics are refuted beyond the numbers that kernels receive, and formats end where they end. */
import { functionBackend } from '../../src/backends/function-kernel.ts';
import { describe, expect, it } from 'vitest';
import { invariant } from '../../src/base/invariant.ts';
import { gradeReceipt } from '../../src/evidence/grade.ts';
import type { Receipt } from '../../src/evidence/receipt.ts';
import { runJob } from '../../src/plan/run-job.ts';
import { planOf, planOptions } from './projects.ts';

interface Claimed {
  readonly formal: string;
  readonly inputs: string;
  readonly semantics?: 'real' | 'ieee';
  readonly strategy?: string;
  /** Explicit inputs of a test that makes the same claim. */
  readonly given?: string;
}

/** Receipts of the checks that decide a claim: its cases, and its proof where a strategy is given. */
async function receiptsOf({
  formal,
  inputs,
  semantics = 'real',
  strategy,
  given,
}: Claimed): Promise<readonly Receipt[]> {
  const harness = `kani_harnesses:\n  - { id: KANI-1, obligation: C-1, strategy: ${strategy}, bound: 2 }\n`;
  const test = `falsification_tests:\n  - { id: T-1, rule: C-1, prediction: ${JSON.stringify(formal)}, given: ${JSON.stringify(given)} }\n`;
  const contract = `metadata: { version: "1.0.0", kind: pattern, description: A successor }
equations:
  next:
    formula: "s(v) = v + 1"
    domain: "v ∈ ℝ"
proof_obligations:
  - id: C-1
    type: bound
    property: It holds
    formal: ${JSON.stringify(formal)}
    requires: [${JSON.stringify(inputs)}]
    semantics: ${semantics}
${strategy === undefined ? '' : harness}${given === undefined ? '' : test}`;
  const plan = await planOf({ 'next-v1': contract }, []);
  const checks = plan.checks.filter(
    ({ goal, method }) => goal.endsWith(given === undefined ? 'C-1' : 'T-1') && deciding.includes(method),
  );
  const receipts: Receipt[] = [];
  for (const check of checks)
    receipts.push(
      (await runJob({ check, replay: [], timeoutMs: 1e9, tool: planOptions.tool }, () => 0, functionBackend)).receipt,
    );
  return receipts;
}

const deciding = ['reals', 'property', 'bounded'];

const verdicts = async (claimed: Claimed): Promise<readonly string[]> =>
  (await receiptsOf(claimed)).map((receipt) => gradeReceipt(receipt).verdict);

describe('what has no end', () => {
  const sets = ['x ∈ ℝ', 'x ∈ ℤ', 'x ∈ ℕ', 'x ∈ ℝ_>0', 'x ∈ ℤ, x ≥ 0', 'x ∈ ℝ, x ≥ 1e60', 'x ∈ ℕ, x ≥ 1e12'];
  it.each(sets.flatMap((inputs) => ['2147483648', '3.5e38', '1e100', '1e300'].map((end) => [inputs, end])))(
    '%s does not end at %s',
    async (inputs, end) => {
      for (const semantics of ['real', 'ieee'] as const) {
        const [receipt] = await receiptsOf({ formal: `x < ${end}`, inputs, semantics });
        expect(receipt?.verdict).toBe('falsified');
        expect(Number(receipt?.counterexample?.input.values['x']?.text)).toBeGreaterThanOrEqual(Number(end));
      }
    },
  );

  it('is shown at a number that is easily read, and the same each time', async () => {
    for (let run = 0; run < 2; run++) {
      const [receipt] = await receiptsOf({ formal: 'x·x ≤ 1e78', inputs: 'x ∈ ℝ, x ≥ 0' });
      expect(receipt?.counterexample?.input.values['x']?.text).toBe('3e39');
    }
  });

  it.each([
    ['x > -3.5e38', 'x ∈ ℝ'],
    ['x·x ≤ 1e78', 'x ∈ ℝ'],
    ['k ≥ 0 ⟹ k < 2147483648', 'k ∈ ℤ'],
    ['k > -2147483648', 'k ∈ ℤ'],
    ['k < 2147483648', 'k ∈ i64'],
    ['x ≥ 1e-46', 'x ∈ (0, 1)'],
    ['ε ≥ 1e-46', 'ε ∈ ℝ, ε > 0'],
    ['Σ_i k_i < 1e12', 'k ∈ ℤ^n, 1 ≤ n ≤ 3'],
    ['Σ_i |x_i| < 1e39', 'x ∈ ℝ^n, 1 ≤ n ≤ 3'],
    ['exp(x) < 1e300', 'x ∈ ℝ, x ≤ 1e3'],
  ])('%s, for %s', async (formal, inputs) => {
    expect(await verdicts({ formal, inputs })).toEqual(['falsified']);
  });
});

it('proofs end nowhere either', async () => {
  for (const strategy of ['stub_float', 'interval', 'bounded_int']) {
    const proof = async (formal: string, inputs: string): Promise<string | undefined> =>
      (await verdicts({ formal, inputs, strategy }))[1];
    expect(await proof('k ≥ 0 ⟹ s(k) < 2147483649', 'k ∈ ℤ')).toBe('falsified');
    expect(await proof('s(x)·s(x) ≤ 1e78', 'x ∈ ℝ')).toBe('falsified');
    // No double is an input that breaks these: what cannot be shown is not claimed.
    expect(await proof('s(x) ≤ 1e400', 'x ∈ ℝ')).toBe('undetermined');
    expect(await proof('s(k) ≤ 1e400', 'k ∈ ℕ')).toBe('undetermined');
    expect(await proof('s(x) ≤ 9223372036854775807', 'x ∈ i64')).toBe('undetermined');
    // Their neighbours are proved, of all numbers.
    expect(await proof('s(k) > k', 'k ∈ ℤ')).toBe(strategy === 'interval' ? 'undetermined' : 'proved');
    expect(await proof('s(x) ≤ 2147483648 ∧ s(x) ≥ -2147483647', 'x ∈ i32')).toBe('proved');
    expect(await proof('s(x) ≥ 1', 'x ∈ ℕ')).toBe('proved');
  }
});

describe('what has ends', () => {
  it.each([
    ['x ∈ i32', -(2n ** 31n), 2n ** 31n - 1n],
    ['x ∈ u32', 0n, 2n ** 32n - 1n],
    ['x ∈ i64', -(2n ** 63n), 2n ** 63n - 1n],
    ['x ∈ usize', 0n, 2n ** 64n - 1n],
  ])('%s lies between %s and %s', async (inputs, low, high) => {
    for (const semantics of ['real', 'ieee'] as const)
      expect(await verdicts({ formal: `x ≥ ${low} ∧ x ≤ ${high}`, inputs, semantics })).toEqual(['tested']);
  });

  it.each([
    ['x ≤ 3.5e38', 'x ∈ F32'],
    ['x ≤ 65504', 'x ∈ F16'],
    ['10·x ≤ 1', 'x ∈ ℝ, x ≤ 0.1'],
    ['3·x ≤ y', 'x ∈ ℝ, y ∈ ℝ, x ≤ y/3'],
    ['x² < 1', 'x ∈ (0, 1)'],
    ['x ≥ 1e60', 'x ∈ ℝ, x ≥ 1e60'],
    ['k mod 2 ≤ 1', 'k ∈ ℤ'],
    ['n ≤ 64', 'x ∈ ℝ^n, n ∈ ℕ, x_i ≥ 0'],
  ])('%s, for %s', async (formal, inputs) => {
    expect(await verdicts({ formal, inputs })).toEqual(['tested']);
  });
});

it('explicit inputs may be any of its numbers', async () => {
  const of = (formal: string, inputs: string, given: string): Promise<readonly string[]> =>
    verdicts({ formal, inputs, given });
  expect(await of('x·x ≤ 1e78', 'x ∈ ℝ', 'x ∈ {2, 1e40}')).toEqual(['falsified']);
  expect(await of('s(x) ≥ x', 'x ∈ ℝ', 'x ∈ {2, 1e40}')).toEqual(['tested']);
  expect(await of('Σ_i k_i < 2147483648', 'k ∈ ℤ^n, 1 ≤ n ≤ 2', 'k ∈ {[3000000000]}')).toEqual(['falsified']);
});

describe('what holds of all real numbers', () => {
  it.each([
    ['x·x ≥ 0', 'x ∈ ℝ'],
    ['exp(x) > 0 ∧ exp(x) ≥ 1 + x', 'x ∈ ℝ'],
    ['tanh(x) ≤ 1 ∧ |sin(x)| ≤ 1', 'x ∈ ℝ'],
    ['1/(1 + exp(-x)) > 0', 'x ∈ ℝ'],
    ['(x + 1)² = x² + 2·x + 1', 'x ∈ ℝ'],
    ['sin(x)² + cos(x)² = 1', 'x ∈ ℝ'],
    ['√(x²) = |x|', 'x ∈ ℝ'],
    ['x/√(x² + 1) ≤ 1', 'x ∈ ℝ'],
    ['a·(b + 1) = a·b + a', 'a ∈ ℤ, b ∈ ℤ'],
    ['⌈N/b⌉·b ≥ N', 'N ∈ ℕ, b ∈ ℕ, b ≥ 1'],
    ['2·p·r/(p + r) = p', 'r ∈ (0, 1], p ∈ [0, 1], p = r'],
    // What is smaller than every float32 is not nothing.
    ['-log(1 - y) = 0 ⟺ y = 0', 'y ∈ [0, 0.5]'],
  ])('%s, for %s', async (formal, inputs) => {
    expect(await verdicts({ formal, inputs })).toEqual(['tested']);
  });

  it('and cannot be decided far out is tested on the ordinary numbers, with the number of open cases', async () => {
    // x⁴ + 1 needs 1,200 digits.
    const [receipt] = await receiptsOf({ formal: 'x⁴ + 1 > x⁴', inputs: 'x ∈ ℝ' });
    invariant(receipt?.beyond, 'ℝ goes beyond the numbers of kernels');
    expect(receipt).toMatchObject({ verdict: 'tested', declaredCases: 200 });
    expect(receipt.beyond.cases + receipt.beyond.open).toBeGreaterThanOrEqual(50);
    expect(receipt.beyond.open).toBeGreaterThan(0);
  });

  it('in doubles is not refuted by their overflow', async () => {
    // x² is infinite in float64 from 1.4e154, and Infinity - Infinity is not a number.
    expect(await verdicts({ formal: '(x² + 1) - x² ≤ 2', inputs: 'x ∈ ℝ', semantics: 'ieee' })).toEqual(['tested']);
  });
});
