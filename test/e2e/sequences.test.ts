/** Windows, borders and recurrences as a newcomer writes them, audited with right kernels and with wrong ones. */
import { afterEach, describe, expect, it } from 'vitest';
import { auditJson, createProject, type Project } from './project.ts';

// Whole processes, on machines that do other things too.
let project: Project | null = null;
afterEach(async () => {
  await project?.remove();
  project = null;
});

interface Subject {
  readonly formula: string;
  readonly domain: string;
  readonly codomain?: string;
  /** The parameters and the body of a plain function. */
  readonly right: string;
  /** What stands in the right kernel, and what a wrong one has there. */
  readonly mistake: readonly [string, string];
}

const subjects: Readonly<Record<string, Subject>> = {
  convolution: {
    formula: 'y_i = Σ_j w_j · (x_{s·i+j-p} if 0 ≤ s·i+j-p < n else 0)',
    domain:
      'x ∈ F32^n, w ∈ F32^k, n ≤ 32, k ≤ 8, p ∈ ℕ, p ≤ 4, 1 ≤ s ≤ 3, m = ⌊(n + 2p - k) / s⌋ + 1, |x_i| ≤ 100, |w_j| ≤ 100',
    codomain: 'y ∈ F32^m',
    right: `(x: Float32Array, w: Float32Array, n: number, k: number, p: number, s: number): Float32Array {
  return Float32Array.from({ length: Math.floor((n + 2 * p - k) / s) + 1 }, (_, i) =>
    w.reduce((sum, weight, j) => sum + weight * (x[s * i + j - p] ?? 0), 0));
}`,
    mistake: ['s * i + j - p', 'Math.min(Math.max(s * i + j - p, 0), n - 1)'],
  },
  mean: {
    formula: 'y_i = (1/k) Σ_{j=0}^{k-1} x_{i+j}',
    domain: 'x ∈ F32^n, 1 ≤ k ≤ 8, k ≤ n, n ≤ 32, |x_i| ≤ 100',
    codomain: 'y ∈ F32^{n-k+1}',
    right: `(x: Float32Array, n: number, k: number): Float32Array {
  return Float32Array.from({ length: n - k + 1 }, (_, i) =>
    x.subarray(i, i + k).reduce((sum, value) => sum + value, 0) / k);
}`,
    mistake: ['i + k)', 'i + k - 1)'],
  },
  difference: {
    formula: 'y_i = x_{i+1} - x_i for i = 0..n-2',
    domain: 'x ∈ F32^n, 2 ≤ n ≤ 32, |x_i| ≤ 100',
    right: `(x: Float32Array, n: number): Float32Array {
  return Float32Array.from({ length: n - 1 }, (_, i) => (x[i + 1] ?? 0) - (x[i] ?? 0));
}`,
    mistake: ['(x[i + 1] ?? 0) - (x[i] ?? 0)', '(x[i] ?? 0) - (x[i + 1] ?? 0)'],
  },
  pooling: {
    formula: 'y_i = max_{0 ≤ j < k} x_{s·i+j}',
    domain: 'x ∈ F32^n, n ≤ 32, s, k ∈ [1, 4], |x_i| ≤ 100, m = (n - k) // s + 1, 0 ≤ i < m',
    right: `(x: Float32Array, n: number, s: number, k: number): Float32Array {
  return Float32Array.from({ length: Math.floor((n - k) / s) + 1 }, (_, i) => Math.max(...x.subarray(s * i, s * i + k)));
}`,
    mistake: ['s * i, s * i + k', 'k * i, k * i + k'],
  },
  average: {
    formula: 's_t = γ·s_{t-1} + (1-γ)·x_t, s_0 = x_0',
    domain: 'x ∈ F32^T, T ≤ 32, γ ∈ (0, 1), |x_t| ≤ 100',
    right: `(x: Float32Array, g: number): Float32Array {
  let state = x[0] ?? 0;
  return x.map((value, t) => (state = t === 0 ? value : g * state + (1 - g) * value));
}`,
    mistake: ['g * state + (1 - g) * value', '(1 - g) * state + g * value'],
  },
  step: {
    formula:
      'θ_t = θ_{t-1} - α·m̂_t/(√v̂_t + ε) where m_t = β₁·m_{t-1} + (1-β₁)·g_t, v_t = β₂·v_{t-1} + (1-β₂)·g_t², m̂_t = m_t/(1-β₁^t), v̂_t = v_t/(1-β₂^t)',
    domain:
      'θ_{t-1}, m_{t-1}, v_{t-1}, g_t ∈ F32^n, t ∈ ℕ, 1 ≤ t ≤ 50, n ≤ 8, |θ_{t-1}| ≤ 10, |m_{t-1}| ≤ 10, 0 ≤ v_{t-1} ≤ 10, |g_t| ≤ 10, α ∈ [0.001, 0.1], β₁ ∈ [0.5, 0.9], β₂ ∈ [0.9, 0.99], ε ∈ [0.001, 0.01]',
    codomain: 'θ_t ∈ F32^n',
    right: `(theta: Float32Array, m: Float32Array, v: Float32Array, g: Float32Array, t: number, a: number, b1: number, b2: number, e: number): Float32Array {
  return theta.map((old, i) => {
    const mean = (b1 * (m[i] ?? 0) + (1 - b1) * (g[i] ?? 0)) / (1 - b1 ** t);
    const square = (b2 * (v[i] ?? 0) + (1 - b2) * (g[i] ?? 0) ** 2) / (1 - b2 ** t);
    return old - (a * mean) / (Math.sqrt(square) + e);
  });
}`,
    mistake: [' / (1 - b1 ** t)', ''],
  },
};

