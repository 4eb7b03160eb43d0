import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ClaimReport } from '../../src/report/report.ts';
import { auditJson, doublingProject, threadKernelText, type Project } from './project.ts';

// Whole processes, on machines that do other things too.
vi.setConfig({ testTimeout: 240_000 });

/** Kernels that do not do what they should: each is a verdict or a finding with a code, never a crash of pv. */
let project: Project | null = null;
afterEach(async () => {
  await project?.remove();
  project = null;
});

const functionText = (body: string, signature = 'x: Float32Array): Float32Array'): string =>
  `export function double(${signature} {\n  ${body}\n}\n`;
const right = 'x.map((value) => 2 * value)';

async function audited(kernel: string, rows = '', args: readonly string[] = []) {
  project = await doublingProject(kernel, {}, rows);
  const ran = await auditJson(project, args);
  const claims = new Map(
    ran.report.contracts.flatMap(({ claims: all }) => all.map((claim): [string, ClaimReport] => [claim.id, claim])),
  );
  return { ...ran, property: claims.get('DB-EQV-001'), test: claims.get('FALSIFY-DB-001') };
}

describe('plain functions', () => {
  it('that are right pass', async () => {
    const { code, report } = await audited(functionText(`return ${right};`));
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
    ['end the process', `process.exit(0);`],
    ['exhaust the memory', `const all: number[][] = []; for (;;) all.push(new Array(1e6).fill(1));`],
  ])(
    'that %s lose only their own check',
    async (_, body) => {
      const { code, property, report } = await audited(
        `declare const process: { exit(code: number): never };\n${functionText(body)}`,
      );
      expect(code).toBe(1);
      expect(property).toMatchObject({ verdict: 'undetermined', reason: expect.stringContaining('its worker failed') });
      expect(report.contracts[0]?.sound).toBe(true);
    },
    60_000,
  );

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
    const { code, stderr } = await audited(functionText(`console.log('{"noise":1}'); return ${right};`), '', [
      '--cases',
      '10',
    ]);
    expect(code).toBe(0);
    expect(stderr).toContain('noise');
  });

  it('that leave failing timers and promises behind do not end the run', async () => {
    const late = "setTimeout(() => { throw new Error('late'); }, 1); void Promise.reject(new Error('lost'));";
    const { report } = await audited(
      `declare const setTimeout: (run: () => void, ms: number) => void;\n${functionText(`${late} return ${right};`)}`,
      '',
      ['--cases', '20'],
    );
    expect(report.contracts[0]?.claims).toHaveLength(2);
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
  ])(
    'that %s are not green',
    async (_, body, reason) => {
      const { code, property, report } = await audited(threadKernelText(body), '    backends: [ref32]\n', [
        '--timeout',
        '5',
      ]);
      expect(code).toBe(1);
      expect(report.gate.passed).toBe(false);
      expect(property?.verdict).not.toBe('tested');
      expect(property?.reason).toContain(reason);
    },
    60_000,
  );

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
