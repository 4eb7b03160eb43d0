/**
 * Kernels that are wrong at sizes that people use and at no smaller one.
 *
 * Holds src/plan/large-inputs.ts, src/contract/elaborate/equations/large-sizes.ts.
 */
import { describe, expect, it } from 'vitest';
import { elaborateAll } from '../../src/audit/elaborate-all.ts';
import { invariant } from '../../src/base/invariant.ts';
import { readContract } from '../../src/contract/read.ts';
import type { EquationModel } from '../../src/contract/goal.ts';
import { largeTiers } from '../../src/methods/large.ts';
import { largeSizesOf, secretLargeSizes } from '../../src/plan/large-inputs.ts';
import type { ClaimReport } from '../../src/report/report.ts';
import { audited } from '../audit/audited.ts';
import { contractOf, planOf } from '../plan/projects.ts';

interface Subject {
  readonly formula: string;
  readonly domain: string;
  readonly large: string;
  readonly claim: string;
  /** Parameters of the kernel, and its body right and wrong. */
  readonly parameters: string;
  readonly right: string;
  readonly wrong: string;
}

const softmaxBody = (end: string): string => `let most = x[0]!;
  for (let j = 0; j < ${end}; j++) { most = Math.max(most, x[j]!); }
  let sum = 0;
  for (let j = 0; j < ${end}; j++) { sum += Math.exp(x[j]! - most); }
  return Math.exp(x[this.thread.x]! - most) / sum;`;

const meanBody = (end: string): string => `let sum = 0;
  let weights = 0;
  const last = ${end};
  for (let j = 0; j < last; j++) {
    const weight = Math.exp(q * k[j]!);
    weights += weight;
    sum += weight * v[j]!;
  }
  return sum / weights;`;

const ropeBody = (position: string): string => `const position = ${position};
  const angle = position * Math.pow(b, (-1 * this.thread.x) / 4);
  return Math.cos(angle) * x[this.thread.y]![this.thread.x]!;`;

const cacheBody = (row: string): string => `const row = ${row};
  if (this.thread.x === row) { return k; }
  return c[this.thread.x]!;`;

const subjects: Readonly<Record<string, Subject>> = {
  'a softmax that ends after 1,024 elements': {
    formula: 'f(x)_i = exp(x_i - max(x)) / Σ_j exp(x_j - max(x))',
    domain: 'x ∈ F32^n, 1 ≤ n ≤ 64, |x_i| ≤ 20',
    large: '{ n: 2048 }',
    claim: 'f(x) ≈ f_ref(x)',
    parameters: 'x: number[], n: number',
    right: softmaxBody('n'),
    wrong: softmaxBody('Math.min(n, 1024)'),
  },
  'an attention over blocks of 256 that drops the rest': {
    formula: 'f(q, k, v) = (Σ_j exp(q·k_j)·v_j) / Σ_j exp(q·k_j)',
    domain: 'q ∈ F32, k ∈ F32^s, v ∈ F32^s, 1 ≤ s ≤ 16, |q| ≤ 2, |k_j| ≤ 2, |v_j| ≤ 10',
    large: '{ s: 1000 }',
    claim: 'f(q, k, v) ≈ f_ref(q, k, v)',
    parameters: 'q: number, k: number[], v: number[], s: number',
    right: meanBody('s'),
    wrong: meanBody('s < 256 ? s : 256 * Math.floor(s / 256)'),
  },
  'a cache that wraps after 64 rows': {
    formula: 'f(c, k, p)_j = { k if j = p; c_j otherwise }',
    domain: 'c ∈ F32^m, k ∈ F32, p ∈ ℤ, 1 ≤ m ≤ 6, 0 ≤ p < m, |c_j| ≤ 40, |k| ≤ 40',
    large: '{ m: 4096 }',
    claim: 'f(c, k, p)_j = f_ref(c, k, p)_j',
    parameters: 'c: number[], k: number, p: number',
    right: cacheBody('p'),
    wrong: cacheBody('p - 64 * Math.floor(p / 64)'),
  },
  'positions in float16, which has 11 bits': {
    formula: 'f(x, b)_pc = cos(p·b^(-c/4))·x_pc',
    domain: 'x ∈ F32^{n×d}, b ∈ F32, 1 ≤ n ≤ 16, 1 ≤ d ≤ 4, |x_pc| ≤ 1e3, 100 ≤ b ≤ 1e6',
    large: '{ n: 131072, d: 2 }',
    claim: 'f(x, b) ≈ f_ref(x, b)',
    parameters: 'x: number[][], b: number',
    right: ropeBody('this.thread.y'),
    wrong: ropeBody('this.thread.y < 2048 ? this.thread.y : 64 * Math.round(this.thread.y / 64)'),
  },
  'a counter of eight bits': {
    formula: 'f(x)_i = i·x_i',
    domain: 'x ∈ F32^n, 1 ≤ n ≤ 64, |x_i| ≤ 100',
    large: '{ n: 512 }',
    claim: 'f(x) ≈ f_ref(x)',
    parameters: 'x: number[]',
    right: 'return this.thread.x * x[this.thread.x]!;',
    wrong: 'return (this.thread.x - 256 * Math.floor(this.thread.x / 256)) * x[this.thread.x]!;',
  },
};

