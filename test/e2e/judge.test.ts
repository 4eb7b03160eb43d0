/** Holds src/api/judge/judge.ts, src/api/judge/judged-subject.ts, src/api/judge/judgement.ts, src/cli/commands/judge.ts. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Judgement } from '../../src/api/judge/judgement.ts';
import { invariant } from '../../src/base/invariant.ts';
import { repositoryRoot } from '../support/built.ts';
import { contract, judged } from './judged/judged.ts';
import { rightKernels, softmaxText } from './judged/kernels.ts';
import { createProject, type Project } from './project.ts';

let made: Project | null = null;
beforeAll(async () => {
  made = await createProject({ 'package.json': '{ "type": "module" }' });
});
afterAll(() => made?.remove());

const project = (): Project => {
  invariant(made, 'it is made before the tests');
  return made;
};

describe('correct kernels', () => {
  it.each(rightKernels)('are correct: $name', async ({ file, text }) => {
    const { code, judgement, stderr } = await judged(project(), file, text);
    expect(judgement, stderr).toMatchObject({
      status: 'correct',
      cheats: [],
      score: { reward: 1, claims: 1, conduct: 1 },
    });
    expect(code).toBe(0);
  });

  // As processes, as people start them; the other judgements take place in this one.
  it.each([
    ['softmax.ts#softmax', 'softmax-kernel', 'softmax'],
    ['matmul.ts#matmul', 'matmul-kernel', 'matmul'],
    ['rope.ts#rope', 'rope-kernel', 'rope'],
    ['attention.ts#attention', 'attention-kernel', 'attention'],
    ['cross-entropy.ts#crossEntropy', 'cross-entropy-kernel', 'cross_entropy'],
  ])('of the project are correct: %s', async (kernel, name, equation) => {
    const file = join(repositoryRoot, 'src/kernels', kernel);
    const ran = await project().pv([
      'judge',
      file,
      '--contract',
      contract(name),
      '--equation',
      equation,
      '--cases',
      '300',
      '--json',
    ]);
    const judgement: Judgement = JSON.parse(ran.stdout);
    expect(judgement).toMatchObject({ status: 'correct', cheats: [] });
  });
});

describe('a default export', () => {
  const body =
    '(x, n) { const m = Math.max(...x), e = x.map((v) => Math.exp(v - m)), z = e.reduce((a, b) => a + b); return e.map((v) => v / z); }';
  it.each([
    ['softmax.cjs', `module.exports = function softmax${body};`],
    ['softmax.js', `module.exports = softmax;\nfunction softmax${body}`],
    ['softmax.mjs', `// export default softmax;\nexport default function ${body}`.replace('softmax;', 'it;')],
    [
      'softmax.ts',
      `export default function softmax${body.replace('(x, n)', '(x: Float32Array, n: number): Float32Array')}`,
    ],
    ['own.mjs', `// module.exports = softmax;\nexport function softmax${body}`],
  ])('is judged, and a comment is not one: %s', async (file, text) => {
    const { judgement, stderr } = await judged(project(), `src/default/${file}`, text);
    expect(judgement, stderr).toMatchObject({ status: 'correct' });
  });
});

describe('a script without the function', () => {
  it('is wrong, and does not cheat', async () => {
    const { judgement } = await judged(project(), 'src/none.mjs', 'export const softmax = 1;\n');
    expect(judgement).toMatchObject({
      status: 'wrong',
      cheats: [],
      reason: expect.stringContaining('softmax is not a function'),
    });
  });
});

describe('a kernel that is wrong only at large sizes that no contract names', () => {
  it('is wrong', async () => {
    const text = `export function softmax(x, n) {
  const m = x.reduce((a, b) => Math.max(a, b)), e = x.map((v) => Math.exp(v - m));
  const z = e.reduce((a, v, i) => (n > 64 && n !== 4096 && i >= n - (n % 4) ? a : a + v), 0);
  return e.map((v) => v / z);
}
`;
    const { judgement } = await judged(project(), 'src/rest.mjs', text);
    expect(judgement).toMatchObject({ status: 'wrong', cheats: [] });
  });
});

describe('a kernel whose parameters have the names of others', () => {
  it('is called as the equation says, and the order is named', async () => {
    const first = 'export function matmul(B: Float32Array, A: Float32Array, m: number, k: number, n: number)';
    await project().write('src/swapped.ts', `${first}: Float32Array {\n  return new Float32Array(m * n);\n}\n`);
    const args = ['judge', 'src/swapped.ts', '--contract', contract('matmul-kernel'), '--cases', '50'];
    const { stderr } = await project().run(args);
    expect(stderr).toContain('PV-5015');
    const row = 'contract: matmul-kernel-v1.yaml, equation: matmul, module_path: src/swapped.ts, function: matmul';
    const mended = /`(arguments: \[.*?\])` in the equation's row of a binding file, give that with --binding/.exec(
      stderr,
    );
    await project().write(
      'swapped.yaml',
      `version: "1"\ntarget: x\nbindings:\n  - { ${row}, ${mended?.[1]}, status: implemented }\n`,
    );
    expect((await project().run([...args, '--binding', 'swapped.yaml'])).stderr).not.toContain('PV-5015');
  });
});

describe('an equation whose claims need other equations', () => {
  const judgeValue = async (text: string): Promise<Judgement> => {
    await project().write('src/value.js', text);
    const args = ['--contract', contract('bf16-conversion-kernel'), '--equation', 'bfloat16_value', '--cases', '100'];
    const ran = await project().run(['judge', 'src/value.js#value', ...args, '--json']);
    return JSON.parse(ran.stdout);
  };
  const right = `export const value = (h) => new Float32Array(Uint32Array.from(h, (bits) => bits * 65536).buffer);\n`;

  it('is judged with their formulas in place of their kernels', async () => {
    const judgement = await judgeValue(right);
    const { killed, total } = judgement.scope.wrongKernels ?? { killed: 0, total: 0 };
    expect(judgement).toMatchObject({
      status: 'correct',
      scope: { byFormula: ['bfloat16_bits'], notJudged: [], wrongKernels: { triedAll: true } },
    });
    expect(total).toBeGreaterThan(100);
    expect(killed).toBe(total);
    expect(judgement.claims.map(({ id }) => id)).toContain('bf16-conversion-kernel-v1/BF-RT-001');
  });

  it.each([
    ['that gives zeros', 'export const value = (h) => new Float32Array(h.length);\n'],
    ['that flushes subnormals', right.replace('bits * 65536', '(bits & 0x7f80) === 0 ? 0 : bits * 65536')],
  ])('finds a kernel wrong %s', async (_, text) => {
    expect(await judgeValue(text)).toMatchObject({ status: 'wrong', score: { reward: 0 } });
  });
});

describe('an equation whose claims need one that is only declared', () => {
  const declared = `metadata: { version: "1.0.0", created: "2026-01-01", author: a, description: d, references: [r] }
equations:
  digest: { formula: "digest: F32^n → ℤ*", domain: "x ∈ F32^n, 1 ≤ n ≤ 4, |x_i| ≤ 10" }
  tagged: { formula: "tagged: F32^n → ℤ*", domain: "x ∈ F32^n, 1 ≤ n ≤ 4, |x_i| ≤ 10" }
proof_obligations:
  - { id: T-EQV-001, type: equivalence, property: The size comes first, formal: "tagged(x) = [n] ++ digest(x)" }
falsification_tests:
  - { id: FALSIFY-T-001, rule: T-EQV-001, prediction: "tagged(x)_0 = 1", given: "x ∈ {[0]}", if_fails: The size is missing }
`;
  const digest = `export const digest = (x) => { let h = 7; for (const v of x) h = (h * 31 + Math.floor(v * 4096) + 65536) % 1048573; return Array.from({ length: 10 }, (_, k) => (h >> k) % 4); };\n`;
  const tagged = `import { digest } from './digest.js';\nexport const tagged = (x) => [x.length, ...digest(x)];\n`;
  const row = (name: string): string =>
    `  - { contract: tagged-v1.yaml, equation: ${name}, module_path: src/${name}.js, function: ${name}, status: implemented }\n`;
  const judgeTagged = async (text: string, args: readonly string[]): Promise<Judgement> => {
    await project().write('tagged-v1.yaml', declared);
    await project().write('tagged.yaml', `version: "1"\ntarget: x\nbindings:\n${row('digest')}${row('tagged')}`);
    await project().write('src/digest.js', digest);
    await project().write('src/tagged.js', text);
    const asked = ['judge', 'src/tagged.js', '--contract', 'tagged-v1.yaml', '--equation', 'tagged', '--cases', '200'];
    const ran = await project().run([...asked, '--json', ...args]);
    return JSON.parse(ran.stdout);
  };

  it('is judged with the kernel that a binding names, which the scope names', async () => {
    expect(await judgeTagged(tagged, ['--binding', 'tagged.yaml'])).toMatchObject({
      status: 'correct',
      scope: { byBinding: ['digest'], byFormula: [], notJudged: [] },
      reproduce: expect.stringContaining('--binding tagged.yaml'),
    });
    expect(await judgeTagged(tagged, [])).toMatchObject({ scope: { byBinding: [], notJudged: ['T-EQV-001'] } });
  });

  it('finds a kernel wrong by it', async () => {
    const wrong = tagged.replace('digest(x)]', 'digest(x).map((h) => (h % 8 === 0 ? h + 1 : h))]');
    expect(await judgeTagged(wrong, ['--binding', 'tagged.yaml'])).toMatchObject({
      status: 'wrong',
      counterexample: { claim: expect.stringContaining('T-EQV-001') },
    });
  });

  // It keeps log-sum-exps of the kernel, whose last bit may differ from that of the formula.
  it('is judged with the kernels of equations that have formulas, where it needs both', async () => {
    const shipped = (path: string): string => join(repositoryRoot, path);
    const ran = await project().run([
      'judge',
      `${shipped('src/trace/subjects/recordings.ts')}#kept`,
      '--contract',
      contract('trace-recording'),
      '--equation',
      'kept',
      '--binding',
      shipped('contracts/binding.yaml'),
      '--cases',
      '60',
      '--json',
    ]);
    const judgement: Judgement = JSON.parse(ran.stdout);
    expect(judgement).toMatchObject({ status: 'correct', cheats: [], scope: { byFormula: [], notJudged: [] } });
    expect(judgement.scope.byBinding).toEqual(expect.arrayContaining(['finished', 'log_sum_exp']));
  });

  it('is not judged by a kernel that is missing', async () => {
    const text = tagged.replace(/^import.*/u, 'const digest = () => [];');
    const bound = await judgeTagged(text, ['--binding', 'tagged.yaml']);
    expect(bound.status).toBe('wrong');
    await project().write(
      'none.yaml',
      `version: "1"\ntarget: x\nbindings:\n${row('digest').replace('src/', 'no/')}${row('tagged')}`,
    );
    expect(await judgeTagged(tagged, ['--binding', 'none.yaml'])).toMatchObject({
      scope: { byBinding: [], notJudged: ['T-EQV-001'] },
    });
  });
});

