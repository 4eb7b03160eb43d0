/** What an audit runs, keeps and removes, by what it was asked for. */
import { describe, expect, it } from 'vitest';
import { audit, type Audit, type AuditRequest } from '../../src/audit/audit.ts';
import { readProject } from '../../src/audit/read-project.ts';
import { sha256 } from '../../src/evidence/digest.ts';
import type { MutantOutcome } from '../../src/evidence/receipt.ts';
import { createStore } from '../../src/evidence/store.ts';
import { createMemoryHost } from '../../src/host/memory-host.ts';
import type { Job, JobResult } from '../../src/plan/check.ts';
import { abortedResult } from '../../src/plan/run-job.ts';
import { ourTrust, sampleReceipt } from '../evidence/sample-receipt.ts';
import { contractOf, planOptions } from '../plan/projects.ts';

const { tool } = planOptions;
const domain = 'domain: "x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 100"';
const kernel = (body: string): string => `export function kernel(this: any, x: number[]): number { return ${body}; }\n`;
const files = {
  'twice.ts': kernel('2 * x[this.thread.x]'),
  'half.ts': kernel('x[this.thread.x] / 2'),
};
const contracts = [
  contractOf(
    'two-v1',
    `metadata: { version: "1.0.0", description: Two }
equations:
  twice: { formula: "T(x)_i = 2·x_i", ${domain} }
  half: { formula: "H(x)_i = x_i / 2", ${domain} }
proof_obligations:
  - { id: T-1, type: bound, property: p, formal: "|T(x)_i| ≤ 200" }
  - { id: T-2, type: bound, property: p, formal: "|T(x)_i| ≥ 0" }
  - { id: WORDS, type: bound, property: p, formal: "as fast as it can be" }
falsification_tests:
  - { id: F-1, rule: T-1, prediction: "T(x)_0 = 6", given: "x ∈ {[3]}", if_fails: no }
`,
  ),
  contractOf(
    'one-v1',
    `metadata: { version: "1.0.0", description: One }
equations:
  id: { formula: "I(x)_i = x_i", ${domain} }
proof_obligations:
  - { id: I-1, type: bound, property: p, formal: "|I(x)_i| ≤ 100" }
`,
  ),
];
const binding = `bindings:
${[
  ['two-v1', 'twice', 'twice.ts'],
  ['two-v1', 'half', 'half.ts'],
]
  .map(
    ([contract, equation, path]) =>
      `  - { contract: ${contract}, equation: ${equation}, module_path: ${path}, function: kernel, backends: [ref32] }\n`,
  )
  .join('')}`;
const project = await readProject({
  contracts,
  binding: { path: 'binding.yaml', text: binding },
  host: createMemoryHost(files),
  moduleRoots: ['/project'],
  elsewhere: new Set(),
});

/** Of an older build of pv; and of a claim of another project. */
const older = sampleReceipt({
  check: sha256('old'),
  goal: 'two-v1/T-1',
  backend: { id: 'ref32', device: 'cpu', arithmetic: 'f32' },
  tool: { ...tool, version: '0.9.0' },
});
const foreign = sampleReceipt({ check: sha256('x'), goal: 'x-v1/X', tool: { ...tool, version: '0.9.0' } });

const killers = ['two-v1/T-1', 'two-v1/T-2', 'two-v1/F-1'];
const killed: MutantOutcome = {
  mutant: 'saboteur:zero',
  killedBy: killers,
  killedByOrdinary: killers,
  equivalent: null,
  separatingInput: null,
  separatingOutputs: null,
};

