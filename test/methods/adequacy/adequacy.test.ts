import { describe, expect, it } from 'vitest';
import { integer } from '../../../src/math/term/build.ts';
import type { OpenKernel } from '../../../src/backends/backend.ts';
import type { CompiledGoal } from '../../../src/math/compile/compiled.ts';
import { runAdequacy, type AdequacyRequest, type WrongKernel } from '../../../src/methods/adequacy/adequacy.ts';
import { saboteursFor } from '../../../src/methods/wrong-kernels/saboteurs.ts';
import { name } from '../../runtime/domains.ts';
import { goalOf, openKernel, softmax, sumsToOne, toCall, vectorOf } from '../softmax-goal.ts';

const wrong = (id: string, kernel: OpenKernel | null, description: string | null = null): WrongKernel => ({
  id,
  description,
  calledAs: 'kernel',
  exchanges: null,
  open: () => Promise.resolve(kernel),
});

const goal = goalOf({ cases: 200 });
const [application] = goal.applications;
const request = (more: Partial<AdequacyRequest> = {}): AdequacyRequest => {
  if (!application) throw new Error('the goal runs a kernel');
  return {
    equation: 'softmax',
    goals: [
      {
        goal,
        compiled: sumsToOne({}, 8),
        source: 'obligation',
        statistics: [],
        asksFiniteness: false,
        sizeTolerances: [],
      },
    ],
    original: openKernel(softmax),
    others: new Map(),
    toCall,
    reference: null,
    toEquationCall: toCall,
    wrong: [],
    equivalent: new Map(),
    seed: 1,
    cases: 200,
    application,
    parameters: ['x'],
    domain: goal.domain,
    precondition: () => true,
    ...more,
  };
};

