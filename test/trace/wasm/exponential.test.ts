import { expect, test } from 'vitest';
import { exp32, exp32Table } from '../../../src/numeric/elementary32/exp.ts';
import { float32FromBits } from '../../../src/numeric/float.ts';
import { webAssembly } from '../../../src/host/web-assembly.ts';
import { encodeModule } from '../../../src/wasm/encode.ts';
import { exponential, exponentialLocals, exponentialTableAddress } from '../../../src/trace/wasm/exponential.ts';
import { wasmFunction } from '../../../src/wasm/function.ts';
import { upTo, v128 } from '../../../src/wasm/instructions.ts';
import { bits } from './room.ts';

/** exp of each number, in place: nothing but the expansion in a loop. */
const exponentials = wasmFunction('exponentials', {
  parameters: { x: 'i32', end: 'i32' },
  locals: exponentialLocals,
  body: (v) => [upTo(v.x, v.end, 16, v128.store(v.x, exponential(v, v128.load(v.x))))],
});

function allOf(x: Float32Array): Float32Array {
  const memory = new webAssembly.Memory({ initial: 8, maximum: 8 });
  const module = new webAssembly.Module(encodeModule([exponentials]));
  const run = new webAssembly.Instance(module, { host: { memory } }).exports['exponentials'];
  if (typeof run !== 'function') throw new Error('the module has no such function');
  new BigUint64Array(memory.buffer, exponentialTableAddress).set(exp32Table);
  const place = new Float32Array(memory.buffer, 1024, x.length);
  place.set(x);
  run(1024, 1024 + x.byteLength);
  return place.slice();
}

test('one float32 of 20,011, from 0 to all bits set', () => {
  const inputs = Float32Array.from({ length: 4 * 53_656 }, (_, i) => float32FromBits((i * 20_011) >>> 0)).slice(
    0,
    100_000,
  );
  expect(bits(allOf(inputs))).toEqual(bits(inputs.map(exp32)));
});

test('the edges: zeros, ∞, NaN, overflow and underflow', () => {
  const { largest, smallest } = { largest: 88.72283172607422, smallest: -103.97207641601562 };
  const near = (x: number): readonly number[] => [-2, -1, 0, 1, 2].map((ulps) => x + ulps * 2 ** -17);
  const edges = [0, -0, Infinity, -Infinity, Number.NaN, 2 ** -149, -(2 ** -149), ...near(largest), ...near(smallest)];
  const inputs = Float32Array.from([...edges, ...near(-87.33654), ...near(-103.27893), 1, -1]);
  const padded = Float32Array.from({ length: Math.ceil(inputs.length / 4) * 4 }, (_, i) => inputs[i] ?? 0);
  expect(bits(allOf(padded))).toEqual(bits(padded.map(exp32)));
  expect(allOf(Float32Array.of(largest, 88.7229, smallest, -104))).toEqual(
    Float32Array.of(exp32(largest), Infinity, exp32(smallest), 0),
  );
});
