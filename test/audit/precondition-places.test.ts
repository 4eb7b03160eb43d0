import { describe, expect, it } from 'vitest';
import { withPlaces } from '../../src/audit/precondition-places.ts';
import { invariant } from '../../src/base/invariant.ts';
import type { ElaboratedContract, Goal } from '../../src/contract/goal.ts';
import { preconditionText } from '../../src/methods/runs/broken-preconditions.ts';
import { planOf } from '../plan/projects.ts';
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

it('finds a precondition in a domain', async () => {
  const reason = await reasonOf(text('x ∈ F32^n, 1 ≤ n ≤ 16, |x_i| ≤ 100, Σ_i x_i ≥ 0'));
  expect(reason).toMatch(/`[^`]*≥ 0` \(line 5; (\d+) of \1 looked at\)/);
});

describe('a reason with the places of preconditions', () => {
  const goalWith = async (yaml: string): Promise<{ readonly goal: Goal; readonly elaborated: ElaboratedContract }> => {
    const [planned] = (await planOf({ c: yaml }, [kernel])).contracts;
    const goal = planned?.goals[0]?.goal;
    invariant(goal, 'the contract has a claim');
    return { goal, elaborated: planned.elaborated };
  };
  const yaml = text('x ∈ F32^n, 1 ≤ n ≤ 16, |x_i| ≤ 100, Σ_i x_i ≥ 0');

  it('has the line after each of them, with the file where it is another', async () => {
    const { goal, elaborated } = await goalWith(yaml);
    const [precondition] = goal.domain.preconditions;
    const span = precondition && elaborated.preconditions.get(precondition);
    invariant(precondition && span, 'the domain has a precondition');
    const shown = preconditionText(precondition);
    const reason = `most often ${shown} (3 of 4)`;
    expect(withPlaces(reason, goal, elaborated)).toBe(`most often ${shown} (line 5; 3 of 4)`);
    const other = { ...span, source: { ...span.source, path: 'other.yaml' } };
    const moved = { ...elaborated, preconditions: new Map([[precondition, other]]) };
    expect(withPlaces(reason, goal, moved)).toBe(`most often ${shown} (other.yaml:5; 3 of 4)`);
  });

  it('is unchanged if it names none of them, or their place is unknown', async () => {
    const { goal, elaborated } = await goalWith(yaml);
    const [precondition] = goal.domain.preconditions;
    invariant(precondition, 'the domain has a precondition');
    const reason = `${preconditionText(precondition)} (3 of 4)`;
    expect(withPlaces('it is false', goal, elaborated)).toBe('it is false');
    expect(withPlaces(reason, goal, { ...elaborated, preconditions: new Map() })).toBe(reason);
    expect(withPlaces(reason, { domain: { ...goal.domain, preconditions: [] } }, elaborated)).toBe(reason);
  });
});
