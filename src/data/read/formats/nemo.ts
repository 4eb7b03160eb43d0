/**
 * NeMo configs (NVIDIA/NeMo, `examples/**\/conf/*.yaml`): Hydra with the sections trainer, model and exp_manager; and the YAML
 * that NeMo 2 writes of a recipe, with trainer, data and optim.
 *
 * Models on Megatron take `micro_batch_size` and `global_batch_size`, and accumulate what is left between them; the others take
 * `train_ds.batch_size` and Lightning's `accumulate_grad_batches`.
 */
import {
  numberOf,
  pretrainedFrom,
  productOf,
  scoreOf,
  unlessEqual,
  type ConfigFormat,
  type KeyRule,
  type Marks,
  type NotKnown,
  type Other,
} from './config-format.ts';
import { nemoIrrelevant } from './irrelevant/nemo.ts';
import { modelKeys } from './model-keys.ts';

const marks: Marks = {
  own: [
    'exp_manager.',
    'model.optim.sched.',
    'model.train_ds.',
    'restore_from_path',
    'init_from_nemo_model',
    'optim.config.',
  ],
  shared: [
    'trainer.devices',
    'trainer.max_epochs',
    'trainer.max_steps',
    'trainer.accelerator',
    'trainer.precision',
    'trainer.strategy',
    'trainer.strategy.',
    'model.optim.lr',
    'model.micro_batch_size',
    'model.global_batch_size',
    'data.micro_batch_size',
    'data.global_batch_size',
    'optim.lr_scheduler.',
  ],
  least: { own: 1, all: 3 },
};

const globalBatches = ['model.global_batch_size', 'model.data.train_ds.global_batch_size', 'data.global_batch_size'];

const firstNumber = (other: Other, keys: readonly string[]): number | null =>
  keys.reduce<number | null>((found, key) => found ?? numberOf(other(key)), null);

/** Models that split their batches as Megatron does. */
const isMegatron = (other: Other): boolean => globalBatches.some((key) => other(key) !== null);

/** Their product is the number of devices that share one copy of the model. */
const splits = ['tensor_model_parallel_size', 'pipeline_model_parallel_size', 'context_parallel_size'].flatMap(
  (key) => [`model.${key}`, `trainer.strategy.${key}`],
);

/** Those of one node; the number of nodes multiplies them where all keys are read. -1 means all that there are. */
const devices: KeyRule = {
  key: 'trainer.devices',
  read: (scalar, other) => {
    const [count, shared] = [numberOf(scalar), productOf(other, splits)];
    if (count === null) return scalar.value ?? undefined;
    if (shared === null) return { because: 'how the model is split is not known' };
    if (count < 0) return undefined;
    const copies = (count * (numberOf(other('trainer.num_nodes')) ?? 1)) / shared;
    if (copies >= 1 && Number.isInteger(copies)) return count / shared;
    return { because: `the devices cannot hold a model that is split over ${shared}` };
  },
};

/** The same in older versions of Lightning, where 0 is the processor. */
const gpus: KeyRule = {
  key: 'trainer.gpus',
  read: (scalar, other) => {
    const [count, shared] = [numberOf(scalar), productOf(other, splits)];
    const nodes = productOf(other, ['trainer.num_nodes']);
    if (count === null || count < 0 || shared === null || nodes === null)
      return { because: 'how many copies of the model there are is not known' };
    const copies = (Math.max(1, count) * nodes) / shared;
    if (copies >= 1 && Number.isInteger(copies)) return copies;
    return { because: `the devices cannot hold a model that is split over ${shared}` };
  },
};

/** Megatron's accumulation follows from its batches and the devices, whatever Lightning's setting says. */
const accumulation: KeyRule = {
  key: 'trainer.accumulate_grad_batches',
  read: (scalar, other) => (isMegatron(other) ? undefined : (scalar.value ?? undefined)),
};

/** Data sets of Megatron hold the samples of the whole run. */
const epochs: KeyRule = {
  key: 'trainer.max_epochs',
  read: (scalar, other) => {
    const runsBySteps = isMegatron(other) && (numberOf(other('trainer.max_steps')) ?? 0) > 0;
    return runsBySteps || numberOf(scalar) === -1 ? undefined : (scalar.value ?? undefined);
  },
};

