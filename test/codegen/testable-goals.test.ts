import { expect, it } from 'vitest';
import { goalFileNames, testableGoals } from '../../src/codegen/goal-view.ts';
import { elaborated, softmax } from '../contract/elaborate/support.ts';

it('generated tests run claims about single runs, and no others', () => {
  const { goals } = elaborated({
    equations: softmax,
    obligations: `- { id: A, type: bound, property: p, formal: "σ(x)_i ≥ 0" }
- { id: B, type: bound, property: p, formal: "σ(x)_i > 0", semantics: real }
- { id: C, type: bound, property: p, formal: "mean(σ(x)_i) ≥ 0", semantics: statistical, methods: { statistical: { random: [x] } } }`,
  });
  expect(goals.map(({ claim }) => claim)).toEqual(['A', 'B', 'C']);
  expect(testableGoals(goals).map(({ claim }) => claim)).toEqual(['A']);
  expect([...goalFileNames(goals).values()]).toEqual(['a']);
});
