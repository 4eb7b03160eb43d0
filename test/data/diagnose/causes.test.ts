/** Holds src/data/diagnose/diagnosis.ts. */
import { describe, expect, it } from 'vitest';
import { config, log } from '../judge/data-sets.ts';
import { chainText, diagnosed } from './contracts.ts';

/** Three obligations over columns a, b, c: each is violated where its column is above 1. */
const ladder = (causes: Readonly<Record<'A' | 'B' | 'C', string>>): Readonly<Record<string, string>> => ({
  'run-v1': [
    'data: { kind: log, domain: "a ∈ F64^T, b ∈ F64^T, c ∈ F64^T" }',
    'proof_obligations:',
    ...(['A', 'B', 'C'] as const).map(
      (id) =>
        `  - { id: ${id}, type: bound, property: ${id} is small, formal: "${id.toLowerCase()}_t ≤ 1"${
          causes[id] === '' ? '' : `, diagnosis: { caused_by: ${causes[id]} }`
        } }`,
    ),
  ].join('\n'),
});

const rows = { a: [0, 0, 0, 9], b: [0, 0, 9, 9], c: [0, 9, 9, 9] } as const;
const steps = [0, 10, 20, 30];

describe('a chain of whys', () => {
  it('goes from the symptom over each cause to the root', async () => {
    const { chains, firstSymptom } = await diagnosed(ladder({ A: '[B]', B: '[C]', C: '[]' }), [
      log({ step: steps, ...rows }),
    ]);
    expect(chains.map(chainText)).toEqual(['run-v1/A ← run-v1/B ← run-v1/C: root']);
    expect(firstSymptom).toMatchObject({ id: 'C', onset: { when: 'step', step: 10 } });
  });

  it('takes the longest way, and says what else the root explains', async () => {
    const { chains } = await diagnosed(ladder({ A: '[C]', B: '[C]', C: '[]' }), [log({ step: steps, ...rows })]);
    expect(chains).toHaveLength(1);
    expect(chains[0]?.whys).toHaveLength(2);
    expect([chains[0]?.whys[0].id, chains[0]?.alsoExplains]).toEqual(['A', ['run-v1/B']]);
    const longer = await diagnosed(ladder({ A: '[C, B]', B: '[C]', C: '[]' }), [log({ step: steps, ...rows })]);
    expect(longer.chains.map(chainText)).toEqual(['run-v1/A ← run-v1/B ← run-v1/C: root']);
  });

  it('has one end per root', async () => {
    const { chains } = await diagnosed(ladder({ A: '[B, C]', B: '[]', C: '[]' }), [log({ step: steps, ...rows })]);
    expect(chains.map(chainText)).toEqual(['run-v1/A ← run-v1/C: root', 'run-v1/A ← run-v1/B: root']);
  });

  it('passes a circle of causes once, and begins it at the earliest', async () => {
    const { chains } = await diagnosed(ladder({ A: '[B]', B: '[C]', C: '[A]' }), [log({ a: [9], b: [9], c: [9] })]);
    expect(chains).toHaveLength(1);
    expect(chains[0]?.whys).toHaveLength(3);
  });

  it('lets nothing be explained by what comes after it', async () => {
    const { chains } = await diagnosed(ladder({ A: '[]', B: '[]', C: '[A]' }), [log({ step: steps, ...rows })]);
    const chain = chains.find(({ whys }) => whys[0].id === 'C');
    expect(chain?.end).toMatchObject({
      kind: 'gap',
      ruledOut: [{ cause: 'run-v1/A', status: 'later', reason: 'it shows at step 30, which is later' }],
    });
  });

  it('comes before the others of its kind if its end shows first', async () => {
    const ends = async (a: readonly number[], b: readonly number[], c: readonly number[]): Promise<readonly string[]> =>
      (await diagnosed(ladder({ A: '[]', B: '[]', C: '[]' }), [log({ step: steps, a, b, c })])).chains.map(chainText);
    expect(await ends([0, 0, 9, 9], [0, 9, 9, 9], [9, 9, 9, 9])).toEqual([
      'run-v1/C: root',
      'run-v1/B: root',
      'run-v1/A: root',
    ]);
    const kinds = await diagnosed(ladder({ A: '', B: '[C]', C: '' }), [
      log({ step: steps, a: [9, 9, 9, 9], b: rows.b, c: [0, 0, 0, 0] }),
    ]);
    expect(kinds.chains.map(chainText)).toEqual(['run-v1/A: unnamed', 'run-v1/B: gap']);
  });

  it('is placed by its root, however long the way to it', async () => {
    const alone = `data: { kind: log, domain: "d ∈ F64^T" }
proof_obligations:
  - { id: D, type: bound, property: D is small, formal: "d_t ≤ 1", diagnosis: { caused_by: [] } }`;
    const { chains } = await diagnosed({ 'alone-v1': alone, ...ladder({ A: '[B]', B: '[C]', C: '[]' }) }, [
      log({
        step: [0, 10, 20, 30, 40],
        a: [0, 0, 0, 0, 9],
        b: [0, 0, 0, 9, 9],
        c: [0, 9, 9, 9, 9],
        d: [0, 0, 9, 9, 9],
      }),
    ]);
    expect(chains.map(chainText)).toEqual(['run-v1/A ← run-v1/B ← run-v1/C: root', 'alone-v1/D: root']);
  });

  it('of a circle with a way out explains all of it once', async () => {
    const { chains } = await diagnosed(ladder({ A: '[B]', B: '[A, C]', C: '[]' }), [log({ a: [9], b: [9], c: [9] })]);
    expect(chains.map(chainText)).toEqual(['run-v1/A ← run-v1/B ← run-v1/C: root']);
    expect(chains[0]?.alsoExplains).toEqual([]);
  });

  it('leads out of a circle to what lies farther', async () => {
    const { chains } = await diagnosed(ladder({ A: '[B]', B: '[A]', C: '[B]' }), [log({ a: [9], b: [9], c: [9] })]);
    expect(chains.map(({ whys }) => whys.map(({ id }) => id).join(' ← '))).toEqual(['C ← B ← A']);
  });

  it('begins in each of two circles', async () => {
    const circle = (a: string, b: string): string => `data: { kind: log, domain: "a ∈ F64^T" }
proof_obligations:
  - { id: ${a}, type: bound, property: p, formal: "a_t ≤ 1", diagnosis: { caused_by: [${b}] } }
  - { id: ${b}, type: bound, property: q, formal: "a_t ≤ 2", diagnosis: { caused_by: [${a}] } }`;
    const { chains } = await diagnosed({ 'one-v1': circle('A', 'B'), 'two-v1': circle('C', 'D') }, [log({ a: [9] })]);
    expect(chains.map(chainText)).toEqual(['one-v1/B ← one-v1/A: gap', 'two-v1/D ← two-v1/C: gap']);
  });

  it('compares no times where rows have none', async () => {
    const { chains } = await diagnosed(ladder({ A: '[]', B: '[]', C: '[A]' }), [log(rows)]);
    expect(chains.map(chainText)).toContain('run-v1/C ← run-v1/A: root');
  });
});

