/** What a report says of wrong kernels that no claim catches, and of those that only equal sizes reveal. */
import { describe, expect, it } from 'vitest';
import type { MutantOutcome } from '../../src/evidence/receipt.ts';
import { audited, doublingContract, doublingKernel } from './audited.ts';

describe('a survivor', () => {
  it('comes with the smallest input that separates it, and with both outputs there', async () => {
    const contract = doublingContract([['is_finite(D(x)_i)']]);
    const { adequacy } = await audited('double-v1', contract, [doublingKernel], 200);
    const of = (id: string): MutantOutcome | undefined =>
      adequacy?.survivors.find(({ mutant }) => mutant === id || mutant.startsWith(`${id} (`));
    expect(of('saboteur:zero')).toMatchObject({
      separatingInput: { sizes: { n: 1 }, values: { x: { text: '[1]' } } },
      separatingOutputs: { right: '[2]', wrong: '[0]' },
    });
    expect(of('saboteur:reversed')).toMatchObject({
      separatingInput: { sizes: { n: 2 }, values: { x: { text: '[0, 1]' } } },
      separatingOutputs: { right: '[0, 2]', wrong: '[2, 0]' },
    });
    expect(of('equation:2 · x_i → x_i')).toMatchObject({ separatingOutputs: { right: '[2]', wrong: '[1]' } });
  });

  it('is compared inside the domain, preconditions included', async () => {
    const contract = doublingContract([['is_finite(D(x)_i)']]).replace('|x_i| ≤ 100', '|x_i| ≤ 100, x_0 ≥ 7');
    const { adequacy } = await audited('double-v1', contract, [doublingKernel], 200);
    const zero = adequacy?.survivors.find(({ mutant }) => mutant.startsWith('saboteur:zero'));
    expect(zero?.separatingOutputs).toEqual({ right: '[14]', wrong: '[0]' });
  });
});

describe('what is right', () => {
  const weak = doublingContract([['is_finite(D(x)_i)']]);
  const kernelOf = (text: string) => ({
    ...doublingKernel,
    text: `export function kernel(this: any, x: number[]): number { return ${text}; }`,
  });

  it('is what the equation gives, and never what a wrong kernel does that no claim catches', async () => {
    const { adequacy } = await audited('double-v1', weak, [kernelOf('3 * x[this.thread.x]')], 200);
    const of = (id: string): MutantOutcome | undefined =>
      adequacy?.survivors.find(({ mutant }) => mutant.startsWith(id));
    expect(of('saboteur:zero')?.separatingOutputs).toEqual({ right: '[2]', wrong: '[0]', kernel: '[3]' });
  });
});

describe('a mutant that reads outside of an array', () => {
  const contract = `metadata: { version: "1.0.0", description: Differences, references: [a] }
equations:
  gap:
    formula: "y_i = x_{i+1} - x_i"
    domain: "x ∈ F32^n, 2 ≤ n ≤ 16, |x_i| ≤ 200"
    codomain: "y ∈ F32^{n-1}"
proof_obligations:
  - { id: G-1, type: bound, property: p, formal: "¬(gap(x)_i > 500)", applies_to: gap }
`;
  const text =
    'export function kernel(this: any, x: number[]): number { return x[this.thread.x + 1] - x[this.thread.x]; }';

  it('does not survive, since no contract may say such a thing', async () => {
    const { adequacy } = await audited('gap-v1', contract, [{ contract: 'gap-v1', equation: 'gap', text }], 200);
    const names = adequacy?.survivors.map(({ mutant }) => mutant) ?? [];
    expect(names.filter((name) => /i \+ 2|\[this.thread.x \+ 2\]/.test(name))).toEqual([]);
    // What reads inside and is wrong still does.
    expect(names.some((name) => name.startsWith('saboteur:zero'))).toBe(true);
  });
});

describe('an exchange of two inputs', () => {
  const contract = (claim: string): string => `metadata: { version: "1.0.0", description: Weighted, references: [a] }
equations:
  gap:
    formula: "G(x, w) = Σ_i x_i - Σ_j w_j"
    domain: "x ∈ F32^n, w ∈ F32^m, 40 ≤ n ≤ 200, 60 ≤ m ≤ 190, |x_i| ≤ 100, |w_j| ≤ 100"
proof_obligations:
  - id: G-1
    type: invariant
    property: A property
    formal: "${claim}"
    applies_to: gap
    tolerance: { abs: 1 }
`;
  const text = `export function kernel(this: any, x: number[], w: number[], n: number, m: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += x[i];
  for (let j = 0; j < m; j++) sum -= w[j];
  return sum;
}`;
  const kernels = [{ contract: 'gap-v1', equation: 'gap', text }];
  const exchange = '↔';

  it('is tried on equal sizes, which random ones hardly ever are', async () => {
    const caught = await audited('gap-v1', contract('G(x, w) ≈ G_ref(x, w)'), kernels, 200);
    expect(caught.claims[0]).toMatchObject({ verdict: 'tested' });
    expect(caught.adequacy?.survivors.filter(({ mutant }) => mutant.includes(exchange))).toEqual([]);
    const missed = await audited('gap-v1', contract('|G(x, w)| ≈ |G_ref(x, w)|'), kernels, 200);
    const [survivor] = missed.adequacy?.survivors.filter(({ mutant }) => mutant.includes(exchange)) ?? [];
    expect(survivor?.separatingInput?.sizes).toEqual({ n: 60, m: 60 });
  });
});

describe('a wrong kernel that is declared equivalent', () => {
  const declared = (mutant: string, precondition: string): string =>
    `${doublingContract([['|D(x)_i| ≤ 200']]).replace('|x_i| ≤ 100', `|x_i| ≤ 100, ${precondition}`)}qa_gate:
  id: G
  name: Gate
  equivalent_mutants:
    - { mutant: "${mutant}", equation: double, reason: Nobody would notice }
`;

  it.each(['x_0 ≥ -100', 'x_0 ≥ 95', 'x_0 ≥ 98'])(
    'is not believed where it differs plainly on all of %s',
    async (where) => {
      const { adequacy } = await audited('double-v1', declared('equation:2 · x_i → x_i', where), [doublingKernel], 200);
      expect(adequacy?.equivalent).toEqual([]);
      expect(adequacy?.survivors.map(({ mutant }) => mutant)).toContain('equation:2 · x_i → x_i');
    },
  );
});
