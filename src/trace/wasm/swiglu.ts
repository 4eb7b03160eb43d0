/** The gate of the feed-forward layer, in WebAssembly. */
import type { WasmFunction } from '../../wasm/encode.ts';
import { exponential, exponentialLocals } from './exponential.ts';
import { wasmFunction } from '../../wasm/function.ts';
import { f32x4, i32, set, upTo, v128 } from '../../wasm/instructions.ts';

/** `swiglu(gate, up, count)`: gate_i ← (gate_i · (1/(1 + exp(−gate_i)))) · up_i. */
export const swiglu: WasmFunction = wasmFunction('swiglu', {
  parameters: { gate: 'i32', up: 'i32', count: 'i32' },
  locals: { end: 'i32', x: 'v128', sigmoid: 'v128', ...exponentialLocals },
  body: (v) => [
    set(v.end, i32.add(v.gate, i32.shl(v.count, i32.const(2)))),
    upTo(
      v.gate,
      v.end,
      16,
      set(v.x, v128.load(v.gate)),
      set(v.sigmoid, f32x4.div(f32x4.const(1), f32x4.add(f32x4.const(1), exponential(v, f32x4.neg(v.x))))),
      v128.store(v.gate, f32x4.mul(f32x4.mul(v.x, v.sigmoid), v128.load(v.up))),
      set(v.up, i32.add(v.up, i32.const(16))),
    ),
  ],
});
