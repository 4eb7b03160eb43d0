/**
 * Notations of numerical libraries: samples and their number, windows, glossaries with ranges, complex transforms.
 *
 * Holds src/contract/elaborate/equations/complex-numbers.ts, src/contract/elaborate/equations/component-names.ts,
 * src/contract/elaborate/equations/named-means.ts and src/contract/elaborate/domains/element-codomain.ts.
 */
import { describe, expect, it } from 'vitest';
import { elaborated } from '../support.ts';
import { saidOfEach } from '../../../audit/adopt/adopted.ts';

/** The word of each claim, or the one of its reading in part. */
async function wordsOf(...asked: Parameters<typeof saidOfEach>): Promise<readonly string[]> {
  return (await saidOfEach(...asked)).map(({ word, asRead }) => (asRead === undefined ? word : `${asRead} in part`));
}

const equationOf = (
  formula: string,
  domain: string,
  more = '',
): ReturnType<typeof elaborated>['equations'][number] | undefined =>
  elaborated({ equations: `f: { formula: "${formula}", domain: "${domain}"${more} }` }).equations[0];

describe('a slice that a sum runs over', () => {
  it.each([
    ['m = sum_{i=1}^{n} x_i', 'x: &[i8], n > 0'],
    ['m = sum_{i=0}^{n-1} x[i]', 'x: Vec<i8>, n >= 1'],
  ])('has as many elements: %s', async (formula, domain) => {
    expect(await wordsOf(formula, domain, ['m <= n * max(x)', 'm >= n * max(x)'])).toEqual(['held', 'false']);
  });

  it('keeps its own length where the sums have different ends', () => {
    expect(equationOf('m = sum_{i=1}^{n} x_i + sum_{j=1}^{k} x_j', 'x: &[i8], n > 0, k > 0')).toBeUndefined();
  });
});

describe('the mean of a vector', () => {
  it.each(['mu_x', 'μ_x', 'mean_x', 'x_bar', 'x_mean'])('may be written %s', async (name) => {
    const claims = ['|c(x)| ≤ 1e-3', 'c(x) ≥ 1'];
    const words = await wordsOf(`c(x) = Σ_i (x_i - ${name})`, 'x ∈ {0, 1}^n, n ≤ 4', claims);
    expect(words).toEqual(['held', 'false']);
  });

  it.each([
    ['c(x) = Σ_i (x_i - mu_x)', 'x ∈ {0, 1}^n, n ≤ 4, mu_x ∈ {5}'],
    ['mu_x = 5; c(x) = Σ_i (x_i - mu_x)', 'x ∈ {0, 1}^n, n ≤ 4'],
  ])('is not meant where something else is said of the name: %s of %s', async (formula, domain) => {
    expect(await wordsOf(formula, domain, ['c(x) ≤ -4'])).toEqual(['held']);
  });
});

describe('a name of capital letters', () => {
  it('declares its components where the formula uses these', async () => {
    const claims = ['0 ≤ f(1, 0, 1) ≤ 1', 'f(R, G, B) ≤ 1.0001', 'f(R, G, B) ≤ 0.5'];
    const words = await wordsOf('Y = 0.5·R + 0.25·G + 0.25·B', 'RGB ∈ [0, 1]^3', claims);
    expect(words).toEqual(['held', 'held', 'false']);
  });

  it('is a vector where the formula uses it, or a matrix of another size', () => {
    expect(equationOf('Y = sum(RGB) + R·G·B', 'RGB ∈ [0, 1]^3, R, G, B ∈ ℝ')).toMatchObject({ symbol: 'Y' });
    expect(equationOf('Y = R + G', 'RG ∈ [0, 1]^3')?.parameters.map(({ name }) => name)).not.toEqual(['R', 'G']);
  });
});

describe('a codomain of the values of a function of an index', () => {
  const window = 'w(n) = 0.5 * (1 - cos(2π n / (N-1)))';

  it('is where each value lies, at whole indices', async () => {
    const claims = ['0 ≤ w(n) ≤ 1', 'w(n) = w(N-1-n)', 'w(n) ≤ 1/2', '(n = 0 ∨ n ≥ 1)'];
    const words = await wordsOf(window, 'n ∈ [0, N-1], N ≥ 2, N ≤ 9', claims.slice(0, 3), ['codomain: "w ∈ [0, 1]^N"']);
    expect(words.slice(0, 2)).not.toContain('false');
    expect(words[2]).toBe('false');
  });

  it('is a statement about each value', () => {
    const { statements } = elaborated({
      equations: `f: { formula: "w(n) = n / N", domain: "n ∈ [0, N-1], N ≥ 2", codomain: "w ∈ [0, 1]^N" }`,
    });
    expect(statements.map(({ claim, formal }) => [claim, formal])).toEqual([['f.codomain', 'w ∈ [0, 1]']]);
  });

  it('is a contradiction where no argument runs over that many values', () => {
    expect(equationOf('w(a) = a / 2', 'a ∈ [0, 1]', ', codomain: "w ∈ [0, 1]^N"')).toBeUndefined();
  });
});