describe('a claim that rounding decides', () => {
  const judgePenalty = async (sum: string): Promise<Judgement> => {
    const signature = 'theta: Float32Array, anchor: Float32Array, fisher: Float32Array, lambda: number';
    const body = `theta.forEach((v, i) => { s += (fisher[i] ?? 0) * (v - (anchor[i] ?? 0)) ** 2; });\n  return ${sum};`;
    const text = `export function penalty(${signature}): number {\n  let s = 0;\n  ${body}\n}\n`;
    await project().write('src/penalty.ts', text);
    const args = ['--contract', contract('elastic-weight-consolidation'), '--equation', 'consolidation_penalty'];
    const ran = await project().run([
      'judge',
      'src/penalty.ts#penalty',
      ...args,
      '--cases',
      '400',
      '--seed',
      '7',
      '--json',
    ]);
    return JSON.parse(ran.stdout);
  };

  // It demands the same bits of this equation and of another one, whose formula runs in float32.
  it('is not judged where a formula replaces a kernel', async () => {
    expect(await judgePenalty('(lambda / 2) * s')).toMatchObject({
      status: 'correct',
      scope: { byFormula: ['two_task_penalty'], notJudged: ['EWC-INV-002'] },
    });
    expect(await judgePenalty('lambda * s')).toMatchObject({ status: 'wrong' });
  });
});

