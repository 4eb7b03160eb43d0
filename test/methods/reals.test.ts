/** Cases of a claim over the reals, one by one: what holds, what breaks, what is no input, and what stays open. Holds src/methods/meant-numbers.ts. */
import { describe, expect, it } from 'vitest';
import { invariant } from '../../src/base/invariant.ts';
import type { Goal } from '../../src/contract/goal.ts';
import type { Case } from '../../src/math/compile/compiled.ts';
import { loadGoal } from '../../src/math/compile/load.ts';
import { realExecutor, type RealRequest } from '../../src/methods/reals.ts';
import { planOf } from '../plan/projects.ts';

/** A claim over the reals of `f` and, where it is given, of `g`. */
async function goalOf(
  formal: string,
  {
    f = 'f(x) = x',
    domain = 'x ∈ F32',
    g = '',
  }: { readonly f?: string; readonly domain?: string; readonly g?: string } = {},
): Promise<Goal> {
  const second = g === '' ? '' : `  g: { formula: "${g}", domain: "${domain}" }\n`;
  const text = `metadata: { version: "1.0.0", description: Reals }
equations:
  f: { formula: "${f}", domain: "${domain}" }
${second}proof_obligations:
  - { id: F-1, type: bound, property: p, formal: "${formal}", semantics: real }
`;
  const plan = await planOf({ 'f-v1': text }, []);
  const goal = plan.contracts[0]?.goals[0]?.goal;
  invariant(goal?.overReals, formal);
  return goal;
}

interface Seen {
  readonly status: string;
  readonly why: string | null;
  readonly problem: string | null;
  readonly premise: boolean;
}

async function seen(
  goal: Goal,
  cases: readonly (Case | null)[],
  more: Partial<RealRequest> = {},
  goOn: () => boolean = () => true,
): Promise<readonly Seen[]> {
  const compiled = await loadGoal(goal);
  const executor = realExecutor({ goal, compiled, equations: goal.overReals?.equations ?? [], ...more });
  expect(executor.width).toBe(1);
  const found: Seen[] = [];
  await executor.run(
    cases.length,
    (position) => cases[position] ?? null,
    (status, position, candidate) => {
      expect(candidate).toBe(cases[position] ?? null);
      const { problem, report } = executor.outcome;
      found.push({
        status,
        why: executor.explanation?.() ?? null,
        problem: problem?.message ?? null,
        premise: report.premise,
      });
      return goOn();
    },
  );
  return found;
}

const at = (...x: readonly number[]): readonly Case[] => x.map((value) => ({ sizes: [], values: [value] }));
const statuses = async (...asked: Parameters<typeof seen>): Promise<readonly string[]> =>
  (await seen(...asked)).map(({ status }) => status);

