/**
 * What an engine or a corner of the domain describes, on the real kernel: replay.ts, fault.ts and assumptions.ts.
 *
 * Holds src/methods/bounded/assumptions.ts, src/methods/bounded/fault.ts.
 */
import { describe, expect, it } from 'vitest';
import type { Model } from '../../../src/bounded-proofs/engines/engine.ts';
import type { ProofInstance, ProofVariable } from '../../../src/bounded-proofs/problem.ts';
import { doubtAboutAssumed, inputNumbers } from '../../../src/methods/bounded/assumptions.ts';
import { cornersOf, faultAt } from '../../../src/methods/bounded/fault.ts';
import { inputOf, replayModel } from '../../../src/methods/bounded/replay.ts';
import type { SampledGoal } from '../../../src/methods/bounded/sample.ts';
import { invariant } from '../../../src/base/invariant.ts';
import { fraction } from '../../../src/numeric/rational.ts';
import { closed, domain, input, size } from '../../runtime/domains.ts';
import { goalOf, kernels, softmax, sumsToOne, toCall } from '../softmax-goal.ts';
import { doubles, graph, halfRequest, halves, holds, instanceOf, x } from './half-request.ts';

const at = (value: number): Model => new Map([['x[0]', value]]);

describe('a model', () => {
  it('is a counterexample where the kernel breaks the claim', async () => {
    const { request } = await halfRequest(doubles);
    const found = await replayModel(request, { n: 1 }, at(75));
    expect(found?.outputs[0]).toMatch(/^\[\d/u);
    expect(found?.explanation).toMatch(/^h\(x\)_i ≤ 50: left = 5\d/u);
    expect(await replayModel(request, { n: 1 }, at(3))).toBeNull();
    expect(await replayModel((await halfRequest(halves)).request, { n: 1 }, at(75))).toBeNull();
  });

  it('does not exist where no kernel is open, or it is not an input', async () => {
    const { request } = await halfRequest(doubles);
    expect(await replayModel({ ...request, kernels: new Map() }, { n: 1 }, at(75))).toBeNull();
    for (const outside of [at(101), at(Number.NaN), new Map()])
      expect(await replayModel(request, { n: 1 }, outside)).toBeNull();
    expect(await replayModel(request, {}, at(75))).toBeNull();
  });

  it('is left as it is once no time is left', async () => {
    const { request } = await halfRequest(doubles);
    const found = await replayModel({ ...request, expired: () => true }, { n: 1 }, at(75));
    expect(found).toMatchObject({ shrinks: 0, input: { values: { x: { text: '[75]' } } } });
  });
});

describe('the input that a model describes', () => {
  const goal = goalOf({
    domain: domain(
      [size('m', 1, 3), size('n', 1, 3)],
      [input('A', ['m', 'n']), input('x', ['n']), input('c', [], { lower: closed(0), upper: closed(9) })],
    ),
  });
  const of = (entries: Readonly<Record<string, number>>, sizes = { m: 2, n: 2 }) =>
    inputOf({ goal }, sizes, new Map(Object.entries(entries)))?.candidate ?? null;
  const numbers = { 'A[0,0]': 1, 'A[0,1]': 2, 'A[1,0]': 3, 'A[1,1]': 4, 'x[0]': 5, 'x[1]': 6, c: 7 };

  it('has its numbers by name, in the order of the tensor', () => {
    expect(of(numbers)).toEqual({ sizes: [2, 2], values: [Float32Array.of(1, 2, 3, 4), Float32Array.of(5, 6), 7] });
  });

  it('has 0 where the model says nothing', () => {
    expect(of({ 'A[1,0]': 3, 'x[1]': 6 })).toEqual({
      sizes: [2, 2],
      values: [Float32Array.of(0, 0, 3, 0), Float32Array.of(0, 6), 0],
    });
  });

  it('does not exist where the domain excludes it', () => {
    expect(of({ ...numbers, c: 10 })).toBeNull();
    expect(of(numbers, { m: 4, n: 2 })).toBeNull();
  });
});

describe('a condition of the code', () => {
  const condition = graph.less(graph.absolute(x), graph.integer(100));

  it('fails at an input as text, and only at inputs of the domain where it is false', async () => {
    const { request } = await halfRequest(halves);
    const instance = instanceOf(holds);
    expect(faultAt(request, instance, condition, at(100))).toBe('x = [100]');
    expect(faultAt(request, instance, condition, at(99))).toBeNull();
    expect(faultAt(request, instance, condition, at(101))).toBeNull();
    const compiled = { ...request.compiled, precondition: () => false };
    expect(faultAt({ ...request, compiled }, instance, condition, at(100))).toBeNull();
  });

  it('is not reported as failing if the outputs of a replaced kernel decide', async () => {
    const { request } = await halfRequest(halves);
    const instance = withOutput(instanceOf(holds));
    expect(faultAt(request, instance, condition, at(100))).toBeNull();
  });

  it('is tried where all inputs are largest, least and zero', () => {
    const instance = instanceOf(holds);
    expect(cornersOf(instance)).toEqual([at(100), at(-100), at(0)]);
    const [variable] = instance.problem.variables;
    invariant(variable, 'there is an input');
    const open: ProofVariable = { ...variable, name: 'y', low: null, high: null };
    const more = { ...instance, problem: { ...instance.problem, variables: [variable, open] } };
    expect(cornersOf(more)).toEqual([
      new Map([
        ['x[0]', 100],
        ['y', Number.MAX_VALUE],
      ]),
      new Map([
        ['x[0]', -100],
        ['y', -Number.MAX_VALUE],
      ]),
      new Map([
        ['x[0]', 0],
        ['y', 0],
      ]),
    ]);
    // What stands for an output is no input.
    expect(cornersOf(withOutput(instance)).map((corner) => [...corner.keys()])).toEqual(
      Array.from({ length: 3 }, () => ['x[0]', 'x[1]']),
    );
  });
});

/** The instance with the two outputs of softmax in place of its code. */
function withOutput(instance: ProofInstance): ProofInstance {
  const [variable] = instance.problem.variables;
  invariant(variable, 'there is an input');
  const outputs = [0, 1].map((index): ProofVariable => {
    const name = `out:0[${index}]`;
    return {
      ...variable,
      name,
      expression: graph.variable(name),
      low: fraction(0n),
      high: fraction(1n),
      standsFor: { kind: 'output', output: 'out:0', index },
    };
  });
  const second: ProofVariable = { ...variable, name: 'x[1]', expression: graph.variable('x[1]') };
  return { ...instance, problem: { ...instance.problem, variables: [variable, second, ...outputs] } };
}

describe('what is assumed about a kernel', () => {
  const first = graph.variable('out:0[0]');
  const second = graph.variable('out:0[1]');
  const sum = graph.add(first, second);
  const request: SampledGoal = {
    goal: goalOf(),
    compiled: sumsToOne({}, 8),
    kernels: kernels(softmax),
    toCall,
    seed: 1,
    expired: () => false,
  };
  const seen = { sizes: [2], values: [Float32Array.of(0, 0)], outputs: [Float32Array.of(0.25, 0.75)] };
  const doubt = (
    statements: Readonly<Record<string, ProofInstance['assumed'][number]['statement']>>,
    one: typeof seen | null = seen,
  ) =>
    doubtAboutAssumed(
      {
        goal: request.goal,
        instanceAt: (sizes) => {
          expect(sizes).toEqual([2]);
          const assumed = Object.entries(statements).map(([goal, statement]) => ({ goal, statement }));
          return { ok: true, value: withOutput(instanceOf(holds, { assumed })) };
        },
      },
      one,
    );

  it('is believed where the outputs that were seen satisfy it', () => {
    expect(doubt({ sum: graph.equal(sum, graph.integer(1)) })).toBeNull();
    expect(doubt({ order: graph.less(first, second) })).toBeNull();
    expect(doubt({})).toBeNull();
  });

  it('is in doubt where they break it, by the first that is broken', () => {
    const order = graph.less(second, first);
    expect(doubt({ sum: graph.equal(sum, graph.integer(1)), order, more: order })).toBe(
      'order is assumed about a kernel that breaks it on an input: a defect of pv, or of another run',
    );
    // An input decides as well.
    expect(doubt({ input: graph.less(graph.integer(1), x) })).toContain('input is assumed');
    // What gave no output satisfies nothing.
    expect(doubt({ sum: graph.lessEqual(graph.integer(0), sum) }, { ...seen, outputs: [] })).toContain(
      'sum is assumed',
    );
  });

  it('is in doubt where no input was run, or the sizes cannot be read', () => {
    expect(doubt({}, null)).toContain('no input was run at sizes of the proof');
    const unread = doubtAboutAssumed({ goal: request.goal, instanceAt: () => ({ ok: false, error: 'no' }) }, seen);
    expect(unread).toBe('no');
  });

  it('reads the numbers of a case by the names of the inputs', () => {
    const { variables } = withOutput(instanceOf(holds)).problem;
    expect(inputNumbers(variables, [Float32Array.of(3, 4)])).toEqual(
      new Map([
        ['x[0]', 3],
        ['x[1]', 4],
      ]),
    );
    expect(inputNumbers(variables, [3])).toEqual(
      new Map([
        ['x[0]', 3],
        ['x[1]', Number.NaN],
      ]),
    );
    expect(inputNumbers(variables, ['text', 3, 4]).get('x[0]')).toBe(3);
  });
});
