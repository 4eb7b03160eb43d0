import { once } from 'node:events';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import type { ClaimReport } from '../../src/report/report.ts';
import {
  auditJson,
  createProject,
  doubling,
  doublingBinding,
  doublingProject,
  installed,
  threadKernelText,
  type Project,
} from './project.ts';

// Whole processes, on machines that do other things too.
/** Kernels that do not do what they should: each is a verdict or a finding with a code, never a crash of pv. */
let project: Project | null = null;
afterEach(async () => {
  await project?.remove();
  project = null;
});

const functionText = (body: string, signature = 'x: Float32Array): Float32Array'): string =>
  `export function double(${signature} {\n  ${body}\n}\n`;
/** What a strict project without Node's types has to declare. */
const globals = `declare const process: {
  exit(code: number): never; kill(pid: number, signal: string): void; pid: number;
  send?: (message: object) => void;
  getBuiltinModule(name: string): { serialize(value: unknown): Uint8Array; writeSync(file: number, bytes: object): void } };
declare const setTimeout: (run: () => void, ms: number) => void;
`;
/** To pv, as its own code there says it. */
const says = `const { serialize } = process.getBuiltinModule('node:v8');\n  const say = (answers: unknown) => process._send(serialize(answers));\n  `;
const right = 'x.map((value) => 2 * value)';

/** Misbehaviour shows on the first cases. */
const fewCases = ['--cases', '100'] as const;

async function audited(kernel: string, rows = '', args: readonly string[] = fewCases) {
  project = await doublingProject(kernel, {}, rows);
  const ran = await auditJson(project, args);
  const claims = new Map(
    ran.report.contracts.flatMap(({ claims: all }) => all.map((claim): [string, ClaimReport] => [claim.id, claim])),
  );
  return { ...ran, property: claims.get('DB-EQV-001'), test: claims.get('FALSIFY-DB-001') };
}

