/**
 * The page on composition: its example elaborates over the shipped parts, and shapes that do not fit are both shown.
 *
 * Holds src/contract/elaborate/expressions/application.ts, src/contract/elaborate/claims/control-goals.ts, src/contract/elaborate/claims/data.ts,
 * src/contract/elaborate/equations/digest.ts, src/contract/elaborate/equations/globals.ts, src/contract/elaborate/expressions/mapped-application.ts,
 * src/contract/elaborate/operators/tolerance.ts, src/contract/elaborate/equations/contract-equations.ts.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { elaborateContract } from '../../../src/contract/elaborate.ts';
import { readContract } from '../../../src/contract/read.ts';
import type { ElaboratedContract } from '../../../src/contract/goal.ts';

const shipped = (id: string): string => readFileSync(new URL(`../../../contracts/${id}.yaml`, import.meta.url), 'utf8');
const page = readFileSync(new URL('../../../docs/composition.md', import.meta.url), 'utf8');
const example = /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? '';

function elaborated(id: string, text: string, parts: ReadonlyMap<string, ElaboratedContract>): ElaboratedContract {
  const read = readContract({ path: `${id}.yaml`, text });
  if (!read.value) throw new Error(`${id} is not readable`);
  return elaborateContract(read.value, parts);
}

const parts = new Map(
  ['rmsnorm-kernel-v1', 'matmul-kernel-v1'].map((id) => [id, elaborated(id, shipped(id), new Map())] as const),
);
const composed = (text: string): ElaboratedContract => elaborated('normalised-product-v1', text, parts);

describe('a composition', () => {
  it('runs the kernels of its parts, one of them once per row', () => {
    const { goals, notGoals } = composed(example);
    expect(notGoals).toEqual([]);
    const [parted] = goals;
    expect(parted?.equations.toSorted()).toEqual([
      'matmul-kernel-v1/matmul',
      'normalised_product',
      'rmsnorm-kernel-v1/rmsnorm',
    ]);
    const perRow = parted?.applications.find(({ equation }) => equation === 'rmsnorm-kernel-v1/rmsnorm');
    expect(perRow?.each?.arguments).toEqual([true, false, false]);
  });

  it('has the inputs of its own equation, not those of its parts', () => {
    const names = composed(example).goals.map(({ domain }) => domain.variables.map(({ name }) => name).toSorted());
    expect(names).toEqual([
      ['W', 'X', 'g', 'ε'],
      ['W', 'X', 'g', 'ε'],
    ]);
  });

  it('that does not fit shows both shapes, as the page says', () => {
    const wrong = example.replace('MatMul(N, W)_tj where', 'MatMul(N, X)_tj where');
    const [first] = composed(wrong).diagnostics;
    expect(first?.code).toBe('PV-4007');
    expect(page).toContain(`error[PV-4007]: ${first?.message}`);
  });

  it('needs no value for what the formula of a part does not use, and one for what it does', () => {
    const config = elaborated('training-config-kernel-v1', shipped('training-config-kernel-v1'), new Map());
    const domain =
      'num_sequences ∈ ℤ, batch_size ∈ ℤ, num_devices ∈ ℤ, num_sequences ≥ 1, batch_size ≥ 1, num_devices ≥ 1';
    const batches = (given: string): ElaboratedContract =>
      elaborated(
        'batches-v1',
        `metadata: { version: "1.0.0", description: d, kind: composition, references: [a], depends_on: [training-config-kernel-v1] }
equations: { batches: { formula: "Batches = batches_per_epoch${given}", domain: "${domain}" } }
`,
        new Map([['training-config-kernel-v1', config]]),
      );
    const rest = 'sample_packing = false, max_sequences = 100, val_set_size = 0, num_tokens = 1, seq_len = 1';
    expect(batches(`(drop_last = true, ${rest})`).diagnostics.filter(({ severity }) => severity !== 'note')).toEqual(
      [],
    );
    expect(batches(`(${rest})`).diagnostics.map(({ message }) => message)).toContainEqual(
      expect.stringContaining('batches_per_epoch needs drop_last ∈ Bool'),
    );
  });
});
