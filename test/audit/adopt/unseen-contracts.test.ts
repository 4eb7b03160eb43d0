/**
 * Notation of contracts that none of the shared ones has, each with what must not be said of it.
 *
 * Holds src/audit/adopt/input-conditions.ts, src/contract/elaborate/equations/bounded-counts.ts,
 * src/contract/elaborate/claims/within-tolerance.ts, src/contract/elaborate/claims/bare-tolerance.ts.
 */
import { describe, expect, it } from 'vitest';
import { adopted, contractOf, saidOf, wordsOf } from './adopted.ts';

/** What is said of each statement of the equation f and of its obligations, in a word. */
async function saidOfAll(text: string): Promise<Readonly<Record<string, string>>> {
  const { judged } = await adopted({ 'a-v1': text });
  return Object.fromEntries(judged.map(({ claim, word, asRead }) => [claim, asRead ? `${word}, ${asRead}` : word]));
}

/** A contract with equations of a line each and obligations with what else they say. */
function several(equations: readonly string[], obligations: readonly string[] = []): string {
  return [
    'metadata: { version: "1.0.0", description: Tried }',
    'equations:',
    ...equations.map((one) => `  ${one}`),
    ...(obligations.length > 0 ? ['proof_obligations:', ...obligations.map((one) => `  - { ${one} }`)] : []),
    '',
  ].join('\n');
}

describe('a codomain in square brackets', () => {
  const domain = 'W: [p, q], x: [q]';

  it.each(['[p]', 'y: [p]'])('is a shape where the domain has tensors of these sizes: %s', async (codomain) => {
    const said = await saidOfAll(contractOf('y = W @ x', domain, [], [`codomain: ${JSON.stringify(codomain)}`]));
    expect(said['f.codomain']).toBeUndefined();
  });

  it('is checked as a shape, of two sizes too', async () => {
    const wrong = contractOf('y = A @ B', 'A: [p, q], B: [q, r]', ['y = y'], ['codomain: "[r, p]"']);
    expect((await adopted({ 'a-v1': wrong })).equations.run).toBe(0);
    const right = contractOf('y = A @ B', 'A: [p, q], B: [q, r]', [], ['codomain: "[p, r]"']);
    const { equations, judged } = await adopted({ 'a-v1': right });
    expect([equations.run, judged]).toEqual([1, []]);
  });

  it('is an interval of a number, and wherever a name is said to be in it', async () => {
    const between = ['k ∈ [n, m]', '[n, m]'].map((codomain) =>
      contractOf('k = n + m', 'A ∈ ℝ^{n×m}, n ≤ 3, m ≤ 3', [], [`codomain: "${codomain}"`]),
    );
    for (const text of between) expect((await saidOfAll(text))['f.codomain']).toBe('false');
    expect(await saidOfAll(contractOf('y = 2·x', 'x ∈ {0, 1}', [], ['codomain: "[0, 1]"']))).toEqual({
      'f.codomain': 'false',
    });
  });
});

describe('a number of which the domain gives a bound alone', () => {
  const shapes = 'g: { formula: "Y = A @ B", domain: "A: [d_in, rank], B: [rank, d_out]" }';

  it('is whole where another equation has a tensor of that size', async () => {
    const f =
      'f: { formula: "P = rank * (d_in + d_out)", domain: "rank > 0, d_in > 0, d_out > 0", codomain: "P >= 2" }';
    expect((await saidOfAll(several([f, shapes])))['f.codomain']).toBe('held');
    expect((await saidOfAll(several([f])))['f.codomain']).toBe('false');
  });

  it('is whole where its name says so', async () => {
    const domain = 'num_heads > 0, n_bins ≥ 1';
    expect(await wordsOf('y = num_heads·n_bins', domain, ['y ≥ 1', 'y ≥ 2'])).toEqual(['held', 'false']);
    expect(await wordsOf('y = 2·n_eff', 'n_eff > 0', ['y ≥ 1'])).toEqual(['false']);
    expect(await wordsOf('y = 2·step_size', 'step_size > 0', ['y ≥ 1'])).toEqual(['false']);
  });

  it('is any number if it may be a temperature', async () => {
    const f = 'f: { formula: "y = 2·T", domain: "T > 0", codomain: "y >= 2" }';
    const g = 'g: { formula: "z_i = x_i", domain: "x ∈ ℝ^T" }';
    expect((await saidOfAll(several([f, g])))['f.codomain']).toBe('false');
  });
});

describe('a claim that compares inputs', () => {
  const f = 'f: { formula: "y = r·a", domain: "r ∈ {1, 2}, a ∈ {1, 2}, b ∈ {1, 2}" }';
  const claim = (formal: string, more = ''): string =>
    several([f], [`id: C, type: bound, property: p, formal: "${formal}"${more}`]);

  it.each(['r <= min(a, b)', 'r < a', 'max(r, a) ≤ b'])('may be a condition on them: %s', async (formal) => {
    expect(await saidOfAll(claim(formal))).toEqual({ C: 'not-run, broken' });
  });

  it.each(['y ≤ r', 'r·a ≤ 3', 'r ≥ 2', 'r = a'])(
    'says something if it is about more, or one input: %s',
    async (formal) => {
      expect(await saidOfAll(claim(formal))).toEqual({ C: 'false' });
    },
  );

  it('says something if its author states it over the reals, or it holds', async () => {
    expect(await saidOfAll(claim('r ≤ a', ', semantics: real'))).toEqual({ C: 'false' });
    expect(await saidOfAll(claim('r ≤ max(r, a)'))).toEqual({ C: 'held' });
  });
});

