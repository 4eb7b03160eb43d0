/** Holds src/plan/check-subject.ts, src/plan/check.ts, src/plan/in-force.ts, src/subject/kernel.ts. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idsOf, planOf, planOptions, type KernelText } from './projects.ts';

const base = `metadata: { version: "1.0.0", description: Twice }
equations:
  double:
    formula: "D(x)_i = 2·x_i"
    domain: "x ∈ F32^n, a ∈ F32, 1 ≤ n ≤ 16, |x_i| ≤ 100, |a| ≤ 1"
proof_obligations:
  - id: DB-1
    type: equivalence
    property: It is the equation
    formal: "D(x) ≈ D_ref(x)"
    tolerance: { ulp: 0.5 }
falsification_tests:
  - id: F-1
    rule: DB-1
    prediction: "D(x)_0 = 6"
    given: "x ∈ {[3]}, a ∈ {0}"
    if_fails: no
`;
const other = `metadata: { version: "1.0.0", description: Half, depends_on: [base-v1] }
equations:
  half:
    formula: "H(y)_i = y_i / 2"
    domain: "y ∈ F32^n, 1 ≤ n ≤ 16, |y_i| ≤ 100"
proof_obligations:
  - id: HF-1
    type: equivalence
    property: It is the equation
    formal: "H(y) ≈ H_ref(y)"
    tolerance: { ulp: 0.5 }
`;
const apart = other
  .replace(', depends_on: [base-v1]', '')
  .replaceAll('half', 'third')
  .replaceAll('HF-', 'TH-')
  .replace('/ 2', '/ 3')
  .replaceAll('H', 'T');
const texts = { 'base-v1': base, 'other-v1': other, 'apart-v1': apart };
const kernelText = (body: string): string => `export function kernel(this: any, x: number[]): number { ${body} }`;
const kernels: readonly KernelText[] = [
  { contract: 'base-v1', equation: 'double', text: kernelText('return 2 * x[this.thread.x];') },
  { contract: 'other-v1', equation: 'half', text: kernelText('return x[this.thread.x] / 2;') },
  { contract: 'apart-v1', equation: 'third', text: kernelText('return x[this.thread.x] / 3;') },
];
const standard = await planOf(texts, kernels);
const standardIds = idsOf(standard);

/** The keys whose id differs from the standard plan's. */
function changed(ids: ReadonlyMap<string, string>): readonly string[] {
  return [...new Set([...standardIds.keys(), ...ids.keys()])]
    .filter((key) => standardIds.get(key) !== ids.get(key))
    .toSorted();
}

const withKernel = (at: number, more: Partial<KernelText>): readonly KernelText[] =>
  kernels.map((kernel, i) => (i === at ? { ...kernel, ...more } : kernel));

const about = (contract: string): readonly string[] =>
  [...standardIds.keys()].filter((key) => key.includes(` ${contract}/`)).toSorted();
const executing = (keys: readonly string[]): readonly string[] => keys.filter((key) => !key.startsWith('soundness'));

describe('a plan', () => {
  it('has, for every goal, a deciding check, soundness, adequacy and types, sub-contracts first', () => {
    expect([...standardIds.keys()].filter((key) => key.includes('base-v1')).toSorted()).toEqual([
      'adequacy base-v1/double ref32',
      'falsify base-v1/F-1 ref32',
      'property base-v1/DB-1 ref32',
      'soundness base-v1/DB-1 ref32',
      'soundness base-v1/F-1 ref32',
      'types base-v1/double ref32',
    ]);
    const order = standard.contracts.map(({ elaborated }) => elaborated.contract.id);
    expect(order.indexOf('base-v1')).toBeLessThan(order.indexOf('other-v1'));
    expect(new Set(standard.checks.map(({ id }) => id)).size).toBe(standard.checks.length);
  });

  it('checks the claims that need only the bound one of two equations, wrong kernels included', async () => {
    const two = base
      .replace(
        'proof_obligations:',
        `  triple:
    formula: "T(x)_i = 3·x_i"
    domain: "x ∈ F32^n, 1 ≤ n ≤ 16, |x_i| ≤ 100"
proof_obligations:
  - id: DB-2
    type: bound
    property: It is between
    formal: "|D(x)_i| ≤ |T(x)_i|"`,
      )
      .replace(', a ∈ F32', '')
      .replace(', |a| ≤ 1', '')
      .replace(', a ∈ {0}', '');
    const { contracts } = await planOf({ 'base-v1': two }, kernels.slice(0, 1));
    const methodsOf = (claim: string): readonly string[] =>
      contracts[0]?.goals.find(({ goal }) => goal.claim === claim)?.checks.map(({ method }) => method) ?? [];
    expect(methodsOf('DB-1')).toEqual(['property', 'soundness', 'adequacy', 'types']);
    expect(methodsOf('DB-2')).toEqual(['soundness']);
  });

  it('checks only the mathematics of what is unbound, and says so', async () => {
    const { contracts, checks } = await planOf({ 'base-v1': base }, []);
    expect(checks.map(({ method }) => method)).toEqual(['soundness', 'soundness']);
    expect(contracts[0]?.goals.map(({ unboundEquations }) => unboundEquations)).toEqual([['double'], ['double']]);
  });

  it('takes the backends of the binding before those of the run', async () => {
    const row = '    backends: [ref64, gpujs-cpu]\n';
    const ids = idsOf(await planOf(texts, withKernel(0, { row }), { backends: ['ref32'] }));
    expect([...ids.keys()]).toContain('property base-v1/DB-1 ref64');
    expect([...ids.keys()]).toContain('property base-v1/DB-1 gpujs-cpu');
    expect([...ids.keys()]).not.toContain('property base-v1/DB-1 ref32');
  });
});

