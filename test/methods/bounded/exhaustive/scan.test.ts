/** What running the inputs of a space one after another counts, and where it stops. */
import { describe, expect, it } from 'vitest';
import { invariant } from '../../../../src/base/invariant.ts';
import type { OpenKernel } from '../../../../src/backends/backend.ts';
import type { ExhaustiveRequest } from '../../../../src/methods/bounded/exhaustive/exhaustive.ts';
import { scan, worstInput, type ScanRequest } from '../../../../src/methods/bounded/exhaustive/scan.ts';
import { caseAt, mayExclude } from '../../../../src/methods/bounded/exhaustive/space.ts';
import { openExecutor } from '../../../../src/methods/runs/execute.ts';
import { exhaustiveRequest, type Claim } from './half-goals.ts';

interface Opened extends ScanRequest {
  readonly count: number;
  readonly whole: ExhaustiveRequest;
}

/** The claim on its kernel, or on `kernel` in its place. */
async function opened(claim: Claim, kernel?: (right: OpenKernel) => OpenKernel): Promise<Opened> {
  const request = await exhaustiveRequest(claim);
  invariant(typeof request !== 'string', typeof request === 'string' ? request : '');
  const { space, compiled, goal } = request;
  const kernels = new Map([...request.kernels].map(([name, right]) => [name, kernel?.(right) ?? right]));
  const executor = openExecutor({ ...request, kernels });
  invariant(!('missing' in executor), 'the kernel is open');
  const { precondition } = compiled;
  const { count } = space;
  const own = { space, executor, precondition, mayExclude: mayExclude(goal), expired: () => false };
  return { ...own, count, whole: request };
}

/** 2·x for x = 0 … 99, one element at a time. */
const small = { domain: 'x ∈ ℤ^n, 1 ≤ n ≤ 8, 0 ≤ x_i ≤ 99', formal: 'D(x)_i ≈ 2·x_i', tolerance: '{ abs: 1 }' };
const kernelOf = (body: string): string => `const v = x[this.thread.x]; ${body} return v + v;`;

