/**
 * Holds src/trace/wasm/elementwise.ts, src/wasm/encode.ts, src/wasm/function.ts, src/wasm/instructions.ts,
 * src/trace/wasm/softmax.ts, src/trace/wasm/swiglu.ts.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { webAssembly } from '../../../src/host/web-assembly.ts';
import { encodeModule, signed, unsigned } from '../../../src/wasm/encode.ts';
import { wasmFunction } from '../../../src/wasm/function.ts';
import { f32, f32x4, i32, set } from '../../../src/wasm/instructions.ts';
import { kernelModule } from '../../../src/trace/wasm/kernels.ts';

/** The examples of the specification (5.2.2) and of Wikipedia's LEB128. */
test('whole numbers in seven bits a byte', () => {
  expect(unsigned(624_485)).toEqual([0xe5, 0x8e, 0x26]);
  expect(unsigned(2 ** 32 - 1)).toEqual([0xff, 0xff, 0xff, 0xff, 0x0f]);
  expect(signed(-123_456)).toEqual([0xc0, 0xbb, 0x78]);
  expect(signed(-(2 ** 31))).toEqual([0x80, 0x80, 0x80, 0x80, 0x78]);
  expect([signed(63), signed(64), signed(-64), signed(-65)]).toEqual([[0x3f], [0xc0, 0], [0x40], [0xbf, 0x7f]]);
});

test('constants reach WebAssembly as they are', () => {
  fc.assert(
    fc.property(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), (number) => {
      const memory = new webAssembly.Memory({ initial: 1, maximum: 1 });
      const store = wasmFunction('store', {
        parameters: { at: 'i32' },
        locals: {},
        body: ({ at }) => [f32.store(at, f32.convertI32S(i32.const(number)))],
      });
      const { exports } = new webAssembly.Instance(new webAssembly.Module(encodeModule([store])), { host: { memory } });
      if (typeof exports['store'] !== 'function') throw new Error('the module has no such function');
      exports['store'](8);
      expect(new Float32Array(memory.buffer)[2]).toBe(Math.fround(number));
    }),
  );
});

test('the kernels are a module of some kilobytes, which WebAssembly accepts', () => {
  expect(webAssembly.validate(kernelModule)).toBe(true);
  expect(kernelModule.length).toBeLessThan(4096);
});

test('WebAssembly refuses code whose types do not fit', () => {
  const mistaken = wasmFunction('mistaken', {
    parameters: { x: 'i32' },
    locals: { sum: 'f32' },
    body: (v) => [set(v.sum, f32x4.splat(v.x))],
  });
  expect(webAssembly.validate(encodeModule([mistaken]))).toBe(false);
});
