/** WebAssembly modules through `pv judge` and `pv audit`, in the processes that run plain functions. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Judgement } from '../../src/api/judge/judgement.ts';
import { invariant } from '../../src/base/invariant.ts';
import { f32, i32 } from '../../src/wasm/instructions.ts';
import { moduleOf, relu, type HandWritten, type ModuleParts } from '../support/wasm-modules.ts';
import { contract } from './judged/judged.ts';
import { auditJson, createProject, type Project } from './project.ts';

const own = `metadata: { version: 1.0.0, description: The rectifier, references: ["Nair & Hinton (2010), section 2"] }
equations:
  relu: { formula: "R(x)_i = max(0, x_i)", domain: "x ∈ F32^n, 1 ≤ n ≤ 16, |x_i| ≤ 1e4", codomain: "R(x) ∈ F32^n" }
proof_obligations:
  - { id: RE-EQV-001, type: equivalence, property: The kernel computes the equation, formal: "R(x) = R_ref(x)", applies_to: relu }
falsification_tests:
  - { id: FALSIFY-RE-001, rule: RE-EQV-001, prediction: "R(x)_i = 0", given: "x ∈ {[-1, -2]}", if_fails: Negative values pass }
`;
const binding = `version: "1"
target: rectifiers
bindings:
  - { contract: relu-v1, equation: relu, kind: wasm, module_path: relu.wasm, function: relu, status: implemented }
`;

let made: Project | null = null;
beforeAll(async () => {
  made = await createProject({
    'package.json': '{ "type": "module" }',
    'contracts/relu-v1.yaml': own,
    'contracts/binding.yaml': binding,
  });
});
afterAll(() => made?.remove());

const project = (): Project => {
  invariant(made, 'it is made before the tests');
  return made;
};

async function judge(
  kernel: HandWritten,
  parts: ModuleParts = {},
  args: readonly string[] = [],
): Promise<{ readonly code: number | null; readonly judgement: Judgement }> {
  await writeFile(join(project().folder, 'relu.wasm'), moduleOf([kernel], parts));
  const asked = [
    '--contract',
    contract('activation-kernel'),
    '--equation',
    'relu',
    '--cases',
    '200',
    '--json',
    ...args,
  ];
  const { code, stdout } = await project().run(['judge', 'relu.wasm', ...asked]);
  return { code, judgement: JSON.parse(stdout) };
}

/** The rectifier, which counts its calls in the memory of the module, and gives zeros after `most`. */
const counted = (most: number): HandWritten => {
  const at = i32.const(16);
  const isEarly = [...f32.load(at), ...f32.const(most), 0x5d];
  const oneOrZero = [...f32.const(1), ...f32.const(0), ...isEarly, 0x1b];
  return relu(
    (value) => f32.mul([...value, ...f32.const(0), 0x97], oneOrZero),
    () => f32.store(at, f32.add(f32.load(at), f32.const(1))),
  );
};

const running = (body: readonly number[]): HandWritten => ({
  name: 'relu',
  parameters: ['i32', 'i32', 'i32'],
  locals: 1,
  body: [0x03, 0x40, ...body, 0x0c, 0, 0x0b],
});

describe('a WebAssembly module', () => {
  it('is correct where it computes the equation', async () => {
    const { code, judgement } = await judge(relu());
    expect(judgement).toMatchObject({ status: 'correct', cheats: [], notes: [], score: { reward: 1 } });
    expect(code).toBe(0);
  });

  it('is wrong where it does not', async () => {
    const { code, judgement } = await judge(relu((value) => f32.mul(value, f32.const(0.5))));
    expect(judgement).toMatchObject({ status: 'wrong', cheats: [], counterexample: { claim: expect.any(String) } });
    expect(code).toBe(1);
    const traps = await judge(relu(() => [0x00]));
    expect(traps.judgement.counterexample?.explanation).toContain('it threw: unreachable');
  });

  it('cheats where its memory keeps a count, or takes all memory', async () => {
    const found = await judge(counted(150));
    expect(found.judgement).toMatchObject({ status: 'cheats', cheats: [{ kind: 'depends-on-history' }] });
    // 100 pages more each time, all of them written.
    const taken = [...i32.const(100), 0x40, 0, 0x21, 3, 0x20, 3, ...i32.const(16), 0x74];
    const filled = [...i32.const(1), ...i32.const(100 * 65_536), 0xfc, 0x0b, 0];
    const hungry = await judge(running([...taken, ...filled]));
    expect(hungry.judgement).toMatchObject({ status: 'cheats', cheats: [{ kind: 'exhausts-memory' }] });
  });

  it('costs its time once where it hangs', async () => {
    const { judgement } = await judge(running([]), {}, ['--timeout', '2']);
    expect(judgement).toMatchObject({ status: 'wrong', reason: expect.stringContaining('did not return within 2 s') });
  });

  it('gets no imports', async () => {
    const { judgement } = await judge(relu(), { imports: ['wasi_snapshot_preview1.random_get'] });
    const reason = expect.stringMatching(/PV-5038: .*imports `wasi_snapshot_preview1.random_get`/u);
    expect(judgement).toMatchObject({ status: 'wrong', reason });
  });

  it('passes an audit or fails it, as a function does', async () => {
    await writeFile(join(project().folder, 'relu.wasm'), moduleOf([relu()]));
    const right = await auditJson(project(), ['--cases', '500']);
    expect(right.code, right.stderr).toBe(0);
    await writeFile(join(project().folder, 'relu.wasm'), moduleOf([relu((value) => value)]));
    const wrong = await auditJson(project(), ['--cases', '500']);
    expect(wrong.code).toBe(1);
    expect(JSON.stringify(wrong.report)).toContain('R(x) = R_ref(x)');
  });
});
