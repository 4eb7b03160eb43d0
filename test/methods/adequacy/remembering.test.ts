import { describe, expect, it } from 'vitest';
import type { OpenKernel } from '../../../src/backends/backend.ts';
import { recordCases } from '../../../src/methods/runs/recorded-cases.ts';
import { remembering } from '../../../src/methods/adequacy/remembering.ts';
import type { TrialGoal } from '../../../src/methods/adequacy/trial.ts';
import { goalOf, openKernel, softmax, sumsToOne, toCall } from '../softmax-goal.ts';

const goal = goalOf({ cases: 20 });
const one: TrialGoal = {
  goal,
  compiled: sumsToOne({}, 8),
  source: 'obligation',
  statistics: [],
  asksFiniteness: false,
  sizeTolerances: [],
};

async function recorded(right: OpenKernel): Promise<TrialGoal> {
  const kernels = new Map([['softmax', right]]);
  const request = { equation: 'softmax', kernels, toCall, toEquationCall: toCall, seed: 1, cases: 20 };
  const recording = await recordCases(one, request, 2 ** 24);
  return { ...one, recorded: recording?.cases ?? null };
}

describe('a kernel that remembers', () => {
  it('answers recorded calls as before without a run, and runs for all others', async () => {
    let calls = 0;
    const right = openKernel((x) => ((calls += 1), softmax(x)));
    const known = await recorded(right);
    const kernel = remembering(right, 'softmax', [known]);
    const asked = (known.recorded ?? []).flatMap(({ runs }) => runs.map((run) => run.calls.kernel));
    expect(asked.length).toBe(20);
    const before = calls;
    const given = await kernel.run(asked);
    expect(asked.map((call) => kernel.runSync?.(call))).toEqual(given);
    expect(calls).toBe(before);
    const [first] = asked;
    if (!first) throw new Error('a case was recorded');
    const other = { ...first, arguments: [Float32Array.of(1, 2)], shapes: [[2]], outputShape: [2] };
    expect(await kernel.run([other, first])).toEqual([...(await right.run([other])), given[0]]);
    expect(calls).toBe(before + 2);
  });

  it('is the kernel itself where nothing was recorded', () => {
    const right = openKernel(softmax);
    expect(remembering(right, 'softmax', [one])).toBe(right);
  });
});
