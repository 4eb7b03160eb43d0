/** `semantics: ulp` at the edges of float32. */
import { describe, expect, it } from 'vitest';
import { loadGoal } from '../../../src/math/compile/load.ts';
import { emptyOutcome } from '../../../src/runtime/check-case.ts';
import { elaborated, goal } from './support.ts';

const square = goal(
  elaborated({
    equations: `
square:
  formula: "S(x)_i = x_i·x_i·y"
  domain: "x ∈ F32^n, y ∈ F32, 1 ≤ n ≤ 4"
  codomain: "S(x) ∈ F32^n"`,
    obligations:
      '- { id: C, type: equivalence, property: p, formal: "S(x) ≈ S_ref(x)", semantics: ulp, tolerance: { ulp: 1 } }',
  }),
);
const compiled = await loadGoal(square);

/** Whether an output is within one unit of x²·y. */
function holds(x: number, y: number, output: number): boolean {
  const inputs = square.domain.variables.map(({ name }) => (name === 'x' ? Float32Array.of(x) : Math.fround(y)));
  return compiled.check([1], inputs, [Float32Array.of(output)], emptyOutcome().report);
}

const TINY = 2 ** -149;
const MAX = (2 - 2 ** -23) * 2 ** 127;

describe('one unit in the last place', () => {
  it.each([
    ['exact', 3, 1, 9, true],
    ['one unit away', 1, 1, 1 + 2 ** -23, true],
    ['two units away', 1, 1, 1 + 2 ** -22, false],
    ['zero for zero, either sign', 0, 1, -0, true],
    ['the smallest for zero', 0, 1, TINY, true],
    ['twice the smallest for zero', 0, 1, 2 * TINY, false],
    ['the other side of zero, one unit', 0, 1, -TINY, true],
    ['the smallest of the other sign, two units', 2 ** -74, 0.5, -TINY, false],
    ['underflow to zero', 2 ** -100, 1, 0, true],
    ['infinity for what overflows', 1e30, 1, Infinity, true],
    ['the other infinity', 1e30, 1, -Infinity, false],
    ['the largest number for what overflows by far', 1e30, 1, MAX, false],
    ['NaN for what overflows', 1e30, 1, NaN, false],
    ['infinity for a number', 1e10, 1, Infinity, false],
    ['the sign of what overflows', 1e30, -1, -Infinity, true],
  ])('%s', (_, x, y, output, expected) => expect(holds(x, y, output)).toBe(expected));
});
