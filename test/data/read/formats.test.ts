/**
 * Configs by their format: `read-config.ts`, `read-data.ts`, `registry.ts`, `vocabulary.ts`, and in `formats/` the files `apply.ts`,
 * `config-format.ts`, `entrenar.ts`, `hugging-face-keys.ts`, `key-words.ts`, `llama-factory.ts`, `model-keys.ts`, `nanogpt.ts`,
 * `plain.ts`, `torchtitan.ts`, `trainer-state.ts` and `training-arguments.ts`.
 *
 * Holds src/data/read/data-set.ts, src/data/read/formats/apply.ts, src/data/read/formats/nanogpt.ts,
 * src/data/read/formats/torchtitan.ts, src/data/read/read-config.ts, src/data/read/read-data.ts,
 * src/data/read/stream/record-list.ts.
 */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { configFormats, formatNames } from '../../../src/data/read/registry.ts';
import { isVocabularyName, vocabularyNames } from '../../../src/data/read/vocabulary.ts';
import { readFileContent } from '../../support/read-data-file.ts';

const fixture = (name: string): Promise<string> =>
  readFile(new URL(`../../fixtures/data/${name}`, import.meta.url), 'utf8');

describe('config formats are recognised from their content and named', () => {
  test.each<readonly [string, string, Readonly<Record<string, unknown>>, readonly string[]]>([
    [
      'axolotl.yaml',
      'axolotl',
      {
        batch_size: 2,
        gradient_accumulation: 4,
        num_epochs: 1.5,
        learning_rate: 2e-4,
        warmup_steps: 10,
        seq_len: 4096,
        max_grad_norm: undefined,
        precision: undefined,
      },
      ['PV-7032', 'PV-7032', 'PV-7032'],
    ],
    [
      'torchtitan.toml',
      'torchtitan',
      {
        batch_size: 8,
        seq_len: 2048,
        max_steps: 10,
        learning_rate: 8e-4,
        warmup_steps: 2,
        min_lr_ratio: 0,
        decay_ratio: 0.8,
        global_batch_size: undefined,
        save_interval: 500,
      },
      ['PV-7032', 'PV-7032'],
    ],
    [
      'nanogpt.py',
      'nanogpt',
      {
        batch_size: 12,
        gradient_accumulation: 40,
        num_devices: 1,
        max_steps: 600_000,
        decay_steps: 600_000,
        learning_rate: 6e-4,
        lr_schedule: 'cosine',
        beta2: 0.95,
        num_layers: 12,
      },
      ['PV-7016'],
    ],
    [
      'llama-factory.yaml',
      'llama-factory',
      {
        batch_size: 1,
        gradient_accumulation: 8,
        seq_len: 2048,
        num_epochs: 3,
        warmup_ratio: 0.1,
        precision: 'bf16',
        eval_interval: undefined,
      },
      ['PV-7032'],
    ],
    [
      'training-args.json',
      'training-arguments',
      {
        max_steps: undefined,
        warmup_steps: undefined,
        warmup_ratio: 0.06,
        max_grad_norm: Infinity,
        drop_last: false,
        precision: 'bf16',
        save_interval: undefined,
        epsilon: 1e-8,
      },
      ['PV-7032', 'PV-7032', 'PV-7032'],
    ],
    [
      'manifest.yaml',
      'entrenar',
      {
        seq_len: 2048,
        warmup_steps: 1024,
        max_steps: 5000,
        batch_size: undefined,
        num_epochs: 117,
        num_layers: 24,
        learning_rate: 3e-4,
      },
      ['PV-7018'],
    ],
    ['plain.json', 'plain', { num_sequences: 1.5e6, num_epochs: 2, learning_rate: 0.001 }, []],
  ])('%s is %s', async (name, format, values, codes) => {
    // Under a name that says nothing.
    const read = await readFileContent('file', await fixture(name));
    expect(read.data?.format).toBe(format);
    expect(Object.fromEntries(Object.keys(values).map((key) => [key, read.value(key)]))).toEqual(values);
    expect(read.codes).toEqual(codes);
  });

  test('trainer_state.json is a config and a log', async () => {
    const read = await readFileContent('file', await fixture('trainer_state.json'));
    expect([read.data?.format, read.value('max_steps'), read.value('batch_size')]).toEqual(['trainer-state', 4, 8]);
    expect([read.column('log', 'loss'), read.column('log', 'grad_norm_before_clip')]).toEqual([
      [2, 1.5],
      [1.5, NaN],
    ]);
    expect([read.column('eval', 'eval_loss'), read.column('summary', 'train_runtime'), read.lines('log')]).toEqual([
      [1.75],
      [12.5],
      [6, 7],
    ]);
  });

  test('a value knows its key, its text and its place', async () => {
    const { data } = await readFileContent('file', await fixture('manifest.yaml'));
    expect(data?.values.get('seq_len')).toMatchObject({
      value: 2048,
      text: '2K',
      key: 'data.seq_len',
      line: 8,
      column: 13,
    });
    expect(data?.unused.map(({ key }) => key)).toEqual(['model.path']);
  });

  test('every key of every table is a name of the vocabulary', () => {
    for (const { keys } of configFormats)
      for (const name of Object.keys(keys)) expect(isVocabularyName(name), name).toBe(true);
  });

  test('every format, name and key is on the page of formats', async () => {
    const page = await readFile(new URL('../../../docs/data-formats.md', import.meta.url), 'utf8');
    const keys = configFormats
      .filter(({ name }) => name !== 'plain')
      .flatMap((format) => Object.values(format.keys).flat())
      .map((rule) => (typeof rule === 'string' ? rule : rule.key));
    const missing = [...formatNames, ...vocabularyNames, ...keys].filter((word) => !page.includes(`\`${word}\``));
    expect(missing).toEqual([]);
  });
});

