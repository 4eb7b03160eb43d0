import { describe, expect, it } from 'vitest';
import type { OpenKernel } from '../../src/backends/backend.ts';
import { separate, type Separation } from '../../src/methods/separate.ts';
import { goalOf, openKernel, toCall } from './softmax-goal.ts';

const goal = goalOf();

function separationOf(right: OpenKernel, wrong: OpenKernel): Promise<Separation> {
  const [application] = goal.applications;
  if (!application) throw new Error('the goal runs a kernel');
  return separate({
    equation: 'softmax',
    right: { kernel: right, toCall },
    wrong: { kernel: wrong, toCall },
    application,
    parameters: ['x'],
    domain: goal.domain,
    precondition: () => true,
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

  it('not when nothing differs', async () => {
    expect(await separationOf(onesAfter(0.5), onesAfter(0.5))).toEqual({
      plainShare: 0,
      separatingInput: null,
      separatingOutputs: null,
    });
  });
});
