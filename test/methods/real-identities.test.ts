/** Claims over the reals: true identities hold in thousands of cases, and their false neighbours do not. */
import { describe, expect, it } from 'vitest';
import { invariant } from '../../src/base/invariant.ts';
import type { Case } from '../../src/math/compile/compiled.ts';
import { loadGoal } from '../../src/math/compile/load.ts';
import { runProperty } from '../../src/methods/property.ts';
import { realExecutor, type RealRequest } from '../../src/methods/reals.ts';
import { planOf } from '../plan/projects.ts';

const domain = 'x ∈ F32, |x| ≤ 100';
const logistic = '1 / (1 + exp(-x))';

/** The verdict on `formal` of f(x) = `formula`, in so many cases. */
async function verdict(
  formula: string,
  formal: string,
  cases: number,
  inputs = domain,
  more: Pick<RealRequest, 'confirm' | 'onOpen'> = {},
): Promise<string> {
  const contract = `metadata: { version: "1.0.0", description: An identity }
equations:
  f:
    formula: ${JSON.stringify(`f(x) = ${formula}`)}
    domain: ${JSON.stringify(inputs)}
proof_obligations:
  - { id: F-1, type: bound, property: It holds, formal: ${JSON.stringify(formal)}, semantics: real }
`;
  const plan = await planOf({ 'f-v1': contract }, []);
  const check = plan.checks.find(({ work }) => work.kind === 'reals');
  invariant(check?.work.kind === 'reals', 'the claim is over the reals');
  const { goal } = check.work;
  const compiled = await loadGoal(goal);
  const { equations } = goal.overReals ?? { equations: [] };
  const { verdict: found } = await runProperty({
    goal,
    compiled,
    kernels: new Map(),
    toCall: () => ({ arguments: [], shapes: [], outputShape: [] }),
    executor: realExecutor({ goal, compiled, equations, ...more }),
    seed: 1,
    cases,
    shrinkBudget: null,
  });
  return found;
}

const cases = Number(process.env['PV_RUNS'] ?? 1000);

