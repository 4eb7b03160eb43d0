import { functionBackend } from '../../../../src/backends/function-kernel.ts';
import { describe, expect, it } from 'vitest';
import { invariant } from '../../../../src/base/invariant.ts';
import { emptyScan, joinScans, type Scan } from '../../../../src/evidence/scan.ts';
import {
  concludeExhaustive,
  scanInputs,
  type ExhaustiveOutcome,
  type ExhaustiveRequest,
} from '../../../../src/methods/bounded/exhaustive/exhaustive.ts';
import { shortestText } from '../../../../src/numeric/shortest-text.ts';
import { runExhaustiveCheck } from '../../../../src/plan/run-exhaustive.ts';
import { exhaustiveCheck, exhaustiveRequest, type Claim } from './half-goals.ts';

async function requestOf(claim: Claim): Promise<ExhaustiveRequest> {
  const request = await exhaustiveRequest(claim);
  invariant(typeof request !== 'string', typeof request === 'string' ? request : '');
  return request;
}

/** As a check of a plan, with its wrong kernels. */
async function found(claim: Claim) {
  const check = await exhaustiveCheck(claim);
  invariant(check.work.kind === 'bounded', 'it is a bounded proof');
  return runExhaustiveCheck(check, check.work, { part: null, expired: () => false, functions: functionBackend });
}

const finite16 = 2 ** 16 - 2 ** 11;

