/** Values at one input: exact wherever there is a fraction, and marked where a float64 value stands in for one. */
import { describe, expect, it } from 'vitest';
import { evaluateAt } from '../../../../src/bounded-proofs/engines/smt/point.ts';
import { Graph } from '../../../../src/bounded-proofs/expression.ts';
import { fraction, fromFloat, toFloat } from '../../../../src/numeric/rational.ts';
import { number, truth } from '../../notation.ts';

const graph = new Graph();
const model = new Map([
  ['a', 3],
  ['b', -2],
  ['c', 0.5],
  ['z', 0],
]);
const valueOf = (text: string) => {
  const value = evaluateAt(model).number(number(graph, text));
  return value && `${value.numerator}/${value.denominator}`;
};
const isExact = (text: string) => evaluateAt(model).isExact(number(graph, text));

describe('exactly', () => {
  it.each([
    ['a + b · c', '2/1'],
    ['a / b', '-3/2'],
    ['−a', '-3/1'],
    ['|b|', '2/1'],
    ['|a|', '3/1'],
    ['min(a, b)', '-2/1'],
    ['max(a, b)', '3/1'],
    ['a mod b', '-1/1'],
    ['b mod a', '1/1'],
    ['a % b', '1/1'],
    ['b % a', '-2/1'],
    ['√(9 · c · c)', '3/2'],
    ['√(z)', '0/1'],
    ['√(a + 1)', '2/1'],
    ['pow(b, 3)', '-8/1'],
    ['pow(b, z)', '1/1'],
    ['pow(c, 16)', '1/65536'],
    ['fl(a / 10)', '5033165/16777216'],
    ['floor(b · c · c)', '-1/1'],
    ['ceiling(c)', '1/1'],
    ['truncate(b · 3 / 4)', '-1/1'],
    ['round-half-even(c)', '0/1'],
    ['round-half-up(c)', '1/1'],
    ['exp₃₂(z)', '1/1'],
    ['(b < a ? a : c)', '3/1'],
    ['(a < b ? a : c)', '1/2'],
  ])('%s is %s', (text, value) => {
    expect(valueOf(text)).toBe(value);
    expect(isExact(text)).toBe(true);
  });
});

describe('nearly', () => {
  it.each([
    ['exp(a)', Math.exp(3)],
    ['exp(a) + 1 − 1', Math.exp(3)],
    ['pow(c, 17)', 0.5 ** 17],
    ['pow(a, b)', 3 ** -2],
    ['pow(a, c)', Math.sqrt(3)],
    ['pow₃₂(a, c)', Math.fround(Math.sqrt(3))],
  ])('%s is about %f', (text, value) => {
    const found = evaluateAt(model).number(number(graph, text));
    expect(found && toFloat(found)).toBe(value);
    expect(isExact(text)).toBe(false);
  });

  it.each([2, 3, 0.1, 1e-30, 1e30, 7 / 3])('√%f is within 2⁻²⁰⁰ of the root', (square) => {
    const root = evaluateAt(new Map([['a', square]])).number(number(graph, '√(a)'));
    const { numerator, denominator } = fromFloat(square);
    if (!root) throw new Error('it has a root');
    // |r² − s| < 2⁻¹⁹⁸·s
    const error = root.numerator ** 2n * denominator - numerator * root.denominator ** 2n;
    const size = error < 0n ? -error : error;
    expect(size << 198n).toBeLessThan(numerator * root.denominator ** 2n);
    expect(evaluateAt(new Map([['a', square]])).isExact(number(graph, '√(a)'))).toBe(false);
  });
});

describe('nowhere', () => {
  it.each([
    'a / z',
    'a mod z',
    'a % z',
    '√(b)',
    'log(b)',
    'log₃₂(b)',
    'erf(a)',
    'exp₃₂(a · 1000)',
    'exp(a · 1000)',
    'pow(z, b)',
    'missing',
    '1 + a / z',
    '(1 < a / z ? 1 : 2)',
  ])('%s has no value', (text) => expect(valueOf(text)).toBeNull());
});

describe('statements', () => {
  it.each([
    ['a < 3', false],
    ['b < a', true],
    ['a ≤ 3', true],
    ['a ≤ b', false],
    ['a = 3', true],
    ['a = b', false],
    ['¬(a < b)', true],
    ['a < b ∨ b < a', true],
    ['a < b ∨ a = b', false],
    ['a < b ∧ b < a', false],
    ['b < a ∧ c < a', true],
    ['true', true],
    ['1 < a / z', null],
    ['¬(1 < a / z)', null],
    ['1 < a / z ∨ b < a', true],
    ['1 < a / z ∨ a < b', null],
    ['1 < a / z ∧ a < b', false],
    ['1 < a / z ∧ b < a', null],
  ])('%s: %s', (text, expected) => expect(evaluateAt(model).truth(truth(graph, text))).toBe(expected));

  it('are exact where both sides are', () => {
    expect(evaluateAt(model).isExact(truth(graph, 'a < b'))).toBe(true);
    expect(evaluateAt(model).isExact(truth(graph, 'exp(a) < b'))).toBe(false);
  });
});

it('a constant is itself', () => {
  expect(evaluateAt(model).number(graph.constant(fraction(1n, 3n)))).toEqual(fraction(1n, 3n));
});
