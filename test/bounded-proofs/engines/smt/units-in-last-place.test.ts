/** Claims whose tolerance is in units in the last place: one rounding is half a unit, and two may be more. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { invariant } from '../../../../src/base/invariant.ts';
import { smtEngine, type SmtEngine } from '../../../../src/bounded-proofs/engines/smt/smt-engine.ts';
import { createZ3Solver } from '../../../../src/bounded-proofs/engines/smt/z3-solver.ts';
import { instantiate } from '../../../../src/bounded-proofs/instantiate/instantiate.ts';
import type { ProofProblem } from '../../../../src/bounded-proofs/problem.ts';
import { elaborated, goal } from '../../../contract/elaborate/support.ts';
import { z3Entry } from '../../../support/z3.ts';

let engine: SmtEngine;
beforeAll(async () => {
  engine = smtEngine(createZ3Solver({ entry: await z3Entry() }));
});
afterAll(() => engine.close());

function problemOf(formal: string): ProofProblem {
  const contract = elaborated({
    equations: 'f:\n  formula: "f(x, a) = x"\n  domain: "x ∈ F32, a ∈ F32, |a| ≤ 1"\n  codomain: "f(x, a) ∈ ℝ"',
    obligations: `- { id: C, type: invariant, property: p, formal: "${formal}", tolerance: { ulp: 0.5 } }`,
  });
  const subjects = contract.equations.map((model) => ({ equation: model.name, model, bound: null }));
  const instance = instantiate({ goal: goal(contract), subjects, sizes: [], reading: 'float32' });
  invariant(instance.ok, instance.ok ? '' : instance.error.message);
  return instance.value.problem;
}

const decide = (formal: string): Promise<{ readonly verdict: string }> =>
  engine.decide(problemOf(formal), { steps: 500_000, timeoutMs: 120_000 });

test.each([
  'fl32(a·x) ≈ a·x',
  'fl32(x / 4) ≈ x / 4',
  '{ x if x > 0; fl32(a·x) otherwise } ≈ { x if x > 0; a·x otherwise }',
  '-fl32(a·x) ≈ -(a·x)',
])('%s', async (formal) => {
  expect(await decide(formal)).toMatchObject({ verdict: 'proved' });
});

test.each([
  'fl32(fl32(a·x)·a) ≈ a·x·a',
  'fl32(4·x) ≈ 4·x', // overflows
  '{ x if x > 0; fl32(a·x) otherwise } ≈ { x if x ≥ 0.5; a·x otherwise }',
])('not %s', async (formal) => {
  expect(await decide(formal)).not.toMatchObject({ verdict: 'proved' });
});
