/**
 * LaTeX means what the notation of the same formula means. Holds src/math/notation/latex.ts, src/math/notation/latex-bars.ts,
 * src/math/notation/latex-environments.ts, src/math/notation/latex-reader.ts, src/math/notation/latex-rows.ts,
 * src/math/notation/latex-plain.ts, src/math/notation/latex-spellings.ts, src/math/notation/latex-tokens.ts.
 */
import { describe, expect, it } from 'vitest';
import { readNotation } from '../../../src/math/notation/read.ts';
import type { FieldRole } from '../../../src/math/notation/syntax.ts';

/** The statements without their places. */
function meaning(text: string, role: FieldRole): unknown {
  const { status, statements, problem } = readNotation(text, role);
  expect([status, problem?.message], text).toEqual(['math', undefined]);
  return JSON.parse(JSON.stringify(statements, (key, value: unknown) => (key === 'range' ? undefined : value)));
}

const same: readonly (readonly [latex: string, notation: string, role?: FieldRole])[] = [
  [String.raw`f(x) = \frac{x + 1}{y}`, 'f(x) = ((x + 1) / (y))'],
  [String.raw`f(x) = \frac12 x`, 'f(x) = (1 / 2) x'],
  [String.raw`f(x) = \log_{2}(x + 1)`, 'f(x) = log_2(x + 1)'],
  [String.raw`f(x) = \log_{10} x`, 'f(x) = log_10 x'],
  [String.raw`f(x) = \sqrt{x + 1}`, 'f(x) = √(x + 1)'],
  [String.raw`f(x) = \dfrac{\sqrt{\frac{1}{n}}}{2}`, 'f(x) = ((√((1) / (n))) / (2))'],
  [String.raw`f(n, c, k) = \binom{n-c}{k} / \dbinom{n}{k}`, 'f(n, c, k) = binom(n-c, k) / binom(n, k)'],
  [
    String.raw`\operatorname{KL}(p, q) = \sum_{i=1}^{n} p_i \log \frac{p_i}{q_i}`,
    'KL(p, q) = Σ_{i=1}^{n} p_i log((p_i) / (q_i))',
  ],
  [
    String.raw`\mathrm{MSE}(y, \hat{y}) = \frac{1}{n}\sum_{i=1}^n (y_i - \hat{y}_i)^2`,
    'MSE(y, ŷ) = ((1) / (n)) Σ_{i=1}^n (y_i - ŷ_i)^2',
  ],
  [
    String.raw`\text{softmax}\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V = O`,
    'softmax(((Q K^⊤) / (√(d_k)))) V = O',
    'proposition',
  ],
  [
    String.raw`L_\delta(a) = \begin{cases} \frac{1}{2} a^2 & \text{if } |a| \leq \delta, \\ \delta (|a| - 1) & \text{otherwise.} \end{cases}`,
    'L_δ(a) = { ((1) / (2)) a^2 if |a| ≤ δ; δ (|a| - 1) otherwise }',
  ],
  [String.raw`f(x) = \begin{cases} x & x > 0 \\ 0 & x \leq 0 \end{cases}`, 'f(x) = { x if x > 0; 0 if x ≤ 0 }'],
  [String.raw`\beta_1 \theta_{t-1} = \varepsilon`, 'β_1 θ_{t-1} = ε', 'proposition'],
  [String.raw`\text{weight\_decay} \geq 0`, 'weight_decay ≥ 0', 'proposition'],
  [String.raw`\| \mathbf{x} - \mathbf{y} \|_2 \leq 1`, '‖x - y‖_2 ≤ 1', 'proposition'],
  [String.raw`\left| x \right| + \lvert y \rvert = 1`, '|x| + |y| = 1', 'proposition'],
  [String.raw`\frac{1}{n} \sum_i \mathbb{1}\{y_i = z_i\} \leq 1`, '((1) / (n)) Σ_i 1[y_i = z_i] ≤ 1', 'proposition'],
  [String.raw`f(i) = \mathbf{1}_{i \leq k}`, 'f(i) = 1[i ≤ k]'],
  [String.raw`y = \arg\max_i x_i`, 'y = argmax_i x_i', 'proposition'],
  [String.raw`y = \inf_i x_i + \sup_{j} z_j`, 'y = min_i x_i + max_{j} z_j'],
  [String.raw`y = {1 \over n} \sum_i x_i`, 'y = ((1) / (n)) Σ_i x_i'],
  [String.raw`y = x^{a + b \over {c \over 2}}`, 'y = x^((a + b) / ((c) / (2)))'],
  [String.raw`y = \underset{i}{\max} x_i`, 'y = max_{i} x_i'],
  [String.raw`y = \underset{i}{\arg\max}\, x_i`, 'y = argmax_{i} x_i'],
  [String.raw`f(x) = \cases{ x & x > 0 \cr 0 & \text{otherwise} }`, 'f(x) = { x if x > 0; 0 otherwise }'],
  [
    String.raw`x \in \mathbb{R}_{>0}^n, w \in \mathbb{R}^{m \times n}, k \in \mathbb{N}^+, y \in \mathbb{R}_{\geq 0}`,
    'x ∈ ℝ_>0^n, w ∈ ℝ^{m×n}, k ∈ ℕ⁺, y ∈ ℝ_≥0',
    'domain',
  ],
  [String.raw`u \in \mathbb{R}^n \setminus \{0\}`, 'u ∈ ℝ^n \\ {0}', 'domain'],
  [String.raw`\forall\, x \in \mathbb{R}:\; \sigma \left( x \right) \geq 0`, '∀ x ∈ ℝ: σ (x) ≥ 0', 'proposition'],
  [String.raw`$\text{ReLU}(x) = \max(0, x)$`, 'ReLU(x) = max(0, x)'],
  [String.raw`\(f(x) = 2\cdot x\)`, 'f(x) = 2·x'],
  [String.raw`\begin{aligned} f(x) &= x + 1 \end{aligned}`, 'f(x) = x + 1'],
  [
    String.raw`\eta_t = \eta_{\min} + \cos\left(\frac{t}{T} \pi\right)`,
    'η_t = η_min + cos(((t) / (T)) π)',
    'proposition',
  ],
  [
    String.raw`f(x) = \frac{1}{n} \sum_{i=1}^{n} \left| x_i - y_i \right| \left\lVert z \right\rVert_2`,
    'f(x) = ((1) / (n)) Σ_{i=1}^{n} |x_i - y_i| ‖z‖_2',
  ],
  [String.raw`f(x) = \frac{x}{\lVert x \rVert_2 \, \lVert y \rVert_2}`, 'f(x) = ((x) / (‖x‖_2 ‖y‖_2))'],
  [String.raw`f(x) = \left|\left| x - y \right|\right|_2 + \left| x_0 \right|`, 'f(x) = ‖x - y‖_2 + |x_0|'],
  [String.raw`D_{\mathrm{KL}}(p \,\|\, q) \geq 0`, 'D_KL(p, q) ≥ 0', 'proposition'],
  [String.raw`D_{\text{KL}}\left(p \parallel q\right) \geq 0`, 'D_KL(p, q) ≥ 0', 'proposition'],
  [String.raw`L^{\mathrm{CLIP}}(r, A) = \min\{r A, A\}`, 'L_CLIP(r, A) = min(r A, A)'],
  [String.raw`\mathcal{L}_{\text{DPO}}(w) = \max \left\{ 0, w \right\}`, 'L_DPO(w) = max(0, w)'],
  [String.raw`f(x) = x^{\top} W x`, 'f(x) = x^⊤ W x'],
  [String.raw`f(x) = 10{,}000 x^{\prime} + y_{\max}`, "f(x) = 10000 x' + y_max"],
  [String.raw`\operatorname*{arg\,max}_i x_i = 2`, 'argmax_i x_i = 2', 'proposition'],
  [String.raw`y_i = R(x), \quad \text{where } R(x) = 2 x`, 'y_i = R(x) where R(x) = 2 x'],
  [String.raw`f(x) = \begin{cases} x, & x > 0 \\ 0, & \text{else}. \end{cases}`, 'f(x) = { x if x > 0; 0 otherwise }'],
  [String.raw`f(x) = \begin{cases} x & x > 0 \\ 0 & \text{o.w.} \end{cases}`, 'f(x) = { x if x > 0; 0 otherwise }'],
  ['KL(p || q) + JS(p ‖ q) ≥ 0', 'KL(p, q) + JS(p, q) ≥ 0', 'proposition'],
  ['D_{KL}(p, q) ≥ 0', 'D_KL(p, q) ≥ 0', 'proposition'],
  [String.raw`H(p) = -\sum_i p_i \log_2 p_i`, 'H(p) = -Σ_i p_i log_2(p_i)'],
  [String.raw`f(x) = x^{\prime} + y^\prime + z^{\prime\prime}`, "f(x) = x' + y' + z''"],
  [String.raw`f(x) = \hat{y_{i}} + \bar{z}_{i}`, 'f(x) = ŷ_{i} + z̄_{i}'],
  [String.raw`f(x) = \exp\left\{-x\right\} + \tanh\left[x\right]`, 'f(x) = exp(-x) + tanh(x)'],
  [String.raw`f(x) = \log{x} + \exp{(-x)}`, 'f(x) = log(x) + exp((-x))'],
  [String.raw`f(x) = \max\{0, |x|\}`, 'f(x) = max(0, |x|)'],
  [String.raw`f(x) = \beta {(1 - x)}^{2}`, 'f(x) = β ((1 - x))^{2}'],
  [String.raw`f(x, y) = x^{\top} y`, 'f(x, y) = x^⊤ y'],
  [String.raw`f(x) = x + 1 \tag{1} \label{eq:f}`, 'f(x) = x + 1'],
  [String.raw`y = \operatorname*{arg\,max}_i x_i`, 'y = argmax_i x_i', 'proposition'],
  [String.raw`f(x) = \mathbb{1}_{[x > 0]} + \mathbf{1}_{\{x < 0\}}`, 'f(x) = 1[x > 0] + 1[x < 0]'],
  [String.raw`f(x) = \mathbf{1}[(x > 0) \land (y > 0)]`, 'f(x) = 1[(x > 0) ∧ (y > 0)]'],
  [
    String.raw`f(x) = \left\{ \begin{array}{ll} x, & x > 0, \\ 0, & \mbox{otherwise}. \end{array} \right.`,
    'f(x) = { x if x > 0; 0 otherwise }',
  ],
  [
    String.raw`f(x) = \begin{cases} x & \text{if}\ x > 0 \\[4pt] 0 & \text{else} \\ \end{cases}`,
    'f(x) = { x if x > 0; 0 otherwise }',
  ],
  [String.raw`f(d) = \frac{d}{2} + \frac{d_k}{d_v}`, 'f(d) = ((d) / (2)) + ((d_k) / (d_v))'],
  [String.raw`y \in {0, 1}^n \cup A`, 'y ∈ {0, 1}^n ∪ A', 'domain'],
];

