/** Holds src/cli/run.ts. */
import { afterEach, describe, expect, it } from 'vitest';
import type { ClaimReport, ContractReport } from '../../src/report/report.ts';
import {
  auditJson,
  createProject,
  doubling,
  doublingBinding,
  doublingProject,
  ranOf,
  rightKernel,
  runShown,
  threadKernelText,
  type Project,
} from './project.ts';

// Whole processes, on machines that do other things too.
let project: Project | null = null;
afterEach(async () => {
  await project?.remove();
  project = null;
});

const only = (report: { readonly contracts: readonly ContractReport[] }): ContractReport => {
  const [contract] = report.contracts;
  if (!contract) throw new Error('no contract was reported');
  return contract;
};
const claim = (contract: ContractReport, id: string): ClaimReport => {
  const found = contract.claims.find((one) => one.id === id);
  if (!found) throw new Error(`no claim ${id}`);
  return found;
};

async function auditDoubling(yaml: string, kernel = rightKernel, args: readonly string[] = []) {
  project = await createProject({
    'contracts/double-v1.yaml': yaml,
    'contracts/binding.yaml': doublingBinding('    backends: [ref32]\n'),
    'src/double.ts': kernel,
  });
  return auditJson(project, args);
}

const obligation = (id: string, formal: string, more = ''): string => `  - id: ${id}
    type: bound
    property: ${id}
    formal: "${formal}"
    applies_to: double
${more}`;
const withObligation = (text: string): string =>
  doubling.replace('falsification_tests:', `${text}falsification_tests:`);
const onlyObligations = (text: string): string =>
  `${doubling.slice(0, doubling.indexOf('proof_obligations'))}proof_obligations:\n${text}`;

describe('soundness', () => {
  it('finds a claim that the equation itself breaks in float32, with its counterexample', async () => {
    const softmax = `metadata: { version: "1.0.0", description: Softmax, references: [a] }
equations:
  softmax:
    formula: "σ(x)_i = exp(x_i - max(x)) / Σ_j exp(x_j - max(x))"
    domain: "x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 1e4"
proof_obligations:
  - id: SM-POS
    type: bound
    property: Strictly positive
    formal: "σ(x)_i > 0"
    applies_to: softmax
`;
    project = await createProject({ 'contracts/softmax-v1.yaml': softmax });
    const { code, report } = await auditJson(project);
    expect(code).toBe(1);
    const contract = only(report);
    expect(contract.sound).toBe(false);
    expect(report.gate.reasons.join()).toContain('softmax-v1 is unsound');
    const found = claim(contract, 'SM-POS').methods.find(({ method }) => method === 'soundness');
    expect(found).toMatchObject({ verdict: 'unsound', backend: 'ref32' });
    expect(claim(contract, 'SM-POS').counterexample?.input.sizes).toEqual({ n: 2 });
  });
});

