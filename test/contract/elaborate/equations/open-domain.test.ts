/** Contracts in other people's words: what of them runs, and what is left undecided. Holds src/contract/elaborate/equations/main-formula.ts. */
import { describe, expect, it } from 'vitest';
import { elaborateEquationFromText } from '../../../../src/contract/elaborate/equations/from-text.ts';
import type { EquationModel } from '../../../../src/contract/goal.ts';
import { elaborated } from '../support.ts';

const read = (formula: string, domain?: string): EquationModel | null =>
  elaborateEquationFromText({ formula, ...(domain === undefined ? {} : { domain }) }).model;
const parameters = (model: EquationModel | null): readonly string[] =>
  (model?.parameters ?? []).map(({ name, type }) => `${name}:${type.kind === 'tensor' ? 'tensor' : type.kind}`);

describe('preconditions of an implementation', () => {
  const withPrecondition = (precondition: string): ReturnType<typeof elaborated> =>
    elaborated({
      equations: `f: { formula: "f(x) = Σ_i x_i", domain: "x ∈ ℝ^n", preconditions: ["${precondition}"] }`,
    });

  it.each(['!a.data().is_empty()', 'input.data().iter().all(|v| v.is_finite())', 'input.len() > 0', 'a.len() >= 1'])(
    '%s says nothing of the formula',
    (precondition) => {
      const [read] = withPrecondition(precondition).equations;
      expect(read).toMatchObject({ name: 'f' });
      expect(read).not.toHaveProperty('unread');
    },
  );

  it('say something where they ask for more than one element', () => {
    expect(withPrecondition('input.len() > 1').equations[0]).toHaveProperty('unread');
  });

  it('are left out where they name other things, and said not to be understood', () => {
    const { equations, diagnostics } = withPrecondition('params.count() > 3');
    expect(equations).toMatchObject([{ unread: "pv does not understand 'params.count() > 3'", widens: true }]);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).not.toEqual([]);
  });
});

