/**
 * A tolerance that grows with sizes until it accepts anything is hollow where it is largest, whatever wrong kernels it catches at
 * small sizes; one that grows as rounding does is not.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { audited, doublingContract, doublingKernel, type ClaimText } from '../../audit/audited.ts';
import { lookWhereMostIsAllowed } from '../../../src/methods/adequacy/most-lenient.ts';
import type { TrialGoal } from '../../../src/methods/adequacy/trial.ts';
import type { ClaimReport } from '../../../src/report/report.ts';
import { emptyOutcome } from '../../../src/runtime/check-case.ts';
import { call, domain, input, name, numeral, size } from '../../runtime/domains.ts';
import { goalOf, sumsToOne } from '../softmax-goal.ts';

const equal = 'D(x) ≈ D_ref(x)';
const hollow: readonly ClaimText[] = [
  [equal, 'tolerance: { abs: 0.1, per: n³ }'],
  [equal, 'tolerance: { abs: 1e-2, per: 2^n }'],
  [equal, 'tolerance: { abs: 1e-3, per: exp(n) }'],
  [equal, 'tolerance: { abs: 1e-2, per: n^4 }'],
  [equal, 'tolerance: { rel: 1e-3, abs: 1e-2, per: n^4 }'],
  // Most is allowed in the middle.
  [equal, 'tolerance: { abs: 1e-3, per: "1 + 1e6·(n - 1)·(16 - n)" }'],
  // The same bounds without a tolerance.
  ['|D(x)_i - 2·x_i| ≤ 0.01·n⁴'],
  ['0.01·n⁴ ≥ |2·x_i - D(x)_i|'],
  ['(D(x)_i - 2·x_i)² ≤ 1e-4·n⁸'],
  ['max_i |D(x)_i - 2·x_i| ≤ t where t = 0.01·n⁴'],
  ['D(x)_i ≤ 2·x_i + 0.01·n⁴ ∧ D(x)_i ≥ 2·x_i - 0.01·n⁴'],
  // 0 satisfies it at every size.
  ['|D(-x)_i + D(x)_i - 0·x_i| ≤ 0.01·n⁴'],
];

const honest: readonly ClaimText[] = [
  [equal, 'tolerance: { abs: 1e-6, per: n }'],
  [equal, 'tolerance: { abs: 1e-6, per: log(n + 1) }'],
  [equal, 'tolerance: { abs: 1e-6, per: √n }'],
  [equal, 'tolerance: { abs: 1e-6, per: n² }'],
  [equal, 'tolerance: { abs: 1e-3, per: 1 / n }'],
  [equal, 'tolerance: { abs: 1, per: n }'],
  ['Σ_i D(x)_i ≈ 2·(Σ_i x_i)', 'tolerance: { abs: 2e-5, per: n }'],
  ['|D(x)_i - 2·x_i| ≤ 1e-6·n'],
  ['D(x)_i ≤ 2·x_i + 1e-6·n ∧ D(x)_i ≥ 2·x_i - 1e-6·n'],
  ['|D(-x)_i + D(x)_i| ≤ 1e-6·n'],
  ['|Σ_i D(x)_i| ≤ 200·n'],
  // Said of few sizes only, where it is strict.
  ['n ≤ 4 ⟹ |D(x)_i - 2·x_i| ≤ 1e-2·n⁴'],
  ['D(x) ≈ D_ref(x) when n ≤ 4', 'tolerance: { abs: 1e-2, per: n^4 }'],
];

let claims: readonly ClaimReport[] = [];
beforeAll(async () => {
  claims = (await audited('double-v1', doublingContract([...hollow, ...honest]), [doublingKernel], 500)).claims;
});

const shown = (at: number): unknown => [claims[at]?.verdict, claims[at]?.reason ?? null];

describe('a tolerance that accepts anything at some sizes is hollow', () => {
  it.each(hollow.map(([formal, more = ''], at) => [`${formal} ${more}`, at] as const))('%s', (_, at) => {
    expect(shown(at)).toEqual([
      'vacuous',
      expect.stringMatching(
        /^at n = \d+, where its tolerance allows most, wrong kernels pass that it catches at other/,
      ),
    ]);
  });
});

describe('a tolerance that grows and stays strict is not', () => {
  it.each(honest.map(([formal, more = ''], at) => [`${formal} ${more}`, at] as const))('%s', (_, at) => {
    expect(shown(hollow.length + at)).toEqual(['tested', null]);
  });
});

describe('the sizes at which most is allowed', () => {
  const n = name('n');
  const falling = call('divide', numeral(1), n);
  const middle = call('multiply', n, call('subtract', numeral(8), n));

  interface Asked {
    /** Sizes at which a wrong kernel is caught. */
    readonly caughtAt?: (n: number) => boolean;
    readonly goal?: Partial<TrialGoal>;
    readonly attempts?: readonly string[];
    /** Whether the premise of the claim holds at these sizes. */
    readonly premise?: (n: number) => boolean;
    /** Whether a case at these sizes is judged at all. */
    readonly judged?: (n: number) => boolean;
  }

  /** The rows of a claim over n = 1 … 8, and the sizes at which wrong kernels were tried, in order. */
  async function looked(
    sizeTolerances: TrialGoal['sizeTolerances'],
    { caughtAt = () => true, goal = {}, attempts = ['zero'], premise = () => true, judged = () => true }: Asked = {},
  ) {
    const tried: string[] = [];
    const one: TrialGoal = {
      goal: goalOf({ domain: domain([size('n', 1, 8)], [input('x', ['n'])]) }),
      compiled: sumsToOne({
        check: (sizes, _values, _outputs, report) => {
          report.premise = premise(sizes[0] ?? 0);
          return true;
        },
      }),
      source: 'obligation',
      statistics: [],
      asksFiniteness: false,
      sizeTolerances,
      ...goal,
    };
    const rows = await lookWhereMostIsAllowed(
      one,
      { seed: 1, cases: 400 },
      attempts.map((mutant) => ({
        mutant,
        isCaughtBy: (pinned) => {
          const [{ minimum, maximum } = { minimum: 0, maximum: 1 }] = pinned.goal.domain.sizes;
          expect([maximum, pinned.recorded]).toEqual([minimum, null]);
          tried.push(`${mutant} at ${minimum}`);
          if (judged(minimum)) pinned.compiled.check([minimum], [], [], emptyOutcome().report);
          return Promise.resolve(caughtAt(minimum));
        },
      })),
    );
    return { rows, tried };
  }
  const row = (at: number, caught: string | null) => ({ goal: goalOf().id, sizes: { n: at }, caught });

  it('are looked at, with the wrong kernel that is caught there', async () => {
    expect(await looked([n])).toEqual({ rows: [row(8, 'zero')], tried: ['zero at 8'] });
    expect(await looked([falling])).toEqual({ rows: [row(1, 'zero')], tried: ['zero at 1'] });
    expect((await looked([middle])).rows).toEqual([row(4, 'zero')]);
    expect((await looked([call('negate', n)])).rows).toEqual([row(8, 'zero')]);
  });

  it('are looked at for each part of the tolerance, and once where parts agree', async () => {
    expect((await looked([n, falling])).rows).toEqual([row(8, 'zero'), row(1, 'zero')]);
    expect((await looked([n, call('multiply', n, n)])).rows).toEqual([row(8, 'zero')]);
    expect(await looked([])).toEqual({ rows: [], tried: [] });
  });

  it('are looked at with one wrong kernel after another, until one is caught', async () => {
    const attempts = ['a', 'b', 'c'];
    expect(await looked([n], { attempts, caughtAt: () => false })).toEqual({
      rows: [row(8, null)],
      tried: ['a at 8', 'b at 8', 'c at 8'],
    });
    let tries = 0;
    expect(await looked([n], { attempts, caughtAt: () => ++tries === 2 })).toEqual({
      rows: [row(8, 'b')],
      tried: ['a at 8', 'b at 8'],
    });
  });

  it('are not those at which no premise holds, or no case lies inside the domain', async () => {
    const small = { caughtAt: (at: number) => at <= 3 };
    const { rows, tried } = await looked([n], { ...small, premise: (at) => at <= 3 });
    expect(rows).toEqual([row(3, 'zero')]);
    expect(tried).toEqual(['zero at 8', 'zero at 7', 'zero at 6', 'zero at 5', 'zero at 4', 'zero at 3']);
    expect((await looked([n], { ...small, judged: (at) => at <= 3 })).rows).toEqual([row(3, 'zero')]);
    expect((await looked([n], { caughtAt: () => false, judged: () => false })).rows).toEqual([]);
    // Statistics judge no single case.
    const statistical = { statistics: [{ comparisons: [], random: [], draws: 1, settings: 1, alpha: 0.1 }] };
    expect((await looked([n], { goal: statistical, caughtAt: () => false, judged: () => false })).rows).toEqual([
      row(8, null),
    ]);
  });

  it('begin with those at which the tolerance has no value', async () => {
    const gap = call('divide', numeral(0), call('subtract', n, numeral(3)));
    expect((await looked([gap])).rows).toEqual([row(3, 'zero')]);
  });

  it('of a test are those of its inputs', async () => {
    const given = [2, 5, 4].map((length) => ({ sizes: [length], values: [Array.from({ length }, () => 0)] }));
    const goal = { goal: goalOf({ domain: domain([size('n', 1, 8)], [input('x', ['n'])]), given }) };
    expect((await looked([n], { goal })).rows).toEqual([row(5, 'zero')]);
    expect((await looked([falling], { goal })).rows).toEqual([row(2, 'zero')]);
  });

  it('do not exist where the domain has no input', async () => {
    const goal = { goal: goalOf({ domain: domain([size('n', 3, 2)], []) }) };
    expect((await looked([n], { goal })).rows).toEqual([]);
  });
});
