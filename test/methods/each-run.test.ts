/**
 * Kernels that run once per index: on a matrix every row is one run, whatever way the kernels run.
 *
 * Holds src/runtime/each-run.ts.
 */
import { describe, expect, it } from 'vitest';
import { loadGoal } from '../../src/math/compile/load.ts';
import { runProperty, type PropertyRequest } from '../../src/methods/property.ts';
import { prepareTest } from '../../src/runtime/property-test.ts';
import { createGenerator } from '../../src/runtime/generate/generator.ts';
import type { Goal } from '../../src/contract/goal.ts';
import { elaborated, goal, softmax as equations } from '../contract/elaborate/support.ts';
import { kernels, softmax, toCall } from './softmax-goal.ts';

const claimOf = (formal: string, requires: string, tolerance: string): Goal =>
  goal(
    elaborated({
      equations,
      obligations: `- { id: C, type: invariant, property: p, formal: "${formal}", tolerance: ${tolerance}, requires: ["${requires}"] }`,
    }),
  );

const rows = claimOf('|Σ_j σ(A_i)_j - 1| ≤ ε', 'A ∈ F32^{m×n}, 1 ≤ m ≤ 5, 1 ≤ n ≤ 9, |A_ij| ≤ 20', '{ abs: 1e-4 }');
/** The output of a run is the input of the next. */
const twice = claimOf(
  'σ(σ(B_ai))_j ≈ σ_ref(σ_ref(B_ai))_j',
  'B ∈ F32^{k×m×n}, 1 ≤ k ≤ 3, 1 ≤ m ≤ 3, 1 ≤ n ≤ 5, |B_aij| ≤ 9',
  '{ rel: 1e-5, abs: 1e-30 }',
);

async function request(claim: Goal, kernel: typeof softmax, mode: 'sync' | 'async'): Promise<PropertyRequest> {
  return { goal: claim, compiled: await loadGoal(claim), kernels: kernels(kernel, mode), toCall, seed: 7, cases: 300 };
}

/** Right for every vector but those that begin with their largest element. */
const wrongForSome = (x: Float32Array): Float32Array =>
  x.length > 1 && x[0] === Math.max(...x) ? x.map(() => 1) : softmax(x);

describe.each(['sync', 'async'] as const)('kernels that run once per row (%s)', (mode) => {
  it('are right when every run is', async () => {
    expect(await runProperty(await request(rows, softmax, mode))).toMatchObject({ verdict: 'tested', cases: 300 });
  });
  it('are wrong when one run is', async () => {
    const outcome = await runProperty(await request(rows, wrongForSome, mode));
    expect(outcome.verdict).toBe('falsified');
    expect(outcome.counterexample?.outputs).toHaveLength(1);
  });
  it('run on their own outputs', async () => {
    expect(twice.applications).toHaveLength(2);
    expect((await runProperty(await request(twice, softmax, mode))).verdict).toBe('tested');
    expect((await runProperty(await request(twice, wrongForSome, mode))).verdict).toBe('falsified');
  });
});

describe('generated tests', () => {
  it('run kernels once per row, with the shapes of a row', async () => {
    const compiled = await loadGoal(rows);
    const shapes = new Set<string>();
    const kernel = (call: {
      readonly arguments: readonly unknown[];
      readonly shapes: readonly (readonly number[])[];
    }) => {
      const [x] = call.arguments;
      shapes.add(`${call.shapes[0]?.length}`);
      return x instanceof Float32Array ? softmax(x) : new Float32Array(0);
    };
    const run = prepareTest({ goal: rows, create: () => compiled }, { softmax: kernel }, 3);
    const generator = createGenerator(rows.domain, 3, 'rows');
    if (!generator.ok) throw new Error(generator.error);
    for (let index = 0; index < 50; index++) {
      const buffer = generator.value.allocate(generator.value.sizesAt(index));
      if (!generator.value.fill(index, buffer)) continue;
      expect(await run.check(buffer)).toBe('held');
    }
    expect([...shapes]).toEqual(['1']);
  });
});
