/** The inputs of a claim as a numbered list: how many there are, which is which, and when there are too many. */
import { describe, expect, it } from 'vitest';
import { invariant } from '../../../../src/base/invariant.ts';
import type { Goal } from '../../../../src/contract/goal.ts';
import type { Domain } from '../../../../src/math/domain.ts';
import { INTEGER } from '../../../../src/math/term/term.ts';
import {
  caseAt,
  digitsAt,
  mayExclude,
  spaceOf,
  stageAt,
  type Space,
} from '../../../../src/methods/bounded/exhaustive/space.ts';
import { planOf } from '../../../plan/projects.ts';
import { call, closed, domain, input, name, numeral, size } from '../../../runtime/domains.ts';
import { exhaustiveCheck } from './half-goals.ts';

/** A claim that runs no kernel, about the inputs of `of`. */
async function goalOn(of: Domain, more: Partial<Goal> = {}): Promise<Goal> {
  const { work } = await exhaustiveCheck({ formal: 'D(x)_i ≤ 1e9' });
  invariant(work.kind === 'bounded', 'it is a proof');
  return { ...work.goal, applications: [], equations: [], domain: of, ...more };
}

const digit = { element: INTEGER, lower: closed(0), upper: closed(9) } as const;
/** `x ∈ {0 … 9}^n` and `c ∈ {1, 2, 3}`. */
const few = domain(
  [size('n', 0, 2)],
  [input('x', ['n'], digit), input('c', [], { element: INTEGER, choices: [1, 2, 3].map(numeral) })],
);

async function spaceAt(of: Domain, sizes: readonly (readonly number[])[], complete = true) {
  return spaceOf({ goal: await goalOn(of), subjects: [], sizes, complete });
}

async function known(of: Domain, sizes: readonly (readonly number[])[]): Promise<Space> {
  const space = await spaceAt(of, sizes);
  invariant(space.ok, space.ok ? '' : space.error);
  return space.value;
}

describe('the inputs at each choice of sizes', () => {
  it('follow one another, scalars change slowest and the last element fastest', async () => {
    const space = await known(few, [[0], [1], [2]]);
    expect(space).toMatchObject({ elementwise: false, count: 3 + 30 + 300, scope: 'all 333 inputs' });
    expect(space.stages.map(({ sizes, from, count }) => [sizes[0], from, count])).toEqual([
      [0, 0, 3],
      [1, 3, 30],
      [2, 33, 300],
    ]);
    const at = (position: number): unknown => caseAt(space, position);
    expect(at(0)).toEqual({ sizes: [0], values: [new Int32Array(0), 1] });
    expect(at(2)).toEqual({ sizes: [0], values: [new Int32Array(0), 3] });
    expect(at(3)).toEqual({ sizes: [1], values: [Int32Array.of(0), 1] });
    expect(at(32)).toEqual({ sizes: [1], values: [Int32Array.of(9), 3] });
    expect(at(33 + 100 + 47)).toEqual({ sizes: [2], values: [Int32Array.of(4, 7), 2] });
    expect(at(332)).toEqual({ sizes: [2], values: [Int32Array.of(9, 9), 3] });
    for (const outside of [-1, 333]) expect([at(outside), stageAt(space, outside)]).toEqual([null, null]);
  });

  it('are each in the stage that begins before them', async () => {
    const space = await known(few, [[1], [2]]);
    expect([0, 29, 30, 329].map((position) => stageAt(space, position)?.sizes)).toEqual([[1], [1], [2], [2]]);
    const [, second] = space.stages;
    invariant(second, 'there are two');
    expect(digitsAt(second, 30 + 247)).toEqual([2, 4, 7]);
  });

  it('of one element each, where elements do not depend on one another, are those of the smallest vector that has any', async () => {
    const { work } = await exhaustiveCheck({ formal: 'D(x)_i ≤ 1e9', domain: 'x ∈ ℤ^n, 0 ≤ n ≤ 8, 0 ≤ x_i ≤ 9' });
    invariant(work.kind === 'bounded', 'it is a proof');
    const { goal, subjects } = work;
    const space = spaceOf({ goal, subjects, sizes: [[0], [2], [5]], complete: false });
    invariant(space.ok, 'elements are few');
    expect(space.value).toMatchObject({
      elementwise: true,
      count: 10,
      scope: 'all 10 inputs, for every n (output i depends on input i alone)',
    });
    expect(caseAt(space.value, 7)).toEqual({ sizes: [2], values: [Int32Array.of(7, 7)] });
    expect(spaceOf({ goal, subjects, sizes: [[0]], complete: false })).toEqual({
      ok: false,
      error: 'not every choice of sizes can be run, and there is none',
    });
  });
});

