/** The ten kernels of the contracts, each in several notations, against plain loops. */
import { describe, expect, it } from 'vitest';
import { typeText } from '../../../src/math/term/types.ts';
import { evaluate, model, tensor, vector } from './support.ts';

const close = (actual: readonly number[], expected: readonly number[]): void => {
  expect(actual.length).toBe(expected.length);
  actual.forEach((value, i) =>
    expect(Math.abs(value - (expected[i] ?? NaN))).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(expected[i] ?? 0))),
  );
};

function softmaxOf(x: readonly number[]): readonly number[] {
  const m = Math.max(...x);
  const e = x.map((v) => Math.exp(v - m));
  const s = e.reduce((a, b) => a + b);
  return e.map((v) => v / s);
}

const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, v, i) => sum + v * (b[i] ?? NaN), 0);
const column = (rows: readonly (readonly number[])[], j: number): readonly number[] => rows.map((row) => row[j] ?? NaN);
const erf = (x: number): number => {
  let term = x;
  let sum = x;
  for (let n = 1; n < 80; n++) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
};

const x3 = [0.5, -1.25, 2];
const Q = [
  [1, 0.5],
  [-0.25, 2],
  [0.75, -1],
];
const K = [
  [0.5, 1],
  [1.5, -0.5],
  [-1, 0.25],
];
const V = [
  [1, 2, 3],
  [-1, 0.5, 0],
  [4, -2, 1],
];

function attention(causal: boolean): readonly number[] {
  return Q.flatMap((q, i) => {
    const keys = causal ? K.slice(0, i + 1) : K;
    const p = softmaxOf(keys.map((k) => dot(q, k) / Math.sqrt(2)));
    return [0, 1, 2].map((c) => dot(p, column(V, c)));
  });
}

describe('softmax', () => {
  it.each([
    ['σ(x)_i = exp(x_i - max(x)) / Σ_j exp(x_j - max(x))', 'x ∈ F32^n'],
    ['σ(x)_i = exp(x_i - max_j x_j) / Σ_{j=0}^{n-1} exp(x_j - max_j x_j)', 'x ∈ F32^n'],
    ['σ(x) = exp(x - max(x)) / Σ exp(x - max(x))', 'x ∈ F32^n'],
    ['softmax(x)_i = e_i / Σ_{j<n} e_j where e_i = exp(x_i - m), m = max(x)', 'x ∈ ℝ^n'],
    ['softmax(x)[i] = exp(x[i]) / sum_j exp(x[j])', 'x in R^n'],
    ['y_i = exp(x_i) / Σ_j exp(x_j)', 'x ∈ ℝ^n'],
  ])('%s', (formula, domain) => {
    const equation = model(formula, domain);
    expect(equation.parameters.map((p) => `${p.name} ${typeText(p.type)}`)).toEqual(['x F32^n']);
    expect(typeText(equation.result)).toBe('F32^n');
    close(evaluate(equation, { n: 3, x: vector(...x3) }), softmaxOf(x3));
  });
});

describe('rmsnorm', () => {
  const gamma = [1, 2, -3];
  const r = Math.sqrt(dot(x3, x3) / 3 + 1e-5);
  it.each([
    'RMSNorm(x)_i = (x_i / RMS(x)) · γ_i where RMS(x) = √(Σ x_i² / n + ε)',
    'RMSNorm(x)_i = x_i·γ_i / √(mean_j x_j² + ε)',
    'RMSNorm(x) = x ⊙ γ / √(‖x‖²/n + ε)',
    'RMSNorm(x) = x ⊙ γ / r where r = √(⟨x, x⟩/n + ε)',
  ])('%s', (formula) => {
    const equation = model(formula, 'x ∈ ℝ^n, γ ∈ ℝ^n, ε > 0', 'ℝ^n');
    expect(equation.parameters.map((p) => p.name)).toEqual(['x', 'γ', 'ε']);
    close(
      evaluate(equation, { n: 3, x: vector(...x3), γ: vector(...gamma), ε: 1e-5 }),
      x3.map((v, i) => (v / r) * (gamma[i] ?? NaN)),
    );
  });
});

