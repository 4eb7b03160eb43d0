/**
 * Functions and powers over the reals (`exact-function.ts`, `exact-power.ts`) in the simplest terms that say the same.
 *
 * Holds src/bounded-proofs/exact-power.ts.
 */
import { describe, expect, it } from 'vitest';
import { exactFunction, exactModulo, exactRoot } from '../../src/bounded-proofs/exact-function.ts';
import { exactPower } from '../../src/bounded-proofs/exact-power.ts';
import { elementaryFunctions, Graph } from '../../src/bounded-proofs/expression.ts';
import { fraction } from '../../src/numeric/rational.ts';
import { number, print } from './notation.ts';

const graph = new Graph();
const at = (text: string) => number(graph, text);

describe('functions', () => {
  it.each([
    ['exp', '0', '1'],
    ['log', '1', '0'],
    ['log2', '1', '0'],
    ['log10', '1', '0'],
    ['sin', '0', '0'],
    ['cos', '0', '1'],
    ['tan', '0', '0'],
    ['tanh', '0', '0'],
    ['sinh', '0', '0'],
    ['cosh', '0', '1'],
    ['atan', '0', '0'],
    ['asin', '0', '0'],
    ['acos', '1', '0'],
    ['erf', '0', '0'],
  ] as const)('%s(%s) is %s, and of anything else stays', (fn, argument, value) => {
    expect(print(exactFunction(graph, fn, at(argument)))).toBe(value);
    for (const other of ['0', '1', '2', 'a'].filter((text) => text !== argument))
      expect(print(exactFunction(graph, fn, at(other)))).toBe(`${fn}(${other})`);
  });

  it('all of them are known somewhere', () => expect(elementaryFunctions).toHaveLength(14));
});

describe('roots', () => {
  it.each([
    ['0', '0'],
    ['4', '2'],
    ['9/4', '1.5'],
    ['1/9', '1/3'],
    ['2', '√(2)'],
    ['4/3', '√(4/3)'],
    ['3/4', '√(0.75)'],
    ['−4', '√(−4)'],
    ['a', '√(a)'],
  ])('of %s is %s', (square, root) => expect(print(exactRoot(graph, at(square)))).toBe(root));

  it.each([2n ** 60n + 1n, 10n ** 40n + 7n, 2n ** 600n + 1n])('of the square of %d is that number', (root) => {
    expect(exactRoot(graph, graph.constant(fraction(root * root)))).toBe(graph.constant(fraction(root)));
    expect(print(exactRoot(graph, graph.constant(fraction(root * root + 1n))))).toMatch(/^√/);
    expect(print(exactRoot(graph, graph.constant(fraction(root * root - 1n))))).toMatch(/^√/);
  });
});

describe('remainders', () => {
  it.each([
    ['7', '3', '1'],
    ['−7', '3', '2'],
    ['7', '−3', '−2'],
    ['5/2', '1', '0.5'],
    ['a', '3', 'a mod 3'],
    ['7', 'a', '7 mod a'],
  ])('%s mod %s is %s', (a, b, value) => expect(print(exactModulo(graph, at(a), at(b)))).toBe(value));
});

describe('powers', () => {
  it.each([
    ['a', '0', '1'],
    ['a', '1', 'a'],
    ['a', '3', 'a · a · a'],
    ['a', '−1', '1 / a'],
    ['a', '−2', '1 / (a · a)'],
    ['a', '1/2', '√(a)'],
    ['a', '−1/2', 'pow(a, −0.5)'],
    ['a', '3/2', 'pow(a, 1.5)'],
    ['a', '17', 'pow(a, 17)'],
    ['a', '−17', 'pow(a, −17)'],
    ['a', 'b', 'pow(a, b)'],
    ['3', '4', '81'],
  ])('%s to the %s is %s', (base, exponent, power) => {
    expect(print(exactPower(graph, at(base), at(exponent)))).toBe(power);
  });

  it('sixteen factors are a product', () => {
    expect(print(exactPower(graph, at('a'), at('16')))).not.toContain('pow');
  });
});
