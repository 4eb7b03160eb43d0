/**
 * Holds src/math/notation/bars.ts, src/math/notation/characters.ts, src/math/notation/cursor.ts,
 * src/math/notation/juxtaposition.ts, src/math/notation/label.ts, src/math/notation/levels.ts,
 * src/math/notation/lex-name.ts, src/math/notation/lex-number.ts, src/math/notation/lex-symbol.ts,
 * src/math/notation/lines.ts, src/math/notation/pair.ts, src/math/notation/parse-binders.ts,
 * src/math/notation/parse-brackets.ts, src/math/notation/parse-call.ts, src/math/notation/parse-expression.ts,
 * src/math/notation/parse-index.ts, src/math/notation/parse-predicate.ts, src/math/notation/parse-prefix.ts,
 * src/math/notation/parse-quantifier.ts, src/math/notation/parse-script.ts, src/math/notation/parse-statement.ts,
 * src/math/notation/phrases.ts, src/math/notation/read-declaration.ts, src/math/notation/read-line.ts,
 * src/math/notation/scripts.ts, src/math/notation/shape-of.ts, src/math/notation/share-clauses.ts,
 * src/math/notation/vocabulary.ts.
 */
import { describe, expect, it } from 'vitest';
import { readNotation } from '../../../src/math/notation/read.ts';
import type { FieldRole } from '../../../src/math/notation/syntax.ts';
import { sketch } from './trees.ts';

function reading(text: string, role: FieldRole): readonly string[] {
  const read = readNotation(text, role);
  expect(read.status, JSON.stringify(read.problem)).toBe('math');
  return read.statements.map(sketch);
}

describe('expressions', () => {
  it.each([
    ['a + b · c', '(+ a (· b c))'],
    ['a - b - c', '(- (- a b) c)'],
    ['a^b^c', '(^ a (^ b c))'],
    ['-x^2', '(negate (^ x 2))'],
    ['2^-3', '(^ 2 (negate 3))'],
    ['-2i / d', '(/ (juxt (negate 2) i) d)'],
    ['a / 2i', '(/ a (juxt 2 i))'],
    ['1/n Σ_i x_i', '(juxt (/ 1 n) (big sum (i) x_i))'],
    ['Σ_{j<n} e + c', '(+ (big sum (j < n) e) c)'],
    ['Σ_{j=0}^{n-1} a_j · b_j', '(big sum (j = 0) (- n 1) (· a_j b_j))'],
    ['sum_{l in A} 2 * l', '(big sum (l ∈ A) (· 2 l))'],
    ['\\sum_{i=1}^{n} \\frac{x_i}{n}', '(big sum (i = 1) n (/ x_i n))'],
    ['S_ij - max_j S_ij / 2', '(- S_ij (/ (big max (j) S_ij) 2))'],
    ['max_b |a - b|', '(big max (b) (absolute (- a b)))'],
    ['∏_{k=1}^{K} e', '(big product (k = 1) K e)'],
    ['max_val + 1', '(+ max_val 1)'],
    ['Sum_{i=0}^{n-1} x_i', '(big sum (i = 0) (- n 1) x_i)'],
    ['p log p + n', '(+ (juxt p (log! p)) n)'],
    ['log x² - log 2x', '(- (log! (^ x 2)) (log! (juxt 2 x)))'],
    ['log Σ_i exp x_i', '(log! (big sum (i) (exp! x_i)))'],
    ['½‖w‖² + λ|θ|', '(+ (juxt 0.5 (^ (norm w) 2)) (juxt λ (absolute θ)))'],
    ['η(1 + λ|θ|)', '(η! (+ 1 (juxt λ (absolute θ))))'],
    ['P(a|b) - P(b|a)', '(- (P! (| a b)) (P! (| b a)))'],
    ['N(x; μ, σ)', '(N! x μ σ)'],
    ['1[x > 0]', '(conditional (> x 0) 1 0)'],
    ['Σᵢⱼ Aᵢⱼ', '(big sum (i) (j) (index A (at ij)))'],
    ['x² + β₁', '(+ (^ x 2) β_1)'],
    ['Aᵀ W', '(juxt (transpose A) W)'],
    ['||a| - |b||', '(absolute (- (absolute a) (absolute b)))'],
    ['‖x‖_∞ + ||y||_2', '(+ (norm x (infinity)) (norm y 2))'],
    ['√(a)² / √d', '(/ (^ (square-root a) 2) (square-root d))'],
    ['sqrt(x) + abs(y) + floor(z)', '(+ (+ (square-root x) (absolute y)) (floor z))'],
    ['A[i, :, 0..n]', '(index A (at i) (slice) (slice 0 n))'],
    ['Q[h, half:]', '(index Q (at h) (slice half))'],
    ['model.layers.len()', '((member (member model layers) len)! )'],
    ['R^{n x d}', '(^ R (× n d))'],
    ['[0, n)', '(interval 0 n !)'],
    ['⟨x, y⟩', '(inner-product x y)'],
    ['{x ∈ S | x > 0}', '(set-builder (∈ x S) (> x 0))'],
    ['|{i : y_i = z_i}|', '(absolute (set-builder i (= y_i z_i)))'],
    ['{0, 1, ..., n}', '(set 0 1 n !)'],
    ['{0..C-1}', '(set 0 (- C 1) !)'],
    ['a if p else b', '(conditional p a b)'],
    ['p ? a : b', '(conditional p a b)'],
    ['if p > 0 then a else b', '(conditional (> p 0) a b)'],
    ['{ a if p; b if q; c otherwise }', '(cases (a p) (b q) c)'],
    ['pass@1 + a @ b', '(+ pass@1 (@ a b))'],
    ['sum(x[i]^2 for i in S)', '(big sum (i ∈ S) (^ (index x (at i)) 2))'],
    ['KL(P || Q)', '(KL! P Q)'],
    ['I(P || Q)', '(I! (| P Q))'],
    ['p(θ | x)', '(p! (| θ x))'],
    ['E[x_i | y]', '(big expectation (| x_i y))'],
    ['GQA(kv_heads = 4, x)', '(GQA! kv_heads=4 x)'],
    ['h_{t-1} + β^{(k+1)}', '(+ (index h (at (- t 1))) (index β (at (+ k 1))))'],
    ['g^{-1}(η)', '((^ g (negate 1))! η)'],
    ['mθ_k', '(juxt m θ_k)'],
  ])('%s', (text, tree) => {
    expect(reading(text, 'expression')).toEqual([tree]);
  });
});