describe('attention', () => {
  const domain = 'Q ∈ F32^{n×d}, K ∈ F32^{m×d}, V ∈ F32^{m×v}';
  const values = { n: 3, m: 3, d: 2, v: 3, Q: tensor(...Q), K: tensor(...K), V: tensor(...V) };
  it.each([
    'A(Q, K, V)_ij = Σ_k P_ik·V_kj where S_ij = Σ_k Q_ik·K_jk / √d, P_ij = exp(S_ij - max_j S_ij) / Σ_k exp(S_ik - max_j S_ij)',
    'A(Q, K, V) = P·V where S = Q·K^T / √d, P_ij = exp(S_ij - max_j S_ij) / Σ_k exp(S_ik - max_j S_ij)',
    'A(Q, K, V) = P V where S = Q K^T / √d, P_ij = exp(S_ij) / Σ_k exp(S_ik)',
  ])('full: %s', (formula) => close(evaluate(model(formula, domain), values), attention(false)));

  it.each([
    'A(Q, K, V)_ic = Σ_{j≤i} P_ij·V_jc where S_ij = Σ_k Q_ik·K_jk / √d, P_ij = { exp(S_ij - max_{k≤i} S_ik) / Σ_{k≤i} exp(S_ik - max_{l≤i} S_il) if j ≤ i; 0 otherwise }',
    'A(Q, K, V)_ic = Σ_j P_ij·V_jc where S_ij = { Σ_k Q_ik·K_jk / √d if j ≤ i; -∞ otherwise }, P_ij = exp(S_ij - max_j S_ij) / Σ_k exp(S_ik - max_j S_ij)',
  ])('causal: %s', (formula) =>
    close(evaluate(model(formula, 'Q ∈ F32^{n×d}, K ∈ F32^{n×d}, V ∈ F32^{n×v}'), values), attention(true)),
  );
});

describe('rope', () => {
  const x = [1, -2, 0.5, 3];
  const expected = [0, 1].flatMap((k) => {
    const angle = 7 * 10000 ** ((-2 * k) / 4);
    const [a, b] = [x[2 * k] ?? NaN, x[2 * k + 1] ?? NaN];
    return [a * Math.cos(angle) - b * Math.sin(angle), a * Math.sin(angle) + b * Math.cos(angle)];
  });
  it.each([
    [
      'RoPE(x, m)_{2k} = x_{2k}·cos(mθ_k) - x_{2k+1}·sin(mθ_k), RoPE(x, m)_{2k+1} = x_{2k}·sin(mθ_k) + x_{2k+1}·cos(mθ_k)',
      'x ∈ ℝ^d, m ∈ ℕ, θ_k = 10000^(-2k/d), d mod 2 = 0, m ≤ 4096',
      'ℝ^d',
    ],
    [
      'R(x, m)_i = { x_i·cos(m·θ_i) - x_{i+1}·sin(m·θ_i) if i mod 2 = 0; x_{i-1}·sin(m·θ_i) + x_i·cos(m·θ_i) otherwise } where θ_i = 10000^(-2·⌊i/2⌋/d)',
      'x ∈ ℝ^d, m ∈ ℕ, d = 2·k',
      undefined,
    ],
  ])('%s', (formula, domain, codomain) =>
    close(evaluate(model(formula, domain, codomain), { d: 4, m: 7, x: vector(...x), k: 2 }), expected),
  );
});

