/**
 * Softmax of attention scores, in WebAssembly: s_t / d shifted by their maximum, exponentials summed from left to
 * right, then divided.
 */
import type { WasmFunction } from '../../wasm/encode.ts';
import { exponential, exponentialLocals } from './exponential.ts';
import { wasmFunction } from '../../wasm/function.ts';
import { f32, f32x4, i32, set, upTo, v128 } from '../../wasm/instructions.ts';

/**
 * `softmax(x, count, divisor)`, in place; `divisor` is √(head size).
 *
 * Up to three places after the end are made −∞ first: they change no maximum, and their exponentials add 0.
 */
export const softmax: WasmFunction = wasmFunction('softmax', {
  parameters: { x: 'i32', count: 'i32', divisor: 'f32' },
  locals: {
    at: 'i32',
    end: 'i32',
    vectorEnd: 'i32',
    scores: 'v128',
    divisors: 'v128',
    maximum: 'v128',
    sum: 'f32',
    ...exponentialLocals,
  },
  body: (v) => {
    const lanes = [0, 1, 2, 3] as const;
    return [
      set(v.end, i32.add(v.x, i32.shl(v.count, i32.const(2)))),
      set(v.vectorEnd, i32.add(v.x, i32.and(i32.add(i32.shl(v.count, i32.const(2)), i32.const(15)), i32.const(-16)))),
      upTo(v.end, v.vectorEnd, 4, f32.store(v.end, f32.const(-Infinity))),
      set(v.maximum, f32x4.const(-Infinity)),
      set(v.divisors, f32x4.splat(v.divisor)),
      set(v.at, v.x),
      upTo(
        v.at,
        v.vectorEnd,
        16,
        set(v.scores, f32x4.div(v128.load(v.at), v.divisors)),
        v128.store(v.at, v.scores),
        set(v.maximum, f32x4.pmax(v.maximum, v.scores)),
      ),
      set(v.maximum, f32x4.pmax(v.maximum, f32x4.shuffle(v.maximum, v.maximum, [2, 3, 0, 1]))),
      set(v.maximum, f32x4.pmax(v.maximum, f32x4.shuffle(v.maximum, v.maximum, [1, 0, 3, 2]))),
      set(v.at, v.x),
      upTo(
        v.at,
        v.vectorEnd,
        16,
        set(v.scores, exponential(v, f32x4.sub(v128.load(v.at), v.maximum))),
        v128.store(v.at, v.scores),
        ...lanes.map((lane) => set(v.sum, f32.add(v.sum, f32x4.lane(v.scores, lane)))),
      ),
      set(v.divisors, f32x4.splat(v.sum)),
      set(v.at, v.x),
      upTo(v.at, v.vectorEnd, 16, v128.store(v.at, f32x4.div(v128.load(v.at), v.divisors))),
    ];
  },
});
