/**
 * Which numbers are at most which others (`order-rules.ts`, `knowledge.ts`), on what axioms; what is not so, or does not show, is not known.
 *
 * Holds src/bounded-proofs/engines/smt/order-rules.ts.
 */
import { describe, expect, it } from 'vitest';
import { belowText, type Over } from './known-of.ts';

describe('by structure', () => {
  it.each<readonly [smaller: string, larger: string, over: Over, axioms: readonly string[] | null]>([
    ['a', 'a', {}, []],
    ['a', 'b', {}, null],
    ['a', 'b', { a: [0, 1], b: [1, 2] }, []],
    ['a', 'b', { a: [0, 1.5], b: [1, 2] }, null],
    ['a', 'max(b, a)', {}, []],
    ['a', 'max(a, max(b, c))', {}, []],
    ['min(a, b)', 'b', {}, []],
    ['min(a, min(b, c))', 'c', {}, []],
    ['max(a, b)', 'max(b, a)', {}, []],
    ['max(a, b)', 'a', {}, null],
    ['a', 'min(a, b)', {}, null],
    ['min(a, b)', 'max(a, c)', {}, []],
    ['(a < b ? a : c)', 'max(a, c)', {}, []],
    ['min(a, c)', '(a < b ? a : c)', {}, []],
    ['(a < b ? a : c)', 'a', {}, null],
    ['fl(a)', 'fl(max(a, b))', {}, ['rounding-monotone']],
    ['fl(max(a, b))', 'fl(a)', {}, null],
    ['a', 'fl(max(a, b))', {}, ['rounding-exact', 'rounding-monotone']],
    ['fl(min(a, b))', 'a', {}, ['rounding-exact', 'rounding-monotone']],
    ['a', 'fl(max(a, b))', { a: [0, 1, 'f64'] }, null],
    ['fl(a + b)', 'fl(a + max(b, c))', {}, ['rounding-monotone']],
    ['exp₃₂(a)', 'exp₃₂(max(a, b))', {}, ['exp-monotone']],
    ['exp₃₂(max(a, b))', 'exp₃₂(a)', {}, null],
    ['exp(a)', 'exp(max(a, b))', {}, ['real-increasing']],
    ['log(a)', 'log(max(a, b))', { a: [1, 2] }, ['real-increasing']],
    ['log(a)', 'log(max(a, b))', {}, null],
    ['sin₃₂(a)', 'sin₃₂(max(a, b))', {}, null],
    ['exp₃₂(a)', 'exp(max(a, b))', {}, null],
    ['exp(a)', 'tanh(max(a, b))', {}, null],
    ['√(a)', '√(max(a, b))', { a: [0, 1] }, []],
    ['√(a)', '√(max(a, b))', {}, null],
    ['a + c', 'max(a, b) + c', {}, []],
    ['a + c', 'c + max(a, b)', {}, []],
    ['a + c', 'a + max(c, b)', {}, []],
    ['a', 'a + b', { b: [0, 1] }, []],
    ['a', 'b + a', { b: [0, 1] }, []],
    ['a', 'a + b', { b: [-1, 1] }, null],
    ['a', 'b + max(a, c)', { b: [0, null], c: [null, null], a: [null, null] }, []],
    ['a', 'max(a, c) + b', { b: [0, null], c: [null, null], a: [null, null] }, []],
    ['a + b', 'a', { b: [-1, 0] }, []],
    ['b + a', 'a', { b: [-1, 0] }, []],
    ['a + b', 'a', { b: [-1, 1] }, null],
    ['min(a, c) + b', 'a', { b: [-1, 0] }, []],
    ['−max(a, b)', '−a', {}, []],
    ['−a', '−max(a, b)', {}, null],
    ['a', '|a|', {}, []],
    ['−a', '|a|', {}, []],
    ['|a|', 'a', {}, null],
    ['min(a, b)', '|a|', {}, []],
    ['−max(a, b)', '|a|', {}, []],
    ['a / c', 'max(a, b) / c', { c: [1, 2] }, []],
    ['a / c', 'max(a, b) / c', { c: [0, 2] }, null],
    ['a / max(b, c)', 'a / b', { a: [0, 1], b: [1, 2], c: [1, 2] }, []],
    ['a / b', 'a / max(b, c)', { a: [0, 1], b: [1, 2], c: [1, 2] }, null],
    ['a / max(b, c)', 'a / b', { a: [-1, 1], b: [1, 2], c: [1, 2] }, null],
    ['a / max(b, c)', 'a / b', { a: [0, 1], b: [0, 2], c: [1, 2] }, null],
    ['a · c', 'max(a, b) · c', { c: [0, 1] }, []],
    ['a · c', 'c · max(a, b)', { c: [0, 1] }, []],
    ['c · a', 'max(a, b) · c', { c: [0, 1] }, []],
    ['c · a', 'c · max(a, b)', { c: [0, 1] }, []],
    ['max(a, b) · c', 'a · c', { c: [-1, 0] }, []],
    ['a · c', 'max(a, b) · c', { c: [-1, 1] }, null],
    ['max(a, b) · c', 'a · c', { c: [0, 1] }, null],
    ['a · b', 'c · max(a, b)', { a: [0, 1], b: [0, 1], c: [0, 1] }, null],
  ])('%s ≤ %s over %o: %o', (smaller, larger, over, axioms) => {
    expect(belowText(smaller, larger, over)).toEqual(axioms);
  });
});

describe('by premises', () => {
  it.each<readonly [smaller: string, larger: string, premises: readonly string[], axioms: readonly string[] | null]>([
    ['a', 'b', ['a ≤ b'], []],
    ['a', 'b', ['a < b'], []],
    ['b', 'a', ['a ≤ b'], null],
    ['a', 'b', ['a = b'], []],
    ['b', 'a', ['a = b'], []],
    ['b', 'a', ['¬(a < b)'], []],
    ['b', 'a', ['¬(a ≤ b)'], []],
    ['a', 'b', ['¬(a = b)'], null],
    ['a', 'c', ['a ≤ b ∧ b < c'], []],
    ['a', 'c', ['a ≤ b', 'b ≤ c'], []],
    ['a', 'c', ['a ≤ b ∨ b ≤ c'], null],
    ['fl(a)', 'fl(c)', ['a ≤ b', 'b ≤ c'], ['rounding-monotone']],
    ['a', 'c', ['a ≤ b', 'b ≤ a', 'b ≤ d', 'd ≤ c'], []],
    ['a', 'c', ['a ≤ b', 'b ≤ a'], null],
  ])('%s ≤ %s where %o: %o', (smaller, larger, premises, axioms) => {
    expect(belowText(smaller, larger, {}, premises)).toEqual(axioms);
  });
});