describe('a space is refused', () => {
  const errorOf = async (
    of: Domain,
    sizes: readonly (readonly number[])[],
    complete = true,
  ): Promise<string | null> => {
    const space = await spaceAt(of, sizes, complete);
    return space.ok ? null : space.error;
  };
  const vector = (extra: Parameters<typeof input>[2]): Domain =>
    domain([size('n', 1, 9000)], [input('x', ['n'], extra)]);

  it('over the reals, beyond the numbers of kernels, and of plain functions', async () => {
    const refused = async (goal: Goal): Promise<unknown> =>
      spaceOf({ goal, subjects: [], sizes: [[1]], complete: true });
    expect(await refused(await goalOn(few, { overReals: { equations: [] } }))).toMatchObject({
      error: 'a claim over the reals has infinitely many inputs',
    });
    const unbounded = domain([size('n', 1, 2)], [input('k', [], { element: INTEGER })]);
    expect(await refused(await goalOn(unbounded))).toMatchObject({
      error: 'a claim about the mathematics alone has inputs beyond the numbers of kernels, and they have no end',
    });
    const plan = await planOf(
      {
        'p-v1': `metadata: { version: "1.0.0", description: Plain }
equations:
  p: { formula: "p(x) = x", domain: "x ∈ F16" }
proof_obligations:
  - { id: P-1, type: bound, property: p, formal: "p(x) ≤ 1e9" }
kani_harnesses:
  - { id: KANI-1, obligation: P-1, strategy: exhaustive, bound: 1 }
`,
      },
      [{ contract: 'p-v1', equation: 'p', text: 'export function kernel(x: number): number { return x; }' }],
    );
    const work = plan.checks.map((check) => check.work).find(({ kind }) => kind === 'bounded');
    invariant(work?.kind === 'bounded', 'it is a proof');
    expect(spaceOf({ goal: work.goal, subjects: work.subjects, sizes: [[]], complete: true })).toMatchObject({
      error: 'p is bound to a plain function, whose arithmetic need not be that of float32',
    });
  });

  it('where not every choice of sizes is given, unless elements are enough', async () => {
    expect(await errorOf(few, [[1]], false)).toBe(
      'not every choice of sizes can be run, and it compares elements of different indices, or counts them',
    );
    expect(await errorOf(few, [[1]])).toBeNull();
  });

  it('with more than 2^33 inputs, and says how many there are', async () => {
    const bits = vector({ element: INTEGER, lower: closed(0), upper: closed(1) });
    expect(await errorOf(bits, [[33]])).toBeNull();
    expect(await errorOf(bits, [[34]])).toMatch(/^there are 2\^34 inputs, and at most 2\^33 are run/u);
    expect(await errorOf(bits, [[33], [1]])).toMatch(/^there are 8589934594 inputs/u);
    expect(await errorOf(bits, [[64]])).toMatch(/^there are 2\^64 inputs/u);
    expect(await errorOf(bits, [[63], [1]])).toMatch(/^there are 9223372036854775810 inputs/u);
    expect(await errorOf(bits, [[64], [1]])).toMatch(/^there are more than 2\^64 inputs/u);
  });

  it('with more than 4096 elements, even if each has one value', async () => {
    const one = vector({ choices: [numeral(1)] });
    expect(await errorOf(one, [[4096]])).toBeNull();
    expect(await errorOf(one, [[4097]])).toBe('there are more than 4096 elements, each with values of its own');
    expect(await errorOf(one, [[2 ** 33 + 1]])).toBe('x has 8589934593 elements');
  });

  it('with a shape that no tensor has, or values that cannot be counted', async () => {
    const shrinking = domain([size('n', 1, 4)], [input('x', [call('subtract', name('n'), numeral(2))], digit)]);
    expect(await errorOf(shrinking, [[1]])).toBe('a shape is not a natural number');
    expect(await errorOf(shrinking, [[3]])).toBeNull();
    expect(await errorOf(domain([], [input('k', [], { element: INTEGER, upper: closed(3) })]), [[]])).toMatch(
      /k is an integer without bounds|beyond the numbers/u,
    );
  });
});

describe('positions may hold inputs that the domain excludes', () => {
  it.each<[string, Domain, boolean]>([
    ['no', few, false],
    ['an excluded value', domain([], [input('c', [], { excluded: [numeral(2)] })]), true],
    ['a precondition', domain([], [input('c', [])], [call('less', numeral(0), name('c'))]), true],
  ])('%s', (_, of, expected) => {
    expect(mayExclude({ domain: of })).toBe(expected);
  });
});
