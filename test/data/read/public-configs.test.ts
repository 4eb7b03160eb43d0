/**
 * What configs of public repositories taught: forms that one trainer shares with others, and numbers that mean something else.
 *
 * Holds src/data/read/formats/refusals.ts, src/data/read/formats/sections.ts.
 */
import { describe, expect, test } from 'vitest';
import { parsePython } from '../../../src/data/read/syntax/python.ts';
import { readFileContent } from '../../support/read-data-file.ts';

/** The value of a name, why it is not known, or undefined. */
async function valueOf(file: string, text: string, name: string): Promise<unknown> {
  const { data } = await readFileContent(file, text);
  const found = data?.values.get(name);
  return found?.unread ?? found?.value ?? data?.doubts?.get(name)?.why;
}

describe('names that another trainer has too', () => {
  const script = (flags: string): string => `python finetune.py \\\n  --base_model m --micro_batch_size 4 ${flags}\n`;

  test.each(['--data_path d', '--cutoff_len 256', '--prompt_template_name t'])(
    "alpaca-lora's are not axolotl's: %s",
    async (flag) => {
      const { data } = await readFileContent('a.sh', script(`--val_set_size 0 --num_epochs 3 ${flag}`));
      expect([data?.format, data?.defaults?.size]).toEqual(['plain', 0]);
    },
  );
});

describe('a number of devices that is -1', () => {
  test.each([
    [
      'a.yaml',
      'trainer:\n  devices: -1\n  max_epochs: 2\nmodel:\n  train_ds: { batch_size: 4 }\nexp_manager: { name: x }\n',
    ],
    ['a.yaml', 'max_epochs: 2\nbatch_size: 4\ndevices: -1\n'],
    [
      'a.toml',
      '[job]\ndump_folder = "o"\n[training]\nsteps = 10\nseq_len = 8\n[parallelism]\ndata_parallel_shard_degree = -1\n',
    ],
  ])('means every one there is, and gets no default: %s %#', async (file, text) => {
    expect(await valueOf(file, text, 'num_devices')).toBe('is -1: every device of the machine');
  });

  test('is used if another key says it', async () => {
    const { value } = await readFileContent('a.yaml', 'max_epochs: 2\nworld_size: 4\ndevices: -1\n');
    expect(value('num_devices')).toBe(4);
  });
});

describe('the size of a batch', () => {
  test.each([
    ['numel', 'batch_type is numel'],
    ['folded', 'batch_type is folded'],
    ['dynamic', 'batch_type is dynamic'],
    ['tokens', 'it counts tokens: batch_type'],
    ['sentence', 16],
    ['sorted', 16],
    ['static', 16],
  ])('depends on its type %s', async (type, value) => {
    expect(await valueOf('a.yaml', `max_epochs: 2\nbatch_size: 16\nbatch_type: ${type}\n`, 'batch_size')).toBe(value);
  });

  test.each([
    [524_288, 1024, 'it may count tokens: 512 sequences of 1024'],
    [512, 1024, 512],
    [32_768, 77, 32_768],
    [1024, 32, 1024],
  ])('in total %i, of sequences of %i, may count tokens', async (total, length, value) => {
    const text = `batch_size = 16\ntotal_batch_size = ${total}\nsequence_length = ${length}\nnum_iterations = 100\n`;
    expect(await valueOf('a.py', text, 'global_batch_size')).toBe(value);
  });

  test('in total counts sequences without their length', async () => {
    expect(await valueOf('a.yaml', 'total_batch_size: 32768\nmax_steps: 10\n', 'global_batch_size')).toBe(32_768);
  });
});

