/** Claims of type `determinism`: each mention of a kernel is a run of its own, and the two must agree. */
import { describe, expect, it } from 'vitest';
import type { OpenKernel } from '../../src/backends/backend.ts';
import { loadGoal } from '../../src/math/compile/load.ts';
import { runProperty } from '../../src/methods/property.ts';
import { runsTwice, unsteady } from '../../src/methods/wrong-kernels/unsteady-saboteur.ts';
import { elaborated, softmax } from '../contract/elaborate/support.ts';
import { openKernel, toCall } from '../methods/softmax-goal.ts';
import { audited } from './audited.ts';

const contract = (type: string): string => `metadata: { version: "1.0.0", description: Twice, references: [a] }
equations:
  double:
    formula: "D(x)_i = 2·x_i"
    domain: "x ∈ F32^n, 1 ≤ n ≤ 16, |x_i| ≤ 100"
proof_obligations:
  - { id: DB-DET-001, type: ${type}, property: The same each time, formal: "D(x) = D(x)", applies_to: double }
  - { id: DB-EQV-001, type: equivalence, property: Twice, formal: "D(x)_i = D_ref(x)_i", applies_to: double }
`;
const kernel = {
  contract: 'c',
  equation: 'double',
  text: `interface KernelThread { readonly thread: { readonly x: number } }
export function kernel(this: KernelThread, x: readonly number[], n: number): number { return 2 * x[this.thread.x]!; }`,
};

describe('a determinism claim', () => {
  it('is tested on two runs, and kills a kernel that answers equal calls differently', async () => {
    const { claims } = await audited('c', contract('determinism'), [kernel], 200);
    const claim = claims.find(({ id }) => id === 'DB-DET-001');
    expect(claim).toMatchObject({ verdict: 'tested' });
    expect(claim?.kills?.killed).toBeGreaterThan(0);
  });

  it('is not a claim under another type: there the two mentions are one run', async () => {
    const { claims } = await audited('c', contract('invariant'), [kernel], 200);
    expect(claims.find(({ id }) => id === 'DB-DET-001')).toMatchObject({ verdict: 'undetermined' });
  });
});

const goalsOf = (type: string, formal: string, more = '') =>
  elaborated({
    equations: softmax,
    obligations: `- { id: A, type: ${type}, property: p, formal: "${formal}"${more} }`,
    tests: '- { id: F, rule: A, prediction: "σ(x) = σ(x)" }',
  });

describe('its elaboration', () => {
  it('runs the kernel once per mention, in tests of the obligation too', () => {
    const { goals } = goalsOf('determinism', 'σ(x) = σ(x)');
    expect(goals.map(({ applications }) => applications.length)).toEqual([2, 2]);
    expect(goals.every((goal) => runsTwice(goal, 'softmax'))).toBe(true);
  });

  it('runs it once for each of several mentions under indices, and not for each use of their elements', () => {
    const [goal] = goalsOf('determinism', '|σ(x)_i - σ(x)_i| ≤ 0').goals;
    expect(goal?.applications).toHaveLength(2);
  });

  it('leaves equal mentions one run in every other claim', () => {
    const [goal] = goalsOf('invariant', 'σ(x)_i + σ(x)_i = 2·σ(x)_i').goals;
    expect(goal?.applications).toHaveLength(1);
    expect(goal && runsTwice(goal, 'softmax')).toBe(false);
  });

  it.each([
    ['the mathematics', ', about: mathematics'],
    ['real numbers', ', semantics: real'],
  ])('finds nothing to compare where it is about %s', (_, more) => {
    const { goals, diagnostics } = goalsOf('determinism', 'σ(x) = σ(x)', more);
    expect(goals.some(({ claim }) => claim === 'A')).toBe(false);
    expect(diagnostics.map(({ code }) => code)).toContain('PV-4013');
  });
});

describe('a kernel that answers equal calls differently', () => {
  const open = (mode: 'sync' | 'async'): OpenKernel => openKernel((x) => x.map((value) => value / 2), mode);
  const outcomeOf = async (kernelUnderTest: OpenKernel) => {
    const [goal] = goalsOf('determinism', 'σ(x) = σ(x)').goals;
    if (!goal) throw new Error('no goal');
    return runProperty({
      goal,
      compiled: await loadGoal(goal),
      kernels: new Map([['softmax', kernelUnderTest]]),
      toCall,
      seed: 1,
      cases: 100,
    });
  };

  it.each(['sync', 'async'] as const)('is falsified, one call after the other or in batches (%s)', async (mode) => {
    expect((await outcomeOf(open(mode))).verdict).toBe('tested');
    const caught = await outcomeOf(unsteady('numbers').wrap(open(mode)));
    expect(caught.verdict).toBe('falsified');
    const [first, second] = caught.counterexample?.outputs ?? [];
    expect(first).not.toBe(second);
    expect(await outcomeOf(unsteady('numbers').wrap(open(mode)))).toEqual(caught);
  });

  it('is falsified, and said to be such a one, when it differs once and never again', async () => {
    let calls = 0;
    const once = openKernel((x) => x.map((value) => (++calls === 3 ? value + 1 : value / 2)));
    const { verdict, counterexample } = await outcomeOf(once);
    expect(verdict).toBe('falsified');
    expect(counterexample?.explanation).toMatch(
      /^it was broken once, and held in 20 more runs on this input: the kernel does not give the same output each time$/,
    );
  });
});
