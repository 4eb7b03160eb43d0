/**
 * Claims about the mathematics, on real and whole numbers that no kernel receives.
 *
 * Holds src/math/domain.ts.
 */
import { describe, expect, it } from 'vitest';
import { invariant } from '../../src/base/invariant.ts';
import type { Goal } from '../../src/contract/goal.ts';
import { loadGoal } from '../../src/math/compile/load.ts';
import { isAboutMathematics, withCasesBeyond } from '../../src/methods/beyond.ts';
import type { PropertyOutcome } from '../../src/methods/runs/outcome.ts';
import { runProperty } from '../../src/methods/property.ts';
import { realExecutor } from '../../src/methods/reals.ts';
import { planOf } from '../plan/projects.ts';

/** The claim of an equation `f(x) = x` over `domain`. */
async function goalOf(formal: string, domain: string, more = 'semantics: real'): Promise<Goal> {
  const text = `metadata: { version: "1.0.0", description: Identity }
equations:
  f: { formula: "f(x) = x", domain: "${domain}" }
proof_obligations:
  - { id: F-1, type: bound, property: p, formal: "${formal}", ${more} }
`;
  const plan = await planOf({ 'f-v1': text }, []);
  const goal = plan.contracts[0]?.goals[0]?.goal;
  invariant(goal, 'the claim is a goal');
  return goal;
}

/** What ordinary cases gave, as far as it counts here. */
async function ordinary(goal: Goal): Promise<PropertyOutcome> {
  const compiled = await loadGoal(goal);
  const executor = realExecutor({ goal, compiled, equations: goal.overReals?.equations ?? [] });
  const noCalls = { kernels: new Map(), toCall: () => ({ arguments: [], shapes: [], outputShape: [] }) };
  return runProperty({ goal, compiled, ...noCalls, executor, seed: 1, cases: 20 });
}

async function beyond(formal: string, domain: string, more: Partial<PropertyOutcome> = {}, semantics?: string) {
  const goal = await goalOf(formal, domain, semantics);
  const outcome = { ...(await ordinary(goal)), ...more };
  const found = await withCasesBeyond(outcome, { goal, compiled: await loadGoal(goal), seed: 1, expired: () => false });
  return { outcome, found };
}

describe('a claim about the mathematics', () => {
  it('is one over the reals, or one that runs no kernel and draws nothing', async () => {
    const goal = await goalOf('f(x) ≤ 1e3', 'x ∈ R, 0 ≤ x ≤ 1');
    const plain = { ...goal, overReals: null };
    const [application] = goal.applications;
    invariant(application, 'the claim names the equation');
    expect(isAboutMathematics(goal)).toBe(true);
    expect(isAboutMathematics({ ...plain, applications: [] })).toBe(true);
    expect(isAboutMathematics({ ...plain, applications: [application] })).toBe(false);
    const statistical = { comparisons: [], random: [], draws: 1, settings: 1, alpha: 0.1 };
    expect(isAboutMathematics({ ...plain, applications: [], statistical })).toBe(false);
  });

  it('that holds counts the cases beyond the numbers of kernels beside the others', async () => {
    const { outcome, found } = await beyond('f(x) ≤ x', 'x ∈ R');
    expect(found).toEqual({ ...outcome, beyond: { cases: 50, open: 0 } });
  });

  it('that only numbers beyond those of kernels break is false', async () => {
    const { outcome, found } = await beyond('f(x) ≤ 1e300', 'x ∈ R');
    expect([outcome.verdict, found.verdict]).toEqual(['tested', 'falsified']);
    expect(found.reason).toContain('over the reals');
  });

  it('says to how many digits the least equal numbers were equal', async () => {
    const digits = async (equalTo: number | undefined) =>
      (await beyond('exp(f(x)) = exp(x/2)^2', 'x ∈ R, |x| ≤ 5', equalTo === undefined ? {} : { equalTo })).found
        .equalTo;
    expect(await digits(40)).toBe(40);
    expect(await digits(320)).toBe(80);
    expect((await beyond('f(x) ≤ x', 'x ∈ R')).found).not.toHaveProperty('equalTo');
  });

  it('is as it was where it is false already, its inputs are given, or no input is beyond', async () => {
    const falsified = await beyond('f(x) ≤ x', 'x ∈ R', { verdict: 'falsified' });
    expect(falsified.found).toBe(falsified.outcome);
    const floats = await beyond('f(x) ≤ x', 'x ∈ F32');
    expect(floats.found).toBe(floats.outcome);
    const goal = { ...(await goalOf('f(x) ≤ x', 'x ∈ R')), given: [{ sizes: [], values: [1] }] };
    const outcome = await ordinary(await goalOf('f(x) ≤ x', 'x ∈ R'));
    const asked = { goal, compiled: await loadGoal(goal), seed: 1, expired: () => false };
    expect(await withCasesBeyond(outcome, asked)).toBe(outcome);
  });

  it('about numbers that are all beyond has no other cases', async () => {
    const nothing = { verdict: 'vacuous', cases: 0, declaredCases: 70 } as const;
    const { found } = await beyond('f(x) ≤ x', 'x ∈ R, x ≥ 1e39', nothing);
    expect(found).toMatchObject({ verdict: 'tested', cases: 70 });
    expect(found).not.toHaveProperty('beyond');
    const { found: vacuous } = await beyond('f(x) ≤ x', 'x ∈ R, x ≥ 1e39', { ...nothing, cases: 1 });
    expect(vacuous).toMatchObject({ verdict: 'vacuous', beyond: { cases: 50 } });
  });

  it('that doubles decide must be false in doubles as well', async () => {
    // 2^53 + 1 is no double: over the integers it differs from 2^53, in doubles it does not.
    const { found } = await beyond('x + 1 ≠ x', 'x ∈ ℤ', {}, 'about: mathematics');
    expect(found.verdict).not.toBe('falsified');
  });
});
