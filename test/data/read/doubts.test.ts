/**
 * What a config says and pv does not understand: no default takes its place. In `formats/`: `axolotl.ts`, `deepspeed.ts`,
 * `defaults.ts`, `doubts.ts`, `likeness.ts` and `other-words.ts`.
 *
 * Holds src/data/read/formats/axolotl.ts, src/data/read/formats/config-format.ts,
 * src/data/read/formats/contradictions.ts, src/data/read/formats/deepspeed.ts, src/data/read/formats/defaults.ts,
 * src/data/read/formats/doubts.ts, src/data/read/formats/entrenar.ts, src/data/read/formats/hugging-face-keys.ts,
 * src/data/read/formats/key-words.ts, src/data/read/formats/likeness.ts, src/data/read/formats/llama-factory.ts,
 * src/data/read/formats/model-keys.ts, src/data/read/formats/other-words.ts, src/data/read/formats/plain.ts,
 * src/data/read/formats/trainer-state.ts, src/data/read/formats/training-arguments.ts, src/data/read/registry.ts,
 * src/data/read/syntax/yaml.ts, src/data/read/vocabulary.ts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { configFormats } from '../../../src/data/read/registry.ts';
import { vocabulary, type VocabularyName } from '../../../src/data/read/vocabulary.ts';
import { readFileContent } from '../../support/read-data-file.ts';

/** Files that are of a format and say next to nothing. */
const bare: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'training-arguments': { save_strategy: 'no', output_dir: 'out' },
  'llama-factory': { stage: 'sft', finetuning_type: 'full', template: 'qwen' },
  axolotl: { base_model: 'x', dataset_prepared_path: 'd', sample_packing: false, saves_per_epoch: 1 },
  torchtitan: {
    job: { dump_folder: 'out' },
    model: { flavor: 'debugmodel' },
    metrics: { log_freq: 1 },
    profiling: { on: true },
  },
  deepspeed: {
    zero_optimization: { stage: 2 },
    steps_per_print: 10,
    scheduler: { type: 'WarmupCosineLR', params: { total_num_steps: 10 } },
  },
};

/** The letters of a key's last part with two neighbours in each other's places. */
function swapped(key: string): string {
  const at = key.length - 3;
  return key.slice(0, at) + (key[at + 1] ?? '') + (key[at] ?? '') + key.slice(at + 2);
}

function withKey(base: Readonly<Record<string, unknown>>, key: string, value: unknown): string {
  const file = structuredClone(base) as Record<string, unknown>;
  const [last = '', ...sections] = key.split('.').reverse();
  let into = file;
  for (const section of sections.reverse()) into = (into[section] ??= {}) as Record<string, unknown>;
  into[last] = value;
  return JSON.stringify(file);
}

const cases = configFormats.flatMap(({ name: format, defaults, keys }) =>
  Object.keys(defaults?.values ?? {}).flatMap((name) => {
    const [first] = keys[name as VocabularyName] ?? [];
    const key = typeof first === 'string' ? first : first?.key;
    const base = bare[format];
    return key === undefined || base === undefined ? [] : [{ format, base, name: name as VocabularyName, key }];
  }),
);