describe('a formula that updates one of its inputs', () => {
  it('decides nothing of what is said with fewer arguments', async () => {
    const domain = 'A ∈ CSR^{m x n}, x in R^n, y in R^m, alpha, beta in R, m ≤ 3, n ≤ 3';
    const formula = 'y_i = alpha * sum_j(A_ij * x_j) + beta * y_i';
    const { judged, equations } = await adopted({ 'a-v1': contractOf(formula, domain, ['f(A, 0) = 0']) });
    expect([equations.run, judged.map(({ word, asRead }) => [word, asRead])]).toEqual([1, [['not-run', 'broken']]]);
  });
});

describe('an equality within a tolerance', () => {
  const equations = [
    'f: { formula: "f(x)_i = 2·x_i + 1", domain: "x ∈ ℝ^n (row-major), |x_i| ≤ 10, n ≤ 4" }',
    'g: { formula: "g(x)_i = 1 + x_i + x_i", domain: "x ∈ ℝ^n, |x_i| ≤ 10, n ≤ 4" }',
  ];
  const word = async (formal: string, more = ', tolerance: 1.0e-5'): Promise<string | undefined> =>
    (await saidOfAll(several(equations, [`id: C, type: equivalence, property: p, formal: "${formal}"${more}`])))['C'];

  it.each([
    ['f(x) == g(x) within floating-point tolerance', 'held'],
    ['f(x) = g(x) (within f32 precision)', 'held'],
    ['f(x) = 1.01·g(x) within epsilon', 'false'],
    ['|f(x)_i - g(x)_i| < 1e-5', 'held'],
    ['|f(x)_i - 1.01·g(x)_i| < 1e-5', 'false'],
  ])('is approximate: %s', async (formal, expected) => {
    expect(await word(formal)).toBe(expected);
  });

  it.each(['f(x) == g(x) within the domain', 'f(x) == g(x) within 2 steps'])(
    'is not where it says something else: %s',
    async (formal) => {
      expect(await word(formal)).toBe('prose');
    },
  );

  it('needs a tolerance', async () => {
    expect(await word('f(x) == g(x) within floating-point tolerance', '')).toMatch(/^prose/u);
  });

  it('takes f_cpu for a reference', async () => {
    expect(await word('|f_gpu(x)_i - f_cpu(x)_i| < 1e-5')).toBe('needs-kernel');
  });
});

describe('words in brackets', () => {
  it.each(['bitwise exact', 'bounds check', 'row selection', 'compression'])('say no condition: %s', async (words) => {
    expect(await wordsOf('y_i = x_i', 'x ∈ {0, 1}^n, n ≤ 3', [`y_i ≤ 1 (${words})`, `y_i ≤ 0 (${words})`])).toEqual([
      'held',
      'false',
    ]);
  });

  it.each(['exact inputs only', 'no exact ties', 'when exact'])('may say one: %s', async (words) => {
    expect(await wordsOf('y_i = x_i', 'x ∈ {0, 1}^n, n ≤ 3', [`y_i ≤ 0 (${words})`])).not.toContain('false');
  });
});

describe('a name with a letter of its own', () => {
  it('is a number next to a size, and no misspelt one', async () => {
    const adoption = await adopted({
      'a-v1': contractOf('s = Q @ K^T / sqrt(d_k)', 'Q, K ∈ ℝ^{n×d}', ['shape(s) = [n, n]']),
    });
    expect(adoption.equations.run).toBe(1);
    expect(saidOf(adoption, 'C-1').word).toBe('not-run');
    const misspelt = await adopted({ 'a-v1': contractOf('s = Q @ K^T / sqrt(dim_k)', 'Q, K ∈ ℝ^{n×dim_q}', []) });
    expect(misspelt.equations.run).toBe(0);
  });
});

describe('an inverse of what nothing defines', () => {
  it('is not a quotient', async () => {
    const { equations } = await adopted({ 'a-v1': contractOf('q = Q⁻¹(p)', 'p ∈ (0, 1), a level of some kind', []) });
    expect(equations.run).toBe(0);
    expect(await wordsOf('y = 2·x', 'x ∈ {1, 2}', ['h^{-1}(x)·h^{-1}(x) ≥ 0'])).toEqual(['not-run']);
  });
});

describe('a precondition of an implementation', () => {
  it('is left out alone, wherever it is written', async () => {
    const more = ['preconditions: ["x >= 1", "w.len() == d * k", "lr.min(d) > 2", "!a.is_empty()"]'];
    const adoption = await adopted({
      'a-v1': contractOf('y = 2·x', 'x ∈ ℝ, the usual ones', ['y ≥ 2', 'y ≥ 3'], more),
    });
    expect(adoption.equations.run).toBe(1);
    expect(saidOf(adoption, 'C-1').word).toBe('held');
    expect(saidOf(adoption, 'C-2')).toMatchObject({ word: 'not-run', asRead: 'broken' });
  });

  it('is left out with the others where there are more than can be tried one by one', async () => {
    const readable = Array.from({ length: 70 }, (_, k) => `"x >= ${1 - k}"`);
    const more = [`preconditions: [${readable.join(', ')}, "w.len() == d * k"]`];
    const adoption = await adopted({ 'a-v1': contractOf('y = 2·x', 'x ∈ ℝ', ['y ≥ 2'], more) });
    expect(saidOf(adoption, 'C-1')).toMatchObject({ word: 'not-run', asRead: 'broken' });
  });
});

describe('one of several cases', () => {
  it('is not taken for the whole', async () => {
    const formula = 'Warm-up of a schedule:\n  lr(t) = p·t/4\nThen it is constant:\n  lr(t) = p·1\n';
    const { equations } = await adopted({ 'a-v1': contractOf(formula, 'p ∈ {1, 2}, t ∈ {0, 1}', []) });
    expect(equations.run).toBe(0);
  });
});