describe('an exhaustive proof', () => {
  it('holds if every float16 was run and a wrong kernel was refused', async () => {
    const { verdict, reason, cases, proof, worst } = await found({
      formal: 'D(x) ≈ D_ref(x)',
      tolerance: '{ ulp: 1 }',
    });
    expect([verdict, reason, cases]).toEqual(['proved', null, finite16]);
    expect(proof).toMatchObject({
      strategy: 'exhaustive',
      about: 'float32 code',
      scope: `all ${finite16} inputs, for every n (output i depends on input i alone)`,
      statements: finite16,
      proved: finite16,
      engines: [{ engine: 'exhaustive', version: '1', proved: finite16 }],
      axioms: [],
      witness: { values: { x: { text: '[0]' } } },
      refuted: { mutant: expect.stringContaining('kernel:') as string },
      open: [],
    });
    expect(worst).toMatchObject({ error: 0, ratio: 0 });
  });

  it('finds the one float16 that a kernel gets wrong', async () => {
    const kernel = 'const v = x[this.thread.x]; return v === 0.3330078125 ? v + v + 0.0078125 : v + v;';
    const { verdict, counterexample, proof } = await found({ kernel, formal: 'D(x)_i = 2·x_i' });
    expect(verdict).toBe('falsified');
    expect(counterexample?.input.values['x']?.text).toBe('[0.333]');
    expect(counterexample?.explanation).toContain('0.673828125');
    expect(proof?.refuted).toBeNull();
  });

  it.each([
    ['the first one', 'v === 0 && 1 / v > 0'],
    ['the last one', 'v === -65504'],
    ['the one before a block ends', 'v * 4194304 === 2047'],
  ])('finds %s', async (_, condition) => {
    const kernel = `const v = x[this.thread.x]; if (${condition}) { return 1; } return v + v;`;
    const request = await requestOf({ kernel, formal: 'D(x)_i = 2·x_i' });
    const { failing, cases } = await scanInputs(request, 0, request.space.count);
    expect(failing).not.toBeNull();
    expect(cases).toBe((failing ?? 0) + 1);
  });

  it('does not miss a kernel that gives NaN', async () => {
    const kernel = 'const v = x[this.thread.x]; return v === 3 ? Math.sqrt(0 - v) : v;';
    expect((await found({ kernel, formal: 'D(x)_i ≤ 1e9' })).verdict).toBe('falsified');
  });

  it('of a conditional claim counts the inputs beside one that meets the condition; a claim without any is vacuous', async () => {
    const never = await found({ formal: 'x_i > 65504 ⟹ D(x)_i = 0' });
    expect([never.verdict, never.reason]).toEqual(['vacuous', 'its premise holds for no input']);
    expect((await found({ formal: 'x_i > 65000 ⟹ D(x)_i > 130000' })).verdict).toBe('proved');
  });

  it('is vacuous when no wrong kernel breaks the claim, on an output that is finite', async () => {
    const nothing = await found({ formal: 'D(x)_i - D(x)_i = 0' });
    expect(nothing.verdict).toBe('vacuous');
    expect(nothing.reason).toMatch(/wrong kernels? breaks the claim/);
  });

  it('leaves out what the domain excludes, and says how many were run', async () => {
    const domain = 'x ∈ F16^n, 1 ≤ n ≤ 8, 1 ≤ x_i ≤ 2, x_i ≠ 1.5';
    const { verdict, cases, filtered, proof } = await found({ domain, formal: 'D(x)_i = 2·x_i' });
    expect([verdict, cases, filtered]).toEqual(['proved', 1024, 1]);
    expect(proof).toMatchObject({ statements: 1024, proved: 1024 });
    const kernel = 'return x[this.thread.x] === 1.5 ? 0 : 2 * x[this.thread.x];';
    expect((await found({ domain, kernel, formal: 'D(x)_i = 2·x_i' })).verdict).toBe('proved');
  });

  it('runs every choice of sizes and values where elements depend on each other', async () => {
    const claim = {
      formula: 'D(x)_i = x_i + Σ_j x_j',
      domain: 'x ∈ ℤ^n, 1 ≤ n ≤ 8, 0 ≤ x_i ≤ 9',
      kernel: `export function kernel(this: any, x: number[], n: number): number {
  let s = 0; for (let j = 0; j < n; j++) { s += x[j]; } return s + x[this.thread.x]; }`,
    };
    const { verdict, cases, proof } = await found({ ...claim, formal: 'D(x)_i = D_ref(x)_i', bound: 3 });
    expect([verdict, cases]).toEqual(['proved', 10 + 100 + 1000]);
    expect(proof).toMatchObject({ scope: 'all 1110 inputs', instances: 3 });
    const wrong = await found({ ...claim, formal: 'D(x)_i ≤ 35', bound: 3 });
    expect(wrong.counterexample?.input.values['x']?.text).toBe('[9, 9, 9]');
  });

  it('runs elements also where vectors may be empty', async () => {
    const domain = 'x ∈ F16^n, 0 ≤ n ≤ 8';
    const { verdict, proof } = await found({ domain, formal: 'D(x)_i = 2·x_i' });
    expect([verdict, proof?.witness?.sizes]).toEqual(['proved', { n: 1 }]);
    expect((await found({ domain, formal: 'D(x)_i ≤ 131006' })).counterexample?.outputs).toEqual(['[131008]']);
  });

  it('refuses what has too many inputs, with their number', async () => {
    const formal = 'Σ_i D(x)_i ≤ 1e9';
    expect(await found({ formal, domain: 'x ∈ F32^n, 2 ≤ n ≤ 8' })).toMatchObject({
      verdict: 'undetermined',
      reason: expect.stringMatching(/^not every input can be run: there are 18302910360610406400 inputs/) as string,
    });
    expect((await found({ formal, domain: 'x ∈ ℝ^n, 1 ≤ n ≤ 8', bound: 8 })).reason).toContain(
      'more than 2^255 inputs',
    );
    expect((await found({ formal, domain: 'x ∈ F64^n, 1 ≤ n ≤ 8' })).reason).toContain('2^64 values');
    expect((await found({ formal, domain: 'x ∈ ℤ^n, 1 ≤ n ≤ 8' })).reason).toContain('an integer without bounds');
  });
});

