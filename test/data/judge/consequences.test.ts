import { describe, expect, it } from 'vitest';
import { checkData } from '../../../src/data/judge/check-data.ts';
import type { ElaboratedContract } from '../../../src/contract/goal.ts';
import type { DataSet } from '../../../src/data/read/data-set.ts';
import { config, dataContract, log } from './data-sets.ts';

/** `EFFECT ← CAUSE (how it is shown)` of each violated obligation; one that stands for itself alone. */
async function violations(contract: ElaboratedContract, data: DataSet): Promise<readonly string[]> {
  const { obligations } = await checkData(contract, [data], new Map());
  return obligations
    .filter(({ verdict }) => verdict === 'violated')
    .map(({ id, consequence: one }) => (one === null ? id : `${id} ← ${one.of} (${one.shownBy})`));
}

const steps = dataContract(`
data:
  kind: config
  domain: "epochs ∈ ℤ, per_epoch ∈ ℤ, max_steps ∈ ℤ, warmup ∈ ℤ, epochs ≥ 1, per_epoch ≥ 0, max_steps ≥ 1, warmup ≥ 0"
  inputs: { epochs: { mend: increase }, warmup: { mend: decrease } }
equations:
  total: { formula: "total = min(max_steps, epochs·per_epoch)" }
proof_obligations:
  - { id: SHARE, type: bound, property: a short warm-up, formal: "10·warmup ≤ total", diagnosis: { caused_by: [WARM] } }
  - { id: WARM, type: bound, property: warm-up ends, formal: "warmup < total", diagnosis: { caused_by: [REACHED] } }
  - { id: REACHED, type: bound, property: the steps are reached, formal: "total ≥ max_steps", diagnosis: { caused_by: [EPOCHS] } }
  - { id: EPOCHS, type: bound, property: enough epochs, formal: "epochs·per_epoch ≥ max_steps", diagnosis: { caused_by: [test-v1/DATA] } }
  - { id: DATA, type: bound, property: an epoch has data, formal: "per_epoch ≥ 1", diagnosis: { caused_by: [] } }
`);

describe('violations of a config', () => {
  it('follow from a named cause, at any distance, when its fix mends them', async () => {
    const data = config({ epochs: 1, per_epoch: 43, max_steps: 5000, warmup: 200 });
    expect(await violations(steps, data)).toEqual([
      'SHARE ← EPOCHS (mend)',
      'WARM ← EPOCHS (mend)',
      'REACHED ← EPOCHS (mend)',
      'EPOCHS',
    ]);
  });

  it('are independent if the fix of the cause leaves them as they are', async () => {
    const data = config({ epochs: 1, per_epoch: 43, max_steps: 5000, warmup: 2000 });
    expect(await violations(steps, data)).toEqual([
      'SHARE',
      'WARM ← EPOCHS (mend)',
      'REACHED ← EPOCHS (mend)',
      'EPOCHS',
    ]);
  });

  it('say whose fix leaves them', async () => {
    const data = config({ epochs: 1, per_epoch: 43, max_steps: 5000, warmup: 6000 });
    const { obligations } = await checkData(steps, [data], new Map());
    expect(obligations.map(({ id, apartFrom }) => [id, apartFrom])).toEqual([
      ['SHARE', ['WARM', 'EPOCHS']],
      ['WARM', ['EPOCHS']],
      ['REACHED', []],
      ['EPOCHS', []],
      ['DATA', []],
    ]);
  });

  it('explain others if they are independent', async () => {
    const data = config({ epochs: 1, per_epoch: 43, max_steps: 5000, warmup: 6000 });
    expect(await violations(steps, data)).toEqual(['SHARE', 'WARM', 'REACHED ← EPOCHS (mend)', 'EPOCHS']);
    const alone = config({ epochs: 9, per_epoch: 43, max_steps: 50, warmup: 60 });
    expect(await violations(steps, alone)).toEqual(['SHARE', 'WARM']);
    const slack = dataContract(`
data: { kind: config, domain: "a ∈ ℤ, b ∈ ℤ", inputs: { b: { mend: decrease } } }
proof_obligations:
  - { id: FIRST, type: bound, property: p, formal: "b ≤ 4 ∧ a ≤ 4", diagnosis: { caused_by: [SECOND] } }
  - { id: SECOND, type: bound, property: p, formal: "b ≤ 5" }
  - { id: THIRD, type: bound, property: p, formal: "a ≤ 3", diagnosis: { caused_by: [FIRST] } }
`);
    expect(await violations(slack, config({ a: 5, b: 6 }))).toEqual(['FIRST', 'SECOND', 'THIRD ← FIRST (contract)']);
  });

  it('rest on what the contract names where the cause has no mend', async () => {
    const data = config({ epochs: 1, per_epoch: 0, max_steps: 5000, warmup: 0 });
    expect(await violations(steps, data)).toEqual([
      'WARM ← DATA (contract)',
      'REACHED ← DATA (contract)',
      'EPOCHS ← DATA (contract)',
      'DATA',
    ]);
  });

  it('follow from nothing that holds', async () => {
    expect(await violations(steps, config({ epochs: 1, per_epoch: 50, max_steps: 50, warmup: 6 }))).toEqual(['SHARE']);
  });
});

