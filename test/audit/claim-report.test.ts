/** One claim as a report shows it: what its receipts say, and nothing that they no longer say. */
import { describe, expect, it } from 'vitest';
import { goalClaim, notGoalClaim, type JudgedClaim } from '../../src/audit/claim-report.ts';
import type { ReportContext } from '../../src/audit/report-context.ts';
import { invariant } from '../../src/base/invariant.ts';
import { diagnostic } from '../../src/diagnostics/diagnostic.ts';
import type { MutantOutcome, Receipt } from '../../src/evidence/receipt.ts';
import type { Check } from '../../src/plan/check.ts';
import type { PlannedContract, PlannedGoal } from '../../src/plan/make-plan.ts';
import { abortedResult } from '../../src/plan/run-job.ts';
import { readBindings } from '../../src/subject/read-bindings.ts';
import { sampleInput, sampleProof } from '../evidence/sample-receipt.ts';
import { planOf, planOptions, type KernelText } from '../plan/projects.ts';

const { tool } = planOptions;
const text = `metadata: { version: "1.0.0", description: Twice }
equations:
  double:
    formula: "D(x)_i = 2·x_i"
    domain: "x ∈ F32^n, 1 ≤ n ≤ 16, |x_i| ≤ 100"
    invariants: ["D(x)_i = x_i + x_i"]
proof_obligations:
  - { id: C0, type: equivalence, property: It doubles, formal: "D(x) ≈ D_ref(x)", tolerance: { ulp: 1 } }
  - { id: MATH, type: invariant, property: Sums, formal: "Σ_i x_i ≤ 100·n" }
  - { id: WORDS, type: bound, property: In words, formal: "as fast as it can be" }
falsification_tests:
  - { id: F-1, rule: C0, prediction: "D(x)_0 = 6", given: "x ∈ {[3]}", if_fails: It does not double }
`;
const kernel: KernelText = {
  contract: 'double-v1',
  equation: 'double',
  text: 'export function kernel(this: any, x: number[]): number { return 2 * x[this.thread.x]; }',
};

async function contractWith(
  options: Parameters<typeof planOf>[2] = {},
  kernels = [kernel],
  yaml = text,
): Promise<PlannedContract> {
  const [contract] = (await planOf({ 'double-v1': yaml }, kernels, { cases: 10_000, ...options })).contracts;
  invariant(contract, 'the contract is planned');
  return contract;
}

function plannedGoal({ goals }: PlannedContract, claim: string): PlannedGoal {
  const planned = goals.find(({ goal }) => goal.claim === claim);
  invariant(planned, `${claim} is a goal`);
  return planned;
}

/** A wrong kernel that the claims catch. */
const caught: MutantOutcome = {
  mutant: 'saboteur:zero',
  killedBy: ['double-v1/C0', 'double-v1/F-1'],
  killedByOrdinary: ['double-v1/C0', 'double-v1/F-1'],
  equivalent: null,
  separatingInput: null,
  separatingOutputs: null,
};

/** The receipt of a check of which every case held. */
function green(check: Check): Receipt {
  const { cases } = check;
  const { receipt } = abortedResult({ check, replay: [], timeoutMs: 0, tool }, 'tested', '');
  const mutants = check.method === 'adequacy' ? [caught] : null;
  return { ...receipt, reason: null, cases, declaredCases: cases, premiseHits: cases, mutants };
}

/** The claim with the receipts of its checks as `change` leaves them. */
async function judged(
  claim: string,
  change: (receipt: Receipt) => Partial<Receipt> = () => ({}),
  context: Partial<ReportContext> = {},
  planned?: PlannedContract,
): Promise<JudgedClaim> {
  const contract = planned ?? (await contractWith());
  const { elaborated } = contract;
  const own = plannedGoal(contract, claim);
  const receipts = own.checks.map(green).map((receipt) => ({ ...receipt, ...change(receipt) }));
  return goalClaim(own, elaborated, contextOf(own.checks, receipts, context));
}

function contextOf(
  checks: readonly Check[],
  receipts: readonly Receipt[],
  more: Partial<ReportContext> = {},
): ReportContext {
  const receiptsByCheck = new Map(receipts.map((receipt) => [receipt.check, receipt]));
  return {
    plan: { contracts: [], checks: [] },
    currentChecks: new Set(checks.map(({ id }) => id)),
    receipts,
    subjects: [],
    faults: new Map(),
    diagnostics: [],
    tool,
    minimumLevel: 'L0',
    reproduce: (goal, path) => `pv audit ${path} --claim ${goal.claim}`,
    waived: new Map(),
    receiptsByCheck,
    receiptsFor: () => receipts,
    ...more,
  };
}

function waivedBy(claim: string): Pick<ReportContext, 'waived'> {
  const row = `{ contract: double-v1.yaml, claim: ${claim}, owner: ada, reason: a driver, expires: 2027-03-31 }`;
  const file = { path: 'binding.yaml', text: `bindings: []\nwaivers:\n  - ${row}\n` };
  const [waiver] = readBindings(file).value.waivers;
  invariant(waiver, 'the waiver can be read');
  return { waived: new Map([[`double-v1/${claim}`, waiver]]) };
}

