/**
 * Conditions are executed however they are written, and what is not executed stops the field.
 *
 * Holds src/contract/elaborate/expressions/calls.ts, src/contract/elaborate/domains/new-names.ts, src/contract/elaborate/claims/open-statement.ts.
 */
import { describe, expect, it } from 'vitest';
import { elaborateEquationFromText, formalText } from '../../../src/contract/elaborate/equations/from-text.ts';
import type { FieldRole } from '../../../src/math/notation/syntax.ts';
import { elaborated, goal, marked, model } from './support.ts';

const digestOf = (formula: string, domain: string): string => model(formula, domain).digest;
const problemOf = (formula: string, domain: string): string | null =>
  elaborateEquationFromText({ formula, domain }).problem?.code ?? null;

function claimOf(formal: string, { formula = 'R(x)_i = x_i', domain = 'x ∈ F32^n, 1 ≤ n ≤ 64', requires = '' } = {}) {
  return elaborated({
    equations: `f:\n  formula: ${JSON.stringify(formula)}\n  domain: ${JSON.stringify(domain)}`,
    obligations: `- { id: C, type: invariant, property: p, formal: ${JSON.stringify(formal)}${
      requires === '' ? '' : `, requires: [${JSON.stringify(requires)}]`
    } }`,
  });
}

describe('a condition of a domain is executed, however it is written', () => {
  it.each([
    ['x ∈ F32 with x > 1', 'x ∈ F32, x > 1'],
    ['x ∈ F32 where x > 1', 'x ∈ F32, x > 1'],
    ['x ∈ F32 such that x > 1', 'x ∈ F32, x > 1'],
    ['x ∈ F32 s.t. x > 1', 'x ∈ F32, x > 1'],
    ['x ∈ F32 for x > 1', 'x ∈ F32, x > 1'],
    ['x ∈ F32 if x > 1', 'x ∈ F32, x > 1'],
    ['x ∈ F32 provided that x > 1', 'x ∈ F32, x > 1'],
    ['x ∈ F32 assuming x > 1', 'x ∈ F32, x > 1'],
    ['x ∈ F32 given x > 1', 'x ∈ F32, x > 1'],
    ['x ∈ F32 (x > 1)', 'x ∈ F32, x > 1'],
    ['x ∈ F32 (when x > 1)', 'x ∈ F32, x > 1'],
    ['x: F32 (x > 1)', 'x ∈ F32, x > 1'],
    ['x ∈ F32 with |x| ≤ 3 and x > 1', 'x ∈ F32, |x| ≤ 3, x > 1'],
    ['x ∈ F32, ε ∈ F32 where ε > 0', 'x ∈ F32, ε ∈ F32, ε > 0'],
  ])('%s', (written, plain) => {
    expect(digestOf('y = x', written)).toBe(digestOf('y = x', plain));
  });

  it.each([
    ['x ∈ F32^n with x_i > 1', 'x ∈ F32^n, x_i > 1'],
    ['x ∈ F32^n with x_i > 1 for all i', 'x ∈ F32^n, x_i > 1'],
    ['x ∈ F32^n, ∀ i: x_i > 1', 'x ∈ F32^n, x_i > 1'],
    ['x ∈ F32^n (x_i > 1 for all i)', 'x ∈ F32^n, x_i > 1'],
    ['x ∈ R^n with n ≥ 2', 'x ∈ R^n, n ≥ 2'],
    ['x ∈ R^n (n ≥ 2)', 'x ∈ R^n, n ≥ 2'],
    ['x ∈ R^n where n = 4', 'x ∈ R^n, n = 4'],
    ['x ∈ R^n where n = 2·k', 'x ∈ R^n, n = 2·k'],
    ['x ∈ R^n (vocabulary logits), n ≥ 2', 'x ∈ R^n, n ≥ 2'],
    ['x ∈ R^n (Eq. 3)', 'x ∈ R^n'],
    ['x ∈ F32^n, sum(x) = 1, x_i ≥ 0', 'x ∈ F32^n, Σ_i x_i = 1, x_i ≥ 0'],
    ['x ∈ F32^n, 1 = Σ_i x_i, x_i ≥ 0', 'x ∈ F32^n, Σ_i x_i = 1, x_i ≥ 0'],
    ['x ∈ F32^n with sum(x_i) = 1, x_i ≥ 0', 'x ∈ F32^n, Σ_i x_i = 1, x_i ≥ 0'],
  ])('%s', (written, plain) => {
    expect(digestOf('y_i = x_i', written)).toBe(digestOf('y_i = x_i', plain));
  });

  it('makes the vectors of {0, 1}^n with sum 1 one hot', () => {
    const [t] = model('y_i = t_i', 't in {0,1}^n with sum(t) = 1').domain.variables;
    expect([t?.structure, t?.choices, t?.element.kind]).toEqual(['simplex', null, 'integer']);
  });
});

