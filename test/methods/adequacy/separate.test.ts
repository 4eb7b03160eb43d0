import { describe, expect, it } from 'vitest';
import type { KernelOutcome, OpenKernel } from '../../../src/backends/backend.ts';
import type { CompiledGoal } from '../../../src/math/compile/compiled.ts';
import {
  indistinguishable,
  separate,
  type KnownOutcomes,
  type Separation,
} from '../../../src/methods/adequacy/separate.ts';
import { goalOf, openKernel, toCall } from '../softmax-goal.ts';

const goal = goalOf();

function separationOf(
  right: OpenKernel,
  wrong: OpenKernel,
  reference: OpenKernel | null = null,
  precondition: CompiledGoal['precondition'] = () => true,
  known?: KnownOutcomes,
): Promise<Separation> {
  const [application] = goal.applications;
  if (!application) throw new Error('the goal runs a kernel');
  return separate({
    equation: 'softmax',
    right: { kernel: right, toCall },
    reference: reference && { kernel: reference, toCall },
    wrong: { kernel: wrong, toCall },
    application,
    parameters: ['x'],
    domain: goal.domain,
    precondition,
    seed: 1,
    known,
  });
}

/** Ones, with `first` before them: of every vector of two elements and more the largest is 1. */
const onesAfter = (first: number): OpenKernel =>
  openKernel((x) => Float32Array.from(x, (_, i) => (i === 0 && x.length > 1 ? first : 1)));

describe('a difference is plain', () => {
  it('when rounding does not explain it', async () => {
    const { plainShare, separatingInput } = await separationOf(onesAfter(0.5), onesAfter(0.6));
    expect(plainShare).toBeGreaterThan(0.5);
    expect(separatingInput).not.toBeNull();
  });

  it('from one in a hundred on', async () => {
    const all = (value: number): OpenKernel => openKernel((x) => x.map(() => value));
    expect((await separationOf(all(100), all(99))).plainShare).toBe(0);
    expect((await separationOf(all(100), all(98))).plainShare).toBe(1);
    expect((await separationOf(all(99), all(100))).differs).toBe(true);
  });

  it('when an element is twice another one, though both are small beside the largest', async () => {
    const { plainShare } = await separationOf(onesAfter(2e-6), onesAfter(4e-6));
    expect(plainShare).toBeGreaterThan(0.5);
  });

  it('not when it is what cancellation leaves of the largest element, which still is a difference', async () => {
    const { plainShare, separatingInput } = await separationOf(onesAfter(3e-7), onesAfter(6e-7));
    expect(plainShare).toBe(0);
    expect(separatingInput).not.toBeNull();
  });

  it('on as large a share of the inputs that the preconditions leave, however few these are', async () => {
    let asked = 0;
    const fewest = await separationOf(onesAfter(0.5), onesAfter(0.6), null, () => asked++ % 64 === 0);
    expect(fewest.plainShare).toBeGreaterThan(0.5);
    expect(await separationOf(onesAfter(0.5), onesAfter(0.6), null, () => false)).toMatchObject({ plainShare: 0 });
  });

  it('not when nothing differs', async () => {
    expect(await separationOf(onesAfter(0.5), onesAfter(0.5))).toEqual({
      plainShare: 0,
      differs: false,
      breaks: false,
      separatingInput: null,
      separatingOutputs: null,
    });
  });
});

describe('what is right', () => {
  const outputs = async (right: number, wrong: number, reference: number) =>
    (await separationOf(onesAfter(right), onesAfter(wrong), onesAfter(reference))).separatingOutputs;

  it('is what the equation gives, also where the bound kernel is wrong', async () => {
    expect(await outputs(0.5, 0.6, 0.5)).toEqual({ right: '[0.5, 1]', wrong: '[0.6, 1]' });
    expect(await outputs(0.4, 0.6, 0.5)).toEqual({ right: '[0.5, 1]', wrong: '[0.6, 1]', kernel: '[0.4, 1]' });
  });

  it('no wrong kernel differs from, that gives what the equation does', async () => {
    expect(await outputs(0.4, 0.5, 0.5)).toBeNull();
  });

  it('is not due to rounding: a mutant as close to the equation as the kernel is not wrong', async () => {
    expect(await outputs(0.5 + 2 ** -23, 0.5 - 2 ** -24, 0.5)).toBeNull();
    expect(await outputs(0.5 + 2 ** -24, 0.5 + 2 ** -10, 0.5)).not.toBeNull();
  });

  it('cannot be decided without a formula: then the bound kernel is named', async () => {
    expect((await separationOf(onesAfter(0.5), onesAfter(0.6))).separatingOutputs).toEqual({
      right: null,
      wrong: '[0.6, 1]',
      kernel: '[0.5, 1]',
    });
  });

  it('is not asked of a kernel that reads outside of an array', async () => {
    const fails: KernelOutcome = { ok: false, failure: { kind: 'threw', message: 'reads outside x' } };
    const outside = { ...onesAfter(0.5), runSync: () => fails, run: () => Promise.resolve([fails]) };
    expect((await separationOf(onesAfter(0.5), outside, onesAfter(0.5))).breaks).toBe(true);
    expect((await separationOf(onesAfter(0.5), onesAfter(0.6), onesAfter(0.5))).breaks).toBe(false);
  });
});

