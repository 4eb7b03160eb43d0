/** Holds src/data/judge/row-quantities.ts. */
import { describe, expect, it } from 'vitest';
import { checkData } from '../../../src/data/judge/check-data.ts';
import type { ObligationOnData } from '../../../src/data/judge/data-check.ts';
import { config, dataContract, log } from './data-sets.ts';

const steps = dataContract(`
data:
  kind: config
  domain: >-
    sequences ∈ ℤ, batch ∈ ℤ, epochs ∈ ℤ, max_steps ∈ ℤ, warmup ∈ ℤ, share ∈ ℝ, decay ∈ Bool,
    sequences ≥ 1, batch ≥ 1, epochs ≥ 1, max_steps ≥ 1, warmup ≥ 0, 0 < share ≤ 1
  inputs:
    sequences: { meaning: sequences in the training set }
    epochs: { mend: increase }
    max_steps: { from: steps, default: "epochs · per_epoch", mend: decrease }
    warmup: { default: 0, mend: decrease }
    share: { default: 0.1 }
    decay: { default: true }
equations:
  per_epoch: { formula: "per_epoch = ⌊sequences / batch⌋" }
  achievable: { formula: "achievable = epochs · per_epoch" }
proof_obligations:
  - { id: ENOUGH, type: bound, property: enough steps, formal: "achievable ≥ max_steps", if_fails: the run ends early }
  - { id: WARM, type: bound, property: a short warm-up, formal: "decay = true ⟹ warmup ≤ share · max_steps" }
`);

async function check(
  data: Parameters<typeof config>[0],
  settings: Readonly<Record<string, number | boolean | string>> = {},
): Promise<Awaited<ReturnType<typeof checkData>>> {
  return checkData(steps, [config(data)], new Map(Object.entries(settings)));
}

function obligation(found: Awaited<ReturnType<typeof checkData>>, id: string): ObligationOnData {
  const one = found.obligations.find((candidate) => candidate.id === id);
  if (!one) throw new Error(`no obligation ${id}`);
  return one;
}

describe('a check', () => {
  it('lists claims in prose, which it does not evaluate', async () => {
    const contract = dataContract(`
data: { kind: config, domain: "x ∈ ℝ" }
proof_obligations:
  - { id: P, type: bound, property: looks fine, formal: "the value looks fine" }
  - { id: X, type: bound, property: small, formal: "x ≤ 1" }
`);
    const { obligations } = await checkData(contract, [config({ x: 0 })], new Map());
    expect(obligations.map(({ id, verdict, reason }) => [id, verdict, reason])).toEqual([
      ['P', 'undetermined', 'its text is prose'],
      ['X', 'satisfied', null],
    ]);
  });

  it('leaves claims about kernels to the audit', async () => {
    const contract = dataContract(`
data: { kind: config, domain: "x ∈ ℝ" }
proof_obligations:
  - { id: K, type: bound, property: fast, formal: "the kernel is fast", about: kernel }
  - { id: X, type: bound, property: small, formal: "x ≤ 1" }
`);
    const { obligations } = await checkData(contract, [config({ x: 0 })], new Map());
    expect(obligations.map(({ id }) => id)).toEqual(['X']);
  });

  it('lists the keys that nothing reads, with their lines', async () => {
    const [rate, seed] = config({ rate: 1, seed: 2 }).values.values();
    if (!rate || !seed) throw new Error('there are two values');
    const contract = dataContract(`
data: { kind: config, domain: "x ∈ ℝ", inputs: { x: { from: rate } } }
proof_obligations:
  - { id: X, type: bound, property: small, formal: "x ≤ 1" }
`);
    const unused = [
      { ...rate, key: 'rate' },
      { ...seed, key: 'seed' },
    ];
    const { unused: found } = await checkData(contract, [{ ...config({}), unused }], new Map());
    expect(found).toEqual({ count: 1, irrelevant: 0, keys: [{ path: 'train.yaml', key: 'seed', line: 2 }] });
  });
});