describe('torchtitan', () => {
  const titan = (more: string): string =>
    `[job]\ndump_folder = "o"\n[model]\nflavor = "8B"\n[training]\nsteps = 100\nseq_len = 8\n${more}`;

  test.each(['enable', 'enable_checkpoint'])('saves nothing with %s off', async (key) => {
    const section = (on: boolean): string => titan(`[checkpoint]\n${key} = ${on}\ninterval = 5\n`);
    expect(await valueOf('a.toml', section(false), 'save_interval')).toBeUndefined();
    expect(await valueOf('a.toml', section(true), 'save_interval')).toBe(5);
  });

  test('evaluates nothing with validation off', async () => {
    const section = (on: boolean): string => titan(`[validation]\nenable = ${on}\nfreq = 5\n`);
    expect(await valueOf('a.toml', section(false), 'eval_interval')).toBeUndefined();
    expect(await valueOf('a.toml', section(true), 'eval_interval')).toBe(5);
  });
});

describe("Megatron's warm-up as a fraction of the decay", () => {
  const script = (iterations: number, fraction: string): string =>
    `torchrun pretrain_gpt.py --train-iters ${iterations} --lr-decay-iters 430000 --lr-warmup-fraction ${fraction} --lr-decay-style cosine --lr 1e-4 --micro-batch-size 1 --seq-length 8\n`;

  test('is a number of steps where it is more than the run', async () => {
    const { value } = await readFileContent('a.sh', script(40, '.001'));
    expect([value('warmup_steps'), value('warmup_ratio')]).toEqual([430, undefined]);
  });

  test('is a ratio otherwise', async () => {
    const { value } = await readFileContent('a.sh', script(43_000, '.001'));
    expect([value('warmup_steps'), value('warmup_ratio')]).toEqual([undefined, 0.01]);
  });

  test('of samples is not known where it is more than the run', async () => {
    const text =
      'torchrun pretrain_gpt.py --train-samples 100 --lr-decay-samples 10000 --lr-warmup-fraction .1 --lr-decay-style cosine --lr 1e-4 --micro-batch-size 1 --global-batch-size 4 --seq-length 8\n';
    expect(await valueOf('a.sh', text, 'warmup_steps')).toBe(
      'it is a fraction of the decay, which is longer than the run',
    );
  });
});

test("Megatron-DeepSpeed's tokens are known not to be steps", async () => {
  const { data, codes } = await readFileContent(
    'a.sh',
    'torchrun pretrain_gpt.py --train-tokens 300000000000 --train-samples 200000000 --lr-warmup-tokens 375000000 --lr-decay-tokens 260000000000 --lr-decay-style cosine --lr 2e-4 --micro-batch-size 4 --global-batch-size 256 --seq-length 2048\n',
  );
  const unread = ['max_steps', 'warmup_steps', 'decay_steps'].map((name) => data?.values.get(name)?.unread);
  expect(unread).toEqual(['train_tokens ends the run', 'it counts tokens, not steps', 'it counts tokens, not steps']);
  expect(codes).toEqual(['PV-7041', 'PV-7041', 'PV-7041']);
});

test("ms-swift's arguments have names of Megatron-LM and other defaults", async () => {
  const text =
    'NPROC_PER_NODE=4 \\\nmegatron pt \\\n  --model Qwen/Qwen2.5-7B --load_safetensors true --tensor_model_parallel_size 4 --micro_batch_size 1 \\\n  --global_batch_size 16 --train_iters 10000 --lr 1e-5 --lr_warmup_iters 300 --min_lr 1e-6 --seq_length 8\n';
  const { data, value } = await readFileContent('pt.sh', text);
  expect([data?.format, data?.defaults?.size, value('max_steps'), value('warmup_steps'), value('batch_size')]).toEqual([
    'plain',
    0,
    10_000,
    300,
    1,
  ]);
});

test('an annotation of several lines and texts is passed over', async () => {
  const text =
    '@dataclass\nclass Train:\n  optim: Literal[\n    "adamw",\n    "sgd",\n  ] = "adamw"\n  batch_size: "Optional[int]" = 4\n  max_steps: int = 10\n';
  const { value } = await readFileContent('a.py', text);
  expect([value('optimizer'), value('batch_size'), value('max_steps')]).toEqual(['adamw', 4, 10]);
});

