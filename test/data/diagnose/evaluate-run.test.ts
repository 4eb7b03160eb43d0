/** All contracts over all files of a run (`evaluate-run.ts`, `diagnose.ts`): what each was evaluated on, and what is joined. */
import { describe, expect, it } from 'vitest';
import { config, log } from '../judge/data-sets.ts';
import { diagnosed } from './contracts.ts';

const losses = {
  'loss-v1': `data: { kind: log, domain: "step ∈ F64^T, loss ∈ F64_ext^T, limit ∈ ℝ", inputs: { limit: { default: 2 } } }
proof_obligations:
  - { id: L, type: bound, property: small losses, formal: "loss_t ≤ limit", if_fails: the run diverges }
  - { id: N, type: bound, property: small norms, formal: "loss_t ≤ 9" }`,
};

describe('a violation', () => {
  it('says where it is stated and found, and how to see it alone', async () => {
    const { violations, contracts } = await diagnosed(losses, [log({ step: [1, 2], loss: [1, 5] })], { limit: 3 });
    expect(violations).toMatchObject([
      {
        contract: 'loss-v1',
        id: 'L',
        source: { path: 'loss-v1.yaml', position: 'line', at: 4 },
        property: 'small losses',
        formal: 'loss_t ≤ limit',
        path: 'run.jsonl',
        ifFails: 'the run diverges',
        places: [{ at: 2 }],
        failing: [],
        alsoIn: [],
        command: 'pv check loss-v1.yaml --data run.jsonl --set limit=3',
        onset: { when: 'step', step: 2 },
      },
    ]);
    expect(contracts).toEqual([
      {
        contract: 'loss-v1',
        path: 'loss-v1.yaml',
        files: ['run.jsonl'],
        declared: 2,
        evaluated: 2,
        undetermined: 0,
        missing: [],
      },
    ]);
  });

  it('of bricks names the rows that fail, with the words in them', async () => {
    const blocks = {
      'blocks-v1': `data: { kind: log, domain: "x ∈ F64^T" }
proof_obligations:
  - { id: X, type: bound, property: x is small, formal: "x_t ≤ 1", diagnosis: { granularity: block } }`,
    };
    const named = async ({ at }: { readonly at: number }): Promise<string> => `name = block${at}`;
    const { violations } = await diagnosed(blocks, [log({ x: [9, 0, 9] })], {}, named);
    expect(violations[0]?.failing).toMatchObject([
      { place: { path: 'run.jsonl', at: 1 }, label: 'name = block1' },
      { place: { path: 'run.jsonl', at: 3 }, label: 'name = block3' },
    ]);
  });

  it('of values is in the file that has the first of them', async () => {
    const order = {
      'order-v1': `data: { kind: config, domain: "a ∈ ℝ, b ∈ ℝ, c ∈ ℝ" }
proof_obligations:
  - { id: O, type: bound, property: order, formal: "a < b ∧ b < c" }`,
    };
    const sets = [config({ a: 9 }, 'other.yaml'), config({ b: 2, c: 3 }, 'train.yaml')];
    const { violations } = await diagnosed(order, sets);
    expect(violations).toMatchObject([{ path: 'other.yaml', command: expect.stringContaining('--data train.yaml') }]);
    const given = await diagnosed(order, [], { a: 9, b: 2, c: 3 });
    expect(given.violations).toMatchObject([{ path: '.' }]);
  });

  it('of several files is the earliest, and names the others', async () => {
    const files = [
      log({ step: [1, 2], loss: [1, 5] }, 'b.jsonl'),
      log({ step: [1, 2], loss: [5, 1] }, 'c.jsonl'),
      log({ step: [1, 2], loss: [1, 1] }, 'a.jsonl'),
    ];
    const { violations, contracts } = await diagnosed(losses, files);
    expect(violations).toMatchObject([{ path: 'c.jsonl', alsoIn: ['b.jsonl'], onset: { step: 1 } }]);
    expect(contracts[0]?.files).toEqual(['b.jsonl', 'c.jsonl', 'a.jsonl']);
  });

  it('is violated even if other files hold', async () => {
    const files = [log({ loss: [1] }, 'a.jsonl'), log({ loss: [5] }, 'b.jsonl'), log({ loss: [1] }, 'c.jsonl')];
    expect((await diagnosed(losses, files)).violations.map(({ path }) => path)).toEqual(['b.jsonl']);
  });
});