describe('a config', () => {
  const short = { sequences: 22079, batch: 512, epochs: 1, steps: 5000, warmup: 2000 };

  it('violates a claim with its numbers, its places, its cause and the smallest mends', async () => {
    const one = obligation(await check(short), 'ENOUGH');
    expect(one.verdict).toBe('violated');
    expect(one.numbers).toEqual([
      '43 ≥ 5000',
      'achievable = epochs · per_epoch = 1 · 43 = 43',
      'per_epoch = ⌊sequences / batch⌋ = ⌊22079 / 512⌋ = 43',
    ]);
    expect(one.ifFails).toBe('the run ends early');
    expect(one.places.map(({ at, text }) => `${at} ${text}`)).toContain('4 training.steps: 5000');
    expect(one.mends.map(({ key, was, becomes }) => [key, was, becomes])).toEqual([
      ['training.epochs', 1, 117],
      ['training.steps', 5000, 43],
    ]);
  });

  it('satisfies a claim at its boundary and not beyond', async () => {
    expect(obligation(await check({ ...short, epochs: 117 }), 'ENOUGH').verdict).toBe('satisfied');
    expect(obligation(await check({ ...short, epochs: 116 }), 'ENOUGH').verdict).toBe('violated');
    expect(obligation(await check({ ...short, steps: 43 }), 'ENOUGH').verdict).toBe('satisfied');
    expect(obligation(await check({ ...short, steps: 44 }), 'ENOUGH').verdict).toBe('violated');
  });

  it('takes what is missing from the default, which may use equations', async () => {
    const { steps: _, ...rest } = short;
    expect(obligation(await check({ ...rest, warmup: 4 }), 'WARM').numbers[0]).toContain('4 ≤ 0.1 · 43');
  });

  it('requests a missing input by name and passes nothing without it', async () => {
    const { sequences: _, ...rest } = short;
    const one = obligation(await check(rest), 'ENOUGH');
    expect(one.verdict).toBe('undetermined');
    expect(one.missing).toEqual([
      {
        name: 'sequences',
        from: 'sequences',
        meaning: 'sequences in the training set',
        instead: [],
        required: false,
        isColumn: false,
      },
    ]);
    expect(obligation(await check(rest, { sequences: 22079 }), 'ENOUGH').verdict).toBe('violated');
  });

  it('requests an input whose default cannot be computed, and says what would determine it', async () => {
    const found = await check({ sequences: 100, batch: 10 });
    const missing = found.obligations.map((one) => one.missing.map(({ name, instead }) => [name, instead]));
    expect(missing).toEqual([[['epochs', []]], [['max_steps', ['epochs']]]]);
  });

  it('says which inputs it took from defaults', async () => {
    const { steps: _, ...rest } = short;
    const [enough, warm] = (await check({ ...rest, decay: true })).obligations;
    expect(enough?.assumed).toEqual([{ name: 'max_steps', value: 43, meaning: null, defaultOf: null }]);
    expect(warm?.assumed.map(({ name, value }) => [name, value])).toEqual([
      ['max_steps', 43],
      ['share', 0.1],
    ]);
  });

  it('lets a setting win over the file, under either name', async () => {
    expect(obligation(await check(short, { steps: 43 }), 'ENOUGH').verdict).toBe('satisfied');
    expect(obligation(await check(short, { max_steps: 43 }), 'ENOUGH').verdict).toBe('satisfied');
  });

  it('says that a claim whose premise is false says nothing', async () => {
    const one = obligation(await check({ ...short, decay: false }), 'WARM');
    expect([one.verdict, one.reason]).toEqual(['vacuous', 'its premise holds nowhere in these data']);
  });

  it.each([
    ['a text for a number', { batch: 'four' }, 'PV-9002', "batch is 'four', and a whole number is needed"],
    ['a fraction for a whole number', { batch: 4.5 }, 'PV-9002', "batch is '4.5', which is not a whole number"],
    ['a number for a truth value', { decay: 3 }, 'PV-9002', "decay is '3', and true or false is needed"],
    ['zero where the domain starts at one', { batch: 0 }, 'PV-9003', 'batch is 0, and must be ≥ 1'],
    ['a negative size', { batch: -4 }, 'PV-9003', 'batch is -4, and must be ≥ 1'],
    ['a share above one', { share: 1.5 }, 'PV-9003', 'share is 1.5, and must be ≤ 1'],
  ])('refuses %s, and evaluates nothing that needs it', async (_, change, code, message) => {
    const found = await check({ ...short, ...change });
    expect(found.problems.map((problem) => [problem.code, problem.message])).toEqual([[code, message]]);
    expect(found.problems[0]?.place?.path).toBe('train.yaml');
    const [name = ''] = Object.keys(change);
    const dependent = name === 'batch' ? 'ENOUGH' : 'WARM';
    expect(obligation(found, dependent).verdict).toBe('undetermined');
  });

  it('refuses a setting that no input has', async () => {
    const found = await check(short, { sequence: 1 });
    expect(found.problems.map(({ code }) => code)).toEqual(['PV-9004']);
  });
});