describe('defaults of frameworks', () => {
  const defaults = async (name: string, text: string): Promise<Readonly<Record<string, number | string | boolean>>> => {
    const { data } = await readFileContent(name, text);
    return Object.fromEntries([...(data?.defaults ?? [])].map(([key, { value }]) => [key, value]));
  };
  const huggingFace = (fields: object): string => JSON.stringify({ output_dir: 'x', save_strategy: 'no', ...fields });

  test('what no key says is filled in, whatever else is there', async () => {
    const found = await defaults('args.json', huggingFace({ gradient_accumulation_steps: 4, weight_decay: 0.1 }));
    expect(found).toMatchObject({
      batch_size: 8,
      num_epochs: 3,
      learning_rate: 5e-5,
      warmup_steps: 0,
      drop_last: false,
    });
    expect(Object.keys(found)).not.toContain('gradient_accumulation');
    expect(Object.keys(found)).not.toContain('weight_decay');
  });

  test.each([
    ['a name that the file leaves unset', { learning_rate: null }, 'learning_rate'],
    ['a value that cannot be used', { per_device_train_batch_size: 'many' }, 'batch_size'],
    ['an older key of the same name', { per_gpu_train_batch_size: 4 }, 'batch_size'],
    ['epochs beside steps', { max_steps: 100 }, 'num_epochs'],
    ['the size of a batch that is looked for', { auto_find_batch_size: true }, 'batch_size'],
    ['warm-up beside a ratio', { warmup_ratio: 0.1 }, 'warmup_steps'],
    ["the rate of a class of TRL's", { dataset_name: 'd', packing: true }, 'learning_rate'],
    ['what differs between versions', {}, 'optimizer'],
    ['what means not set', {}, 'max_steps'],
  ])('%s is not', async (_, fields, name) => {
    expect(Object.keys(await defaults('args.json', huggingFace(fields)))).not.toContain(name);
  });

  test('epochs count beside max_steps: -1', async () => {
    expect(await defaults('args.json', huggingFace({ max_steps: -1 }))).toMatchObject({ num_epochs: 3 });
  });

  test.each([
    ['init_from = "gpt2-xl"\ndecay_lr = False\neval_interval = 5\n', { max_steps: 600_000, batch_size: 12 }],
    ['init_from = "scratch"\ngrad_clip = 0.5\neval_interval = 5\n', { warmup_steps: 2000, num_layers: 12 }],
  ])('nanoGPT: %j', async (text, some) => {
    const found = await defaults('c.py', text);
    expect(found).toMatchObject(some);
    expect([Object.hasOwn(found, 'warmup_steps'), Object.hasOwn(found, 'num_layers')]).toEqual(
      text.includes('scratch') ? [true, true] : [false, false],
    );
    expect(Object.keys(found)).not.toContain('gradient_accumulation');
  });

  test('axolotl: the size of a batch that is looked for is not', async () => {
    const text = 'base_model: x\nsequence_len: 64\nadapter: lora\n';
    expect(await defaults('a.yaml', text)).toMatchObject({ batch_size: 1, num_epochs: 1 });
    expect(Object.keys(await defaults('a.yaml', `${text}auto_find_batch_size: true\n`))).not.toContain('batch_size');
  });

  test('a log of the Trainer has none', async () => {
    expect(await defaults('trainer_state.json', await fixture('trainer_state.json'))).toEqual({});
  });

  test('each is on the page of formats', async () => {
    const page = await readFile(new URL('../../../docs/data-formats.md', import.meta.url), 'utf8');
    const rows = page.split('\n').filter((line) => line.startsWith('|'));
    for (const { name, defaults: table } of configFormats) {
      if (!table) continue;
      const row = rows.find((line) => line.includes(`\`${name}\``) && line.includes(`| ${table.of} |`));
      const [, , , said = ''] = row?.split('|') ?? [];
      expect([
        name,
        said
          .trim()
          .split(', ')
          .map((one) => one.split(' = ')),
      ]).toEqual([
        name,
        Object.entries(table.values).map(([key, { value }]) => [key, expect.toSatisfy(sameAs(value))]),
      ]);
    }
  });
});