const contractText = ({ formula, domain, claim }: Subject, large: string | null): string => `metadata:
  version: "1.0.0"
  description: Is used at large sizes
  references: ["Nobody (2024) Large sizes"]
equations:
  f:
    formula: "${formula}"
    domain: "${domain}"${large === null ? '' : `\n    large: [${large}]`}
proof_obligations:
  - id: L-001
    type: equivalence
    property: The kernel computes the equation
    formal: "${claim}"
    tolerance: { cond: 16, abs: 1e-30 }
    applies_to: f
`;

const exact = (text: string): string => text.replace(/ {4}tolerance.*\n/, '');

function textOf(subject: Subject, large: string | null): string {
  const text = contractText(subject, large);
  return subject.claim.includes('≈') ? text : exact(text);
}

const kernelText = (parameters: string, body: string): string =>
  `import type { IKernelFunctionThis } from 'gpu.js';
export function kernel(this: IKernelFunctionThis, ${parameters}): number {
  ${body}
}
`;

async function claimOf(subject: Subject, body: string, large: string | null): Promise<ClaimReport | undefined> {
  const kernels = [{ contract: 'large-v1', equation: 'f', text: kernelText(subject.parameters, body) }];
  return (await audited('large-v1', textOf(subject, large), kernels, 500)).claims[0];
}

describe.each(Object.entries(subjects))('%s', (_, subject) => {
  it('dies at a large size and at no other', async () => {
    expect(await claimOf(subject, subject.wrong, null)).toMatchObject({ verdict: 'tested' });
    expect(await claimOf(subject, subject.wrong, subject.large)).toMatchObject({ verdict: 'falsified' });
  });

  it('passes when it is right, and its scope names both domains', async () => {
    const claim = await claimOf(subject, subject.right, subject.large);
    expect(claim).toMatchObject({ verdict: 'tested' });
    expect(claim?.scope).toMatch(/^500 cases .*and 2 at [a-z] = [\d,]+/);
  });
});

const [softmax] = Object.values(subjects);
invariant(softmax, 'there is a subject');

const modelOf = async (large: string): Promise<EquationModel> => {
  const [elaborated] = elaborateAll([contractOf('large-v1', contractText(softmax, large))]);
  const model = elaborated?.equations[0];
  invariant(model, 'the contract has an equation');
  return model;
};

it('draws the same inputs each time, inside every other bound', async () => {
  const { domain, large } = await modelOf('{ n: 300 }, { n: 4096 }');
  const tiers = largeTiers(domain, large, 1, 'g');
  expect(largeTiers(domain, large, 1, 'g')).toEqual(tiers);
  expect(tiers.map(({ cases }) => cases.map(({ sizes }) => sizes))).toEqual([
    [[300], [300]],
    [[4096], [4096]],
  ]);
  const values = tiers.flatMap(({ cases }) => cases.flatMap(({ values: [x] }) => [...(x as Float32Array)]));
  expect(values.every((x) => Math.abs(x) <= 20)).toBe(true);
});

