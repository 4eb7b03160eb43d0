import { describe, expect, it } from 'vitest';
import { isLinear, unknownsOf } from '../../../../src/bounded-proofs/engines/smt/linear.ts';
import { Graph } from '../../../../src/bounded-proofs/expression.ts';
import { number, print } from '../../notation.ts';

const graph = new Graph();

describe('what a linear solver sees through', () => {
  it.each(['3', 'a', 'a + exp(b)', '−exp(a)', '2 · exp(a)', 'exp(a) · 2', 'exp(a) / 2'])('%s', (text) =>
    expect(isLinear(number(graph, text))).toBe(true),
  );
  it.each(['a · b', '2 / a', 'exp(a)', 'max(a, b)', '|a|', 'fl(a)', '√(a)', 'a mod 2'])('not %s', (text) =>
    expect(isLinear(number(graph, text))).toBe(false),
  );
});

describe('the unknowns of a linear form', () => {
  const unknowns = (text: string, limit = 9) => unknownsOf(number(graph, text), limit)?.map(print) ?? null;

  it.each([
    ['a + 2', []],
    ['2 · exp(a) − exp(b) / 3 + c', ['exp(a)', 'exp(b)']],
    ['exp(a) + exp(a) · 2', ['exp(a)']],
    ['exp(exp(a))', ['exp(exp(a))']],
  ])('%s: %o', (text, expected) => expect(unknowns(text)).toEqual(expected));

  it('are null where there are more than requested', () => {
    expect(unknowns('exp(a) + exp(b)', 2)).toEqual(['exp(a)', 'exp(b)']);
    expect(unknowns('exp(a) + exp(b)', 1)).toBeNull();
  });

  it('are null of a form that is too long to go through', () => {
    const sum = (n: number) => Array.from({ length: n }, (_, i) => `x[${i}]`).join(' + ');
    expect(unknowns(sum(34), 1)).toEqual([]);
    expect(unknowns(sum(35), 1)).toBeNull();
  });
});