const shapes: ReadonlyMap<string, string> = new Map([
  ['CosineAnnealing', 'cosine'],
  ['WarmupAnnealing', 'linear'],
  ['PolynomialDecayAnnealing', 'polynomial'],
  ['PolynomialHoldDecayAnnealing', 'polynomial'],
  ['InverseSquareRootAnnealing', 'inverse_sqrt'],
  ['NoamAnnealing', 'noam'],
  ['NoamHoldAnnealing', 'noam'],
  ['WarmupPolicy', 'constant'],
]);

/** `nemo/core/optim/lr_scheduler.py` */
const schedule: KeyRule = {
  key: 'model.optim.sched.name',
  read: ({ value }) => (typeof value === 'string' ? (shapes.get(value) ?? value) : undefined),
};

const scheduleOfRecipe: KeyRule = {
  key: 'optim.lr_scheduler._target_',
  read: ({ value }) => {
    const name = typeof value === 'string' ? value.slice(value.lastIndexOf('.') + 1).replace(/Scheduler$/, '') : '';
    return name === '' ? undefined : (shapes.get(name) ?? name);
  },
};

/** Noam's rate is lr · (d_model · warmup_steps)^-½ at its peak (`NoamAnnealing._noam_annealing`). */
const rate: KeyRule = {
  key: 'model.optim.lr',
  read: (scalar, other) => {
    const lr = numberOf(scalar);
    const name = other('model.optim.sched.name')?.value;
    if (lr === null || typeof name !== 'string' || !name.startsWith('Noam')) return scalar.value ?? undefined;
    const width = numberOf(other('model.optim.sched.d_model'));
    const warmup = numberOf(other('model.optim.sched.warmup_steps'));
    if (width === null || warmup === null || width * warmup <= 0)
      return { because: "Noam's schedule scales it by d_model and warmup_steps, which the file does not say" };
    return lr / Math.sqrt(width * warmup);
  },
};

/** The cosine ends `constant_steps` before the run does. */
const decay: KeyRule = {
  key: 'model.optim.sched.constant_steps',
  read: (scalar, other) =>
    decayEnd(numberOf(scalar), firstNumber(other, ['model.optim.sched.max_steps', 'trainer.max_steps'])),
};

function decayEnd(constant: number | null, steps: number | null): number | NotKnown | undefined {
  if (constant === null || steps === null || steps < 0) return undefined;
  return constant < steps
    ? steps - constant
    : { because: `its ${constant} constant steps are not fewer than ${steps}` };
}

const isCosineOfRecipe = (other: Other): boolean =>
  String(other('optim.lr_scheduler._target_')?.value).endsWith('CosineAnnealingScheduler');

/** Before a recipe trains, its strategy copies the trainer's `max_steps` to the scheduler (`MegatronStrategy.setup`). */
const decayOfRecipe = (key: string): KeyRule => ({
  key: `optim.lr_scheduler.${key}`,
  read: (_, other) => {
    const steps = ['trainer.max_steps', 'optim.lr_scheduler.max_steps'].map((name) => numberOf(other(name)));
    const constant = numberOf(other('optim.lr_scheduler.constant_steps'));
    const usual = isCosineOfRecipe(other) ? 80_000 : null;
    return decayEnd(constant ?? usual, steps.find((one) => one !== null && one > 0) ?? null);
  },
});

/** An integer counts batches, a fraction is a part of an epoch (Lightning); a batch of Megatron is one step. */
const everySteps: KeyRule = {
  key: 'trainer.val_check_interval',
  read: (scalar, other) => {
    const isCount = /^\d+$/.test(scalar.text) && (isMegatron(other) || accumulates(other) === 1);
    return isCount ? (scalar.value ?? undefined) : undefined;
  },
};

const accumulates = (other: Other): number | null => productOf(other, ['trainer.accumulate_grad_batches']);

/** Lightning takes a fraction for a part of the data. */
const batches: KeyRule = {
  key: 'trainer.limit_val_batches',
  read: (scalar) => (/^\d+$/.test(scalar.text) ? (scalar.value ?? undefined) : undefined),
};