describe('adequacy', () => {
  it('calls a contract vacuous whose only claim catches next to nothing, and separates the survivors', async () => {
    const { code, report } = await auditDoubling(onlyObligations(obligation('DB-FIN', 'is_finite(D(x)_i)')));
    expect(code).toBe(1);
    const { adequacy } = only(report);
    expect(adequacy?.survivors.length).toBeGreaterThan(5);
    expect(report.gate.reasons.join()).toMatch(/\d+ of \d+ wrong kernels survive/);
    const zero = adequacy?.survivors.find(({ mutant }) => mutant.startsWith('saboteur:zero'));
    expect(zero?.separatingInput?.values['x']?.text).toMatch(/[1-9]/);
  });

  it('calls a claim that catches no wrong kernel vacuous', async () => {
    const { report } = await auditDoubling(withObligation(obligation('DB-TRUE', '|D(x)_i| ≥ 0 ∨ is_nan(D(x)_i)')));
    expect(claim(only(report), 'DB-TRUE')).toMatchObject({
      verdict: 'vacuous',
      reason: expect.stringMatching(/catches 0 of \d+ wrong kernels/),
    });
    expect(claim(only(report), 'DB-EQV-001').verdict).toBe('tested');
    expect(report.gate.passed).toBe(false);
  });

  const gate = (mutant: string): string => `${doubling}qa_gate:
  id: G
  name: Gate
  checks: [DB-EQV-001]
  pass_criteria: All pass
  equivalent_mutants:
    - { mutant: "${mutant}", equation: double, reason: Nobody would }
`;

  it.each([
    ['saboteur:zero', 'PV-6008', 'caught by double-v1/DB-EQV-001 and double-v1/FALSIFY-DB-001'],
    ['saboteur:zer', 'PV-6009', "no wrong kernel 'saboteur:zer'"],
  ])('reports a false declaration about %s', async (mutant, code, message) => {
    const { code: exit, report } = await auditDoubling(gate(mutant));
    expect(exit).toBe(1);
    const finding = report.findings.find((found) => found.code === code);
    expect(finding).toMatchObject({
      severity: 'error',
      path: 'contracts/double-v1.yaml',
      message: expect.stringContaining(message),
    });
    expect(finding?.start?.line).toBe(
      gate(mutant)
        .split('\n')
        .findIndex((line) => line.includes('mutant: "')) + 1,
    );
  });
});

describe('what an author says of wrong kernels', () => {
  const declared = (mutant: string): string => `qa_gate:
  id: G
  name: Gate
  equivalent_mutants:
    - { mutant: "${mutant}", equation: double, reason: I say so }
`;
  const hollow = onlyObligations(obligation('DB-FIN', '|D(x)_i| ≤ 1e30'));

  it.each(['saboteur:zero', 'saboteur:scaled 1.01', 'kernel:2:10 2 → 4'])(
    'is not believed of %s, whose outputs plainly differ',
    async (mutant) => {
      const { code, report } = await auditDoubling(hollow + declared(mutant));
      expect(code).toBe(1);
      const { adequacy } = only(report);
      expect(adequacy?.equivalent).toEqual([]);
      expect(adequacy?.survivors.some((one) => one.mutant.startsWith(mutant))).toBe(true);
      expect(report.findings.filter((found) => found.severity === 'error').map((found) => found.code)).toEqual([
        'PV-6010',
      ]);
    },
  );

  it('is not held against a contract whose kernel is wrong itself', async () => {
    const wrong = threadKernelText('return 0 * (x[this.thread.x] as number);');
    const { code, report } = await auditDoubling(doubling + declared('saboteur:zero'), wrong);
    expect(code).toBe(1);
    expect(only(report).verdict).toBe('falsified');
    expect(report.findings.filter((found) => found.severity === 'error')).toEqual([]);
    expect(report.gate.reasons).toEqual(['double-v1 is falsified']);
  });

  it('is only doubted when it is about the source of another kernel', async () => {
    const { code, report } = await auditDoubling(doubling + declared('kernel:9:9 somewhere else'));
    expect(report.findings.find((found) => found.code === 'PV-6009')?.severity).toBe('warning');
    expect(code).toBe(0);
  });
});