describe('what the scans of a space say', () => {
  const conclude = async (more: Partial<Scan>, claim: Partial<Claim> = {}) => {
    const request = await requestOf({ formal: 'D(x)_i = 2·x_i', ...claim });
    const { count } = request.space;
    const all: Scan = { ...emptyScan(0), reached: count, cases: count, premiseHits: count };
    return concludeExhaustive(request, { ...all, ...more });
  };

  it('is that nothing is known where the inputs cannot be run', async () => {
    const { verdict, reason, proof } = await conclude({ trouble: 'no memory' });
    expect([verdict, reason, proof.open]).toEqual(['undetermined', 'no memory', ['no memory']]);
  });

  it('is that the claim is false where one input failed, which is not counted as proved', async () => {
    const kernel = 'return x[this.thread.x] === 3 ? 0 : 2 * x[this.thread.x];';
    const request = await requestOf({ kernel, formal: 'D(x)_i = 2·x_i' });
    const found = await scanInputs(request, 0, request.space.count);
    const { verdict, reason, counterexample, proof, cases } = await concludeExhaustive(request, found);
    expect([verdict, reason, cases]).toEqual(['falsified', counterexample?.explanation, found.cases]);
    expect(counterexample?.input.values['x']?.text).toBe('[3]');
    expect(proof).toMatchObject({ proved: found.cases - 1, refuted: null, witness: null });
  });

  it('is that it is incomplete where inputs are left, and about nothing where none was inside', async () => {
    expect(await conclude({ reached: finite16 - 1, cases: finite16 - 1 })).toMatchObject({
      verdict: 'incomplete',
      reason: `the time ended after ${finite16 - 1} of ${finite16} inputs`,
    });
    expect(await conclude({ cases: 0, filtered: finite16, premiseHits: 0 })).toMatchObject({
      verdict: 'vacuous',
      reason: 'no input within the bound satisfies the preconditions',
      proof: { statements: 0, witness: null },
    });
    expect(await conclude({ premiseHits: 0 })).toMatchObject({
      verdict: 'vacuous',
      reason: 'its premise holds for no input',
    });
  });

  it('is vacuous without a wrong kernel, though it names the first input that the claim is about', async () => {
    const domain = 'x ∈ F16^n, 1 ≤ n ≤ 8, 1 ≤ x_i ≤ 2, x_i ≠ 1';
    const { verdict, reason, proof } = await conclude({}, { domain });
    expect([verdict, reason]).toEqual([
      'vacuous',
      'none of 0 wrong kernels breaks the claim on the inputs that were tried',
    ]);
    expect(proof.witness?.values['x']?.text).toBe('[1.001]');
  });
});

