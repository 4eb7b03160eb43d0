import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { invariant } from '../../../../src/base/invariant.ts';
import { exhaustiveRequest, type Claim } from './half-goals.ts';

/** What decides it, or the reason why single elements do not. */
async function reasonOf(claim: Claim): Promise<string> {
  const request = await exhaustiveRequest({ bound: 8, ...claim });
  return typeof request === 'string' ? request : request.space.elementwise ? 'one element' : 'whole inputs';
}

describe('a kernel whose output i depends on input i alone', () => {
  it.each([
    ['reads x at its own index', 'const v = x[this.thread.x]; return Math.exp(v) > 1 ? v : -v;'],
    ['loops a fixed number of times', 'let s = 0; for (let i = 0; i < 3; i++) { s += x[this.thread.x]; } return s;'],
  ])('%s', async (_, kernel) => {
    expect(await reasonOf({ kernel, formal: 'D(x)_i ≤ 1e9' })).toBe('one element');
  });

  it.each([
    ['a neighbour', 'return x[this.thread.x] + x[0];', /read at other places/],
    ['its index', 'return x[this.thread.x] + this.thread.x;', /this\.thread\.x is read as a number/],
    ['how many there are', 'return x[this.thread.x] / this.output.x;', /this\.output\.x is read/],
    ['an index that is computed', 'return x[this.thread.x + 1 - 1];', /read at other places/],
  ])('is not one that reads %s', async (_, kernel, reason) => {
    expect(await reasonOf({ kernel, formal: 'D(x)_i ≤ 1e9' })).toMatch(reason);
  });

  it('is not one that reads a size', async () => {
    const kernel =
      'export function kernel(this: any, x: number[], n: number): number { const k = n; return x[this.thread.x] + k; }';
    expect(await reasonOf({ kernel, formal: 'D(x)_i ≤ 1e9' })).toMatch(/n, which is not an input, is read/);
  });
});

describe('a claim about each element alone', () => {
  it.each([
    '|D(x)_i| ≤ 2·|x_i|',
    'D(x) ≈ D_ref(x)',
    'D(-x)_i = -D(x)_i',
    'D(D(x))_i = 4·x_i ∧ D(x)_i = 2·x_i',
    'x_i ≥ 0 ⟹ D(x)_i ≥ x_i',
    '∀ i: D(y)_i ≥ 0 where y_i = |x_i|',
  ])('%s', async (formal) => {
    expect(await reasonOf({ formal, tolerance: '{ rel: 1e-6 }' })).toBe('one element');
  });

  it.each([
    'Σ_i D(x)_i ≤ 1e9',
    'x_i ≤ x_j ⟹ D(x)_i ≤ D(x)_j',
    'D(x)_i ≤ max(x)·2',
    'D(x)_i ≤ 1e9·n',
    'D(x)_i ≤ 1e9 + i',
    'D(x)_0 ≤ 1e9',
    'D(y)_i ≤ 1e9 where y_i = x_i - x_0',
    '∃ i: D(x)_i ≤ 1e9',
  ])('is not %s', async (formal) => {
    expect(await reasonOf({ formal, tolerance: '{ rel: 1e-6 }' })).toMatch(/there are .* inputs, and at most 2\^33/);
  });

  it('is not one whose tolerance counts the elements', async () => {
    expect(await reasonOf({ formal: 'D(x) ≈ D_ref(x)', tolerance: '{ abs: 1e-6, per: n }' })).toMatch(/at most 2\^33/);
  });

  it('is decided the same on long vectors as on each element', async () => {
    const kernel = 'const v = x[this.thread.x]; return v > 1 ? Math.sqrt(v) : v * v;';
    const request = await exhaustiveRequest({ kernel, formal: 'D(x)_i ≤ 7 ∧ (x_i ≥ 0 ⟹ D(x)_i ≤ x_i)' });
    invariant(typeof request !== 'string', 'every input can be run');
    const { compiled, kernels, toCall, goal } = request;
    const [application] = goal.applications;
    const [own] = compiled.applications;
    const holds = (values: Float32Array): boolean => {
      const sizes = [values.length];
      const call = application && own && toCall(application, own.arguments(sizes, [values], []), sizes);
      const outcome = call && kernels.get('small')?.runSync?.(call);
      invariant(outcome?.ok, 'the kernel runs');
      const report = { premise: true, ratio: -1, error: 0, allowed: 0, left: 0, right: 0, comparison: -1, at: [] };
      return compiled.check(sizes, [values], [outcome.output], report);
    };
    const element = fc.float({ noNaN: true, min: -4, max: 64 });
    fc.assert(
      fc.property(fc.array(element, { minLength: 1, maxLength: 12 }), (values) => {
        expect(holds(Float32Array.from(values))).toBe(values.every((x) => holds(Float32Array.of(x))));
      }),
      { numRuns: 300 },
    );
  });
});
