/** Where each way of measuring starts. */
import { describe, expect, it } from 'vitest';
import { cutsOf, hasExponential, type Cut } from '../../../../src/bounded-proofs/engines/rounding/cuts.ts';
import { Graph } from '../../../../src/bounded-proofs/expression.ts';
import { number, print } from '../../notation.ts';

const claimOf = (left: string, right: string) => {
  const graph = new Graph();
  return { left: number(graph, left), right: number(graph, right) };
};

describe('a cut', () => {
  it.each<readonly [cut: Cut, left: string, right: string, at: readonly string[] | null]>([
    ['inputs', 'fl(a + b)', 'fl(a + b) · c', null],
    ['functions', 'exp₃₂(a)', 'b', null],
    ['scaled', 'fl(a + b)', 'fl(a + b) · c', null],
    ['quotients', 'fl(a / b) · c', 'd', ['fl(a / b)']],
    ['quotients', 'fl(a / b) · c', '1', null],
    ['quotients', 'fl(a / 2) · c', 'd', null],
    ['quotients', 'a / b', 'd', null],
    ['quotients', 'c', 'fl(fl(a / b) / d)', ['fl(a / b)', 'fl(fl(a / b) / d)']],
    ['quotients', 'fl(a · b)', 'd', null],
    ['arguments', 'exp₃₂(fl(a + b))', 'c', ['fl(a + b)']],
    ['arguments', 'exp₃₂(a)', 'c', []],
    ['arguments', 'sin₃₂(exp₃₂(a))', 'c', ['exp₃₂(a)']],
    ['arguments', 'exp(fl(a + b))', 'c', null],
    ['arguments', 'exp₃₂(pow₃₂(a, b))', 'c', ['pow₃₂(a, b)']],
    ['shared', 'fl(fl(a + b) · fl(a + b))', 'c', null],
    ['shared', 'fl(fl(a + b) · c)', 'fl(fl(a + b) · d)', ['fl(a + b)']],
    ['shared', 'fl(fl(fl(a + b) · c) + fl(fl(a + b) · c) · d)', 'd', ['fl(fl(a + b) · c)']],
    ['shared', 'fl(a + b)', 'fl(a · b)', null],
    ['shared', 'fl(a + b) · fl(fl(a + b) · c)', 'fl(fl(a + b) · c)', ['fl(a + b)']],
    ['shared', '(a + b) · (a + b)', 'c', null],
    ['named', 'fl(a + b)', '|fl(fl(a + b) · c)|', ['fl(a + b)']],
    ['named', 'fl(fl(a + b) · c)', '|fl(a + b)| + d', ['fl(a + b)']],
    ['named', 'fl(a + b)', 'fl(a · b)', null],
    ['named', 'a + b', 'fl(a + b)', null],
    ['named', 'fl(fl(a + b) · c)', 'fl(fl(a + b) · d)', null],
  ])('at %s, of %s beside %s: %o', (cut, left, right, at) => {
    const found = cutsOf(cut, claimOf(left, right));
    expect(found && [...found].map(print).toSorted()).toEqual(at);
  });
});

describe('weights are looked for where there is an exponential', () => {
  it.each([
    ['exp(a)', 'b', true],
    ['a', 'fl(exp₃₂(a) + 1)', true],
    ['tanh₃₂(a)', 'b', false],
    ['a', 'b', false],
  ])('%s beside %s: %s', (left, right, expected) => expect(hasExponential(claimOf(left, right))).toBe(expected));
});
