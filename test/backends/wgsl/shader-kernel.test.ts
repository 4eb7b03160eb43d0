/**
 * Shaders on the software device that comes with Chromium: right ones in several styles, and each way to be wrong that only the
 * device shows. Where there is no device, the suite says so by name; in CI that is a failure.
 *
 * Holds src/backends/wgsl/shader-kernel.ts, src/backends/wgsl/shader-session.ts, src/backends/wgsl/shader-buffers.ts,
 * src/backends/wgsl/shader-conduct.ts, src/backends/gathered.ts.
 */
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { invariant } from '../../../src/base/invariant.ts';
import type { KernelFailure, KernelOutcome } from '../../../src/backends/backend.ts';
import { connectDawnAt } from '../../../src/backends/dawn-link.ts';
import { gpuBackend } from '../../../src/backends/gpu-kernel.ts';
import type { CaseValue } from '../../../src/math/compile/compiled.ts';
import { callFor } from '../../../src/subject/call.ts';
import { modelOf } from '../../support/models.ts';
import { flatSoftmax, shaderSubject, treeSoftmax } from '../../support/shaders.ts';

const webgpu = gpuBackend('webgpu', (...asked) => connectDawnAt(pathToFileURL('dist/cli/dawn.worker.js'), ...asked));
const softmax = modelOf('softmax', ['x: n'], 'n');

const ramp = (n: number): Float32Array => Float32Array.from({ length: n }, (_, i) => ((i * 37) % 11) / 4 - 1);

function softmaxOf(x: Float32Array): readonly number[] {
  const top = Math.max(...x);
  const sum = x.reduce((all, v) => all + Math.exp(v - top), 0);
  return Array.from(x, (v) => Math.exp(v - top) / sum);
}

interface Asked {
  readonly sizes: readonly number[];
  readonly values: readonly CaseValue[];
}

/** What a shader gives for some inputs, in one list; a failure to open is the only outcome. */
async function ran(
  text: string,
  asked: readonly Asked[],
  { model = softmax, keys = '' } = {},
): Promise<readonly KernelOutcome[]> {
  const { subject, diagnostics } = await shaderSubject(text, model, keys);
  expect(diagnostics).toEqual([]);
  invariant(subject, 'it was resolved');
  const opened = await webgpu.open(subject.program, 'swiftshader');
  if (!opened.ok) return [opened];
  const outcomes = await opened.kernel.run(asked.map(({ sizes, values }) => callFor(subject, model, sizes, values)));
  await opened.kernel.close();
  return outcomes;
}

const atSizes = (...sizes: readonly number[]): readonly Asked[] =>
  sizes.map((n) => ({ sizes: [n], values: [ramp(n)] }));

function expectClose(outcome: KernelOutcome | undefined, wanted: readonly number[]): void {
  expect(outcome).toMatchObject({ ok: true });
  invariant(outcome?.ok, 'it ran');
  expect(outcome.output.length).toBe(wanted.length);
  for (const [i, y] of outcome.output.entries()) expect(y).toBeCloseTo(wanted[i] ?? NaN, 4);
}

async function failureOf(text: string, keys = '', n = 70): Promise<KernelFailure> {
  const [outcome] = await ran(text, atSizes(n), { keys });
  invariant(outcome && !outcome.ok, 'it fails');
  return outcome.failure;
}

const probe = await webgpu.open(
  (await shaderSubject(treeSoftmax, softmax)).subject?.program ?? invariantFails(),
  'swiftshader',
);
if (probe.ok) await probe.kernel.close();
function invariantFails(): never {
  throw new Error('the shader of the probe does not resolve');
}

// Registered one way or the other, so that no test is counted as skipped.
describe('shaders on SwiftShader', () => {
  const checks = probe.ok ? [correctShaders, wrongShaders] : [withoutDevice];
  checks.forEach((register) => register());
});

