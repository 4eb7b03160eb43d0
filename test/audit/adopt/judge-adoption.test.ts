/**
 * Holds src/audit/adopt/adoption-checks.ts, src/audit/adopt/held-inputs.ts, src/audit/adopt/adopt-contracts.ts, src/audit/adopt/build-adoption.ts,
 * src/audit/adopt/place-of.ts, src/plan/given-input.ts.
 */
import { describe, expect, it } from 'vitest';
import { isAdoptionFinding } from '../../../src/report/adopt/adoption.ts';
import { adopted, contractOf, saidOf } from './adopted.ts';

/** What is said of the first claim of `f`. */
const of = async (formula: string, domain: string, claim: string, more: readonly string[] = []) =>
  saidOf(await adopted({ 'f-v1': contractOf(formula, domain, [claim], more) }), 'C-1');

describe('a claim over the reals', () => {
  it('that is false says so, with an input at which exact arithmetic breaks it, and its place', async () => {
    const said = await of('f(x) = x^2 - x', 'x ∈ ℝ', 'f(x) ≥ 0');
    expect(said).toMatchObject({ word: 'false', contract: 'f-v1', file: 'f-v1.yaml', line: 7, source: 'obligation' });
    expect(said.counterexample?.explanation).toMatch(/^over the reals, -.* ≥ 0 is false/u);
    expect(said.mend).toMatch(/^correct the claim or the formula/u);
  });

  it('that is false at one index of a tensor is false', async () => {
    const said = await of(
      'embed(t) = W[t]',
      't ∈ {0, ..., V-1}, W ∈ ℝ^{V×d}, V ≥ 1, d ≥ 1',
      '∀t ∈ [0,V): ||embed(t)||_2 > 0',
    );
    expect(said.word).toBe('false');
  });

  it('that is true is held, in both arithmetics, with the number of inputs', async () => {
    const said = await of('f(x) = x^2', 'x ∈ ℝ, |x| ≤ 1e3', 'f(x) ≥ 0');
    expect(said).toMatchObject({ word: 'held', counterexample: null, mend: null });
    expect(said.reason).toMatch(/^held on \d+ inputs over ℝ and [\d]+ inputs in float arithmetic$/u);
  });

  it('that is about rounded numbers is not false because exact ones differ', async () => {
    const said = await of('f(x) = exp(x)', 'x ∈ ℝ, x ≤ -104', 'f(x) = 0');
    expect(said).toMatchObject({ word: 'held', counterexample: null });
    expect(said.reason).toMatch(/; it is about rounded numbers: over the reals, /u);
    expect((await of('f(x) = exp(x)', 'x ∈ ℝ, x ≤ -9', 'f(x) = 0')).word).toBe('false');
  });

  it('says nothing where it applies an equation outside of its domain', async () => {
    const lr = ['lr(t) = 1 - t/T', 't ∈ ℕ, T ∈ ℕ, T ≥ 1, 0 ≤ t ≤ T'] as const;
    expect((await of(...lr, 'lr(t + 1) ≥ 0')).word).toBe('held');
    const said = await of(...lr, 'lr(t + 1) ≥ lr(t)');
    expect(said.word).toBe('false');
  });

  it('is never false for a term that falls below every exponent', async () => {
    const said = await of('f(x) = x', 'x ∈ ℝ', '1 / (1 - b^t) > 1 for t ≥ 1 and b ∈ (0, 1)');
    expect(['false-in-float64', 'not-run']).toContain(said.word);
  });

  it('is not decided where a formula has no value', async () => {
    const said = await of('f(x) = Σ_i log(x_i) · 0', 'x ∈ ℝ^n, n ≥ 1', 'f(x) ≥ -1');
    expect(said).toMatchObject({ word: 'not-run', counterexample: null });
    expect(said.reason).toMatch(/^a formula has no value at n = /u);
  });
});

