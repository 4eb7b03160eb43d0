import { describe, expect, it } from 'vitest';
import { buildReport } from '../../src/audit/build-report.ts';
import { diagnostic, type Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import type { MutantOutcome, Receipt } from '../../src/evidence/receipt.ts';
import type { Check } from '../../src/plan/check.ts';
import { abortedResult } from '../../src/plan/run-job.ts';
import type { Plan } from '../../src/plan/make-plan.ts';
import type { Report } from '../../src/report/report.ts';
import { readBindings } from '../../src/subject/read-bindings.ts';
import { planOf, planOptions } from '../plan/projects.ts';

const contract = `metadata: { version: "1.0.0", description: Twice }
equations:
  double:
    formula: "D(x)_i = x_i / (1/2)"
    domain: "x ∈ F32^n, 1 ≤ n ≤ 16, |x_i| ≤ 100"
  words:
    formula: "as fast as it can be"
proof_obligations:
  - id: DB-1
    type: equivalence
    property: It is the equation
    formal: "D(x) ≈ D_ref(x)"
    tolerance: { ulp: 0.5 }
    applies_to: double
  - id: DB-2
    type: bound
    property: It feels right
    formal: "it feels right to everybody"
falsification_tests:
  - id: F-1
    rule: DB-1
    prediction: "D(x)_0 = 6"
    given: "x ∈ {[3]}"
    if_fails: no
qa_gate:
  id: G
  name: g
  equivalent_mutants:
    - { mutant: "kernel:1", equation: double, reason: because }
    - { mutant: "kernel:2", equation: double, reason: because }
`;
const text = 'export function kernel(this: any, x: number[]): number { return 2 * x[this.thread.x]; }';
const plan = await planOf({ 'c-v1': contract }, [{ contract: 'c-v1', equation: 'double', text }]);

function receiptOf(check: Check, more: Partial<Receipt> = {}): Receipt {
  const { receipt } = abortedResult({ check, replay: [], timeoutMs: 0, tool: planOptions.tool }, 'tested', '');
  const { cases } = check;
  const killed = (mutant: string, killedBy: readonly string[], equivalent: string | null): MutantOutcome => ({
    mutant,
    killedBy,
    killedByOrdinary: killedBy,
    equivalent,
    separatingInput: null,
    separatingOutputs: null,
  });
  const mutants = [
    killed('kernel:1 (twice)', ['c-v1/DB-1'], 'because'),
    killed('kernel:3', ['c-v1/DB-1', 'c-v1/F-1'], null),
  ];
  const adequate = check.method === 'adequacy' ? { mutants } : {};
  return { ...receipt, reason: null, cases, declaredCases: cases, premiseHits: cases, ...adequate, ...more };
}

function reportOf(receipts: readonly Receipt[], of: Plan = plan, diagnostics: readonly Diagnostic[] = []): Report {
  const currentChecks = new Set(of.checks.map(({ id }) => id));
  const reproduce = (): string => 'pv audit';
  return buildReport({
    plan: of,
    currentChecks,
    receipts,
    subjects: [],
    faults: new Map(),
    diagnostics,
    tool: planOptions.tool,
    minimumLevel: 'L0',
    reproduce,
  });
}

const kernels = [{ contract: 'c-v1', equation: 'double', text }];
/** The contract without the claim in words and without declared mutants; and its test alone. */
const exactText = contract.replace(/ {2}- id: DB-2[^]*?(?=falsification_tests)/u, '').replace(/qa_gate:[^]*$/u, '');
const exact = await planOf({ 'c-v1': exactText }, kernels);
const tests = await planOf(
  { 'c-v1': exactText.replace(/proof_obligations:[^]*?(?=falsification_tests)/u, '').replace('    rule: DB-1\n', '') },
  kernels,
);
const greenOf = (of: Plan): readonly Receipt[] =>
  of.checks.map((check) => {
    const green = receiptOf(check);
    return { ...green, mutants: green.mutants && green.mutants.filter(({ equivalent }) => equivalent === null) };
  });

const verdictsOf = ({ contracts }: Report): Readonly<Record<string, string>> =>
  Object.fromEntries(contracts.flatMap(({ claims }) => claims.map(({ id, verdict }) => [id, verdict])));

describe('the report', () => {
  it('shows every declared claim in order, and counts those without evidence', () => {
    const report = reportOf([]);
    expect(report.contracts[0]).toMatchObject({
      declared: 3,
      evaluated: 0,
      failed: 0,
      sound: null,
      adequacy: null,
      level: 'L0',
    });
    expect(verdictsOf(report)).toEqual({ 'DB-1': 'undetermined', 'DB-2': 'prose', 'F-1': 'undetermined' });
    expect(report.gate.passed).toBe(false);
    expect(report.findings).toEqual([]);
  });

  it('derives verdicts from the receipts of the plan', () => {
    const report = reportOf(plan.checks.map((check) => receiptOf(check)));
    expect(verdictsOf(report)).toEqual({ 'DB-1': 'tested', 'DB-2': 'prose', 'F-1': 'tested' });
    expect(report.contracts[0]).toMatchObject({
      declared: 3,
      evaluated: 2,
      sound: true,
      verdict: 'prose',
      adequacy: { killed: 1, total: 1 },
    });
    expect(report.contracts[0]?.adequacy?.equivalent.map(({ mutant }) => mutant)).toEqual(['kernel:1 (twice)']);
    expect(report.contracts[0]?.claims[0]).toMatchObject({
      level: 'L3',
      scope: '10,000 cases, seed 1, float32 on ref32, 1 ≤ n ≤ 16',
    });
  });

  it('reports equivalent mutants that are killed or do not exist, once all have been tried', () => {
    const receipts = plan.checks.map((check) => receiptOf(check));
    expect(reportOf(receipts).findings.map(({ code, start }) => [code, start?.line])).toEqual([
      ['PV-6008', 29],
      ['PV-6009', 30],
    ]);
    const cut = plan.checks.map((check) =>
      receiptOf(check, check.method === 'adequacy' ? { verdict: 'incomplete', reason: 'time' } : {}),
    );
    expect(reportOf(cut).findings).toEqual([]);
  });

  it('is not green where a receipt is of another check, incomplete, or rests on something else', () => {
    const first = (id: string): string =>
      verdictsOf(
        reportOf(plan.checks.map((check) => receiptOf(check, check.method === 'property' ? { check: id } : {}))),
      )['DB-1'] ?? '';
    expect(first(plan.checks.find(({ method }) => method === 'property')?.id ?? '')).toBe('tested');
    expect(first(`sha256:${'0'.repeat(64)}`)).toBe('stale');
    const resting = plan.checks.map((check) => receiptOf(check, { restsOn: { 'd-v1/X': `sha256:${'1'.repeat(64)}` } }));
    expect(verdictsOf(reportOf(resting))['DB-1']).toBe('stale');
    // Figures of what it rested on would read like figures of now.
    const [stale] = reportOf(resting).contracts;
    expect(stale?.evaluated).toBe(0);
    expect(stale?.claims[0]).toMatchObject({ scope: 'nothing ran', kills: null });
    expect(stale?.claims[0]?.methods.map(({ method }) => method)).toEqual(['soundness']);
    const unsound = plan.checks.map((check) =>
      receiptOf(check, check.method === 'soundness' ? { verdict: 'unsound', reason: 'no' } : {}),
    );
    expect(reportOf(unsound).contracts[0]?.sound).toBe(false);
    expect(verdictsOf(reportOf(unsound))['DB-1']).toBe('unsound');
  });

  it('typesets formulas that are notation', () => {
    const [double, words] = reportOf([]).contracts[0]?.equations ?? [];
    expect(double).toMatchObject({ status: 'executable', latex: expect.stringContaining('\\frac') });
    expect(words).toMatchObject({ status: 'prose', latex: null });
  });

  it('lets a contract pass that no error is about', () => {
    const passes = (severity: 'error' | 'warning', subject: string): boolean | undefined => {
      const diagnostics = [diagnostic('PV-6012', null, 'm', { subject, severity })];
      return reportOf(greenOf(exact), exact, diagnostics).contracts[0]?.passes;
    };
    expect(reportOf(greenOf(exact), exact).contracts[0]).toMatchObject({ verdict: 'tested', passes: true });
    expect(passes('error', 'contracts/c-v1.yaml')).toBe(false);
    expect(passes('warning', 'contracts/c-v1.yaml')).toBe(true);
    expect(passes('error', 'contracts/d-v1.yaml')).toBe(true);
  });

  it('takes the level from the obligations, and from the tests where there are no obligations', () => {
    const levelOf = (of: Plan): string | undefined => reportOf(greenOf(of), of).contracts[0]?.level;
    expect([levelOf(exact), levelOf(tests)]).toEqual(['L3', 'L2']);
  });
});

describe('a contract about data', () => {
  const dataText = `metadata: { version: "1.0.0", description: Buffers, references: [a] }
data:
  kind: log
  domain: "required ∈ ℝ^K, allocated ∈ ℝ^K"
  inputs:
    required: { from: log.required, meaning: elements that are written }
    allocated: { from: log.allocated, meaning: elements of the buffer }
proof_obligations:
  - { id: B-1, type: bound, property: It holds them, formal: "allocated_i ≥ required_i", if_fails: It overflows }
falsification_tests:
  - { id: F-1, rule: B-1, test: enough, data: { required: [1, 2], allocated: [1, 3] }, violates: [] }
  - { id: F-2, rule: B-1, test: too few, data: { required: [1, 2], allocated: [1, 1] }, violates: [B-1] }
`;

  it('is as high as claims about data can be, and so is what depends on it alone', async () => {
    const above = exactText.replace('description: Twice', 'description: Twice, depends_on: [d-v1]');
    const both = await planOf({ 'c-v1': above, 'd-v1': dataText }, kernels);
    const caught = (check: Check): Partial<Receipt> => {
      const own: MutantOutcome = {
        mutant: 'claim:1',
        killedBy: ['d-v1/B-1'],
        killedByOrdinary: ['d-v1/B-1'],
        equivalent: null,
        separatingInput: null,
        separatingOutputs: null,
      };
      return check.contract === 'd-v1' && check.method === 'adequacy' ? { mutants: [own] } : {};
    };
    const receipts = both.checks.map((check) => {
      const receipt = receiptOf(check, caught(check));
      const undeclared = receipt.mutants?.filter(({ equivalent }) => equivalent === null) ?? null;
      return { ...receipt, mutants: undeclared };
    });
    const report = reportOf(receipts, both);
    const [data, above3] = ['d-v1', 'c-v1'].map((id) => report.contracts.find((one) => one.id === id));
    expect(data).toMatchObject({ about: 'data', verdict: 'tested', level: 'L2', gpu: null });
    // Evidence about data takes no level from kernels.
    expect(above3).toMatchObject({ about: 'kernels', verdict: 'tested', level: 'L3', reason: null });
    expect(report.edges).toEqual([{ from: 'c-v1', to: 'd-v1', missing: false }]);
    const without = receipts.filter(({ goal }) => !goal.startsWith('d-v1/'));
    expect(reportOf(without, both).contracts.find(({ id }) => id === 'c-v1')?.verdict).not.toBe('tested');
  });

  it('asks of a claim that a data set violates it, and of a test nothing more', async () => {
    const own = await planOf({ 'd-v1': dataText }, []);
    const receipts = own.checks
      .filter(({ method }) => method !== 'adequacy')
      .map((check) => ({ ...receiptOf(check), mutants: null }));
    expect(verdictsOf(reportOf(receipts, own))).toEqual({ 'B-1': 'incomplete', 'F-1': 'tested', 'F-2': 'tested' });
  });
});

describe('what a contract adds up to', () => {
  const textOf = (claims: readonly string[], invariants = '', dependsOn = ''): string => `metadata:
  version: "1.2.3"
  description: Twice
  references: [a, b]
${dependsOn}equations:
  double:
    formula: "D(x)_i = x_i / (1/2)"
    domain: "x ∈ F32^n, 1 ≤ n ≤ 16, |x_i| ≤ 100"
${invariants === '' ? '' : `    invariants: ["${invariants}"]\n`}proof_obligations:
${claims.map((formal, i) => `  - { id: C${i}, type: bound, property: p, formal: "${formal}" }\n`).join('')}`;
  const two = ['|D(x)_i| ≤ 200', 'D(-x)_i = -D(x)_i'];

  /** The only contract, of whose receipts `change` makes others. */
  async function contractWith(
    yaml: string,
    change: (receipt: Receipt) => Partial<Receipt> | null = () => ({}),
    waivers?: Parameters<typeof buildReport>[0]['waivers'],
  ) {
    const own = await planOf({ 'c-v1': yaml }, kernels);
    const caught = own.contracts.flatMap(({ goals }) => goals.map(({ goal }) => goal.id));
    const receipts = own.checks.flatMap((check) => {
      const receipt = receiptOf(check);
      const mutants =
        receipt.mutants &&
        receipt.mutants.slice(1).map((one) => ({ ...one, killedBy: caught, killedByOrdinary: caught }));
      const changed = change(receipt);
      return changed === null ? [] : [{ ...receipt, mutants, ...changed }];
    });
    const currentChecks = new Set(own.checks.map(({ id }) => id));
    const common = {
      subjects: [],
      faults: new Map(),
      diagnostics: [],
      minimumLevel: 'L0',
      reproduce: () => '',
    } as const;
    const asked = { plan: own, currentChecks, receipts, tool: planOptions.tool, ...common };
    const report = buildReport({ ...asked, ...(waivers ? { waivers } : {}) });
    const [contract] = report.contracts;
    if (!contract) throw new Error('the contract is in the report');
    return { contract, report };
  }
  const ofClaim =
    (claim: string, more: Partial<Receipt>) =>
    (receipt: Receipt): Partial<Receipt> =>
      receipt.goal === `c-v1/${claim}` && receipt.method === 'property' ? more : {};

  it('shows what it is, and which contract that it depends on is missing', async () => {
    const { contract, report } = await contractWith(textOf(two, '', '  depends_on: [gone-v1]\n'));
    expect(contract).toMatchObject({
      id: 'c-v1',
      about: 'kernels',
      path: 'contracts/c-v1.yaml',
      version: '1.2.3',
      description: 'Twice',
      references: ['a', 'b'],
      dependsOn: ['gone-v1'],
      declared: 2,
      evaluated: 2,
      failed: 0,
    });
    expect(contract).not.toHaveProperty('statements');
    expect(report.edges).toEqual([{ from: 'c-v1', to: 'gone-v1', missing: true }]);
    expect(report.totals).toMatchObject({
      declared: 2,
      evaluated: 2,
      failed: 0,
      byVerdict: { tested: 2, falsified: 0 },
    });
  });

  it('is sound where the equation itself satisfies every claim, and not where it breaks one', async () => {
    const sound = async (change: Parameters<typeof contractWith>[1]) =>
      (await contractWith(textOf(two), change)).contract.sound;
    let seen = 0;
    expect(await sound(() => ({}))).toBe(true);
    // Of two checks one is missing, or says nothing.
    expect(await sound(({ method }) => (method === 'soundness' && seen++ === 0 ? null : {}))).toBeNull();
    seen = 0;
    const open = { verdict: 'undetermined', reason: 'no' } as const;
    expect(await sound(({ method }) => (method === 'soundness' && seen++ === 0 ? open : {}))).toBeNull();
    expect(await sound(({ method }) => (method === 'soundness' ? null : {}))).toBeNull();
    seen = 0;
    const unsound = { verdict: 'unsound', reason: 'no' } as const;
    expect(await sound(({ method }) => (method === 'soundness' && seen++ === 1 ? unsound : {}))).toBe(false);
  });

  it('is at the level of its lowest obligation; if one fails, at no level', async () => {
    const level = async (change?: Parameters<typeof contractWith>[1]) =>
      (await contractWith(textOf(two), change)).contract.level;
    expect(await level()).toBe('L3');
    expect(await level(ofClaim('C1', { cases: 100, declaredCases: 100, premiseHits: 100 }))).toBe('L2');
    expect(await level(ofClaim('C1', { verdict: 'falsified', reason: 'no' }))).toBe('L0');
    expect(await level(({ method }) => (method === 'adequacy' ? {} : null))).toBe('L0');
  });

  it('is vacuous and no higher than L2 where a wrong kernel satisfies all its claims', async () => {
    const survives = ({ method }: Receipt): Partial<Receipt> => {
      if (method !== 'adequacy') return {};
      const all = ['c-v1/C0', 'c-v1/C1'];
      const outcome = (mutant: string, killedBy: readonly string[]): MutantOutcome => ({
        mutant,
        killedBy,
        killedByOrdinary: killedBy,
        equivalent: null,
        separatingInput: null,
        separatingOutputs: null,
      });
      return { mutants: [outcome('a', all), outcome('b', [])] };
    };
    const { contract } = await contractWith(textOf(two), survives);
    expect(contract).toMatchObject({ verdict: 'vacuous', level: 'L2', adequacy: { killed: 1, total: 2 } });
    expect(contract.claims.map(({ verdict, level }) => [verdict, level])).toEqual([
      ['tested', 'L2'],
      ['tested', 'L2'],
    ]);
    // What is false anyway is not called vacuous.
    const broken = (receipt: Receipt): Partial<Receipt> => ({
      ...survives(receipt),
      ...ofClaim('C1', { verdict: 'falsified', reason: 'no' })(receipt),
    });
    expect((await contractWith(textOf(two), broken)).contract.verdict).toBe('falsified');
  });

  it('counts what is waived neither for nor against its level', async () => {
    const row = (claim: string) =>
      `{ contract: c-v1.yaml, claim: ${claim}, owner: ada, reason: why, expires: 2027-03-31 }`;
    const rowsOf = (...claims: readonly string[]) =>
      readBindings({
        path: 'b.yaml',
        text: `bindings: []\nwaivers:\n${claims.map((claim) => `  - ${row(claim)}\n`).join('')}`,
      }).value.waivers;
    const fails = { verdict: 'falsified', reason: 'no' } as const;
    const levelWith = async (waived: readonly string[], change: Parameters<typeof contractWith>[1]) => {
      const { contract } = await contractWith(textOf(two), change, { rows: rowsOf(...waived), today: '2027-01-01' });
      return [contract.verdict, contract.level];
    };
    expect(await levelWith(['C1'], ofClaim('C1', fails))).toEqual(['waived', 'L3']);
    expect(await levelWith(['C0', 'C1'], ({ method }) => (method === 'property' ? fails : {}))).toEqual([
      'waived',
      'L0',
    ]);
    expect(await levelWith(['C0'], ofClaim('C1', fails))).toEqual(['falsified', 'L0']);
  });

  it('falls with a false statement of its equation, and does not rise with a true one', async () => {
    const stating = textOf(two, 'D(x)_i = x_i + x_i');
    const { contract } = await contractWith(stating);
    expect(contract).toMatchObject({
      verdict: 'tested',
      level: 'L3',
      declared: 2,
      statements: { declared: 1, evaluated: 1, failed: 0 },
    });
    expect(contract.claims.map(({ source }) => source)).toEqual(['obligation', 'obligation', 'statement']);
    const fails = ({ method }: Receipt): Partial<Receipt> =>
      method === 'reals' ? { verdict: 'falsified', reason: 'no' } : {};
    const { contract: fallen, report } = await contractWith(stating, fails);
    expect(fallen).toMatchObject({ verdict: 'falsified', level: 'L0', failed: 0, statements: { failed: 1 } });
    expect(report.totals.byVerdict).toMatchObject({ tested: 2, falsified: 0 });
    // What nothing decides is counted as not evaluated, with its reason or its verdict.
    const open = ({ method }: Receipt): Partial<Receipt> | null => (method === 'reals' ? null : {});
    const { contract: undecided } = await contractWith(stating, open);
    expect(undecided).toMatchObject({ verdict: 'tested', statements: { declared: 1, evaluated: 0 } });
    expect(undecided.statements?.unevaluated).toMatchObject([
      { id: 'double.invariant-1', reason: expect.any(String) as string },
    ]);
  });
});