describe('a built-in name keeps its meaning', () => {
  it.each(['sum(x) = 2', 'max(x) = 1', 'mean(x) = 0', 'exp(x) = 1', 'norm(x) = 1', 'argmax(x) = 0', '‖x‖ = 1'])(
    '%s is a condition on x',
    (condition) => {
      const { body, domain } = model('y_i = x_i / max(x)', `x ∈ F32^n, ${condition}`);
      expect(domain.preconditions).toHaveLength(1);
      expect(body).toEqual(expect.objectContaining({ kind: 'let' }));
    },
  );

  it.each([
    ['len(x) = 4', 4, 4],
    ['x.len() >= 3', 3, 64],
  ])('%s bounds the size of x', (condition, minimum, maximum) => {
    const { sizes, preconditions } = model('y_i = x_i', `x ∈ F32^n, ${condition}`).domain;
    expect(sizes).toMatchObject([{ name: 'n', minimum, maximum }]);
    expect(preconditions).toEqual([]);
  });

  it.each([
    ['y_i = x_i / sum(x) where sum(x) = 2', 'x ∈ F32^n'],
    ['sum(x) = 2; y_i = x_i / sum(x)', 'x ∈ F32^n'],
    ['y_i = x_i / sum(x)', 'x ∈ F32^n, max(x_0, 1) = 2'],
  ])('%s, with a condition', (formula, domain) => {
    expect(model(formula, domain).domain.preconditions).toHaveLength(1);
  });

  it('is not a factor when it is called', () => {
    expect(problemOf('y = exp(a)', 'a ∈ F32, exp > 0')).toBe('PV-4030');
    expect(problemOf('y = σ(a - 1)', 'a ∈ F32, σ ∈ F32')).toBeNull();
  });

  it.each(['sum = 1', 'π = 3', 'e = 3', 'max = 1'])('%s is an error', (domain) => {
    expect(problemOf('y_i = x_i', `x ∈ F32^n, ${domain}`)).toBe('PV-4030');
  });

  it('is not redefined after a formula either, unless it is a single letter', () => {
    expect(problemOf('y_i = π·x_i where π = 3', 'x ∈ F32^n')).toBe('PV-4030');
    expect(problemOf('y_i = e·x_i where e = 3', 'x ∈ F32^n')).toBeNull();
  });

  it.each([
    ['y_i = max(x_i, 0) where max(a, b) = a + b + 1', 'x ∈ F32^n'],
    ['max(a, b) = a + b + 1; y_i = max(x_i, 0)', 'x ∈ F32^n'],
    ['y_i = max(x_i, 0)', 'x ∈ F32^n, max(a, b) = a + b + 1'],
    ['y_i = max(x_i, c) where max(x, c) = x + c', 'x ∈ F32^n, c ∈ F32'],
    ['y_i = exp(x_i) where exp(z) = 2·z', 'x ∈ F32^n'],
    ['y_i = clamp(x_i, 0, 1) where clamp(z, a, b) = z·a·b', 'x ∈ F32^n'],
    ['y_i = x_i - mean(x)_i where mean(v)_i = 2·v_i', 'x ∈ F32^n'],
    ['y_i = sum(x_i) where sum(z) := z', 'x ∈ F32^n'],
  ])('%s over %s is an error: the function is built in', (formula, domain) => {
    expect(problemOf(formula, domain)).toBe('PV-4030');
  });

  it('is not redefined in a claim', () => {
    const { diagnostics } = claimOf('max(R(x)_i, 0) > 0 where max(a, b) = a + b');
    expect(diagnostics.map(({ code }) => code)).toEqual(['PV-4030']);
  });

  it.each([
    ['y_i = (x_i - mean) / std where mean = Σ_j x_j / n, std = √(Σ_j (x_j - mean)² / n)', 'x ∈ F32^n'],
    ['y_i = σ(x_i) where σ(z) = 1 / (1 + exp(-z))', 'x ∈ F32^n'],
    ['y_i = sigmoid(x_i) where sigmoid(z) = 1 / (1 + exp(-z))', 'x ∈ F32^n'],
    ['y_i = x_i / norm(x) where norm(v) = √(Σ_j v_j²)', 'x ∈ F32^n'],
    ['y_i = x_i - mean(x) where mean(v) = (1/n) Σ_j v_j', 'x ∈ F32^n'],
    ['e_i = exp(x_i)', 'x ∈ F32^n'],
    ['y_i = e·x_i', 'x ∈ F32^n, e ∈ F32'],
    ['σ(x)_i = exp(x_i) / Σ_j exp(x_j)', 'x ∈ F32^n'],
    ['y_i = x_i - x_c where x_c = mean(x)', 'x ∈ F32^n'],
    ['y_i = x_i / √(x_i² + e) where e = 0.1', 'x ∈ F32^n'],
  ])('%s stays as it is', (formula, domain) => {
    expect(problemOf(formula, domain)).toBeNull();
    expect(model(formula, domain).domain.preconditions).toEqual([]);
  });

  it('takes an equation for an element or a size of an input as a condition', () => {
    expect(model('y_i = x_i', 'x ∈ F32^n, x_i = 2').domain.variables[0]?.choices).toHaveLength(1);
    expect(model('y_i = x_i', 'x ∈ F32^n, x_0 = 2').domain.preconditions).toHaveLength(1);
    expect(goal(claimOf('R(x)_i > 0 where n = 1')).domain.sizes).toMatchObject([{ minimum: 1, maximum: 1 }]);
  });
});

