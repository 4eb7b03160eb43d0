/** A look at the first cases of every claim, and at all of them where none catches the wrong kernel there. */
import { describe, expect, it } from 'vitest';
import { integer } from '../../../src/math/term/build.ts';
import type { CompiledGoal } from '../../../src/math/compile/compiled.ts';
import { FLOAT32, type Type } from '../../../src/math/term/term.ts';
import {
  firstCases,
  goalsWith,
  looksAt,
  narrowedTo,
  trialOf,
  type OpenMutant,
} from '../../../src/methods/adequacy/looks.ts';
import type { RecordedCase } from '../../../src/methods/runs/recorded-cases.ts';
import type { TrialGoal } from '../../../src/methods/adequacy/trial.ts';
import { domain, input, name, size } from '../../runtime/domains.ts';
import { goalOf, openKernel, sumsToOne, toCall, vectorOf } from '../softmax-goal.ts';

function goalNamed(id: string, check: CompiledGoal['check'], more: Partial<TrialGoal> = {}): TrialGoal {
  return {
    goal: { ...goalOf(), id },
    compiled: sumsToOne({ check }),
    source: 'obligation',
    statistics: [],
    asksFiniteness: false,
    sizeTolerances: [],
    ...more,
  };
}

/** True of every output up to case number `limit`. */
function until(limit: number): { readonly check: CompiledGoal['check']; readonly checks: () => number } {
  let checks = 0;
  return { check: () => ++checks <= limit, checks: () => checks };
}

const mutant: OpenMutant = {
  kernel: openKernel((x) => x.map(() => 1)),
  toCall,
  calledAs: 'kernel',
  exchanges: null,
};
const ordinary = { largest: 1, nan: false };
const request = (goals: readonly TrialGoal[], cases = 250): Parameters<typeof looksAt>[0] => ({
  equation: 'softmax',
  goals,
  others: new Map(),
  seed: 1,
  cases,
  largeOf: () => Promise.resolve(null),
});

describe('looks at a wrong kernel', () => {
  it('end after the first cases where a claim catches it there', async () => {
    const [never, soon] = [until(Infinity), until(50)];
    const looks = await looksAt(
      request([goalNamed('holds', never.check), goalNamed('soon', soon.check)]),
      mutant,
      ordinary,
    );
    expect(looks.cases).toBe(firstCases);
    expect([...looks.outcomes]).toEqual([
      ['holds', 'held'],
      ['soon', 'caught'],
    ]);
    expect([never.checks(), soon.checks()]).toEqual([firstCases, 51]);
  });

  it('are at all cases where none does', async () => {
    const [never, late] = [until(Infinity), until(firstCases + 150)];
    const looks = await looksAt(
      request([goalNamed('holds', never.check), goalNamed('late', late.check)]),
      mutant,
      ordinary,
    );
    expect(looks.cases).toBe(250);
    expect([...looks.outcomes.values()]).toEqual(['held', 'caught']);
    // The cases are drawn anew.
    expect([never.checks(), late.checks()]).toEqual([firstCases + 250, firstCases + 151]);
  });

  it('take an extreme for a catch, too', async () => {
    const extreme = { ...mutant, kernel: openKernel((x) => x.map(() => 1e9)) };
    const looks = await looksAt(request([goalNamed('g', () => false)]), extreme, ordinary);
    expect([looks.cases, ...looks.outcomes.values()]).toEqual([firstCases, 'caught by an extreme']);
  });

  it('are at no more cases than were requested', async () => {
    const few = until(Infinity);
    const looks = await looksAt(request([goalNamed('g', few.check)], 30), mutant, ordinary);
    expect([looks.cases, few.checks()]).toEqual([30, 60]);
  });

  it('do not look at a recorded case twice', async () => {
    const checks: number[] = [];
    const recorded = Array.from({ length: 250 }, (_, at): RecordedCase => {
      const x = Float32Array.of(at);
      const call = { arguments: [x], shapes: [[1]], outputShape: [1] };
      return {
        candidate: { sizes: [1], values: [x] },
        drawn: at + 1,
        runs: [
          { application: 0, calls: { kernel: call, equation: call }, outcome: { ok: true, output: x }, output: x },
        ],
        outputs: [x],
        holds: true,
      };
    });
    const check: CompiledGoal['check'] = (_sizes, values) => {
      checks.push(vectorOf(values)[0] ?? -1);
      return checks.at(-1) !== 200;
    };
    const looks = await looksAt(
      request([goalNamed('g', check, { recorded })]),
      { ...mutant, kernel: openKernel((x) => x.map(() => 0.5)) },
      ordinary,
    );
    expect([...looks.outcomes.values()]).toEqual(['caught']);
    expect(checks).toEqual(Array.from({ length: 201 }, (_, at) => at));
  });

  it('say which goals had which outcome', () => {
    const outcomes = new Map([
      ['a', 'held'],
      ['b', 'caught'],
      ['c', 'caught by an extreme'],
    ] as const);
    const looks = { cases: 1, outcomes };
    expect(goalsWith(looks, 'caught', 'caught by an extreme')).toEqual(['b', 'c']);
    expect(goalsWith(looks, 'broke')).toEqual([]);
  });

  it('run the wrong kernel in its place, and the others in theirs', () => {
    const other = openKernel((x) => x);
    const asked = request([]);
    const trial = trialOf({ ...asked, others: new Map([['other', other]]) }, mutant);
    expect([...trial.kernels]).toEqual([
      ['other', other],
      ['softmax', mutant.kernel],
    ]);
    expect(trial).toMatchObject({ equation: 'softmax', calledAs: 'kernel', seed: 1, cases: 250 });
    expect(trial).not.toHaveProperty('expired');
    const expired = (): boolean => true;
    expect(trialOf({ ...asked, expired }, mutant).expired).toBe(expired);
  });
});