describe('a domain that is only in part notation', () => {
  it('keeps what it declares', () => {
    const model = read('q(a, b, s) = s · Σ_k a_k · b_k', 'a, b ∈ ℤ^n (int8), s ∈ ℝ (scales)');
    expect(parameters(model)).toEqual(['a:tensor', 'b:tensor', 's:float']);
    expect(model?.unread).toMatch('(int8)');
  });

  it('keeps a type behind words, and the words as what is not understood', () => {
    const model = read('y = ⟨x, w⟩', 'x ∈ ℝ^d, fitted w ∈ ℝ^d');
    expect(parameters(model)).toEqual(['x:tensor', 'w:tensor']);
    expect(model?.unread).toMatch('fitted w');
  });

  it('is understood to its end if the words only name what is declared', () => {
    expect(read('y_i = x_i * (1 - p)', 'x ∈ F32^n, p ∈ (0, 1), dropout probability')).toMatchObject({ sizes: ['n'] });
    expect(read('y_i = x_i * (1 - p)', 'x ∈ F32^n, p ∈ (0, 1), dropout probability')).not.toHaveProperty('unread');
    expect(read('y_i = x_i * (1 - p)', 'x ∈ F32^n, p ∈ (0, 1), positive inputs')?.unread).toMatch('positive inputs');
  });

  it.each([
    ['steps = floor(n / b) * e', 'n: samples, b: batch size, e: epochs (e)', ['b:integer', 'e:float', 'n:integer']],
    ['steps = n * e', 'n: samples, e: number of epochs', ['e:integer', 'n:integer']],
    ['cost = k * e', 'k ≥ 0; e number of experts', ['e:float', 'k:float']],
    ['area = pi * r', 'pi: policy weight (pi), r: reward', ['pi:float', 'r:float']],
    ['loss = k * π', 'k ≥ 0\nπ is the probability of a click', ['k:float', 'π:float']],
    ['c = r * e^x', 'r: rate, x: exponent', ['r:float', 'x:float']],
    ['c = r * e^x', "r: rate, x: exponent, e: Euler's number", ['r:float', 'x:float']],
    ['c = 2 * pi * r', 'r: radius, pi: 3.14159…', ['r:float']],
    ['c = 2 * pi * r', "r: radius, pi: the circle's constant", ['r:float']],
  ])('%s where %s: a glossary says whether e and π are constants', (formula, domain, expected) => {
    expect(parameters(read(formula, domain)).toSorted()).toEqual(expected);
  });

  it('leaves numbers to be assumed, and their kind to the glossary', () => {
    const model = read('L_scaled = (1/N) * L_micro', 'L_micro: micro-batch loss, N: accumulation steps');
    expect(parameters(model).toSorted()).toEqual(['L_micro:float', 'N:integer']);
  });

  it('takes whole numbers for the arguments of a binomial coefficient', () => {
    const words = 'n: total samples per problem, c: correct samples, k: target k';
    const model = read('pass@k = 1 - C(n-c, k) / C(n, k)', words);
    expect(parameters(model).toSorted()).toEqual(['c:integer', 'k:integer', 'n:integer']);
    expect(model?.unread).toMatch('does not understand');
  });

  it.each([
    ['num_sequences: training sequences in the dataset', 'num_sequences:integer'],
    ['num_sequences: number of sequences', 'num_sequences:integer'],
    ['num_sequences: sequences per device', 'num_sequences:integer'],
    ['s: tokens per sequence', 's:float'],
  ])('counts what %s are', (domain, wanted) => {
    const [name = ''] = domain.split(':');
    expect(parameters(read(`total = 2 * ${name}`, domain))).toEqual([wanted]);
  });

  it.each(['s: sequences', 's: sequence of losses', 's: vector per layer'])('does not count %s', (domain) => {
    expect(read('total = 2 * s', domain)).toBeNull();
  });

  it.each([
    ['M = M_weights + M_kv + M_act', 'Total GPU memory during inference', ['M_act', 'M_kv', 'M_weights']],
    ['B = batch_size * seq_len', 'Training config hyperparameters', ['batch_size', 'seq_len']],
    ['util = busy / (busy + idle)', 'Measured via CUDA events', ['busy', 'idle']],
    ['M_heap < file_size / 10', 'Read-only operations (list, inspect)', ['M_heap', 'file_size']],
  ])('%s with the domain "%s"', (formula, domain, names) => {
    const model = read(formula, domain);
    expect(model?.parameters.map(({ name }) => name).toSorted()).toEqual(names);
    expect(model?.unread).toMatch('does not understand');
  });

  it.each([
    ['what the domain calls a matrix', 'y = 2 * A', 'A: an attention matrix'],
    ['a conditional probability', 'p = P(w|c)', 'words of a corpus'],
    ['a count of events', 'n = count(t in tokens)', 'tokens of a corpus'],
  ])('is not read as numbers: %s', (_, formula, domain) => {
    expect(read(formula, domain)).toBeNull();
  });

  it.each([
    ['a function', 'E = size(Q4K) / 2', 'Quantization schemes', ['size:float'], 'nothing defines size(Q4K)'],
    [
      'words',
      'f(n) = GPU if n >= 100 else CPU',
      'n = tensor element count',
      ['n:integer'],
      'GPU and CPU are read as labels',
    ],
    ['elements', 'G = (1/N) * sum_{i=1}^{N} g_i', 'g_i: a gradient', ['g:tensor'], 'nothing defines g'],
    ['like its argument', 'y = x + g(q(x))', 'x ∈ R^{n × d}, a layer', null, 'g'],
    ['like its argument', 'y = x + attn(q(x))', 'x ∈ R^{n × d}, a layer', ['x:tensor', 'attn:tensor'], 'attn(q(x))'],
  ])('takes any value of what nothing defines: %s', (_, formula, domain, inputs, said) => {
    const model = read(formula, domain);
    expect(model && parameters(model)).toEqual(inputs);
    if (model) expect(model.unread).toContain(said);
    expect(model?.widens).toBeUndefined();
  });

  it.each([
    ['a misspelt function', 'y = x + tahn(x)', 'x ∈ ℝ, a gate'],
    ['one that only passes on what another returns', 'm = compose(a, b)', 'a model'],
    ['one that depends on an index', 'y = Σ_{i=1}^{n} loss(x_i)', 'x ∈ ℝ^n, a sample'],
  ])('takes no value of %s', (_, formula, domain) => {
    expect(read(formula, domain)).toBeNull();
  });

  it('reads a recurrence over sequences of any length', () => {
    const model = read('v_t = b * v_{t-1} + (1 - b) * g_t^2', 'g_t in R^d, v_0 = 0, b in (0, 1)');
    expect(model).toMatchObject({ sizes: ['T', 'd'], result: { shape: [{ name: 'T' }, { name: 'd' }] } });
    expect(model).not.toHaveProperty('unread');
  });

  it('keeps what a formula computes among lines of prose', () => {
    const model = read('Depth of the stack:\n  y = 2 * x + 1\n  which is odd for whole numbers', 'x ∈ ℝ');
    expect(model?.unread).toMatch('Depth of the stack');
    expect(model).not.toHaveProperty('widens');
    expect(read('Depth of the stack:\n  y = x\n  is passed on', 'x ∈ ℝ')).toBeNull();
  });

  it('takes shapes from a glossary', () => {
    expect(parameters(read('y = 2 * A', 'A: attention weights [seq, seq]'))).toEqual(['A:tensor']);
    const model = read('y = h @ W^T where W ∈ R^{V × d}', 'h = final hidden state, shape [seq_len, d]');
    expect(model?.sizes.toSorted()).toEqual(['V', 'd', 'seq_len']);
  });

  it('is not searched for numbers when all of it is notation: a misspelt name is an error', () => {
    expect(elaborateEquationFromText({ formula: 'y_i = gama * x_i', domain: 'x ∈ F32^n' }).problem?.code).toBe(
      'PV-4001',
    );
  });

  it('is computed with numbers for names that nothing resembles, and the names remain an error', () => {
    const found = elaborateEquationFromText({ formula: 'waste = L * P * c', domain: 'L=layers, c ∈ (0, 1), P ∈ ℕ' });
    expect(found.problem).toMatchObject({ code: 'PV-4001', message: 'nothing declares layers' });
    expect(found.model?.unread).toMatch('assumed');
    expect(elaborateEquationFromText({ formula: 'f(z) = 2 * x', domain: 'x ∈ ℝ' }).model).toBeNull();
  });
});