describe('no default is taken for a name that the file gives in some way', () => {
  test('the law has cases', () => expect(cases.length).toBeGreaterThan(35));

  test.each(cases)('$format: $name', async ({ format, base, name, key }) => {
    const silent = await readFileContent('a.json', JSON.stringify(base));
    expect(silent.data?.format).toBe(format);
    expect(silent.data?.defaults?.has(name)).toBe(true);
    const value = vocabulary[name].kind === 'text' ? 'x' : vocabulary[name].kind === 'boolean' ? true : 7;
    const leaf = key.slice(key.lastIndexOf('.') + 1);
    const spellings = [
      ...(leaf.length >= 6
        ? [swapped(key), `${key}s`, key.replace(/_([a-z])/g, (_, c: string) => c.toUpperCase())]
        : []),
      ...(leaf.includes('_') ? [key.toUpperCase()] : []),
    ].filter((one) => one !== key);
    for (const spelling of spellings) {
      const read = await readFileContent('a.json', withKey(base, spelling, value));
      expect([spelling, read.data?.defaults?.has(name)]).toEqual([spelling, false]);
      expect([spelling, read.codes.includes('PV-7039')]).toEqual([spelling, true]);
    }
    for (const unread of ['${X}', '{{ x }}', '$X', '$(nproc)', '%X%']) {
      const read = await readFileContent('a.json', withKey(base, key, unread));
      expect([unread, read.data?.defaults?.has(name)]).toEqual([unread, false]);
      expect(read.data?.values.get(name)?.unread).toBeTypeOf('string');
      expect(read.codes).toContain('PV-7041');
    }
    const said = await readFileContent('a.json', withKey(base, key, value));
    expect(said.codes.filter((code) => code === 'PV-7039' || code === 'PV-7040' || code === 'PV-7041')).toEqual([]);
  });

  test.each([
    ['another trainer’s word', 'num_warmup_steps: 100', 'warmup_steps'],
    ['warming in other words', 'warm_steps: 900', 'warmup_steps'],
    ['a floor in other words', 'floor_lr: 6.0e-3', 'min_learning_rate'],
    ['warming in camel case', 'warmIters: 900', 'warmup_steps'],
    ['another unit', 'limit_train_batches: 50', 'max_steps'],
    ['steps of an epoch', 'max_steps_per_epoch: 50', 'max_steps_per_epoch'],
    ['another place', 'schedule:\n  warmup_iters: 50', 'warmup_steps'],
    ['devices of a launcher', 'gpus: 8', 'num_devices'],
    ['a list of devices', 'gpu_ids: [0, 1]', 'num_devices'],
    ['devices in a text', 'cuda_visible_devices: "0,1,2,3"', 'num_devices'],
    ['all the devices there are', 'nproc_per_node: gpu', 'num_devices'],
    ['processes', 'num_processes: 8', 'num_devices'],
    ['machines', 'slurm:\n  num_nodes: 4', 'num_devices'],
    ['replicas', 'dp_size: 8', 'num_devices'],
    ['accumulation in short', 'grad_acc: 128', 'gradient_accumulation'],
    ['accumulation of another trainer', 'accum_iter: 128', 'gradient_accumulation'],
    ['accumulation in a list', 'update_freq: [128]', 'gradient_accumulation'],
    ['micro-batches', 'num_microbatches: 16', 'gradient_accumulation'],
    ['epochs of another trainer', 'total_epochs: 1', 'num_epochs'],
    ['passes', 'num_passes: 1', 'num_epochs'],
    ['a duration in epochs', 'max_duration: 1ep', 'num_epochs'],
    ['a duration in batches', 'max_duration: 4800ba', 'max_steps'],
    ['a value that the trainer decides', 'training:\n  warmup_steps: auto', 'warmup_steps'],
  ])('%s', async (_, lines, name) => {
    const read = await readFileContent('a.yaml', `batch_size: 4\nlearning_rate: 0.1\n${lines}\n`, {
      format: 'entrenar',
    });
    expect([...(read.data?.doubts?.keys() ?? [])]).toContain(name);
  });

  test.each([
    'device: cuda',
    'eval_batch_size: 4',
    'max_eval_steps: 100',
    'profiler:\n  warmup_steps: 3',
    'max_steps_per_epoch: null',
    'warmup_type: none\nwarmup_steps: 10',
    'min_steps: 5',
    'warm_start: 3',
    'warm_restarts: 2',
    'num_warm_restart_steps: 50',
    'tokenizer: x',
    'gpus: 1',
    'gpu_ids: [0]',
    'num_nodes: 1\nnproc_per_node: 1',
    'dp_size: "1"',
    'update_freq: [1]',
    'grad_acc: 1',
    'dataset:\n  num_processes: 16',
    'gpus: 8\nnum_devices: 8',
    'grad_acc: 4\ngradient_accumulation: 4',
    'eval:\n  gpus: 8',
    'accumulate_allreduce_grads_in_fp32: true',
    'total_epochs: 3\nnum_epochs: 3',
    'gpu: A100',
  ])('a key with another meaning leaves nothing in doubt: %j', async (lines) => {
    const read = await readFileContent('a.yaml', `batch_size: 4\n${lines}\n`);
    expect([...(read.data?.doubts?.keys() ?? [])]).toEqual([]);
  });

  test('a section that is filled in before the run', async () => {
    const read = await readFileContent('a.yaml', 'batch_size: 4\nlr_scheduler: ${schedules.cosine}\n');
    expect(read.data?.doubts?.has('warmup_steps')).toBe(true);
  });

  test('what a program computes', async () => {
    const text =
      'init_from = "scratch"\nmax_iters = 10\nwarmup_iters = int(os.environ["W"])\ngrad_clip = float(getenv())\n';
    const { data } = await readFileContent('c.py', text);
    expect(data?.format).toBe('nanogpt');
    expect([data?.defaults?.has('warmup_steps'), data?.defaults?.has('max_grad_norm')]).toEqual([false, false]);
    expect([data?.values.get('warmup_steps')?.unread, data?.defaults?.has('beta1')]).toEqual([
      expect.any(String),
      true,
    ]);
  });
});

