/** A conversion to bfloat16 without a test for NaN, which is right for the NaN that arithmetic gives. */
import { expect, it } from 'vitest';
import { invariant } from '../../src/base/invariant.ts';
import { elaborateEquationFromText } from '../../src/contract/elaborate/equations/from-text.ts';
import { bitPatternCases } from '../../src/methods/bit-patterns.ts';
import type { Case } from '../../src/math/compile/compiled.ts';

function casesOf(domain: string): readonly Case[] {
  const { model } = elaborateEquationFromText({ formula: 'f(x)_i = 2·x_i', domain });
  invariant(model, 'the equation has a model');
  const cases = bitPatternCases(model, 1);
  expect(bitPatternCases(model, 1)).toEqual(cases);
  return cases;
}

const bitsOf = ({ values: [x] }: Case): readonly number[] => {
  invariant(x instanceof Float32Array, 'the input is a vector');
  return [...new Uint32Array(x.buffer)];
};

const isNaN32 = (bits: number): boolean => (bits & 0x7fff_ffff) > 0x7f80_0000;
const rounded = (bits: number): number => ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16) & 0xffff;
const isNaN16 = (bits: number): boolean => (bits & 0x7fff) > 0x7f80;

it('becomes an infinity or a zero, for NaN that these inputs hold', () => {
  const bits = casesOf('x ∈ F32_ext^n, 1 ≤ n ≤ 4').flatMap(bitsOf);
  expect(isNaN16(rounded(0x7fc0_0000))).toBe(true);
  const wrong = bits.filter((one) => isNaN32(one) && !isNaN16(rounded(one)));
  expect(new Set(wrong.map(rounded))).toEqual(new Set([0x7f80, 0xff80, 0x8000, 0]));
});

it('meets both zeros, subnormal numbers and infinities as well', () => {
  const bits = new Set(casesOf('x ∈ F32_ext^n, 1 ≤ n ≤ 4').flatMap(bitsOf));
  for (const one of [0, 0x8000_0000, 1, 0x8000_0001, 0x007f_ffff, 0x7f80_0000, 0xff80_0000, 0x7f80_0001])
    expect(bits).toContain(one);
});

it('has no such inputs where the domain has no NaN', () => {
  expect(casesOf('x ∈ F32^n, 1 ≤ n ≤ 4')).toEqual([]);
  expect(casesOf('x ∈ ℤ^n, 1 ≤ n ≤ 4, 0 ≤ x_i ≤ 8')).toEqual([]);
});