describe('a log', () => {
  const stability = dataContract(`
data:
  kind: log
  domain: "step ∈ ℝ^T, loss ∈ F64_ext^T, grad_norm ∈ F64_ext^T, limit ∈ ℝ, warmup ∈ ℝ, limit > 0"
  inputs:
    limit: { default: 10 }
    warmup: { default: 0 }
proof_obligations:
  - { id: FINITE, type: invariant, property: finite loss, formal: "is_finite(loss_t)", if_fails: it diverged }
  - { id: NORM, type: bound, property: bounded norms, formal: "step_t ≥ warmup ⟹ grad_norm_t ≤ limit" }
  - { id: FALLS, type: ordering, property: the loss falls, formal: "loss_{T-1} < loss_0" }
`);

  it('names the first failing row, its line, and how many fail of how many', async () => {
    const data = log({ step: [1, 2, 3, 4], loss: [9, Number.NaN, 8, Number.POSITIVE_INFINITY] });
    const one = obligation(await checkData(stability, [data], new Map()), 'FINITE');
    expect([one.verdict, one.rows]).toEqual(['violated', { evaluated: 4, of: 4, failing: 2 }]);
    expect(one.numbers).toEqual(['is_finite(NaN) is false, in is_finite(loss_t)']);
    expect(one.places).toEqual([{ path: 'run.jsonl', position: 'line', at: 2, column: null, text: 'loss = NaN' }]);
  });

  it('takes a claim over the rows that have all of its columns, and says how many', async () => {
    const data = log({ step: [1, 2, 3, 4], loss: [9, null, 8, 7], grad_norm: [1, 2, null, 50] });
    const found = await checkData(stability, [data], new Map());
    expect(obligation(found, 'FINITE').rows).toEqual({ evaluated: 3, of: 4, failing: 0 });
    const norm = obligation(found, 'NORM');
    expect([norm.verdict, norm.rows]).toEqual(['violated', { evaluated: 3, of: 4, failing: 1 }]);
    expect(norm.places[0]?.at).toBe(4);
    expect(norm.numbers[0]).toContain('50 ≤ 10 is false');
  });

  it('does not take a missing value for a NaN, nor a column that is nowhere for a pass', async () => {
    const found = await checkData(stability, [log({ step: [1, 2], loss: [3, null] })], new Map());
    expect(obligation(found, 'FINITE').verdict).toBe('satisfied');
    expect(obligation(found, 'NORM').missing.map(({ name }) => name)).toEqual(['grad_norm']);
  });

  it('is vacuous when the premise holds in no row', async () => {
    const data = log({ step: [1, 2], grad_norm: [50, 50] });
    const found = await checkData(stability, [data], new Map([['warmup', 100]]));
    expect(obligation(found, 'NORM').verdict).toBe('vacuous');
  });

  it('finds values beside the log in another file', async () => {
    const data = log({ step: [1, 2], grad_norm: [50, 50] });
    const found = await checkData(stability, [data, config({ limit: 100 })], new Map());
    expect(obligation(found, 'NORM').verdict).toBe('satisfied');
  });

  it('refuses NaN in a column that must be finite, at its row', async () => {
    const data = log({ step: [1, Number.NaN], grad_norm: [1, 1] });
    const found = await checkData(stability, [data], new Map());
    expect(found.problems.map(({ code, place }) => [code, place?.at])).toEqual([['PV-9003', 2]]);
    expect(obligation(found, 'NORM').verdict).toBe('undetermined');
  });

  it('judges a claim about the whole log', async () => {
    expect(obligation(await checkData(stability, [log({ loss: [3, 2, 1] })], new Map()), 'FALLS').verdict).toBe(
      'satisfied',
    );
    expect(obligation(await checkData(stability, [log({ loss: [1, 2, 3] })], new Map()), 'FALLS').verdict).toBe(
      'violated',
    );
  });

  it('has nothing to say of an empty log', async () => {
    const found = await checkData(stability, [log({ loss: [], step: [], grad_norm: [] })], new Map());
    expect(new Set(found.obligations.map(({ verdict }) => verdict))).toEqual(new Set(['undetermined']));
  });
});

