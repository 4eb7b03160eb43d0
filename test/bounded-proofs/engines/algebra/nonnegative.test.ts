/**
 * What is nowhere negative, as far as that shows in signs, at ends, with slack or by squares (`means.ts`); and what is, which never shows.
 *
 * Holds src/bounded-proofs/engines/algebra/atoms.ts.
 */
import { describe, expect, it } from 'vitest';
import { isNonnegative } from '../../../../src/bounded-proofs/engines/algebra/nonnegative.ts';
import { normaliserOf, type Over } from './normal-text.ts';

function shows(text: string, over: Over): boolean | null {
  const normaliser = normaliserOf([text], over);
  const value = normaliser.of(text);
  return value && isNonnegative(value, normaliser.atoms, normaliser.effort);
}

describe('0 ≤', () => {
  it.each<readonly [text: string, over: Over]>([
    ['a · a + b · b', { a: [null, null], b: [null, null] }],
    ['a · b', { a: [0, 1], b: [0, 1] }],
    ['−a · b', { a: [0, 1], b: [-1, 0] }],
    ['−a', { a: [-1, 0] }],
    ['a − a', { a: [null, null] }],
    ['a + 11', {}],
    ['1 / a', { a: [0, 1] }],
    ['1 / (a + b)', { a: [0, 1], b: [0, 1] }],
    ['c · c / (a + b)', { a: [0, 1], b: [0, 1], c: [null, null] }],
    ['−c · c / (a + b)', { a: [-1, 0], b: [-1, 0] }],
    ['c / (a + b)', { a: [-1, 0], b: [-1, 0], c: [-1, 0] }],
    ['w · max(a, b) − w · a', { a: [null, null], b: [null, null], w: [0, null] }],
    ['w · max(a, b) − w · b', { a: [null, null], b: [null, null], w: [0, null] }],
    ['w · max(a, b) + v · max(a, b) − w · a − v · b', { a: [null, null], b: [null, null], w: [0, null], v: [0, null] }],
    ['w · max(a, b) + v · max(a, b) − w · b − v · a', { a: [null, null], b: [null, null], w: [0, null], v: [0, null] }],
    [
      'w · max(a, max(b, c)) + v · max(a, max(b, c)) + u · max(a, max(b, c)) − w · a − v · b − u · c',
      { a: [null, null], b: [null, null], c: [null, null], w: [0, null], v: [0, null], u: [0, null] },
    ],
    ['w · a + v · b − (w + v) · min(a, b)', { a: [null, null], b: [null, null], w: [0, null], v: [0, null] }],
    ['(w · max(a, b) − w · a) / (1 + v)', { a: [null, null], b: [null, null], w: [0, null], v: [0, null] }],
    [
      '(w · max(a, b) − w · b) / (u + v · v + 1)',
      { a: [null, null], b: [null, null], w: [0, null], v: [0, null], u: [0, null] },
    ],
    ['w · max(2 · a, b) − w · b', { a: [null, null], b: [null, null], w: [0, null] }],
    ['w · max(a · c, b) − w · b', { a: [null, null], b: [null, null], c: [null, null], w: [0, null] }],
    ['a · b + (1 − a) · c', { a: [0, 1], b: [0, 1], c: [0, 1] }],
    ['1 − a · b · c · d', { a: [0, 1], b: [0, 1], c: [0, 1], d: [0, 1] }],
    ['1 + a · u', { a: [0, 1], u: [-1, 1] }],
    ['w − a · w', { a: [0, 1], w: [0, null] }],
    ['w − a · b · w', { a: [0, 1], b: [0, 1], w: [0, null] }],
    ['w − a · a · w', { a: [-1, 1], w: [0, null] }],
    ['w · w − a · w · w', { a: [0, 1], w: [null, null] }],
    ['w − |a| · w', { a: [-1, 1], w: [0, null] }],
    ['a · a + b · b − |a| · |b|', { a: [null, null], b: [null, null] }],
    ['a · a + b · b − 2 · |a| · |b|', { a: [null, null], b: [null, null] }],
    ['w · a · a + w · b · b − w · |a| · |b|', { a: [null, null], b: [null, null], w: [0, null] }],
    ['a · a + 1 − |a|', { a: [null, null] }],
    ['a · a + 1 − 2 · |a|', { a: [null, null] }],
    ['a · a · 16 + 16 − |a| / 64', { a: [null, null] }],
    ['(a · a + b · b − |a| · |b|) / (1 + w)', { a: [null, null], b: [null, null], w: [0, null] }],
    ['√(a) − √(a) · b', { a: [0, null], b: [0, 1] }],
    ['exp(a) − exp(a) · b', { a: [null, null], b: [0, 1] }],
    ['tanh(a) + 1', { a: [null, null] }],
    ['1 − tanh(a)', { a: [null, null] }],
    ['sin(a) · sin(a)', { a: [null, null] }],
    ['1 − sin(a) · sin(a)', { a: [null, null] }],
    ['1 − cos(a) · cos(a)', { a: [null, null] }],
    ['w − a · b · w', { a: [-1, 1], b: [0, 1], w: [0, null] }],
    ['w − a · a · a · w', { a: [0, 1], w: [0, null] }],
    ['w + v − a · v − b · w', { a: [0, 1], b: [0, 1], w: [0, null], v: [0, null] }],
    ['a · w + b · v − min(a, b) · (w + v)', { a: [null, null], b: [null, null], w: [0, null], v: [0, null] }],
    ['(n = 0 ? a : b)', { a: [0, 1], b: [0, 1], n: [0, 3, 'integer'] }],
    ['(n = 0 ? a : b) − min(a, b)', { n: [0, 3, 'integer'] }],
  ])('%s over %o', (text, over) => {
    expect(shows(text, over)).toBe(true);
  });
});

