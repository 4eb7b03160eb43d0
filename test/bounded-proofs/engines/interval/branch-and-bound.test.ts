/** Statements about few inputs, box by box: how many it takes, and where they fail. */
import { describe, expect, it } from 'vitest';
import { coverBoxes } from '../../../../src/bounded-proofs/engines/interval/branch-and-bound.ts';
import { problem, type Domain } from '../../notation.ts';

interface Found {
  readonly verdict: string;
  readonly boxes: number;
  readonly model?: Readonly<Record<string, number>>;
  readonly spent?: boolean;
}
type Over = Readonly<Record<string, Domain>>;

describe('a cover by boxes', () => {
  it.each<readonly [claim: string, over: Over, premises: readonly string[], limit: number, found: Found]>([
    ['a · a ≤ 100', {}, [], 100, { verdict: 'proved', boxes: 1 }],
    ['a · (1 − a) ≤ 0.2501', { a: [0, 1] }, [], 500, { verdict: 'proved', boxes: 469 }],
    ['a · (1 − a) ≤ 0.24', { a: [0, 1] }, [], 500, { verdict: 'refuted', boxes: 7, model: { a: 0.4414471387863159 } }],
    ['a · (1 − a) ≤ 0.24999', { a: [0, 1] }, [], 5, { verdict: 'undecided', boxes: 5, spent: true }],
    ['n · n ≤ 24', { n: [-5, 5, 'integer'] }, [], 500, { verdict: 'refuted', boxes: 4, model: { n: 5 } }],
    ['n · n ≤ 25', { n: [-5, 5, 'integer'] }, [], 500, { verdict: 'proved', boxes: 1 }],
    ['¬(n · n = 7)', { n: [-5, 5, 'integer'] }, [], 500, { verdict: 'proved', boxes: 11 }],
    ['¬(n · n = 9)', { n: [-5, 5, 'integer'] }, [], 500, { verdict: 'refuted', boxes: 7, model: { n: 3 } }],
    ['a < 1 ∨ b < 1 ∨ 1 ≤ a · b', {}, [], 4000, { verdict: 'proved', boxes: 217 }],
    ['a + b + c + d ≤ 5', {}, [], 100, { verdict: 'undecided', boxes: 2, spent: true }],
    ['a + b + c + d + e ≤ 5', {}, [], 100, { verdict: 'too many inputs', boxes: 0 }],
    ['a − a · a ≤ 0.3', { a: [0, 1] }, ['a ≤ b'], 500, { verdict: 'undecided', boxes: 125, spent: true }],
    [
      'a ≤ b · 3/4',
      { a: [0, 10], b: [0, 10] },
      ['a ≤ b'],
      500,
      { verdict: 'refuted', boxes: 1, model: { a: 5.918822740784527e-23, b: 5.918822740784527e-23 } },
    ],
    ['a · a ≤ 4', {}, ['|a| ≤ 2'], 500, { verdict: 'proved', boxes: 1 }],
    ['a · a ≤ 4', {}, ['a ≤ 2'], 500, { verdict: 'refuted', boxes: 15, model: { a: -4.335769176483154 } }],
    ['(a < 0 ? −a : a) ≤ 9', {}, [], 500, { verdict: 'refuted', boxes: 11, model: { a: 9.297873497009277 } }],
    ['a ≤ 5 ∨ 3 ≤ a', { a: [0, 9] }, [], 50, { verdict: 'proved', boxes: 15 }],
    ['a · a ≤ 1e30', { a: [null, null] }, [], 200, { verdict: 'refuted', boxes: 3, model: { a: 484743787281645600 } }],
    ['0 ≤ a · a − a + 1/4', { a: [0, 1, 'real'] }, [], 64, { verdict: 'undecided', boxes: 64, spent: true }],
    ['a ≤ 3', { a: [3, 3.000000238418579] }, [], 50, { verdict: 'refuted', boxes: 2, model: { a: 3.000000238418579 } }],
    ['a ≤ 3', { a: [1, 2, 'f16'] }, [], 50, { verdict: 'proved', boxes: 1 }],
    ['a = a · a ∨ a < 1 ∨ 1 < a', { a: [0.5, 2, 'bf16'] }, [], 500, { verdict: 'proved', boxes: 19 }],
  ])('%s over %o where %o, at most %i boxes: %o', (claim, over, premises, limit, { model, ...found }) => {
    const posed = problem(claim, { over, premises });
    const cover = coverBoxes(posed, posed.conclusion, limit);
    expect(cover).toMatchObject(found);
    expect('model' in cover ? Object.fromEntries(cover.model) : undefined).toEqual(model);
  });
});
