/** Questions as the solver reads them: declarations, what is known of each number, and what is asserted. */
import { describe, expect, it } from 'vitest';
import { createKnowledge } from '../../../../src/bounded-proofs/engines/smt/knowledge.ts';
import { writeScript, type Script } from '../../../../src/bounded-proofs/engines/smt/script.ts';
import { fraction } from '../../../../src/numeric/rational.ts';
import { print, problem, truth, type Given } from '../../notation.ts';

interface Asked extends Given {
  readonly nonlinear: boolean;
}

/** Whether the claim can be false where the premises hold. */
function scriptOf(claim: string, { nonlinear, ...given }: Asked): Script {
  const posed = problem(claim, given);
  const { graph, conclusion, premises } = posed;
  return writeScript({ assertions: [graph.not(conclusion)], lemmas: [], premises, nonlinear }, createKnowledge(posed));
}

describe('the script that looks for a case against a claim', () => {
  it.each<readonly [claim: string, asked: Asked, logic: string, lines: readonly string[], axioms: readonly string[]]>([
    [
      'a + b ≤ 2 · a',
      { nonlinear: false, over: { a: [0, 1], b: [null, 3] } },
      'QF_LRA',
      [
        '(declare-fun v0 () Real)',
        '(assert (<= 0.0 v0))',
        '(assert (<= v0 1.0))',
        '(declare-fun v3 () Real)',
        '(assert (<= v3 3.0))',
        '(define-fun t5 () Real (+ v0 v3))',
        '(define-fun t6 () Real (* 2.0 v0))',
        '(assert (not (<= t5 t6)))',
      ],
      [],
    ],
    [
      'n < 3 · m',
      { nonlinear: false, over: { n: [0.5, 9.5, 'integer'], m: [null, null, 'integer'] } },
      'QF_LIA',
      [
        '(declare-fun v0 () Int)',
        '(assert (<= 1 v0))',
        '(assert (<= v0 9))',
        '(declare-fun v3 () Int)',
        '(define-fun t4 () Int (* 3 v3))',
        '(assert (not (< v0 t4)))',
      ],
      [],
    ],
    [
      'n ≤ a',
      { nonlinear: false, over: { n: [-2, 9, 'integer'], a: [-1.5, 0.5, 'f64'] } },
      'ALL',
      [
        '(declare-fun v0 () Int)',
        '(assert (<= (- 2) v0))',
        '(assert (<= v0 9))',
        '(declare-fun v3 () Real)',
        '(assert (<= (- (/ 3.0 2.0)) v3))',
        '(assert (<= v3 (/ 1.0 2.0)))',
        '(assert (not (<= (to_real v0) v3)))',
      ],
      [],
    ],
    [
      'a · b ≤ −1/3',
      { nonlinear: false },
      'QF_LRA',
      [
        '(declare-fun v0 () Real)',
        '(assert (<= (- 100.0) v0))',
        '(assert (<= v0 100.0))',
        '(assert (not (<= v0 (- (/ 1.0 3.0)))))',
      ],
      [],
    ],
    [
      'a · b ≤ −1/3',
      { nonlinear: true },
      'QF_NRA',
      [
        '(declare-fun v0 () Real)',
        '(assert (<= (- 10.0) v0))',
        '(assert (<= v0 10.0))',
        '(declare-fun v3 () Real)',
        '(assert (<= (- 10.0) v3))',
        '(assert (<= v3 10.0))',
        '(define-fun t6 () Real (* v0 v3))',
        '(assert (not (<= t6 (- (/ 1.0 3.0)))))',
      ],
      [],
    ],
    [
      'a / b ≤ a / 2',
      { nonlinear: true, over: { b: [1, 2] } },
      'QF_NRA',
      [
        '(declare-fun v0 () Real)',
        '(assert (<= (- 10.0) v0))',
        '(assert (<= v0 10.0))',
        '(declare-fun v3 () Real)',
        '(assert (<= (- 10.0) v3))',
        '(assert (<= v3 10.0))',
        '(declare-fun v6 () Real)',
        '(assert (<= 1.0 v6))',
        '(assert (<= v6 2.0))',
        '(assert (=> (not (= v6 0.0)) (= (* v0 v6) v3)))',
        '(assert (not (<= v0 (/ v3 2.0))))',
      ],
      [],
    ],
    [
      'a / b ≤ 1',
      { nonlinear: false, over: { b: [1, 2] } },
      'QF_LRA',
      ['(declare-fun v0 () Real)', '(assert (<= (- 10.0) v0))', '(assert (<= v0 10.0))', '(assert (not (<= v0 1.0)))'],
      [],
    ],
    [
      '√(a) = b',
      { nonlinear: true, over: { a: [0, 4] } },
      'QF_NRA',
      [
        '(declare-fun v0 () Real)',
        '(assert (<= 0.0 v0))',
        '(assert (<= v0 (/ 4503599627370497.0 2251799813685248.0)))',
        '(declare-fun v3 () Real)',
        '(assert (<= 0.0 v3))',
        '(assert (<= v3 4.0))',
        '(assert (=> (<= 0.0 v3) (and (<= 0.0 v0) (= (* v0 v0) v3))))',
        '(declare-fun v7 () Real)',
        '(assert (<= (- 10.0) v7))',
        '(assert (<= v7 10.0))',
        '(assert (not (= v0 v7)))',
      ],
      [],
    ],
    [
      'exp(a) ≤ 1',
      { nonlinear: false, over: { a: [null, null] } },
      'QF_LRA',
      ['(declare-fun v0 () Real)', '(assert (<= 0.0 v0))', '(assert (< 0.0 v0))', '(assert (not (<= v0 1.0)))'],
      ['real-increasing', 'real-range'],
    ],
    [
      'exp(a) · exp(b) ≤ 1 ∨ ¬(a = b)',
      { nonlinear: true, over: { a: [null, null], b: [null, null] } },
      'QF_NRA',
      [
        '(declare-fun v0 () Real)',
        '(assert (<= 0.0 v0))',
        '(assert (< 0.0 v0))',
        '(declare-fun v3 () Real)',
        '(assert (<= 0.0 v3))',
        '(assert (< 0.0 v3))',
        '(define-fun t6 () Real (* v0 v3))',
        '(declare-fun v7 () Real)',
        '(declare-fun v8 () Real)',
        '(assert (not (or (<= t6 1.0) (not (= v7 v8)))))',
      ],
      ['real-increasing', 'real-range'],
    ],
    [
      'a ≤ 1',
      { nonlinear: false, premises: ['a ≤ b', 'b < c', 'd ≤ e'] },
      'QF_LRA',
      [
        '(declare-fun v0 () Real)',
        '(assert (<= (- 10.0) v0))',
        '(assert (<= v0 10.0))',
        '(assert (not (<= v0 1.0)))',
        '(declare-fun v4 () Real)',
        '(assert (<= (- 10.0) v4))',
        '(assert (<= v4 10.0))',
        '(assert (<= v0 v4))',
        '(declare-fun v8 () Real)',
        '(assert (<= (- 10.0) v8))',
        '(assert (<= v8 10.0))',
        '(assert (< v4 v8))',
      ],
      [],
    ],
    ['true', { nonlinear: false }, 'QF_LRA', ['(assert false)'], []],
    [
      'floor(a) = n',
      { nonlinear: false, over: { n: [0, 3, 'integer'] } },
      'QF_LIA',
      [
        '(declare-fun v0 () Int)',
        '(assert (<= (- 10) v0))',
        '(assert (<= v0 10))',
        '(declare-fun v3 () Int)',
        '(assert (<= 0 v3))',
        '(assert (<= v3 3))',
        '(assert (not (= v0 v3)))',
      ],
      [],
    ],
    [
      'n · m ≤ 3',
      { nonlinear: true, over: { n: [0, 3, 'integer'], m: [0, 3, 'integer'] } },
      'QF_NIA',
      [
        '(declare-fun v0 () Int)',
        '(assert (<= 0 v0))',
        '(assert (<= v0 3))',
        '(declare-fun v3 () Int)',
        '(assert (<= 0 v3))',
        '(assert (<= v3 3))',
        '(define-fun t6 () Int (* v0 v3))',
        '(assert (not (<= t6 3)))',
      ],
      [],
    ],
    [
      '1/2 ≤ n',
      { nonlinear: false, over: { n: [0, 3, 'integer'] } },
      'QF_LIA',
      [
        '(declare-fun v0 () Int)',
        '(assert (<= 0 v0))',
        '(assert (<= v0 3))',
        '(assert (not (<= (/ 1.0 2.0) (to_real v0))))',
      ],
      [],
    ],
    [
      '−a ≤ b − c ∧ a < b',
      { nonlinear: false },
      'QF_LRA',
      [
        '(declare-fun v0 () Real)',
        '(assert (<= (- 10.0) v0))',
        '(assert (<= v0 10.0))',
        '(declare-fun v3 () Real)',
        '(assert (<= (- 10.0) v3))',
        '(assert (<= v3 10.0))',
        '(declare-fun v6 () Real)',
        '(assert (<= (- 10.0) v6))',
        '(assert (<= v6 10.0))',
        '(define-fun t9 () Real (+ v3 (- v6)))',
        '(assert (not (and (<= (- v0) t9) (< v0 v3))))',
      ],
      [],
    ],
  ])('%s, %o', (claim, asked, logic, lines, axioms) => {
    const script = scriptOf(claim, asked);
    expect(script.text.split('\n')).toEqual(lines);
    expect(script.logic).toBe(logic);
    expect([...script.axioms]).toEqual(axioms);
  });
});