describe('YAML as Python reads it', () => {
  test('a merge key supplies the keys that the mapping lacks', async () => {
    const text = 'base: &base { batch_size: 4, max_steps: 10 }\ntraining:\n  <<: *base\n  max_steps: 20\n  epochs: 3\n';
    const { value } = await readFileContent('a.yaml', text);
    expect([value('batch_size'), value('max_steps'), value('num_epochs')]).toEqual([4, 20, 3]);
  });

  test('a bracket that closes at the indentation of its key', async () => {
    const text = 'model:\n  files: [\n    a,\n    b,\n  ]\nbatch_size: 4\nmax_steps: many\n';
    const { data } = await readFileContent('a.yaml', text);
    expect(data?.values.get('batch_size')).toMatchObject({ value: 4, line: 6 });
  });

  test.each(['a: [1, 2\nbatch_size: 4\n', 'a: [\n  1, # ]\nbatch_size: 4\n'])(
    'an open one stays an error: %j',
    async (text) => {
      expect((await readFileContent('a.yaml', text)).data).toBeNull();
    },
  );

  test('a tag that a program gives a meaning', async () => {
    const { data } = await readFileContent(
      'a.yaml',
      'max_steps: 10\nlr_schedule: !env SCHEDULE\nwarmup_steps: !env "5"\n',
    );
    expect(data?.values.get('lr_schedule')?.unread).toBeTypeOf('string');
    expect(data?.values.get('warmup_steps')?.unread).toBeTypeOf('string');
  });
});

describe('formats are recognised by keys that only they have', () => {
  test.each([
    ['two keys that every trainer has', 'gradient_accumulation_steps: 4\noutput_dir: out\nmax_steps: 10\n'],
    ['diffusers', 'num_train_epochs: 100\nlr_warmup_steps: 500\noutput_dir: out\nadam_beta1: 0.9\n'],
    [
      'accelerate',
      'per_device_train_batch_size: 4\nnum_warmup_steps: 10\nmax_train_steps: 50\nlr_scheduler_type: linear\n',
    ],
    ['Megatron', 'eval_iters: 10\nlr_decay_iters: 100\ntrain_iters: 100\nmax_iters: 100\n'],
    ['a trainer with a wandb project', 'base_model: x\nmodel_type: llama\nlr: 0.1\nbatch_size: 4\nmax_steps: 5\n'],
    ['the section training', 'training:\n  steps: 5\n  batch_size: 4\n  seq_len: 8\noptimizer:\n  lr: 0.1\n'],
    ['a section optimizer', 'optimizer:\n  name: adamw\n  lr: 0.1\nmax_steps: 10\n'],
    ['llama2.c', 'dim: 64\nmax_seq_len: 64\nwandb_log: true\nmax_iters: 10\n'],
  ])('%s is read as plain, without a framework’s defaults', async (_, text) => {
    const { data } = await readFileContent('a.yaml', text);
    expect([data?.format, data?.defaults?.size]).toEqual(['plain', 0]);
  });

  const strangers = new URL('../../../../shared/data/strangers/configs/', import.meta.url);
  const has = ((): boolean => {
    try {
      return readdirSync(strangers).length > 0;
    } catch {
      return false;
    }
  })();

  test.runIf(has)('every public recipe has the format of its trainer', async () => {
    const expected: Readonly<Record<string, readonly (string | null)[]>> = {
      torchtune: ['torchtune'],
      litgpt: ['litgpt'],
      axolotl: ['axolotl', null],
      llamafactory: ['llama-factory', 'deepspeed', null],
      handbook: ['training-arguments', 'plain', 'accelerate'],
    };
    for (const [folder, formats] of Object.entries(expected))
      for (const file of readdirSync(new URL(`${folder}/`, strangers))) {
        const text = readFileSync(new URL(`${folder}/${encodeURIComponent(file)}`, strangers), 'utf8');
        const { data } = await readFileContent(file, text);
        expect([file, formats.includes(data?.format ?? null)]).toEqual([file, true]);
      }
  });
});

