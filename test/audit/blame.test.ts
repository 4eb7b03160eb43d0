/** Who is to blame where an equation, in float32, breaks a claim about it: the contract, unless the kernel breaks it too. */
import { describe, expect, it } from 'vitest';
import type { ContractReport } from '../../src/report/report.ts';
import { formatNames, formatReport, plainOptions } from '../../src/report/formats.ts';
import { reportOf } from '../report/sample-reports.ts';
import { audited } from './audited.ts';

const contract = (
  formula: string,
  claim: string,
  domain: string,
): string => `metadata: { version: "1.0.0", description: d }
equations:
  f:
    formula: "${formula}"
    domain: "${domain}"
proof_obligations:
  - { id: C, type: invariant, property: p, applies_to: f, ${claim} }
`;

const softmax = `let largest = x[0];
  for (let j = 1; j < n; j++) { largest = Math.max(largest, x[j]); }
  let sum = 0;
  for (let j = 0; j < n; j++) { sum += Math.exp(x[j] - largest); }
  return Math.exp(x[this.thread.x] - largest) / sum;`;
const naive = `let sum = 0;
  for (let j = 0; j < n; j++) { sum += Math.exp(x[j]); }
  return Math.exp(x[this.thread.x]) / sum;`;

interface Subject {
  readonly yaml: string;
  readonly right: string;
  readonly wrong: string;
}

const subjects: readonly (readonly [string, Subject])[] = [
  [
    'a softmax that does not subtract the maximum',
    {
      yaml: contract(
        'f(x)_i = exp(x_i) / Σ_j exp(x_j)',
        'formal: "0 ≤ f(x)_i ≤ 1"',
        'x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 200',
      ),
      right: softmax,
      wrong: naive,
    },
  ],
  [
    'a log-sum-exp that overflows',
    {
      yaml: contract('f(x) = log(Σ_j exp(x_j))', 'formal: "f(x) ≤ max(x) + 4"', 'x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 200'),
      right: `let m = x[0];
  for (let j = 1; j < n; j++) { m = Math.max(m, x[j]); }
  let sum = 0;
  for (let j = 0; j < n; j++) { sum += Math.exp(x[j] - m); }
  return m + Math.log(sum);`,
      wrong: `let sum = 0;
  for (let j = 0; j < n; j++) { sum += Math.exp(x[j]); }
  return Math.log(sum);`,
    },
  ],
  [
    'a difference of squares that cancels',
    {
      yaml: contract(
        'f(x)_i = x_i * x_i - 1',
        'formal: "f(x)_i ≈ (x_i - 1) * (x_i + 1)", tolerance: { rel: 1e-6 }',
        'x ∈ F32^n, 1 ≤ n ≤ 8, 0.9 ≤ x_i ≤ 1.1',
      ),
      right: 'return (x[this.thread.x] - 1) * (x[this.thread.x] + 1);',
      wrong: 'return x[this.thread.x] * x[this.thread.x] - 1;',
    },
  ],
];

const run = (yaml: string, body: string | null): Promise<ContractReport> =>
  audited(
    'c-v1',
    yaml,
    body === null
      ? []
      : [
          {
            contract: 'c-v1',
            equation: 'f',
            text: `export function kernel(this: any, x: number[], n: number): number { ${body} }`,
          },
        ],
    1000,
  );

describe.each(subjects)('%s', (_, { yaml, right, wrong }) => {
  it('is the contract’s fault where the kernel is right, in every format', async () => {
    const contract = await run(yaml, right);
    const [claim] = contract.claims;
    expect(claim).toMatchObject({ verdict: 'unsound', level: 'L0', counterexample: { kernel: { broken: null } } });
    expect(contract).toMatchObject({ verdict: 'unsound', evaluated: 1, failed: 1, sound: false });
    const report = reportOf([contract]);
    const [kernel] = claim?.counterexample?.kernel?.outputs ?? [];
    const [equation] = claim?.counterexample?.outputs ?? [];
    expect(kernel).toBeDefined();
    for (const format of formatNames) {
      const text = await formatReport(format, report, plainOptions);
      expect(text, format).toContain('unsound');
      expect(text, format).not.toMatch(/is falsified|C falsified/);
      expect(text, format).not.toContain(`the kernel gave ${equation ?? ''}`);
      expect(text, format).toContain(kernel);
    }
  });

  it('is the contract’s fault where there is no kernel, and says what breaks it', async () => {
    const contract = await run(yaml, null);
    expect(contract).toMatchObject({ verdict: 'unsound', evaluated: 1, failed: 1 });
    expect(contract.claims[0]).toMatchObject({ verdict: 'unsound', counterexample: { kernel: null } });
    const text = await formatReport('text', reportOf([contract]), plainOptions);
    expect(text).toMatch(/found: the equation itself, in float32, breaks it/);
    expect(text).toMatch(/at x = /);
    expect(text).toContain('no kernel was run there');
  });

  it('is the kernel’s fault where the kernel breaks the claim too, and says that the equation does', async () => {
    const contract = await run(yaml, wrong);
    expect(contract.claims[0]).toMatchObject({ verdict: 'falsified', level: 'L0' });
    expect(contract.claims[0]?.counterexample?.kernel).toBeUndefined();
    const text = await formatReport('text', reportOf([contract]), plainOptions);
    expect(text).toContain('the kernel gave');
    expect(text).toContain('the equation itself, in float32, breaks it too');
  });
});

it('a sound equation with a right kernel stays tested', async () => {
  const yaml = contract(
    'f(x)_i = exp(x_i - max(x)) / Σ_j exp(x_j - max(x))',
    'formal: "0 ≤ f(x)_i ≤ 1"',
    'x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 200',
  );
  expect((await run(yaml, softmax)).claims[0]).toMatchObject({ verdict: 'tested', counterexample: null });
  expect((await run(yaml, null)).claims[0]).toMatchObject({ verdict: 'unbound', counterexample: null });
});
