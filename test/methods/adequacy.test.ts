import { describe, expect, it } from 'vitest';
import { integer } from '../../src/math/build.ts';
import type { OpenKernel } from '../../src/backends/backend.ts';
import { runAdequacy, type AdequacyRequest, type WrongKernel } from '../../src/methods/adequacy.ts';
import { saboteursFor } from '../../src/methods/saboteurs.ts';
import { goalOf, openKernel, softmax, sumsToOne, toCall } from './softmax-goal.ts';

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

  it('looks at no case twice, and runs the right kernel on none for a wrong one that is made of it', async () => {
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

  it('tells a survivor from the right kernel by an input', async () => {
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
