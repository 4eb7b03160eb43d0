/** Holds src/subject/wgsl/plan-shader.ts, src/subject/wgsl/resolve-shader.ts, src/subject/wgsl/layout.ts, src/subject/wgsl/declarations.ts. */
import { describe, expect, it } from 'vitest';
import { positionAt } from '../../../src/diagnostics/source.ts';
import { modelOf } from '../../support/models.ts';
import { shaderSubject, treeSoftmax } from '../../support/shaders.ts';

const softmax = modelOf('softmax', ['x: n'], 'n');
const main = '@compute @workgroup_size(16) fn main() {}';
const out = '@group(0) @binding(9) var<storage, read_write> out: array<f32>;';
const shader = (...lines: readonly string[]): string => [...lines, main].join('\n');

async function planned(text: string, model = softmax, keys = '') {
  const { subject, diagnostics } = await shaderSubject(text, model, keys);
  expect(diagnostics.map(({ message }) => message)).toEqual([]);
  const plan = subject?.program.shader;
  const names = subject?.program.parameters.map(({ name }) => name);
  return { plan, names, fields: plan?.buffers.flatMap(({ fields }) => fields) };
}

describe('the variables of a shader', () => {
  it('are filled by order where their names say nothing', async () => {
    const { fields, names, plan } = await planned(treeSoftmax);
    expect(names).toEqual(['n', 'x']);
    expect(fields?.map(({ path, source }) => [path, source])).toEqual([
      ['params.n', { kind: 'argument', index: 0 }],
      ['logits', { kind: 'argument', index: 1 }],
      ['probs', { kind: 'output', from: null }],
    ]);
    expect(plan).toMatchObject({ dispatch: null, invocations: 64, constants: [], asksLength: false });
  });

  it('are filled by name, Greek letters spelled out, whatever their order', async () => {
    const norm = modelOf('norm', ['x: n', 'γ: n', 'ε'], 'n');
    const text = shader(
      'struct P { eps: f32, n: u32 }',
      '@group(1) @binding(0) var<uniform> p: P;',
      '@group(0) @binding(0) var<storage> gamma: array<f32>;',
      '@group(0) @binding(1) var<storage, read> x: array<vec4<f32>>;',
      out,
    );
    const { fields, names } = await planned(text, norm);
    expect(names).toEqual(['ε', 'n', 'γ', 'x']);
    expect(fields?.[3]).toMatchObject({ path: 'x', components: 4, stride: 4, length: null });
  });

  it('are filled as the binding says: expressions, components of a vector, constants of the pipeline', async () => {
    const text = shader(
      'override block: u32;',
      '@id(7) override half: u32 = 3;',
      'struct P { pad: f32, shape: vec3<u32>, inner: Q }',
      'struct Q { scale: f32 }',
      '@group(0) @binding(0) var<uniform> p: P;',
      '@group(0) @binding(1) var<storage, read> a: array<f32, 128>;',
      out,
    );
    const keys = `variables: { a: x, p.pad: 0, p.shape: [1, n, '2·n'], p.inner.scale: 1 / 2, block: n, half: 'ceil(n / 2)' }\ndispatch: [ceil(n / 16), '1']`;
    const { fields, names, plan } = await planned(text, softmax, keys);
    expect(names).toEqual(['0', '1', 'n', '2·n', '1 / 2', 'x', 'ceil(n / 2)', 'ceil(n / 16)']);
    expect(fields?.map(({ path, offset }) => [path, offset])).toEqual([
      ['p.pad', 0],
      ['p.shape', 4],
      ['p.inner.scale', 7],
      ['a', 0],
      ['out', 0],
    ]);
    expect(plan?.constants).toEqual([
      { key: 'block', index: 2 },
      { key: '7', index: 6 },
    ]);
    expect(plan?.dispatch).toEqual([7, 1]);
  });

  it('hold the only tensor without a buffer where the result goes: in place', async () => {
    const text = shader('@group(0) @binding(0) var<storage, read_write> data: array<f32>;');
    const { fields } = await planned(text);
    expect(fields).toMatchObject([{ path: 'data', source: { kind: 'output', from: 0 } }]);
  });
});

