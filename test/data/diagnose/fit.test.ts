/** Holds src/data/diagnose/diagnose.ts. */
import { describe, expect, it } from 'vitest';
import { fittingsOf } from '../../../src/data/diagnose/fit.ts';
import type { DataSet } from '../../../src/data/read/data-set.ts';
import { config, log } from '../judge/data-sets.ts';
import { contractsOf, diagnosed } from './contracts.ts';

const clipping = `data: { kind: log, domain: "step ∈ F64^T, norm ∈ F64_ext^T, bound ∈ ℝ" }
proof_obligations:
  - { id: N, type: bound, property: norms keep the bound, formal: "step_t ≥ 1 ⟹ norm_t ≤ bound" }`;

function paths(sections: string, sets: readonly DataSet[]): readonly string[] {
  const [contract] = contractsOf({ 'one-v1': sections });
  return contract ? fittingsOf(contract, sets).map(([first]) => first.path) : [];
}

describe('a contract over rows', () => {
  it('is evaluated on each file with all its columns, and on no other', () => {
    const a = log({ step: [1], norm: [1] }, 'a.jsonl');
    const b = log({ step: [1], norm: [1] }, 'b.jsonl');
    const other = log({ step: [1] }, 'gradients.jsonl');
    expect(paths(clipping, [other, a, b, config({ bound: 1 })])).toEqual(['a.jsonl', 'b.jsonl']);
  });

  it('may declare its values before its columns', () => {
    const valueFirst = clipping.replace(
      'step ∈ F64^T, norm ∈ F64_ext^T, bound ∈ ℝ',
      'bound ∈ ℝ, step ∈ F64^T, norm ∈ F64_ext^T',
    );
    expect(paths(valueFirst, [config({ bound: 1 }), log({ step: [1], norm: [1] }, 'a.jsonl')])).toEqual(['a.jsonl']);
  });

  it('is not about rows of another kind that have steps as well', () => {
    const sections = `${clipping}
  - { id: S, type: monotonicity, property: steps increase, formal: "∀ t ∈ [1, T): step_t > step_{t-1}" }`;
    const run = log({ step: [1, 2], norm: [1, 1] }, 'run.jsonl');
    const parameters = log({ step: [1, 1], gradient: [1, 1] }, 'gradients.jsonl');
    expect(paths(sections, [parameters, run])).toEqual(['run.jsonl']);
  });

  it('takes no column from another file, whose rows are others', async () => {
    const { contracts, chains } = await diagnosed({ 'one-v1': clipping }, [
      log({ step: [1, 2, 3] }, 'run.jsonl'),
      log({ norm: [9, 9, 9] }, 'norms.jsonl'),
      config({ bound: 1 }),
    ]);
    expect(chains).toEqual([]);
    expect(contracts[0]).toMatchObject({ files: [], evaluated: 0, undetermined: 1 });
    expect(contracts[0]?.missing.map(({ name }) => name)).toEqual(['step', 'norm']);
  });

  it('takes none either if its own file has rows of another kind as well', async () => {
    const sections = `${clipping}
  - { id: E, type: bound, property: norms keep the extra, formal: "norm_t ≤ extra_t" }`.replace(
      'bound ∈ ℝ',
      'bound ∈ ℝ, extra ∈ F64^T',
    );
    const run = log({ step: [1, 2], norm: [1, 1] }, 'run.jsonl');
    const kernels = new Map(
      [...log({ bytes: [1] }).tables.values()].map((table) => ['kernels', { ...table, name: 'kernels' }]),
    );
    const sets = [
      { ...run, tables: new Map([...run.tables, ...kernels]) },
      log({ step: [1, 2], extra: [0, 0] }, 'extra.jsonl'),
      config({ bound: 1 }),
    ];
    const { contracts } = await diagnosed({ 'one-v1': sections }, sets);
    expect(contracts).toMatchObject([{ files: ['run.jsonl'], evaluated: 1, missing: [{ name: 'extra' }] }]);
  });

  it('takes values from the files beside it', async () => {
    const { chains } = await diagnosed({ 'one-v1': clipping }, [
      log({ step: [1, 2], norm: [1, 9] }, 'run.jsonl'),
      config({ bound: 1 }, 'my config.yaml'),
    ]);
    expect(chains[0]?.whys[0].command).toBe("pv check one-v1.yaml --data run.jsonl --with 'my config.yaml'");
  });

  it('says a violation of two files once, with the earlier', async () => {
    const { chains } = await diagnosed({ 'one-v1': clipping }, [
      log({ step: [5, 6], norm: [1, 9] }, 'late.jsonl'),
      log({ step: [1, 2], norm: [1, 9] }, 'early.jsonl'),
      config({ bound: 1 }),
    ]);
    expect(chains).toHaveLength(1);
    expect(chains[0]?.whys[0]).toMatchObject({ path: 'early.jsonl', alsoIn: ['late.jsonl'], onset: { step: 2 } });
  });

  it('may be over rows of two files, when their sizes are two', async () => {
    const sections = `data: { kind: log, domain: "norm ∈ F64^T, limit ∈ F64^K" }
proof_obligations:
  - { id: B, type: bound, property: all norms are below all limits, formal: "∀ t ∈ [0, T): norm_t ≤ min(limit)" }`;
    const { chains } = await diagnosed({ 'two-v1': sections }, [
      log({ norm: [1, 3] }, 'norms.jsonl'),
      log({ limit: [2, 5, 7] }, 'limits.jsonl'),
    ]);
    expect(chains).toHaveLength(1);
  });
});