/** Recognised by exp_manager and by where its optimizer and its data are. */
export const nemo: ConfigFormat = {
  name: 'nemo',
  title: 'NeMo configs',
  syntaxes: ['yaml', 'json'],
  recognised:
    'a section that only it has, such as exp_manager, model.optim.sched, model.train_ds, and two keys such as trainer.devices, trainer.max_steps',
  score: (keys) => 3 * scoreOf(keys, marks),
  marks,
  keys: {
    ...modelKeys('model'),
    batch_size: [
      'model.micro_batch_size',
      'model.data.train_ds.micro_batch_size',
      'model.train_ds.batch_size',
      'model.train_ds.dataloader_params.batch_size',
      'model.data.train_ds.batch_size',
      'data.micro_batch_size',
    ],
    global_batch_size: globalBatches,
    gradient_accumulation: [accumulation],
    num_devices: [devices, gpus],
    seq_len: [
      'model.encoder_seq_length',
      'model.data.train_ds.max_seq_length',
      'model.train_ds.max_seq_length',
      'model.data.seq_length',
      'data.seq_length',
    ],
    drop_last: [
      'model.train_ds.drop_last',
      'model.train_ds.dataloader_params.drop_last',
      'model.data.train_ds.drop_last',
    ],
    num_epochs: [epochs],
    max_steps: [unlessEqual('trainer.max_steps', -1)],
    learning_rate: [rate, 'optim.config.lr'],
    min_learning_rate: ['model.optim.sched.min_lr', 'optim.lr_scheduler.min_lr', 'optim.config.min_lr'],
    lr_schedule: [schedule, scheduleOfRecipe],
    warmup_steps: ['model.optim.sched.warmup_steps', 'optim.lr_scheduler.warmup_steps'],
    warmup_ratio: ['model.optim.sched.warmup_ratio', 'optim.lr_scheduler.warmup_ratio'],
    decay_steps: [
      decay,
      unlessEqual('model.optim.sched.max_steps', -1),
      ...['constant_steps', 'max_steps', '_target_'].map(decayOfRecipe),
    ],
    optimizer: ['model.optim.name', 'optim.config.optimizer'],
    weight_decay: ['model.optim.weight_decay', 'optim.config.weight_decay'],
    beta1: ['model.optim.betas[0]', 'optim.config.adam_beta1'],
    beta2: ['model.optim.betas[1]', 'optim.config.adam_beta2'],
    epsilon: ['model.optim.eps', 'optim.config.adam_eps'],
    momentum: ['model.optim.momentum'],
    max_grad_norm: ['trainer.gradient_clip_val', 'optim.config.clip_grad'],
    label_smoothing: ['model.label_smoothing'],
    precision: ['trainer.precision'],
    num_workers: [
      'model.train_ds.num_workers',
      'model.train_ds.dataloader_params.num_workers',
      'model.data.num_workers',
      'model.data.train_ds.num_workers',
    ],
    seed: ['model.seed'],
    from_scratch: [
      pretrainedFrom('restore_from_path'),
      pretrainedFrom('model.restore_from_path'),
      pretrainedFrom('init_from_nemo_model'),
      pretrainedFrom('init_from_pretrained_model'),
    ],
    save_interval: ['exp_manager.checkpoint_callback_params.every_n_train_steps'],
    eval_interval: [everySteps],
    eval_steps: [batches],
    log_interval: ['trainer.log_every_n_steps'],
    lora_rank: ['model.peft.lora_tuning.adapter_dim'],
    lora_alpha: ['model.peft.lora_tuning.alpha'],
  },
  irrelevant: nemoIrrelevant,
  // nemo/lightning/pytorch/optim/lr_scheduler.py: CosineAnnealingScheduler; the data sets of nemo/collections/asr make their loaders with
  // config.get('drop_last', False), those of Megatron with MegatronPretrainingSampler, which drops the last batch.
  defaults: {
    of: 'NeMo',
    values: {
      drop_last: { value: false, when: (other) => !isMegatron(other) },
      min_learning_rate: { value: 6e-5, when: isCosineOfRecipe },
      warmup_steps: { value: 750, unless: ['optim.lr_scheduler.warmup_ratio'], when: isCosineOfRecipe },
    },
  },
};
