import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  auditJson,
  createProject,
  doubling,
  doublingBinding,
  doublingProject,
  rightKernel,
  threadKernelText,
  type Project,
} from './project.ts';

// Whole processes, on machines that do other things too.
let project: Project | null = null;
afterEach(async () => {
  await project?.remove();
  project = null;
});

const strict = JSON.stringify({
  compilerOptions: {
    strict: true,
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023'],
    noEmit: true,
    skipLibCheck: true,
    types: [],
    noUnusedLocals: true,
    noUnusedParameters: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noImplicitOverride: true,
    noPropertyAccessFromIndexSignature: true,
    verbatimModuleSyntax: true,
  },
  include: ['generated', 'src'],
});
const around = { 'tsconfig.json': strict, 'package.json': '{ "type": "module", "private": true }\n' };

async function typeProblems(made: Project): Promise<string> {
  return (await made.tool('typescript/bin/tsc', ['-p', '.'])).stdout;
}

/** Every generated file by its path. */
async function generated({ folder, read }: Project): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(join(folder, 'generated'), { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  return new Map(
    await Promise.all(files.toSorted().map(async (path): Promise<[string, string]> => [path, await read(path)])),
  );
}

const vitest = (made: Project) =>
  made.tool('vitest/vitest.mjs', ['run', '--reporter=json', '--pool=threads', '--no-isolate', '--root', made.folder]);
interface Tested {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}
const results = (stdout: string): Tested => JSON.parse(stdout.slice(stdout.indexOf('{')));
const messages = (tested: Tested): string =>
  tested.testResults
    .flatMap(({ assertionResults }) => assertionResults.flatMap(({ failureMessages }) => failureMessages))
    .join('\n');

describe('generated files', () => {
  it('are the same however the contract is named, and --check agrees', async () => {
    project = await doublingProject(rightKernel, around);
    const { run } = project;
    expect(await run(['generate', 'contracts', '--check'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('PV-7001'),
    });
    expect((await run(['generate', 'contracts'])).code).toBe(0);
    const first = await generated(project);
    expect([...first.keys()]).toEqual([
      'generated/double-v1/falsification.test.ts',
      'generated/double-v1/goals/db-eqv-001.ts',
      'generated/double-v1/goals/falsify-db-001.ts',
      'generated/double-v1/interface.ts',
      'generated/double-v1/kernels/double-v1.double.ts',
      'generated/double-v1/property.test.ts',
    ]);
    for (const path of [
      './contracts/',
      join(project.folder, 'contracts', 'double-v1.yaml'),
      'contracts/../contracts',
    ]) {
      const again = await run(['generate', path, '--force']);
      expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('6 unchanged') });
    }
    expect(await generated(project)).toEqual(first);
    expect((await run(['generate', 'contracts', '--check'])).code).toBe(0);
    expect([...first.values()].join('')).not.toContain(project.folder);
  });

  it('are never overwritten once somebody has edited them, unless forced', async () => {
    project = await doublingProject(rightKernel, around);
    const { run, read, write } = project;
    await run(['generate', 'contracts']);
    const path = 'generated/double-v1/property.test.ts';
    const original = await read(path);
    await write(path, original.replaceAll('\n', '\r\n'));
    expect(await run(['generate', 'contracts', '--check'])).toMatchObject({ code: 0 });
    await write(path, `${original}// mine\n`);
    expect(await run(['generate', 'contracts'])).toMatchObject({ code: 1, stderr: expect.stringContaining('PV-7002') });
    expect(await read(path)).toContain('// mine');
    expect((await run(['generate', 'contracts', '--force'])).code).toBe(0);
    expect(await read(path)).toBe(original);
  });
});

describe('generated files that nothing generates any more', () => {
  it('are reported by --check, removed while they are as written, and kept once edited', async () => {
    project = await doublingProject(rightKernel, around);
    const { run, read, write } = project;
    await run(['generate', 'contracts']);
    await write('contracts/twice-v1.yaml', await read('contracts/double-v1.yaml'));
    await write('contracts/binding.yaml', (await read('contracts/binding.yaml')).replace('double-v1', 'twice-v1'));
    await rm(join(project.folder, 'contracts/double-v1.yaml'));
    await write('generated/mine.ts', '// mine\n');
    await mkdir(join(project.folder, 'generated/empty'));
    const edited = 'generated/double-v1/interface.ts';
    await write(edited, `${await read(edited)}// mine\n`);
    const checked = await run(['generate', 'contracts', '--check']);
    expect(checked.code).toBe(1);
    expect(checked.stderr.match(/error\[PV-7004\]/g)).toHaveLength(6);
    // A part of the files says nothing about the others.
    expect((await run(['scaffold', 'contracts'])).stdout).not.toContain('removed');
    const ran = await run(['generate', 'contracts']);
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('was changed by hand, so it is kept') });
    expect(ran.stdout.match(/^removed generated\/double-v1\//gm)).toHaveLength(5);
    // Folders that held nothing else go with their files; one that was there for another reason stays.
    expect(await readdir(join(project.folder, 'generated/double-v1'))).toEqual(['interface.ts']);
    const left = [...(await generated(project)).keys()].filter((path) => !path.includes('twice-v1'));
    expect(left).toEqual([edited, 'generated/mine.ts']);
    expect((await run(['generate', 'contracts', '--force'])).stdout).toContain(`removed ${edited}`);
    expect(await readdir(join(project.folder, 'generated'))).toEqual(['empty', 'mine.ts', 'twice-v1']);
    expect((await run(['generate', 'contracts', '--check'])).code).toBe(0);
  });
});