describe('an exchange of two inputs', () => {
  const vector = (length: string): Type => ({ kind: 'tensor', element: FLOAT32, shape: [name(length)] });
  const inputs = domain([size('n', 1, 9), size('m', 1, 9)], [input('a', ['n']), input('b', ['m'])]);

  it('is possible on equal shapes, where there is something to be gained', () => {
    const narrowed = narrowedTo(inputs, vector('n'), vector('m'));
    expect(narrowed).not.toBeNull();
    expect(narrowed).not.toBe(inputs);
    expect(narrowedTo(inputs, vector('n'), vector('n'))).toBeNull();
    expect(narrowedTo(inputs, vector('n'), FLOAT32)).toBeNull();
    expect(narrowedTo(inputs, FLOAT32, vector('m'))).toBeNull();
    expect(narrowedTo(inputs, undefined, vector('m'))).toBeNull();
    expect(narrowedTo(inputs, vector('n'), undefined)).toBeNull();
  });

  /** The outcome of an exchange under a claim that `check` says of the sizes, with the sizes that were seen. */
  async function exchanged(check: (sizes: readonly number[]) => boolean, exchanges: OpenMutant['exchanges'] = [0, 1]) {
    const seen: (readonly number[])[] = [];
    const application = {
      output: 'o',
      equation: 'softmax',
      arguments: [{ type: vector('n') }, { type: vector('m') }],
      type: vector('n'),
    };
    const one = goalNamed('g', (sizes) => (seen.push([...sizes]), check(sizes)));
    const goal = { ...one.goal, domain: inputs, applications: [application] };
    const { outcomes } = await looksAt(request([{ ...one, goal }], 60), { ...mutant, exchanges }, ordinary);
    return { outcome: outcomes.get('g'), seen };
  }
  const areEqual = ([n, m]: readonly number[]): boolean => n === m;

  it('is looked at on equal sizes first, and on all where the claim holds of those', async () => {
    const caught = await exchanged((sizes) => !areEqual(sizes));
    expect([caught.outcome, caught.seen]).toEqual(['caught', [expect.any(Array)]]);
    expect(caught.seen.every(areEqual)).toBe(true);
    const others = await exchanged(areEqual);
    expect(others.outcome).toBe('caught');
    expect(others.seen.slice(0, 60).every(areEqual)).toBe(true);
    expect(areEqual(others.seen.at(-1) ?? [])).toBe(false);
  });

  it('is like every other mistake where no inputs are exchanged', async () => {
    const plain = await exchanged(() => true, null);
    expect(plain.outcome).toBe('held');
    expect(plain.seen.slice(0, 60).every(areEqual)).toBe(false);
  });

  it('of tensors of fixed lengths is looked at on all', () => {
    const fixed = (length: number): Type => ({ kind: 'tensor', element: FLOAT32, shape: [integer(length)] });
    expect(narrowedTo(inputs, fixed(3), fixed(3))).toBeNull();
  });
});