describe('gelu', () => {
  const exact = x3.map((v) => (v / 2) * (1 + erf(v / Math.sqrt(2))));
  it.each(['GELU(x)_i = x_i/2·(1 + erf(x_i/√2))', 'GELU(x) = x ⊙ Φ(x)', 'GELU(x)_i = x_i·Phi(x_i)'])(
    'exact: %s',
    (formula) =>
      evaluate(model(formula, 'x ∈ ℝ^n'), { n: 3, x: vector(...x3) }).forEach((value, i) =>
        expect(value).toBeCloseTo(exact[i] ?? NaN, 12),
      ),
  );

  it('tanh', () => {
    const formula = 'GELU(x)_i = 0.5·x_i·(1 + tanh(√(2/π)·(x_i + 0.044715·x_i^3)))';
    const expected = x3.map((v) => 0.5 * v * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (v + 0.044715 * v ** 3))));
    close(evaluate(model(formula, 'x ∈ ℝ^n'), { n: 3, x: vector(...x3) }), expected);
  });
});

describe('matmul', () => {
  it.each([
    'C_ij = Σ_k A_ik · B_kj',
    'C_{i,j} = Σ A_ik·B_kj',
    'C(A, B) = A·B',
    'C(A, B) = A @ B',
    'C(A, B) = AB',
    'C(A, B)[i, j] = ⟨A_i, (B^T)_j⟩',
    'C = (B^T·A^T)^T',
  ])('%s', (formula) => {
    const expected = Q.flatMap((row) =>
      [0, 1, 2].map((j) =>
        dot(
          row,
          column(
            [
              [1, 2, 3],
              [4, 5, 6],
            ],
            j,
          ),
        ),
      ),
    );
    const domain = 'A ∈ F32^{m×p}, B ∈ F32^{p×n}';
    const result = model(formula, domain, 'F32^{m×n}');
    expect(typeText(result.result)).toBe('F32^{m×n}');
    close(evaluate(result, { m: 3, p: 2, n: 3, A: tensor(...Q), B: tensor([1, 2, 3], [4, 5, 6]) }), expected);
  });
});

describe('cross-entropy with integer targets', () => {
  const z = [
    [1, 2, -1],
    [0, 0.5, 3],
  ];
  const expected = -(Math.log(softmaxOf(z[0] ?? [])[1] ?? NaN) + Math.log(softmaxOf(z[1] ?? [])[0] ?? NaN)) / 2;
  it.each([
    [
      'L(z, y) = -(1/B)·Σ_b log(p_{b, y_b}) where p_bj = exp(z_bj - max_j z_bj) / Σ_k exp(z_bk - max_j z_bj)',
      'z ∈ F32^{B×V}, y ∈ ℤ^B, 0 ≤ y_b < V',
    ],
    [
      'L(z, y) = mean_b (log(Σ_v exp(z_bv - m_b)) + m_b - z_{b,y_b}) where m_b = max_v z_bv',
      'z ∈ F32^{B×V}, y ∈ {0..V-1}^B',
    ],
    ['L(z, y) = mean(l) where l_b = log(Σ_v exp(z_bv)) - z[b, y_b]', 'z ∈ F32^{B×V}, y ∈ [0, V)^B'],
  ])('%s', (formula, domain) => {
    const equation = model(formula, domain);
    const y = equation.domain.variables.find((v) => v.name === 'y');
    expect(y?.element.kind).toBe('integer');
    expect(y?.lower && y.upper).toBeTruthy();
    close(evaluate(equation, { B: 2, V: 3, z: tensor(...z), y: vector(1, 0) }), [expected]);
  });
});