describe('generated tests', () => {
  it('pass on the right kernel and fail on a wrong one, with the input and the command', async () => {
    project = await doublingProject(rightKernel, around);
    await project.run(['generate', 'contracts']);
    expect(await typeProblems(project)).toBe('');
    expect(results((await vitest(project)).stdout)).toMatchObject({ numPassedTests: 2, numFailedTests: 0 });
    await project.write('src/double.ts', threadKernelText('return 2.001 * (x[this.thread.x] as number);'));
    const outdated = results((await vitest(project)).stdout);
    expect(outdated).toMatchObject({ numPassedTests: 0, numFailedTests: 2 });
    expect(messages(outdated)).toContain('the kernel is another than when this test was generated');
    await project.run(['generate', 'contracts']);
    const failed = results((await vitest(project)).stdout);
    expect(failed).toMatchObject({ numPassedTests: 0, numFailedTests: 2 });
    expect(messages(failed)).toContain(
      'pv audit contracts/double-v1.yaml --binding contracts/binding.yaml --claim DB-EQV-001 --seed 1 --fresh',
    );
    await project.write(
      'src/double.ts',
      rightKernel.replace('x: readonly number[]', 'x: string').replace('2 * (x[this.thread.x] as number)', '2'),
    );
    expect(await typeProblems(project)).toContain('property.test.ts');
  });

  it('catch what goes wrong only in float32, as pv does', async () => {
    const normalized = `metadata: { version: "1.0.0", description: Signs, references: [a] }
equations:
  sign:
    formula: "S(x)_i = { x_i / sqrt(x_i·x_i) if x_i ≠ 0; 0 otherwise }"
    domain: "x ∈ F32^n, 1 ≤ n ≤ 16, |x_i| ≤ 1e30"
proof_obligations:
  - id: SG-1
    type: bound
    property: A sign has no more than size one
    formal: "|S(x)_i| ≤ 1"
falsification_tests:
  - id: FALSIFY-SG-1
    rule: SG-1
    prediction: "S(x)_0 = 1"
    given: "x ∈ {[1e25]}"
    if_fails: The square overflows
`;
    // In doubles the square of 1e25 is a number like any other.
    const kernel = `import type { KernelThread } from 'provable-contracts/runtime';
export function sign(this: KernelThread, x: readonly number[]): number {
  const value = (x[this.thread.x] as number);
  if (value === 0) { return 0; }
  return value / Math.sqrt(value * value);
}
`;
    project = await createProject({
      'contracts/sign-v1.yaml': normalized,
      'contracts/binding.yaml': doublingBinding('    backends: [ref32]\n').replaceAll('double', 'sign'),
      'src/sign.ts': kernel,
      ...around,
    });
    const { report } = await auditJson(project);
    expect(report.contracts[0]?.claims.find(({ id }) => id === 'FALSIFY-SG-1')?.verdict).toBe('falsified');
    await project.run(['generate', 'contracts']);
    expect(await typeProblems(project)).toBe('');
    const failed = results((await vitest(project)).stdout);
    expect(failed.numFailedTests).toBeGreaterThan(0);
    expect(messages(failed)).toContain('x = [1e25]');
    expect(messages(failed)).toContain('sign(…) = [0]');
  });

  it('run functions that return promises', async () => {
    const kernel = (factor: number): string =>
      `export async function double(x: Float32Array): Promise<Float32Array> {\n  return x.map((value) => ${factor} * value);\n}\n`;
    project = await doublingProject(kernel(2), around);
    await project.run(['generate', 'contracts']);
    expect(await typeProblems(project)).toBe('');
    expect(results((await vitest(project)).stdout)).toMatchObject({ numPassedTests: 2, numFailedTests: 0 });
    await project.write('src/double.ts', kernel(3));
    expect(results((await vitest(project)).stdout)).toMatchObject({ numPassedTests: 0, numFailedTests: 2 });
  });

  it('of what is unbound fail and say what to bind', async () => {
    project = await createProject({ 'contracts/double-v1.yaml': doubling, ...around });
    expect((await project.run(['scaffold', 'contracts'])).code).toBe(0);
    expect(await typeProblems(project)).toBe('');
    const tested = results((await vitest(project)).stdout);
    expect(tested).toMatchObject({ numPassedTests: 0, numFailedTests: 2 });
    expect(messages(tested)).toContain('double is not bound: write the kernel, add a row for it to binding.yaml');
    expect((await project.run(['probar', 'contracts'])).code).toBe(2);
  });

  it('call kernels as their bindings say', async () => {
    const affine = `metadata: { version: "1.0.0", description: Affine, references: [a] }
equations:
  affine:
    formula: "A(x, a, b)_i = a·x_i + b"
    domain: "x ∈ F32^n, a ∈ F32, b ∈ F32, 1 ≤ n ≤ 16, |x_i| ≤ 100, |a| ≤ 2, |b| ≤ 2"
proof_obligations:
  - id: AF-1
    type: equivalence
    property: It is the equation
    formal: "A(x, a, b) ≈ A_ref(x, a, b)"
    tolerance: { ulp: 1, cond: 4 }
    applies_to: affine
  - id: AF-2
    type: bound
    property: Nothing at zero but b
    formal: "A(x, 0, b)_i = b"
    applies_to: affine
`;
    const kernel = `export function affine(b: number, doubled: number, x: Float32Array, n: number): Float32Array {
  return Float32Array.from({ length: n }, (_, i) => (doubled / 2) * (x[i] ?? 0) + b);
}
`;
    const binding = `version: "1.0.0"
bindings:
  - contract: affine-v1.yaml
    equation: affine
    module_path: src/affine.ts
    function: affine
    arguments: [b, 2·a, x, n]
`;
    project = await createProject({
      'contracts/affine-v1.yaml': affine,
      'contracts/binding.yaml': binding,
      'src/affine.ts': kernel,
      ...around,
    });
    expect((await project.run(['audit', 'contracts'])).code).toBe(0);
    expect((await project.run(['generate', 'contracts'])).code).toBe(0);
    expect(await typeProblems(project)).toBe('');
    expect(results((await vitest(project)).stdout)).toMatchObject({ numPassedTests: 2, numFailedTests: 0 });
    await project.write('contracts/binding.yaml', binding.replace('[b, 2·a', '[a, 2·b'));
    await project.run(['generate', 'contracts']);
    expect(results((await vitest(project)).stdout)).toMatchObject({ numFailedTests: 2 });
    expect((await project.run(['audit', 'contracts'])).code).toBe(1);
  });

  it('stay whole whatever a contract is called and says', async () => {
    const evil = `*/ process.exit(9); /* \`\${process.exit(9)}\` \\" ' \u2028 \u2029 --> </script> // @ts-nocheck`;
    const yamlText = JSON.stringify(evil);
    const hostile = `metadata: { version: "1.0.0", description: ${yamlText}, references: [${yamlText}] }
equations:
  __proto__:
    formula: "P(x)_i = 2·x_i"
    domain: "x ∈ F32^n, 1 ≤ n ≤ 4, |x_i| ≤ 9"
  constructor:
    formula: "C(x)_i = 3·x_i"
    domain: "x ∈ F32^n, 1 ≤ n ≤ 4, |x_i| ≤ 9"
  class:
    formula: ${yamlText}
proof_obligations:
  - id: A-1
    type: equivalence
    property: ${yamlText}
    formal: "P(x) ≈ P_ref(x)"
    tolerance: { ulp: 0.5 }
  - id: a 1
    type: equivalence
    property: One
    formal: "C(x) ≈ C_ref(x)"
    tolerance: { ulp: 0.5 }
  - id: "*/ evil"
    type: bound
    property: Two
    formal: "C(x)_i ≤ 27 ∧ C(x)_i ≥ -27"
  - id: prose
    type: bound
    property: ${yamlText}
    formal: ${yamlText}
falsification_tests:
  - id: constructor
    rule: A-1
    prediction: "P(x)_0 = -0.0"
    given: "x ∈ {[-0.0]}"
    if_fails: ${yamlText}
`;
    const kernels = `import type { KernelThread } from 'provable-contracts/runtime';
export function test(this: KernelThread, x: readonly number[]): number {
  return 2 * (x[this.thread.x] as number);
}
export function kernels(this: KernelThread, x: readonly number[]): number {
  return 3 * (x[this.thread.x] as number);
}
`;
    const row = (equation: string, name: string): string =>
      `  - { contract: odd-v1, equation: ${equation}, module_path: src/odd.ts, function: ${name}, backends: [ref32] }\n`;
    project = await createProject({
      'contracts/odd-v1.yaml': hostile,
      'contracts/binding.yaml': `version: "1.0.0"\nbindings:\n${row('__proto__', 'test')}${row('constructor', 'kernels')}`,
      'src/odd.ts': kernels,
      ...around,
    });
    // The formulas that are prose are no error; what stands in them must not become one.
    expect(await project.run(['generate', 'contracts'])).toMatchObject({ code: 0 });
    const files = await generated(project);
    expect([...files.keys()].filter((path) => path.includes('goals/'))).toEqual([
      'generated/odd-v1/goals/a-1-2.ts',
      'generated/odd-v1/goals/a-1.ts',
      'generated/odd-v1/goals/constructor.ts',
      'generated/odd-v1/goals/evil.ts',
    ]);
    expect(await typeProblems(project)).toBe('');
    const tested = results((await vitest(project)).stdout);
    // Nobody can make prose pass, so it is left to do and not red.
    expect(messages(tested)).not.toContain('Error');
    expect(tested).toMatchObject({ numPassedTests: 4, numFailedTests: 0, numTodoTests: 1 });
  });
});
