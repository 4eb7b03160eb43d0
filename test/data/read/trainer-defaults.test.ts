/**
 * What trainers do that their configs do not say, by the file of their own code that says it. Each row was read there.
 *
 * Holds src/data/read/formats/defaults.ts, src/data/read/formats/gpt-neox.ts, src/data/read/formats/llm-foundry.ts,
 * src/data/read/formats/irrelevant/gpt-neox.ts, src/data/read/formats/irrelevant/llm-foundry.ts.
 */
import { describe, expect, test } from 'vitest';
import { readFileContent } from '../../support/read-data-file.ts';

interface Row {
  readonly title: string;
  readonly file: string;
  readonly text: string;
  /** Taken from the trainer. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** Computed from the file as the trainer does; `?` if it cannot be. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Names for which the trainer has none. */
  readonly without?: readonly string[];
}

const none = {};

function follows(format: string, source: string, rows: readonly Row[]): void {
  describe(`${format}: ${source}`, () => {
    test.each(rows)('$title', async ({ file, text, defaults = none, values = none, without = [] }) => {
      const { data } = await readFileContent(file, text);
      expect(data?.format).toBe(format);
      const taken = Object.fromEntries([...(data?.defaults ?? [])].map(([name, { value }]) => [name, value]));
      expect(taken).toMatchObject(defaults);
      expect(Object.keys(taken).filter((name) => without.includes(name))).toEqual([]);
      const found = Object.keys(values).map((name) => {
        const scalar = data?.values.get(name);
        return [name, scalar?.unread === undefined ? scalar?.value : '?'];
      });
      expect(Object.fromEntries(found)).toEqual(values);
    });
  });
}

const flags = (more: string): string =>
  `fairseq-train data --arch transformer --optimizer adam --lr 5e-4 --max-update 50000 --update-freq 8 ${more}\n`;

follows('fairseq', 'fairseq/optim/lr_scheduler/inverse_square_root_schedule.py', [
  {
    title: 'a warm-up of 4000 updates',
    file: 'a.sh',
    text: flags('--lr-scheduler inverse_sqrt'),
    defaults: { warmup_steps: 4000 },
    values: { lr_schedule: 'inverse_sqrt', decay_steps: undefined },
  },
  {
    title: 'unless it is given',
    file: 'a.sh',
    text: flags('--lr-scheduler inverse_sqrt --warmup-updates 100'),
    values: { warmup_steps: 100 },
    without: ['warmup_steps'],
  },
]);
follows('fairseq', 'fairseq/optim/lr_scheduler/tri_stage_lr_scheduler.py', [
  {
    title: 'three stages in updates',
    file: 'a.sh',
    text: flags('--lr-scheduler tri_stage --hold-steps 1000'),
    defaults: { warmup_steps: 4000, min_lr_ratio: 0.01 },
    values: { decay_steps: 65_000, lr_schedule: 'tri_stage' },
  },
  {
    title: 'or as parts of the run',
    file: 'a.yaml',
    text: 'optimization: { max_update: 1000, lr: [1e-4], update_freq: [2] }\ntask: { _name: t }\nlr_scheduler: { _name: tri_stage, phase_ratio: [0.1, 0.4, 0.5] }\n',
    values: { warmup_ratio: 0.1, decay_steps: undefined },
    without: ['warmup_steps'],
  },
]);
follows('fairseq', 'fairseq/optim/lr_scheduler/cosine_lr_scheduler.py', [
  {
    title: 'one period as long as the run after the warm-up',
    file: 'a.sh',
    text: flags('--lr-scheduler cosine --warmup-updates 100'),
    values: { lr_schedule: 'cosine', decay_steps: undefined },
  },
  {
    title: 'shorter periods begin again',
    file: 'a.sh',
    text: flags('--lr-scheduler cosine --warmup-updates 100 --lr-period-updates 900'),
    values: { lr_schedule: 'cosine_with_restarts', decay_steps: 1000 },
    without: ['warmup_steps'],
  },
]);
follows('fairseq', 'fairseq/optim/adam.py and fairseq/dataclass/configs.py', [
  {
    title: 'no weight decay, and the last batch of an epoch counts',
    file: 'a.sh',
    text: flags('--lr-scheduler fixed'),
    defaults: {
      weight_decay: 0,
      beta1: 0.9,
      beta2: 0.999,
      epsilon: 1e-8,
      drop_last: false,
      num_workers: 1,
      seed: 1,
      log_interval: 100,
    },
    without: ['warmup_steps', 'min_lr_ratio'],
  },
  {
    title: 'those of Adam are not of another optimizer, and a remainder may be skipped',
    file: 'a.sh',
    text: flags('--lr-scheduler fixed --skip-remainder-batch').replace('adam', 'adafactor'),
    values: { drop_last: true },
    without: ['beta1', 'weight_decay', 'drop_last'],
  },
]);