describe('an equation after the where of a formula', () => {
  it.each([
    ['y_i = x_i + n where n = 5', 'x ∈ F32^n, 1 ≤ n ≤ 16'],
    ['y_i = x_i + n where n = 5', 'x ∈ F32^n, n ≥ 1'],
    ['y_i = x_i + n where n = 4', 'x ∈ F32^n, n mod 2 = 0'],
    ['y_i = x_i + n where n = 5', 'x ∈ F32^n, n ∈ [1, 16]'],
    ['n = 5; y_i = x_i + n', 'x ∈ F32^n, 1 ≤ n ≤ 16'],
    ['G(a, b) = u where a = 1, u = a + b', 'a, b ∈ F32, 1 ≤ a ≤ 100, 1 ≤ b ≤ 100'],
    ['y_i = x_i·c where c = 2', 'x ∈ F32^n, c ∈ F32'],
    ['y_i = x_i / √(x_i² + ε) where ε = 1e-5', 'x ∈ F32^n, ε > 0'],
  ])('%s does not fix a name of %s', (formula, domain) => {
    expect(problemOf(formula, domain)).toBe('PV-4053');
  });

  it.each([
    ['y_i = x_i + c where c = 5', 'x ∈ F32^n, 1 ≤ n ≤ 16'],
    ['y_i = x_i / √d where d = 64', 'x ∈ F32^n, 1 ≤ n ≤ 16'],
    ['y_i = x_i / m where m = len(x)', 'x ∈ F32^n, 1 ≤ n ≤ 16'],
    ['y_i = x_i / n where n = len(x)', 'x ∈ F32^n, 1 ≤ n ≤ 16'],
    ['y_i = x_i / n where n = 5', 'x ∈ F32^n'],
    ['y_i = x_i / n where n = 5', 'x ∈ F32^n, n = 5'],
    ['y_i = x_i / n where n = 2·k', 'x ∈ F32^n, 2 ≤ n ≤ 16'],
    ['y_i = x_i / n when n = 5', 'x ∈ F32^n, 1 ≤ n ≤ 16'],
    ['y_i = log(x_i) where x_i > 0', 'x ∈ F32^n, 1 ≤ n ≤ 16'],
  ])('%s over %s stays as it is', (formula, domain) => {
    expect(problemOf(formula, domain)).toBeNull();
  });
});