describe('a claim that rounding breaks', () => {
  it('is false in float32 alone, with the tolerance that would hold', async () => {
    const said = await of('f(x) = x / 3', 'x ∈ ℝ, 1 ≤ x ≤ 2', '|3 · f(x) - x| < 1e-9');
    expect(said).toMatchObject({ word: 'false-in-float32' });
    expect(said.reason).toMatch(/^over ℝ it holds there and on \d+ other inputs; in float64 it held/u);
    expect(said.mend).toMatch(/^widen the bound by \S+, with which it holds at this input$/u);
    expect(said.extreme).toBeUndefined();
  });

  it.each([
    ['f(x)_i · 3 = x_i', '{ abs: 1e-5 }', 'not-run'],
    ['Σ_i f(x)_i · 3 ≤ Σ_i x_i', '{ rel: 1e-4 }', 'not-run'],
    ['f(x)_i · 3 = x_i', '{ abs: 1e-12 }', 'false-in-float32'],
    ['f(x)_i · 3 = x_i + 1', '{ abs: 1e9 }', 'not-run'],
    ['f(x)_i · 3 = x_i + 1', '{ abs: 0.5 }', 'false'],
  ])(
    'is not wrong by less than a tolerance that it states and does not use: %s with %s',
    async (formal, tolerance, word) => {
      const contract = contractOf('f(x)_i = x_i / 3', 'x ∈ ℝ^n, 2 ≤ n ≤ 16, 1 ≤ x_i ≤ 2', [formal]);
      const said = saidOf(
        await adopted({ 'f-v1': contract.replace(/ \}\n$/u, `, tolerance: ${tolerance} }\n`) }),
        'C-1',
      );
      expect(said.word).toBe(word);
      if (word === 'not-run') expect(said.reason).toMatch(/which = and ≤ do not use: write ≈/u);
    },
  );

  it('holds with a bound that float32 meets', async () => {
    const said = await of('f(x) = x / 3', 'x ∈ ℝ, 1 ≤ x ≤ 2', '|3 · f(x) - x| < 1e-5');
    expect(said.word).toBe('held');
  });

  it('is found at the sizes of the domain, far beyond those that are drawn', async () => {
    const mean = 'f(x) = (1/n) · Σ_i x_i';
    const said = await of(mean, 'x ∈ ℝ^n, n ≥ 1, 1 ≤ x_i ≤ 2', '|f(x) - (1/n) · Σ_i x_i| < 1e-6');
    expect(said.word).toBe('false-in-float32');
    const small = await of(mean, 'x ∈ ℝ^n, 1 ≤ n ≤ 4, 1 ≤ x_i ≤ 2', '|f(x) - (1/n) · Σ_i x_i| < 1e-6');
    expect(small.word).toBe('held');
  });

  it('only at numbers near the ends of the range is marked', async () => {
    const said = await of('f(x) = x^2', 'x ∈ ℝ', 'f(x) < ∞');
    expect(said).toMatchObject({ word: 'false-in-float32', extreme: true });
    expect(said.mend).toMatch(/^bound the inputs/u);
  });

  it('is false in float64 where no formula of the contract takes part', async () => {
    const said = await of('f(x) = x', 'x ∈ ℝ', 'log(1 + exp(z)) > 0 for z in [-1000, 1000]');
    expect(said.word).toBe('false-in-float64');
  });
});