describe('the end of a chain', () => {
  it('is a gap when every cause holds: their numbers rule them out', async () => {
    const { chains } = await diagnosed(ladder({ A: '[B, C]', B: '', C: '' }), [log({ a: [9], b: [0], c: [1] })]);
    expect(chains.map(chainText)).toEqual(['run-v1/A: gap']);
    expect(chains[0]?.end).toMatchObject({
      ruledOut: [
        { cause: 'run-v1/B', status: 'satisfied' },
        { cause: 'run-v1/C', status: 'satisfied' },
      ],
    });
  });

  it('is open while a cause could not be evaluated, and says what it needs', async () => {
    const { chains } = await diagnosed(ladder({ A: '[B, C]', B: '', C: '' }), [log({ a: [9], b: [0] })]);
    expect(chains[0]?.end).toMatchObject({
      kind: 'undecided',
      open: [{ cause: 'run-v1/C', missing: [{ name: 'c' }] }],
      ruledOut: [{ cause: 'run-v1/B' }],
    });
  });

  it('is open when the contract of a cause was not read', async () => {
    const { chains } = await diagnosed(ladder({ A: '[other-v1/X]', B: '', C: '' }), [log({ a: [9], b: [0], c: [0] })]);
    expect(chains[0]?.end).toMatchObject({ kind: 'undecided', open: [{ cause: 'other-v1/X', status: 'absent' }] });
  });

  it('is unnamed when the contract names no causes of something that only shows in the run', async () => {
    const { chains } = await diagnosed(ladder({ A: '', B: '', C: '' }), [log({ a: [9], b: [0], c: [0] })]);
    expect(chains.map(chainText)).toEqual(['run-v1/A: unnamed']);
  });

  it('is a root when it follows from a config alone', async () => {
    const contract = {
      'config-v1': [
        'data: { kind: config, domain: "steps ∈ ℤ, warmup ∈ ℤ", inputs: { warmup: { mend: decrease } } }',
        'proof_obligations:',
        '  - { id: W, type: bound, property: warm-up ends, formal: "warmup < steps" }',
      ].join('\n'),
    };
    const { chains, firstSymptom } = await diagnosed(contract, [config({ steps: 43, warmup: 2000 })]);
    expect(chains.map(chainText)).toEqual(['config-v1/W: root']);
    expect(firstSymptom?.onset.when).toBe('before');
    expect(chains[0]?.whys[0].mends).toMatchObject([{ input: 'warmup', becomes: 42 }]);
  });

  it('names causes in other contracts, one or all of them', async () => {
    const contracts = {
      'loss-v1':
        'data: { kind: log, domain: "loss ∈ F64_ext^T" }\nproof_obligations:\n  - { id: L, type: invariant, property: finite, formal: "is_finite(loss_t)", diagnosis: { caused_by: [config-v1] } }',
      'config-v1':
        'data: { kind: config, domain: "lr ∈ ℝ" }\nproof_obligations:\n  - { id: LR, type: bound, property: lr is small, formal: "lr ≤ 0.1" }',
    };
    const { chains } = await diagnosed(contracts, [log({ loss: [1, Number.NaN] }), config({ lr: 3 })]);
    expect(chains.map(chainText)).toEqual(['loss-v1/L ← config-v1/LR: root']);
  });

  it('does not go to a cause whose fix leaves what it should explain', async () => {
    const contract = [
      'data: { kind: config, domain: "epochs ∈ ℤ, wanted ∈ ℤ, warmup ∈ ℤ, epochs ≥ 1", inputs: { epochs: { mend: increase } } }',
      'proof_obligations:',
      '  - { id: WARM, type: bound, property: a short warm-up, formal: "10·warmup ≤ min(epochs, wanted)", diagnosis: { caused_by: [ENDS] } }',
      '  - { id: ENDS, type: bound, property: enough epochs, formal: "epochs ≥ wanted", diagnosis: { caused_by: [] } }',
    ].join('\n');
    const chainsOf = async (warmup: number): Promise<readonly string[]> =>
      (await diagnosed({ 'run-v1': contract }, [config({ epochs: 1, wanted: 50, warmup })])).chains.map(chainText);
    expect(await chainsOf(5)).toEqual(['run-v1/WARM ← run-v1/ENDS: root']);
    expect((await chainsOf(6)).toSorted()).toEqual(['run-v1/ENDS: root', 'run-v1/WARM: root']);
  });

  it('goes to a cause of another contract, whatever the fix of one with the same id leaves', async () => {
    const domain =
      'data: { kind: config, domain: "epochs ∈ ℤ, wanted ∈ ℤ, warmup ∈ ℤ, epochs ≥ 1", inputs: { epochs: { mend: increase } } }';
    const contracts = {
      'run-v1': [
        domain,
        'proof_obligations:',
        '  - { id: WARM, type: bound, property: a short warm-up, formal: "10·warmup ≤ min(epochs, wanted)", diagnosis: { caused_by: [plan-v1/ENDS, ENDS] } }',
        '  - { id: ENDS, type: bound, property: enough epochs, formal: "epochs ≥ wanted", diagnosis: { caused_by: [] } }',
      ].join('\n'),
      'plan-v1': `${domain}
proof_obligations:
  - { id: ENDS, type: bound, property: no long warm-up, formal: "warmup ≤ 1", diagnosis: { caused_by: [] } }`,
    };
    const { chains } = await diagnosed(contracts, [config({ epochs: 1, wanted: 50, warmup: 6 })]);
    expect(chains.map(chainText).toSorted()).toEqual(['run-v1/ENDS: root', 'run-v1/WARM ← plan-v1/ENDS: root']);
  });
});
