/** Holds src/backends/wasm-function.ts. */
import { describe, expect, it } from 'vitest';
import { functionBackend } from '../../src/backends/function-kernel.ts';
import type { KernelOutcome } from '../../src/backends/backend.ts';
import { invariant } from '../../src/base/invariant.ts';
import type { EquationModel } from '../../src/contract/goal.ts';
import type { CaseValue } from '../../src/math/compile/compiled.ts';
import { callFor } from '../../src/subject/call.ts';
import { f32, i32, set } from '../../src/wasm/instructions.ts';
import { modelOf } from '../support/models.ts';
import { axpy, moduleOf, relu, wasmSubject, type HandWritten, type ModuleParts } from '../support/wasm-modules.ts';

const reluModel = modelOf('relu', ['x: n'], 'n');
const axpyModel = modelOf('axpy', ['a:', 'x: n', 'y: n'], 'n');

interface Asked {
  readonly keys?: string;
  readonly parts?: ModuleParts;
}

/** What a module gives for inputs one after another. */
async function ran(
  functions: readonly HandWritten[],
  model: EquationModel,
  inputs: readonly (readonly CaseValue[])[],
  { keys = '', parts = {} }: Asked = {},
): Promise<readonly KernelOutcome[]> {
  const { subject, diagnostics } = await wasmSubject(moduleOf(functions, parts), model, keys);
  expect(diagnostics).toEqual([]);
  invariant(subject, 'it was resolved');
  const opened = await functionBackend.open(subject.program);
  if (!opened.ok) return [opened];
  const sizeOf = (values: readonly CaseValue[]): number =>
    values.reduce<number>((n, value) => (typeof value === 'object' ? value.length : n), 0);
  return opened.kernel.run(
    inputs.map((values) =>
      callFor(
        subject,
        model,
        model.sizes.map(() => sizeOf(values)),
        values,
      ),
    ),
  );
}

const ramp = (n: number): Float32Array => Float32Array.from({ length: n }, (_, i) => i - n / 2);
const message = (outcome: KernelOutcome | undefined): string =>
  outcome && !outcome.ok && 'message' in outcome.failure ? `${outcome.failure.kind}: ${outcome.failure.message}` : '';