const megatron = (more: string): string =>
  `--train-iters 1000 --lr-decay-style cosine --micro-batch-size 4 --global-batch-size 64\n--tensor-model-parallel-size 1 --lr 1e-4 ${more}\n`;

follows(
  'megatron',
  'megatron/training/config/training_config.py at 8c090f2a, megatron/core/optimizer/optimizer_config.py at 00756376',
  [
    {
      title: 'what is not given',
      file: 'a.sh',
      text: megatron('').replace('--lr-decay-style cosine', '--lr-warmup-iters 10'),
      defaults: {
        lr_schedule: 'linear',
        optimizer: 'adam',
        weight_decay: 0.01,
        beta1: 0.9,
        beta2: 0.999,
        epsilon: 1e-8,
        max_grad_norm: 1,
        min_learning_rate: 0,
        log_interval: 100,
        num_workers: 2,
        seed: 1234,
      },
      without: ['momentum', 'eval_interval'],
    },
    {
      title: 'of SGD',
      file: 'a.sh',
      text: megatron('--optimizer sgd'),
      defaults: { momentum: 0.9, warmup_steps: 0 },
      without: ['beta1', 'beta2', 'epsilon'],
    },
    {
      title: 'of Lion, whose decays are 0.95 and 0.98',
      file: 'a.sh',
      text: megatron('--optimizer lion'),
      defaults: { weight_decay: 0.01, max_grad_norm: 1 },
      without: ['beta1', 'beta2', 'epsilon', 'momentum'],
    },
    {
      title: 'a batch that grows in steps',
      file: 'a.sh',
      text: megatron('--step-batch-size-schedule "0:32 1B:64"'),
      values: { global_batch_size: '?' },
      without: ['gradient_accumulation'],
    },
  ],
);

const wrapped = (schedulers: string, train: string): string =>
  `optim_wrapper = dict(type='OptimWrapper', optimizer=dict(type='AdamW', lr=1e-4))\nparam_scheduler = [${schedulers}]\ntrain_cfg = dict(${train})\ntrain_dataloader = dict(batch_size=4)\n`;

follows('mmengine', 'mmengine/optim/scheduler/param_scheduler.py', [
  {
    title: 'a cosine of T_max iterations after its beginning',
    file: 'a.py',
    text: wrapped(
      "dict(type='LinearLR', by_epoch=False, begin=0, end=500), dict(type='CosineAnnealingLR', by_epoch=False, begin=500, T_max=1000, end=9999)",
      'max_iters=2000',
    ),
    values: { decay_steps: 1500, warmup_steps: 500 },
  },
  {
    title: 'a polynomial from its beginning to its end',
    file: 'a.py',
    text: wrapped("dict(type='PolyLR', by_epoch=False, begin=0, end=1800)", 'max_iters=2000'),
    values: { decay_steps: 1800, warmup_steps: 0 },
  },
  {
    title: 'epochs are counted unless by_epoch is false',
    file: 'a.py',
    text: wrapped("dict(type='CosineAnnealingLR', T_max=12)", 'max_epochs=12'),
    values: { decay_steps: undefined },
  },
]);
follows('mmengine', "mmengine/runner/runner.py at 8593691c, build_dataloader: torch's DataLoader", [
  {
    title: 'the last batch counts',
    file: 'a.py',
    text: wrapped("dict(type='ConstantLR')", 'max_epochs=12'),
    defaults: { drop_last: false, gradient_accumulation: 1 },
  },
]);

const recipe = (scheduler: string, trainer: string = 'max_steps: 100000'): string =>
  `trainer: { devices: 8, ${trainer} }\ndata: { micro_batch_size: 1, global_batch_size: 512 }\noptim:\n  config: { optimizer: adam, lr: 3e-4 }\n  lr_scheduler: { _target_: nemo.lightning.pytorch.optim.lr_scheduler.CosineAnnealingScheduler, ${scheduler} }\n`;