describe('a scan', () => {
  it('counts every input once, whether it was run with others or alone', async () => {
    const request = await opened(small);
    expect([request.space.elementwise, request.count]).toEqual([true, 100]);
    expect(await scan(request, 0, 100)).toEqual({
      from: 0,
      reached: 100,
      cases: 100,
      filtered: 0,
      premiseHits: 100,
      worst: { at: 0, error: 0, allowed: 1, ratio: 0 },
      failing: null,
      trouble: null,
    });
    expect(await scan(request, 30, 40)).toMatchObject({ from: 30, reached: 40, cases: 10, worst: { at: 30 } });
    expect(await scan(request, 90, 1000)).toMatchObject({ reached: 100, cases: 10 });
    expect(await scan(request, 100, 200)).toMatchObject({ reached: 100, cases: 0, worst: null });
  });

  it('stops at the first input at which the claim is false', async () => {
    const request = await opened({ ...small, kernel: kernelOf('if (v === 41 || v === 67) { return 0; }') });
    expect(await scan(request, 0, 100)).toMatchObject({ failing: 41, reached: 42, cases: 42, premiseHits: 41 });
    expect(await scan(request, 42, 100)).toMatchObject({ failing: 67, reached: 68, cases: 26 });
    expect(await scan(request, 68, 100)).toMatchObject({ failing: null, reached: 100, cases: 32 });
  });

  it('counts what the domain excludes, and never takes it for a failure', async () => {
    const excluding = { ...small, domain: `${small.domain}, x_i ≠ 41, x_i ≠ 0` };
    const request = await opened({ ...excluding, kernel: kernelOf('if (v === 41) { return 0; }') });
    expect(await scan(request, 0, 100)).toMatchObject({ cases: 98, filtered: 2, failing: null, reached: 100 });
    expect(await scan(request, 41, 42)).toMatchObject({ cases: 0, filtered: 1, premiseHits: 0, worst: null });
    const failing = await opened({ ...excluding, kernel: kernelOf('if (v === 42) { return 0; }') });
    expect(await scan(failing, 0, 100)).toMatchObject({ cases: 41, filtered: 2, failing: 42, reached: 43 });
  });

  it('of whole inputs counts the same', async () => {
    const whole: Claim = {
      formula: 'D(x)_i = x_i + x_0',
      domain: 'x ∈ ℤ^n, 1 ≤ n ≤ 8, 0 ≤ x_i ≤ 9, x_i ≠ 7',
      kernel: 'if (x[0] === 3 && x[this.thread.x] === 4) { return 0.5; } return x[this.thread.x] + x[0];',
      formal: 'x_0 > 2 ⟹ D(x)_i ≈ x_i + x_0',
      tolerance: '{ abs: 8 }',
    };
    const request = await opened(whole);
    expect([request.space.elementwise, request.count]).toEqual([false, 10 + 100]);
    expect(await scan(request, 0, 110)).toEqual({
      from: 0,
      reached: 110,
      cases: 9 + 81,
      filtered: 1 + 19,
      premiseHits: 6 + 54,
      // x = [3, 4]
      worst: { at: 10 + 34, error: 6.5, allowed: 8, ratio: 6.5 / 8 },
      failing: null,
      trouble: null,
    });
    const strict = await opened({ ...whole, tolerance: '{ abs: 6 }' });
    expect(await scan(strict, 0, 110)).toMatchObject({ failing: 44, reached: 45, filtered: 1 + 3 });
  });

  it('says why the inputs cannot be run, and counts none of them', async () => {
    const refusing = (right: OpenKernel): OpenKernel => ({
      ...right,
      runSync: () => ({ ok: false, failure: { kind: 'unsupported', message: 'no memory' } }),
    });
    const request = await opened(small, refusing);
    expect(await scan(request, 0, 100)).toMatchObject({
      cases: 0,
      failing: null,
      trouble: 'the backend cannot run it: no memory',
    });
  });

  it('does not believe a failure that no input shows alone', async () => {
    const onLong = (right: OpenKernel): OpenKernel => ({
      ...right,
      runSync: (call) => {
        const outcome = right.runSync?.(call);
        invariant(outcome?.ok, 'the kernel answers');
        return outcome.output.length > 50 ? { ...outcome, output: outcome.output.map(() => -1) } : outcome;
      },
    });
    expect((await scan(await opened(small, onLong), 0, 100)).trouble).toBe(
      'the claim is false of inputs side by side and true of each alone: a defect of pv',
    );
  });

  it('keeps scalars apart from elements: all pairs are run', async () => {
    const request = await opened({
      formula: 'D(x, c)_i = c·x_i',
      domain: 'x ∈ ℤ^n, c ∈ ℤ, 1 ≤ n ≤ 8, 0 ≤ x_i ≤ 9, 1 ≤ c ≤ 5',
      kernel: `export function kernel(this: any, x: number[], c: number): number {
  const v = x[this.thread.x]; if (c === 4 && v === 7) { return 0; } return c * v; }`,
      formal: 'D(x, c)_i = c·x_i',
    });
    expect([request.space.elementwise, request.count]).toEqual([true, 50]);
    const { failing, cases } = await scan(request, 0, 50);
    expect([failing, cases]).toEqual([37, 38]);
    expect(caseAt(request.space, 37)?.values).toEqual([Int32Array.of(7), 4]);
    expect(await scan(request, 38, 50)).toMatchObject({ cases: 12, failing: null, reached: 50 });
  });
});

describe('the worst input', () => {
  /** The first of the inputs with the largest error, as the scan of all inputs and a look at its block find it. */
  const worstOf = async (body: string, to = 100) => {
    const request = await opened({ ...small, kernel: kernelOf(body) });
    const { worst } = await scan(request, 0, to);
    return worst && (await worstInput(request, worst));
  };

  it('is the first with the largest error', async () => {
    expect(
      await worstOf('if (v === 20) { return v + v + 0.25; } if (v === 50 || v === 70) { return v + v + 0.5; }'),
    ).toEqual({
      at: 50,
      error: 0.5,
      allowed: 1,
      ratio: 0.5,
    });
    expect(await worstOf('')).toMatchObject({ at: 0, error: 0 });
    expect(await worstOf('if (v === 99) { return v + v - 0.5; }')).toMatchObject({ at: 99, error: 0.5 });
  });

  it('is one at which the claim holds', async () => {
    const body = 'if (v === 20) { return v + v + 0.25; } if (v === 50) { return 0; }';
    expect(await worstOf(body)).toMatchObject({ at: 20, error: 0.25 });
  });

  it('of whole inputs is known', async () => {
    const { whole, ...request } = await opened({
      ...small,
      formal: 'D(x)_i ≈ 2·x_i ∧ D(x)_0 ≥ 0',
      bound: 1,
      domain: 'x ∈ ℤ^n, 1 ≤ n ≤ 1, 0 ≤ x_i ≤ 9',
    });
    expect(whole.space.elementwise).toBe(false);
    const worst = { at: 3, error: 1, allowed: 2, ratio: 0.5 };
    expect(await worstInput(request, worst)).toBe(worst);
  });
});