/** An audit whose every check is green, with what ran beyond types: `method goal`. */
async function audited(
  changes: Partial<AuditRequest> = {},
  remainingMs: () => number = () => Infinity,
): Promise<Audit & { readonly ran: readonly string[]; readonly left: readonly string[] }> {
  const store = createStore(createMemoryHost(), '/', ourTrust);
  for (const receipt of [older, foreign]) await store.write(receipt);
  const ran: string[] = [];
  const finished = (job: Job): JobResult => {
    const { check } = job;
    ran.push(`${check.method} ${check.goal}`);
    const { receipt, ...rest } = abortedResult(job, 'tested', '');
    const { cases } = check;
    const mutants = check.method === 'adequacy' ? [killed] : null;
    return { ...rest, receipt: { ...receipt, reason: null, cases, declaredCases: cases, premiseHits: cases, mutants } };
  };
  const pool: NonNullable<AuditRequest['run']>['pool'] = {
    run: async (begin) => {
      const start = begin();
      return start && { kind: 'done', result: finished(start.job) };
    },
  };
  const signal = new AbortController().signal;
  const result = await audit({
    project,
    findings: [],
    store,
    realProofs: { store: { host: createMemoryHost(), root: '/', trust: ourTrust }, prepared: [] },
    run: { pool, checkTimeoutMs: 1000, fresh: false, signal, onProgress: () => undefined, remainingMs },
    options: { seed: 1, cases: 10, backends: ['ref32'], devices: ['any'] },
    tool,
    minimumLevel: 'L0',
    allowWaived: false,
    today: '2027-01-01',
    claim: null,
    methods: null,
    reproduce: () => 'pv audit',
    ...changes,
  });
  const left = (await store.readAll()).value
    .map(({ check }) => check)
    .filter((check) => [older, foreign].some((one) => one.check === check));
  return { ...result, ran: ran.toSorted(), left };
}

const claimsOf = ({ report }: Audit): readonly string[] =>
  report.contracts.flatMap(({ claims }) => claims.map(({ id, verdict }) => `${id} ${verdict}`));
const codesOf = ({ report }: Audit): readonly string[] => report.findings.map(({ code }) => code);

describe('an audit of everything', () => {
  it('runs what every claim needs, and shows every claim', async () => {
    const whole = await audited();
    expect(new Set(whole.ran.map((one) => one.split(' ')[0]))).toEqual(
      new Set(['property', 'falsify', 'soundness', 'adequacy']),
    );
    expect(claimsOf(whole)).toEqual(['I-1 unbound', 'T-1 tested', 'T-2 tested', 'WORDS prose', 'F-1 tested']);
  });

  it('says which bound kernel no claim runs', async () => {
    expect(codesOf(await audited())).toEqual(['PV-6011']);
  });

  it('removes the receipts of its contracts by another build, and no others', async () => {
    const whole = await audited();
    expect([whole.removed, whole.left]).toEqual([1, [foreign.check]]);
  });

  it('runs and removes nothing where it only reads what is stored', async () => {
    const read = await audited({ run: null });
    expect([read.ran, read.run, read.removed, read.left]).toEqual([
      [],
      null,
      0,
      [older.check, foreign.check].toSorted(),
    ]);
    expect(claimsOf(read)[1]).toBe('T-1 stale');
  });
});

describe('an audit of one claim', () => {
  it('runs and shows that claim alone, and removes nothing', async () => {
    const one = await audited({ claim: 'F-1' });
    expect(claimsOf(one)).toEqual(['F-1 tested']);
    expect(one.ran.length).toBeLessThan((await audited()).ran.length);
    expect(one.ran.filter((check) => /two-v1\/T-2|one-v1/u.test(check))).toEqual([]);
    expect(one.removed).toBe(0);
    // That the other kernel is run by no claim is no finding about this one.
    expect(codesOf(one)).toEqual([]);
  });

  it('is not about what its contract depends on, nor about its other claims', async () => {
    const { report } = await audited({ claim: 'T-1' });
    expect(report.contracts.map(({ id, declared, dependsOn }) => [id, declared, dependsOn])).toEqual([
      ['two-v1', 1, []],
    ]);
    expect(report.edges).toEqual([]);
    const tests = await audited({ claim: 'F-1' });
    expect(tests.report.contracts.map(({ declared }) => declared)).toEqual([1]);
  });

  it('is reported unchanged if it cannot be run', async () => {
    expect(claimsOf(await audited({ claim: 'WORDS' }))).toEqual(['WORDS prose']);
    expect(claimsOf(await audited({ claim: 'I-1' }))).toEqual(['I-1 unbound']);
  });

  it('that no contract has shows no claim, which passes no gate', async () => {
    const none = await audited({ claim: 'NOBODY' });
    expect([none.report.contracts, none.ran, none.report.gate.passed]).toEqual([[], [], false]);
  });
});