describe('numbers', () => {
  it.each([
    ['1e-5', '1e-5'],
    ['2.5e−3', '2.5e-3'],
    ['65,536', '65536'],
    ['100_000', '100000'],
    ['32K', '32000'],
    ['1.5B', '1500000000'],
    ['0.12345M', '123450'],
    ['0x10', '16'],
    ['½', '0.5'],
    ['8 ULP', '8:ULP'],
    ['5%', '5:%'],
    ['32 GB/s', '32:GB/s'],
    ['4 bytes', '4:bytes'],
    ['f(1,200)', '(f! 1 200)'],
    ['5%2', '(mod 5 2)'],
    ['1.5e3K', '1.5e6'],
  ])('%s', (text, tree) => {
    expect(reading(text, 'expression')).toEqual([tree]);
  });
});

describe('claims', () => {
  it.each([
    ['0 < y ≤ 1', ['(< ≤ 0 y 1)']],
    ['a >= b AND b != c', ['(∧ (≥ a b) (≠ b c))']],
    ['not a = b', ['(not (= a b))']],
    ['!is_nan(e) && !is_inf(e)', ['(∧ (not (is_nan! e)) (not (is_inf! e)))']],
    ['x > y implies f(x) > f(y)', ['(⟹ (> x y) (> (f! x) (f! y)))']],
    ['t1 < t2 -> c(t1) < c(t2)', ['(⟹ (< t1 t2) (< (c! t1) (c! t2)))']],
    ['a = 0 iff b = 0', ['(⟺ (= a 0) (= b 0))']],
    ['∀ i ∈ [0, n), j: A_ij ≥ 0', ['(quantified forall (i ∈ (interval 0 n !)) (j) (≥ A_ij 0))']],
    ['∀ c ∈ F32, |c| ≤ 100: f(c) = c', ['(quantified forall (c ∈ F32) (⟹ (≤ (absolute c) 100) (= (f! c) c)))']],
    [
      'forall w1 w2 in S, forall t: f(w1) = f(w2)',
      ['(quantified forall (w1 ∈ S) (w2 ∈ S) (quantified forall (t) (= (f! w1) (f! w2))))'],
    ],
    ['∃! x: p(x) = 1', ['(quantified unique (x) (= (p! x) 1))']],
    ['x ≥ 0 for all i, j', ['(≥ x 0) for (i) for (j)']],
    ['x ≥ 0 for any scalar c', ['(≥ x 0) for (c ∈ scalar)']],
    ['f(x) = x for x > 0', ['(= (f! x) x) for (x > 0)']],
    ['a ≤ b when ε > 0', ['(≤ a b) when (> ε 0)']],
    ['a = 1 with g = 1, b = 0', ['(= a 1) when (= g 1) when (= b 0)']],
    ['a = 1, b = 2 when p = q', ['(= a 1) when (= p q)', '(= b 2) when (= p q)']],
    ['When y = z: a = 1, b = 0', ['(= a 1) when (= y z)', '(= b 0) when (= y z)']],
    ['n = 10, c = 3 => p = 1; k = 2', ['(⟹ (∧ (= n 10) (= c 3)) (= p 1))', '(= k 2)']],
    [
      'f(x) < 1 for x > 1 and |g(x)| < 1 for x < 0',
      ['(< (f! x) 1) for (x > 1)', '(< (absolute (g! x)) 1) for (x < 0)'],
    ],
    ['a and b are finite', ['(∧ (is_finite! a) (is_finite! b))']],
    ['x_i = c for all i ⟹ s = 0', ['(⟹ (quantified forall (i) (= x_i c)) (= s 0))']],
    ['x is not NaN', ['(not (is_nan! x))']],
    ['loss is at most 3', ['(≤ loss 3)']],
    ['Normal equations: X^T r = 0', ['[Normal equations] (= (juxt (transpose X) r) 0)']],
    ['p(x) > 0 || q(x) > 0', ['(∨ (> (p! x) 0) (> (q! x) 0))']],
  ])('%s', (text, trees) => {
    expect(reading(text, 'proposition')).toEqual(trees);
  });
});