describe('not', () => {
  it.each<readonly [text: string, over: Over]>([
    ['a · b', { a: [null, null], b: [null, null] }],
    ['a · a · a', { a: [-1, 0] }],
    ['a · a · b', { a: [-1, 0], b: [-1, 0] }],
    ['a · a − b', { a: [null, null], b: [null, null] }],
    ['a + 9', {}],
    ['c · c / (a + b)', { a: [-1, 0], b: [-1, 0] }],
    ['1 / (a − b)', { a: [null, null], b: [null, null] }],
    ['1 / (a · a − 2 · a · b + b · b)', { a: [null, null], b: [null, null] }],
    ['1 / ((a − b) · (a − b))', { a: [null, null], b: [null, null] }],
    ['w · a − w · max(a, b)', { a: [null, null], b: [null, null], w: [0, null] }],
    ['a · max(a, b) − a · a', { a: [null, null], b: [null, null] }],
    ['w · max(a, b) − v · a', { a: [null, null], b: [null, null], w: [0, null], v: [0, null] }],
    ['w · max(a, b) · max(a, b) − w · a · b', { a: [null, null], b: [null, null], w: [0, null] }],
    ['a · b − a · c', { a: [0, 1], b: [0, 1], c: [0, 1] }],
    ['a · b + (1 − a) · c − 1/2 · c', { a: [0, 1], b: [0, 1], c: [0, 1] }],
    ['a · b + (1 − a) · w + a · a', { a: [0, 1], b: [0, 1], w: [0, null] }],
    ['1 − a + b · a', { a: [0, 1], b: [null, null] }],
    ['w − a · w', { a: [0, 1.5], w: [0, null] }],
    ['2 · |a| + a', { a: [null, null] }],
    ['|a| + a', { a: [null, null] }],
    ['|a| − a', { a: [null, null] }],
    ['|a| · |b| + a · b', { a: [null, null], b: [null, null] }],
    ['|a| − a', { a: [-3, 9] }],
    ['a · a + b · b − 3 · |a| · |b|', { a: [null, null], b: [null, null] }],
    ['a · a / 4 + 1 − |a|', { a: [null, null] }],
    ['a · a · 1/100 + 1 − 1/10 · |a|', { a: [null, null] }],
    ['a · a + 1/8 − |a|', { a: [null, null] }],
    ['(a · a + b · b − |a| · |b|) / (a − b)', { a: [null, null], b: [null, null] }],
    ['exp(a) · 2 − exp(a) · exp(b)', { a: [null, null], b: [-1, 0] }],
    ['w − a · a · a · w', { a: [0, 1.1], w: [0, null] }],
    ['w + v − a · v − b · w', { a: [0, 1], b: [0, 2], w: [0, null], v: [0, null] }],
  ])('0 ≤ %s over %o', (text, over) => {
    expect(shows(text, over)).toBe(false);
  });
});