describe('adamw, one step', () => {
  const n = { n: 2, β_1: 0.9, β_2: 0.99, g: vector(2, -1) };
  it('first moment', () =>
    close(
      evaluate(model("m'_i = β₁·m_i + (1 - β₁)·g_i", 'm, g ∈ F32^n, β₁ ∈ [0, 1)', "m' ∈ F32^n"), {
        ...n,
        m: vector(1, 3),
      }),
      [0.9 + 0.1 * 2, 2.7 - 0.1],
    ));
  it('second moment', () =>
    close(
      evaluate(model("v'_i = β₂·v_i + (1 - β₂)·g_i²", 'v, g ∈ F32^n, β₂ ∈ [0, 1), v_i ≥ 0'), { ...n, v: vector(1, 3) }),
      [0.99 + 0.01 * 4, 2.97 + 0.01],
    ));
  it('parameters', () => {
    const equation = model(
      "θ'_i = θ_i - η·(m_hat_i / (√(v_hat_i) + ε) + λ·θ_i) where m_hat_i = m_i / (1 - β₁^t), v_hat_i = v_i / (1 - β₂^t)",
      'θ, m, v ∈ F32^n, η > 0, λ ≥ 0, ε > 0, β₁, β₂ ∈ (0, 1), t ∈ ℕ, t ≥ 1, v_i ≥ 0',
    );
    const step = (theta: number, m: number, v: number): number =>
      theta - 0.1 * (m / (1 - 0.9 ** 3) / (Math.sqrt(v / (1 - 0.99 ** 3)) + 1e-8) + 0.01 * theta);
    close(
      evaluate(equation, {
        ...n,
        θ: vector(1, -2),
        m: vector(0.5, 0.25),
        v: vector(4, 9),
        η: 0.1,
        λ: 0.01,
        ε: 1e-8,
        t: 3,
      }),
      [step(1, 0.5, 4), step(-2, 0.25, 9)],
    );
  });
});

describe('grouped-query attention', () => {
  it('reads the key head of its group', () => {
    const equation = model(
      'GQA(Q, K, V)_{h,i,e} = Σ_j P_{h,i,j}·V_{h // r, j, e} where S_{h,i,j} = Σ_e Q_{h,i,e}·K_{h // r, j, e} / √d, P_{h,i,j} = exp(S_{h,i,j} - max_j S_{h,i,j}) / Σ_k exp(S_{h,i,k} - max_j S_{h,i,j})',
      'Q ∈ F32^{H×n×d}, K ∈ F32^{G×n×d}, V ∈ F32^{G×n×d}, H = G·r, 1 ≤ G ≤ 3, 1 ≤ r ≤ 4',
    );
    const sizes = equation.domain.sizes.map((s) => [s.name, s.maximum]);
    expect(sizes).toContainEqual(['H', 12]);
    const q = [
      [[1], [2]],
      [[-1], [0.5]],
      [[0], [3]],
      [[2], [-2]],
    ];
    const k = [
      [[1], [-1]],
      [[0.5], [2]],
    ];
    const v = [
      [[10], [20]],
      [[30], [40]],
    ];
    const expected = q.flatMap((rows, h) =>
      rows.flatMap(([a = NaN]) =>
        dot(softmaxOf((k[h >> 1] ?? []).map(([b = NaN]) => a * b)), (v[h >> 1] ?? []).flat()),
      ),
    );
    const flat = (
      data: readonly (readonly (readonly number[])[])[],
    ): { shape: readonly number[]; data: readonly number[] } => ({ shape: [data.length, 2, 1], data: data.flat(2) });
    close(evaluate(equation, { H: 4, G: 2, r: 2, n: 2, d: 1, Q: flat(q), K: flat(k), V: flat(v) }), expected);
  });
});

describe('swiglu', () => {
  const W = [
    [1, -1, 0.5],
    [0.25, 2, 1],
  ];
  const U = [
    [2, 0, 1],
    [-1, 1, 1],
  ];
  const gate = W.map((row) => dot(row, x3));
  const expected = gate.map((g, i) => (g / (1 + Math.exp(-g))) * dot(U[i] ?? [], x3));
  it.each([
    'SwiGLU(x, W, V) = (W·x) ⊙ σ(W·x) ⊙ (V·x)',
    'SwiGLU(x, W, V)_i = g_i·σ(g_i)·u_i where g = W·x, u = V·x',
    'SwiGLU(x, W, V)_j = silu(Σ_i W_ji·x_i)·Σ_i V_ji·x_i where silu(a) = a·sigmoid(a)',
  ])('%s', (formula) =>
    close(
      evaluate(model(formula, 'x ∈ F32^n, W ∈ F32^{m×n}, V ∈ F32^{m×n}'), {
        n: 3,
        m: 2,
        x: vector(...x3),
        W: tensor(...W),
        V: tensor(...U),
      }),
      expected,
    ),
  );
});
