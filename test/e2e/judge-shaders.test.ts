/**
 * `pv judge` on compute shaders: right ones of several styles, and cheats, on the software device of Chromium. Without a device, the
 * judgement says so, and so does this suite.
 *
 * Holds src/api/judge/judge-shader.ts, src/plan/refused-shader.ts, src/methods/wrong-kernels/shader-mutants.ts.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Judgement } from '../../src/api/judge/judgement.ts';
import { repositoryRoot } from '../support/built.ts';
import { flatSoftmax, treeSoftmax } from '../support/shaders.ts';
import { createProject, type Project } from './project.ts';

let project: Project | null = null;
beforeAll(async () => {
  project = await createProject({ 'package.json': '{ "type": "module" }' });
});
afterAll(() => project?.remove());

interface Judged {
  readonly code: number | null;
  readonly judgement: Judgement;
  readonly stderr: string;
}

async function judged(text: string, contract = 'softmax', args: readonly string[] = []): Promise<Judged> {
  if (!project) throw new Error('there is no project');
  await project.write('kernel.wgsl', text);
  const file = join(repositoryRoot, `contracts/${contract}-kernel-v1.yaml`);
  const cases = args.includes('--cases') ? [] : ['--cases', '40'];
  const flags = ['--device', 'swiftshader', ...cases, '--timeout', '120', '--json', ...args];
  const { code, stdout, stderr } = await project.run(['judge', 'kernel.wgsl', '--contract', file, ...flags]);
  return { code, judgement: JSON.parse(stdout), stderr };
}

/** The first judgement says whether there is a device, so every other waits for it. */
const first = beforeFirst();
async function beforeFirst(): Promise<() => Promise<Judged>> {
  let pending: Promise<Judged> | null = null;
  return () => (pending ??= judged(treeSoftmax));
}

const withoutDevice = ({ judgement }: Judged): boolean =>
  judgement.status === 'undetermined' && /PV-503\d/u.test(judgement.claims[0]?.reason ?? '');

/** True where there is a device; CI has one. */
async function hasDevice(): Promise<boolean> {
  const one = await (await first)();
  if (!withoutDevice(one)) return true;
  expect(process.env['CI'], `no device: ${one.judgement.claims[0]?.reason}`).toBeUndefined();
  return false;
}

const rmsNorm = `
struct Params { rows: u32, cols: u32, eps: f32 }
@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read> weight: array<f32>;
@group(0) @binding(2) var<storage, read_write> output: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;
const WG: u32 = 128u;
var<workgroup> part: array<f32, 128>;
@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) lid: vec3<u32>) {
  if (group.x >= params.rows) { return; }
  let start = group.x * params.cols;
  var squares = 0.0;
  for (var c = lid.x; c < params.cols; c += WG) { squares += input[start + c] * input[start + c]; }
  part[lid.x] = squares;
  workgroupBarrier();
  for (var stride = WG / 2u; stride > 0u; stride >>= 1u) {
    if (lid.x < stride) { part[lid.x] += part[lid.x + stride]; }
    workgroupBarrier();
  }
  let scale = inverseSqrt(part[0] / f32(params.cols) + params.eps);
  for (var c = lid.x; c < params.cols; c += WG) { output[start + c] = input[start + c] * scale * weight[c]; }
}
`;

describe('correct shaders', () => {
  it('are correct: a softmax in one workgroup, with the device in the scope', async () => {
    if (!(await hasDevice())) return;
    const { code, judgement } = await (await first)();
    expect(judgement).toMatchObject({ status: 'correct', cheats: [], score: { reward: 1 } });
    expect(judgement.scope.device).toMatch(/swiftshader/iu);
    expect(code).toBe(0);
  });

  it('are called as a binding says: RMSNorm by rows', async () => {
    if (!(await hasDevice())) return;
    await project?.write(
      'binding.yaml',
      'bindings:\n  - contract: rmsnorm-kernel-v1\n    equation: rmsnorm\n    kind: wgsl\n    module_path: kernel.wgsl\n    function: main\n    status: implemented\n    variables: { params.rows: 1, params.cols: n, params.eps: ε }\n    dispatch: [1]\n',
    );
    const { judgement } = await judged(rmsNorm, 'rmsnorm', ['--binding', 'binding.yaml']);
    expect(judgement).toMatchObject({ status: 'correct', cheats: [] });
    expect(judgement.reproduce).toContain('--binding binding.yaml --device swiftshader');
  });
});