describe('a slip of the keyboard is found', () => {
  const hf = (key: string): string =>
    `per_device_train_batch_size: 8\nnum_train_epochs: 1\noutput_dir: o\nsave_total_limit: 1\nlr_scheduler_type: cosine\n${key}: 10\n`;

  test.each([
    ['evla_steps', 'eval_steps'],
    ['ave_steps', 'save_steps'],
    ['loging_steps', 'logging_steps'],
    ['sede', 'seed'],
    ['save_stratgy', 'save_strategy'],
    ['eval_startegy', 'eval_strategy'],
  ])("in a known trainer's %s", async (key, meant) => {
    const { data, messages } = await readFileContent('a.yaml', hf(key));
    expect(data?.format).toBe('training-arguments');
    expect(messages).toEqual([`Nothing reads '${key}', which looks like '${meant}'`]);
  });

  test.each(['stesp', 'step', 'stps'])('in a short key of a section: %s', async (key) => {
    const text = `[job]\ndump_folder = "o"\n[model]\nflavor = "8B"\n[training]\n${key} = 100\nseq_len = 8\n`;
    const { data, messages } = await readFileContent('a.toml', text);
    expect(messages).toEqual([`Nothing reads 'training.${key}', which looks like 'training.steps'`]);
    expect([data?.defaults?.has('max_steps'), data?.doubts?.has('max_steps')]).toEqual([false, true]);
  });

  test('in the name of a section: nothing below it gets a default', async () => {
    const tune = (section: string, more = ''): string =>
      `tokenizer: { _component_: torchtune.models.t, path: p }\ncheckpointer: { _component_: torchtune.c, checkpoint_dir: d }\noptimizer: { _component_: torch.optim.AdamW, lr: 1e-4 }\n${section}: { _component_: torchtune.s.get_cosine_schedule_with_warmup${more} }\nbatch_size: 2\nepochs: 1\n`;
    const { data, messages } = await readFileContent('a.yaml', tune('lr_schduler'));
    expect(messages).toEqual(["Nothing reads 'lr_schduler._component_', which looks like 'lr_scheduler._component_'"]);
    expect(['lr_schedule', 'warmup_steps'].map((name) => data?.defaults?.has(name) ?? false)).toEqual([false, false]);
    expect(data?.doubts?.get('lr_schedule')?.why).toBe('is in a section that looks like lr_scheduler');
    const both = await readFileContent('a.yaml', tune('lr_schduler', ', num_warmup_steps: 5'));
    expect(both.messages).toEqual([
      "Nothing reads 'lr_schduler.num_warmup_steps', which looks like 'lr_scheduler.num_warmup_steps'",
    ]);
    expect((await readFileContent('a.yaml', tune('other'))).messages).toEqual([]);
  });

  test.each(['elayers', 'e_layers', 'epoch', 'sede'])('not in a short word of an unknown trainer: %s', async (key) => {
    const { codes } = await readFileContent('a.yaml', `batch_size: 4\nmax_epochs: 2\n${key}: 10\n`);
    expect(codes).not.toContain('PV-7039');
  });
});