describe('a claim with least_share', () => {
  const contract = dataContract(`
data: { kind: log, domain: "loss ∈ F64_ext^T, start ∈ ℝ", inputs: { loss: { from: log.loss }, start: { default: 0 } } }
proof_obligations:
  - { id: HALF, type: bound, property: small, formal: "t ≥ start ⟹ loss_t ≤ 1", least_share: 0.5 }
`);
  const verdict = async (loss: readonly (number | null)[], start: number): Promise<readonly unknown[]> => {
    const found = await checkData(contract, [log({ loss })], new Map([['start', start]]));
    return found.obligations.map((one) => [one.verdict, one.reason]);
  };

  it('is satisfied if its premise holds for that share of the rows', async () => {
    expect(await verdict([1, 1, 1, 1], 2)).toEqual([['satisfied', null]]);
    expect(await verdict([1, null, null, null, 1], 1)).toEqual([['satisfied', null]]);
  });

  it('is undetermined if it holds for fewer', async () => {
    expect(await verdict([1, 1, 1, 1], 3)).toEqual([
      ['undetermined', 'it holds for the 1 row that counts, but 3 of 4 rows do not count'],
    ]);
    expect(await verdict([1, 1, 1, 1, 1], 3)).toEqual([
      ['undetermined', 'it holds for the 2 rows that count, but 3 of 5 rows do not count'],
    ]);
  });

  it('is violated by a single row', async () => {
    expect(await verdict([1, 1, 1, 2], 3)).toEqual([['violated', null]]);
  });

  it('is vacuous if it holds for none', async () => {
    expect(await verdict([1, 1], 3)).toEqual([['vacuous', 'its premise holds nowhere in these data']]);
  });
});

it('nothing is asked of data by a contract that is not about data', async () => {
  const contract = dataContract(
    'data: { kind: config, domain: "x ∈ ℝ" }\nproof_obligations:\n  - { id: C, type: bound, property: p, formal: "x ≤ 1" }',
  );
  const unused = [...config({ seed: 3 }).values.values()];
  const found = await checkData({ ...contract, data: null }, [{ ...config({ x: 1 }), unused }], new Map());
  expect(found).toEqual({
    contract: 'test-v1',
    path: 'train.yaml',
    format: 'test',
    obligations: [],
    problems: [],
    missing: [],
    ownValues: [],
    unused: { count: 1, irrelevant: 0, keys: [{ path: 'train.yaml', key: 'training.seed', line: 1 }] },
    columns: [],
  });
});

describe('a violated claim over rows with quantities that the contract computes', () => {
  const rising = dataContract(`
data: { kind: log, domain: "step ∈ F64^T, loss ∈ F64_ext^T", inputs: {} }
equations:
  top: { formula: "top_t = min(loss_t, loss_{max(0, t-1)}), 0 ≤ t < T" }
  base: { formula: "base_t = max(loss_{max(0, t-2)}, loss_{max(0, t-3)}), 0 ≤ t < T" }
  spread: { formula: "spread = max(loss) - min(loss)" }
proof_obligations:
  - { id: RISE, type: bound, property: no rise, formal: "t ≥ 3 ⟹ top_t - base_t ≤ 1 ∨ 2·top_t ≤ base_t" }
  - { id: LONG, type: bound, property: the end is lower, formal: "Σ_{t<T} (loss_t·loss_t·loss_t·loss_t·loss_t + loss_t·loss_t·loss_t·loss_t·loss_t + loss_t·loss_t·loss_t·loss_t + loss_t·loss_t) ≤ spread" }
`);

  it('has the numbers of each alternative and the quantities of the row, and no formula in place of a name', async () => {
    const data = log({ step: [1, 2, 3, 4, 5], loss: [2, 2.5, 2, 8, 9] });
    const found = await checkData(rising, [data], new Map());
    const { numbers, places } = obligation(found, 'RISE');
    expect(numbers.slice(0, 2)).toEqual([
      expect.stringMatching(/^5\.5 ≤ 1 is false; 16 ≤ 2\.5 is false$/u),
      'top_t = 8 and base_t = 2.5 in this row',
    ]);
    expect(places[0]?.at).toBe(5);
    expect(numbers.join('\n')).not.toMatch(/\blet |↦/u);
    const [long = ''] = obligation(found, 'LONG').numbers;
    expect(long).toMatch(/^\d+ ≤ 7 is false$/u);
  });
});
