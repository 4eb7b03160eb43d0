/**
 * Contracts over data on data whose verdicts are stated, and the edits of claims (`claim-mutants.ts`) that these data tell.
 *
 * Holds src/data/judge/claim-mutants.ts.
 */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { mutateClaim, runControl, runControls } from '../../../src/data/judge/controls.ts';
import type { ElaboratedContract } from '../../../src/contract/goal.ts';
import { dataContract } from './data-sets.ts';

const page = await readFile(new URL('../../../docs/check.md', import.meta.url), 'utf8');
const sections = /```yaml\nmetadata:.*\n([\s\S]*?)```/.exec(page)?.[1] ?? '';

function requestOf({ dataGoals, data, equations, controls }: ElaboratedContract): Parameters<typeof mutateClaim>[0] {
  const [goal] = dataGoals;
  if (!goal || !data) throw new Error('the contract has no claim about data');
  return { goal, goals: dataGoals, equations, model: data, controls };
}

describe('the contract of docs/check.md', () => {
  it('gives the stated verdict on each of its data sets', async () => {
    const contract = dataContract(sections);
    const request = requestOf(contract);
    expect(await runControls(request)).toEqual({ verdict: 'tested', reason: null, cases: 2 });
    for (const control of contract.controls)
      expect((await runControl(control, request.model, contract.dataGoals)).verdict).toBe('tested');
  });

  it('is told from every edit of it by them', async () => {
    const mutants = await mutateClaim(requestOf(dataContract(sections)));
    expect(mutants.length).toBeGreaterThan(5);
    expect(mutants.filter(({ killedBy }) => killedBy.length === 0).map(({ mutant }) => mutant)).toEqual([]);
  });
});

describe('controls', () => {
  const withTests = (tests: string): ElaboratedContract =>
    dataContract(`${sections.slice(0, sections.indexOf('falsification_tests:'))}falsification_tests:\n${tests}`);

  it.each([
    [
      'a data set that does not violate what it says',
      '  - { id: F-1, data: { num_sequences: 100, batch_size: 10, max_steps: 10 }, violates: [DATA-001] }\n',
      'falsified',
      'F-1 should violate DATA-001, and it is satisfied',
    ],
    [
      'a data set that violates what it does not say',
      '  - { id: F-1, data: { num_sequences: 100, batch_size: 10, max_steps: 11 }, violates: [] }\n',
      'falsified',
      'F-1 should not violate DATA-001, and it does',
    ],
    [
      'a claim that nothing violates',
      '  - { id: F-1, data: { num_sequences: 100, batch_size: 10, max_steps: 10 }, violates: [] }\n',
      'vacuous',
      'no data of a falsification test violate it, so nothing shows that it can fail',
    ],
    [
      'a claim that nothing satisfies',
      '  - { id: F-1, data: { num_sequences: 100, batch_size: 10, max_steps: 11 }, violates: [DATA-001] }\n',
      'vacuous',
      'no data of a falsification test satisfy it, so nothing shows that it can hold',
    ],
    [
      'a data set without the inputs of the claim that it should violate',
      '  - { id: F-1, data: { batch_size: 10, max_steps: 11 }, violates: [DATA-001] }\n',
      'falsified',
      'F-1 should violate DATA-001, and it is undetermined',
    ],
  ])('refuse %s', async (_, tests, verdict, reason) => {
    expect(await runControls(requestOf(withTests(tests)))).toMatchObject({ verdict, reason });
  });

  it('say which edits of the claim they do not tell', async () => {
    const far = withTests(
      [
        '  - { id: F-1, data: { num_sequences: 100, batch_size: 10, max_steps: 99 }, violates: [DATA-001] }\n',
        '  - { id: F-2, data: { num_sequences: 900, batch_size: 10, max_steps: 1 }, violates: [] }\n',
      ].join(''),
    );
    const survivors = (await mutateClaim(requestOf(far))).filter(({ killedBy }) => killedBy.length === 0);
    expect(survivors.map(({ mutant }) => mutant).join('\n')).toContain('≥');
  });

  it('say nothing of the edits of a claim that they do not give the inputs of', async () => {
    const without = withTests('  - { id: F-1, data: { batch_size: 10 }, violates: [] }\n');
    expect(await mutateClaim(requestOf(without))).toEqual([]);
  });

  it.each([
    ['an input that does not exist', '{ id: F-1, data: { sequences: 1 }, violates: [] }', "'sequences'"],
    ['an obligation that does not exist', '{ id: F-1, data: { batch_size: 1 }, violates: [DATA-9] }', 'DATA-9'],
  ])('are refused when they name %s', (_, test, name) => {
    expect(() => withTests(`  - ${test}\n`)).toThrow(name);
  });
});