function correctShaders(): void {
  it('correct: gives its results at every size, in lists of calls of one shape and of several', async () => {
    const asked = atSizes(1, 5, 5, 63, 64, 65, 100);
    for (const text of [treeSoftmax, flatSoftmax('probs[i] = y;')]) {
      const outcomes = await ran(text, asked);
      for (const [i, { values }] of asked.entries()) expectClose(outcomes[i], softmaxOf(values[0] as Float32Array));
    }
  });

  it('correct: may keep its sizes before its numbers, in structures that are longer than one number needs', async () => {
    const text = `struct Row { size: vec2<f32>, numbers: array<f32> }
@group(0) @binding(0) var<storage, read> given: Row;
@group(0) @binding(1) var<storage, read_write> result: Row;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let n = u32(given.size.y);
  if (id.x >= n) { return; }
  result.size = given.size;
  var top = given.numbers[0];
  for (var k = 1u; k < n; k++) { top = max(top, given.numbers[k]); }
  var sum = 0.0;
  for (var k = 0u; k < n; k++) { sum += exp(given.numbers[k] - top); }
  result.numbers[id.x] = exp(given.numbers[id.x] - top) / sum;
}`;
    const keys = 'variables: { given.size: [1, n], result.size: [1, n] }';
    const asked = atSizes(1, 2, 65);
    const outcomes = await ran(text, asked, { keys });
    for (const [i, { values }] of asked.entries()) expectClose(outcomes[i], softmaxOf(values[0] as Float32Array));
  });

  it('correct: may read vectors, constants of the pipeline, bits of whole numbers, and work in place', async () => {
    const text = `override width: u32;
@group(0) @binding(0) var<storage, read_write> data: array<vec4<f32>>;
@group(1) @binding(3) var<storage, read> mask: array<i32>;
@compute @workgroup_size(width) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&data)) { data[id.x] = data[id.x] * 2.0 + vec4<f32>(f32(mask[0])); }
}`;
    const model = modelOf('f', ['x: n', 'm: int n'], 'n');
    const keys = `variables: { width: 8, data: output = x, mask: m }\ndispatch: ['ceil(n / 32)']`;
    const asked = [{ sizes: [6], values: [ramp(6), Int32Array.of(-3, 0, 0, 0, 0, 0)] }];
    expectClose(
      (await ran(text, asked, { model, keys }))[0],
      Array.from(ramp(6), (v) => 2 * v - 3),
    );
  });

  it('correct: may be a product of matrices in tiles that are larger than its matrices', async () => {
    const text = `
struct Shape { dims: vec3<u32> }
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> shape: Shape;
var<workgroup> left: array<array<f32, 8>, 8>;
var<workgroup> right: array<array<f32, 8>, 8>;
@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) lid: vec3<u32>) {
  let m = shape.dims.x; let k = shape.dims.y; let n = shape.dims.z;
  var sum = 0.0;
  for (var tile = 0u; tile * 8u < k; tile++) {
    let column = tile * 8u + lid.x;
    let row = tile * 8u + lid.y;
    left[lid.y][lid.x] = select(0.0, a[min(id.y * k + column, m * k - 1u)], id.y < m && column < k);
    right[lid.y][lid.x] = select(0.0, b[min(row * n + id.x, k * n - 1u)], row < k && id.x < n);
    workgroupBarrier();
    for (var i = 0u; i < 8u; i++) { sum += left[lid.y][i] * right[i][lid.x]; }
    workgroupBarrier();
  }
  if (id.y < m && id.x < n) { c[id.y * n + id.x] = sum; }
}`;
    const model = modelOf('f', ['A: m k', 'B: k n'], 'm n');
    const keys = 'variables: { shape.dims: [m, k, n] }\ndispatch: [ceil(n / 8), ceil(m / 8)]';
    const [m, k, n] = [5, 11, 9];
    const [a, b] = [ramp(m * k), ramp(k * n)];
    const wanted = Array.from({ length: m * n }, (_, at) =>
      Array.from({ length: k }, (__, l) => (a[Math.floor(at / n) * k + l] ?? 0) * (b[l * n + (at % n)] ?? 0)).reduce(
        (x, y) => x + y,
        0,
      ),
    );
    expectClose((await ran(text, [{ sizes: [m, k, n], values: [a, b] }], { model, keys }))[0], wanted);
  });

  it('correct: is given NaN and infinities as they are', async () => {
    const text = flatSoftmax('probs[i] = bitcast<f32>(bitcast<u32>(logits[i]) & 0xff800000u);');
    const [outcome] = await ran(text, [{ sizes: [3], values: [Float32Array.of(-Infinity, 1.5, 2)] }]);
    expect(outcome).toMatchObject({ ok: true, output: Float32Array.of(-Infinity, 1, 2) });
  });
}