describe('a case over the reals', () => {
  it('holds or breaks with both sides, and is visited in order up to where the visitor stops', async () => {
    const goal = await goalOf('f(x) ≤ 3');
    expect(await seen(goal, at(2, 4, 3))).toEqual([
      { status: 'held', why: null, problem: null, premise: true },
      { status: 'broken', why: 'over the reals, 4 ≤ 3 is false (40 digits)', problem: null, premise: true },
      { status: 'held', why: null, problem: null, premise: true },
    ]);
    expect(await statuses(goal, [null, ...at(4)])).toEqual(['filtered', 'broken']);
    expect(await statuses(goal, at(2, 4, 3), {}, () => false)).toEqual(['held']);
  });

  it('enters exactly as it was generated: numbers, and tensors', async () => {
    const exact = await goalOf('f(x) = 0.1');
    // The float32 next to 0.1 is another number.
    expect(await statuses(exact, at(Math.fround(0.1), 0.1))).toEqual(['broken', 'broken']);
    const sum = await goalOf('f(x) = Σ_i x_i', { f: 'f(x) = Σ_i x_i', domain: 'x ∈ F32^n, 1 ≤ n ≤ 4' });
    expect(await statuses(sum, [{ sizes: [3], values: [Float32Array.of(1, 2, 4)] }])).toEqual(['held']);
    const seven = await goalOf('f(x) = 7', { f: 'f(x) = Σ_i x_i', domain: 'x ∈ F32^n, 1 ≤ n ≤ 4' });
    expect(
      await statuses(seven, [
        { sizes: [3], values: [Float32Array.of(1, 2, 4)] },
        { sizes: [2], values: [Float32Array.of(1, 2)] },
      ]),
    ).toEqual(['held', 'broken']);
  });

  it('is the number that the domain writes, not the float32 nearest to it', async () => {
    const drawn = Math.fround(0.1);
    for (const domain of ['x ∈ ℝ, x = 0.1', 'x ∈ F32, x ∈ {0.1, 1/3}', 'x ∈ [0.1, 1]'])
      expect(await statuses(await goalOf('f(x) = 0.1', { domain }), at(drawn)), domain).toEqual(['held']);
    const whole = await goalOf('f(x) = 16777217', { domain: 'x ∈ ℝ, x = 16777217' });
    expect(await statuses(whole, at(16777216))).toEqual(['held']);
    const ends = await goalOf('0.1 < f(x) < 0.3', { domain: 'x ∈ [0.1, 0.3]' });
    const above = Math.fround(0.1);
    const below = 0.29999998211860657;
    expect(await statuses(ends, at(above, below, 0.2))).toEqual(['broken', 'broken', 'held']);
    const open = await goalOf('f(x) > 0.1', { domain: 'x ∈ (0.1, 0.3]' });
    expect(await statuses(open, at(above))).toEqual(['held']);
    // A float32 number is not 0.1.
    const format = await goalOf('f(x) > 0.1', { domain: 'x ∈ F32, 0.1 ≤ x ≤ 1' });
    expect(await statuses(format, at(above))).toEqual(['held']);
  });

  it('is the number that the domain writes in a tensor, too', async () => {
    const list = await goalOf('f(x)_i ∈ {0.1, 0.2}', {
      f: 'f(x)_i = x_i',
      domain: 'x ∈ F32^n, x_i ∈ {0.1, 0.2}, n ≤ 4',
    });
    expect(await statuses(list, [{ sizes: [2], values: [Float32Array.of(0.2, 0.1)] }])).toEqual(['held']);
  });

  it('is of the equations, each on its own arguments, also where one is given what another gives', async () => {
    const goal = await goalOf('f(x + 1) = x + 2 ∧ g(f(x)) = 2·x + 2', { f: 'f(x) = x + 1', g: 'g(x) = 2·x' });
    expect(goal.applications.length).toBeGreaterThan(2);
    expect(await statuses(goal, at(0, 3, -7.5))).toEqual(['held', 'held', 'held']);
    const wrong = await goalOf('g(f(x)) = 2·x + 3', { f: 'f(x) = x + 1', g: 'g(x) = 2·x' });
    expect(await statuses(wrong, at(3))).toEqual(['broken']);
  });

  it('whose premise does not hold is not a hit', async () => {
    const goal = await goalOf('x > 1 ⟹ f(x) > 1');
    const found = await seen(goal, at(0, 2, 1, 3));
    expect(found.map(({ status, premise }) => [status, premise])).toEqual([
      ['held', false],
      ['held', true],
      ['held', false],
      ['held', true],
    ]);
    const nested = await goalOf('f(x) ≤ 9 ∧ (x > 1 ⟹ f(x) > 1)');
    expect((await seen(nested, at(0, 2))).map(({ premise }) => premise)).toEqual([false, true]);
  });

  it('that doubles put outside of the domain is not an input', async () => {
    const goal = await goalOf('f(x) < 0.1', { domain: 'x ∈ F32, 0 ≤ x < 0.1' });
    expect(await statuses(goal, at(0.05, 0.2, 0.1))).toEqual(['held', 'filtered', 'filtered']);
    const excluded = await goalOf('f(x) ≤ 1', { domain: 'x ∈ F32, x ≠ 2, x ≤ 3' });
    expect(await statuses(excluded, at(2, 3))).toEqual(['filtered', 'broken']);
  });

  it('where a power falls below every exponent is not broken for that', async () => {
    const above = await goalOf('1 / (1 - x^t) > 1', { domain: 'x ∈ F32, 0 < x < 1, t ∈ ℤ, t ≥ 1' });
    const order = above.domain.variables.map(({ name }) => name);
    const cases = [5e14, 1e307].map((t): Case => ({
      sizes: [],
      values: order.map((name) => (name === 'x' ? 1e-19 : t)),
    }));
    const found = await seen(above, cases);
    expect(found.map(({ status }) => status)).toEqual(['broken', 'broken']);
    for (const { problem } of found) expect(problem).toMatch(/do not separate/u);
  });

  it('outside the preconditions says nothing', async () => {
    const goal = await goalOf('f(x) ≤ 1', { domain: 'x ∈ F32, x·x ≥ 4' });
    expect(await statuses(goal, at(1, 3))).toEqual(['filtered', 'broken']);
  });

  it('that digits cannot decide is a problem, or noted and held', async () => {
    const goal = await goalOf('f(x) < 1', { f: 'f(x) = 1 / (1 + exp(-x))' });
    const [open] = await seen(goal, at(1e5));
    expect(open).toMatchObject({ status: 'broken', problem: expect.stringContaining('digits') as string });
    expect(open?.why).toBe(open?.problem);
    const notes: string[] = [];
    expect(await statuses(goal, at(1e5, 0), { onOpen: (why) => void notes.push(why) })).toEqual(['held', 'held']);
    expect(notes).toEqual([open?.problem]);
    // The next case begins anew.
    expect((await seen(goal, at(1e5, 0)))[1]).toEqual({ status: 'held', why: null, problem: null, premise: true });
  });

  it('that digits cannot decide takes few of them once many others were open', async () => {
    const goal = await goalOf('f(x) < 1', { f: 'f(x) = 1 / (1 + exp(-x))' });
    const notes: string[] = [];
    const cases = at(...Array.from({ length: 20 }, (_, i) => 1e5 + i), 0, -1e5);
    const found = await statuses(goal, cases, { onOpen: (why) => void notes.push(why) });
    expect(found).toEqual(cases.map(() => 'held'));
    const digits = notes.map((why) => /^\d+/u.exec(why)?.[0]);
    expect(digits).toEqual([...new Array(16).fill('640'), ...new Array(4).fill('80')]);
  });

  it('that breaks the claim counts where it is confirmed', async () => {
    const goal = await goalOf('f(x) ≤ 3');
    const confirm = ({ values }: Case): boolean => values[0] !== 4;
    expect(await statuses(goal, at(4, 5, 2), { confirm })).toEqual(['filtered', 'broken', 'held']);
  });

  it('has no difference that is too small among all real numbers', async () => {
    const goal = await goalOf('f(x) = 0', { f: 'f(x) = (1 + exp(-x)) - 1' });
    const [limited] = await seen(goal, at(5000));
    expect(limited).toMatchObject({ status: 'held', problem: null });
    const [unlimited] = await seen({ ...goal, domain: { ...goal.domain, unlimited: true } }, at(5000));
    expect(unlimited).toMatchObject({ status: 'broken', problem: expect.stringContaining('digits') as string });
  });
});

it('spends little on further inputs where some sums are too long, and decides those that are short', async () => {
  const goal = await goalOf('f(n) ≥ 1', { f: 'f(n) = Σ_{k=1}^{n} 1/k', domain: 'n ∈ ℕ⁺' });
  const opened: string[] = [];
  const at = (n: number): Case => ({ sizes: [], values: [n] });
  const sizes = goal.domain.sizes.length > 0 ? (n: number): Case => ({ sizes: [n], values: [] }) : at;
  const found = await seen(goal, [2 ** 31 - 1, 2 ** 30, 3000, 100].map(sizes), { onOpen: (why) => opened.push(why) });
  expect(found.map(({ status }) => status)).toEqual(['held', 'held', 'held', 'held']);
  expect(opened).toEqual(Array.from({ length: 3 }, () => 'evaluation takes more steps than its limit'));
});