describe('rows that sum to 1', () => {
  const notesOn = (domain: string, requires = ''): readonly string[] =>
    claimOf('R(x)_i ≤ 1', { domain, requires }).diagnostics.map(({ code }) => code);

  it.each(['Σ_i x_i = 1', 'x_i ≤ 0.5, sum(x) = 1'])('and have no lower bound (%s) are noted once', (said) => {
    expect(notesOn(`x ∈ F32^n, 1 ≤ n ≤ 64, ${said}`)).toEqual(['PV-4052']);
    expect(notesOn('x ∈ F32^n, 1 ≤ n ≤ 64', said)).toEqual(['PV-4052']);
  });

  it.each(['x_i ≥ 0, Σ_i x_i = 1', 'Σ_i x_i = 1, x_i ≥ 0', '-10 ≤ x_i, Σ_i x_i = 1', 'Σ_i x_i = 1, |x_i| ≤ 10'])(
    'and have a lower bound (%s) are not',
    (said) => {
      expect(notesOn(`x ∈ F32^n, 1 ≤ n ≤ 64, ${said}`)).toEqual([]);
    },
  );

  it('of machine integers are one-hot: the ends of a format are not stated bounds', () => {
    const [t] = model('y_i = t_i', 't ∈ I32^n, sum(t) = 1').domain.variables;
    expect(t?.lower).toEqual({
      value: expect.objectContaining({ kind: 'number', value: '0' }) as unknown,
      open: false,
    });
  });
});

describe('a condition of a claim is executed, however it is written', () => {
  const same = (written: string, plain: string, more = {}): void => {
    expect(goal(claimOf(written, more)).digest).toBe(goal(claimOf(plain, more)).digest);
  };

  it.each([
    ['R(x)_i > 0 (when x_i > 0)'],
    ['R(x)_i > 0 (x_i > 0)'],
    ['R(x)_i > 0 (for x_i > 0)'],
    ['R(x)_i > 0 for x_i > 0'],
    ['R(x)_i > 0 where x_i > 0'],
    ['R(x)_i > 0 whenever x_i > 0'],
    ['R(x)_i > 0 provided that x_i > 0'],
    ['R(x)_i > 0 assuming x_i > 0'],
    ['R(x)_i > 0 for all i with x_i > 0'],
  ])('%s', (written) => {
    same(written, 'R(x)_i > 0 when x_i > 0');
  });

  it.each([
    ['R(x)_i > 0 (elementwise)'],
    ['R(x)_i > 0 (for all i)'],
    ['R(x)_i > 0 (non-negativity)'],
    ["R(x)_i > 0 (Jensen's inequality)"],
    ['R(x)_i > 0 # doubles each element'],
    ['Softmax rows: R(x)_i > 0'],
  ])('%s says no more than its notation', (written) => {
    same(written, 'R(x)_i > 0');
  });

  it('keeps each condition with its part', () => {
    const simplex = { formula: 'H(p) = -Σ_i p_i·log(p_i)', domain: 'p ∈ F32^n, Σ p_i = 1, p_i > 0, 1 ≤ n ≤ 8' };
    const apart = 'H(p) > 0 when n > 1; H(p) = 0 when n = 1';
    same('H(p) > 0 for n > 1, H(p) = 0 for n = 1', apart, simplex);
    same('for n > 1: H(p) > 0; for n = 1: H(p) = 0', apart, simplex);
    same('H(p) > 0 for n > 1', 'H(p) > 0 when n > 1', simplex);
  });

  it('quantifies the side that has the index', () => {
    const equal = { formula: 'A = 1 if Σ_i |y_i - z_i| = 0 else 0', domain: 'y, z ∈ {0,1}^n, 1 ≤ n ≤ 8' };
    same('A = 1 iff y_i = z_i for all i', 'A = 1 ⟺ ∀ i: y_i = z_i', equal);
    same('A = 1 if y_i = z_i for all i', '(∀ i: y_i = z_i) ⟹ A = 1', equal);
  });

  it('reads what requires says after a declaration', () => {
    const plain = goal(claimOf('R(x)_i + c > 0', { requires: 'c ∈ F32, c > 1' }));
    expect(goal(claimOf('R(x)_i + c > 0', { requires: 'c ∈ F32 with c > 1' })).digest).toBe(plain.digest);
  });
});

