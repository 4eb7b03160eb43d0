/**
 * Claims that name an equation in part, that need the domain of one which cannot be run, or that use a deviation of two meanings.
 *
 * Holds src/contract/elaborate/claims/key-names.ts and src/contract/elaborate/claims/sample-deviation.ts.
 */
import { describe, expect, it } from 'vitest';
import { elaborated } from '../support.ts';

/** Why each claim is not a goal; null of one that is, and `read` before the reason of one that runs in part. */
function reasonsOf(equations: string, claims: readonly string[], about = 'all'): readonly (string | null)[] {
  const { notGoals } = elaborated({
    equations,
    obligations: claims
      .map(
        (formal, i) =>
          `- { id: C-${String(i)}, type: invariant, property: p, formal: ${JSON.stringify(formal)}, applies_to: ${about} }`,
      )
      .join('\n'),
  });
  return claims.map((_, i) => {
    const found = notGoals.find(({ claim }) => claim === `C-${String(i)}`);
    return found ? `${found.asRead ? 'read: ' : ''}${found.reason}` : null;
  });
}

describe('a claim that calls an equation by a part of its name', () => {
  const fits = [
    'chi_squared_fit: { formula: "c = Σ_i (o_i - e_i)^2", domain: "o, e ∈ ℝ^n" }',
    'loss_a: { formula: "L_a(p) = p^2", domain: "p ∈ ℝ" }',
    'loss_b: { formula: "L_b(p) = |p|", domain: "p ∈ ℝ" }',
  ].join('\n');

  it('is about that equation, in part', () => {
    expect(reasonsOf(fits, ['chi_squared(o, e) >= 0', 'chi_squared_fit_value(o, e) >= 0'])).toEqual([
      'read: chi_squared is read as chi_squared_fit: nothing declares chi_squared',
      'read: chi_squared_fit_value is read as chi_squared_fit: nothing declares chi_squared_fit_value',
    ]);
  });

  it('is about all that it may mean, or the one that it applies to', () => {
    const [both] = reasonsOf(fits, ['L(p) >= 0']);
    expect(both).toMatch('read: L is read as loss_a and loss_b');
    const [one] = reasonsOf(fits, ['L(p) >= 0'], 'loss_b');
    expect(one).toMatch('read: L is read as loss_b:');
  });

  it.each(['chi_squared(o) >= 0', 'chi_test(o, e) >= 0', 'fit_of(o, e) >= 0', 'q(p) >= 0'])(
    'is not read where the arguments or the words differ: %s',
    (formal) => {
      expect(reasonsOf(fits, [formal])[0]).toMatch(/^nothing declares/);
    },
  );
});

describe('a claim about inputs of an equation that cannot be run', () => {
  const equation = 'top: { formula: "V = the smallest set with mass p", domain: "x ∈ ℝ^n, T > 0" }';

  it('takes its domain', () => {
    expect(reasonsOf(equation, ['|sum(softmax(x/T)) - 1| <= 1e-3', 'sum(softmax(z)) <= 2'])).toEqual([
      expect.stringMatching('^read: it takes x from the domain of top, which cannot be run'),
      expect.stringMatching('nothing declares z'),
    ]);
  });

  it('does not choose one of two', () => {
    const two = `${equation}\n${equation.replace('top', 'low').replace('ℝ^n', 'ℝ')}`;
    expect(reasonsOf(two, ['sum(softmax(x)) <= 2'])[0]).not.toMatch('read');
  });
});

describe('a deviation next to a formula that divides by n - 1', () => {
  const withBody = (body: string): string =>
    [
      `cov: { formula: "cov(x, y) = (${body}) * Σ_i (x_i - mean(x)) * (y_i - mean(y))", domain: "x, y ∈ {0, 1}^n, n ≥ 2" }`,
      'r: { formula: "r(x) = cov(x, x) / std(x)^2", domain: "x ∈ {0, 1}^n, n ≥ 2, std(x) > 0" }',
    ].join('\n');
  const claims = ['r(x) <= 1', 'cov(x, y) <= std(x) * std(y)', 'cov(x, y) <= 1'];

  it('may be that of a sample, so that nothing is refuted', () => {
    const open = 'read: its deviation may divide by n or, as another formula of the contract does, by n - 1';
    expect(reasonsOf(withBody('1/(n-1)'), claims)).toEqual([open, open, null]);
  });

  it('is that of all values where nothing does', () => {
    expect(reasonsOf(withBody('1/n'), claims)).toEqual([null, null, null]);
  });
});