describe('a bound kernel that no claim runs', () => {
  it('fails the gate, and says so at its row of the binding', async () => {
    const triple = '  triple:\n    formula: "T(x)_i = 3·x_i"\n    domain: "x ∈ F32^n, 1 ≤ n ≤ 16, |x_i| ≤ 100"\n';
    const row = doublingBinding().split('bindings:\n')[1]?.replace('equation: double', 'equation: triple') ?? '';
    project = await createProject({
      'contracts/double-v1.yaml': doubling.replace('proof_obligations:', `${triple}proof_obligations:`),
      'contracts/binding.yaml': doublingBinding('    backends: [ref32]\n') + row,
      'src/double.ts': rightKernel,
    });
    const { code, report } = await auditJson(project);
    expect(code).toBe(1);
    expect(report.findings.find((found) => found.code === 'PV-6011')).toMatchObject({
      severity: 'error',
      path: 'contracts/binding.yaml',
      start: { line: 10 },
    });
    expect(only(report).failed).toBe(0);
    const picked = await auditJson(project, ['--claim', 'DB-EQV-001']);
    expect(picked.report.findings.map((found) => found.code)).not.toContain('PV-6011');
  });

  it('is not told of where the formula or the claim itself is broken: that is the cause', async () => {
    for (const broken of [
      doubling.replace('2·x_i', '2·z_i'),
      doubling.replaceAll('D(x) ≈ D_ref(x)', 'D(x) ≈ E_ref(x)'),
    ]) {
      project = await createProject({
        'contracts/double-v1.yaml': broken,
        'contracts/binding.yaml': doublingBinding('    backends: [ref32]\n'),
        'src/double.ts': rightKernel,
      });
      const { code, report } = await auditJson(project);
      const errors = report.findings.filter(({ severity }) => severity === 'error').map((found) => found.code);
      expect([code, errors]).toEqual([1, ['PV-4001']]);
    }
  });
});

describe('a failing case', () => {
  const wrongOnce = threadKernelText(
    'if ((x[this.thread.x] as number) > 77) { return 0; }\n  return 2 * (x[this.thread.x] as number);',
  );

  it('is shrunk, stored, repeated by the command that is printed, and run first the next time', async () => {
    const { code, report } = await auditDoubling(doubling, wrongOnce);
    expect(code).toBe(1);
    const found = claim(only(report), 'DB-EQV-001');
    expect(found.counterexample?.input.sizes).toEqual({ n: 1 });
    const [shrunk = 0] = JSON.parse(found.counterexample?.input.values['x']?.text ?? '[]');
    expect(shrunk).toBeGreaterThan(77);
    const printed = project && (await project.pv(['audit', 'contracts']));
    expect(printed?.stdout).toContain(found.reproduce);
    const again = project && (await runShown(project, `${found.reproduce} --format json`));
    expect(again?.code).toBe(1);
    expect(claim(only(JSON.parse(again?.stdout ?? '')), 'DB-EQV-001').counterexample?.input).toEqual(
      found.counterexample?.input,
    );
    expect(
      claim(only(JSON.parse(again?.stdout ?? '')), 'DB-EQV-001').methods.find(({ method }) => method === 'property')
        ?.cases,
    ).toBe(1);
    await project?.write('src/double.ts', rightKernel);
    expect(project && (await auditJson(project)).code).toBe(0);
  });

  it('is repeated from nothing but the command', async () => {
    const odd = doubling.replaceAll('DB-EQV-001', "DB 'odd' $(id)");
    const { report } = await auditDoubling(odd, wrongOnce, ['--seed', '9', '--cases', '12000']);
    const found = claim(only(report), "DB 'odd' $(id)");
    await project?.pv(['--version']);
    const stored = project && (await runShown(project, `rm -r .pv && ${found.reproduce} --format json`));
    expect(claim(only(JSON.parse(stored?.stdout ?? '')), "DB 'odd' $(id)").counterexample).toEqual(
      found.counterexample,
    );
  });
});

