/** Holds src/math/print/latex-name.ts, src/math/print/mathml.ts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readNotation } from '../../../src/math/notation/read.ts';
import { printLatex } from '../../../src/math/print/latex.ts';
import { printMathml } from '../../../src/math/print/mathml.ts';
import { expression, proposition } from '../notation/arbitrary-trees.ts';

function latexOf(text: string): string {
  const [statement] = readNotation(text, 'expression').statements;
  return statement === undefined ? '' : printLatex(statement);
}

describe('printLatex', () => {
  it.each([
    [
      'σ(x)_i = exp(x_i - max(x)) / Σ_j exp(x_j - max(x))',
      String.raw`{\sigma\left(x\right)}_{i} = \frac{\mathrm{exp}\left(x_{i} - \mathrm{max}\left(x\right)\right)}{\sum_{j} \mathrm{exp}\left(x_{j} - \mathrm{max}\left(x\right)\right)}`,
    ],
    ['m_hat_t / (1 - β_1^t)', String.raw`\frac{\hat{m}_{t}}{1 - {\beta_{1}}^{t}}`],
    ['(a + b) · c', String.raw`\left(a + b\right) \cdot c`],
    ['a / b^2', String.raw`\frac{a}{{b}^{2}}`],
    ['x ∈ ℝ⁺', String.raw`x \in \mathbb{R}^{+}`],
    ['W ∈ F32^{m×k}', String.raw`W \in {\mathrm{F32}}^{m \times k}`],
    ['|x| ≤ 6e-8', String.raw`\left|x\right| \le {6 \times 10^{-8}}`],
    ['a if p > 0 else b', String.raw`\begin{cases}a & \text{if } p > 0 \\ b & \text{otherwise}\end{cases}`],
    ['A^T W x', String.raw`{A}^{\top} \,W \,x`],
    [
      'f(x) = 0 when x < 0',
      String.raw`\mathrm{f}\left(x\right) = 0`.replace(String.raw`\mathrm{f}`, 'f') +
        String.raw`\quad\text{when }x < 0`,
    ],
  ])('sets %s', (text, latex) => {
    expect(latexOf(text)).toBe(latex);
  });

  it('gives every tree a balanced formula that the typesetter accepts', async () => {
    const { default: temml } = await import('temml');
    fc.assert(
      fc.property(fc.oneof(expression, proposition), (tree) => {
        const latex = printLatex(tree);
        expect(() => temml.renderToString(latex, { throwOnError: true }), latex).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });
});

describe('printMathml', () => {
  it('sets LaTeX as MathML', async () => {
    expect(await printMathml(String.raw`\frac{a}{b}`)).toMatch(/<math[^]*<mfrac>[^]*<\/math>/);
    expect(await printMathml('x', 'inline')).not.toContain('display="block"');
  });

  it('shows what it cannot set', async () => {
    expect(await printMathml(String.raw`\nosuchcommand{x}`)).toContain('nosuchcommand');
  });
});
