/**
 * expf of four numbers at once, with the bits of src/numeric/elementary32/exp.ts: its float64 operations in its order,
 * two lanes at a time.
 */
import { exp32Constants, exp32Table } from '../../numeric/elementary32/exp.ts';
import type { Code, Local } from '../../wasm/encode.ts';
import { f32x4, f64x2, i32, i32x4, i64x2, set, v128, type Operand } from '../../wasm/instructions.ts';

/** Locals that an expansion of {@link exponential} needs. */
export const exponentialLocals = {
  argument: 'v128',
  scaled: 'v128',
  rounded: 'v128',
  rest: 'v128',
  power: 'v128',
} as const;

type Variables = Readonly<Record<keyof typeof exponentialLocals, Local>>;

/** Where the code expects {@link exp32Table} in memory: at its beginning. */
export const exponentialTableAddress = 0;

const { perUnit, shift, cubic, quadratic, linear, smallest, largest } = exp32Constants;
const entries = exp32Table.length;

/** exp of the first two float32 of `x`, rounded to float32, before two zeros. */
function two(v: Variables, x: Operand): Code {
  const entry = (lane: 0 | 2): Code =>
    i32.shl(i32.and(i32x4.lane(v.rounded, lane), i32.const(entries - 1)), i32.const(3));
  const square = f64x2.mul(v.rest, v.rest);
  const upper = f64x2.add(f64x2.mul(f64x2.const(cubic), v.rest), f64x2.const(quadratic));
  const lower = f64x2.add(f64x2.mul(f64x2.const(linear), v.rest), f64x2.const(1));
  return [
    ...set(v.scaled, f64x2.mul(f64x2.const(perUnit), f64x2.promote(x))),
    ...set(v.rounded, f64x2.add(v.scaled, f64x2.const(shift))),
    ...set(v.rest, f64x2.sub(v.scaled, f64x2.sub(v.rounded, f64x2.const(shift)))),
    ...set(v.power, v128.load64Lane(entry(2), v128.load64Zero(entry(0), exponentialTableAddress), 1)),
    ...set(v.power, i64x2.add(v.power, i64x2.shl(v.rounded, i32.const(52 - Math.log2(entries))))),
    ...f32x4.demote(f64x2.mul(f64x2.add(f64x2.mul(upper, square), lower), v.power)),
  ];
}

/** exp in each lane; `x` is worked out once. */
export function exponential(v: Variables, x: Code): Code {
  const first = two(v, v.argument);
  const second = two(v, f32x4.shuffle(v.argument, v.argument, [2, 3, 2, 3]));
  return [
    ...set(v.argument, x),
    ...v128.bitselect(
      f32x4.const(Infinity),
      v128.andNot(f32x4.shuffle(first, second, [0, 1, 4, 5]), f32x4.lt(v.argument, f32x4.const(smallest))),
      f32x4.gt(v.argument, f32x4.const(largest)),
    ),
  ];
}