describe('a formula that ends with words about one of its names', () => {
  it('is understood if they say what the name means to pv', () => {
    const model = read('GELU(x) = x * Phi(x) where Phi is the standard normal CDF', 'x in R');
    expect(parameters(model)).toEqual(['x:float']);
    expect(model).not.toHaveProperty('unread');
  });

  it('is understood in part if they may restrict it', () => {
    expect(read('S = X W^T where W is the unmixing matrix', 'X ∈ ℝ^{n×d}, W ∈ ℝ^{k×d}')?.unread).toMatch('unmixing');
  });

  it('is not executed if the name is not declared', () => {
    expect(read('y = x * G(x) where G is the standard normal CDF', 'x in R')).toBeNull();
  });
});

describe('claims about an equation that is understood in part', () => {
  const contract = elaborated({
    equations: 'total:\n  formula: "M = M_weights + M_kv"\n  domain: "Total memory during inference"',
    obligations: '- { id: C, type: bound, property: p, formal: "M ≥ M_weights" }',
  });

  it('are not decided: negative numbers would break this one, and its author does not mean them', () => {
    expect(contract.equations).toHaveLength(1);
    expect(contract.goals).toEqual([]);
    expect(contract.notGoals[0]?.reason).toMatch('total is understood in part');
  });

  it('are decided where the names are declared in full by another equation', () => {
    const both = elaborated({
      equations:
        'embed:\n  formula: "embed(t) = W[t, :]"\n  domain: "t ∈ [0, V), W ∈ F32^{V × d}"\n' +
        'range:\n  formula: "0 <= t < V"\n  domain: "V = vocabulary size (e.g., 32000)"',
      obligations: '- { id: C, type: bound, property: p, formal: "∀t ∈ [0,V): ||embed(t)||_2 ≥ 0" }',
    });
    expect(both.goals).toHaveLength(1);
  });
});