describe('a contract over values', () => {
  const sections = `data: { kind: config, domain: "a ∈ ℝ, b ∈ ℝ, c ∈ ℝ" }
proof_obligations:
  - { id: S, type: bound, property: order, formal: "a < b ∧ b < c" }`;

  it('takes them from all files, first from the one that gives most', async () => {
    const sets = [config({ a: 1 }, 'other.yaml'), config({ a: 1, b: 2 }, 'train.yaml'), config({ c: 3 }, 'model.yaml')];
    expect(paths(sections, sets)).toEqual(['train.yaml']);
    const { contracts, chains } = await diagnosed({ 'one-v1': sections }, sets);
    expect([contracts[0]?.evaluated, chains]).toEqual([1, []]);
  });

  it('is evaluated alone on a file that says something else and enough, as the config of another run does', async () => {
    const sets = [config({ a: 1, b: 2, c: 3 }, 'one.yaml'), config({ a: 5, b: 4, c: 3 }, 'two.yaml')];
    const { chains } = await diagnosed({ 'one-v1': sections }, sets);
    expect(chains.map(({ whys }) => whys[0].command)).toEqual(['pv check one-v1.yaml --data two.yaml']);
  });

  it('is evaluated alone on a file that says enough for one of its claims', async () => {
    const two = `${sections}
  - { id: A, type: bound, property: small, formal: "a ≤ 4" }`;
    const sets = [config({ a: 1, b: 2, c: 3 }, 'one.yaml'), config({ a: 5 }, 'two.yaml')];
    const { chains } = await diagnosed({ 'one-v1': two }, sets);
    expect(chains.map(({ whys }) => whys[0].command)).toEqual(['pv check one-v1.yaml --data two.yaml']);
  });

  it('mixes nothing into a claim that files disagree on: the file that says most is taken, and that is said', async () => {
    const sets = [config({ a: 1, b: 2, c: 3 }, 'train.yaml'), config({ b: 9 }, 'eval.yaml')];
    const { chains, disagreements } = await diagnosed({ 'one-v1': sections }, sets);
    expect(chains).toEqual([]);
    expect(disagreements).toEqual([
      {
        name: 'b',
        said: [
          { path: 'train.yaml', value: 2 },
          { path: 'eval.yaml', value: 9 },
        ],
      },
    ]);
  });

  it('is not evaluated without any, and with a setting it is', async () => {
    const missing = await diagnosed({ 'one-v1': sections }, [config({ a: 1, b: 2 })]);
    expect(missing.contracts[0]).toMatchObject({ evaluated: 0, missing: [{ name: 'c' }] });
    const given = await diagnosed({ 'one-v1': sections }, [config({ a: 1, b: 2 })], { c: 1.5 });
    expect(given.chains[0]?.whys[0].command).toBe('pv check one-v1.yaml --data train.yaml --set c=1.5');
  });
});