describe('everything else', () => {
  it('is vacuous where no premise holds', async () => {
    const said = await of('f(x) = x^2', 'x ∈ ℝ', 'f(x) < 0 ⟹ f(x) > 1');
    expect(said).toMatchObject({ word: 'vacuous' });
    expect(said.mend).toMatch(/^state a premise/u);
  });

  it('is prose, or not run with a reason, and is counted', async () => {
    const report = await adopted({
      'f-v1': contractOf('f(x) = x', 'x ∈ ℝ', ['f behaves well', 'f(x) ≤ unknown_name', 'f(x) = x']),
    });
    expect(['C-1', 'C-2', 'C-3'].map((claim) => saidOf(report, claim).word)).toEqual(['prose', 'not-run', 'held']);
    expect(report).toMatchObject({
      contracts: 1,
      equations: { run: 1, declared: 1 },
      obligations: { run: 1, declared: 3 },
      tests: { run: 0, declared: 0 },
      unread: [],
    });
  });

  it('of an equation is judged as well: codomains, invariants, postconditions', async () => {
    const stated = ['codomain: "[0, 1]"', 'invariants: ["f(x) ≤ 2"]', 'postconditions: ["f(x) ≥ 1"]'];
    const report = await adopted({ 'f-v1': contractOf('f(x) = 1 + x^2', 'x ∈ ℝ, |x| ≤ 1', [], stated) });
    expect(saidOf(report, 'f.codomain').word).toBe('false');
    expect(saidOf(report, 'f.invariant-1').word).toBe('held');
    expect(saidOf(report, 'f.postcondition-1').word).toBe('held');
    expect(report.statements).toEqual({ run: 3, declared: 3 });
  });

  it('is judged as far as it is understood, and is no finding for that', async () => {
    const report = await adopted({
      'f-v1': contractOf('f(x) = 1 + x^2', 'x ∈ ℝ, |x| ≤ 1', [
        'f(x) ≥ 1 for all averaging modes',
        'f(x) > 1 for typical inputs',
        'f(x) / x > 1 for typical inputs',
        'f(x) - 1 = x^2 for typical inputs',
      ]),
    });
    expect(saidOf(report, 'C-1')).toMatchObject({ word: 'prose', asRead: 'held' });
    expect(saidOf(report, 'C-2')).toMatchObject({ word: 'prose', asRead: 'broken', mend: null });
    expect(saidOf(report, 'C-2').counterexample?.input).toBeDefined();
    expect(saidOf(report, 'C-3').reason).toMatch(/as far as it is understood, it is false$/u);
    expect(saidOf(report, 'C-4').reason).toMatch(/, it is false-in-float32: over ℝ it holds there/u);
    expect(report.obligations).toEqual({ run: 0, inPart: 4, declared: 4 });
    expect(report.judged.filter(isAdoptionFinding)).toEqual([]);
  });

  it('holds where it is meant if it holds on more than that, and is never false there', async () => {
    const report = await adopted({
      'f-v1': contractOf('f(x) = 1 + x^2', 'x ∈ ℝ, |x| ≤ 1', [
        'f(x) ≥ 1 for all measured inputs',
        'f(x) ≥ 1 for fitted models',
        'f(x) ≥ 1 for all averaging modes',
        'f(x) ≤ 1 for fitted models',
        'f(x) ≥ 1 after training',
        'a·b = b·a for fitted models',
      ]),
      'g-v1': contractOf('M = a^2 + b^2', 'Total memory of a step', ['M ≥ 0', 'M > 0']),
      'h-v1': contractOf('S(t) = 1 + gain(t) * 2', 't ∈ ℝ', ['S(t) = S(2*t)', 'S(t) ≥ 1']),
    });
    const words = ['C-1', 'C-2', 'C-3', 'C-4', 'C-5', 'C-6'].map((claim) => saidOf(report, claim));
    expect(words.map(({ word, asRead }) => asRead ?? word)).toEqual([
      'held',
      'held',
      'held',
      'broken',
      'held',
      'prose',
    ]);
    expect(words.map(({ word }) => word)).toEqual(['held', 'held', 'prose', 'prose', 'prose', 'prose']);
    expect(words[1]?.reason).toMatch(
      /^held on .* inputs? .*, some of which may not be meant: "for fitted models" is prose/u,
    );
    // A name that is read as a number may be meant as a vector; a function that nothing defines is not one value.
    const ofOthers = report.judged.filter(({ contract }) => contract !== 'f-v1');
    expect(ofOthers.map(({ contract, claim, word, asRead }) => [contract, claim, word, asRead])).toEqual([
      ['g-v1', 'C-1', 'not-run', 'held'],
      ['g-v1', 'C-2', 'not-run', 'broken'],
      ['h-v1', 'C-1', 'not-run', 'held'],
      ['h-v1', 'C-2', 'not-run', 'broken'],
    ]);
    expect(report.judged.filter(isAdoptionFinding)).toEqual([]);
  });

  it('among the properties of an equation is judged as an invariant, with or without a name', async () => {
    const properties = ['properties:', '  - low: "f(x) ≤ 1"', '  - "f(x) ≥ 1"', '  - fast: "vectorised"', '  - low: 3'];
    const report = await adopted({ 'f-v1': contractOf('f(x) = 1 + x^2', 'x ∈ ℝ, |x| ≤ 1', [], properties) });
    expect(report.judged.map(({ claim, word }) => [claim, word])).toEqual([
      ['f.invariant-1', 'false'],
      ['f.invariant-2', 'held'],
      ['f.invariant-3', 'prose'],
      ['f.properties[4]', 'not-run'],
    ]);
    expect(report.statements).toMatchObject({ run: 2, declared: 4 });
  });

  it('that compares implementations needs a kernel, and is counted apart', async () => {
    const simd =
      '  - { type: equivalence, property: "SIMD matches scalar within ULP", tolerance: 8.0, applies_to: simd }\n';
    const report = await adopted({ 'f-v1': contractOf('f(x) = 1 + x^2', 'x ∈ ℝ, |x| ≤ 1', ['f(x) ≥ 1']) + simd });
    const said = report.judged.find(({ word }) => word === 'needs-kernel');
    expect(said).toMatchObject({ source: 'obligation', counterexample: null, mend: null });
    expect(said?.reason).toMatch(/^it compares implementations of \S+ \(ulp 8\): bind a kernel/u);
    expect(report.obligations).toEqual({ run: 1, needKernel: 1, declared: 2 });
  });

  it('is no finding where only the last operation is rounded', async () => {
    const said = await of('f(x) = x + 1', 'x ∈ ℝ, 0 ≤ x ≤ 9', 'f(x) = x + 1');
    expect(said).toMatchObject({ word: 'not-run', counterexample: null });
    expect(said.reason).toMatch('but for one rounding');
  });

  it('that two ways to write one formula differ by rounding is no finding', async () => {
    const report = await adopted({ 'f-v1': contractOf('f(x) = x · x / 3 = (x / 3) · x', 'x ∈ ℝ, |x| ≤ 9', []) });
    expect(saidOf(report, 'f.equality-1').word).toBe('held');
  });

  it('that reading decides is false too: numbers that are wrong', async () => {
    const report = await adopted({ 'f-v1': contractOf('f(x) = x', 'x ∈ ℝ', ['2 · 3 = 7']) });
    const wrong = report.judged.filter(({ word }) => word === 'false');
    expect(wrong).toMatchObject([{ claim: 'C-1', line: 7, reason: expect.stringContaining('the left side is 6') }]);
    expect(report.findings.filter(({ code }) => code === 'PV-3018')).toEqual([]);
  });

  it('is false over ℝ at a large size that float arithmetic found, and at the ends of the range', async () => {
    const more = ['invariants: ["f(x) ≤ 34800", "f(x) ≤ 69000", "f(x) ≤ 70000"]'];
    const domain = 'x ∈ ℝ^n, 1 ≤ n ≤ 70000, 0 ≤ x_i ≤ 1';
    const report = await adopted({ 'f-v1': contractOf('f(x) = sum(x_i)', domain, [], more) });
    expect(report.judged.map(({ word }) => word)).toEqual(['false', 'false', 'held']);
    const said = saidOf(report, 'f.invariant-2');
    expect(said.counterexample?.explanation).toMatch(/^over the reals, 69\d{3} ≤ 69000 is false/u);
  }, 120_000);

  it.each(['(never true)', '# not true', '# never holds', '# conjecture', '# false'])(
    'is not judged without words that deny it: %s',
    async (words) => {
      expect((await of('f(x) = x + 1', 'x ∈ ℝ, |x| ≤ 9', `f(x) > x ${words}`)).word).toMatch(/^(?:prose|not-run)$/u);
    },
  );

  it.each(['(never negative)', '# not used elsewhere', '(non-negativity)'])(
    'is judged without words that say nothing against it: %s',
    async (words) => {
      expect((await of('f(x) = x + 1', 'x ∈ ℝ, |x| ≤ 9', `f(x) > x ${words}`)).word).toBe('held');
    },
  );

  it('shows the comparison that failed, not one that chose a case of the formula', async () => {
    const said = await of('ema_t = 0.9·ema_{t-1} + 0.1·x_t, ema_0 = x_0', 'x ∈ ℝ^T, T ≥ 1', 'ema_t ≤ x_t');
    expect(said.word).toBe('false');
    expect(said.counterexample?.explanation).toMatch(/^over the reals, \S+ ≤ \S+ is false/u);
  });

  it('overflows where both sides are not numbers, and is not called broken', async () => {
    const said = await of('f(q, k) = q · k / sqrt(d)', 'q ∈ ℝ^d, k ∈ ℝ^d, d ≥ 1', 'f(q, k) = f(k, q)');
    expect(said).toMatchObject({ word: 'false-in-float32', overflows: true });
  });

  it('gives the same report twice', async () => {
    const texts = { 'f-v1': contractOf('f(x) = x^2 - x', 'x ∈ ℝ', ['f(x) ≥ 0', 'f(x) ≤ 9']) };
    expect(await adopted(texts)).toEqual(await adopted(texts));
  });

  it('names files that hold no contract, and forgives a binding', async () => {
    const report = await adopted({
      'f-v1': contractOf('f(x) = x', 'x ∈ ℝ', []),
      broken: 'equations: [',
      b: 'bindings: []',
    });
    expect(report.unread).toEqual(['broken.yaml']);
  });
});
