/** Kernels that are wrong at a number of their own text and nowhere else. */
import { describe, expect, it } from 'vitest';
import { elaborateAll } from '../../src/audit/elaborate-all.ts';
import { invariant } from '../../src/base/invariant.ts';
import { literalCases, literalsIn } from '../../src/methods/literals.ts';
import { audited } from '../audit/audited.ts';
import { contractOf } from '../plan/projects.ts';

const contract = (domain: string): string => `metadata:
  version: "1.0.0"
  description: Doubles
  references: ["Nobody (2024) Twice"]
equations:
  double:
    formula: "D(x)_i = 2·x_i"
    domain: "${domain}"
proof_obligations:
  - id: D-001
    type: equivalence
    property: The kernel computes the equation
    formal: "D(x)_i = 2·x_i"
    applies_to: double
`;

const vectors = 'x ∈ F32^n, 1 ≤ n ≤ 32, |x_i| ≤ 100';

async function verdictOf(result: string, domain = vectors) {
  const text = `import type { IKernelFunctionThis } from 'gpu.js';
export function kernel(this: IKernelFunctionThis, x: number[], n: number): number { return ${result}; }
`;
  const kernels = [{ contract: 'double-v1', equation: 'double', text }];
  return (await audited('double-v1', contract(domain), kernels, 300)).claims[0];
}

describe('a kernel that special-cases a number of its text', () => {
  it.each([
    ['one value', 'x[this.thread.x]! === 4.97 ? 0 : 2 * x[this.thread.x]!', vectors],
    ['a negative value', 'x[this.thread.x]! === -12.375 ? 0 : 2 * x[this.thread.x]!', vectors],
    ['one length', 'n === 9973 ? 0 : 2 * x[this.thread.x]!', 'x ∈ F32^n, 1 ≤ n ≤ 16384, |x_i| ≤ 100'],
  ])('at %s dies', async (_, wrong, domain) => {
    expect(await verdictOf(wrong, domain)).toMatchObject({ verdict: 'falsified' });
  });

  it('is not confused with one that is right, whose scope counts them', async () => {
    const claim = await verdictOf('x[this.thread.x]! > 4.97 ? x[this.thread.x]! * 2 : 2 * x[this.thread.x]!');
    expect(claim).toMatchObject({ verdict: 'tested' });
    expect(claim?.scope).toMatch(/ and \d+ at the numbers in the kernel/);
  });
});

describe('the numbers of a text', () => {
  it.each([
    ['if (x > 4.97) return 1e-3 * .5;', [4.97, 1e-3, 0.5]],
    ['a1 + x2[0] + 0x1F + b.c3', [31]],
    ['x - 3 - 3 + 7', [3, 7]],
    ['', []],
  ])('%s', (text, expected) => {
    expect(literalsIn(text).toSorted((a, b) => a - b)).toEqual(expected.toSorted((a, b) => a - b));
  });

  it('are the last ones of a long text', () => {
    const found = literalsIn(Array.from({ length: 500 }, (_, i) => `${i + 1}`).join(' + '));
    expect(found).toHaveLength(48);
    expect(found.at(-1)).toBe(500);
  });
});

it('gives the same inputs each time, inside the domain, and a bounded number', () => {
  const [elaborated] = elaborateAll([contractOf('double-v1', contract(vectors))]);
  const model = elaborated?.equations[0];
  invariant(model, 'the contract has an equation');
  const source = Array.from({ length: 60 }, (_, i) => `x + ${i}.5 + ${i}`).join(';');
  const cases = literalCases(model, source, 1);
  expect(literalCases(model, source, 1)).toEqual(cases);
  expect(cases.length).toBeLessThanOrEqual(256);
  expect(cases.length).toBeGreaterThan(128);
  for (const { sizes, values } of cases) {
    expect(sizes[0]).toBeLessThanOrEqual(32);
    expect((values[0] as Float32Array).every((x) => Math.abs(x) <= 100)).toBe(true);
  }
});