follows(
  'nemo',
  'nemo/lightning/pytorch/optim/lr_scheduler.py, nemo/lightning/pytorch/strategies/megatron_strategy.py',
  [
    {
      title: 'CosineAnnealingScheduler as it is',
      file: 'a.yaml',
      text: recipe(''),
      defaults: { warmup_steps: 750, min_learning_rate: 6e-5 },
      values: { decay_steps: 20_000 },
      without: ['drop_last'],
    },
    {
      title: "the trainer's steps replace the scheduler's",
      file: 'a.yaml',
      text: recipe('warmup_steps: 2000, constant_steps: 0, min_lr: 3e-5, max_steps: 10'),
      values: { decay_steps: 100_000, warmup_steps: 2000, min_learning_rate: 3e-5 },
    },
    {
      title: 'a run that is shorter than what is held at its end',
      file: 'a.yaml',
      text: recipe('warmup_ratio: 0.1', 'max_steps: 1000'),
      values: { decay_steps: '?', warmup_ratio: 0.1 },
      without: ['warmup_steps'],
    },
  ],
);
follows('nemo', "nemo/collections/asr/models/ctc_models.py: config.get('drop_last', False)", [
  {
    title: 'speech keeps the last batch',
    file: 'a.yaml',
    text: 'exp_manager: { name: x }\ntrainer: { devices: 1, max_epochs: 3 }\nmodel: { train_ds: { batch_size: 4 }, optim: { lr: 1e-3, sched: { name: CosineAnnealing } } }\n',
    defaults: { drop_last: false },
    without: ['warmup_steps', 'min_learning_rate'],
  },
]);

const polynomial = (config: object): string =>
  JSON.stringify({
    module: 'keras',
    class_name: 'Sequential',
    config: { name: 's', layers: [] },
    compile_config: {
      optimizer: {
        class_name: 'SGD',
        config: {
          learning_rate: {
            class_name: 'PolynomialDecay',
            config: { initial_learning_rate: 0.1, decay_steps: 1000, end_learning_rate: 1e-4, ...config },
          },
        },
      },
    },
  });

follows('keras', 'keras/src/optimizers/schedules/learning_rate_schedule.py', [
  {
    // keras/src/trainers/data_adapters/array_data_adapter.py at 78b93701: ceil(num_samples / batch_size)
    title: 'a polynomial of power 1 is a line, and the last batch counts',
    file: 'config.json',
    text: polynomial({ power: 1, cycle: false }),
    defaults: { drop_last: false },
    values: { lr_schedule: 'linear', decay_steps: 1000, min_learning_rate: 1e-4 },
  },
  {
    title: 'of power 2 it is not',
    file: 'config.json',
    text: polynomial({ power: 2, cycle: false }),
    values: { lr_schedule: 'polynomial', decay_steps: 1000 },
  },
  {
    title: 'one that cycles has no end',
    file: 'config.json',
    text: polynomial({ power: 1, cycle: true }),
    values: { lr_schedule: 'polynomial', decay_steps: undefined },
  },
]);

const foundry = (more: string): string =>
  `max_seq_len: 2048\nglobal_seed: 17\nmodel: { name: mpt_causal_lm, d_model: 768, n_heads: 12, n_layers: 12, vocab_size: 50368 }\ntokenizer: { name: EleutherAI/gpt-neox-20b }\ntrain_loader: { name: text, dataset: { split: train }, drop_last: true, num_workers: 8 }\noptimizer: { name: decoupled_adamw, lr: 6.0e-4, betas: [0.9, 0.95], eps: 1.0e-08, weight_decay: 0.0 }\nglobal_train_batch_size: 256\ndevice_train_microbatch_size: 16\nprecision: amp_bf16\n${more}`;

