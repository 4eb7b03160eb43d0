import { describe, expect, it } from 'vitest';
import type { KernelOutcome } from '../../src/backends/backend.ts';
import { isSameOutcome } from '../../src/plan/same-outcome.ts';

const numbers = (...values: readonly number[]): KernelOutcome => ({ ok: true, output: Float64Array.from(values) });
const failed: KernelOutcome = { ok: false, failure: { kind: 'threw', message: 'm' } };

const pairs: readonly (readonly [string, KernelOutcome | undefined, KernelOutcome | undefined, boolean])[] = [
  ['the same numbers', numbers(1, NaN, -0), numbers(1, NaN, -0), true],
  ['zeros of two signs', numbers(0), numbers(-0), false],
  ['the last number', numbers(1, 2), numbers(1, 3), false],
  ['a number more', numbers(1), numbers(1, 2), false],
  ['two failures', failed, { ok: false, failure: { kind: 'threw', message: 'n' } }, true],
  ['a failure and a result', failed, numbers(1), false],
  ['another text', { ok: true, text: 'a', output: new Float64Array() }, numbers(), false],
  ['nothing', undefined, undefined, false],
];

describe('two outcomes', () => {
  it.each(pairs)('are compared to the bit: %s', (_, a, b, same) => {
    expect(isSameOutcome(a, b)).toBe(same);
    expect(isSameOutcome(b, a)).toBe(same);
  });
});