describe('a wrong kernel of a space that is too large to run twice', () => {
  // 2²⁰ inputs; the wrong kernel is tried at 512 places of 64 inputs each.
  const claim = { domain: 'x ∈ F32^n, 1 ≤ n ≤ 8, 1 ≤ x_i < 1.125', formal: 'D(x)_i = 2·x_i' };
  const step = 2 ** 11;

  /** What refuses a kernel that is wrong where `condition` says so, once every input held. */
  async function refusedBy(condition: string, more: Partial<Claim> = {}): Promise<readonly (string | null)[]> {
    const request = await requestOf({ ...claim, ...more });
    const { count } = request.space;
    expect(count).toBe(2 ** 20);
    const kernel = `const v = x[this.thread.x]; if (${condition}) { return 1; } return v + v;`;
    const { kernels } = await requestOf({ ...claim, ...more, kernel });
    const wrong = [{ id: 'wrong', open: () => Promise.resolve(kernels) }];
    const all: Scan = { ...emptyScan(0), reached: count, cases: count, premiseHits: count };
    const { verdict, proof } = await concludeExhaustive({ ...request, wrong }, all);
    return [verdict, proof.refuted?.input.values['x']?.text ?? null];
  }
  const at = (position: number): number => 1 + position * 2 ** -23;
  const text = (position: number): string => `[${shortestText(at(position), 'f32')}]`;

  it('is refused at the first place at which it breaks the claim', async () => {
    expect(await refusedBy('v >= 1')).toEqual(['proved', text(0)]);
    // The second place is the 197th of 512.
    expect(await refusedBy(`v >= ${at(1)}`)).toEqual(['proved', text(1)]);
    expect(await refusedBy(`v >= ${at(64)}`)).toEqual(['proved', text(197 * step)]);
    expect(await refusedBy(`v >= ${at(300 * step)}`)).toEqual(['proved', text(394 * step)]);
  });

  it('is looked for in the first 64 inputs of every place, the last one too', async () => {
    const last = 511 * step;
    expect(await refusedBy(`v === ${at(last + 63)}`)).toEqual(['proved', text(last + 63)]);
    expect(await refusedBy(`v === ${at(last + 64)}`)).toEqual(['vacuous', null]);
  });

  it('is searched for among the edges of the domain, where a premise that seldom holds may hold', async () => {
    expect(await refusedBy(`v === ${at(2 ** 20 - 1)}`)).toEqual(['proved', text(2 ** 20 - 1)]);
  });

  it('is not refused by what is not finite, or by a kernel that does not open', async () => {
    expect(await refusedBy('v < 2', { kernel: 'return 2 * x[this.thread.x];', formal: 'D(x)_i - D(x)_i = 0' })).toEqual(
      ['vacuous', null],
    );
    const request = await requestOf(claim);
    const { count } = request.space;
    const all: Scan = { ...emptyScan(0), reached: count, cases: count, premiseHits: count };
    const shut = { ...request, wrong: [{ id: 'shut', open: () => Promise.resolve(null) }] };
    const { verdict, reason } = await concludeExhaustive(shut, all);
    expect([verdict, reason]).toEqual([
      'vacuous',
      'none of 1 wrong kernel breaks the claim on the inputs that were tried',
    ]);
  });
});

describe('the inputs in ranges', () => {
  const claim: Claim = {
    kernel: 'const v = x[this.thread.x]; return v < -60000 ? v * 3 : v * 1.9990234375;',
    formal: 'D(x) ≈ D_ref(x)',
    tolerance: '{ rel: 1e-3 }',
  };

  async function inRanges(request: ExhaustiveRequest, cuts: readonly number[]): Promise<ExhaustiveOutcome> {
    const ends = [0, ...cuts, request.space.count];
    const scans = await Promise.all(ends.slice(1).map((to, i) => scanInputs(request, ends[i] ?? 0, to)));
    return concludeExhaustive(request, joinScans(scans.toReversed()));
  }

  it('give what all of them give at once, wherever they are cut between blocks', async () => {
    const request = await requestOf(claim);
    const whole = await inRanges(request, []);
    expect(whole.verdict).toBe('falsified');
    for (const cuts of [[4096], [8192, 20_480], [4096, 8192, 61_440], [57_344, 61_440]])
      expect(await inRanges(request, cuts)).toEqual(whole);
    const holding = await requestOf({ ...claim, tolerance: '{ rel: 0.6 }' });
    const all = await inRanges(holding, []);
    expect(all).toMatchObject({ cases: finite16, worst: { ratio: expect.closeTo(0.5 / 0.6, 3) as number } });
    for (const cuts of [[4096], [40_960, 61_440]]) expect(await inRanges(holding, cuts)).toEqual(all);
  });

  it('that are missing leave the proof incomplete, with how far it came', async () => {
    const request = await requestOf({ ...claim, tolerance: '{ rel: 0.6 }' });
    const [first, third] = [await scanInputs(request, 0, 1000), await scanInputs(request, 2000, request.space.count)];
    const { verdict, reason, proof } = await concludeExhaustive(request, joinScans([third, first]));
    expect([verdict, reason]).toEqual(['incomplete', `the time ended after 1000 of ${finite16} inputs`]);
    expect(proof.open).toEqual([reason]);
  });

  it('stop when the time is over', async () => {
    const request = await requestOf({ ...claim, tolerance: '{ rel: 0.6 }' });
    let looks = 0;
    const { reached } = await scanInputs({ ...request, expired: () => ++looks > 3 }, 0, request.space.count);
    expect(reached).toBe(3 * 4096);
  });
});