describe('a transform of complex numbers', () => {
  it.each([
    ['X_k = sum_{n=0}^{N-1} x_n * exp(-2*pi*i*k*n / N) for k = 0..N-1', 'x ∈ ℝ^N, any signal'],
    ['X_k = sum_{n=0}^{N-1} x_n * k for k = 0..N-1', 'x: Complex64^N, N > 0'],
    ['P = a * b', 'a ∈ ℂ, b is a scale'],
  ])('is not taken for one of real numbers: %s of %s', (formula, domain) => {
    const { equations, unevaluated } = elaborated({
      equations: `f: { formula: "${formula}", domain: "${domain}", invariants: ["it is invertible"] }`,
    });
    expect(equations).toEqual([]);
    expect(unevaluated[0]?.reason).toMatch('does not compute with complex numbers');
  });

  it('is that of an equation that uses its values, too', () => {
    const parseval = 'p: { formula: "E = (1/N) * Σ_k |X[k]|^2", domain: "N > 0, a positive count" }';
    const transform = 'd: { formula: "X[k] = Σ_n x[n] * k", domain: "x ∈ ℂ^N" }';
    expect(elaborated({ equations: parseval }).equations).toHaveLength(1);
    const power = 'q: { formula: "P[k] = |X[k]|^2", domain: "X ∈ ℂ^N" }';
    expect(elaborated({ equations: `${parseval}\n${transform}` }).equations).toEqual([]);
    expect(elaborated({ equations: `${parseval}\n${power}` }).equations).toEqual([]);
  });

  it('is not seen where i is an index, or π stands elsewhere', () => {
    expect(equationOf('y_i = cos(2*pi*i / n) + x_i', 'x ∈ ℝ^n, some signal')).toMatchObject({ symbol: 'y' });
    expect(equationOf('y_i = exp(-x_i^2 / 2) / sqrt(2*pi)', 'x ∈ ℝ^n, some signal')).toMatchObject({ symbol: 'y' });
  });
});

describe('a glossary with ranges', () => {
  const formula = 'step(w, c) = max(min(c, w), 1)';

  it.each([
    'w = window length >= 1, c = covered samples in [0, w]',
    'w: window length ≥ 1, c: covered samples ∈ [0, w]',
  ])('gives the numbers and their bounds: %s', async (domain) => {
    const claims = ['step(w, c) <= w', 'step(w, c) >= c', 'step(w, c) = c'];
    expect(await wordsOf(formula, domain, claims)).toEqual(['held', 'held', 'broken in part']);
  });

  it('does not take what is more than a number for one', () => {
    expect(equationOf('f(c) = c_0', 'c = vector of samples in [0, 1]')).toBeUndefined();
  });
});

describe('words after a type', () => {
  it('name what has it', async () => {
    const claims = ['f(seed, m) < m', 'f(seed, m) = 0'];
    const domain = 'seed: u8 value, m: u8 value, m > 0';
    expect(await wordsOf('f(seed, m) = seed mod m', domain, claims)).toEqual(['held', 'false']);
  });

  it('are not understood where they restrict it or say that it is more', () => {
    expect(equationOf('f(s) = 2*s', 's: f32 positive')?.unread).toMatch('positive');
    expect(equationOf('f(s) = 2*s', 's: f32 vector')?.parameters).not.toMatchObject([{ type: { kind: 'float' } }]);
  });

  it('are left out of a codomain that says only what is computed', () => {
    const statementsOf = (codomain: string): readonly string[] => {
      const { statements, unevaluated } = elaborated({
        equations: `f: { formula: "y = 2*x", domain: "x ∈ ℝ", codomain: "${codomain}" }`,
      });
      return [...statements.map(({ formal }) => formal), ...unevaluated.map(({ text }) => text)];
    };
    expect(statementsOf('y: f64 loss value')).toEqual([]);
    expect(statementsOf('y: f64')).toEqual([]);
    expect(statementsOf('y: f64 unless empty')).toEqual(['y: f64 unless empty']);
  });
});

describe('a claim', () => {
  it('may be about any constant that it has once', async () => {
    const claims = ['f(x + c) ≥ 0', 'f(c * x) ≥ 1', 'f(x + q) ≥ 0'];
    expect(await wordsOf('f(x) = max(min(x, 1), 0)', 'x ∈ ℝ', claims)).toEqual([
      'held in part',
      'broken in part',
      'not-run',
    ]);
  });

  it('may say after a dash why it matters', async () => {
    const claims = [
      'f(x) ≥ 1 — the loop never stops early',
      'f(x) ≥ 2 — the loop never stops early',
      'f(x) ≥ 2 — only when x > 1',
      'f(x) ≥ 2 — not true',
    ];
    const words = await wordsOf('f(x) = x + 1', 'x ∈ {0, …, 9}', claims);
    expect(words).toEqual(['held in part', 'broken in part', 'prose', 'prose']);
  });
});
