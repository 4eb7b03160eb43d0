/** What SMT-LIB solvers print, read as fractions; what is not a fraction is left out rather than guessed. */
import { describe, expect, it } from 'vitest';
import {
  assignmentOf,
  errorIn,
  parseSExpressions,
  rationalOf,
  undecided,
  valuesOf,
} from '../../../../src/bounded-proofs/engines/smt/answer.ts';
import { present } from '../../../../src/base/invariant.ts';
import { fraction } from '../../../../src/numeric/rational.ts';

const parsed = (text: string) => present(parseSExpressions(text), `${text} can be parsed`);

describe('parenthesised text', () => {
  it.each([
    ['', []],
    ['sat', ['sat']],
    ['(a (b c) d) e', [['a', ['b', 'c'], 'd'], 'e']],
    ['(error "line 1: ""x"" (")', [['error', '"line 1: ""x"" ("']]],
    ['|a (b| c', ['|a (b|', 'c']],
  ])('%s', (text, expected) => expect(parseSExpressions(text)).toEqual(expected));

  it.each(['(a', 'a)', '(a))(', ')('])('does not match: %s', (text) => expect(parseSExpressions(text)).toBeNull());
});

describe('a value', () => {
  it.each([
    ['3', 3n, 1n],
    ['0.25', 1n, 4n],
    ['1.5?', 3n, 2n],
    ['(- 3)', -3n, 1n],
    ['(- 5 2 1)', 2n, 1n],
    ['(/ 1 3)', 1n, 3n],
    ['(/ 12 3 2)', 2n, 1n],
    ['(- (/ 1.0 4.0))', -1n, 4n],
    ['(+ 1 2 3)', 6n, 1n],
    ['(* 2 3 4)', 24n, 1n],
    ['(to_real 7)', 7n, 1n],
  ])('%s', (text, numerator, denominator) =>
    expect(rationalOf(present(parsed(text)[0], 'a value'))).toEqual(fraction(numerator, denominator)),
  );

  it.each([
    'x',
    '-3',
    '1.',
    '(root-obj (+ x 1) 1)',
    '(/ 1 0)',
    '(/ 1 2 0)',
    '(-)',
    '((a) 1)',
    '(- x)',
    '(+ 1 x)',
    '1e3',
    'a1',
  ])('that is not a fraction: %s', (text) => expect(rationalOf(present(parsed(text)[0], 'a value'))).toBeNull());
});

it('values by symbol: pairs alone, and those that can be read', () => {
  expect([...valuesOf(parsed('sat ((v0 3) (v1 (root-obj x 1)) (v2 1 2) v3 ((v4) 1) (v5 (- 1)))'))]).toEqual([
    ['v0', fraction(3n)],
    ['v5', fraction(-1n)],
  ]);
});

it('an assignment as Z3 prints it', () => {
  expect([...assignmentOf('v0 -> (/ 1 2)\nv1 -> (root-obj x 1)\n(f) -> 1\nv2 -> 3\nv3 ->')]).toEqual([
    ['v0', fraction(1n, 2n)],
    ['v2', fraction(3n)],
  ]);
  expect([...assignmentOf('v0 -> (1')]).toEqual([]);
});

it('the error that a solver reports', () => {
  expect(errorIn(parsed('sat (error "line 3: unknown" x)'))).toBe('line 3: unknown x');
  expect(errorIn(parsed('sat (v0 error)'))).toBeNull();
});

describe('why a solver did not decide', () => {
  it.each([
    ['max. resource limit exceeded', 'steps'],
    ['rlimit', 'steps'],
    ['out of Memory', 'memory'],
    ['memout', 'memory'],
    ['timeout', 'time'],
    ['canceled', 'time'],
    ['cancelled', 'time'],
    ['interrupted from keyboard', 'time'],
  ])('%s: out of %s', (reason, budget) => {
    expect(undecided(reason, 7)).toEqual({ kind: 'exhausted', budget, steps: 7 });
  });

  it('anything else is a reason of its own', () => {
    expect(undecided('incomplete', 7)).toEqual({ kind: 'unknown', reason: 'incomplete', steps: 7 });
  });
});