describe('wrong shaders and cheats', () => {
  it.each<[string, string, string, string | null]>([
    [
      'that special-case a size',
      flatSoftmax('if (n == 97u || n < 3u) { probs[i] = 1.0 / f32(n); } else { probs[i] = y; }'),
      'wrong',
      null,
    ],
    ['that write only their first element', flatSoftmax('if (i == 0u) { probs[i] = y; }'), 'wrong', null],
    [
      'that read what an earlier dispatch left',
      flatSoftmax('probs[i] = y + probs[i] - probs[i];', 'if (i < n && probs[i] > 0.5) { return; }'),
      'cheats',
      'depends-on-history',
    ],
    ['that count on zeros', flatSoftmax('probs[i] = select(0.0, y, probs[i] == 0.0);'), 'wrong', null],
    ['without a barrier', treeSoftmax.replaceAll('workgroupBarrier();', ''), 'wrong', null],
    ['with their maximum left out', treeSoftmax.replaceAll('- top', ''), 'wrong', null],
  ])('%s', async (_, text, status, cheat) => {
    if (!(await hasDevice())) return;
    const { code, judgement } = await judged(text);
    expect(code).toBe(1);
    expect(judgement.score.reward).toBe(0);
    if (cheat === null) expect(['wrong', 'cheats']).toContain(judgement.status);
    else expect(judgement).toMatchObject({ status, cheats: [{ kind: cheat }] });
  });

  it('of layer normalisation, as docs/found-in-the-wild.md has it, lose what rows of nearly equal numbers differ by', async () => {
    if (!(await hasDevice())) return;
    const page = await readFile(join(repositoryRoot, 'docs/found-in-the-wild.md'), 'utf8');
    const text = /```wgsl\n([^`]+)```/u.exec(page)?.[1] ?? '';
    const { judgement } = await judged(text, 'layernorm', ['--equation', 'layernorm', '--seed', '2', '--cases', '150']);
    expect(judgement.status).toBe('wrong');
    expect(judgement.claims.find(({ id }) => id.endsWith('LN-EQV-001'))?.verdict).toBe('falsified');
  });

  it('that do not compile are wrong, with their place', async () => {
    if (!(await hasDevice())) return;
    const { code, judgement, stderr } = await judged(flatSoftmax('probs[i] = yy;'));
    expect(code).toBe(1);
    expect(judgement).toMatchObject({
      status: 'wrong',
      reason: expect.stringContaining("PV-5036: unresolved value 'yy'"),
    });
    expect(stderr).toContain('kernel.wgsl:18:14');
  });

  it('are undetermined, and not wrong, where nothing says what a variable holds', async () => {
    const text = treeSoftmax.replace('n: u32', 'n: u32, stride: u32');
    expect(text).not.toBe(treeSoftmax);
    const { code, judgement } = await judged(text);
    expect(code).toBe(5);
    expect(judgement).toMatchObject({
      status: 'undetermined',
      reason: 'PV-5037: nothing says what `params.stride` holds',
      score: { reward: 0 },
      claims: [],
    });
  });

  it('that do not end cost their time once, and name their input', async () => {
    if (!(await hasDevice())) return;
    const endless = flatSoftmax(
      'probs[i] = y;',
      'if (n > 1u) { loop { probs[0] += 1.0; if (probs[0] < -1.0) { break; } } }',
    );
    const { code, judgement } = await judged(endless);
    expect(code).toBe(1);
    expect(judgement.status).toBe('wrong');
    expect(judgement.counterexample?.explanation).toContain('did not end within 5 s');
  });
});
