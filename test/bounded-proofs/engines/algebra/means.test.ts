/** Products of sizes that are subtracted are replaced by squares that are at least as large; where there are none, nothing is. */
import { expect, it } from 'vitest';
import { withSquares } from '../../../../src/bounded-proofs/engines/algebra/means.ts';
import { normaliserOf } from './normal-text.ts';

it.each<readonly [text: string, bySquares: string | null]>([
  ['a · a + b · b − 2 · |a| · |b|', ''],
  ['c − |a| · |b|', '-1/2·b^2+-1/2·a^2+c'],
  ['c − |a|', '-1/2+-1/2·a^2+c'],
  ['|a| · |b|', null],
  ['a · a − b · b', null],
  ['c − a · b', null],
])('%s is at least %s', (text, bySquares) => {
  const normaliser = normaliserOf([text], { a: [null, null], b: [null, null], c: [null, null] });
  const value = normaliser.of(text);
  const squared =
    value && withSquares(value, ({ coefficient }) => coefficient.numerator < 0n, normaliser.atoms, normaliser.effort);
  expect(squared && normaliser.text(squared)).toBe(bySquares);
});