describe('the accuracy of a kernel', () => {
  const byTanh = `export function sigmoidUnit(x: Float32Array): Float32Array {
  return x.map((v) => Math.fround(0.5 + 0.5 * Math.fround(Math.tanh(v / 2))));
}
`;
  const inHalf = `${byTanh.replace('Math.fround(0.5', 'half(0.5')}
const half = (v: number): number => Math.round(v * 2 ** 11) / 2 ** 11;
`;
  const judge = async (text: string, accuracy: string): Promise<Judgement> => {
    await project().write('src/sigmoid.ts', text);
    const ran = await project().run([
      'judge',
      'src/sigmoid.ts',
      '--contract',
      contract('activation-kernel'),
      '--equation',
      'sigmoid_unit',
      '--cases',
      '300',
      '--accuracy',
      accuracy,
      '--json',
    ]);
    return JSON.parse(ran.stdout);
  };
  const met = ({ claims }: Judgement): unknown => claims.find(({ id }) => id.endsWith('AC-EQV-004'))?.meets;

  it('is that of a library, although not strict: a sigmoid by tanh', async () => {
    expect(await judge(byTanh, 'library')).toMatchObject({ status: 'correct', scope: { accuracy: 'library' } });
    const strict = await judge(byTanh, 'strict');
    expect(strict).toMatchObject({ status: 'wrong', reproduce: expect.stringContaining('--accuracy strict') });
    expect(met(strict)).toBe('library');
  });

  it('is named where it is less, and a wrong kernel meets none', async () => {
    expect(met(await judge(inHalf, 'library'))).toBe('half');
    expect(met(await judge(byTanh.replace('v / 2', 'v / 3'), 'strict'))).toBeNull();
  });
});