describe('a script whose flags change parts of a config', () => {
  test.each([
    ['torchrun train.py config/train_gpt2.py --batch_size=5 --max_iters=100', 'config'],
    ['python train.py --config a.yaml --batch_size 5 --max_iters 100', 'config'],
    ['python train.py -opt a.yml --batch_size 5 --max_iters 100', 'opt'],
    ['python train.py --config_file a.toml --batch_size 5 --max_iters 100', 'config_file'],
    ['python train.py --batch_size 5 --max_iters 100 --config a.yaml optim.x 1', 'config[0]'],
    ['python train_net.py --batch_size 5 --config-file a.yaml SOLVER.BASE_LR 0.1', 'config_file[0]'],
  ])('leaves what it does not say: %s', async (text, key) => {
    const { data, value } = await readFileContent('a.sh', `${text}\n`);
    expect(value('batch_size')).toBe(5);
    expect(data?.doubts?.get('warmup_steps')).toMatchObject({
      scalar: { key },
      why: 'names another config, which may give it',
    });
  });

  test.each([
    'accelerate launch --config_file a.yaml train.py --batch_size 5 --max_iters 100',
    'python train.py --model_config a.json --batch_size 5 --max_iters 100',
  ])('is not one with a config of something else: %s', async (text) => {
    expect((await readFileContent('a.sh', `${text}\n`)).data?.doubts?.has('warmup_steps')).toBe(false);
  });

  test('says so where there are hardly any flags', async () => {
    const text = 'python train.py \\\n  --config-name x \\\n  trainer.max_steps=100 \\\n  model.optim.lr=1e-4\n';
    expect((await readFileContent('a.sh', text)).messages[0]).toContain('it overrides keys of a config');
  });
});

describe('numbers in a form that the trainer cannot read', () => {
  const axolotl = (value: string): string =>
    `base_model: m\nsequence_len: 8\nmicro_batch_size: 1\nnum_epochs: 1\nlearning_rate: 1e-4\nmax_steps: ${value}\n`;

  test.each(['1K', '1.5M', '"10%"', '"1,000"'])('is not a number: %s', async (value) => {
    const read = await readFileContent('a.yaml', axolotl(value));
    expect([read.data?.format, read.codes[0]]).toEqual(['axolotl', 'PV-7017']);
    expect(read.value('max_steps')).toBe(value.replaceAll('"', ''));
  });

  test.each([
    ['1_000', 1000],
    ['"1e3 "', 1000],
    ['0x10', 16],
  ])('is one in digits: %s', async (value, number) => {
    expect((await readFileContent('a.yaml', axolotl(value))).value('max_steps')).toBe(number);
  });

  test('is one where the trainer is not known', async () => {
    expect((await readFileContent('a.yaml', 'max_steps: 2K\nbatch_size: 1\n')).value('max_steps')).toBe(2000);
  });
});

describe("Hugging Face's arguments in a section", () => {
  const section = (more: string): string =>
    `lora: { r: 8 }\ntraining_args:\n  per_device_train_batch_size: 4\n  num_train_epochs: 1\n${more}`;

  test.each([
    ['  eval_strategy: steps\n  eval_steps: 5\n', [5, undefined]],
    ['  evaluation_strategy: epoch\n  eval_steps: 5\n', [undefined, undefined]],
    ['  eval_steps: 5\n', [undefined, 5]],
  ])('evaluate every so many steps beside a strategy: %j', async (more, [interval, batches]) => {
    const { value } = await readFileContent('a.yaml', section(more));
    expect([value('eval_interval'), value('eval_steps')]).toEqual([interval, batches]);
  });

  test.each([
    ['  save_steps: 7\n', 7],
    ['  save_strategy: steps\n  save_steps: 7\n', 7],
    ['  save_strategy: epoch\n  save_steps: 7\n', undefined],
    ['  checkpointing_steps: 7\n', 7],
    ['  checkpointing_steps: epoch\n', undefined],
  ])('save every so many steps unless they save by epochs: %j', async (more, interval) => {
    const { value, codes } = await readFileContent('a.yaml', section(more));
    expect([value('save_interval'), codes.includes('PV-7017')]).toEqual([interval, false]);
  });
});

