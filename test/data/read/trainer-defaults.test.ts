/**
 * What trainers do that their configs do not say, by the file of their own code that says it. Each row was read there.
 *
 * Holds src/data/read/formats/defaults.ts.
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

follows('megatron', 'megatron/training/config/training_config.py, megatron/core/optimizer/optimizer_config.py', [
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
  { title: 'of SGD', file: 'a.sh', text: megatron('--optimizer sgd'), defaults: { momentum: 0.9, warmup_steps: 0 } },
  {
    title: 'a batch that grows in steps',
    file: 'a.sh',
    text: megatron('--step-batch-size-schedule "0:32 1B:64"'),
    values: { global_batch_size: '?' },
    without: ['gradient_accumulation'],
  },
]);

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
follows('mmengine', "mmengine/runner/runner.py, build_dataloader: torch's DataLoader", [
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
    title: 'a polynomial of power 1 is a line',
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
