/** Holds src/math/domain-facts.ts, src/real-proofs/exact-goal.ts. */
import { describe, expect, it } from 'vitest';
import { stated, type Claimed } from '../support/rocq.ts';

const claimOf = (claimed: Claimed, released?: Parameters<typeof stated>[1]): string => {
  const statement = stated(claimed, released);
  if (typeof statement === 'string') throw new Error(statement);
  return statement.text.slice(statement.text.indexOf('Definition claim'));
};

describe('the statement of a claim', () => {
  it('quantifies over sizes without a largest value, and keeps the bounds of inputs as hypotheses', () => {
    expect(claimOf({ formal: 'f(x)_i ≥ 2·x_i' })).toBe(`Definition claim : Prop :=
  forall (n : Z) (x : Z -> R),
  (1 <= n)%Z ->
  (forall i : Z, (0 <= i < n)%Z -> (-10) <= x i /\\ x i <= 10) ->
  forall i : Z, (0 <= i < n)%Z -> f n x i >= 2 * x i.
`);
  });

  it('does without bounds that the contract releases', () => {
    const formal = 'f(x)_i ≥ 2·x_i';
    const both = claimOf({ formal }, { unbounded: new Set(['x']), above: new Set() });
    expect(both).not.toContain('10');
    const above = claimOf({ formal }, { unbounded: new Set(), above: new Set(['x']) });
    expect(above).toContain('(-10) <= x i) ->');
    expect(above).not.toContain('<= 10');
  });

  it('has no tolerance: what is approximately equal in float32 is equal', () => {
    expect(claimOf({ formal: 'f(x)_i ≈ x_i + x_i', tolerance: '{ cond: 8, abs: 1e-30 }' })).toContain(
      'f n x i = x i + x i.',
    );
    expect(claimOf({ formal: '|Σ_i f(x)_i - 2·(Σ_i x_i)| ≤ ε', tolerance: '{ abs: 1e-6, per: n }' })).toContain(
      'sum_over 0%Z n (fun i => f n x i) = 2 * sum_over 0%Z n (fun i => x i).',
    );
  });

  it('keeps numbers exactly', () => {
    expect(claimOf({ formal: 'f(x)_i ≤ 0.1 + 2.5e-3 + π' })).toContain('1 / 10 + 25 / 10000 + PI');
  });

  it.each([
    ['f(x)_i ≥ x_i / (x_i - 1)', 'x i - 1 <> 0'],
    ['f(x)_i ≥ log(x_i)', 'x i > 0'],
    ['f(x)_i ≥ √(x_i)', 'x i >= 0'],
    ['f(x)_i ≥ x_i^(-1)', 'x i <> 0'],
    ['f(x)_i ≥ |x_i|^0.3', 'Rabs (x i) > 0'],
    ['x_i > 1 ⟹ f(x)_i ≥ 1 / x_i', '(forall i : Z, (0 <= i < n)%Z -> x i > 1 -> x i <> 0) /\\'],
    ['f(x)_i ≥ { 1 / x_i if x_i ≠ 0; 0 otherwise }', 'x i <> 0 -> x i <> 0'],
    ['f(x)_i ≤ max(x) + 40', '(0 < n)%Z'],
    ['i < n - 1 ⟹ f(x)_{i+1} ≥ -20', '(0 <= i + 1 < n)%Z'],
  ])('asks that %s has a value', (formal, condition) => {
    expect(claimOf({ formal })).toContain(condition);
  });

  it('asks nothing of what has a value anyhow', () => {
    expect(claimOf({ formal: 'f(x)_i ≥ 2^x_i' })).not.toMatch(/2 > 0|False/);
    expect(claimOf({ formal: 'f(x)_i ≥ 0^x_i' })).toContain('0 > 0');
    expect(claimOf({ formal: 'f(x)_i ≥ x_i / 2' })).not.toContain('2 <> 0');
    expect(claimOf({ formal: 'f(x)_i ≥ √2' })).not.toContain('2 >= 0');
  });

  it('requires values where the other side of a connective lets them matter', () => {
    expect(claimOf({ formal: 'x_i = 0 ∨ f(x)_i ≥ 1 / x_i' })).toMatch(/(~ ?\(?x i = 0\)?|x i <> 0) -> x i <> 0/);
    expect(claimOf({ formal: 'x_i ≠ 0 ∧ f(x)_i ≥ 1 / x_i' })).toContain('x i <> 0 -> x i <> 0');
  });

  it('writes numbers out to exponents of 400, and none beyond', () => {
    expect(claimOf({ formal: 'f(x)_i ≥ 1e-400' })).toContain(`1 / 1${'0'.repeat(400)}`);
    expect(stated({ formal: 'f(x)_i ≥ 1e-401' })).toContain('beyond 400');
  });

  it('requires values inside the equation, too', () => {
    const statement = stated({ formal: 'f(x)_i ≥ 0', formula: 'f(x)_i = √(x_i)' });
    if (typeof statement === 'string') throw new Error(statement);
    expect(statement.text).toContain(
      'Definition f_defined (n : Z) (x : Z -> R) : Prop :=\n  forall i : Z, (0 <= i < n)%Z -> x i >= 0.',
    );
    expect(statement.text).toContain('f_defined n x /\\');
  });

  it('writes integers as integers, and reads them as real numbers where they meet them', () => {
    const claimed = {
      formula: 'f(k)_i = k_i / 2',
      domain: 'k ∈ ℤ^n, 1 ≤ n ≤ 8, 0 ≤ k_i ≤ 9',
      formal: 'f(k)_i ≥ ⌊k_i / 2⌋ ∧ k_i mod 2 ≤ 1',
    };
    expect(claimOf(claimed)).toContain('f n k i >= IZR (k i / 2)%Z /\\ (k i mod 2 <= 1)%Z');
  });

  it('rounds to integers, and decides comparisons where values depend on them', () => {
    expect(claimOf({ formal: '⌊x_i⌋ mod 2 ≤ 1 ∧ f(x)_i ≥ 2·x_i' })).toContain('(Zfloor (x i)%R mod 2 <= 1)%Z');
    expect(claimOf({ formal: 'f(x)_i ≥ { 1 if x_i > 3; -20 otherwise }' })).toContain('if Rltb 3%R (x i)%R then 1');
  });

  it('requires an input that meets every hypothesis: without one, a claim says nothing', () => {
    const statement = stated({ formal: 'f(x)_i ≥ 2·x_i' });
    if (typeof statement === 'string') throw new Error(statement);
    expect(statement.text).toContain(`Definition some_input : Prop :=
  exists (n : Z) (x : Z -> R),
  (1 <= n)%Z /\\ (forall i : Z, (0 <= i < n)%Z -> (-10) <= x i /\\ x i <= 10).
`);
  });

  it('gives equations real numbers where they take them', () => {
    const claimed = { formula: 'f(x) = 2·x', domain: 'x ∈ F32, |x| ≤ 10', formal: 'f(⌊x⌋) ≥ -22' };
    expect(claimOf(claimed)).toContain('f (IZR (Zfloor x)%Z) >= ');
    const indexed = {
      formula: 'f(k, x) = k·x',
      domain: 'k ∈ ℤ, 0 ≤ k ≤ 3, x ∈ F32, |x| ≤ 10',
      formal: 'f(k, ⌈x⌉) ≥ -33',
    };
    expect(claimOf(indexed)).toContain('f k (IZR (Zceil x)%Z) >= ');
  });

  it('says what it quantifies over', () => {
    const scopeOf = (domain: string, released?: Parameters<typeof stated>[1]): string => {
      const statement = stated({ formal: 'f(x)_i ≥ 2·x_i', domain }, released);
      if (typeof statement === 'string') throw new Error(statement);
      return statement.scope;
    };
    expect(scopeOf('x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 10')).toBe('every n ≥ 1');
    expect(scopeOf('x ∈ F32^n, n = 4, |x_i| ≤ 10')).toBe('every n = 4');
    const above = { unbounded: new Set<string>(), above: new Set(['x']) };
    expect(scopeOf('x ∈ F32^n, 2 ≤ n ≤ 8, |x_i| ≤ 10', above)).toBe('every n ≥ 2, x without upper bounds');
    const both = { unbounded: new Set(['x']), above: new Set<string>() };
    expect(scopeOf('x ∈ F32^n, 2 ≤ n ≤ 8, |x_i| ≤ 10', both)).toBe('every n ≥ 2, x without bounds');
    expect(scopeOf('x ∈ F32^n, 2 ≤ n ≤ 8, n mod 2 = 0')).toBe('every n ≥ 2 that 2 divides');
  });

  it('asks of sizes what the domain says of them', () => {
    const of = (domain: string) => claimOf({ formal: 'f(x)_i ≥ 2·x_i', domain });
    expect(of('x ∈ F32^n, n = 4')).toContain('\n  (n = 4)%Z ->\n');
    expect(of('x ∈ F32^n, 2 ≤ n ≤ 8, n mod 2 = 0')).toContain('(2 <= n)%Z ->\n  (n mod 2 = 0)%Z ->');
    expect(of('x ∈ F32^n, 1 ≤ n ≤ 8')).not.toContain('mod');
  });

  it('takes names that Rocq uses for something else apart', () => {
    const text = claimOf({
      formula: 'f(exp)_i = 2·exp_i',
      domain: 'exp ∈ F32^S, 1 ≤ S ≤ 8',
      formal: 'f(exp)_i = 2·exp_i',
    });
    expect(text).toContain('forall (S_1 : Z) (exp_1 : Z -> R)');
  });

  it.each([
    [{ formal: 'is_finite(f(x)_i)' }, 'every real number is finite'],
    [{ formal: '|f(x)_i - 2·x_i| ≤ 4 ULP' }, 'no units of float32'],
    [{ formal: 'f(x)_i = fl32(2·x_i)' }, 'round32'],
    [{ formal: 'f(x)_i ≥ erf(x_i)' }, 'erf'],
    [{ formal: 'f(x) ≈ f_ref(x)', tolerance: '{ abs: 1 }' }, 'both sides are the same'],
    [{ formal: 'f(x)_i ≥ 2·x_i', domain: 'x ∈ F32_ext^n, 1 ≤ n ≤ 8' }, 'infinities'],
    [{ formal: 'as fast as it can be' }, 'prose'],
  ])('is refused for %j', (claimed, reason) => {
    expect(stated(claimed)).toContain(reason);
  });
});
