/** The engine on goals as the compiler makes them: several applications, scalar inputs, premises, explanations. */
import { describe, expect, it } from 'vitest';
import * as b from '../../src/math/term/build.ts';
import { loadGoal } from '../../src/math/compile/load.ts';
import type { Domain } from '../../src/math/domain.ts';
import { FLOAT32, type Term } from '../../src/math/term/term.ts';
import { runFalsify } from '../../src/methods/falsify.ts';
import type { Application } from '../../src/contract/goal.ts';
import { runProperty, type PropertyRequest } from '../../src/methods/property.ts';
import { index, n, over, x } from '../math/equations.ts';
import { closed, domain, input, size } from '../runtime/domains.ts';
import { goalOf, kernels, softmax, toCall, vectorOf } from './softmax-goal.ts';

const c = b.variable('c', FLOAT32);
const at = (tensor: Term): Term => b.element(tensor, [index('i')]);
const shifted = b.tabulate([over('i')], b.call('add', at(x), c));
const outputs = ['out:0', 'out:1'].map((name) => b.variable(name, x.type));
const [plain = x, moved = x] = outputs.map(at);

/** σ(x + c) ≈ σ(x) within 1e-5. */
const unchanged = b.reduce('all', [over('i')], b.call('approximately', moved, plain, b.decimal('1e-5')));

function applicationOf(argument: Term, k: number): Application {
  return { output: `out:${k}`, equation: 'softmax', arguments: [argument], sizes: [n], type: x.type };
}

async function shiftRequest(predicate: Term, largestShift = 100): Promise<PropertyRequest> {
  const inputs: Domain = domain(
    [size('n', 1, 64)],
    [
      input('x', ['n'], { lower: closed(-20), upper: closed(20) }),
      input('c', [], { lower: closed(-largestShift), upper: closed(largestShift) }),
    ],
  );
  const goal = { ...goalOf({ domain: inputs }), applications: [x, shifted].map(applicationOf) };
  return {
    goal,
    compiled: await loadGoal({ ...goal, predicate }),
    kernels: kernels(softmax),
    toCall,
    seed: 7,
    cases: 1000,
  };
}

const unshifted = (v: Float32Array): Float32Array => {
  const exps = v.map((value) => Math.exp(value));
  const sum = exps.reduce((total, e) => total + e, 0);
  return exps.map((e) => e / sum);
};

describe('shift invariance', () => {
  it('holds for softmax, generated and at the edges, in both modes', async () => {
    const request = await shiftRequest(unchanged);
    const outcome = await runProperty(request);
    expect(outcome).toMatchObject({ verdict: 'tested', cases: 1000, premiseHits: 1000 });
    expect(outcome.worst?.allowed).toBeCloseTo(1e-5, 10);
    expect(await runProperty({ ...request, kernels: kernels(softmax, 'async') })).toEqual(outcome);
    expect((await runFalsify(request)).verdict).toBe('tested');
  });

  it('is refuted where exp overflows, with one element and a readable shift', async () => {
    const request = await shiftRequest(unchanged);
    for (const outcome of [
      await runProperty({ ...request, kernels: kernels(unshifted) }),
      await runFalsify({ ...request, kernels: kernels(unshifted) }),
    ]) {
      expect(outcome.verdict).toBe('falsified');
      expect(outcome.counterexample?.input.sizes).toEqual({ n: 1 });
      expect(outcome.counterexample?.input.values['c']?.text).toMatch(/^-?\d{2,3}$/);
      expect(outcome.counterexample?.outputs).toHaveLength(2);
      expect(outcome.counterexample?.explanation).toMatch(/left = \S+, right = \S+, (\|difference\| = |and NaN )/);
    }
  });
});

describe('a premise', () => {
  const beyond = (limit: string): Term => b.call('greater', c, b.decimal(limit));

  it('that holds now and then is counted', async () => {
    const outcome = await runProperty(await shiftRequest(b.call('implies', beyond('1'), unchanged)));
    expect(outcome.verdict).toBe('tested');
    expect(outcome.premiseHits).toBeGreaterThan(100);
    expect(outcome.premiseHits).toBeLessThan(900);
  });

  it('that never holds makes the claim vacuous', async () => {
    expect(await runProperty(await shiftRequest(b.call('implies', beyond('200'), unchanged)))).toMatchObject({
      verdict: 'vacuous',
      premiseHits: 0,
    });
  });
});

describe('a kernel with a scalar output', () => {
  const total = b.variable('out:0', FLOAT32);
  const goal = { ...goalOf(), applications: [{ ...applicationOf(x, 0), type: FLOAT32 }] };

  it('arrives in the predicate as a number', async () => {
    const predicate = b.call('less-equal', total, b.reduce('sum', [over('i')], b.call('absolute', at(x))));
    const compiled = await loadGoal({ ...goal, predicate });
    const largest = kernels((v) => Float32Array.of(v.reduce((a, value) => Math.max(a, value), -Infinity)));
    expect(await runProperty({ goal, compiled, kernels: largest, toCall, seed: 1, cases: 500 })).toMatchObject({
      verdict: 'tested',
      worst: null,
    });
    const wrong = kernels((v) => Float32Array.of(vectorOf([v]).length));
    expect(await runProperty({ goal, compiled, kernels: wrong, toCall, seed: 1, cases: 500 })).toMatchObject({
      verdict: 'falsified',
      counterexample: { outputs: ['1'], input: { values: { x: { text: '[0]' } } } },
    });
  });
});

describe('mathematics without an end', () => {
  it('is reported, not run', async () => {
    const endless = b.reduce(
      'all',
      [{ name: 'j', from: b.integer(0), to: b.decimal('1e12') }],
      b.call('greater-equal', b.reduce('sum', [over('i')], at(x)), b.decimal('-1e30')),
    );
    const request = await shiftRequest(endless);
    expect(await runProperty(request)).toMatchObject({
      verdict: 'undetermined',
      reason: expect.stringContaining('the claim cannot be evaluated'),
    });
  });
});