describe('a bracket after a space that holds a formula is a factor', () => {
  it.each([
    ['x_i³ · (1 + tanh(√(2/π) (x_i + 0.044715 x_i³)))', 'x_i³ · (1 + tanh(√(2/π)·(x_i + 0.044715·x_i³)))'],
    ['x_i³ (1 + tanh(x_i))', 'x_i³ · (1 + tanh(x_i))'],
    ['2 x_i (3 x_i + 0.5 beta)', '2·x_i · (3·x_i + 0.5·beta)'],
    ['x_i (x_i beta + 1)', 'x_i · (x_i·beta + 1)'],
    ['beta (x_i - rate)', 'beta · (x_i - rate)'],
    ['x_i (1 - rate)', 'x_i · (1 - rate)'],
    ['rate · 2 (x_i)', 'rate · 2 · x_i'],
  ])('%s', (written, signed) => {
    const domain = 'x ∈ F32^n, rate ∈ F32, beta ∈ F32, 1 ≤ n ≤ 64';
    expect(digestOf(`y_i = ${written}`, domain)).toBe(digestOf(`y_i = ${signed}`, domain));
  });

  it.each([['y_i = x_i (elementwise)'], ['y_i = x_i (Eq. 3)'], ['y_i = x_i (row - column)']])(
    'and the words of %s are none',
    (formula) => {
      expect(digestOf(formula, 'x ∈ F32^n')).toBe(digestOf('y_i = x_i', 'x ∈ F32^n'));
    },
  );
});

describe('a part that would not be executed stops the field', () => {
  it.each<[string, FieldRole]>([
    ['R(x)_i > 0 (only for positive inputs)', 'proposition'],
    ['R(x)_i > 0 (training only)', 'proposition'],
    ['R(x)_i > 0 (n even)', 'proposition'],
    ['R(x)_i > 0 (beta small)', 'proposition'],
    ['R(x)_i > 0 (beta mean)', 'proposition'],
    ['R(x)_i > 0 (1e-5 fp32)', 'proposition'],
    ['R(x)_i > 0 [when x_i > 0]', 'proposition'],
    ['R(x)_i > 0 unless x_i ≤ 0', 'proposition'],
    ['R(x)_i > 0 # when x_i > 0', 'proposition'],
    ['positive inputs: R(x)_i > 0', 'proposition'],
    ['n - 1: R(x)_i > 0', 'proposition'],
    ['a ∈ ℤ^n (int8)', 'domain'],
    ['x ∈ F32^n (sorted)', 'domain'],
  ])('%s is only partly notation', (text, role) => {
    expect(formalText(text, role).notation.status).not.toBe('math');
  });

  it.each([
    ['y_i = x_i if x_i > 0', 'x ∈ F32^n'],
    ['y_i = x_i for x_i > 0', 'x ∈ F32^n'],
    ['y_i = c·x_i for all k', 'x ∈ F32^n, c ∈ F32'],
    ['y_i = c·x_i', 'x ∈ F32^n, c = 2 when n > 4'],
    ['y_i = c·x_i', 'c ∈ F32, x ∈ F32^n for all k'],
  ])('%s over %s has a part that nothing uses', (formula, domain) => {
    expect(problemOf(formula, domain)).toBe('PV-4031');
  });

  it('refuses a condition on given inputs', () => {
    const { diagnostics } = elaborated({
      equations: 'f:\n  formula: "y = x"\n  domain: "x ∈ F32"',
      tests: '- { id: T, prediction: "f(x) > 1", given: "x ∈ {1, 2, 3} with x > 2" }',
    });
    expect(diagnostics.map((one) => [one.code, marked(one)])).toEqual([['PV-4014', 'x ∈ {1, 2, 3} with x > 2']]);
  });
});