describe('plain functions', () => {
  it('that are right pass', async () => {
    const { code, report } = await audited(functionText(`return ${right};`), '', []);
    expect(report.gate).toMatchObject({ passed: true, reasons: [] });
    expect(code).toBe(0);
    expect(report.contracts[0]).toMatchObject({
      verdict: 'tested',
      level: 'L3',
      sound: true,
      declared: 2,
      evaluated: 2,
    });
  });

  it.each([
    ['throws', "throw new Error('out of cheese');", 'it threw: out of cheese'],
    ['returns a wrong shape', 'return new Float32Array(x.length + 1);', 'its output should have shape'],
    ['returns NaN', 'return x.map(() => NaN);', 'NaN'],
    ['changes its input', `const y = ${right}; x[0] = 7; return y;`, 'it changed its input x'],
    ['is wrong for one element', `return x.map((value, i) => (i === 1 ? value : 2 * value));`, 'FALSIFY'],
  ])('that %s are falsified', async (what, body, reason) => {
    const { code, property, test, stdout, stderr } = await audited(functionText(body));
    expect(code).toBe(1);
    expect(property, what).toMatchObject({ verdict: 'falsified', level: 'L0' });
    expect(test).toMatchObject({ verdict: 'falsified' });
    if (reason !== 'FALSIFY') expect(property?.reason).toContain(reason);
    expect(property?.counterexample?.input.values).toHaveProperty('x');
    expect(stdout + stderr).not.toMatch(/\n\s+at .*:\d+|internal error|node_modules/);
  });

  it.each([
    ['is missing', 'export function triple(x: Float32Array): Float32Array {\n  return x;\n}\n', 'PV-5008'],
    [
      'is not exported',
      `function double(x: Float32Array): Float32Array {\n  return ${right};\n}\nvoid double;\nexport {};\n`,
      'PV-5009',
    ],
    [
      'takes a text',
      'export function double(x: string): Float32Array {\n  return new Float32Array(x.length);\n}\n',
      'PV-5010',
    ],
    ['does not parse', 'export function double(x: Float32Array): Float32Array {\n  return (;\n}\n', 'PV-50'],
  ])('that %s are findings with a code', async (_, kernel, codePrefix) => {
    const { code, report, property, stderr } = await audited(kernel);
    expect(code).toBe(1);
    expect(
      report.findings
        .filter(({ severity }) => severity === 'error')
        .map((found) => found.code)
        .join(),
    ).toContain(codePrefix);
    expect(property?.verdict).not.toBe('tested');
    expect(report.gate.passed).toBe(false);
    expect(stderr).not.toMatch(/\n\s+at .*:\d+|internal error/);
  });

  it('that hang end after their time, and the other checks go on', async () => {
    const hangs = functionText(`if (x.length > 2) for (;;) x.length; return ${right};`);
    const { code, property, test, report } = await audited(hangs, '', ['--timeout', '1']);
    expect(code).toBe(1);
    expect(property).toMatchObject({
      verdict: 'incomplete',
      reason: expect.stringContaining('did not end within 1 s'),
    });
    expect(test?.methods.find(({ method }) => method === 'falsify')).toMatchObject({ verdict: 'tested', cases: 1 });
    expect(report.contracts[0]?.sound).toBe(true);
  });

  it.each([
    ['end the process', `process.exit(0);`, 'it ended its process with code 0'],
    ['kill the process', `process.kill(process.pid, 'SIGKILL'); return ${right};`, 'SIGKILL'],
    ['exhaust the heap', `const all: number[][] = []; for (;;) all.push(new Array(1e6));`, 'MB of memory'],
    ['exhaust memory', `const all: unknown[] = []; for (;;) all.push(new Float64Array(1e7).fill(1));`, 'MB of memory'],
    ['leave a promise behind', `void Promise.reject(new Error('lost')); return ${right};`, 'rejected: lost'],
    ['leave a timer behind', `setTimeout(() => { throw new Error('late'); }, 0); return ${right};`, 'threw: late'],
  ])('that %s lose only their own checks', async (_, body, reason) => {
    const { code, property, report, stdout } = await audited(`${globals}${functionText(body)}`);
    expect(code).toBe(1);
    expect(property).toMatchObject({ verdict: 'undetermined', reason: expect.stringContaining(reason) });
    expect(report.findings.filter((found) => found.code === 'PV-5026').map(({ message }) => message)).toEqual([
      expect.stringContaining(reason),
    ]);
    expect(report.contracts[0]?.sound).toBe(true);
    expect(stdout).not.toContain('node::');
  });

  it('that end the process do no harm to another function', async () => {
    project = await createProject({
      'contracts/double-v1.yaml': doubling,
      'contracts/twice-v1.yaml': doubling,
      'contracts/binding.yaml':
        doublingBinding() + doublingBinding().split('bindings:\n')[1]?.replaceAll('double', 'twice'),
      'src/double.ts': `${globals}${functionText('process.exit(0);')}`,
      'src/twice.ts': functionText(`return ${right};`).replace('double', 'twice'),
    });
    await project.write(
      'contracts/binding.yaml',
      (await project.read('contracts/binding.yaml')).replace('equation: twice', 'equation: double'),
    );
    const { report } = await auditJson(project);
    expect(report.contracts.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['double-v1', 'undetermined'],
      ['twice-v1', 'tested'],
    ]);
  });

  it('that speak when their check is over do not end the thread that judges the next', async () => {
    const judge = new Worker(join(installed, 'dist/cli/check.worker.js'));
    const failed: unknown[] = [];
    judge.on('error', (problem) => failed.push(problem));
    for (const answer of [null, {}, serialize([{ id: 1, answer: 1 }])]) judge.postMessage({ answer });
    await once(judge, 'online');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(failed).toEqual([]);
    await judge.terminate();
  });

  it.each([
    ['answer in the place of pv', 'process.send?.({ ok: true, result: {} }); return x;'],
    ['replace the mathematics', 'Math.abs = Math.max = Math.min = () => 0; Object.is = () => true; return x;'],
    ['replace what sees wrong numbers', 'Number.isNaN = Number.isFinite = () => false; return x.map(() => NaN);'],
    ['replace methods', 'Array.prototype.some = () => false; Array.prototype.every = () => true; return x;'],
    ['replace JSON', `JSON.stringify = () => '{"verdict":"tested"}'; return x;`],
    ['answer in the words of pv', `${says}for (let id = 0; id < 99; id++) say([{ id, answer: [] }]); return x;`],
    ['answer what was not asked', `${says}say([{ id: 1e6, answer: 1 }]); return x;`],
    ['answer with nothing', `${says}say(null); say(7); writeSync(3, new Uint8Array(99)); return x;`],
    ['answer with garbage', `${says}writeSync(3, new Uint8Array(99).fill(255)); return x;`],
    ['report a failure of no kind', `${says}say([{ id: 2, answer: { failure: { kind: 'no' } } }]); return x;`],
  ])('that %s are not green, and pv does not fail', async (_, body) => {
    const { code, property, stdout, stderr } = await audited(`${globals}${functionText(body)}`);
    expect(code).toBe(1);
    expect(['falsified', 'undetermined']).toContain(property?.verdict);
    expect(stdout + stderr).not.toMatch(/\n\s+at .*:\d+|internal error/);
  });

  it('that cut their process off from pv end after their time', async () => {
    const cut = `Object.defineProperty(Object.getPrototypeOf(Float32Array.prototype), 'length', { get: () => 0 }); return x;`;
    const { code, property, stderr } = await audited(functionText(cut), '', [...fewCases, '--timeout', '2']);
    expect(code).toBe(1);
    expect(property).toMatchObject({ verdict: 'incomplete', reason: expect.stringContaining('2 s') });
    expect(stderr).not.toMatch(/\n\s+at .*:\d+|internal error/);
  });

  it('that replace built-in functions and are right pass, and what they replaced is named', async () => {
    const polyfilled = `Math.abs = (value: number) => (value < 0 ? -value : value); return ${right};`;
    const { code, report } = await audited(functionText(polyfilled));
    expect(code).toBe(0);
    expect(report.findings.filter((found) => found.code === 'PV-5027').map(({ message }) => message)).toEqual([
      'double replaced Math.abs',
    ]);
  });

  it('that return a promise without being asynchronous are awaited', async () => {
    const { code } = await audited(
      functionText(`return Promise.resolve(${right});`, 'x: Float32Array): Promise<Float32Array>'),
    );
    expect(code).toBe(0);
  });

  it('that are asynchronous are awaited', async () => {
    const wrong = await audited(
      functionText('return x;', 'x: Float32Array): Promise<Float32Array>').replace('export', 'export async'),
    );
    expect(wrong.property).toMatchObject({ verdict: 'falsified' });
    await project?.remove();
    const { code } = await audited(
      functionText(`return ${right};`, 'x: Float32Array): Promise<Float32Array>').replace('export', 'export async'),
    );
    expect(code).toBe(0);
  });

  it('that print leave the report alone', async () => {
    project = await doublingProject(functionText(`console.log('{"noise":1}'); return ${right};`), {}, '');
    const ran = await project.pv(['audit', 'contracts', '--format', 'json', '--cases', '10']);
    expect(JSON.parse(ran.stdout)).toMatchObject({ gate: { passed: true } });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('noise');
  });
});

