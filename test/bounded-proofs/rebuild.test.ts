/** Nodes over other parts (`rebuild.ts`), and the parts that nodes have (`arguments-of.ts`). */
import { describe, expect, it } from 'vitest';
import { argumentsOf } from '../../src/bounded-proofs/arguments-of.ts';
import { Graph, type BooleanExpression, type NumberExpression } from '../../src/bounded-proofs/expression.ts';
import { rebuildBoolean, rebuildNumber } from '../../src/bounded-proofs/rebuild.ts';
import { number, print, truth } from './notation.ts';

const graph = new Graph();
const [x, y] = [number(graph, 'x'), number(graph, 'y')];
const replaced = (node: NumberExpression): NumberExpression =>
  node.kind === 'variable' ? (node.name === 'a' ? x : y) : node;

describe('a number over x and y in the place of a and b', () => {
  it.each([
    ['a + b', 'x + y'],
    ['a · b', 'x · y'],
    ['a / b', 'x / y'],
    ['min(a, b)', 'min(x, y)'],
    ['max(a, b)', 'max(x, y)'],
    ['pow(a, b)', 'pow(x, y)'],
    ['pow₃₂(a, b)', 'pow₃₂(x, y)'],
    ['a mod b', 'x mod y'],
    ['a % b', 'x % y'],
    ['−a', '−x'],
    ['|a|', '|x|'],
    ['√(a)', '√(x)'],
    ['fl(a)', 'fl(x)'],
    ['exp(a)', 'exp(x)'],
    ['exp₃₂(a)', 'exp₃₂(x)'],
    ['floor(a)', 'floor(x)'],
    ['round-half-up(b)', 'round-half-up(y)'],
    ['3', '3'],
    ['a', 'a'],
  ])('%s is %s', (text, expected) => {
    const node = number(graph, text);
    if (node.kind === 'if') throw new Error('a choice has no place here');
    const made = rebuildNumber(graph, node, replaced);
    expect(made && print(made)).toBe(expected);
  });

  it('does not exist where the divisor becomes 0', () => {
    const node = number(graph, 'a / b');
    if (node.kind !== 'divide') throw new Error('it is a quotient');
    const zero = (part: NumberExpression): NumberExpression => (part === node.right ? graph.integer(0) : part);
    expect(rebuildNumber(graph, node, zero)).toBeNull();
    const two = (part: NumberExpression): NumberExpression => (part === node.right ? graph.integer(2) : part);
    expect(print(rebuildNumber(graph, node, two) ?? x)).toBe('a / 2');
  });
});

describe('a statement over other parts', () => {
  const other = truth(graph, 'y < x');
  const swapped = (node: BooleanExpression): BooleanExpression => (node.kind === 'less' ? other : node);

  it.each([
    ['a < b', 'x < y'],
    ['a ≤ b', 'x ≤ y'],
    ['a = b', 'x = y'],
    ['true', 'true'],
    ['¬(a < b)', '¬(y < x)'],
    ['a < b ∧ a = b', 'y < x ∧ a = b'],
    ['a < b ∨ a = b', 'y < x ∨ a = b'],
  ])('%s is %s', (text, expected) => {
    expect(print(rebuildBoolean(graph, truth(graph, text), replaced, swapped))).toBe(expected);
  });
});

describe('the parts of', () => {
  it.each([
    ['3', []],
    ['a', []],
    ['a + b', ['a', 'b']],
    ['a % b', ['a', 'b']],
    ['−a', ['a']],
    ['exp₃₂(a)', ['a']],
    ['round-half-even(a)', ['a']],
    ['(a < b ? a : b)', ['a < b', 'a', 'b']],
  ])('%s: %o', (text, parts) => expect(argumentsOf(number(graph, text)).map(print)).toEqual(parts));

  it.each([
    ['true', []],
    ['a < b', ['a', 'b']],
    ['¬(a < b)', ['a < b']],
    ['a < b ∧ a = b', ['a < b', 'a = b']],
  ])('%s: %o', (text, parts) => expect(argumentsOf(truth(graph, text)).map(print)).toEqual(parts));
});