it.each([
  ['{ m: 300 }', 'PV-4056'],
  ['{ n: 0 }', 'PV-2005'],
  ['{ n: 4.5 }', 'PV-2002'],
  ['{ n: 4e9 }', 'PV-2005'],
  ['{}', 'PV-2005'],
])('refuses %s', (large, code) => {
  const { value, diagnostics } = readContract({ path: 'large-v1.yaml', text: contractText(softmax, large) });
  const found = [...diagnostics, ...elaborateAll(value ? [value] : []).flatMap((one) => one.diagnostics)];
  expect(found.map((one) => one.code)).toContain(code);
});

it('refuses a multiple and a minimum of the domain, and a size that others define', () => {
  const subject = { ...softmax, domain: 'x ∈ F32^n, n = 2·k, 4 ≤ k ≤ 8, k mod 4 = 0' };
  const [elaborated] = elaborateAll([contractOf('large-v1', contractText(subject, '{ n: 8 }, { k: 2 }, { k: 30 }'))]);
  expect(elaborated?.diagnostics.map(({ code, message }) => [code, message])).toEqual([
    ['PV-4056', 'The domain computes n from other sizes'],
    ['PV-4056', 'k = 2 is below its minimum, 4'],
    ['PV-4056', 'k = 30 is not a multiple of 4'],
  ]);
});

it('leaves out sizes at which a claim takes too long', async () => {
  const text = textOf(softmax, '{ n: 4096 }').replace('f(x) ≈ f_ref(x)', 'f(x)_i·f(x)_j·f(x)_k ≈ f(x)_k·f(x)_j·f(x)_i');
  const kernel = { contract: 'large-v1', equation: 'f', text: kernelText('x: number[], n: number', softmaxBody('n')) };
  const { checks } = await planOf({ 'large-v1': text }, [kernel], { cases: 100 });
  const work = checks.find(({ method }) => method === 'property')?.work;
  invariant(work?.kind === 'goal', 'the claim is tested');
  expect(largeSizesOf(work.goal, work.subjects)).toEqual([]);
});

it('draws sizes for who may know the entries, odd ones between the domain and each entry, others for another seed', async () => {
  const subject = {
    ...softmax,
    domain: 'x ∈ F32^{r×n}, 1 ≤ r ≤ 4, 1 ≤ n ≤ 16, |x_ai| ≤ 20',
    formula: 'f(x)_ai = 2·x_ai',
  };
  const text = exact(contractText(subject, '{ r: 2, n: 4096 }, { n: 16 }')).replace(
    /formal: .*/,
    'formal: "f(x)_ai = 2·x_ai"',
  );
  const kernel = {
    contract: 'large-v1',
    equation: 'f',
    text: kernelText('x: number[][], r: number, n: number', 'return 0;'),
  };
  const { checks } = await planOf({ 'large-v1': text }, [kernel], { cases: 100 });
  const work = checks.find(({ method }) => method === 'property')?.work;
  invariant(work?.kind === 'goal', 'the claim is tested');
  const { goal, subjects: tested } = work;
  const drawn = (seed: number): ReturnType<typeof secretLargeSizes> =>
    secretLargeSizes(goal, tested, { entries: [{ r: 2, n: 4096 }, { n: 16 }], seed });
  const [any, near, ...within] = drawn(1);
  expect(drawn(1)).toEqual([any, near, ...within]);
  expect(drawn(2)).not.toEqual(drawn(1));
  expect(within).toEqual([{ n: 16 }, { n: 16 }]);
  for (let seed = 1; seed <= 50; seed++) {
    const [one, two] = drawn(seed).map(({ r, n }) => ({ r, n: n ?? 0 }));
    expect([one?.r, two?.r]).toEqual([2, 2]);
    expect((((one?.n ?? 0) - 1) % 2) + (((two?.n ?? 0) - 1) % 2)).toBe(0);
    expect(one?.n).toBeGreaterThan(16);
    expect(two?.n).toBeGreaterThan(2000);
    expect(Math.max(one?.n ?? 0, two?.n ?? 0)).toBeLessThanOrEqual(4096);
  }
});