describe('adequacy', () => {
  it('names the claims that catch a wrong kernel', async () => {
    const zero = openKernel((x) => new Float32Array(x.length));
    expect(await runAdequacy(request({ wrong: [wrong('zero', zero, 'every output is 0')] }))).toEqual({
      mutants: [
        {
          mutant: 'zero (every output is 0)',
          killedBy: [goal.id],
          killedByOrdinary: [goal.id],
          equivalent: null,
          separatingInput: null,
          separatingOutputs: null,
        },
      ],
      mostAllowed: [],
      stopped: false,
    });
  });

  it('tries on all cases what no claim catches at the first look', async () => {
    let calls = 0;
    const late = openKernel((x) => ((calls += 1) > 150 ? new Float32Array(x.length) : softmax(x)));
    const { mutants } = await runAdequacy(request({ wrong: [wrong('late', late)] }));
    expect(mutants).toMatchObject([{ mutant: 'late', killedBy: [goal.id] }]);
  });

  it('tries a claim that catches nothing at the first look on all cases', async () => {
    const zero = openKernel((x) => new Float32Array(x.length));
    const [first] = request().goals;
    if (!first) throw new Error('the request has a goal');
    let checks = 0;
    const { check } = first.compiled;
    // The first look has 100 cases, so only a look on all of them comes to the 151st check.
    const lateCheck: typeof check = (...args) => ((checks += 1) <= 150 ? true : check(...args));
    const late = { ...first, goal: { ...goal, id: 'late' }, compiled: { ...first.compiled, check: lateCheck } };
    const { mutants } = await runAdequacy(request({ goals: [first, late], wrong: [wrong('zero', zero)] }));
    expect(mutants).toMatchObject([{ killedBy: [goal.id, 'late'], killedByOrdinary: [goal.id, 'late'] }]);
  });

  it('visits no case twice, and does not run the correct kernel again for a wrong one derived from it', async () => {
    const counted = (): { readonly kernel: OpenKernel; readonly calls: () => number } => {
      let calls = 0;
      return { kernel: openKernel((x) => ((calls += 1), softmax(x))), calls: () => calls };
    };
    const original = counted();
    const made = saboteursFor({ parameters: [{ name: 'x', rank: 1, integer: false }], outputRank: 1, inputs: [] });
    const saboteurs = made
      .filter(({ id }) => ['saboteur:negated', 'saboteur:scaled 2'].includes(id))
      .map(({ id, wrap }) => ({ ...wrong(id, null), open: (right: OpenKernel) => Promise.resolve(wrap(right)) }));
    const { mutants } = await runAdequacy(request({ original: original.kernel, wrong: saboteurs }));
    expect(mutants).toMatchObject([{ killedBy: [goal.id] }, { killedBy: [goal.id] }]);
    expect(original.calls()).toBe(200);
    const survivor = counted();
    await runAdequacy(request({ wrong: [wrong('same', survivor.kernel)] }));
    const comparedWithTheRightOne = 512;
    expect(survivor.calls()).toBe(200 + comparedWithTheRightOne);
  });

  it('separates a survivor from the correct kernel by an input', async () => {
    const reversed = openKernel((x) => softmax(x).reverse());
    const { mutants } = await runAdequacy(request({ wrong: [wrong('reversed', reversed)] }));
    expect(mutants).toMatchObject([
      { mutant: 'reversed', killedBy: [], separatingInput: { values: { x: { text: expect.stringContaining(',') } } } },
    ]);
    const same = await runAdequacy(request({ wrong: [wrong('same', openKernel(softmax))] }));
    expect(same.mutants).toMatchObject([{ killedBy: [], separatingInput: null }]);
  });

  it('does not count kernels that cannot be opened, throw, or return another shape', async () => {
    const throws = openKernel(() => ({ ok: false, failure: { kind: 'threw', message: 'no' } }));
    const longer = openKernel((x) => ({
      ok: false,
      failure: { kind: 'wrong-shape', expected: [x.length], actual: 'more' },
    }));
    const { mutants } = await runAdequacy(
      request({ wrong: [wrong('absent', null), wrong('throws', throws), wrong('longer', longer)] }),
    );
    expect(mutants).toEqual([]);
  });

  it('does not count an exchange of tensors that no size makes equally long', async () => {
    const [x] = goal.domain.variables;
    if (!x) throw new Error('the goal has an input');
    const of = (name: string, length: number): typeof x => ({ ...x, name, shape: [integer(length)] });
    const exchange = (length: number): Partial<AdequacyRequest> => ({
      parameters: ['a', 'b'],
      domain: { ...goal.domain, variables: [...goal.domain.variables, of('a', 12), of('b', length)] },
      wrong: [
        {
          ...wrong(
            'a ↔ b',
            openKernel((y) => new Float32Array(y.length)),
          ),
          exchanges: [0, 1],
        },
      ],
    });
    expect((await runAdequacy(request(exchange(128)))).mutants).toEqual([]);
    expect((await runAdequacy(request(exchange(12)))).mutants).toMatchObject([
      { mutant: 'a ↔ b', killedBy: [goal.id] },
    ]);
  });

  it.each(['same', 'same (it is)'])('takes the author’s reason for %j', async (name) => {
    const equivalent = new Map([[name, 'they are equal']]);
    const { mutants } = await runAdequacy(
      request({ equivalent, wrong: [wrong('same', openKernel(softmax), 'it is')] }),
    );
    expect(mutants).toMatchObject([{ mutant: 'same (it is)', equivalent: 'they are equal' }]);
  });

  it('says nothing about what its time was too short for', async () => {
    let asked = 0;
    const slow = openKernel(softmax);
    const outcome = await runAdequacy(
      request({ wrong: [wrong('first', slow), wrong('second', slow)], expired: () => asked++ > 1 }),
    );
    expect(outcome).toEqual({ mutants: [], mostAllowed: [], stopped: true });
  });
});