function sameAs(value: number | string | boolean): (text: string) => boolean {
  return (text) => (typeof value === 'number' ? Number(text) === value : text === String(value));
}

describe('Hugging Face: what means "not set"', () => {
  const args = (fields: object): string =>
    JSON.stringify({ per_device_train_batch_size: 1, num_train_epochs: 1, ...fields });
  test.each([
    [{ warmup_steps: 100, warmup_ratio: 0 }, 100, undefined],
    [{ warmup_steps: 100, warmup_ratio: 0.1 }, 100, undefined],
    [{ warmup_steps: 0, warmup_ratio: 0.1 }, undefined, 0.1],
    [{ warmup_steps: 0.05 }, undefined, 0.05],
    [{ warmup_steps: 0, warmup_ratio: 0 }, 0, undefined],
    [{ warmup_ratio: 0.1 }, undefined, 0.1],
  ])('%j', async (fields, steps, ratio) => {
    const read = await readFileContent('args.json', args(fields));
    expect([read.value('warmup_steps'), read.value('warmup_ratio')]).toEqual([steps, ratio]);
  });
});

describe('what is said and not usable', () => {
  test('a text for a number is not taken for unset: no default may replace it', async () => {
    const read = await readFileContent('x.yaml', 'num_train_epochs: three\nper_device_train_batch_size: 8\n');
    expect([read.value('num_epochs'), read.codes]).toEqual(['three', ['PV-7017']]);
  });

  test.each([
    ['a list', 'max_steps: 5\nnum_epochs: [3]\n', ['PV-7017'], 'a list'],
    ['a section', 'max_steps: 5\nnum_epochs:\n  first: 3\n', ['PV-7017'], 'a section'],
    ["Weights & Biases' value", 'max_steps: 5\nnum_epochs:\n  desc: null\n  value: 3\n', [], 3],
  ])('%s where one number is meant', async (_, text, codes, value) => {
    const read = await readFileContent('x.yaml', text);
    expect([read.value('num_epochs'), read.codes]).toEqual([value, codes]);
  });

  test('"not set" in quotes is not set', async () => {
    const read = await readFileContent('x.yaml', 'max_steps: "-1"\nnum_train_epochs: "3"\noutput_dir: out\n');
    expect([read.value('max_steps'), read.value('num_epochs'), read.codes]).toEqual([undefined, 3, ['PV-7032']]);
  });
});

describe('where the weights of a model come from', () => {
  test.each<readonly [string, string, boolean | undefined]>([
    ['training-arguments', 'model_name_or_path: gpt2\nnum_train_epochs: 1\noutput_dir: out\n', false],
    ['training-arguments', 'num_train_epochs: 1\noutput_dir: out\n', undefined],
    ['axolotl', 'base_model: x\nmicro_batch_size: 1\n', false],
    ['axolotl', 'base_model: x\nreinit_weights: true\nmicro_batch_size: 1\n', true],
    ['nanogpt', 'init_from: scratch\nmax_iters: 5\nblock_size: 8\n', true],
    ['nanogpt', 'init_from: gpt2-xl\nmax_iters: 5\nblock_size: 8\n', false],
    ['nanogpt', 'init_from: resume\nmax_iters: 5\nblock_size: 8\n', undefined],
  ])('%s: %j', async (format, text, expected) => {
    expect((await readFileContent('x.yaml', text, { format })).value('from_scratch')).toBe(expected);
  });
});