describe('an equation that several claims rest on', () => {
  const shared = dataContract(`
data:
  kind: config
  domain: "a ∈ ℤ, b ∈ ℤ, a ≥ 0, b ≥ 0"
equations:
  total: { formula: "total = a + b" }
  double: { formula: "double = 2·total" }
proof_obligations:
  - { id: LOW, type: bound, property: at least, formal: "double ≥ 10" }
  - { id: HIGH, type: bound, property: at most, formal: "total ≤ 9" }
falsification_tests:
  - { id: F-1, rule: LOW, data: { a: 2, b: 3 }, violates: [] }
  - { id: F-2, rule: LOW, data: { a: 2, b: 2 }, violates: [LOW] }
  - { id: F-3, rule: HIGH, data: { a: 6, b: 3 }, violates: [] }
  - { id: F-4, rule: HIGH, data: { a: 7, b: 3 }, violates: [HIGH] }
`);
  const mutantsOf = (claim: string): ReturnType<typeof mutateClaim> => {
    const { dataGoals, equations, data, controls } = shared;
    const goal = dataGoals.find((one) => one.claim === claim);
    if (!goal || !data) throw new Error(`no claim ${claim}`);
    return mutateClaim({ goal, goals: dataGoals, equations, model: data, controls });
  };

  it('is edited once, in all of them, and listed with the first', async () => {
    const [low, high] = [await mutantsOf('LOW'), await mutantsOf('HIGH')];
    const ids = low.map(({ mutant }) => mutant);
    expect(ids).toContain('equation:double ≥ 10 → double > 10');
    expect(ids).toContain('equation:in double: 2 · total → 2 / total');
    expect(ids).toContain('equation:in total: a + b → a - b');
    expect(high.map(({ mutant }) => mutant).filter((id) => id.includes(' in '))).toEqual([]);
    expect(high.map(({ mutant }) => mutant)).toContain('equation:total ≤ 9 → total < 9');
    expect([...low, ...high].filter(({ killedBy }) => killedBy.length === 0).map(({ mutant }) => mutant)).toEqual([]);
  });

  it('may be told by a claim other than the first', async () => {
    const told = (await mutantsOf('LOW')).filter(({ killedBy }) => killedBy.includes('test-v1/HIGH'));
    expect(told.map(({ mutant }) => mutant.slice(0, 17))).not.toContain('equation:double ≥');
    expect((await mutantsOf('LOW')).every(({ killedBy }) => killedBy.length === 1)).toBe(true);
  });
});

describe('controls of a log', () => {
  const overRows = (tests: string, norm = 'grad_norm'): ElaboratedContract =>
    dataContract(`data: { kind: log, domain: "loss ∈ F64_ext^T, norm ∈ F64_ext^T", inputs: { norm: { from: ${norm} } } }
proof_obligations:
  - { id: C, type: bound, property: p, formal: "norm_t ≤ loss_t" }
falsification_tests:
${tests}`);

  it('give columns, of which the missing rows are absent', async () => {
    const contract = overRows(
      [
        '  - { id: F-1, data: { loss: [3, 2, 1], norm: [1, 1] }, violates: [] }',
        '  - { id: F-2, data: { loss: [3, 2, 1], norm: [1, 9] }, violates: [C] }',
      ].join('\n'),
    );
    expect(await runControls(requestOf(contract))).toEqual({ verdict: 'tested', reason: null, cases: 2 });
    const mutants = await mutateClaim(requestOf(contract));
    expect(mutants.some(({ killedBy }) => killedBy.length > 0)).toBe(true);
  });

  it.each([
    ['log.grad_norm', 'tested'],
    ['Train/grad.norm', 'tested'],
    // Rows of two tables do not correspond, so nothing can be said of the claim.
    ['kernels.norm', 'falsified'],
  ])('are of the table that %s names: %s', async (from, verdict) => {
    const contract = overRows(
      [
        '  - { id: F-1, data: { loss: [3, 2], norm: [1, 1] }, violates: [] }',
        '  - { id: F-2, data: { loss: [3, 2], norm: [1, 9] }, violates: [C] }',
      ].join('\n'),
      from,
    );
    expect((await runControls(requestOf(contract))).verdict).toBe(verdict);
  });
});
