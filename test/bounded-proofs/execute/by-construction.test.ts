/**
 * What is known of numbers from how they are made (`by-construction.ts`, `whole-node.ts`).
 *
 * Holds src/bounded-proofs/whole-node.ts.
 */
import { describe, expect, it } from 'vitest';
import { float32Test, wholeTest } from '../../../src/bounded-proofs/execute/by-construction.ts';
import { Graph } from '../../../src/bounded-proofs/expression.ts';
import { number } from '../notation.ts';

const graph = new Graph();

describe('whether it is a float32, and whether it is whole where n and m are', () => {
  it.each<readonly [text: string, isFloat32: boolean, isWhole: boolean]>([
    ['a', true, false],
    ['n', true, true],
    ['3', true, true],
    ['1/2', true, false],
    ['1/3', false, false],
    ['16777217', false, true],
    ['1e39', false, true],
    ['fl(a + b)', true, false],
    ['fl(n + m)', true, true],
    ['exp₃₂(n)', true, false],
    ['pow₃₂(n, m)', true, false],
    ['exp(a)', false, false],
    ['n + m', false, true],
    ['n · m', false, true],
    ['n + a', false, false],
    ['a + n', false, false],
    ['n / m', false, false],
    ['n mod m', false, true],
    ['n % m', false, true],
    ['−n', true, true],
    ['|n|', true, true],
    ['−exp(n)', false, false],
    ['floor(a)', true, true],
    ['ceiling(a)', true, true],
    ['truncate(a)', true, true],
    ['floor(a + b)', false, true],
    ['round-half-even(a)', false, true],
    ['round-half-up(a)', false, true],
    ['min(n, m)', true, true],
    ['max(n, a)', true, false],
    ['max(a, n)', true, false],
    ['max(n, exp(a))', false, false],
    ['max(exp(a), n)', false, false],
    ['(a < b ? n : m)', true, true],
    ['(a < b ? n : exp(a))', false, false],
    ['(a < b ? exp(a) : n)', false, false],
    ['√(n)', false, false],
  ])('%s: %s, %s', (text, isFloat32, isWhole) => {
    expect(float32Test()(number(graph, text))).toBe(isFloat32);
    expect(wholeTest(new Set(['n', 'm']))(number(graph, text))).toBe(isWhole);
  });

  it('looks at each number once', () => {
    const test = float32Test();
    const deep = Array.from({ length: 40 }, (_, i) => i).reduce(
      (node, i) => graph.maximum(graph.add(node, graph.integer(i + 1)), node),
      number(graph, 'a'),
    );
    expect(test(deep)).toBe(false);
    expect(test(deep)).toBe(false);
  });
});