const counterexample = { input: sampleInput, explanation: '3 is not 2', shrinks: 0, outputs: ['[3]'] };
const breaks = ({ method }: Receipt): Partial<Receipt> =>
  method === 'property' ? { verdict: 'falsified', reason: '3 is not 2', counterexample } : {};

describe('a claim', () => {
  it('is shown with its text, its place, its level, its scope and what each method found', async () => {
    const { evaluated, report } = await judged('C0');
    const { methods, ...rest } = report;
    expect(evaluated).toBe(true);
    expect(rest).toEqual({
      id: 'C0',
      source: 'obligation',
      type: 'equivalence',
      property: 'It doubles',
      formal: 'D(x) ≈ D_ref(x)',
      ifFails: null,
      file: 'contracts/double-v1.yaml',
      line: 8,
      tolerance: 'ulp 1',
      verdict: 'tested',
      level: 'L3',
      reason: null,
      counterexample: null,
      kills: { killed: 1, total: 1 },
      scope: '10,000 cases, seed 1, float32 on ref32, 1 ≤ n ≤ 16',
      reproduce: 'pv audit contracts/double-v1.yaml --claim C0',
    });
    // That wrong kernels were tried shows in `kills`.
    expect(methods.map(({ method }) => method)).toEqual(['property', 'soundness']);
    expect(methods[0]).toEqual({
      method: 'property',
      verdict: 'tested',
      backend: 'ref32',
      device: expect.any(String) as string,
      cases: 10_000,
      declaredCases: 10_000,
      filtered: 0,
      seed: 1,
      worst: null,
      reason: null,
      check: expect.stringMatching(/^sha256:/u) as string,
    });
  });

  it('of a test has what it means when it fails, and no type', async () => {
    const { report } = await judged('F-1');
    expect(report).toMatchObject({
      source: 'falsification',
      type: null,
      property: 'D(x)_0 = 6',
      ifFails: 'It does not double',
      line: 12,
      verdict: 'tested',
      level: 'L2',
    });
  });

  it('over the reals says to how many digits numbers were equal, where they were taken for equal', async () => {
    const equal = await judged('C0', () => ({ equalTo: 80 }));
    expect(equal.report.methods.map(({ equalTo }) => equalTo)).toEqual([80, 80]);
    for (const method of (await judged('C0')).report.methods) expect(method).not.toHaveProperty('equalTo');
  });

  it('that a kernel breaks is shown with the input and why', async () => {
    const { evaluated, report } = await judged('C0', breaks);
    expect([evaluated, report.verdict, report.reason]).toEqual([true, 'falsified', '3 is not 2']);
    expect(report.counterexample).toEqual(counterexample);
    expect(report.scope).toMatch(/^10,000 cases/u);
  });

  it('whose evidence is of another state shows no figure of it', async () => {
    const { evaluated, report } = await judged('C0', ({ method }) =>
      method === 'property' ? { restsOn: { 'half-v1/H': 'sha256:gone' } } : {},
    );
    expect([evaluated, report.verdict, report.kills, report.scope]).toEqual([false, 'stale', null, 'nothing ran']);
    expect(report.reason).toBe('it rests on half-v1/H, which has changed');
    // That the equation satisfies its own claims is about no kernel.
    expect(report.methods.map(({ method }) => method)).toEqual(['soundness']);
  });

  it('says why the evidence is of another state, where the store knows', async () => {
    const planned = await contractWith();
    const [check] = plannedGoal(planned, 'C0').checks.filter(({ method }) => method === 'property');
    invariant(check, 'the claim is run');
    const changed = new Map([[check.id, 'lib.ts has changed']]);
    const found = await judged('C0', () => ({ check: 'sha256:other' }), { changed }, planned);
    expect([found.report.verdict, found.report.reason]).toEqual([
      'stale',
      'the property evidence is of another state: lib.ts has changed',
    ]);
    const waived = await judged('C0', () => ({ check: 'sha256:other' }), { changed, ...waivedBy('C0') }, planned);
    expect([waived.evaluated, waived.report.verdict, waived.report.scope]).toEqual([false, 'waived', 'nothing ran']);
  });

  it('without a kernel is unbound, says why, and shows no figure of another kernel', async () => {
    const planned = await contractWith({}, []);
    const unbound = await judged('C0', undefined, {}, planned);
    expect([unbound.evaluated, unbound.report.verdict]).toEqual([false, 'unbound']);
    expect(unbound.report).toMatchObject({
      reason: 'no kernel is bound to double',
      scope: 'nothing ran',
      kills: null,
      level: 'L0',
    });
    const problem = diagnostic('PV-5006', null, 'there is no such module', { subject: 'binding.yaml' });
    const faults: ReportContext['faults'] = new Map([['double-v1/double', { about: 'row', problem }]]);
    const broken = await judged('C0', undefined, { faults }, planned);
    expect(broken.report.reason).toMatch(/^the binding of double is broken \(PV-5006/u);
  });

  it('that ran in float64 alone is not green', async () => {
    const planned = await contractWith({ backends: ['ref64'] });
    const { report } = await judged('C0', undefined, {}, planned);
    expect(report.verdict).toBe('undetermined');
    expect(report.reason).toContain('it ran in float64 alone (ref64), which is a control');
  });

  it('that no wrong kernel was tried on is not green, unless it runs no kernel', async () => {
    const planned = await contractWith();
    const without = (claim: string): JudgedClaim => {
      const own = plannedGoal(planned, claim);
      const checks = own.checks.filter(({ method }) => method !== 'adequacy');
      return goalClaim({ ...own, checks }, planned.elaborated, contextOf(checks, checks.map(green)));
    };
    expect(without('C0').report).toMatchObject({
      verdict: 'incomplete',
      reason: 'no wrong kernel has been tried on it',
    });
    expect(without('MATH').report).toMatchObject({ verdict: 'tested', kills: null });
    expect(plannedGoal(planned, 'double.invariant-1').goal.source).toBe('statement');
    expect(without('double.invariant-1').report.verdict).toBe('tested');
  });

  it('is proved as long as the proofs that it rests on, of other contracts too, are', async () => {
    const harness = 'kani_harnesses:\n  - { id: K, obligation: C0, strategy: stub_float, bound: 2 }\n';
    const planned = await contractWith({}, [kernel], `${text}${harness}`);
    const own = plannedGoal(planned, 'C0');
    const below = sampleProof({ axioms: [] });
    const assumed = [{ goal: 'sub-v1/S', harness: 'K', check: below.check, scope: 'every n' }];
    const receipts = own.checks.map((check) =>
      check.method === 'bounded' ? { ...sampleProof({ assumed }), check: check.id } : green(check),
    );
    const verdictWith = (others: readonly Receipt[]): string => {
      const context = contextOf(own.checks, receipts);
      const receiptsByCheck = new Map([...receipts, ...others].map((receipt) => [receipt.check, receipt]));
      return goalClaim(own, planned.elaborated, { ...context, receiptsByCheck }).report.verdict;
    };
    expect([verdictWith([below]), verdictWith([])]).toEqual(['proved', 'tested']);
  });

  it('with a tolerance as large as the value is vacuous', async () => {
    const planned = await contractWith({}, [kernel], text.replace('ulp: 1 }', 'rel: 1 }'));
    const { report } = await judged('C0', undefined, {}, planned);
    expect([report.verdict, report.reason]).toEqual([
      'vacuous',
      'its tolerance (rel 1) accepts 0 in place of any value',
    ]);
  });
});

describe('a waiver', () => {
  it('sets aside what is not green, and shows what it sets aside', async () => {
    const { evaluated, report } = await judged('C0', breaks, waivedBy('C0'));
    expect([evaluated, report.verdict]).toEqual([true, 'waived']);
    expect(report.waiver).toEqual({
      owner: 'ada',
      reason: 'a driver',
      expires: '2027-03-31',
      verdict: 'falsified',
    });
    expect(report.counterexample).toEqual(counterexample);
  });

  it('leaves what is green, and every other claim, as it is', async () => {
    const own = await judged('C0', undefined, waivedBy('C0'));
    expect(own.report.verdict).toBe('tested');
    expect(own.report).not.toHaveProperty('waiver');
    const other = await judged('C0', breaks, waivedBy('F-1'));
    expect(other.report.verdict).toBe('falsified');
    expect(other.report).not.toHaveProperty('waiver');
  });
});

describe('a claim that is not a goal', () => {
  const shown = async (more: Partial<ReportContext> = {}): Promise<JudgedClaim> => {
    const { elaborated } = await contractWith();
    const missing = elaborated.notGoals.find(({ claim }) => claim === 'WORDS');
    invariant(missing, 'words are no goal');
    return notGoalClaim(missing, null, elaborated, contextOf([], [], more));
  };

  it('is shown with its status, and nothing ran', async () => {
    const { evaluated, report } = await shown();
    expect(evaluated).toBe(false);
    expect(report).toEqual({
      id: 'WORDS',
      source: 'obligation',
      type: 'bound',
      property: 'In words',
      formal: 'as fast as it can be',
      ifFails: null,
      file: 'contracts/double-v1.yaml',
      line: 10,
      tolerance: null,
      verdict: 'prose',
      level: 'L0',
      scope: 'nothing ran',
      reason: expect.any(String) as string,
      methods: [],
      counterexample: null,
      kills: null,
      reproduce: null,
    });
  });

  it('can be waived', async () => {
    const { report } = await shown(waivedBy('WORDS'));
    expect(report).toMatchObject({ verdict: 'waived', waiver: { owner: 'ada', verdict: 'prose' } });
    expect((await shown(waivedBy('C0'))).report).not.toHaveProperty('waiver');
  });
});