it('asserts each lemma and names the axioms of all of them', () => {
  const posed = problem('a ≤ b');
  const { graph, conclusion } = posed;
  const lemmas = [
    { formula: truth(graph, 'a < 1'), axioms: new Set(['exp-range'] as const) },
    { formula: truth(graph, 'b < 1'), axioms: new Set(['rounding-exact'] as const) },
  ];
  const script = writeScript(
    { assertions: [conclusion], lemmas, premises: [], nonlinear: false },
    createKnowledge(posed),
  );
  expect(script.text.split('\n').slice(-3)).toEqual([
    '(assert (<= v0 v3))',
    '(assert (< v0 1.0))',
    '(assert (< v3 1.0))',
  ]);
  expect([...script.axioms].toSorted()).toEqual(['exp-range', 'rounding-exact']);
});

it('lists the only values of a variable', () => {
  const posed = problem('a ≤ 1', { over: { a: [0, 2] } });
  const variables = posed.variables.map((variable) => ({ ...variable, choices: [fraction(0n), fraction(3n, 2n)] }));
  const { graph, conclusion } = posed;
  const script = writeScript(
    { assertions: [graph.not(conclusion)], lemmas: [], premises: [], nonlinear: false },
    createKnowledge({ ...posed, variables }),
  );
  expect(script.text).toContain('(assert (or false (= v0 0.0) (= v0 (/ 3.0 2.0))))');
});

it('gives the values of variables by name, and of nothing else', () => {
  const script = scriptOf('exp(a) ≤ b · 2', { nonlinear: false, premises: ['a ≤ b'] });
  expect(script.variables.map(({ symbol, node }) => [symbol, print(node)])).toEqual([
    ['v3', 'b'],
    ['v8', 'a'],
  ]);
  const values = new Map([
    ['v3', fraction(1n)],
    ['v0', fraction(2n)],
  ]);
  expect([...script.valuesByName(values)]).toEqual([['b', fraction(1n)]]);
});