describe('a wrong kernel that no claim catches', () => {
  const constant = (value: number): OpenKernel => openKernel((x) => x.map(() => value));
  /** Claims of nothing. */
  const silent = (more: Partial<AdequacyRequest> = {}): AdequacyRequest => {
    const own = request(more);
    return {
      ...own,
      goals: own.goals.map((one) => ({ ...one, compiled: sumsToOne({ check: () => true }) })),
    };
  };

  it('is not a mutant where its text reads outside of an array, unless it is declared equivalent', async () => {
    const outside = { ...wrong('outside', constant(2)), readsOutside: () => true };
    expect((await runAdequacy(silent({ wrong: [outside] }))).mutants).toEqual([]);
    const inside = { ...outside, readsOutside: () => false };
    expect((await runAdequacy(silent({ wrong: [inside] }))).mutants).toMatchObject([{ killedBy: [] }]);
    const same = { ...wrong('outside', openKernel(softmax)), readsOutside: () => true };
    const equivalent = new Map([['outside', 'it reads what is never used']]);
    expect((await runAdequacy(silent({ wrong: [same], equivalent }))).mutants).toMatchObject([
      { mutant: 'outside', equivalent: 'it reads what is never used' },
    ]);
  });

  it('is not a mutant where it fails on an input that the correct one accepts', async () => {
    const failing = openKernel((x) =>
      x.length > 90 ? { ok: false, failure: { kind: 'threw', message: 'outside' } } : softmax(x),
    );
    // Its cases end before; the inputs that are compared do not.
    const few = domainOf(1, 80);
    expect((await runAdequacy(silent({ wrong: [wrong('w', failing)], ...few }))).mutants).toEqual([]);
  });

  it('is not believed to be equivalent where its outputs plainly differ', async () => {
    const equivalent = new Map([['twos', 'nobody looks']]);
    expect((await runAdequacy(silent({ wrong: [wrong('twos', constant(2))], equivalent }))).mutants).toMatchObject([
      { mutant: 'twos', equivalent: null, killedBy: [] },
    ]);
    const nearly = openKernel((x) => softmax(x).map((p) => p * (1 + 2 ** -20)));
    expect((await runAdequacy(silent({ wrong: [wrong('twos', nearly)], equivalent }))).mutants).toMatchObject([
      { equivalent: 'nobody looks' },
    ]);
    // One input in twenty may differ by cancellation.
    const shareOf = async (compared: number) => {
      let [asked, calls] = [0, 0];
      const late = openKernel((x) => (++calls === 201 ? x.map(() => 2) : softmax(x)));
      const { mutants } = await runAdequacy(
        silent({ wrong: [wrong('twos', late)], equivalent, precondition: () => asked++ < compared }),
      );
      return mutants[0]?.equivalent;
    };
    expect([await shareOf(20), await shareOf(19)]).toEqual(['nobody looks', null]);
    // A generic one is right only where it gives the same.
    const saboteur = async (kernel: OpenKernel) => {
      const declared = new Map([['saboteur:s', 'it is']]);
      const { mutants } = await runAdequacy(silent({ wrong: [wrong('saboteur:s', kernel)], equivalent: declared }));
      return mutants[0]?.equivalent;
    };
    expect([await saboteur(nearly), await saboteur(openKernel(softmax))]).toEqual([null, 'it is']);
  });

  it('is called as the equation is, where it replaces the equation', async () => {
    const calls = new Set<number>();
    const counting = openKernel((x, { shapes }) => (calls.add(shapes.length), softmax(x)));
    const equation: WrongKernel = { ...wrong('equation', counting), calledAs: 'equation' };
    const toEquationCall: AdequacyRequest['toEquationCall'] = (...asked) => ({
      ...toCall(...asked),
      shapes: [[1], [2]],
    });
    await runAdequacy(silent({ wrong: [equation], toEquationCall }));
    expect([...calls]).toEqual([2]);
    calls.clear();
    await runAdequacy(silent({ wrong: [wrong('kernel', counting)], toEquationCall }));
    expect([...calls]).toEqual([1]);
  });

  it('is compared with the equation, and not with a kernel that is wrong itself', async () => {
    const of = (reference: OpenKernel | null) =>
      runAdequacy(silent({ original: constant(3), reference, wrong: [wrong('one', constant(1))] }));
    const { mutants } = await of(constant(2));
    expect(mutants[0]?.separatingOutputs).toEqual({ right: '[2]', wrong: '[1]', kernel: '[3]' });
    expect((await of(null)).mutants[0]?.separatingOutputs).toEqual({ right: null, wrong: '[1]', kernel: '[3]' });
  });
});

/** A goal whose sizes begin and end so, within a domain as it was. */
function domainOf(minimum: number, maximum: number): Pick<AdequacyRequest, 'goals'> {
  const [first] = request().goals;
  const [size] = goal.domain.sizes;
  if (!first || !size) throw new Error('the request has a goal');
  const narrow = { ...goal.domain, sizes: [{ ...size, minimum, maximum }] };
  return { goals: [{ ...first, goal: { ...goal, domain: narrow } }] };
}