describe('the id of a check', () => {
  it('is the same for the same project, however its files are written', async () => {
    const comments = Object.fromEntries(
      Object.entries(texts).map(([id, text]) => [id, `# a comment\n\n${text}\n# the end\n`]),
    );
    const commented = kernels.map((kernel) => ({
      ...kernel,
      text: `// why\n${kernel.text.replace('{ return', '{\n  /* how */ return')}\n`,
    }));
    expect(changed(idsOf(await planOf(texts, kernels)))).toEqual([]);
    expect(changed(idsOf(await planOf(comments, commented)))).toEqual([]);
    expect(
      changed(idsOf(await planOf(Object.fromEntries(Object.entries(texts).toReversed()), kernels.toReversed()))),
    ).toEqual([]);
  });

  it('does not depend on wording', async () => {
    const worded = base
      .replace('It is the equation', 'It computes what it says')
      .replace('description: Twice', 'description: Double')
      .replace('if_fails: no', 'if_fails: It is wrong');
    expect(changed(idsOf(await planOf({ ...texts, 'base-v1': worded }, kernels)))).toEqual([]);
  });

  it.each([
    ['an equation', base.replace('2·x_i', '3·x_i'), kernels],
    ['a domain', base.replace('|x_i| ≤ 100', '|x_i| ≤ 101'), kernels],
    ['a tolerance', base.replace('ulp: 0.5', 'ulp: 0.75'), kernels],
    ['a kernel', base, withKernel(0, { text: kernelText('return x[this.thread.x] * 2;') })],
    ['the arguments of a binding', base, withKernel(0, { row: '    arguments: [a]\n' })],
    ['an argument expression', base, withKernel(0, { row: '    arguments: [2·n]\n' })],
    ['the output of a binding', base, withKernel(0, { row: '    output: [n]\n' })],
    ['the longest loop', base, withKernel(0, { row: '    loop_max: 7\n' })],
  ])('changes with %s, for the contract and its dependents only', async (_, text, bound) => {
    const keys = changed(idsOf(await planOf({ ...texts, 'base-v1': text }, bound)));
    expect(keys).toContain('property base-v1/DB-1 ref32');
    expect(keys).toContain('adequacy base-v1/double ref32');
    expect(keys).toContain('property other-v1/HF-1 ref32');
    expect(keys).toContain('adequacy other-v1/half ref32');
    expect(keys.filter((key) => key.includes('apart-v1'))).toEqual([]);
    // What rests on nothing below it stays: the dependent's own mathematics and types.
    expect(keys).not.toContain('soundness other-v1/HF-1 ref32');
  });

  it('does not change below what is edited', async () => {
    const keys = changed(
      idsOf(await planOf({ ...texts, 'other-v1': other.replace('ulp: 0.5', 'ulp: 0.75') }, kernels)),
    );
    expect(keys.filter((key) => !key.includes('other-v1'))).toEqual([]);
    expect(keys).toContain('property other-v1/HF-1 ref32');
  });

  it('changes with an equivalent mutant for adequacy alone', async () => {
    const gate = `${base}qa_gate:\n  id: G\n  name: g\n  equivalent_mutants:\n    - { mutant: "saboteur:zero", equation: double, reason: because }\n`;
    expect(changed(idsOf(await planOf({ ...texts, 'base-v1': gate }, kernels)))).toEqual([
      'adequacy base-v1/double ref32',
    ]);
  });

  it('holds the seed, the backend, the cases, and the tool, each alone', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          seed: fc.integer({ min: 0, max: 3 }),
          cases: fc.constantFrom(null, 10_000, 20_000),
          backends: fc.constantFrom(['ref32' as const], ['ref64' as const]),
          version: fc.constantFrom('1.0.0', '1.0.1'),
          node: fc.constantFrom('20.0.0', '22.0.0'),
        }),
        async ({ seed, cases, backends, version, node }) => {
          const ids = idsOf(
            await planOf({ 'base-v1': base }, kernels.slice(0, 1), {
              seed,
              cases,
              backends,
              tool: { name: 'pv', version, node },
            }),
          );
          const [backend = 'ref32'] = backends;
          const asStandard = seed === planOptions.seed && version === '1.0.0' && node === '20.0.0';
          const same = (key: string, of = key): boolean => ids.get(of) === standardIds.get(key);
          // 10,000 is what the contract asks for anyway.
          expect(same('property base-v1/DB-1 ref32', `property base-v1/DB-1 ${backend}`)).toBe(
            asStandard && backend === 'ref32' && cases !== 20_000,
          );
          expect(same('types base-v1/double ref32')).toBe(asStandard);
          expect(same('soundness base-v1/DB-1 ref32')).toBe(asStandard);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('covers every check that executes a kernel', () => {
    const bases = executing(about('base-v1'));
    expect(bases.length).toBeGreaterThanOrEqual(4);
    expect(bases.every((key) => /^sha256:[0-9a-f]{64}$/u.test(standardIds.get(key) ?? ''))).toBe(true);
  });
});