describe('what a trainer refuses before the first step', () => {
  const hf = (more: string): string => `output_dir: o\nper_device_train_batch_size: 8\nnum_train_epochs: 1\n${more}`;

  test.each<readonly [string, boolean]>([
    ['load_best_model_at_end: true\nsave_strategy: epoch\n', true],
    ['load_best_model_at_end: true\neval_strategy: steps\nsave_strategy: epoch\n', true],
    ['load_best_model_at_end: true\nevaluation_strategy: "no"\n', true],
    ['load_best_model_at_end: true\neval_strategy: no\nsave_strategy: steps\n', true],
    ['load_best_model_at_end: true\neval_strategy: steps\n', false],
    ['load_best_model_at_end: true\neval_strategy: Epoch\nsave_strategy: epoch\n', false],
    ['load_best_model_at_end: true\nsave_strategy: best\n', false],
    ['load_best_model_at_end: false\nsave_strategy: epoch\n', false],
    ['load_best_model_at_end: true\neval_strategy: ${X}\nsave_strategy: epoch\n', false],
    ['load_best_model_at_end: true\nsave_strategy: epoch\n_base_: a.yaml\n', false],
  ])('the best model without an evaluation at each checkpoint: %j', async (more, isRefused) => {
    expect((await readFileContent('a.yaml', hf(more))).codes.includes('PV-7049')).toBe(isRefused);
  });

  const factory = (more: string): string => `stage: sft\nfinetuning_type: lora\ntemplate: qwen\n${more}`;

  test.each<readonly [string, boolean]>([
    ['do_train: true\neval_strategy: steps\n', true],
    ['do_train: true\ndo_eval: true\nval_size: 0\n', true],
    ['do_train: true\neval_strategy: steps\nval_size: 0.1\n', false],
    ['do_train: true\neval_strategy: steps\neval_dataset: d\n', false],
    ['do_train: true\neval_strategy: "no"\n', false],
    ['do_train: true\n', false],
    ['do_eval: true\ndataset: d\n', false],
  ])("LLaMA-Factory's evaluation of nothing: %j", async (more, isRefused) => {
    expect((await readFileContent('a.yaml', factory(more))).codes.includes('PV-7049')).toBe(isRefused);
  });

  const megatron = (launch: string, flags: string): string =>
    `torchrun ${launch} pretrain_gpt.py --train-iters 100 --lr-decay-style cosine --seq-length 2048 --micro-batch-size 4 ${flags}\n`;

  test.each<readonly [string, string, boolean]>([
    ['--nproc_per_node 8 --nnodes 2', '--global-batch-size 250 --tensor-model-parallel-size 2', true],
    ['--nproc_per_node 8 --nnodes 2', '--global-batch-size 256 --tensor-model-parallel-size 2', false],
    ['--nproc_per_node 8', '--global-batch-size 16', true],
    ['--nproc_per_node 8', '--global-batch-size 16 --tensor-model-parallel-size 2', false],
    ['--nproc_per_node 8', '--global-batch-size 16 --decrease-batch-size-if-needed', false],
    ['--nproc_per_node 8', '--global-batch-size 250 --rampup-batch-size 16 16 1000', false],
    ['--nproc_per_node 8 --nnodes $N', '--global-batch-size 250', false],
    ['--nproc_per_node $G', '--global-batch-size 250', false],
  ])("Megatron-LM's batch of %s in parts: %s", async (launch, flags, isRefused) => {
    expect((await readFileContent('a.sh', megatron(launch, flags))).codes.includes('PV-7049')).toBe(isRefused);
  });

  test('says where and why', async () => {
    const { messages } = await readFileContent('a.yaml', hf('load_best_model_at_end: true\nsave_strategy: epoch\n'));
    expect(messages[0]).toBe(
      'The trainer refuses load_best_model_at_end: eval_strategy is no and save_strategy is epoch',
    );
  });
});

