/** Sizes as products: a coefficient between two float64, factors that are never negative, and the terms of the first that is a sum. */
import { describe, expect, it } from 'vitest';
import { effortUpTo } from '../../../../src/bounded-proofs/engines/algebra/effort.ts';
import { boxOf, createRanges } from '../../../../src/bounded-proofs/engines/interval/ranges.ts';
import { createSizes } from '../../../../src/bounded-proofs/engines/rounding/sizes.ts';
import { Graph } from '../../../../src/bounded-proofs/expression.ts';
import { number, print, problemIn, type Domain } from '../../notation.ts';

type Over = Readonly<Record<string, Domain>>;
type Found = readonly [low: number, high: number, factors: string, node: string, terms: readonly string[]];

function sizeOf(text: string, over: Over): Found {
  const graph = new Graph();
  const posed = problemIn(graph, `${text} = 0 ∨ ${text} = 1`, { over });
  const sizes = createSizes(graph, createRanges(boxOf(posed), []), effortUpTo(1_000));
  const { low, high, factors } = sizes.of(number(graph, text));
  const terms = [...factors.keys()].map((atom) => sizes.terms(atom)).find((found) => found !== null) ?? [];
  return [
    low,
    high,
    [...factors].map(([atom, exponent]) => `${print(atom)}^${exponent}`).join(' '),
    print(sizes.node(factors)),
    terms.map((term) => print(sizes.node(term.factors))),
  ];
}

describe('the size of', () => {
  it.each<readonly [text: string, over: Over, found: Found]>([
    ['a', {}, [1, 1, '|a|^1', '|a|', []]],
    ['a', { a: [0, 1] }, [1, 1, 'a^1', 'a', []]],
    ['−3', {}, [3, 3, '', '1', []]],
    ['1/3', {}, [0.3333333333333333, 0.33333333333333337, '', '1', []]],
    ['−a', {}, [1, 1, '|a|^1', '|a|', []]],
    ['|a|', {}, [1, 1, '|a|^1', '|a|', []]],
    ['a · b', {}, [1, 1, '|a|^1 |b|^1', '|a| · |b|', []]],
    ['a · a', {}, [1, 1, '|a|^2', 't1 · t1; t1 = |a|', []]],
    ['2 · a · −3', {}, [6, 6, '|a|^1', '|a|', []]],
    ['a / b', {}, [1, 1, '|a|^1 |b|^-1', '|a| / |b|', []]],
    ['a · b / a', {}, [1, 1, '|b|^1', '|b|', []]],
    ['a / 3', {}, [0.3333333333333333, 0.33333333333333337, '|a|^1', '|a|', []]],
    ['pow(a, 3)', {}, [1, 1, '|a|^3', 't1 · t1 · t1; t1 = |a|', []]],
    ['pow(a, −2)', {}, [1, 1, '|a|^-2', '1 / (t1 · t1); t1 = |a|', []]],
    ['pow(a, b)', {}, [1, 1, '|pow(a, b)|^1', '|pow(a, b)|', []]],
    ['pow(a, 17)', {}, [1, 1, '|pow(a, 17)|^1', '|pow(a, 17)|', []]],
    ['pow(a, 1/2)', {}, [1, 1, '|pow(a, 0.5)|^1', '|pow(a, 0.5)|', []]],
    ['a + b', {}, [1, 1, '|a + b|^1', '|a + b|', ['|a|', '|b|']]],
    ['a + b', { a: [0, 1], b: [0, 1] }, [1, 1, 'a + b^1', 'a + b', ['a', 'b']]],
    ['2 · a + 3 · a', { a: [0, 1] }, [5, 5, 'a^1', 'a', []]],
    ['2 · a + 3 · a', {}, [1, 1, '|2 · a + 3 · a|^1', '|2 · a + 3 · a|', ['|a|', '|a|']]],
    ['2 · a + 3 · b', { a: [0, 1], b: [0, 1] }, [1, 1, '2 · a + 3 · b^1', '2 · a + 3 · b', ['a', 'b']]],
    ['max(a, b)', {}, [1, 1, '|max(a, b)|^1', '|max(a, b)|', []]],
    ['max(2 · a, 2 · b)', { a: [0, 1], b: [0, 1] }, [2, 2, 'max(a, b)^1', 'max(a, b)', []]],
    ['max(2 · a, 3 · b)', { a: [0, 1], b: [0, 1] }, [1, 1, 'max(2 · a, 3 · b)^1', 'max(2 · a, 3 · b)', []]],
    ['max(0, a)', { a: [0, 1] }, [1, 1, 'a^1', 'a', []]],
    ['max(a, 0)', { a: [0, 1] }, [1, 1, 'a^1', 'a', []]],
    ['max(1/3 · a, 1/3 · b)', { a: [0, 1], b: [0, 1] }, [1, 1, 'max(1/3 · a, 1/3 · b)^1', 'max(1/3 · a, 1/3 · b)', []]],
    ['exp(a)', {}, [1, 1, 'exp(a)^1', 'exp(a)', []]],
    ['sin(a)', {}, [1, 1, '|sin(a)|^1', '|sin(a)|', []]],
    ['√(a)', { a: [0, 1] }, [1, 1, '√(a)^1', '√(a)', []]],
    ['a − b', {}, [1, 1, '|a − b|^1', '|a − b|', ['|a|', '|b|']]],
    ['(a − b) · c', {}, [1, 1, '|a − b|^1 |c|^1', '|a − b| · |c|', ['|a|', '|b|']]],
    ['a / (b · b)', {}, [1, 1, '|a|^1 |b|^-2', '|a| / (t1 · t1); t1 = |b|', []]],
    ['1 / 0.1', {}, [10, 10, '', '1', []]],
    ['fl(a)', {}, [1, 1, '|fl(a)|^1', '|fl(a)|', []]],
    [
      'pow(a · a · a, 9)',
      {},
      [1, 1, '|a|^27', 't2 · t2 · t1; t1 = |a|; t2 = t3 · t3 · t1; t3 = t4 · t4; t4 = t1 · t1 · t1', []],
    ],
  ])('%s over %o: %o', (text, over, found) => {
    expect(sizeOf(text, over)).toEqual(found);
  });
});
