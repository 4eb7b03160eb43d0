import { describe, expect, it } from 'vitest';
import { float32Values } from '../../../../src/bounded-proofs/engines/rounding/float32-values.ts';
import { Graph } from '../../../../src/bounded-proofs/expression.ts';
import { number, problemIn, type Domain } from '../../notation.ts';

const over: Readonly<Record<string, Domain>> = {
  h: [0, 1, 'f16'],
  w: [0, 1, 'bf16'],
  d: [0, 1, 'f64'],
  r: [0, 1, 'real'],
  n: [-(2 ** 24), 2 ** 24, 'integer'],
  m: [0, 2 ** 24 + 2, 'integer'],
  k: [-(2 ** 24) - 2, 0, 'integer'],
  j: [0, null, 'integer'],
  i: [null, 0, 'integer'],
};

describe('numbers that rounding leaves alone', () => {
  it.each([
    ['a', true],
    ['h', true],
    ['w', true],
    ['d', false],
    ['r', false],
    ['n', true],
    ['m', false],
    ['k', false],
    ['j', false],
    ['i', false],
    ['0.5', true],
    ['1/3', false],
    ['1e39', false],
    ['fl(d)', true],
    ['exp₃₂(d)', true],
    ['pow₃₂(d, r)', true],
    ['exp(a)', false],
    ['−a', true],
    ['|n|', true],
    ['−d', false],
    ['min(a, n)', true],
    ['max(a, d)', false],
    ['(a < d ? a : n)', true],
    ['(a < d ? a : d)', false],
    ['a + n', false],
    ['floor(a)', false],
  ])('%s: %s', (text, expected) => {
    const graph = new Graph();
    const { variables } = problemIn(graph, `${text} = 0 ∨ ${text} = 1`, { over });
    expect(float32Values(variables)(number(graph, text))).toBe(expected);
  });

  it('are not those of inputs that the problem does not have', () => {
    const graph = new Graph();
    expect(float32Values([])(number(graph, 'a'))).toBe(false);
  });
});