describe('what only extremes break', () => {
  const [first] = request().goals;
  if (!first) throw new Error('the request has a goal');
  const positive = (asksFiniteness: boolean): AdequacyRequest['goals'] => [
    {
      ...first,
      asksFiniteness,
      compiled: sumsToOne({ check: (_sizes, _values, outputs) => vectorOf(outputs).every((y) => y >= 0) }),
    },
  ];
  /** Infinite on long vectors, and negative on a few of those that are not among the first cases. */
  const runaway = (small: number): OpenKernel =>
    openKernel((x) => (x.length > 200 ? x.map(() => -Infinity) : x.length < small ? x.map(() => -0.5) : softmax(x)));

  it('is looked at on all cases for an ordinary output that breaks the claim, too', async () => {
    const found = await runAdequacy(request({ goals: positive(false), wrong: [wrong('w', runaway(50))] }));
    expect(found.mutants).toMatchObject([{ killedBy: [goal.id], killedByOrdinary: [goal.id] }]);
    const never = await runAdequacy(request({ goals: positive(false), wrong: [wrong('w', runaway(0))] }));
    expect(never.mutants).toMatchObject([{ killedBy: [goal.id], killedByOrdinary: [] }]);
  });

  it('is enough where the claim requires finiteness', async () => {
    let opened = 0;
    const counted = {
      ...wrong('w', null),
      open: () => {
        opened++;
        return Promise.resolve(runaway(0));
      },
    };
    await runAdequacy(request({ goals: positive(true), wrong: [counted] }));
    expect(opened).toBe(1);
    opened = 0;
    await runAdequacy(request({ goals: positive(false), wrong: [counted] }));
    expect(opened).toBe(2);
  });
});

describe('a tolerance that depends on sizes', () => {
  const [first] = request().goals;
  if (!first) throw new Error('the request has a goal');
  const zero = openKernel((x) => new Float32Array(x.length));
  const rowsOf = async (
    check: CompiledGoal['check'],
    more: Partial<AdequacyRequest> = {},
    one: Partial<AdequacyRequest['goals'][number]> = {},
  ) => {
    const own = { ...first, compiled: sumsToOne({ check }), sizeTolerances: [name('n')], ...one };
    const { mostAllowed } = await runAdequacy(
      request({ goals: [own], wrong: [wrong('saboteur:zero', zero)], ...more }),
    );
    return mostAllowed.map(({ sizes, caught }) => [sizes['n'] === 512 ? 'largest' : sizes['n'], caught]);
  };
  const sum = (outputs: Parameters<typeof vectorOf>[0]): number => vectorOf(outputs).reduce((a, b) => a + b, 0);

  it('is tried where it allows most on what the claim has caught: zeros, where it has caught those', async () => {
    expect(await rowsOf((_sizes, _values, outputs) => sum(outputs) > 0.5)).toEqual([['largest', 'saboteur:zero']]);
    expect(await rowsOf(([n], _values, outputs) => (n ?? 0) > 100 || sum(outputs) > 0.5)).toEqual([['largest', null]]);
    const negated = wrong(
      'negated',
      openKernel((x) => softmax(x).map((p) => -p)),
    );
    const both = { wrong: [negated, wrong('saboteur:zero', zero)] };
    expect(await rowsOf((_sizes, _values, outputs) => sum(outputs) > 0.5, both)).toEqual([
      ['largest', 'saboteur:zero'],
    ]);
    expect(await rowsOf((_sizes, _values, outputs) => sum(outputs) >= 0, both)).toEqual([['largest', 'negated']]);
  });

  it('is not tried on what the claim has not caught, or what is declared equivalent', async () => {
    expect(await rowsOf(() => true)).toEqual([]);
    const tiny = wrong(
      'tiny',
      openKernel((x) => softmax(x).map((p) => p * 0.9999)),
    );
    const strict: CompiledGoal['check'] = (_sizes, _values, outputs) => Math.abs(sum(outputs) - 1) < 5e-5;
    expect(await rowsOf(strict, { wrong: [tiny] })).toEqual([['largest', 'tiny']]);
    expect(await rowsOf(strict, { wrong: [tiny], equivalent: new Map([['tiny', 'it is']]) })).toEqual([]);
  });

  it('is not tried on extremes, unless the claim requires finiteness', async () => {
    const infinite = {
      wrong: [
        wrong(
          'infinite',
          openKernel((x) => x.map(() => Infinity)),
        ),
      ],
    };
    const finite: CompiledGoal['check'] = (_sizes, _values, outputs) => Number.isFinite(sum(outputs));
    expect(await rowsOf(finite, infinite)).toEqual([]);
    expect(await rowsOf(finite, infinite, { asksFiniteness: true })).toEqual([['largest', 'infinite']]);
  });
});