describe('over the reals', () => {
  it.each([
    ['sin(x)', 'f(x + 2·π) = f(x)'],
    ['sin(x)', 'f(x)^2 + cos(x)^2 = 1'],
    ['sin(x)', 'f(π) = 0 ∧ f(π/2) = 1'],
    ['log(x)', 'f(e) = 1'],
    ['tanh(x)', 'f(x) = (exp(2·x) - 1) / (exp(2·x) + 1)'],
    ['cosh(x)', 'f(x)^2 - sinh(x)^2 = 1'],
    [logistic, 'f(x) + f(-x) = 1'],
    [logistic, 'f(x)·(1 - f(x)) > 0'],
    [logistic, 'f(x) < 1 ∧ f(x) > 0'],
    ['exp(x)', 'f(x) > 0', 'x ∈ F32'],
    ['log(exp(x) + exp(-x))', 'f(x) ≥ x ∧ f(x) > -x'],
    ['log(1 + exp(x))', 'f(x) > 0 ∧ f(x) - f(-x) = x'],
    // Terms that no affordable number of digits shows, beside inputs at which they show.
    ['log(1 + exp(x))', 'f(x) - f(-x) = x', 'x ∈ F32, |x| ≤ 1e6'],
    [logistic, 'f(x) + f(-x) = 1', 'x ∈ F32, |x| ≤ 5000'],
    [logistic, 'f(x)·(1 - f(x)) = exp(-x) / (1 + exp(-x))^2', 'x ∈ F32, |x| ≤ 1000'],
    ['if x ≥ 0 then 1 / (1 + exp(-x)) else exp(x) / (1 + exp(x))', 'f(x) + f(-x) = 1', 'x ∈ F32, |x| ≤ 1e5'],
    ['tanh(x)', 'f(x) ≤ 1 ∧ f(x) ≥ -1', 'x ∈ F32'],
    ['sin(x)', 'f(x + 2·π) = f(x)', 'x ∈ F32, |x| ≤ 1e30'],
    // Some inputs ask for more digits of π than there are.
    ['sin(x)', 'f(x)^2 + cos(x)^2 = 1', 'x ∈ R, |x| ≤ 2000'],
    ['1 + exp(-x)', 'f(x)^2 = 1 + 2·exp(-x) + exp(-2·x)', 'x ∈ F32, 600 ≤ x ≤ 700'],
    [logistic, 'f(x) = 1 - exp(-x) / (1 + exp(-x))', 'x ∈ F32, 600 ≤ x ≤ 700'],
    [logistic, 'f(x)·(1 - f(x)) = exp(-x) / (1 + exp(-x))^2', 'x ∈ F32, 600 ≤ x ≤ 700'],
    ['log(1 + exp(x))', 'f(x) = x + log(1 + exp(-x))', 'x ∈ F32, 600 ≤ x ≤ 700'],
    // They show in more digits than the first that seem to do.
    ['log(1 + exp(x))', 'f(x) ≥ x', 'x ∈ F32, 2000 ≤ x ≤ 5000'],
    ['exp(x)', 'f(x + 1) = e·f(x)', 'x ∈ F32, 2000 ≤ x ≤ 5000'],
  ])('%s: %s', async (formula, formal, inputs?: string) => {
    const positive = formula === 'log(x)' ? 'x ∈ F32, 0.1 ≤ x ≤ 100' : inputs;
    expect(await verdict(formula, formal, cases, positive)).toBe('tested');
  });

  it.each([
    ['sin(x)', 'f(x + 6.283185307179586476925286766559) = f(x)'],
    ['sin(x)', 'f(3.141592653589793238462643383279502884197) = 0'],
    ['x', 'f(π) = 3.141592653589793238462643383279502884197'],
    [logistic, 'f(x)·(1 - f(x)) > 1e-43'],
    [logistic, 'f(x) < 0.9999999999999999'],
    ['max(0, x)', 'f(x) > 0'],
    ['x·x', 'f(x) > 0'],
    ['exp(x)', 'f(x) > 1e-43'],
    ['cosh(x)', 'f(x)^2 - sinh(x)^2 > 1.0000000000000000000001'],
  ])('not %s: %s', async (formula, formal) => {
    expect(await verdict(formula, formal, cases)).toBe('falsified');
  });

  it.each([
    ['log(1 + exp(x))', 'f(x) = x', 'x ∈ F32, x ≥ 2000'],
    ['log(1 + exp(x))', 'f(x) = x', 'x ∈ R, x ≥ 2000'],
    ['log(1 + exp(x))', 'f(x) = x', 'x ∈ F32, 300 ≤ x ≤ 1000'],
    ['log(1 + exp(x))', 'f(x) ≤ x', 'x ∈ F32, 2000 ≤ x ≤ 5000'],
    ['log(exp(x) + exp(-x))', 'f(x) = |x|', 'x ∈ F32, 1000 ≤ x ≤ 1e6'],
    [logistic, 'f(x) = 1', 'x ∈ F32, 2000 ≤ x ≤ 5000'],
    ['tanh(x)', 'f(x) = 1', 'x ∈ F32, 1000 ≤ x ≤ 2000'],
    ['erf(x)', 'f(x) = 1', 'x ∈ F32, 30 ≤ x ≤ 40'],
    ['sqrt(x·x + 1)', 'f(x) = x', 'x ∈ F32, x ≥ 1e30'],
    ['cosh(x)', 'f(x) = sinh(x)', 'x ∈ F32, 500 ≤ x ≤ 600'],
    // They differ by the square of a term that is faint.
    ['1 + exp(-x)', 'f(x)^2 = 1 + 2·exp(-x)', 'x ∈ F32, 600 ≤ x ≤ 700'],
    ['1 + exp(-x)', 'f(x)·(1 - exp(-x)) = 1', 'x ∈ F32, 600 ≤ x ≤ 700'],
    [logistic, 'f(x) = 1 - exp(-x)', 'x ∈ F32, 600 ≤ x ≤ 700'],
    ['sqrt(1 + exp(-x))', 'f(x) = 1 + exp(-x) / 2', 'x ∈ F32, 600 ≤ x ≤ 700'],
    ['log(1 + exp(-x))', 'f(x) = exp(-x)', 'x ∈ F32, 600 ≤ x ≤ 700'],
    ['exp(exp(-x))', 'f(x) = 1 + exp(-x)', 'x ∈ F32, 600 ≤ x ≤ 700'],
    ['tanh(x)', 'f(x) = 1 - 2·exp(-2·x)', 'x ∈ F32, 300 ≤ x ≤ 400'],
    // The sign of a term changes where it no longer shows.
    ['x + (1000 - x)·exp(-x)', 'f(x) ≥ x', 'x ∈ F32, 0 ≤ x ≤ 2000'],
  ])('not %s: %s for %s, which more digits show', async (formula, formal, inputs) => {
    expect(await verdict(formula, formal, 200, inputs)).toBe('falsified');
  });

  it.each([
    ['log(1 + exp(x))', 'f(x) = x', 'x ∈ F32, 5000 ≤ x ≤ 6000'],
    ['log(1 + exp(x))', 'x > 20000 ⟹ f(x) = x', 'x ∈ F32, |x| ≤ 1e6'],
    ['log(1 + exp(x))', 'f(x) ≠ x', 'x ∈ F32, 5000 ≤ x ≤ 6000'],
    [logistic, 'f(x) ≥ 1', 'x ∈ F32, 1e4 ≤ x ≤ 1e5'],
  ])('leaves %s: %s for %s open, as no affordable number of digits tells', async (formula, formal, inputs) => {
    expect(await verdict(formula, formal, 200, inputs)).toBe('undetermined');
  });

  it('leaves open what its digits cannot decide', async () => {
    expect(await verdict(logistic, 'f(x) < 1', 200, 'x ∈ F32, 1e4 ≤ x ≤ 1e5')).toBe('undetermined');
  });

  it('takes doubles that are not the numbers at the ends of a domain for none of its inputs', async () => {
    // The float32 next to 0.1 is larger.
    expect(await verdict('x', 'f(x) ≤ 0.1', 200, 'x ∈ F32, 0 ≤ x ≤ 0.1')).toBe('tested');
    expect(await verdict('x', 'f(x) < 0.0999', 200, 'x ∈ F32, 0 ≤ x ≤ 0.1')).toBe('falsified');
  });

  it('asks whether a case that breaks the claim counts, and of no other', async () => {
    const asked: number[] = [];
    const confirm = (counts: boolean) => ({
      confirm: ({ values }: Case) => {
        asked.push(Number(values[0]));
        return counts;
      },
    });
    expect(await verdict('x', 'f(x) > 1000', 200, domain, confirm(true))).toBe('falsified');
    expect(await verdict('x', 'f(x) > 1000', 200, domain, confirm(false))).toBe('vacuous');
    asked.length = 0;
    expect(await verdict('x', 'f(x) ≤ 100', 200, domain, confirm(false))).toBe('tested');
    expect(asked).toEqual([]);
    await verdict('x', 'f(x) ≤ 0', 200, domain, confirm(false));
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.every((x) => x > 0)).toBe(true);
  });

  it('counts what digits leave open as held where it is noted', async () => {
    const why: string[] = [];
    const inputs = 'x ∈ F32, 5000 ≤ x ≤ 6000';
    const onOpen = (one: string) => void why.push(one);
    expect(await verdict('log(1 + exp(x))', 'f(x) ≠ x', 50, inputs, { onOpen })).toBe('tested');
    expect(why.length).toBeGreaterThan(0);
  });
});
