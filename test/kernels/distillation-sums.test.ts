/** Why KD-CON-001 and KD-SND-002 allow more the more classes there are: an input on which float32 sums of 16 exponentials are far off. */
import { expect, test } from 'vitest';
import { ref32 } from '../../src/backends/ref32.ts';
import { invariant } from '../../src/base/invariant.ts';
import { shippedKernel } from '../support/kernels.ts';

const temperature = Math.fround(3.6);
const classes = 16;

/** One class far above fifteen others that are alike. */
const row = (others: number): Float32Array => Float32Array.from({ length: classes }, (_, j) => (j === 0 ? 30 : others));
/** Their weights are next to half a unit of the largest: sums of the teacher lose them, sums of the student take each for a unit. */
const [teacher, student] = [row(-29.9865), row(-29.6326)];

test('fifteen weights that are lost or doubled make a row of the gradient miss 0, and the derivative', async () => {
  const opened = await ref32.open(await shippedKernel('distillation', 'distillationGradient'));
  invariant(opened.ok, 'opens');
  const shape = [1, classes];
  const outcome = opened.kernel.runSync?.({
    arguments: [teacher, student, Float32Array.of(0), temperature, 1, 1, classes],
    shapes: [shape, shape, [1], [], [], [], []],
    outputShape: shape,
  });
  invariant(outcome?.ok, 'runs');
  const gradient = Array.from(outcome.output);
  const sum = gradient.reduce((total, value) => total + value, 0);
  const largest = (logits: Float32Array): number =>
    1 / logits.reduce((total, logit) => total + Math.exp((logit - 30) / temperature), 0);
  const exact = temperature * (largest(student) - largest(teacher));
  const once = 1e-6 * (1 + temperature);
  expect(Math.abs(sum)).toBeGreaterThan(1.25 * once);
  expect(Math.abs(sum)).toBeLessThanOrEqual(1.2e-7 * (classes + 4) * (1 + temperature));
  expect(Math.abs((gradient[0] ?? NaN) - exact)).toBeGreaterThan(1.25 * once);
  expect(Math.abs((gradient[0] ?? NaN) - exact)).toBeLessThanOrEqual(2.2e-7 * (classes + 5) * (1 + temperature));
});
