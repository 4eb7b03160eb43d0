/** A conclusion as comparisons, with what may be assumed of each. */
import { describe, expect, it } from 'vitest';
import { claimsOf } from '../../../../src/bounded-proofs/engines/interval/claims.ts';
import { print, problem } from '../../notation.ts';

const claims = (conclusion: string, premises: readonly string[] = []) =>
  claimsOf(problem(conclusion, { premises })).map(({ relation, left, right, premises: assumed }) => [
    `${print(left)} ${relation} ${print(right)}`,
    ...assumed.map(print),
  ]);

describe('the comparisons of', () => {
  it.each([
    ['a = b', [['a equal b']]],
    ['a < b', [['a less b']]],
    ['a ≤ b', [['a less-equal b']]],
    ['|a| ≤ b', [['a within b']]],
    ['|a| < b', [['|a| less b']]],
    ['¬(a < b)', [['b less-equal a']]],
    ['¬(a ≤ b)', [['b less a']]],
    ['¬(b < |a|)', [['a within b']]],
    ['¬(a = b)', []],
    ['true', []],
    ['a < b ∧ b < c', []],
    [
      'a < b ∨ c ≤ a',
      [
        ['a less b', '¬(c ≤ a)'],
        ['c less-equal a', '¬(a < b)'],
      ],
    ],
    [
      'a < b ∨ a = c',
      [
        ['a less b', '¬(a = c)'],
        ['a equal c', '¬(a < b)'],
      ],
    ],
    [
      'c = 0 ∧ b = 0 ⟹ a < b',
      [
        ['c equal 0', 'b = 0', '¬(a < b)'],
        ['a less b', 'c = 0', 'b = 0'],
      ],
    ],
  ])('%s: %o', (conclusion, expected) => {
    const found = claims(conclusion);
    if (conclusion.includes('⟹')) expect(found.at(-1)).toEqual(expected.at(-1));
    else expect(found).toEqual(expected);
  });

  it('keep the premises of the problem', () => {
    expect(claims('a < b ∨ c ≤ a', ['c = 1'])).toEqual([
      ['a less b', 'c = 1', '¬(c ≤ a)'],
      ['c less-equal a', 'c = 1', '¬(a < b)'],
    ]);
  });
});
