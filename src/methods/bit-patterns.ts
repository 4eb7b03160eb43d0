/**
 * Inputs that are NaN of several payloads, quiet and signalling. A conversion to bfloat16 that has no
 * test for NaN rounds most of them to an infinity or a zero, but not the one that arithmetic gives.
 */
import type { EquationModel } from '../contract/goal.ts';
import type { Case } from '../math/compile/compiled.ts';
import { streamAt, streamKey, uniformInteger } from '../numeric/xoshiro.ts';
import { createGenerator } from '../runtime/generate/generator.ts';

/** NaN without its sign: the first and the last signalling one, those around the first quiet one, ones that rounding carries. */
const payloads = [
  0x7f80_0001, 0x7f80_8000, 0x7fbf_ffff, 0x7fc0_0000, 0x7fc0_0001, 0x7fff_7fff, 0x7fff_8000, 0x7fff_ffff,
];
/** Zero, the ends of the subnormal numbers, the smallest normal and the largest number, infinity. */
const edges = [0, 1, 0x007f_ffff, 0x0080_0000, 0x7f7f_ffff, 0x7f80_0000];

const signBit = 0x8000_0000;
const patterns = [...payloads, ...edges].flatMap((bits) => [bits, bits + signBit]);

/** One case for each pattern and each float32 tensor of the equation's domain that may hold NaN, the same for the same seed. */
export function bitPatternCases(model: EquationModel, seed: number): readonly Case[] {
  const generator = createGenerator(model.domain, seed, `${model.name}/bits`, 1);
  if (!generator.ok) return [];
  const { plan, at } = generator.value;
  const stream = streamAt(streamKey(seed, `${model.name}/bits/places`), 0);
  return plan.variables.flatMap(({ storage, nonFinite, choices, structure }, i) => {
    if (storage !== 'f32' || !nonFinite || choices || structure !== 'none') return [];
    return patterns.flatMap((bits, index): readonly Case[] => {
      const base = at(2 + index);
      const value = base?.values[i];
      if (!base || !(value instanceof Float32Array) || value.length === 0) return [];
      const copy = value.slice();
      new Uint32Array(copy.buffer)[uniformInteger(stream, 0, copy.length - 1)] = bits;
      return [{ ...base, values: base.values.with(i, copy) }];
    });
  });
}