describe('a function of a WebAssembly module', () => {
  it('computes in the memory of its module, at every size', async () => {
    const inputs = [1, 7, 64, 40_000, 3, 100_000].map((n) => [ramp(n)]);
    const outcomes = await ran([relu()], reluModel, inputs);
    for (const [i, [x]] of inputs.entries())
      expect(outcomes[i]).toEqual({ ok: true, output: x?.map((v) => Math.max(0, v)) });
  });

  it('works in place, and takes numbers in the types of its parameters', async () => {
    const y = Float32Array.of(1, 2, 3);
    const outcomes = await ran([axpy], axpyModel, [[0.5, Float32Array.of(2, 4, 6), y]], {
      keys: 'arguments: [x, output = y, n, a]',
    });
    expect(outcomes).toEqual([{ ok: true, output: Float32Array.of(2, 4, 6) }]);
    expect(y).toEqual(Float32Array.of(1, 2, 3));
  });

  it('may return a number, and give whole ones', async () => {
    const first: HandWritten = {
      name: 'first',
      parameters: ['i32'],
      results: ['f64'],
      body: [0x20, 0, 0x2a, 0, 0, 0xbb],
    };
    expect(await ran([first], modelOf('first', ['x: n'], ''), [[Float32Array.of(2.5, 1)]])).toEqual([
      { ok: true, output: Float64Array.of(2.5) },
    ]);
    const wide: HandWritten = { name: 'wide', parameters: ['i64'], results: ['i64'], body: [0x20, 0] };
    expect(await ran([wide], modelOf('wide', ['k: int'], 'int'), [[7]])).toEqual([
      { ok: true, output: Float64Array.of(7) },
    ]);
    const copy: HandWritten = {
      name: 'copy',
      parameters: ['i32', 'i32', 'i32'],
      // memory.copy
      body: [0x20, 1, 0x20, 0, 0x20, 2, 0x41, 2, 0x74, 0xfc, 10, 0, 0],
    };
    expect(await ran([copy], modelOf('copy', ['x: int n'], 'int n'), [[Int32Array.of(-7, 2 ** 30)]])).toEqual([
      { ok: true, output: Float64Array.of(-7, 2 ** 30) },
    ]);
  });

  it('is prepared once, and may keep its own memory', async () => {
    const at = i32.const(16);
    const prepare: HandWritten = { name: '_initialize', parameters: [], body: f32.store(at, f32.const(2)) };
    const scaled = relu((value) => f32.mul(value, f32.load(at)));
    const outcomes = await ran([scaled, prepare], reluModel, [[ramp(4)], [ramp(50_000)]]);
    expect(outcomes).toEqual([4, 50_000].map((n) => ({ ok: true, output: ramp(n).map((v) => 2 * v) })));
  });

  it('may take all memory that there is for its own, as allocators do that begin late', async () => {
    // A scratch value behind the first page, and a mark at the end of the memory.
    const scratch = i32.const(70_000);
    const end = i32.sub(i32.shl([0x3f, 0], i32.const(16)), i32.const(4));
    const kernel = relu(
      (value) => [...f32.store(scratch, value), ...f32.load(scratch)],
      () => f32.store(end, f32.const(1)),
    );
    const inputs = [3, 20_000].map((n) => [ramp(n)]);
    expect(await ran([kernel], reluModel, inputs)).toEqual(inputs.map(([x]) => ({ ok: true, output: x })));
  });

  it('may say itself where there is room', async () => {
    const next = [0x41, 8, 0x28, 2, 0];
    // The next free address is at 8, and the first is 1,024.
    const chosen = [0x41, 8, ...next, 0x45, 0x04, 0x7f, ...i32.const(1024), 0x05, ...next, 0x0b];
    const kept = [0x20, 0, 0x6a, 0x36, 2, 0];
    const given = [...next, 0x20, 0, 0x6b];
    const bump: HandWritten = {
      name: 'malloc',
      parameters: ['i32'],
      results: ['i32'],
      body: [...chosen, ...kept, ...given],
    };
    const inputs = [2, 100, 5].map((n) => [ramp(n)]);
    const outcomes = await ran([relu(), bump], reluModel, inputs, { parts: { memory: [1, 1] } });
    expect(outcomes).toEqual(inputs.map(([x]) => ({ ok: true, output: x?.map((v) => Math.max(0, v)) })));
    const none: HandWritten = { ...bump, body: i32.const(0) };
    const [refused] = await ran([relu(), none], reluModel, inputs, { parts: { memory: [1, 1] } });
    expect(message(refused)).toMatch(/^unsupported: its memory has no room/u);
  });

  it.each<[string, HandWritten, RegExp]>([
    ['traps', relu((value) => [0x00, ...value]), /^threw: unreachable/u],
    ['reads beyond the memory', relu(() => f32.load(i32.const(-4))), /^threw: memory access out of bounds/u],
    [
      'writes beyond its result',
      relu(undefined, ([, y]) => f32.store(y, f32.const(1), 16)),
      /^threw: it wrote outside of its tensors/u,
    ],
    [
      'writes before its input',
      relu(
        (value) => value,
        ([x, , n]) => [
          ...set(x, i32.sub(x, i32.shl(n, i32.const(2)))),
          ...f32.store(i32.sub(x, i32.const(4)), f32.const(1)),
        ],
      ),
      /^threw: it wrote outside/u,
    ],
  ])('fails when it %s', async (_, kernel, expected) => {
    expect(message((await ran([kernel], reluModel, [[ramp(4)]]))[0])).toMatch(expected);
  });

  it('shows what it leaves unwritten, and what it does to its inputs', async () => {
    const nothing: HandWritten = { name: 'relu', parameters: ['i32', 'i32', 'i32'], body: [] };
    expect(await ran([nothing], reluModel, [[ramp(2)]])).toEqual([{ ok: true, output: Float32Array.of(NaN, NaN) }]);
    const [changed] = await ran(
      [
        relu(
          (value) => value,
          ([x]) => f32.store(i32.sub(x, i32.const(4)), f32.const(9)),
        ),
      ],
      reluModel,
      [[ramp(4)]],
    );
    expect(changed).toEqual({ ok: false, failure: { kind: 'mutated-input', parameter: 'x' } });
  });

  it('is not called with what its types or its memory cannot hold', async () => {
    const half: HandWritten = { name: 'half', parameters: ['i32'], results: ['f32'], body: f32.const(0) };
    const [refused] = await ran([half], modelOf('half', ['a:'], ''), [[0.5]]);
    expect(message(refused)).toBe('unsupported: parameter 1 cannot hold its value');
    const [small, large] = await ran([relu()], reluModel, [[ramp(4)], [ramp(40_000)]], { parts: { memory: [1, 2] } });
    expect(small?.ok).toBe(true);
    expect(message(large)).toMatch(/^unsupported: its memory has no room for \d+ bytes more/u);
  });

  it('fails to open where preparing it traps', async () => {
    const prepare: HandWritten = { name: '_initialize', parameters: [], body: [0x00] };
    const [outcome] = await ran([relu(), prepare], reluModel, []);
    expect(message(outcome)).toMatch(/^threw: unreachable/u);
  });
});