describe('an audit of some checks', () => {
  it('of one method runs no other, shows every claim, and removes nothing', async () => {
    const some = await audited({ methods: new Set(['falsify']) });
    expect(some.ran).toEqual(['falsify two-v1/F-1']);
    expect(claimsOf(some)).toHaveLength(5);
    expect(some.removed).toBe(0);
  });

  it('of one contract runs the checks of no other', async () => {
    const { ran } = await audited();
    const of = (id: string): readonly string[] => ran.filter((check) => check.includes(id));
    expect((await audited({ ofContract: (path) => path.includes('two-v1') })).ran).toEqual(of('two-v1'));
    expect((await audited({ ofContract: (path) => path.includes('one-v1') })).ran).toEqual(of('one-v1'));
  });

  it('that ran out of time removes nothing', async () => {
    const late = await audited({}, () => 0);
    expect(late.run?.skipped).toBeGreaterThan(0);
    expect([late.removed, late.left.length]).toEqual([0, 2]);
  });
});

describe('an audit of a proof that rests on others', () => {
  const shares = `metadata: { version: "1.0.0", description: Shares }
equations:
  shares: { formula: "Shares(x)_i = exp(x_i) / Σ_j exp(x_j)", domain: "x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 5" }
proof_obligations:
  - { id: S-1, type: invariant, property: p, formal: "|Σ_i Shares(x)_i - 1| ≤ 1e-6", semantics: ieee }
  - { id: S-2, type: bound, property: p, formal: "0 ≤ Shares(x)_i ≤ 1", semantics: ieee }
  - { id: S-3, type: bound, property: p, formal: "Shares(x)_i ≤ 1", semantics: ieee }
kani_harnesses:
  - { id: K-1, obligation: S-1, strategy: stub_float, bound: 4 }
  - { id: K-2, obligation: S-2, strategy: stub_float, bound: 4 }
`;
  const mean = `metadata: { version: "1.0.0", description: A mean, depends_on: [shares-v1] }
equations:
  mean: { formula: "Mean(p, v) = Σ_j p_j·v_j", domain: "p ∈ F32^n, v ∈ F32^n, 1 ≤ n ≤ 8, 0 ≤ p_j ≤ 1, |v_j| ≤ 10" }
proof_obligations:
  - id: M-1
    type: bound
    property: p
    formal: "Mean(Shares(x), v) ≤ max_j v_j + 2e-4"
    requires: ["x ∈ F32^n, |x_i| ≤ 5"]
    semantics: ieee
    applies_to: mean
kani_harnesses:
  - { id: K-3, obligation: M-1, strategy: compositional, bound: 4 }
`;
  const texts = {
    'shares.ts': `export function kernel(this: any, x: number[], n: number): number {
  let sum = 0; for (let j = 0; j < n; j++) { sum += Math.exp(x[j]!); } return Math.exp(x[this.thread.x]!) / sum; }`,
    'mean.ts': `export function kernel(this: any, p: number[], v: number[], n: number): number {
  let mean = 0; for (let j = 0; j < n; j++) { mean += p[j]! * v[j]!; } return mean; }`,
  };
  const rows = ['shares', 'mean'].map(
    (name) =>
      `  - { contract: ${name}-v1, equation: ${name}, module_path: ${name}.ts, function: kernel, backends: [ref32] }\n`,
  );

  /** The bounded proofs that were run, of an audit that asks for less than both contracts. */
  async function proofsRun(changes: Partial<AuditRequest>): Promise<readonly string[]> {
    const both = await readProject({
      contracts: [contractOf('shares-v1', shares), contractOf('mean-v1', mean)],
      binding: { path: 'binding.yaml', text: `bindings:\n${rows.join('')}` },
      host: createMemoryHost(texts),
      moduleRoots: ['/project'],
      elsewhere: new Set(),
    });
    const { ran } = await audited({ project: both, ...changes });
    return ran.filter((check) => check.startsWith('bounded'));
  }
  const all = ['bounded mean-v1/M-1', 'bounded shares-v1/S-1', 'bounded shares-v1/S-2'];

  it('runs those, too, and nothing else of their contract', async () => {
    expect(await proofsRun({})).toEqual(all);
    expect(await proofsRun({ ofContract: (path) => path.includes('mean-v1') })).toEqual(all);
    expect(await proofsRun({ ofContract: (path) => path.includes('shares-v1') })).toEqual(all.slice(1));
    expect(await proofsRun({ claim: 'M-1' })).toEqual(all);
    expect(await proofsRun({ claim: 'S-2' })).toEqual(all.slice(2));
    expect(await proofsRun({ methods: new Set(['property']) })).toEqual([]);
  });
});