const contract = (name: string, { formula, domain, codomain }: Subject): string => `metadata:
  version: "1.0.0"
  description: ${name}
  references: ["Any textbook, chapter 1"]
equations:
  ${name}:
    formula: "${formula}"
    domain: "${domain}"
${codomain === undefined ? '' : `    codomain: "${codomain}"\n`}proof_obligations:
  - id: ${name.toUpperCase()}-EQV-001
    type: equivalence
    property: The kernel computes the equation
    formal: "${name} ≈ ${name}_ref"
    tolerance: { cond: 16, abs: 1e-5 }
    applies_to: ${name}
`;

async function audited(kernelOf: (subject: Subject) => string) {
  const rows = Object.keys(subjects).map(
    (name) => `  - contract: ${name}-v1.yaml
    equation: ${name}
    module_path: src/kernels.ts
    function: ${name}
    status: implemented
    backends: [function]
`,
  );
  const kernels = Object.entries(subjects).map(([name, subject]) => `export function ${name}${kernelOf(subject)}\n`);
  project = await createProject({
    ...Object.fromEntries(
      Object.entries(subjects).map(([name, subject]) => [`contracts/${name}-v1.yaml`, contract(name, subject)]),
    ),
    'contracts/binding.yaml': `version: "1.0.0"\nbindings:\n${rows.join('')}`,
    'src/kernels.ts': kernels.join('\n'),
  });
  const { report } = await auditJson(project, ['--cases', '200']);
  return Object.fromEntries(
    report.contracts.flatMap(({ claims, sound }) => claims.map(({ id, verdict }) => [id, [sound, verdict]] as const)),
  );
}

const all = (verdict: string): object =>
  Object.fromEntries(Object.keys(subjects).map((name) => [`${name.toUpperCase()}-EQV-001`, [true, verdict]]));

describe('windows and recurrences', () => {
  it('hold of right kernels', async () => {
    expect(await audited(({ right }) => right)).toEqual(all('tested'));
  });
  it('are refuted of wrong ones', async () => {
    expect(await audited(({ right, mistake: [here, there] }) => right.replace(here, there))).toEqual(all('falsified'));
  });
});
