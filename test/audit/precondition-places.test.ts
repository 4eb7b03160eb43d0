import { expect, it } from 'vitest';
import { audited } from './audited.ts';

const text = (
  domain: string,
  preconditions = '',
): string => `metadata: { version: "1.0.0", description: Twice, references: [a] }
equations:
  double:
    formula: "D(x)_i = 2·x_i"
    domain: "${domain}"
${preconditions}proof_obligations:
  - { id: A, type: bound, property: p, formal: "D(x)_i ≤ 200", applies_to: double }
`;
const kernel = {
  contract: 'c',
  equation: 'double',
  text: `interface KernelThread { readonly thread: { readonly x: number } }
export function kernel(this: KernelThread, x: readonly number[], n: number): number { return 2 * x[this.thread.x]!; }`,
};

async function reasonOf(yaml: string): Promise<string | null> {
  const { claims } = await audited('c', yaml, [kernel], 200);
  return claims[0]?.reason ?? null;
}

it('names the preconditions that filter most, the first of them first, each with its line', async () => {
  const yaml = text(
    'x ∈ F32^n, 1 ≤ n ≤ 16, |x_i| ≤ 100',
    `    preconditions:
      - "Σ_i x_i² ≥ 1"
      - "Σ_i x_i ≥ 0"
`,
  );
  const reason = await reasonOf(yaml);
  const line = yaml.split('\n').findIndex((row) => row.includes('Σ_i x_i ≥ 0')) + 1;
  expect(reason).toMatch(/^\d+ of \d+ inputs \(\d+ %\) broke a precondition, most often `/);
  expect(reason).toMatch(new RegExp(`most often \`[^\`]*≥ 0\` \\(line ${line}; \\d+ of \\d+ looked at\\)`));
  expect(reason).toContain('state it as bounds of the domain');
});

it('finds a precondition that stands in a domain', async () => {
  const reason = await reasonOf(text('x ∈ F32^n, 1 ≤ n ≤ 16, |x_i| ≤ 100, Σ_i x_i ≥ 0'));
  expect(reason).toMatch(/`[^`]*≥ 0` \(line 5; (\d+) of \1 looked at\)/);
});