describe('formulas that are not written as definitions', () => {
  it('compute a truth value: the claims that they presuppose are not decided', () => {
    const model = read('h % n == 0 ∧ n > 0', 'h, n ∈ ℤ⁺');
    expect(model?.result.kind).toBe('boolean');
    expect(model?.unread).toMatch('condition');
  });

  it('compute what they say', () => {
    expect(read('softmax(z / T)', 'z ∈ F32^n, T > 0')?.result.kind).toBe('tensor');
  });
});

describe('names of one domain', () => {
  it('take their type from an equation that computes them', () => {
    expect(parameters(read('L(a, δ) = ½a² / δ', 'a = y - ŷ ∈ ℝ, δ > 0'))).toEqual(['a:float', 'δ:float']);
  });

  it('keep words after an underscore', () => {
    const model = read('should_stop = (p > 0) && (tests_failed >= p)', 'p: usize, tests_failed: usize');
    expect(model?.symbol).toBe('should_stop');
  });
});

describe('a formula of several statements', () => {
  it('leaves out those that define nothing, and is understood in part', () => {
    const found = elaborateEquationFromText({ formula: 'g(p) = ln(p), g^{-1}(y) = exp(y)', domain: 'p > 0, y in R' });
    expect(found.model).toMatchObject({ symbol: 'g', unread: 'this does not define anything' });
    expect(found.problem?.code).toBe('PV-4023');
    expect(read('count("a") == 2, count("b") == 3', 'files of a checkpoint')).toBeNull();
  });

  it('gives what it defines beside the last one to the other equations', () => {
    const both = elaborated({
      equations:
        'norm: { formula: "LN(x)_i = (x_i - mu) / sqrt(sigma^2 + eps)", domain: "x ∈ F32^n, eps > 0" }\n' +
        'statistics: { formula: "mu = mean(x), sigma^2 = mean((x - mu)^2)", domain: "x ∈ F32^n" }',
    });
    expect(both.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(both.equations.map(({ name, unread }) => [name, unread])).toEqual([
      ['norm', undefined],
      ['statistics', undefined],
    ]);
  });
});

describe('a formula that is an estimate, or ends with words about its scope', () => {
  it.each([
    ['F ≈ 2*P (forward pass) for dense compute', 'dense compute'],
    ['F ≈ 2*P', 'estimate'],
    ['F = P / 2 when training in mixed precision', 'mixed precision'],
  ])('%s is computed, and understood in part', (formula, unread) => {
    expect(read(formula, 'P ∈ ℝ')?.unread).toMatch(unread);
  });

  it('is not an estimate where a first side defines it', () => {
    expect(read('GELU(x) = x·Φ(x) ≈ x / (1 + exp(-1.702x))', 'x ∈ ℝ')).not.toHaveProperty('unread');
    expect(read('rows / columns = 37 / 7 ≈ 5.286', 'of the first layer')?.unread).toBeDefined();
  });

  it('assumes whole numbers where only they have a meaning', () => {
    const found = elaborateEquationFromText({ formula: 'a = |{i : y_i = z_i}| / C', domain: 'y, z ∈ {0, ..., C-1}^n' });
    expect(found.model?.parameters.map(({ name }) => name)).toContain('C');
    expect(read('G = Σ_{i=1}^{N} 1/i', 'N is the number of micro-batches')?.parameters).toMatchObject([{ name: 'N' }]);
  });
});
