/**
 * Arguments that a binding computes from the scalars of a call.
 *
 * Holds src/math/notation/sole-expression.ts, src/subject/argument-expression.ts.
 */
import { describe, expect, it } from 'vitest';
import { argumentOf, knownArgument } from '../../../src/bounded-proofs/instantiate/bound-argument.ts';
import { Graph } from '../../../src/bounded-proofs/expression.ts';
import { readArgument } from '../../../src/subject/argument-expression.ts';
import { print } from '../notation.ts';

const graph = new Graph();
/** a and b are inputs, n is 4. */
const scalar = (name: string) =>
  name === 'n' ? graph.integer(4) : name === 'a' || name === 'b' ? graph.variable(name) : null;
const read = (text: string) => {
  const found = readArgument(text, new Set(['a', 'b', 'n', 'z']));
  if (!found.ok) throw new Error(found.message);
  return found.expression;
};
const argument = (text: string): string => {
  const value = argumentOf(graph, read(text), scalar);
  return typeof value === 'string' ? `none: ${value}` : print(value);
};

const several = 'none: an argument of the binding takes several operations in float64, which proofs do not follow';

describe('an argument', () => {
  it.each([
    ['n', '4'],
    ['n + 1', '5'],
    ['n / 8', '0.5'],
    ['a', 'a'],
    ['-a', '−a'],
    ['⌊a⌋', 'floor(a)'],
    ['⌈a⌉', 'ceiling(a)'],
    ['a + b', 'a + b'],
    ['a - 1', 'a + −1'],
    ['a·n', 'a · 4'],
    ['0.5', '0.5'],
    ['a·0.5', several],
    ['a·b + 1', several],
    ['1 + a·b', several],
    ['-(a·b + 1)', several],
    ['a / b', 'none: `/` of an input in the binding has no model in proofs'],
    ['a^2', 'none: `^` of an input in the binding has no model in proofs'],
    ['√a', 'none: an argument of the binding has no model in proofs'],
    ['-√a', 'none: an argument of the binding has no model in proofs'],
    ['√a + 1', 'none: an argument of the binding has no model in proofs'],
    ['a + √b', 'none: an argument of the binding has no model in proofs'],
    ['a + z', 'none: z has no value'],
  ])('%s is %s', (text, expected) => expect(argument(text)).toBe(expected));
});

describe('an argument that no input decides', () => {
  it.each([
    ['n·2', 8],
    ['√n', 2],
    ['a', Number.NaN],
    ['a·0', Number.NaN],
    ['z', Number.NaN],
  ])('%s is %d', (text, expected) => expect(knownArgument(read(text), scalar)).toBe(expected));
});
