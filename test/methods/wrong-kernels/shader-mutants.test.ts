import { describe, expect, it } from 'vitest';
import { invariant } from '../../../src/base/invariant.ts';
import { shaderMutants } from '../../../src/methods/wrong-kernels/shader-mutants.ts';
import { modelOf } from '../../support/models.ts';
import { shaderSubject } from '../../support/shaders.ts';

async function mutantsOf(body: string, before = '') {
  const text = `@group(0) @binding(0) var<storage, read_write> x: array<f32>;\n${before}\n@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {\n${body}\n}`;
  const { subject } = await shaderSubject(text, modelOf('f', ['x: n'], 'n'));
  invariant(subject, 'it is resolved');
  return { text, mutants: shaderMutants(subject.program) };
}

describe('mutants of a shader', () => {
  it('change one token of a function, and are named by its place', async () => {
    const { mutants, text } = await mutantsOf(
      'if (id.x >= 7u) { return; }\nworkgroupBarrier();\nvar v: vec2<f32> = vec2<f32>(-x[id.x], max(0.5, -3.4e38));\nx[id.x] = v.x - 1.0;',
      'const n = 5u;',
    );
    expect(mutants.map(({ id }) => id)).toEqual([
      'kernel:4:8 x → y',
      'kernel:4:10 >= → >',
      'kernel:4:13 7u → 8u',
      'kernel:5:1 without workgroupBarrier();',
      'kernel:6:36 x → y',
      'kernel:6:40 max → min',
      'kernel:6:44 0.5 → 0.495',
      'kernel:6:50 3.4e38 → 0.0',
      'kernel:7:6 x → y',
      'kernel:7:13 x → y',
      'kernel:7:15 - → +',
      'kernel:7:17 1.0 → 2.0',
    ]);
    expect(new Set([text, ...mutants.map(({ program }) => program.source)]).size).toBe(mutants.length + 1);
    expect(new Set(mutants.map(({ program }) => program.sourceHash)).size).toBe(mutants.length);
  });

  it('of a long shader are as many as compile in time, from all of it', async () => {
    const { mutants } = await mutantsOf(Array.from({ length: 200 }, () => 'x[0] = x[0] + 0.5;').join('\n'));
    expect(mutants.length).toBe(32);
    expect(mutants.at(-1)?.place.line).toBeGreaterThan(190);
  });
});