follows('llm-foundry', 'composer/core/time.py, composer/optim/scheduler.py, llmfoundry/utils/builders.py', [
  {
    title: 'mpt-125m: durations in batches, which are steps',
    file: 'a.yaml',
    text: foundry(
      'scheduler: { name: cosine_with_warmup, t_warmup: 100ba, alpha_f: 0.1 }\nalgorithms: { gradient_clipping: { clipping_type: norm, clipping_threshold: 1.0 } }\nmax_duration: 4800ba\neval_interval: 500ba\n',
    ),
    values: {
      max_steps: 4800,
      num_epochs: undefined,
      warmup_steps: 100,
      min_lr_ratio: 0.1,
      lr_schedule: 'cosine',
      global_batch_size: 256,
      batch_size: 16,
      seq_len: 2048,
      max_grad_norm: 1,
      precision: 'bf16',
      eval_interval: 500,
      hidden_size: 768,
      drop_last: true,
    },
  },
  {
    title: 'mpt-7b_dolly_sft: epochs, and a line',
    file: 'a.yaml',
    text: foundry(
      'scheduler: { name: linear_decay_with_warmup, t_warmup: 50ba, alpha_f: 0 }\nmax_duration: 2ep\neval_interval: 1ep\n',
    ),
    values: { num_epochs: 2, max_steps: undefined, warmup_steps: 50, lr_schedule: 'linear', eval_interval: undefined },
  },
  {
    title: 'tokens and parts of the run',
    file: 'a.yaml',
    text: foundry(
      'scheduler: { name: cosine_with_warmup, t_warmup: 0.02dur, t_max: 100ba }\nmax_duration: 1_048_577tok\n',
    ),
    values: { max_steps: 3, warmup_ratio: 0.02, warmup_steps: undefined, decay_steps: 100 },
  },
  {
    title: 'a warm-up in epochs, and a clip of single values',
    file: 'a.yaml',
    text: foundry(
      'scheduler: { name: constant_with_warmup, t_warmup: 1ep }\nalgorithms: { gradient_clipping: { clipping_type: value, clipping_threshold: 1.0 } }\nmax_duration: 3ep\n',
    ),
    values: { warmup_steps: '?', max_grad_norm: '?', num_epochs: 3 },
  },
  {
    title: 'samples, with a batch that is filled in later',
    file: 'a.yaml',
    text: foundry(
      'scheduler: { name: cosine_with_warmup, t_warmup: 10ba, alpha_f: 0 }\nmax_duration: 1000sp\n',
    ).replace('size: 256', 'size: ${batch}'),
    values: { max_steps: '?' },
  },
]);

const neox = (more: string): string =>
  `{ "pipe_parallel_size": 1, "model_parallel_size": 2, "num_layers": 12, "hidden_size": 768, "num_attention_heads": 12,\n "seq_length": 2048, "pos_emb": "rotary", "no_weight_tying": true, "train_micro_batch_size_per_gpu": 4,\n "optimizer": { "type": "Adam", "params": { "lr": 0.0006, "betas": [0.9, 0.95], "eps": 1.0e-8, } },\n "zero_optimization": { "stage": 1 }, "gradient_clipping": 1.0, "weight_decay": 0.1,\n "fp16": { "enabled": true, "loss_scale": 0 }, ${more} }\n`;

follows('gpt-neox', 'megatron/neox_arguments/neox_args.py, megatron/training.py: get_learning_rate_scheduler', [
  {
    title: '125M: not a config of DeepSpeed, whose batch and optimizer it has',
    file: '125M.yml',
    text: neox(
      '"train_iters": 320000, "lr_decay_iters": 320000, "lr_decay_style": "cosine", "min_lr": 0.00006, "warmup": 0.01, "eval_interval": 1000',
    ),
    values: {
      batch_size: 4,
      max_steps: 320_000,
      decay_steps: 320_000,
      warmup_ratio: 0.01,
      learning_rate: 6e-4,
      min_learning_rate: 6e-5,
      lr_schedule: 'cosine',
      beta2: 0.95,
      weight_decay: 0.1,
      max_grad_norm: 1,
      precision: 'fp16',
      seq_len: 2048,
      hidden_size: 768,
      tie_embeddings: false,
      eval_interval: 1000,
    },
    without: ['warmup_ratio', 'lr_schedule', 'min_learning_rate'],
  },
  {
    title: 'what is not given, and devices that share a model',
    file: 'a.yml',
    text: neox('"train_iters": 1000, "global_num_gpus": 8'),
    values: { num_devices: 4 },
    defaults: { warmup_ratio: 0.01, lr_schedule: 'linear', min_learning_rate: 0 },
  },
  {
    title: 'a warm-up is a part of the decay; keys with hyphens',
    file: 'a.yml',
    text: neox('"train-iters": 1000, "lr-decay-iters": 500, "lr-decay-style": "linear", "warmup": 0.1'),
    values: { max_steps: 1000, decay_steps: 500, warmup_ratio: 0.05 },
  },
  {
    title: 'without the length of the run it is not one of the run',
    file: 'a.yml',
    text: neox('"lr_decay_iters": 500, "lr_decay_style": "linear", "warmup": 0.1'),
    values: { warmup_ratio: '?' },
  },
  {
    title: 'a part of a decay that is longer than the run may be more than the run',
    file: 'a.yml',
    text: neox('"train_iters": 100, "lr_decay_iters": 320000, "lr_decay_style": "cosine", "warmup": 0.01'),
    values: { max_steps: 100, decay_steps: 320_000, warmup_steps: 3200 },
    without: ['warmup_ratio'],
  },
  {
    title: 'the decay as a part of the run',
    file: 'a.yml',
    text: neox('"train_iters": 1001, "lr_decay_fraction": 0.5, "lr_decay_style": "cosine", "warmup": 0.1'),
    values: { decay_steps: 500, warmup_ratio: 50 / 1001 },
  },
  {
    title: 'a length of the decay wins over its part',
    file: 'a.yml',
    text: neox('"train_iters": 1000, "lr_decay_iters": 800, "lr_decay_fraction": 0.5, "warmup": 0.1'),
    values: { decay_steps: 800, warmup_ratio: 0.08 },
  },
]);

