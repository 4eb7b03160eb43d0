/**
 * `pv audit` on a compute shader, on the software device of Chromium: a right one passes the gate at L3 once its one equivalent mutant
 * is declared, a wrong one does not. Without a device the report says so, and so does this suite.
 *
 * Holds src/methods/wrong-kernels/shader-mutants.ts.
 */
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditJson, createProject, type Project } from './project.ts';

const silu = `@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) gid: vec3<u32>) {
  let i = gid.x;
  if (i >= arrayLength(&x)) { return; }
  let v = x[i];
  y[i] = v / (1.0 + exp(-v));
}
`;

const contract = `metadata:
  version: 1.0.0
  description: SiLU, as a compute shader
  references: ["Elfwing, Uchibe & Doya (2017), arXiv:1702.03118, section 2"]
equations:
  silu:
    formula: "SiLU(x)_i = x_i·sigmoid(x_i)"
    domain: "x ∈ F32^n, 1 ≤ n ≤ 16, |x_i| ≤ 1e4"
    codomain: "SiLU(x) ∈ F32^n"
proof_obligations:
  - id: SI-EQV-001
    type: equivalence
    property: The kernel computes the equation
    formal: "SiLU(x) ≈ SiLU_ref(x)"
    semantics: ieee
    tolerance: { cond: 4, abs: 1e-6, backends: { gpu: { cond: 1, envelope: wgsl } } }
    applies_to: silu
falsification_tests:
  - id: FALSIFY-SI-001
    rule: SI-EQV-001
    prediction: "SiLU(x)_i = 0"
    given: "x ∈ {[0, -0.0]}"
    if_fails: A constant is added
`;

const declared = (mutant: string): string => `qa_gate:
  id: QA-SI-001
  name: SiLU
  equivalent_mutants:
    - mutant: "${mutant}"
      equation: silu
      reason: One more invocation runs, past the end of both buffers, where WebGPU keeps every access inside them
`;

const guard = 'kernel:6:9 >= → >';

let project: Project | null = null;
beforeAll(async () => {
  project = await createProject({
    'package.json': '{ "type": "module" }',
    'contracts/binding.yaml':
      'bindings:\n  - contract: silu-kernel-v1\n    equation: silu\n    kind: wgsl\n    module_path: silu.wgsl\n    function: main\n    status: implemented\n',
  });
});
afterAll(() => project?.remove());

/** The audit of a shader; null without a device, which CI has. */
async function audited(shader: string, gate: string) {
  if (!project) throw new Error('there is no project');
  await project.write('silu.wgsl', shader);
  await project.write('contracts/silu-kernel-v1.yaml', contract + gate);
  const audit = await auditJson(project, ['--device', 'swiftshader', '--min-level', 'L3', '--cases', '10000']);
  const missing = /PV-503\d/u.exec(audit.stdout)?.[0];
  if (missing === undefined || missing === 'PV-5036') return audit;
  expect(process.env['CI'], `no device: ${missing}`).toBeUndefined();
  return null;
}

describe('pv audit on a shader', () => {
  it('passes at L3 when its equivalent mutant is declared with a reason', async () => {
    const audit = await audited(silu, declared(guard));
    if (!audit) return;
    expect(audit.report.contracts[0]).toMatchObject({ level: 'L3' });
    expect(audit.code).toBe(0);
  });

  it('names the mutant that survives when it is not', async () => {
    const audit = await audited(silu, '');
    if (!audit) return;
    expect(audit.code).toBe(1);
    expect(audit.stdout).toContain(guard);
  });

  it('refuses a declaration that a claim refutes', async () => {
    const audit = await audited(silu, declared('kernel:8:19 + → -'));
    if (!audit) return;
    expect(audit.code).toBe(1);
    expect(audit.stdout).toMatch(/PV-6008|PV-6010/u);
  });

  it('fails a shader that is wrong, whatever is declared', async () => {
    const audit = await audited(silu.replace('exp(-v)', 'exp(-1.01 * v)'), declared(guard));
    if (!audit) return;
    expect(audit.code).toBe(1);
    expect(audit.stdout).toContain('falsified');
  });
});
