/** Holds src/trace/wasm/arena.ts, src/trace/wasm/layer.ts, src/trace/wasm/plan.ts, src/trace/wasm/products.ts. */
import { expect, test } from 'vitest';
import { webAssembly, type WebAssemblyApi } from '../../../src/host/web-assembly.ts';
import type { Model } from '../../../src/trace/model/model.ts';
import { tinyModel } from '../../../src/trace/model/tiny-model.ts';
import { createFastEngine } from '../../../src/trace/wasm/fast.ts';
import { modelOf } from '../../support/llama-data.ts';

const model = modelOf(tinyModel(1).checkpoint);
const logits = createFastEngine(model).engine.forward(1, 0).slice();

test('a model runs in WebAssembly where that is possible', () => {
  expect(createFastEngine(model).fallback).toBeNull();
});

test.each<[string, WebAssemblyApi | null, string]>([
  ['no WebAssembly', null, 'There is no WebAssembly here'],
  ['no SIMD', { ...webAssembly, validate: () => false }, 'WebAssembly has no SIMD here'],
])('%s: the strict engine instead, and the reason', (_, api, reason) => {
  const { engine, fallback } = createFastEngine(model, api);
  expect(fallback?.code).toBe('PV-8090');
  expect(fallback?.message).toContain(reason);
  expect(engine.forward(1, 0)).toEqual(logits);
});

test('a model beyond 4 GiB is named with its size', () => {
  const long: Model = { ...model, config: { ...model.config, sequenceLength: 2 ** 25 } };
  const { engine, fallback } = createFastEngine(long);
  expect(fallback).toMatchObject({ code: 'PV-8091', expected: 'at most 65536 pages' });
  expect(fallback?.message).toMatch(/take \d+\.\d\d GiB, and WebAssembly has 4 GiB at most/);
  expect(engine.forward(1, 0)).toEqual(logits);
});

test('a system without enough memory is reported; other errors are passed on', () => {
  const failing = (error: Error): WebAssemblyApi => ({
    ...webAssembly,
    validate: () => true,
    Memory: class {
      readonly buffer = new ArrayBuffer(0);
      constructor() {
        throw error;
      }
    },
  });
  const { engine, fallback } = createFastEngine(model, failing(new RangeError('could not allocate memory')));
  expect(fallback).toMatchObject({ code: 'PV-8091' });
  expect(fallback?.message).toContain('the system does not give as much');
  expect(engine.forward(1, 0)).toEqual(logits);
  expect(() => createFastEngine(model, failing(new TypeError('else')))).toThrow('else');
});