describe('devices that share a batch', () => {
  test.each([
    ['data_parallel_replicate_degree = 2\ndata_parallel_shard_degree = 4\n', 8],
    ['data_parallel_shard_degree = 4\n', 4],
    ['data_parallel_replicate_degree = 2\ndata_parallel_shard_degree = -1\n', undefined],
  ])('torchtitan: %j', async (degrees, devices) => {
    const text = `[training]\nsteps = 10\nseq_len = 8\n[parallelism]\n${degrees}`;
    expect((await readFileContent('x.toml', text)).value('num_devices')).toBe(devices);
  });

  test('DeepSpeed: its batch counts all of them, and its schedule has the peak', async () => {
    const read = await readFileContent('ds.json', await fixture('deepspeed.json'));
    const names = ['batch_size', 'gradient_accumulation', 'num_devices', 'global_batch_size', 'learning_rate'];
    expect(read.data?.format).toBe('deepspeed');
    expect(names.map(read.value)).toEqual([4, 8, 8, 256, 3e-4]);
    expect(['lr_schedule', 'warmup_steps', 'decay_steps', 'precision'].map(read.value)).toEqual([
      'linear',
      100,
      1000,
      'bf16',
    ]);
    expect(read.codes).toEqual([]);
  });
});

describe('mappings and overrides', () => {
  test('a mapping names any key, goes first, and says when the key is not there', async () => {
    const mapping = new Map([
      ['max_steps', 'limits.steps'],
      ['my_name', 'limits.other'],
      ['seq_len', 'limit.len'],
    ]);
    const read = await readFileContent('x.yaml', 'limits:\n  steps: 5K\n  other: 7\n  len: 8\n', { mapping });
    expect([read.value('max_steps'), read.value('my_name'), read.value('seq_len')]).toEqual([5000, 7, undefined]);
    expect(read.codes).toEqual(['PV-7030']);
  });

  test('a format named by the user goes before the content', async () => {
    const text = 'batch_size: 4\nlearning_rate: 1e-3\n';
    expect((await readFileContent('x.yaml', text)).data?.format).toBe('plain');
    expect((await readFileContent('x.yaml', text, { format: 'nanogpt' })).data?.format).toBe('nanogpt');
    expect((await readFileContent('x.yaml', text, { format: 'nanogtp' })).codes).toEqual(['PV-7011']);
  });

  test('a config of no known key is refused with the list of formats', async () => {
    const read = await readFileContent('x.yaml', 'colour: green\npets: 3\n');
    expect([read.data, read.codes]).toEqual([null, ['PV-7010']]);
    expect(
      (await readFileContent('x.yaml', 'colour: green\npets: 3\n', { format: 'plain' })).data?.unused,
    ).toHaveLength(2);
  });
});

describe('broken configs', () => {
  test.each([
    ['x.yaml', 'training:\n  max_steps: many\noptimizer:\n  lr: 1e-3\n  name: adamw\n', ['PV-7017']],
    ['x.yaml', 'training:\n  epochs: [1\noptimizer:\n  lr: 1e-3\n', ['PV-1022']],
    ['x.yaml', 'training:\n  epochs: 1\n  epochs: 2\noptimizer:\n  lr: 1e-3\n', ['PV-1006', 'PV-7041']],
    ['x.yaml', 'a: &a\n  b: *a\ntraining:\n  epochs: 1\n  max_steps: 3\n', ['PV-1014']],
    ['x.json', '{"max_steps": 5,}', ['PV-7014']],
    ['x.toml', '[training]\nsteps = \n', ['PV-7015']],
    ['x.toml', `${'a.'.repeat(10_000)}a = 1\n`, ['PV-7034']],
    ['x.toml', `[${'a.'.repeat(10_000)}a]\nsteps = 1\n`, ['PV-7034']],
    ['x.json', '[]', ['PV-7026']],
    ['x.py', 'batch_size = 1\nblock_size = 2\nwhile True: pass\n', ['PV-7016']],
    ['x.yaml', '', ['PV-7013']],
    ['x.yaml', '\uFEFF \n', ['PV-7013']],
    ['x.yaml', 'max_steps: 5\nnote: \uFFFD\n', ['PV-7031']],
  ])('%s %j', async (name, text, codes) => {
    const read = await readFileContent(name, text);
    expect(read.codes.filter((code) => !['PV-1019', 'PV-7032'].includes(code))).toEqual(codes);
  });

  test('a file that is no text, and one that is not there', async () => {
    expect((await readFileContent('x', Uint8Array.from([1, 2, 0, 3]))).codes).toEqual(['PV-7012']);
    expect((await readFileContent('x', Uint8Array.from([0xff, 0xfe, 65, 0]))).codes).toEqual(['PV-7012']);
  });

  test('a byte order mark and Windows line ends change nothing', async () => {
    const read = await readFileContent('x.yaml', '\uFEFFmax_steps: 5\r\nseq_len: 7\r\n');
    expect([read.value('max_steps'), read.value('seq_len'), read.codes]).toEqual([5, 7, []]);
  });
});