describe('a warm-up that mmengine counts in epochs', () => {
  const config = (warmup: string, all = 'train_cfg = dict(max_epochs=200)'): string =>
    `optim_wrapper = dict(optimizer=dict(type='SGD', lr=0.1))\nparam_scheduler = [\n  dict(type='LinearLR', start_factor=0.1, ${warmup}),\n` +
    `  dict(type='CosineAnnealingLR', by_epoch=True, begin=5)]\n${all}\n`;

  test.each([
    [config('by_epoch=True, end=5, convert_to_iter_based=True'), 0.025, undefined],
    [config('end=5, convert_to_iter_based=True'), 0.025, undefined],
    [config('by_epoch=True, end=5'), 0.02, undefined],
    [config('by_epoch=False, end=500'), undefined, 500],
    [config('by_epoch=True, end=5', 'train_dataloader = dict(batch_size=2)'), undefined, 'it counts epochs, not steps'],
  ])('is a part of them: %#', async (text, ratio, steps) => {
    expect([await valueOf('a.py', text, 'warmup_ratio'), await valueOf('a.py', text, 'warmup_steps')]).toEqual([
      ratio,
      steps,
    ]);
  });

  test.each([
    ["warmup='linear', warmup_iters=5, warmup_by_epoch=True", 0.05],
    ['warmup_iters=5, warmup_by_epoch=True', undefined],
    ["warmup='linear', warmup_iters=5", undefined],
  ])('before it: %s', async (warmup, ratio) => {
    const text = `lr_config = dict(policy='step', ${warmup})\nrunner = dict(type='EpochBasedRunner', max_epochs=100)\n`;
    expect(await valueOf('a.py', text, 'warmup_ratio')).toBe(ratio);
  });

  test('a schedule alone belongs to it', async () => {
    const { data } = await readFileContent(
      'a.py',
      "_base_ = './b.py'\nlr_config = dict(step=[16, 22])\ntotal_epochs = 24\n",
    );
    expect([data?.format, data?.values.get('num_epochs')?.value]).toEqual(['mmengine', 24]);
  });
});

