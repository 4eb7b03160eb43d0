/** Whole numbers are no float32 numbers: nothing rounds 16777217. */
import { expect, it } from 'vitest';
import { elaborateEquationFromText } from '../../../src/contract/elaborate/equations/from-text.ts';
import { loadEquation } from '../../../src/math/compile/load.ts';
import { asArgument } from '../../../src/numeric/float.ts';

async function computed(formula: string, domain: string, values: readonly unknown[], codomain?: string) {
  const { model } = elaborateEquationFromText({ formula, domain, ...(codomain ? { codomain } : {}) });
  if (!model) throw new Error(formula);
  const equation = await loadEquation(model, { arithmetic: 'float32' });
  return [
    ...equation(
      model.sizes.map(() => 2),
      values as Int32Array[],
    ),
  ];
}

it('an equation of whole numbers is not rounded in float32', async () => {
  expect(await computed('C = 3·k', 'k ∈ ℤ, 0 ≤ k ≤ 100000000', [33333333])).toEqual([99999999]);
  const vector = 'k ∈ ℤ^n, 1 ≤ n ≤ 4, 0 ≤ k_i ≤ 1000000000';
  expect(await computed('D(k)_i = k_i + 1', vector, [Int32Array.of(2 ** 24, 999_999_998)])).toEqual([
    2 ** 24 + 1,
    999_999_999,
  ]);
});

it('one whose result is declared in float32 is, and so are reals', async () => {
  const vector = 'k ∈ ℤ^n, 1 ≤ n ≤ 4, 0 ≤ k_i ≤ 1000000000';
  expect(await computed('D(k)_i = k_i + 1', vector, [Int32Array.of(2 ** 24, 1)], 'D(k) ∈ F32^n')).toEqual([2 ** 24, 2]);
  expect(await computed('E(x)_i = x_i / 3', 'x ∈ F32^n, 1 ≤ n ≤ 4', [Float32Array.of(1, 3)])).toEqual([
    Math.fround(1 / 3),
    1,
  ]);
});

it('a computed argument stays whole, and a real has the precision of float32', () => {
  expect([16_777_217, -16_777_217, 0.1, Infinity].map(asArgument)).toEqual([
    16_777_217,
    -16_777_217,
    Math.fround(0.1),
    Infinity,
  ]);
});