it.each([
  ['a', 'b', 'c'],
  ['b', 'c', 'a'],
  ['c', 'b', 'a'],
])('a violation of three files names the other two, in whatever order they are read: %s, %s, %s', async (...order) => {
  const losing: Readonly<Record<string, readonly number[]>> = { a: [5, 5, 5], b: [1, 5, 5], c: [1, 1, 5] };
  const sets = order.map((name) => log({ step: [1, 2, 3], loss: losing[name] ?? [] }, `${name}.jsonl`));
  const { violations } = await diagnosed(losses, sets);
  expect(violations).toMatchObject([{ path: 'a.jsonl', alsoIn: ['b.jsonl', 'c.jsonl'], onset: { step: 1 } }]);
});

describe('settings', () => {
  it('are given to the contracts that read them', async () => {
    const both = {
      ...losses,
      'lr-v1': `data: { kind: config, domain: "lr ∈ ℝ" }
proof_obligations:
  - { id: R, type: bound, property: a small rate, formal: "lr ≤ 1" }`,
    };
    const { problems, violations } = await diagnosed(both, [log({ loss: [1] })], { lr: 3 });
    expect(problems).toEqual([]);
    expect(violations.map(({ id, command }) => [id, command])).toEqual([['R', 'pv check lr-v1.yaml --set lr=3']]);
  });
});

describe('files', () => {
  it('that contradict each other are named once, unless a setting decides', async () => {
    const contract = {
      'lr-v1': `data: { kind: log, domain: "loss ∈ F64^T, lr ∈ ℝ" }
proof_obligations:
  - { id: R, type: bound, property: small, formal: "loss_t ≤ lr" }`,
    };
    const files = [log({ loss: [1] }), config({ lr: 2 }, 'a.yaml'), config({ lr: 3 }, 'b.yaml')];
    const { disagreements } = await diagnosed(contract, files);
    expect(disagreements).toEqual([
      {
        name: 'lr',
        said: [
          { path: 'a.yaml', value: 2 },
          { path: 'b.yaml', value: 3 },
        ],
      },
    ]);
    expect((await diagnosed(contract, files, { lr: 4 })).disagreements).toEqual([]);
  });

  it('may have wrong inputs, each told once', async () => {
    const bounded = {
      'loss-v1': `data: { kind: log, domain: "loss ∈ F64^T, 0 ≤ loss_t ≤ 3" }
proof_obligations:
  - { id: L, type: bound, property: small, formal: "loss_t ≤ 2" }
  - { id: M, type: bound, property: smaller, formal: "loss_t ≤ 1" }`,
    };
    const { problems, contracts } = await diagnosed(bounded, [log({ loss: [1, 7] })]);
    expect(problems.map(({ code }) => code)).toEqual(['PV-9003']);
    expect(contracts).toMatchObject([{ evaluated: 0, undetermined: 2 }]);
  });

  it('may lack what a contract needs, which is then requested', async () => {
    const { contracts, bricks } = await diagnosed(losses, [config({ limit: 2 })]);
    expect(contracts).toMatchObject([{ files: [], evaluated: 0, undetermined: 2, missing: [{ name: 'loss' }] }]);
    expect(bricks).toEqual([
      { granularity: 'kernel', declared: 0, evaluated: 0, violated: 0 },
      { granularity: 'block', declared: 0, evaluated: 0, violated: 0 },
      { granularity: 'transfer', declared: 0, evaluated: 0, violated: 0 },
      { granularity: 'loop', declared: 2, evaluated: 0, violated: 0 },
    ]);
  });
});

it('counts bricks by what became of their obligations', async () => {
  const { bricks, run, files, schema } = await diagnosed(losses, [log({ loss: [1, 5] })]);
  expect(bricks.at(-1)).toEqual({ granularity: 'loop', declared: 2, evaluated: 2, violated: 1 });
  expect({ run, files, schema }).toEqual({
    run: 'run',
    files: [{ path: 'run.jsonl', format: 'test' }],
    schema: 'pv.diagnosis/1',
  });
});
