/**
 * The layouts of optimizers in folders of torch.distributed.checkpoint, as PyTorch 2 writes them.
 * Holds src/checkpoint/distributed/read-folder.ts.
 */
import { describe, expect, it } from 'vitest';
import type { Checkpoint } from '../../../src/checkpoint/checkpoint.ts';
import { openCheckpoint } from '../../../src/checkpoint/open-checkpoint.ts';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import { distributedFolder } from '../../support/distributed-folder.ts';
import type { FloatTensor, Python } from '../../support/torch-file.ts';

type Values = Parameters<typeof distributedFolder>[0];

async function read(values: Values): Promise<Checkpoint> {
  const host = createMemoryHost({ 'other.txt': '' });
  for (const [name, bytes] of distributedFolder(values)) host.files.set(`/project/dcp/${name}`, bytes);
  const opened = await openCheckpoint(host, 'dcp');
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value.checkpoint;
}

const tensor = (fill: number, ...shape: readonly number[]): FloatTensor => ({
  shape,
  data: new Float32Array(shape.reduce((product, n) => product * n, 1)).fill(fill),
});

const under = (key: string | number, values: Values): Values => values.map(([path, value]) => [[key, ...path], value]);

const model: Values = [
  [['0.weight'], tensor(1, 2, 3)],
  [['0.bias'], tensor(1, 3)],
];

const moments = (step: number, ...shape: readonly number[]): readonly (readonly [string, Python])[] => [
  ['step', tensor(step)],
  ['exp_avg', tensor(0.1, ...shape)],
  ['exp_avg_sq', tensor(0.2, ...shape)],
];
const states: readonly (readonly [string, readonly (readonly [string, Python])[]])[] = [
  ['0.weight', moments(10, 2, 3)],
  ['0.bias', moments(10, 3)],
];
const settings: readonly (readonly [string, Python])[] = [
  ['lr', 0.25],
  ['betas', [0.9, 0.999]],
  ['amsgrad', false],
];

/** `get_state_dict` of PyTorch: states by the names of parameters. */
const official: Values = [
  ...states.flatMap(([name, own]) => own.map(([key, value]) => [['state', name, key], value] as const)),
  ...settings.map(([key, value]) => [['param_groups', 0, key], value] as const),
  [
    ['param_groups', 0, 'params'],
    ['0.weight', '0.bias'],
  ],
];
/** `Optimizer.state_dict()`: by their numbers. */
const raw: Values = [
  ...states.flatMap(([, own], i) => own.map(([key, value]) => [['state', String(i), key], value] as const)),
  ...settings.map(([key, value]) => [['param_groups', 0, key], value] as const),
  [
    ['param_groups', 0, 'params'],
    [0, 1],
  ],
];
/** `flatten_optimizer_state_dict`. */
const flat: Values = states.flatMap(([name, own]) => [
  ...own.map(([key, value]) => [[`state.${name}.${key}`], value] as const),
  ...settings.map(([key, value]) => [[`param_groups.${name}.${key}`], value] as const),
]);

describe('an optimizer is read, and its moments are no weights', () => {
  it.each<readonly [string, Values]>([
    ['model and optim', [...under('model', model), ...under('optim', official)]],
    ['model and optimizer', [...under('model', model), ...under('optimizer', official)]],
    ['a key of its own', [...under('model', model), ...under('adam_of_mine', official)]],
    ['app', under('app', [...under('model', model), ...under('optim', official)])],
    ['a state by numbers', [...under('model', model), ...under('optimizer', raw)]],
    ['a flattened state', [...under('model', model), ...under('optimizer', flat)]],
    ['a flattened state in app', under('app', [...under('model', model), ...under('optim', flat)])],
  ])('%s', async (_, values) => {
    const { weights, others, optimizer } = await read([...values, [['step'], 10]]);
    expect(weights.map(({ name }) => name.replace(/^(?:app\.)?model\./u, ''))).toEqual(['0.weight', '0.bias']);
    expect(others).toEqual([]);
    expect(optimizer?.groups).toMatchObject([{ learningRate: 0.25, parameters: [0, 1], isAdam: true, unusable: [] }]);
    expect(optimizer?.states.map(({ index, step, tensors }) => [index, step, [...tensors.keys()]])).toEqual([
      [0, 10, ['exp_avg', 'exp_avg_sq']],
      [1, 10, ['exp_avg', 'exp_avg_sq']],
    ]);
    expect(optimizer?.states[1]?.tensors.get('exp_avg')?.shape).toEqual([3]);
  });

  it.each([
    ['as it is', official],
    ['flattened', flat],
  ])('alone, %s', async (_, values) => {
    const { weights, optimizer } = await read(values);
    expect([weights, optimizer?.states.length]).toEqual([[], 2]);
  });

  it('without states, as of SGD without momentum', async () => {
    const groups: Values = [
      [['param_groups', 0, 'lr'], 0.1],
      [['param_groups', 0, 'momentum'], 0],
      [['param_groups', 0, 'params'], ['0.weight']],
    ];
    const { optimizer } = await read([...under('model', model), ...under('optim', groups)]);
    expect(optimizer).toMatchObject({ states: [], groups: [{ parameters: [0], isStateless: true }] });
  });

  it('in two groups, also flattened', async () => {
    const two = flat.map(([path, value]) => [path, path[0] === 'param_groups.0.bias.lr' ? 0.5 : value] as const);
    const { optimizer } = await read([...under('model', model), ...under('optim', two)]);
    expect(optimizer?.groups).toMatchObject([
      { learningRate: 0.25, parameters: [0] },
      { learningRate: 0.5, parameters: [1] },
    ]);
  });
});

it('weights without a key of their own are weights, and no optimizer is made up', async () => {
  const { weights, optimizer } = await read(model);
  expect([weights.length, optimizer]).toEqual([2, null]);
});
