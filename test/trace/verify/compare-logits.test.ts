/** Where each level ends: numbers on both sides of its limit. */
import { expect, it } from 'vitest';
import type { Step } from '../../../src/trace/format/trace.ts';
import { takeSketch } from '../../../src/trace/record/sketch.ts';
import { compareLogits, hashLogits } from '../../../src/trace/verify/compare-logits.ts';
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