function wrongShaders(): void {
  it.each<[string, string, object, string?]>([
    [
      'that writes only its first element',
      flatSoftmax('if (i == 0u) { probs[i] = y; }'),
      { kind: 'threw', message: expect.stringContaining('did not write element 1') },
    ],
    [
      'that adds to what its output held',
      flatSoftmax('probs[i] += y;'),
      { kind: 'threw', message: expect.stringContaining('what its output held before') },
    ],
    [
      'that reads past the end of its input',
      flatSoftmax('probs[i] = y + logits[i + 1u] * 0.5;'),
      { kind: 'threw', message: expect.stringContaining('reads out of bounds') },
    ],
    [
      'that writes past the end of its result',
      flatSoftmax('probs[i] = y; if (i == 0u) { probs[n] = 1.0; }'),
      { kind: 'threw', message: expect.stringContaining('element 70 of `probs`') },
    ],
    [
      'that changes its input',
      flatSoftmax('probs[i] = y; logits[i] = 0.0;').replace('<storage, read> logits', '<storage, read_write> logits'),
      { kind: 'mutated-input', parameter: 'logits' },
      'variables: { probs: output, logits: x }',
    ],
    [
      'that the compiler refuses, with line and column',
      flatSoftmax('probs[i] = yy;'),
      { kind: 'refused', message: expect.stringMatching(/^18:14 unresolved value 'yy'/u) },
    ],
    [
      'whose workgroup is too large',
      treeSoftmax.replace('workgroup_size(64)', 'workgroup_size(4096)'),
      { kind: 'refused', message: expect.stringContaining('workgroup') },
    ],
    [
      'that is dispatched in halves',
      treeSoftmax,
      { kind: 'threw', message: expect.stringContaining('35.5') },
      'dispatch: [n / 2 + 1 / 2]',
    ],
    [
      'whose buffer is too short',
      treeSoftmax.replace('logits: array<f32>', 'logits: array<f32, 64>'),
      { kind: 'threw', message: expect.stringContaining('holds 64 numbers') },
    ],
    [
      'with a number that its type does not hold',
      treeSoftmax,
      { kind: 'threw', message: expect.stringContaining('holds u32') },
      'variables: { params.n: -n }',
    ],
  ])('wrong and named: %s', async (_, text, wanted, keys = '') => {
    expect(await failureOf(text, keys)).toMatchObject(wanted);
  });

  it('wrong: that counts on zeros: by its results', async () => {
    const text = flatSoftmax('probs[i] = select(0.0, y, probs[i] == 0.0);');
    expect(await ran(text, atSizes(3))).toMatchObject([{ ok: true, output: new Float32Array(3) }]);
  });

  it('wrong and named: that does not end: its input and its time, once, and others go on', async () => {
    const text = flatSoftmax(
      'probs[i] = y;',
      'if (n == 7u) { loop { probs[0] += 1.0; if (probs[0] < -1.0) { break; } } }',
    );
    const outcomes = await ran(text, atSizes(5, 6, 7, 8));
    expect(outcomes.map((outcome) => (outcome.ok ? 'ran' : outcome.failure.kind))).toEqual([
      'ran',
      'ran',
      'threw',
      'unsupported',
    ]);
    const again = await ran(text, atSizes(5));
    expect(again).toMatchObject([
      { ok: false, failure: { kind: 'unsupported', message: expect.stringContaining('not run again') } },
    ]);
    expectClose((await ran(treeSoftmax, atSizes(7)))[0], softmaxOf(ramp(7)));
  });
}

function withoutDevice(): void {
  it(`is a failure in CI: ${JSON.stringify(probe)}`, () => {
    expect(process.env['CI']).toBeUndefined();
  });
}