test.each(['WarmupLR', 'WarmupDecayLR', 'WarmupCosineLR', 'LRRangeTest', null])(
  'DeepSpeed warms up for 1000 steps with a scheduler that warms up: %s',
  async (type) => {
    const scheduler = type === null ? {} : { scheduler: { type, params: { total_num_steps: 10 } } };
    const { data } = await readFileContent(
      'a.json',
      JSON.stringify({ ...bare['deepspeed'], scheduler: undefined, ...scheduler }),
    );
    expect(data?.defaults?.get('warmup_steps')?.value).toBe(type?.startsWith('Warmup') === true ? 1000 : undefined);
  },
);

describe('a list or section where one value is meant is neither used nor silence', () => {
  test.each([
    ['warmup_steps', 'warmup_steps: { values: [5000] }'],
    ['warmup_steps', 'warmup_steps: { choices: [50, 5000] }'],
    ['warmup_steps', 'warmup_steps: { distribution: q_uniform, min: 1, max: 5000 }'],
    ['warmup_steps', 'warmup_steps:\n  grid: { values: ["5000"] }'],
    ['learning_rate', 'lr: [1e-3, 1e-4]'],
    ['drop_last', 'drop_last: { values: [true, false] }'],
    ['lr_schedule', 'lr_schedule: { values: [cosine, linear] }'],
    ['lr_schedule', 'lr_schedule: [cosine, linear]'],
  ])('%s: %j', async (name, lines) => {
    const { data, codes } = await readFileContent('a.yaml', `batch_size: 4\n${lines}\n`);
    expect([codes, typeof data?.values.get(name)?.value]).toEqual([['PV-7017'], 'string']);
  });

  test.each([
    ['warmup_steps', 'warmup_steps: { value: 50 }', 50],
    ['warmup_steps', 'warmup_steps: { desc: null, value: 50 }', 50],
    ['optimizer', 'optimizer: { name: adamw, lr: 0.1 }', undefined],
    ['precision', 'precision: { params: bf16, reduce: fp32 }', undefined],
  ])('an honest neighbour of %s: %j', async (name, lines, value) => {
    const { data, codes } = await readFileContent('a.yaml', `batch_size: 4\n${lines}\n`);
    expect([codes, data?.values.get(name)?.value]).toEqual([[], value]);
  });
});

test('a key in another section is not reported if its own section gives the name', async () => {
  const text = 'batch_size: 4\nlora_rank: 16\ntracking:\n  labels: { lora_rank: "16" }\n';
  expect((await readFileContent('a.yaml', text)).codes).toEqual([]);
});

describe('words of other quantities', () => {
  const axolotl = 'base_model: m\nmicro_batch_size: 1\nsequence_len: 512\n';
  test.each([
    ['a temperature of sampling', 'temperature: 0.9', []],
    ['settings of TRL', 'trl: { epsilon: 0.2, temperature: 0.7 }', []],
    ['a temperature of distillation', 'distillation: { temperature: 2 }', ['PV-7040']],
    ['a slip in a key on which no name depends', 'context_parapllel_size: 2', ['PV-7039']],
    ['the key itself', 'context_parallel_size: 2', []],
    ['a slip in a short key', 'use_eafx: true', []],
    ['a key that is far from all', 'content_particle_size: 2', []],
  ])('%s', async (_, line, codes) => {
    expect((await readFileContent('a.yaml', `${axolotl}${line}\n`)).codes).toEqual(codes);
  });

  test('a key that has the very name is not said to mean itself', async () => {
    const { messages } = await readFileContent('a.yaml', `${axolotl}epsilon: 1e-8\n`);
    expect(messages).toEqual(["Nothing reads 'epsilon', which may mean the quantity of that name"]);
  });

  test('a key whose value is not known is not said to be read by nothing', async () => {
    const text = 'deepspeed a.py --output_dir x --per_device_train_batch_size 4 --lr_scheduler_type cosine\n';
    const { messages } = await readFileContent('a.sh', text);
    expect(messages).toEqual([
      "The value of 'num_gpus', which may mean num_devices, is unknown: deepspeed takes every device that it finds or includes",
    ]);
  });
});