describe('keys of several versions', () => {
  const fairseq = (more: string): string =>
    `task: { _name: masked_lm }\ncriterion: { _name: masked_lm }\noptimization: { max_update: 100, lr: [0.1] }\n${more}`;
  const foundry = (more: string): string =>
    `max_duration: 10ba\nglobal_train_batch_size: 8\noptimizer: { name: adamw, lr: 0.1 }\nscheduler: { name: cosine_with_warmup, t_warmup: 1ba }\n${more}`;
  const neox = (more: string): string =>
    `{ "pipe-parallel-size": 1, "model-parallel-size": 1, "pos-emb": "rotary", "num-layers": 2, "train-iters": 10, ${more} }`;
  const recipe = (data: string): string =>
    `model_name: m\ninitial_checkpoint_dir: c\n${data}\ntrain: { lr_warmup_steps: 1, global_batch_size: 8, micro_batch_size: 2 }\neval: { initial_validation: false }\n`;
  const speech = (more: string): string =>
    `trainer: { max_epochs: 2, ${more} }\nmodel: { train_ds: { batch_size: 4, max_seq_length: 128 } }\nexp_manager: { name: x }\n`;
  const model = (optimizer: string): string =>
    `{ "module": "keras", "class_name": "M", "build_config": { "input_shape": null }, "compile_config": { "optimizer": ${optimizer} } }`;
  const scaled =
    '{ "class_name": "LossScaleOptimizer", "config": { "inner_optimizer": { "class_name": "SGD", "config": { "learning_rate": 0.01 } } } }';
  const titan = (schedule: string): string =>
    `[job]\ndump_folder = "o"\n[training]\nsteps = 10\nlocal_batch_size = 1\n[lr_scheduler]\nwarmup_steps = 1\n${schedule}`;

  test.each([
    ['a.yaml', fairseq('optimizer: { _name: adam, adam_betas: [0.9, 0.98] }\n'), 'beta2', 0.98],
    ['a.yaml', fairseq('optimizer: { _name: adam, adam_betas: "(0.9, 0.98)" }\n'), 'beta2', 0.98],
    [
      'a.sh',
      'fairseq-train d --max-update 9 --update-freq 1 --lr-scheduler cosine --lr 1 --min-lr 1e-9\n',
      'min_learning_rate',
      1e-9,
    ],
    [
      'a.sh',
      'fairseq-train d --max-update 9 --update-freq 1 --lr-scheduler fixed --lr 1 --min-lr 1e-9\n',
      'min_learning_rate',
      undefined,
    ],
    [
      'a.sh',
      'fairseq-train d --max-update 9 --update-freq 1 --lr-scheduler cosine --max-lr 1 --lr 1 --min-lr 1e-9\n',
      'min_learning_rate',
      undefined,
    ],
    ['a.yaml', foundry('model: { peft_config: { r: 64, lora_alpha: 128, lora_dropout: 0.05 } }\n'), 'lora_rank', 64],
    ['a.yaml', foundry('model: { peft_config: { r: 64, lora_alpha: 128, lora_dropout: 0.05 } }\n'), 'lora_alpha', 128],
    ['a.yaml', foundry('save_num_checkpoints_to_keep: 1\n'), 'warmup_steps', 1],
    ['a.yml', neox('"intermediate-size": 8192'), 'intermediate_size', 8192],
    [
      'a.yaml',
      recipe('data: { class_path: litgpt.data.OpenWebText, init_args: { seed: 2357 } }'),
      'val_set_size',
      undefined,
    ],
    ['a.yaml', speech('gpus: 8, num_nodes: 2'), 'num_devices', 16],
    ['a.yaml', speech('gpus: -1'), 'num_devices', 'is -1: every device of the machine'],
    ['a.yaml', speech('devices: 1'), 'seq_len', 128],
    ['a.json', model('"adam"'), 'optimizer', 'adam'],
    ['a.json', model(scaled), 'optimizer', 'SGD'],
    ['a.json', model(scaled), 'learning_rate', 0.01],
    ['a.toml', titan('decay_ratio = 0.0\n'), 'lr_schedule', 'constant'],
    ['a.toml', titan('decay_ratio = 0.0\ndecay_type = "linear"\n'), 'lr_schedule', 'constant'],
    ['a.toml', titan('decay_ratio = 0.8\ndecay_type = "sqrt"\n'), 'lr_schedule', 'sqrt'],
  ])('%s %#: %s', async (file, text, name, value) => {
    expect(await valueOf(file, text, name)).toBe(value);
  });

  test.each([
    neox('"distributed-backend": "nccl"'),
    recipe('data: { class_path: litgpt.data.OpenWebText, init_args: { seed: 2357 } }'),
    fairseq('optimizer: { _name: adam, adam_betas: [0.9, 0.98] }\n'),
    speech('devices: 1').replace('train_ds', 'input_fft: { n_layer: 6, dropout: 0.1 }, train_ds'),
  ])('are no slips: %#', async (text) => {
    const { codes } = await readFileContent('a.yaml', text);
    expect(codes.filter((code) => ['PV-7017', 'PV-7018', 'PV-7039', 'PV-7040'].includes(code))).toEqual([]);
  });
});

describe('what several trainers have is not the mark of one', () => {
  test.each([
    ['a.yml', 'include: base.yml\nlog_interval: 5\nwandb_run_name: x\n', 'plain'],
    [
      'a.sh',
      'accelerate launch --num_processes 1 x.py --learning_rate 1e-4 --num_train_epochs 2 --output_dir o --checkpointing_steps 9\n',
      'plain',
    ],
    ['a.yaml', 'distributed_type: "NO"\nmixed_precision: fp8\nfp8_config: { backend: TE }\n', 'accelerate'],
  ])('%s %#', async (file, text, format) => {
    expect((await readFileContent(file, text)).data?.format).toBe(format);
  });
});

test("detectron2's LazyConfig is not one of gin", () => {
  const text = 'from detectron2.config import LazyCall as L\ntrain.max_iter = 9\noptimizer.lr = 1\n';
  const hint = (code: string): string | null | undefined =>
    parsePython({ path: 'a.py', text: code }).diagnostics[0]?.hint;
  expect(hint(text)).toContain('LazyConfig');
  expect(hint(text.slice(text.indexOf('train')))).toContain('gin');
});