describe('formulas and domains', () => {
  it.each<[string, FieldRole, readonly string[]]>([
    ['y = a\n  + b\nz = c', 'formula', ['(= y (+ a b))', '(= z c)']],
    ['y = {\n  a if x > 0\n  b otherwise\n}', 'formula', ['(= y (cases (a (> x 0)) b))']],
    ['y = x / r where r = 2 and s = 3, t = 4', 'formula', ['(= y (/ x r)) where (= r 2) where (= s 3) where (= t 4)']],
    ['y = x / r where\n  r = 2\n  s = 3', 'formula', ['(= y (/ x r)) where (= r 2) where (= s 3)']],
    ['L(a) = ½a² if |a| ≤ δ, else b', 'formula', ['(= (L! a) (conditional (≤ (absolute a) δ) (juxt 0.5 (^ a 2)) b))']],
    ['r = 1 / k if k > 0, 0 otherwise', 'formula', ['(= r (cases ((> k 0) (/ 1 k)) 0))']],
    ['f(x) = x > 0 ? x : 0', 'formula', ['(= (f! x) (conditional (> x 0) x 0))']],
    ['[h] @ [V, h]^T → [V]', 'formula', ['(function-type (@ (list h) (transpose (list V h))) (list V))']],
    ['x, y ∈ F32^n, n ≥ 1', 'domain', ['(∈ x (^ F32 n))', '(∈ y (^ F32 n))', '(≥ n 1)']],
    ['γ ∈ (0, 1], p ∈ [0,1]ⁿ', 'domain', ['(∈ γ (interval 0 1 !))', '(∈ p (^ (interval 0 1) n))']],
    [
      'F: R^d -> R, t: [0, T], step: usize',
      'domain',
      ['(∈ F (function-type (^ R d) R))', '(∈ t (interval 0 T))', '(∈ step usize)'],
    ],
    ['W in R_>0, k in Z+, q ∈ ℝ_{≥0}', 'domain', ['(∈ W R_>0)', '(∈ k Z⁺)', '(∈ q ℝ_≥0)']],
    ['f ∈ [0,1]^n → ℝ', 'domain', ['(∈ f (function-type (^ (interval 0 1) n) ℝ))']],
  ])('%s', (text, role, trees) => {
    expect(reading(text, role)).toEqual(trees);
  });
});

describe('what is not notation stays visible', () => {
  it.each<[string, FieldRole, string, readonly string[]]>([
    ['x ≥ 0 (never negative)', 'proposition', 'math', ['comment (never negative)']],
    ['a = b  # the shard', 'formula', 'math', ['comment # the shard']],
    ['x ∈ ℝ^d (features), fitted tree, n ≥ 1', 'domain', 'partial', ['comment (features)', 'tail fitted tree,']],
    ['n = 512 for Qwen3-8B', 'proposition', 'partial', ['tail for Qwen3-8B']],
    ['s = 0 means no pruning', 'proposition', 'partial', ['tail means no pruning']],
    ['Given scores S:\n  A = S + M', 'formula', 'partial', ['tail Given scores S:']],
    ['Larger model', 'proposition', 'prose', ['tail Larger model']],
    ['softmax(x)', 'proposition', 'prose', ['tail softmax(x)']],
  ])('%s', (text, role, status, prose) => {
    const read = readNotation(text, role);
    expect([read.status, read.prose.map((p) => `${p.role} ${p.text}`)]).toEqual([status, prose]);
  });

  it('says where the notation ends and what was expected', () => {
    const problem = (text: string, role: FieldRole): string => {
      const read = readNotation(text, role);
      return `${String(read.problem?.range.start)}: ${read.problem?.message ?? ''}`;
    };
    expect(problem('x ≥ 0 almost surely', 'proposition')).toBe(
      '6: the notation ends here; expected an operator, "," or the end',
    );
    expect(problem('a = (b + c', 'formula')).toBe('4: "(" is never closed');
    expect(problem('a = b +', 'formula')).toBe('7: expected an expression, found the end');
    expect(problem('softmax(x)', 'proposition')).toBe('10: this is not a claim such as "a ≤ b"');
    expect(problem('∀ i x_i > 0', 'proposition')).toBe('11: expected ":" after the bound names');
    expect(problem('', 'formula')).toBe('0: no notation here');
  });
});
