import { describe, expect, it } from 'vitest';
import { flushSubnormals, withoutSubnormals } from '../../../src/methods/runs/flush-subnormals.ts';
import { createGenerator, type CaseGenerator } from '../../../src/runtime/generate/generator.ts';
import { planOf } from '../../plan/projects.ts';
import { doublingKernel } from '../../audit/audited.ts';
import type { Domain } from '../../../src/math/domain.ts';
import { INTEGER } from '../../../src/math/term/term.ts';
import { domain as box, input as variable } from '../../runtime/domains.ts';

async function generatorOf(domain: string): Promise<CaseGenerator> {
  const yaml = `metadata: { version: 1, description: d, references: [r] }
equations:
  double: { formula: "D(x)_i = 2·x_i", domain: "${domain}" }
proof_obligations:
  - { id: C0, type: invariant, property: p, formal: "D(x)_i = 2·x_i", applies_to: double }
`;
  const plan = await planOf({ 'double-v1': yaml }, [doublingKernel]);
  const goal = plan.contracts[0]?.goals[0]?.goal;
  if (!goal) throw new Error('the contract has a goal');
  const generator = createGenerator(goal.domain, 1, 'test');
  if (!generator.ok) throw new Error(generator.error);
  return generator.value;
}

const subnormals = Float32Array.of(1e-45, -1e-40, 2 ** -126, -0, 1);

describe('cases for devices', () => {
  it('have 0 in the place of subnormal numbers, and keep all others', async () => {
    const { plan } = await generatorOf('x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 2');
    const values = [subnormals.slice()];
    flushSubnormals(plan, { sizes: [5], values });
    expect(values).toEqual([Float32Array.of(0, 0, 2 ** -126, -0, 1)]);
  });

  it('have the smallest normal number where the domain has no 0', async () => {
    const { plan } = await generatorOf('x ∈ F32^n, 1 ≤ n ≤ 8, 1e-45 ≤ x_i ≤ 2');
    const values = [Float32Array.of(1e-45, 1)];
    flushSubnormals(plan, { sizes: [2], values });
    expect(values).toEqual([Float32Array.of(2 ** -126, 1)]);
  });

  it('have the largest negative normal number where the domain ends below 0', async () => {
    const { plan } = await generatorOf('x ∈ F32^n, 1 ≤ n ≤ 8, -2 ≤ x_i ≤ -1e-45');
    const values = [Float32Array.of(-1e-45, -1)];
    flushSubnormals(plan, { sizes: [2], values });
    expect(values).toEqual([Float32Array.of(-(2 ** -126), -1)]);
  });

  it('are left alone where the domain has neither', async () => {
    const { plan } = await generatorOf('x ∈ F32^n, 1 ≤ n ≤ 8, 1e-45 ≤ x_i ≤ 1e-40');
    const small = Float32Array.of(1e-45, 1e-41);
    const values = [small.slice()];
    flushSubnormals(plan, { sizes: [2], values });
    expect(values).toEqual([small]);
  });

  it('are copies where others use the case, too', async () => {
    const { plan } = await generatorOf('x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 2');
    const original = { sizes: [5], values: [subnormals.slice()] };
    expect(withoutSubnormals(plan, original).values[0]).not.toEqual(subnormals);
    expect(original.values[0]).toEqual(subnormals);
  });

  it('have 0 in the place of a subnormal scalar, too', async () => {
    const { plan } = createdFrom(
      box([], [variable('a', []), variable('b', []), variable('k', [], { element: INTEGER })]),
    );
    const candidate = { sizes: [], values: [1e-45, 2, 3] };
    flushSubnormals(plan, candidate);
    expect(candidate.values).toEqual([0, 2, 3]);
    expect(withoutSubnormals(plan, { sizes: [], values: [-1e-40, 1e-45, 0] }).values).toEqual([0, 0, 0]);
  });
});

function createdFrom(domain: Domain): CaseGenerator {
  const generator = createGenerator(domain, 1, 'test');
  if (!generator.ok) throw new Error(generator.error);
  return generator.value;
}
