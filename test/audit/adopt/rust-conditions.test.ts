/**
 * Conditions of implementations in Rust: closures over the elements of a vector, and what a function returns.
 *
 * Holds src/contract/elaborate/claims/returned-value.ts, src/math/notation/closures.ts.
 */
import { describe, expect, it } from 'vitest';
import { withoutClosures } from '../../../src/math/notation/closures.ts';
import { adopted, contractOf, saidOf, wordsOf } from './adopted.ts';

describe('a closure over every element', () => {
  it.each([
    ['x.iter().all(|v| v.is_finite())', '(x.is_finite())'],
    ['x.data().iter().all(|&p| p <= 1.0)', '(x.data() <= 1.0)'],
    ['y.iter().all(|v| *v >= 0.0 && v.is_finite()) && n > 0', '(y >= 0.0 && y.is_finite())'],
    ['(y.iter().sum::<f32>() - 1.0).abs() < 1e-5', '(y.iter().sum()'],
  ])('%s is said of the vector, in as many characters', (text, said) => {
    const plain = withoutClosures(text);
    expect(plain).toHaveLength(text.length);
    expect(plain.startsWith(said)).toBe(true);
  });

  it.each(['x.iter().any(|v| v > 0.0)', 'x.iter().all(|v| f(w) > 0.0)', 'x.iter().all(|v| v > g(1))) > 0', 'a |v| b'])(
    '%s is left as it is',
    (text) => {
      expect(withoutClosures(text).trim()).toBe(text);
    },
  );

  it('is judged', async () => {
    const claims = [
      'y.iter().all(|v| *v >= 0.0)',
      'y.iter().all(|v| *v <= 0.5)',
      'y.iter().all(|v| *v >= 0.0 && *v <= 0.5)',
    ];
    expect(await wordsOf('y_i = x_i', 'x ∈ {0, 1}^n, n ≤ 3', claims)).toEqual(['held', 'false', 'false']);
  });
});

describe('ret of a postcondition', () => {
  const conditions = async (formula: string, texts: readonly string[], domain = 'x ∈ {0, 1}^n, n ≤ 3') => {
    const more = [`postconditions: [${texts.map((text) => JSON.stringify(text)).join(', ')}]`];
    const adoption = await adopted({ 'f-v1': contractOf(formula, domain, [], more) });
    return texts.map((_, i) => saidOf(adoption, `f.postcondition-${i + 1}`).word);
  };

  it('is what the equation computes', async () => {
    const texts = ['ret.iter().all(|v| *v <= 2.0)', 'ret.iter().all(|v| *v <= 1.0)', 'ret.iter().sum::<f32>() >= 0.0'];
    expect(await conditions('f(x)_i = 2·x_i', texts)).toEqual(['held', 'false', 'held']);
    expect(await conditions('y = Σ_i x_i', ['ret <= 3', 'ret <= 2'])).toEqual(['held', 'false']);
  });

  it('is an input where one has the name, and a name elsewhere', async () => {
    expect(await conditions('y = 2·ret', ['y <= ret + 1', 'y <= 1'], 'ret ∈ {0, 1}')).toEqual(['held', 'false']);
    expect(await wordsOf('y = 2·x', 'x ∈ {0, 1}', ['ret <= 2'])).toEqual(['not-run']);
  });
});
