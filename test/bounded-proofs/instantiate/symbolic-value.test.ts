import { describe, expect, it } from 'vitest';
import {
  chooseValue,
  type SymbolicValue,
  type TensorValue,
} from '../../../src/bounded-proofs/instantiate/symbolic-value.ts';
import { Graph } from '../../../src/bounded-proofs/expression.ts';
import { number, print, truth } from '../notation.ts';

const graph = new Graph();
const at = (text: string) => number(graph, text);
const tensor = (shape: readonly number[], ...elements: readonly string[]): TensorValue => ({
  sort: 'tensor',
  shape,
  elements: elements.map((text) => (text.includes('<') ? truth(graph, text) : at(text))),
});
const chosen = (then: SymbolicValue, otherwise: SymbolicValue) => {
  const value = chooseValue(graph, truth(graph, 'p < q'), then, otherwise);
  if (value === null) return null;
  return value.sort === 'tensor' ? [value.shape, ...value.elements.map(print)] : print(value);
};

describe('a choice', () => {
  it('of numbers is a number, and of one value that value', () => {
    expect(chosen(at('a'), at('b'))).toBe('(p < q ? a : b)');
    expect(chosen(at('a'), at('a'))).toBe('a');
  });

  it('of truths is a truth', () => {
    expect(chosen(truth(graph, 'a < b'), truth(graph, 'b < c'))).toBe('t1 ∧ a < b ∨ ¬t1 ∧ b < c; t1 = p < q');
  });

  it('of tensors of one shape is one of their elements', () => {
    expect(chosen(tensor([2], 'a', 'b'), tensor([2], 'c', 'b'))).toEqual([[2], '(p < q ? a : c)', 'b']);
    expect(chosen(tensor([], 'a < b'), tensor([], 'b < c'))).toEqual([[], 't1 ∧ a < b ∨ ¬t1 ∧ b < c; t1 = p < q']);
  });

  it('does not exist for values of different sorts or shapes', () => {
    expect(chosen(at('a'), truth(graph, 'a < b'))).toBeNull();
    expect(chosen(truth(graph, 'a < b'), at('a'))).toBeNull();
    expect(chosen(at('a'), tensor([1], 'a'))).toBeNull();
    expect(chosen(tensor([1], 'a'), at('a'))).toBeNull();
    expect(chosen(tensor([2], 'a', 'b'), tensor([1], 'a'))).toBeNull();
    expect(chosen(tensor([2, 1], 'a', 'b'), tensor([1, 2], 'a', 'b'))).toBeNull();
    expect(chosen(tensor([1], 'a'), tensor([1], 'a < b'))).toBeNull();
    expect(chosen(tensor([2], 'a', 'b'), { ...tensor([2], 'a'), elements: [at('a')] })).toBeNull();
  });
});