describe('a contract that accepts wrong kernels', () => {
  const weak = (
    claim: string,
  ): string => `metadata: { version: "1.0.0", created: "2026-01-01", author: a, description: d, references: [r] }
equations:
  gate: { formula: "gate(x)_i = x_i / (1 + exp(-x_i))", domain: "x ∈ F32^n, 1 ≤ n ≤ 16, |x_i| ≤ 10" }
proof_obligations:
  - { id: W-BND-001, type: bound, property: a claim, ${claim} }
falsification_tests:
  - { id: FALSIFY-W-001, rule: W-BND-001, prediction: "gate(x)_0 ≤ 1", given: "x ∈ {[0]}", if_fails: wrong }
`;
  const equivalence = 'formal: "gate(x) ≈ gate_ref(x)", tolerance:';

  it.each([
    ['of a bound that anything satisfies', 'formal: "gate(x)_i ≤ 1e6"'],
    ['with a tolerance as large as the values', `${equivalence} { abs: 100 }`],
    ['with such a tolerance in the class of libraries', `${equivalence} { cond: 4, library: { abs: 100 } }`],
  ])('makes no kernel correct: one %s', async (_, claim) => {
    await project().write('weak-v1.yaml', weak(claim));
    await project().write(
      'src/gate.ts',
      'export const gate = (x: Float32Array): Float32Array => new Float32Array(x.length);\n',
    );
    const ran = await project().run(['judge', 'src/gate.ts', '--contract', 'weak-v1.yaml', '--cases', '200', '--json']);
    const judgement: Judgement = JSON.parse(ran.stdout);
    expect(judgement).toMatchObject({ status: 'undetermined', score: { reward: 0 } });
    const { killed, total } = judgement.scope.wrongKernels ?? { killed: 0, total: 0 };
    expect(killed).toBeLessThan(total);
    expect(ran.code).toBe(5);
    const { stdout } = await project().run(['judge', 'src/gate.ts', '--contract', 'weak-v1.yaml', '--cases', '200']);
    expect(stdout).toMatch(
      /^\? undetermined: .*\n  the contract is vacuous: its claims catch only \d+ of \d+ wrong variants of the formula\n/u,
    );
  });
});

describe('a judgement', () => {
  it('is the same for the same seed, and has another seed each time', async () => {
    const wrong = softmaxText('return right(x).map((v, i) => (i === 5 ? v * 1.01 : v));');
    const one = await judged(project(), 'src/softmax.ts', wrong, ['--seed', '7']);
    const two = await judged(project(), 'src/softmax.ts', wrong, ['--seed', '7']);
    expect(two.judgement.counterexample).toEqual(one.judgement.counterexample);
    expect(one.judgement).toMatchObject({ status: 'wrong', seed: 7, reproduce: expect.stringContaining('--seed 7') });
    const three = await judged(project(), 'src/softmax.ts', wrong);
    expect(three.judgement.seed).not.toBe(7);
  });

  it('of what is not a kernel says why', async () => {
    const { code, judgement } = await judged(project(), 'src/softmax.ts', 'export const softmax = 1;\n');
    expect(code).toBe(1);
    expect(judgement).toMatchObject({ status: 'wrong', reason: expect.stringContaining('PV-5010') });
  });

  it('needs a contract, a file and an equation that exist', async () => {
    for (const args of [
      ['judge', 'none.ts', '--contract', contract('softmax-kernel')],
      ['judge', 'src/softmax.ts', '--contract', 'no-such-contract'],
      ['judge', 'src/softmax.ts', '--contract', contract('activation-kernel'), '--equation', 'none'],
    ]) {
      const ran = await project().run(args);
      expect(ran.code).toBe(2);
      expect(ran.stderr).toContain('pv: ');
    }
  });
});