describe('kernels are compared', () => {
  it('at the input on which they are furthest apart, made smaller as far as half of that remains', async () => {
    const wrong = openKernel((x) => Float32Array.from(x, (_, i) => (i === 2 ? 9 : 1)));
    const { separatingInput, separatingOutputs } = await separationOf(onesAfter(1), wrong);
    expect(separatingInput?.sizes).toEqual({ n: 3 });
    expect(separatingOutputs).toEqual({ right: null, wrong: '[1, 1, 9]', kernel: '[1, 1, 1]' });
  });

  it('on inputs inside the preconditions alone', async () => {
    const differing = [onesAfter(0.5), onesAfter(0.6)] as const;
    const { separatingInput } = await separationOf(...differing, null, ([n]) => (n ?? 0) >= 5);
    expect(separatingInput?.sizes).toEqual({ n: 5 });
    const large = openKernel((x) => Float32Array.from(x, () => (x.length >= 5 ? 2 : 1)));
    expect(await separationOf(onesAfter(1), large, null, ([n]) => (n ?? 0) < 5)).toEqual({
      plainShare: 0,
      differs: false,
      breaks: false,
      separatingInput: null,
      separatingOutputs: null,
    });
  });

  it.each<[string, readonly number[], readonly number[], boolean]>([
    ['NaN and a number', [Number.NaN], [1], true],
    ['NaN and NaN', [Number.NaN], [Number.NaN], false],
    ['0 and -0', [0], [-0], false],
    ['infinities of one sign', [Infinity], [Infinity], false],
    ['infinities of both signs', [Infinity], [-Infinity], true],
    ['another length', [1], [1, 1], true],
  ])('%s differ or not: %j, %j', async (_, right, wrong, expected) => {
    const giving = (values: readonly number[]): OpenKernel => openKernel(() => Float32Array.from(values));
    expect((await separationOf(giving(right), giving(wrong))).differs).toBe(expected);
  });

  it('by texts where they give texts', async () => {
    const saying = (text: string): OpenKernel => {
      const outcome: KernelOutcome = { ok: true, output: new Float32Array(0), text };
      return openKernel(() => outcome);
    };
    expect((await separationOf(saying('a'), saying('a'))).differs).toBe(false);
    const { differs, separatingOutputs } = await separationOf(saying('a'), saying('b'), saying('a'));
    expect([differs, separatingOutputs]).toEqual([true, { right: '"a"', wrong: '"b"' }]);
  });

  it('where one fails, which is as far as can be', async () => {
    const fails: KernelOutcome = { ok: false, failure: { kind: 'threw', message: 'no' } };
    const failing = openKernel(() => fails);
    expect(await separationOf(failing, failing)).toMatchObject({ differs: false, breaks: false, plainShare: 0 });
    const found = await separationOf(onesAfter(0.5), failing);
    expect(found).toMatchObject({ differs: true, breaks: true, plainShare: 1, separatingInput: { sizes: { n: 1 } } });
    expect(found.separatingOutputs).toMatchObject({ wrong: 'nothing', kernel: '[1]' });
    // Where the bound kernel fails the wrong one breaks nothing.
    expect(await separationOf(failing, onesAfter(0.5))).toMatchObject({ differs: true, breaks: false });
  });

  it('with what is known of an earlier comparison', async () => {
    let calls = 0;
    const counted = openKernel((x) => ((calls += 1), x.map(() => 1)));
    const known: KnownOutcomes = new WeakMap();
    const first = await separationOf(counted, onesAfter(1), null, undefined, known);
    const runs = calls;
    expect(runs).toBe(512);
    expect(await separationOf(counted, onesAfter(1), null, undefined, known)).toEqual(first);
    expect(calls).toBe(runs);
  });

  it('not at all where the domain has no input', async () => {
    const impossible = {
      ...goal.domain,
      sizes: [{ ...goal.domain.sizes[0], name: 'n', minimum: 3, maximum: 2, multipleOf: 1, definition: null }],
    };
    const [application] = goal.applications;
    if (!application) throw new Error('the goal runs a kernel');
    const found = await separate({
      equation: 'softmax',
      right: { kernel: onesAfter(0.5), toCall },
      reference: null,
      wrong: { kernel: onesAfter(0.6), toCall },
      application,
      parameters: ['x'],
      domain: impossible,
      precondition: () => true,
      seed: 1,
    });
    expect(found).toEqual(indistinguishable);
  });

  it('says nothing of inputs on which the equation has no number', async () => {
    expect((await separationOf(onesAfter(0.5), onesAfter(0.6), onesAfter(Number.NaN))).separatingInput).toBeNull();
    const fails: KernelOutcome = { ok: false, failure: { kind: 'threw', message: 'no' } };
    const none = openKernel(() => fails);
    expect((await separationOf(onesAfter(0.5), onesAfter(0.6), none)).separatingInput).toBeNull();
  });
});
