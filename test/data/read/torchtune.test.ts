/**
 * Recipes of torchtune, and what becomes of every key. The recipe is written as torchtune's documentation says; the official
 * ones are read where they are present.
 *
 * Holds src/data/read/formats/torchtune.ts, src/data/read/formats/irrelevant/axolotl.ts,
 * src/data/read/formats/irrelevant/deepspeed.ts, src/data/read/formats/irrelevant/detectron2.ts,
 * src/data/read/formats/irrelevant/entrenar.ts, src/data/read/formats/irrelevant/fairseq.ts,
 * src/data/read/formats/irrelevant/keras.ts, src/data/read/formats/irrelevant/keys-in.ts,
 * src/data/read/formats/irrelevant/llama-factory.ts, src/data/read/formats/irrelevant/megatron.ts,
 * src/data/read/formats/irrelevant/mmengine.ts, src/data/read/formats/irrelevant/nemo.ts,
 * src/data/read/formats/irrelevant/torchtitan.ts, src/data/read/formats/irrelevant/torchtune.ts,
 * src/data/read/formats/irrelevant/training-arguments.ts, src/data/read/formats/irrelevant/ultralytics.ts.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isIrrelevant } from '../../../src/data/read/formats/config-format.ts';
import { configFormats } from '../../../src/data/read/registry.ts';
import { readFileContent, type ReadFile } from '../../support/read-data-file.ts';

const recipe = (lines: string = '', optimizer: string = 'torch.optim.AdamW'): string => `
output_dir: /tmp/out
tokenizer: { _component_: torchtune.models.llama3.llama3_tokenizer, path: "\${output_dir}/t.model", max_seq_len: 1024 }
dataset: { _component_: torchtune.datasets.alpaca_dataset, packed: True }
model: { _component_: torchtune.models.llama3.lora_llama3_8b, lora_rank: 8, lora_alpha: 16 }
checkpointer: { _component_: torchtune.training.FullModelMetaCheckpointer, checkpoint_dir: /tmp/m, output_dir: "\${output_dir}" }
optimizer: { _component_: ${optimizer}, lr: 3e-4 }
batch_size: 2
batch_size_val: \${batch_size}
epochs: 3
gradient_accumulation_steps: 8
clip_grad_norm: 1.0
dtype: bf16
${lines}
`;

const read = (lines?: string, optimizer?: string): Promise<ReadFile> =>
  readFileContent('recipe.yaml', recipe(lines, optimizer));
const defaults = ({ data }: ReadFile): Readonly<Record<string, unknown>> =>
  Object.fromEntries([...(data?.defaults ?? [])].map(([name, { value }]) => [name, value]));

describe('a recipe of torchtune', () => {
  test('is recognised by its components, and its numbers are read', async () => {
    const found = await read(
      'max_steps_per_epoch: 50\nlr_scheduler:\n  _component_: torchtune.training.lr_schedulers.get_cosine_schedule_with_warmup\n  num_warmup_steps: 100',
    );
    expect(found.data?.format).toBe('torchtune');
    const names = {
      batch_size: 2,
      gradient_accumulation: 8,
      num_epochs: 3,
      max_steps: undefined,
      max_steps_per_epoch: 50,
      learning_rate: 3e-4,
      lr_schedule: 'cosine',
      warmup_steps: 100,
      optimizer: 'AdamW',
      seq_len: 1024,
      sample_packing: true,
      val_set_size: undefined,
      max_grad_norm: 1,
      precision: 'bf16',
      lora_rank: 8,
      from_scratch: false,
    };
    expect(Object.fromEntries(Object.keys(names).map((name) => [name, found.value(name)]))).toEqual(names);
    expect(found.codes).toEqual([]);
    expect(defaults(found)).toEqual({ weight_decay: 0.01, beta1: 0.9, beta2: 0.999, epsilon: 1e-8 });
  });

  test('without a scheduler has a constant rate; another optimizer has defaults of its own', async () => {
    expect(defaults(await read())).toMatchObject({ lr_schedule: 'constant', warmup_steps: 0, beta2: 0.999 });
    expect(Object.keys(defaults(await read('', 'torchao.optim.AdamW8bit')))).toEqual(['lr_schedule', 'warmup_steps']);
  });

  test.each([
    ['train', 0],
    ['train[:95%]', 0.05],
    ['train[5%:]', 'train[5%:]'],
    ['train[:1000]', 'train[:1000]'],
  ])('split %s holds out %s', async (split, share) => {
    const text = recipe().replace('packed: True', `packed: False, split: "${split}"`);
    const found = await readFileContent('recipe.yaml', text);
    expect([found.value('val_set_size'), found.codes]).toEqual([share, typeof share === 'string' ? ['PV-7017'] : []]);
  });

  test('a list of data sets says whether they are packed; a slice of one is no share of all', async () => {
    const sets = (split: string): string =>
      recipe().replace(
        /^dataset: .*$/m,
        `dataset:\n  - { _component_: a, packed: True, split: "${split}" }\n  - { _component_: b }`,
      );
    const [whole, part] = [
      await readFileContent('a.yaml', sets('train')),
      await readFileContent('a.yaml', sets('train[:5%]')),
    ];
    expect([whole.value('sample_packing'), whole.value('val_set_size'), part.value('val_set_size')]).toEqual([
      true,
      0,
      'train[:5%]',
    ]);
  });

  test.each([
    ['data_parallel_shard_dim: 4', 4],
    ['data_parallel_shard_dim: 4\ndata_parallel_replicate_dim: 2', 8],
    ['data_parallel_shard_dim: -1\ndata_parallel_replicate_dim: 1', undefined],
  ])('%j', async (lines, devices) => {
    expect((await read(lines)).value('num_devices')).toBe(devices);
  });

  test('a misspelt key keeps its default away, and a misspelt section too', async () => {
    for (const lines of ['lr_scheduler: { num_warmup_stpes: 100 }', 'lr_schedular: { num_warmup_steps: 100 }']) {
      const found = await read(lines);
      expect([lines, Object.keys(defaults(found)).includes('warmup_steps')]).toEqual([lines, false]);
      expect(found.codes).toContain('PV-7039');
    }
  });

  test('a file with one component and nothing else is not one', async () => {
    expect((await readFileContent('x.yaml', 'thing: { _component_: a.b }\nlr: 0.1\n')).data?.format).toBe('plain');
  });
});

describe('every key is used, known to be irrelevant, or listed', () => {
  test('keys below a section, in lists, and by their beginning', () => {
    const format = { irrelevant: ['section.', 'list.key', 'wandb_*', 'exact'] };
    const keys = ['section', 'section.a.b', 'list[3].key', 'wandb_name', 'exact', 'sections.a', 'list.keys', 'exactly'];
    expect(keys.filter((key) => isIrrelevant(format, key))).toEqual(keys.slice(0, 5));
  });

  test('irrelevant keys are counted apart', async () => {
    const { data } = await read('unknown_key: 4');
    expect(data?.unused.filter(({ isIrrelevant: known }) => known !== true).map(({ key }) => key)).toEqual([
      'unknown_key',
    ]);
  });

  test('no key that a format reads is called irrelevant by it, unless its section is', () => {
    for (const { name, keys, irrelevant = [] } of configFormats) {
      const exact = irrelevant.filter((one) => !/[.*]$/.test(one));
      for (const rule of Object.values(keys).flat()) {
        const key = typeof rule === 'string' ? rule : rule.key;
        expect([name, key, exact.includes(key)]).toEqual([name, key, false]);
      }
    }
    expect(configFormats.filter(({ irrelevant = [] }) => irrelevant.length > 0).length).toBeGreaterThan(12);
  });
});

const recipes = '../shared/data/strangers/configs/torchtune';
const has = existsSync(recipes);

test(`official recipes are ${has ? 'present' : `absent (${recipes}): none is read`}`, () => {
  expect(existsSync(recipes)).toBe(has);
});

test.runIf(has)('every official recipe is read with the numbers that a search of its lines finds', async () => {
  const names = {
    batch_size: 'batch_size',
    epochs: 'num_epochs',
    gradient_accumulation_steps: 'gradient_accumulation',
  };
  for (const file of readdirSync(recipes)) {
    const text = readFileSync(`${recipes}/${file}`, 'utf8');
    const found = await readFileContent(file, text);
    expect([file, found.data?.format]).toEqual([file, 'torchtune']);
    const line = (key: string, indent: string = ''): number | undefined => {
      const [, number] = new RegExp(`^${indent}${key}: *([\\d.e-]+)`, 'm').exec(text) ?? [];
      return number === undefined ? undefined : Number(number);
    };
    for (const [key, name] of Object.entries(names))
      expect([file, key, found.value(name)]).toEqual([file, key, line(key)]);
    expect([file, found.value('warmup_steps')]).toEqual([file, line('num_warmup_steps', '  ')]);
    expect([file, found.value('learning_rate')]).toEqual([file, line('lr', '  ')]);
    expect([file, found.value('max_steps_per_epoch')]).toEqual([file, line('max_steps_per_epoch')]);
  }
});