describe('the gate', () => {
  it('passes no project without claims, without bindings, with prose, or with a dependency that is missing', async () => {
    const prose = withObligation(obligation('DB-PROSE', 'works well on all inputs'));
    const cases = [
      { yaml: doubling.slice(0, doubling.indexOf('proof_obligations')), reason: /declares no claim|error/ },
      { yaml: prose, reason: /is prose/ },
      {
        yaml: doubling.replace('description: Twice', 'depends_on: [nowhere-v1]\n  description: Twice'),
        reason: /nowhere-v1, which was not read/,
      },
    ];
    for (const { yaml, reason } of cases) {
      const { code, report } = await auditDoubling(yaml, rightKernel, ['--cases', '50']);
      expect(code).toBe(1);
      expect(report.gate.reasons.join('\n')).toMatch(reason);
      await project?.remove();
    }
    project = await createProject({ 'contracts/double-v1.yaml': doubling });
    const { code, report } = await auditJson(project);
    expect(code).toBe(1);
    expect(report.gate.reasons.join()).toContain('is unbound');
    expect(report.totals.evaluated).toBe(0);
  });

  it('requires the requested level, and a claim that exists', async () => {
    project = await doublingProject(rightKernel);
    const low = await auditJson(project, ['--cases', '100', '--min-level', 'L3']);
    expect(low.code).toBe(1);
    expect(low.report.gate.reasons.join()).toContain('is at L2, L3 is required');
    expect((await auditJson(project, ['--min-level', 'L3'])).code).toBe(0);
    const unknown = await project.pv(['audit', 'contracts', '--claim', 'DB-EQV-01']);
    expect(unknown).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining("did you mean 'DB-EQV-001'?"),
    });
    expect((await project.pv(['audit', 'nowhere'])).code).toBe(2);
    expect((await project.pv(['audit', 'contracts', '--binding', 'nowhere.yaml'])).code).toBe(2);
  });

  it('ends with 4 when the budget ends, and invents no verdict', async () => {
    const slow = `export function double(x: Float32Array): Float32Array {\n  for (let i = 0; i < 3e7; i++) x.length;\n  return x.map((v) => 2 * v);\n}\n`;
    project = await doublingProject(slow, {}, '');
    const { code, report, stderr } = await auditJson(project, ['--budget', '1']);
    expect(code).toBe(4);
    expect(stderr).toContain('the budget ran out');
    expect(report.gate.passed).toBe(false);
    expect(claim(only(report), 'DB-EQV-001').verdict).toMatch(/undetermined|incomplete/);
  });
});

describe('stored evidence', () => {
  it('is reused until what it hashes changes; status says so and runs nothing', async () => {
    project = await doublingProject(rightKernel);
    expect((await project.pv(['status', 'contracts'])).code).toBe(1);
    const first = await auditJson(project);
    expect(ranOf(first.stderr)).toMatchObject({ reused: 0 });
    const { ran } = ranOf(first.stderr);
    expect(ran).toBeGreaterThan(4);
    expect(ranOf((await auditJson(project)).stderr)).toEqual({ ran: 0, reused: ran });
    await project.write('contracts/double-v1.yaml', `# only words\n${doubling}`);
    await project.write('src/double.ts', `// only words\n${rightKernel}`);
    const worded = await auditJson(project);
    expect(ranOf(worded.stderr)).toEqual({ ran: 0, reused: ran });
    expect((await project.pv(['status', 'contracts', '--min-level', 'L3'])).code).toBe(0);
    await project.write('src/double.ts', rightKernel.replace('2 * ', '2 * 1 * '));
    const status = await project.pv(['status', 'contracts', '--format', 'json']);
    expect(status.code).toBe(1);
    expect(claim(only(JSON.parse(status.stdout)), 'DB-EQV-001').verdict).toBe('stale');
    expect(await project.pv(['status', 'contracts', '--format', 'json'])).toEqual(status);
  });
});

it('a requested backend that the binding lacks is reported as not run', async () => {
  project = await createProject({
    'contracts/double-v1.yaml': doubling,
    'contracts/binding.yaml': doublingBinding('    backends: [ref32]\n'),
    'src/double.ts': rightKernel,
  });
  const on = (backend: string) => project?.pv(['audit', 'contracts', '--cases', '50', '--backend', backend]);
  expect((await on('webgpu'))?.stderr).toContain(
    'pv: nothing of these ran on webgpu, since their bindings or functions go before it: double-v1 (ref32)',
  );
  expect((await on('ref32'))?.stderr).not.toContain('nothing of these ran');
});
