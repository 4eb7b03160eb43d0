/** Where each level ends: numbers on both sides of its limit. */
import { describe, expect, it } from 'vitest';
import type { Sketch, Step } from '../../../src/trace/format/trace.ts';
import { logSumExp } from '../../../src/trace/record/log-sum-exp.ts';
import { takeSketch } from '../../../src/trace/record/sketch.ts';
import { compareLogits, hashLogits, sketchDifference } from '../../../src/trace/verify/compare-logits.ts';
import { madeStep } from './traces.ts';

const logits = Float32Array.of(3, 1, 2, -1);
const sketch = takeSketch(logits, 2);
if (sketch === null) throw new Error('a sketch of two');

it.each([
  ['float band', 0.00099, null],
  ['float band', 0.00101, 'PV-8066'],
  ['engine band', 0.0499, null],
  ['engine band', 0.0501, 'PV-8066'],
  ['exact', 0.0001, 'PV-8064'],
  ['exact', 0, null],
] as const)('the %s with a logit that is %d off', (level, off, code) => {
  const [first = 0, ...others] = sketch.logits;
  // The log-sum-exp stays, so that only this logit, or its log-probability, is another.
  const recorded = { ...sketch, logits: [first + off, ...others] };
  const hash = hashLogits(off === 0 ? logits : logits.with(0, first + off));
  const step: Step = { ...madeStep(0), logitsHash: hash, sketch: recorded };
  expect(compareLogits(step, logits, level, false).problem?.code ?? null).toBe(code);
  // Engines of one profile have the same bits, whatever level is asked for.
  const same = compareLogits(step, logits, level, true).problem?.code ?? null;
  expect(same).toBe(off === 0 ? null : 'PV-8064');
});

describe('how far logits are from a sketch', () => {
  const kept = { ids: [0, 2], logits: [3, 2], logSumExp: sketch.logSumExp };

  it('is nothing where they are its own: of two logits, and in the float band of the log-sum-exp', () => {
    expect(sketchDifference(kept, logits, 'float band')).toEqual({ largest: 0, sum: 0, numbers: 3, token: 0 });
    expect(sketchDifference(kept, logits, 'engine band')).toEqual({ largest: 0, sum: 0, numbers: 2, token: 0 });
  });

  it('is of the log-sum-exp in the float band, and of log-probabilities in the engine band', () => {
    const off = { ...kept, logSumExp: kept.logSumExp + 0.5 };
    expect(sketchDifference(off, logits, 'float band')).toEqual({ largest: 0.5, sum: 0.5, numbers: 3, token: null });
    const band = sketchDifference(off, logits, 'engine band');
    expect([band.largest, band.sum, band.numbers, band.token]).toEqual([0.5, 1, 2, 0]);
  });

  it('is of the largest, whichever it is, and adds all up', () => {
    const { largest, sum, token } = sketchDifference({ ...kept, logits: [3.25, 1] }, logits, 'float band');
    expect([largest, sum, token]).toEqual([1, 1.25, 2]);
  });

  it('is at least as much as a token that is not in the sketch lies above its smallest', () => {
    const ours = Float32Array.of(3, 2.5, 2, -1);
    const here = logSumExp(ours);
    const same = { ...kept, logSumExp: here };
    expect(sketchDifference(same, ours, 'float band')).toEqual({ largest: 0.5, sum: 0.5, numbers: 4, token: 1 });
    const shifted = sketchDifference({ ...kept, logSumExp: here + 0.25 }, ours, 'engine band');
    expect(shifted.token).toBe(1);
    expect(shifted.largest).toBeCloseTo(0.75, 6);
    const tied = Float32Array.of(3, 2, 2, -1);
    expect(sketchDifference({ ...kept, logSumExp: logSumExp(tied) }, tied, 'engine band').numbers).toBe(2);
  });

  it('is without end for a token that the model does not have', () => {
    expect(sketchDifference({ ...kept, ids: [0, 9] }, logits, 'float band')).toMatchObject({
      largest: Infinity,
      token: 9,
    });
  });

  it.each([
    ['float band', { ...kept, logits: [3.5, 2] }, 'The logit of token 0 at position 0 is 0.500 off'],
    ['float band', { ...kept, logSumExp: kept.logSumExp + 0.5 }, 'The log-sum-exp at position 0 is 0.500 off'],
    ['engine band', { ...kept, logits: [3.5, 2] }, 'The log-probability of token 0 at position 0 is 0.500 off'],
  ] as const)('names what is furthest off in the %s', (level, recorded, message) => {
    const { problem } = compareLogits({ ...madeStep(0), sketch: recorded }, logits, level, false);
    expect(problem?.message).toContain(message);
  });

  it('ends where the limit is, and not before it', () => {
    const zeros = Float32Array.of(0, -1);
    const recorded = { ids: [0], logits: [1e-3], logSumExp: logSumExp(zeros) };
    const of = (sketch: Sketch) => compareLogits({ ...madeStep(0), sketch }, zeros, 'float band', false).problem;
    expect(of(recorded)).toBeNull();
    expect(of({ ...recorded, logits: [1e-3 + 1e-12] })).toMatchObject({ code: 'PV-8066' });
  });

  it.each([
    [[1e-3], 'its logits are within the float band (0.00100), as another engine'],
    [[2e-3], 'its logits are 0.00200 off'],
    [null, 'the model, its numbers or the step is another'],
  ])('is said of another hash, of a sketch of %j: %s', (kept, message) => {
    const zeros = Float32Array.of(0, -1);
    const sketch = kept && { ids: [0], logits: kept, logSumExp: logSumExp(zeros) };
    const { problem } = compareLogits({ ...madeStep(0), sketch }, zeros, 'exact', false);
    expect(problem).toMatchObject({ code: 'PV-8064', message: expect.stringContaining(message) });
  });

  it('cannot be said of a step without a sketch', () => {
    expect(compareLogits(madeStep(0), logits, 'float band', false)).toMatchObject({
      problem: { code: 'PV-8067' },
      difference: null,
    });
  });
});
