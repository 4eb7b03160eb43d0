import { expect, it } from 'vitest';
import { givenCase } from '../../../src/runtime/generate/given-case.ts';
import { planDomain } from '../../../src/runtime/generate/domain-plan.ts';
import { contractOf } from '../../audit/adopt/adopted.ts';
import { elaborateAll } from '../../../src/audit/elaborate-all.ts';
import { readContracts } from '../../../src/contract/validate.ts';

const text = contractOf('f(x) = sum(x_i)', 'x ∈ ℝ^n, 1 ≤ n ≤ 2000000, 0 ≤ x_i ≤ 1', []);
const { value } = readContracts([{ path: 'a-v1.yaml', text }], { elsewhere: [] });
const domain = elaborateAll(value)[0]?.equations[0]?.domain;

/** At n elements where `written` are given. */
const at = (n: number, written: number): string | null => {
  const plan = domain && planDomain({ ...domain, sizes: domain.sizes.map((size) => ({ ...size, maximum: 2e6 })) });
  if (!plan?.ok) throw new Error('the domain has a plan');
  const found = givenCase(plan.value, { sizes: [n], values: [Array.from({ length: written }, () => 1)] });
  return found.ok ? null : found.error;
};

it('an explicit input may be large if every element of it is written, and is bounded all the same', () => {
  expect(at(100_000, 100_000)).toBeNull();
  expect(at(100_000, 1)).toBe('it is too large');
  expect(at(2_000_000, 2_000_000)).toBe('it is too large');
});