describe('gpu.js kernels', () => {
  it('with a claim of their own pass', async () => {
    const { code } = await audited(
      threadKernelText('return 2 * (x[this.thread.x] as number);'),
      '    backends: [ref32]\n',
    );
    expect(code).toBe(0);
  });

  it.each([
    ['returns NaN', 'return Math.sqrt(-1) * (x[this.thread.x] as number);', 'NaN'],
    ['loops too long', 'let sum = 0; for (let i = 0; i < 1; i += 0) { sum += 1; } return sum;', ''],
    ['forgets the factor', 'return x[this.thread.x] as number;', ''],
  ])('that %s are not green', async (_, body, reason) => {
    const { code, property, report } = await audited(threadKernelText(body), '    backends: [ref32]\n', [
      '--timeout',
      '5',
    ]);
    expect(code).toBe(1);
    expect(report.gate.passed).toBe(false);
    expect(property?.verdict).not.toBe('tested');
    expect(property?.reason).toContain(reason);
  });

  it.each([
    ['changes its input', '(x as number[])[this.thread.x] = 1; return 2;', 'PV-502'],
    ['uses something outside itself', 'return 2 * (x[this.thread.x] as number) + Date.now();', 'PV-502'],
    ['can end without a value', 'if ((x[this.thread.x] as number) > 0) { return 1; }', 'PV-502'],
  ])('that %s are findings with a code', async (_, body, codePrefix) => {
    const { code, report } = await audited(threadKernelText(body), '    backends: [ref32]\n');
    expect(code).toBe(1);
    expect(report.findings.map((found) => found.code).join()).toContain(codePrefix);
  });
});
