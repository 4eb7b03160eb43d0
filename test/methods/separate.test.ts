import { describe, expect, it } from 'vitest';
import type { KernelOutcome, OpenKernel } from '../../src/backends/backend.ts';
import type { CompiledGoal } from '../../src/math/compile/compiled.ts';
import { separate, type Separation } from '../../src/methods/separate.ts';
import { goalOf, openKernel, toCall } from './softmax-goal.ts';

const goal = goalOf();

function separationOf(
  right: OpenKernel,
  wrong: OpenKernel,
  reference: OpenKernel | null = null,
  precondition: CompiledGoal['precondition'] = () => true,
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

  it('is not told by rounding: a mutant as near to the equation as the kernel is not wrong', async () => {
    expect(await outputs(0.5 + 2 ** -23, 0.5 - 2 ** -24, 0.5)).toBeNull();
    expect(await outputs(0.5 + 2 ** -24, 0.5 + 2 ** -10, 0.5)).not.toBeNull();
  });

  it('is not told where there is no formula: then the bound kernel is named', async () => {
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