follows(
  'training-arguments',
  'trl/trainer/utils.py: RepeatSampler, trl/trainer/grpo_trainer.py, trl/trainer/grpo_config.py of 1.13.0; transformers: max_steps > 0',
  [
    {
      title: 'the batch of GRPO counts completions, here not those of whole prompts',
      file: 'a.yaml',
      text: 'output_dir: x\nper_device_train_batch_size: 16\nlr_scheduler_type: cosine\nnum_generations: 7\nmax_steps: 0\nnum_train_epochs: 2\n',
      values: { batch_size: '?', max_steps: undefined, num_epochs: 2 },
    },
    {
      title: 'also if the eight completions of a prompt are not written',
      file: 'a.yaml',
      text: 'output_dir: x\nper_device_train_batch_size: 16\nlr_scheduler_type: cosine\nreward_funcs: [accuracy]\n',
      values: { batch_size: 2, drop_last: true },
      without: ['learning_rate', 'drop_last'],
    },
    {
      title: 'of whole prompts, of which an incomplete generation batch is dropped',
      file: 'a.yaml',
      text: 'output_dir: x\nper_device_train_batch_size: 16\nlr_scheduler_type: cosine\nnum_generations: 4\ngradient_accumulation_steps: 2\nsteps_per_generation: 2\nnum_iterations: 1\ndataloader_drop_last: false\n',
      values: { batch_size: 4, drop_last: true, gradient_accumulation: 2 },
    },
    ...['num_iterations: 2', 'steps_per_generation: 4', 'generation_batch_size: 128'].map((key) => ({
      title: `unless generations last longer than a step: ${key}`,
      file: 'a.yaml',
      text: `output_dir: x\nper_device_train_batch_size: 16\nlr_scheduler_type: cosine\nnum_generations: 4\n${key}\n`,
      values: { batch_size: '?' },
    })),
    {
      title: 'or neither is the batch',
      file: 'a.yaml',
      text: 'output_dir: x\nsave_strategy: "no"\nlr_scheduler_type: cosine\nsteps_per_generation: 4\n',
      without: ['batch_size', 'learning_rate'],
    },
    {
      title: 'and has no default',
      file: 'a.yaml',
      text: 'output_dir: x\nsave_strategy: "no"\nlr_scheduler_type: cosine\nnum_generations: 8\n',
      without: ['batch_size'],
    },
  ],
);

