/** What a graph folds as it is built, and what it leaves as the code has it. */
import { describe, expect, it } from 'vitest';
import { Graph, GraphTooLarge } from '../../src/bounded-proofs/expression.ts';
import { number, print, truth } from './notation.ts';
import { fraction } from '../../src/numeric/rational.ts';

describe('numbers', () => {
  it.each([
    ['1/3 + 1/6', '0.5'],
    ['a + 0', 'a'],
    ['0 + a', 'a'],
    ['a + −a', '0'],
    ['−a + a', '0'],
    ['−a + −b', '−(a + b)'],
    ['a − a', '0'],
    ['a − b', 'a − b'],
    ['a + b + c', 'a + b + c'],
    ['2 · 3', '6'],
    ['a · 0', '0'],
    ['0 · a', '0'],
    ['1 · a', 'a'],
    ['a · 1', 'a'],
    ['−a · b', '−(a · b)'],
    ['a · −b', '−(a · b)'],
    ['−a · −b', 'a · b'],
    ['−2 · a', '−(2 · a)'],
    ['a · −2', '−(a · 2)'],
    ['−2 · −a', '2 · a'],
    ['−1 · a', '−a'],
    ['6 / 4', '1.5'],
    ['0 / a', '0'],
    ['a / 1', 'a'],
    ['−a / b', '−(a / b)'],
    ['a / −b', '−(a / b)'],
    ['−a / −b', 'a / b'],
    ['a / −2', '−(a / 2)'],
    ['−3', '−3'],
    ['−(−a)', 'a'],
    ['|−3|', '3'],
    ['|3|', '3'],
    ['|−a|', '|a|'],
    ['|a|', '|a|'],
    ['min(2, 3)', '2'],
    ['max(2, 3)', '3'],
    ['min(3, 2)', '2'],
    ['max(3, 2)', '3'],
    ['min(a, a)', 'a'],
    ['max(a, b)', 'max(a, b)'],
    ['floor(5/2)', '2'],
    ['ceiling(5/2)', '3'],
    ['truncate(−5/2)', '−2'],
    ['round-half-even(5/2)', '2'],
    ['round-half-up(5/2)', '3'],
    ['fl(1/3)', '0.33333334'],
    ['fl(−a)', '−fl(a)'],
    ['fl(fl(a))', 'fl(a)'],
    ['fl(exp₃₂(a))', 'exp₃₂(a)'],
    ['fl(exp(a))', 'fl(exp(a))'],
    ['(1 < 2 ? a : b)', 'a'],
    ['(2 < 1 ? a : b)', 'b'],
    ['(a < b ? c : c)', 'c'],
    ['(a < b ? c : d)', '(a < b ? c : d)'],
    ['√(4)', '√(4)'],
    ['pow(2, 3)', 'pow(2, 3)'],
    ['7 mod 3', '7 mod 3'],
    ['7 % 3', '7 % 3'],
  ])('%s is %s', (text, folded) => expect(print(number(new Graph(), text))).toBe(folded));
});

describe('statements', () => {
  it.each([
    ['1 < 2', 'true'],
    ['2 < 2', 'false'],
    ['2 ≤ 2', 'true'],
    ['3 ≤ 2', 'false'],
    ['2 = 2', 'true'],
    ['2 = 3', 'false'],
    ['a < a', 'false'],
    ['a ≤ a', 'true'],
    ['a = a', 'true'],
    ['¬(1 < 2)', 'false'],
    ['¬¬(a < b)', 'a < b'],
    ['true ∧ a < b', 'a < b'],
    ['false ∧ a < b', 'false'],
    ['true ∨ a < b', 'true'],
    ['false ∨ a < b', 'a < b'],
    ['a < b ∧ (b < c ∧ c < a)', 'a < b ∧ b < c ∧ c < a'],
    ['a < b ∨ (b < c ∨ c < a)', 'a < b ∨ b < c ∨ c < a'],
    ['a < b ∧ a < b', 'a < b'],
    ['a < b ∧ b < a ∧ a < b', 'a < b ∧ b < a'],
    ['a < b ⟹ b < c', '¬(a < b) ∨ b < c'],
  ])('%s is %s', (text, folded) => expect(print(truth(new Graph(), text))).toBe(folded));

  it('of no operands: a conjunction is true, a disjunction false', () => {
    const graph = new Graph();
    expect(graph.and([])).toBe(graph.true);
    expect(graph.or([])).toBe(graph.false);
  });
});

describe('equal structure is one node', () => {
  it.each([
    ['a + b', 'a + b'],
    ['fl(exp₃₂(a) · b)', 'fl(exp₃₂(a) · b)'],
    ['(a < b ? a : b)', '(a < b ? a : b)'],
  ])('%s', (one, other) => {
    const graph = new Graph();
    expect(number(graph, one)).toBe(number(graph, other));
  });

  it.each([
    ['a + b', 'b + a'],
    ['exp(a)', 'exp₃₂(a)'],
    ['exp(a)', 'tanh(a)'],
    ['pow(a, b)', 'pow₃₂(a, b)'],
    ['a mod b', 'a % b'],
    ['floor(a)', 'ceiling(a)'],
    ['min(a, b)', 'max(a, b)'],
    ['1/2', '1/3'],
    ['(a < b ? a : b)', '(a < b ? b : a)'],
  ])('other than %s and %s', (one, other) => {
    const graph = new Graph();
    expect(number(graph, one)).not.toBe(number(graph, other));
  });

  it('equalities have no direction, and a constant goes on the right', () => {
    const graph = new Graph();
    expect(truth(graph, 'a = b')).toBe(truth(graph, 'b = a'));
    expect(print(truth(graph, 'b = a'))).toBe('a = b');
    expect(truth(graph, '2 = a')).toBe(truth(graph, 'a = 2'));
    expect(print(truth(graph, '2 = a'))).toBe('a = 2');
    expect(truth(graph, 'a < b')).not.toBe(truth(graph, 'b < a'));
    expect(truth(graph, 'a < b')).not.toBe(truth(graph, 'a ≤ b'));
  });
});

describe('limits', () => {
  it('of nodes', () => {
    const graph = new Graph(4);
    expect(graph.size).toBe(2);
    number(graph, 'a');
    number(graph, 'a');
    number(graph, 'b');
    expect(graph.size).toBe(4);
    expect(() => number(graph, 'c')).toThrow(GraphTooLarge);
    expect(() => number(graph, 'c')).toThrow('more than 4');
  });

  it('of constants, whose arithmetic would take long', () => {
    const graph = new Graph();
    expect(() => graph.constant(fraction(1n << 16_000n))).not.toThrow();
    expect(() => graph.constant(fraction(1n << 17_000n))).toThrow('more than 16384 bits in a constant');
  });

  it('a division by the constant zero is the fault of its caller', () => {
    expect(() => number(new Graph(), 'a / 0')).toThrow('a division by the constant zero has no value');
  });
});