const norms = dataContract(`
data: { kind: log, domain: "loss ∈ F64_ext^T, norm ∈ F64_ext^T" }
proof_obligations:
  - { id: END, type: bound, property: the loss ends low, formal: "loss_{T-1} ≤ 2", diagnosis: { caused_by: [LOSS] } }
  - { id: LOSS, type: invariant, property: finite losses, formal: "is_finite(loss_t)", diagnosis: { caused_by: [FINITE] } }
  - { id: FINITE, type: invariant, property: finite norms, formal: "is_finite(norm_t)", diagnosis: { caused_by: [SMALL] } }
  - { id: SMALL, type: bound, property: small norms, formal: "norm_t ≤ 10", diagnosis: { caused_by: [FINITE] } }
`);

describe('violations of a log', () => {
  it('follow from those of the same or an earlier row; of a cycle, the first in the contract is kept', async () => {
    const data = log({ loss: [3, 2, 1, Number.NaN], norm: [1, 1, Number.NaN, Number.NaN] });
    expect(await violations(norms, data)).toEqual([
      'END ← FINITE (contract)',
      'LOSS ← FINITE (contract)',
      'FINITE',
      'SMALL ← FINITE (contract)',
    ]);
  });

  it('follow from the one that shows first', async () => {
    const data = log({ loss: [3, 2, 1, 1], norm: [1, 11, 12, Number.POSITIVE_INFINITY] });
    expect(await violations(norms, data)).toEqual(['FINITE ← SMALL (contract)', 'SMALL']);
  });

  it('do not follow from what shows later', async () => {
    const data = log({ loss: [3, Number.NaN, 1, 1], norm: [1, 1, 1, 11] });
    expect(await violations(norms, data)).toEqual(['LOSS', 'SMALL']);
  });
});

it('what says nothing once the cause is fixed follows from it', async () => {
  const contract = dataContract(`
data: { kind: config, domain: "steps ∈ ℤ, warmup ∈ ℤ, steps ≥ 1, warmup ≥ 0", inputs: { warmup: { mend: decrease } } }
proof_obligations:
  - { id: LONG, type: bound, property: no long warm-up, formal: "warmup ≥ 10 ⟹ steps ≥ 1000", diagnosis: { caused_by: [SHARE] } }
  - { id: SHARE, type: bound, property: a short warm-up, formal: "10·warmup ≤ steps", diagnosis: { caused_by: [] } }
`);
  expect(await violations(contract, config({ steps: 50, warmup: 20 }))).toEqual(['LONG ← SHARE (mend)', 'SHARE']);
});
