/**
 * The operations of a decoder between its matrix products, in WebAssembly, each in llama2.c's order and rounded to
 * float32 at each step.
 *
 * Vectors are processed four numbers at a time: after their end they have room for three more numbers (arena.ts), whose content
 * does not matter.
 */
import { wasmFunction } from '../../wasm/function.ts';
import { f32, f32x4, i32, set, upTo, v128 } from '../../wasm/instructions.ts';

/** `rmsnorm(out, x, gain, count)`: gain_i · (r · x_i) with r = 1/√((Σ_j x_j²)/n + 10⁻⁵), summed from left to right. */
export const rmsnorm = wasmFunction('rmsnorm', {
  parameters: { out: 'i32', x: 'i32', gain: 'i32', count: 'i32' },
  locals: { at: 'i32', end: 'i32', sum: 'f32', scale: 'v128' },
  body: (v) => [
    set(v.at, v.x),
    set(v.end, i32.add(v.x, i32.shl(v.count, i32.const(2)))),
    upTo(v.at, v.end, 4, set(v.sum, f32.add(v.sum, f32.mul(f32.load(v.at), f32.load(v.at))))),
    set(v.sum, f32.add(f32.div(v.sum, f32.convertI32S(v.count)), f32.const(1e-5))),
    set(v.scale, f32x4.splat(f32.div(f32.const(1), f32.sqrt(v.sum)))),
    upTo(
      v.x,
      v.end,
      16,
      v128.store(v.out, f32x4.mul(v128.load(v.gain), f32x4.mul(v.scale, v128.load(v.x)))),
      set(v.out, i32.add(v.out, i32.const(16))),
      set(v.gain, i32.add(v.gain, i32.const(16))),
    ),
  ],
});

/** `add(x, y, count)`: x_i ← x_i + y_i. */
export const add = wasmFunction('add', {
  parameters: { x: 'i32', y: 'i32', count: 'i32' },
  locals: { end: 'i32' },
  body: (v) => [
    set(v.end, i32.add(v.x, i32.shl(v.count, i32.const(2)))),
    upTo(
      v.x,
      v.end,
      16,
      v128.store(v.x, f32x4.add(v128.load(v.x), v128.load(v.y))),
      set(v.y, i32.add(v.y, i32.const(16))),
    ),
  ],
});

/**
 * `rotate(x, cosines, sines, count)`: rotary positions. Of each pair (x_2i, x_2i+1) with angle θ_i it makes
 * (x_2i·cos θ_i − x_2i+1·sin θ_i, x_2i·sin θ_i + x_2i+1·cos θ_i).
 *
 * `cosines` holds each cos θ_i twice, `sines` −sin θ_i and sin θ_i: a − b and a + (−b) are one number.
 */
export const rotate = wasmFunction('rotate', {
  parameters: { x: 'i32', cosines: 'i32', sines: 'i32', count: 'i32' },
  locals: { end: 'i32', pairs: 'v128' },
  body: (v) => [
    set(v.end, i32.add(v.x, i32.shl(v.count, i32.const(2)))),
    upTo(
      v.x,
      v.end,
      16,
      set(v.pairs, v128.load(v.x)),
      v128.store(
        v.x,
        f32x4.add(
          f32x4.mul(v.pairs, v128.load(v.cosines)),
          f32x4.mul(f32x4.shuffle(v.pairs, v.pairs, [1, 0, 3, 2]), v128.load(v.sines)),
        ),
      ),
      set(v.cosines, i32.add(v.cosines, i32.const(16))),
      set(v.sines, i32.add(v.sines, i32.const(16))),
    ),
  ],
});