follows(
  'training-arguments',
  'trl/trainer/base_config.py at 13e421be: _BaseConfig changes logging and precision only',
  [
    {
      title: 'the epochs and the schedule are those of TrainingArguments, the rate is not',
      file: 'a.yaml',
      text: 'output_dir: x\nsave_strategy: "no"\nmax_length: 1024\nbeta: 0.1\n',
      defaults: { num_epochs: 3, lr_schedule: 'linear', warmup_steps: 0, drop_last: false, batch_size: 8 },
      without: ['learning_rate', 'precision', 'log_interval'],
    },
    {
      title: 'its batch counts sequences, and the last one counts',
      file: 'a.yaml',
      text: 'output_dir: x\nsave_strategy: "no"\nmax_length: 1024\nbeta: 0.1\nper_device_train_batch_size: 2\n',
      values: { batch_size: 2 },
      defaults: { drop_last: false },
    },
  ],
);
follows('llama-factory', 'src/llamafactory/hparams/training_args.py at ababfb2f: TrainingArguments, unchanged', [
  {
    title: 'what is not given',
    file: 'a.yaml',
    text: 'stage: sft\nfinetuning_type: lora\ntemplate: llama3\noutput_dir: x\n',
    defaults: { batch_size: 8, gradient_accumulation: 1, num_epochs: 3, learning_rate: 5e-5, lr_schedule: 'linear' },
    without: ['seq_len', 'optimizer', 'precision'],
  },
]);
follows('axolotl', 'src/axolotl/utils/schemas/training.py at 94c00c1d', [
  {
    title: 'a batch of one, one epoch, a cosine',
    file: 'a.yaml',
    text: 'base_model: m\nadapter: lora\nsequence_len: 2048\ndatasets: [{ path: d, type: alpaca }]\nlearning_rate: 2e-4\n',
    defaults: { batch_size: 1, gradient_accumulation: 1, num_epochs: 1, lr_schedule: 'cosine' },
    without: ['learning_rate', 'weight_decay', 'optimizer', 'beta1', 'max_grad_norm', 'warmup_steps'],
  },
]);
follows('ultralytics', 'ultralytics/cfg/default.yaml at 8b40338a', [
  {
    title: 'what is not given',
    file: 'a.yaml',
    text: 'task: detect\nmodel: yolov8n.pt\nimgsz: 640\nclose_mosaic: 10\nlr0: 0.01\nmosaic: 1.0\noptimizer: SGD\n',
    defaults: {
      batch_size: 16,
      num_epochs: 100,
      min_lr_ratio: 0.01,
      lr_schedule: 'linear',
      weight_decay: 0.0005,
      num_workers: 8,
      seed: 0,
    },
  },
]);
follows('detectron2', 'detectron2/config/defaults.py at 60d7a1fd', [
  {
    title: 'of the solver',
    file: 'a.yaml',
    text: 'MODEL:\n  META_ARCHITECTURE: GeneralizedRCNN\n  WEIGHTS: w.pkl\n  MASK_ON: true\nTEST: { EVAL_PERIOD: 0 }\n',
    defaults: {
      batch_size: 16,
      max_steps: 40_000,
      learning_rate: 0.001,
      warmup_steps: 1000,
      momentum: 0.9,
      weight_decay: 0.0001,
      max_grad_norm: 0,
      save_interval: 5000,
    },
    values: { eval_interval: undefined },
    without: ['seed'],
  },
]);

const recipeOf = (more: string): string =>
  `batch_size: 2\nepochs: 1\ngradient_accumulation_steps: 8\noptimizer: { _component_: torch.optim.AdamW, lr: 3e-4 }\ncheckpointer: { _component_: torchtune.training.FullModelHFCheckpointer, checkpoint_dir: /tmp/m }\ntokenizer: { _component_: t, path: /tmp/t }\n${more}`;

follows(
  'torchtune',
  'torchtune/training/lr_schedulers.py at 2463c5f0, recipes/lora_finetune_single_device.py at 0097adab',
  [
    {
      title: 'a schedule has its warm-up, which has no default, and decays over all steps to 0',
      file: 'a.yaml',
      text: recipeOf(
        'lr_scheduler: { _component_: torchtune.training.lr_schedulers.get_cosine_schedule_with_warmup, num_warmup_steps: 100 }\n',
      ),
      values: { warmup_steps: 100, lr_schedule: 'cosine', decay_steps: undefined, min_learning_rate: undefined },
      without: ['warmup_steps', 'lr_schedule'],
    },
    {
      // Its DataLoader dropped the last batch in later versions only.
      title: 'without one the rate is constant; the last batch is counted by the version',
      file: 'a.yaml',
      text: recipeOf(''),
      defaults: { lr_schedule: 'constant', warmup_steps: 0, weight_decay: 0.01, epsilon: 1e-8, sample_packing: false },
      without: ['drop_last', 'max_grad_norm', 'num_devices', 'seed'],
    },
  ],
);
follows('fairseq', 'fairseq/optim/lr_scheduler/polynomial_decay_schedule.py at 003179f3', [
  {
    title: 'a line to 0; its length was 1,000,000 in early versions',
    file: 'a.sh',
    text: flags('--lr-scheduler polynomial_decay'),
    values: { lr_schedule: 'linear', decay_steps: undefined },
    without: ['warmup_steps', 'min_lr_ratio', 'decay_steps'],
  },
  {
    title: 'or a curve of a power, to a rate of its own',
    file: 'a.sh',
    text: flags('--lr-scheduler polynomial_decay --power 2 --end-learning-rate 1e-6 --total-num-update 9000'),
    values: { lr_schedule: 'polynomial', decay_steps: 9000, min_learning_rate: 1e-6 },
  },
]);