describe('a shader does not fit its equation', () => {
  it.each([
    [
      'without an entry point of that name',
      '@compute @workgroup_size(1) fn mian() {}',
      'binding.yaml:6',
      'no compute entry point `main`',
    ],
    [
      'without a buffer for the result',
      shader('@group(0) @binding(0) var<storage, read> x: array<f32>;'),
      'k.wgsl:1',
      'no buffer that it can write',
    ],
    [
      'with two results',
      shader(out.replace('out', 'a'), out.replace('out', 'b').replace('9', '8')),
      'k.wgsl:2',
      'which of them is the result?',
    ],
    [
      'with a number that nothing says',
      shader(
        '@group(0) @binding(0) var<uniform> p: vec2<u32>;',
        '@group(0) @binding(1) var<storage, read> x: array<f32>;',
        out,
      ),
      'k.wgsl:1',
      'nothing says what `p` holds',
    ],
    [
      'with a number beside buffers of vectors, which may count either',
      shader(
        '@group(0) @binding(0) var<uniform> size: u32;',
        '@group(0) @binding(1) var<storage, read> x: array<vec4<f32>>;',
        out,
      ),
      'k.wgsl:1',
      'nothing says what `size` holds',
    ],
    [
      'with a type that pv does not fill',
      shader('@group(0) @binding(1) var<storage, read> x: array<f16>;', out),
      'k.wgsl:1',
      '`x` is an array of f16',
    ],
    ['with a texture', shader('@group(0) @binding(1) var t: texture_2d<f32>;', out), 'k.wgsl:1', '`t` is not a buffer'],
    [
      'with a workgroup of a size that a constant of the pipeline decides, and no dispatch',
      `override size: u32 = 64;\n@group(0) @binding(1) var<storage, read> x: array<f32>;\n${out}\n@compute @workgroup_size(size) fn main() {}`,
      'k.wgsl:4',
      'nothing says how many workgroups run',
    ],
  ])('%s', async (_, text, place, message) => {
    const { subject, diagnostics } = await shaderSubject(text, softmax);
    expect(subject).toBeUndefined();
    const [found] = diagnostics;
    expect(found?.code).toBe('PV-5037');
    expect(found?.message).toContain(message);
    const span = found?.span;
    expect(span && `${span.source.path}:${positionAt(span.source, span.range.start).line}`).toBe(place);
  });

  it('with several variables that nothing says, all in one message', async () => {
    const many = Array.from({ length: 8 }, (_, i) => `m${i}: u32`).join(', ');
    const text = shader(`struct P { ${many} }`, '@group(0) @binding(0) var<uniform> p: P;', out);
    const { diagnostics } = await shaderSubject(text, softmax);
    expect(diagnostics).toMatchObject([
      {
        message: 'nothing says what `p.m0`, `p.m1`, `p.m2`, `p.m3`, `p.m4`, `p.m5` and 2 more hold',
        hint: expect.stringContaining('variables: { p.m0: …, p.m1: …, '),
      },
    ]);
  });

  it('with a variable that the binding fills and the shader does not have, or a kind that is not that of its file', async () => {
    const found = await shaderSubject(treeSoftmax, softmax, 'variables: { logit: x }');
    expect(found.diagnostics).toMatchObject([{ code: 'PV-5037', message: expect.stringContaining('`logit`') }]);
    const other = await shaderSubject(treeSoftmax, softmax, 'variables: [x]');
    expect(other.diagnostics).toMatchObject([{ code: 'PV-5004' }]);
    for (const keys of ['variables: { logits: }', 'variables: { logits: [] }', 'variables: { logits: { x: n } }'])
      expect((await shaderSubject(treeSoftmax, softmax, keys)).diagnostics).toMatchObject([{ code: 'PV-5004' }]);
    const kind = await shaderSubject(treeSoftmax, softmax, '', 'function');
    expect(kind.diagnostics).toMatchObject([
      { code: 'PV-5007', message: expect.stringContaining('the kind is function') },
    ]);
  });

  it('that is text of anything: hostile nesting costs no time', async () => {
    const wide = Array.from(
      { length: 9 },
      (_, i) =>
        `struct S${i} { ${'abcdefghijklmnop'
          .split('')
          .map((name) => `${name}: S${i + 1}`)
          .join(', ')} }`,
    );
    const texts = [
      'array<'.repeat(50_000),
      '/*'.repeat(100_000),
      shader(`@group(0) @binding(0) var<storage, read> x: ${'array<'.repeat(10_000)}f32;`, out),
      shader(...wide, 'struct S9 { x: f32 }', '@group(0) @binding(0) var<storage, read> x: S0;', out),
      shader('struct A { a: A }', '@group(0) @binding(0) var<storage, read> x: A;', out),
      shader('alias A = B; alias B = A;', '@group(0) @binding(0) var<storage, read> x: A;', out),
    ];
    for (const text of texts) {
      const { subject, diagnostics } = await shaderSubject(text, softmax);
      expect(subject).toBeUndefined();
      expect(diagnostics).toMatchObject([{ code: 'PV-5037' }]);
    }
  });
});