describe('LaTeX', () => {
  it.each(same.map(([latex, notation, role = 'formula']) => ({ latex, notation, role })))(
    '$latex',
    ({ latex, notation, role }) => {
      expect(meaning(latex, role)).toEqual(meaning(notation, role));
    },
  );

  it('leaves what it does not know as words, with its place', () => {
    for (const text of [
      String.raw`f(x) = \underbrace{x}_{y}`,
      String.raw`f(x) = \frac{x}`,
      String.raw`f(x) = x \tag{only if x > 0}`,
      String.raw`f(x) = x \label{x < 1}`,
      String.raw`f(x) = \begin{pmatrix} 1 & 0 \end{pmatrix}`,
      String.raw`f(x) = \sqrt[3]{x}`,
      String.raw`f(x) = \begin{cases} x & x > 0`,
      String.raw`f(x) = \frac{\partial y}{\partial x}`,
      String.raw`f(x) = \frac{d}{dx} x^2`,
      String.raw`f(x) = \frac{\mathrm{d} y}{\mathrm{d} x}`,
      String.raw`f(x) = \int_0^1 x \, dx`,
      String.raw`f(x) = x \mathrm{d}x`,
      String.raw`f(x) = a \, \text{d} \theta`,
      // inf alone is ∞, and a cube root is one of negative numbers too.
      String.raw`f(x) = \inf x`,
      String.raw`f(n, k) = {n \choose k}`,
      String.raw`f(x) = \sum_{\substack{i = 1 \\ i \neq j}}^{n} x_i`,
      String.raw`f(x) = \underset{x > 0}{y}`,
      String.raw`f(x) = x_{a \over b}`,
      String.raw`f(x) = {1 \over 2 \over x}`,
      String.raw`f(x) = x_{i}^{\prime}`,
      String.raw`f(x) = \overline{x + y}`,
      String.raw`f(x) = \lfloor x \rceil`,
      String.raw`f(x) = \max\{x_i : i \in S\}`,
    ]) {
      const { status, prose } = readNotation(text, 'formula');
      expect(status, text).not.toBe('math');
      expect(prose.length, text).toBeGreaterThan(0);
      for (const { range } of prose) expect(range.end).toBeGreaterThan(range.start);
    }
  });

  it('takes no power, set or condition for a part of a name or for arguments', () => {
    for (const [latex, notation] of [
      [String.raw`\gamma^{\text{steps}} \leq 1`, 'γ^(steps) ≤ 1'],
      [String.raw`x^{T} y \leq \max_{i} x_i`, 'x^T y ≤ max_{i} x_i'],
      [String.raw`x_{ij}(1 - p_{i}) \leq 1`, 'x_ij(1 - p_{i}) ≤ 1'],
      [String.raw`P(w | c) \leq 1`, 'P(w | c) ≤ 1'],
    ] as const)
      expect(meaning(latex, 'proposition'), latex).toEqual(meaning(notation, 'proposition'));
    expect(meaning(String.raw`x \in \mathbb{R}^{\mathrm{DIM}}, S = \{0, 1\}`, 'domain')).toEqual(
      meaning('x ∈ ℝ^(DIM), S = {0, 1}', 'domain'),
    );
  });

  it('does not take a difference of sets or a line for a command', () => {
    expect(meaning('x ∈ ℝ \\ {0}', 'domain')).toEqual(meaning('x ∈ ℝ \\{0}', 'domain'));
  });

  // Doubled with each level it would not end within the limit of a test.
  it('reads what is nested deeply or left open', () => {
    for (const part of [
      '\\frac{',
      '\\frac',
      '\\sqrt{\\frac{',
      '\\begin{cases}',
      '\\hat{\\mathbb{',
      '\\left|\\|',
      '\\mathbf{1}_{',
      '{',
    ])
      expect(readNotation(`f(x) = ${part.repeat(19_000 / part.length)}x`, 'formula').status).not.toBe('math');
    expect(readNotation(`f(x) = ${'\\frac{'.repeat(39)}x${'}'.repeat(39)}`, 'formula').status).not.toBe('math');
  });
});
