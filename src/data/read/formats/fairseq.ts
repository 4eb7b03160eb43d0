/**
 * fairseq (facebookresearch/fairseq): Hydra configs with the sections of `fairseq/dataclass/configs.py`, and the flags of
 * `fairseq-train`, which are the same names without sections.
 */
import {
  isOn,
  numberOf,
  pretrainedFrom,
  scoreOf,
  unlessEqual,
  type ConfigFormat,
  type KeyRule,
  type Marks,
  type Other,
} from './config-format.ts';
import { fairseqIrrelevant } from './irrelevant/fairseq.ts';

const marks: Marks = {
  own: [
    'optimization.max_update',
    'optimization.update_freq[0]',
    'optimization.lr[0]',
    'distributed_training.distributed_world_size',
    'distributed_training.ddp_backend',
    'dataset.max_tokens',
    'task._name',
    'criterion._name',
    'lr_scheduler._name',
    'checkpoint.no_epoch_checkpoints',
    'max_update',
    'warmup_updates',
    'update_freq',
    'max_sentences',
    'tokens_per_sample',
    'clip_norm',
    'adam_betas',
    'no_epoch_checkpoints',
    'total_num_update',
  ],
  shared: [
    'common.fp16',
    'common.log_format',
    'common.log_interval',
    'optimizer._name',
    'model._name',
    'max_tokens',
    'arch',
    'task',
    'criterion',
    'lr_scheduler',
    'lr',
    'dataset.num_workers',
  ],
  least: { own: 2, all: 4 },
};

/** A batch is filled with sequences of any length up to so many tokens. */
const filled = (key: string): KeyRule => ({
  key,
  read: ({ value }) => (value === null ? undefined : { because: 'batches are filled up to so many tokens' }),
});

/** With both, a batch ends at whichever comes first. */
const sentences = (key: string, tokens: string): KeyRule => ({
  key,
  read: (scalar, other) => {
    if (scalar.value !== null && (other(tokens)?.value ?? null) !== null)
      return { because: `${tokens} may end a batch earlier` };
    return scalar.value ?? undefined;
  },
});

/** A list gives a number to each epoch, the last to all that follow. */
const onlyOne = (key: string): KeyRule => ({
  key: `${key}[0]`,
  read: (scalar, other) =>
    other(`${key}[1]`) === null ? (scalar.value ?? undefined) : { because: 'it differs from epoch to epoch' },
});

/** The cosine scheduler of some versions goes up from lr to max_lr. */
const rate = (rule: KeyRule, max: string): KeyRule => ({
  key: rule.key,
  read: (scalar, other) => {
    if ((other(max)?.value ?? null) !== null) return { because: `${max} may be its peak` };
    return rule.read ? rule.read(scalar, other) : (scalar.value ?? undefined);
  },
});

const shapes: ReadonlyMap<string, string> = new Map([
  ['polynomial_decay', 'polynomial'],
  ['fixed', 'constant'],
  ['pass_through', 'constant'],
]);

/** `polynomial_decay` is a line by default; `fixed` falls after `force_anneal` epochs; a cosine whose period is over begins again. */
const schedule = (key: string, section: string): KeyRule => ({
  key,
  read: ({ value }, other) => {
    if (typeof value !== 'string') return undefined;
    if (value === 'cosine') {
      const [end, all] = [cosineEnd(other, section), lastUpdate(other)];
      return end !== null && all !== null && end < all ? 'cosine_with_restarts' : value;
    }
    if (value === 'polynomial_decay' && (numberOf(other(`${section}power`)) ?? 1) === 1) return 'linear';
    if (value === 'fixed' && (other(`${section}force_anneal`)?.value ?? null) !== null) return 'step';
    return shapes.get(value) ?? value;
  },
});

const lastUpdate = (other: Other): number | null => numberOf(other('optimization.max_update') ?? other('max_update'));

/** The end of the first period; null if it is that of the run. */
function cosineEnd(other: Other, section: string): number | null {
  const period = numberOf(other(`${section}lr_period_updates`) ?? other(`${section}lr_period_updates[0]`));
  return period === null || period <= 0 ? null : period + (numberOf(other(`${section}warmup_updates`)) ?? 0);
}

const schedulerOf = (other: Other): unknown => (other('lr_scheduler._name') ?? other('lr_scheduler'))?.value;

/** Warm-up, hold and decay of `tri_stage` are numbers of updates unless `phase_ratio` divides the run. */
const isByUpdates = (other: Other): boolean =>
  schedulerOf(other) === 'tri_stage' && ['lr_scheduler.phase_ratio[0]', 'phase_ratio'].every((key) => !other(key));

/** Where the decay ends that the scheduler counts in a way of its own. */
const decayEnd = (key: string, section: string): KeyRule => ({
  key,
  read: (_, other) => {
    if (schedulerOf(other) === 'cosine') return cosineEnd(other, section) ?? undefined;
    if (!isByUpdates(other)) return undefined;
    const steps = (name: string, usual: number): number => numberOf(other(`${section}${name}`)) ?? usual;
    return steps('warmup_steps', WARMUP) + steps('hold_steps', 20_000) + steps('decay_steps', 60_000);
  },
});

/** The floor of the cosine; with max_lr of older versions, and with other schedulers, training stops at min_lr. */
const ofCosine = (key: string): KeyRule => ({
  key,
  read: (scalar, other) =>
    schedulerOf(other) === 'cosine' && other('max_lr') === null ? (scalar.value ?? undefined) : undefined,
});

/** Of `inverse_sqrt` and `tri_stage`. */
const WARMUP = 4000;

const isAdam = (other: Other): boolean => (other('optimizer._name') ?? other('optimizer'))?.value === 'adam';

/** `(0.9, 0.98)`, which fairseq reads as Python; a list has keys of its own. */
const beta = (key: string, at: 0 | 1): KeyRule => ({
  key,
  read: ({ value }) => {
    const pair = typeof value === 'string' ? /^\s*[([]\s*([\d.eE-]+)\s*,\s*([\d.eE-]+)\s*[)\]]\s*$/.exec(value) : null;
    return pair?.[at + 1] ?? value ?? undefined;
  },
});

/** Positive, or not set. */
const positive = (key: string): KeyRule => unlessEqual(key, 0);

const finetuned = ['model.w2v_path', 'checkpoint.finetune_from_model', 'finetune_from_model'];

/** Recognised by the names of its sections and flags, such as max_update and update_freq. */
export const fairseq: ConfigFormat = {
  name: 'fairseq',
  title: 'fairseq configs and commands',
  syntaxes: ['yaml', 'arguments', 'json'],
  recognised:
    'two keys that only it has, such as optimization.max_update, distributed_training.ddp_backend, task._name, or the flags max-update and update-freq',
  score: (keys) => 2 * scoreOf(keys, marks),
  marks,
  keys: {
    batch_size: [
      sentences('dataset.batch_size', 'dataset.max_tokens'),
      filled('dataset.max_tokens'),
      sentences('batch_size', 'max_tokens'),
      sentences('max_sentences', 'max_tokens'),
      filled('max_tokens'),
    ],
    gradient_accumulation: [onlyOne('optimization.update_freq'), 'optimization.update_freq', 'update_freq'],
    num_devices: ['distributed_training.distributed_world_size', 'distributed_world_size', 'world_size'],
    drop_last: ['optimization.skip_remainder_batch', 'skip_remainder_batch'],
    seq_len: ['task.tokens_per_sample', 'tokens_per_sample'],
    num_epochs: [positive('optimization.max_epoch'), positive('max_epoch')],
    max_steps: [positive('optimization.max_update'), positive('max_update')],
    learning_rate: [
      rate(onlyOne('optimization.lr'), 'lr_scheduler.max_lr'),
      rate({ key: 'optimization.lr' }, 'lr_scheduler.max_lr'),
      rate({ key: 'lr' }, 'max_lr'),
    ],
    min_learning_rate: [
      'lr_scheduler.min_lr',
      ofCosine('min_lr'),
      'lr_scheduler.end_learning_rate',
      'end_learning_rate',
    ],
    min_lr_ratio: ['lr_scheduler.final_lr_scale', 'final_lr_scale'],
    lr_schedule: [schedule('lr_scheduler._name', 'lr_scheduler.'), schedule('lr_scheduler', '')],
    warmup_steps: ['lr_scheduler.warmup_updates', 'warmup_updates', 'lr_scheduler.warmup_steps', 'warmup_steps'],
    warmup_ratio: ['lr_scheduler.phase_ratio[0]'],
    decay_steps: [
      'lr_scheduler.total_num_update',
      'total_num_update',
      decayEnd('lr_scheduler._name', 'lr_scheduler.'),
      decayEnd('max_update', ''),
    ],
    optimizer: ['optimizer._name', 'optimizer'],
    weight_decay: ['optimizer.weight_decay', 'weight_decay'],
    beta1: [beta('optimizer.adam_betas', 0), 'optimizer.adam_betas[0]', beta('adam_betas', 0)],
    beta2: [beta('optimizer.adam_betas', 1), 'optimizer.adam_betas[1]', beta('adam_betas', 1)],
    epsilon: ['optimizer.adam_eps', 'adam_eps'],
    max_grad_norm: ['optimization.clip_norm', 'clip_norm'],
    label_smoothing: ['criterion.label_smoothing', 'label_smoothing'],
    precision: ['common.bf16', 'bf16', 'common.fp16', 'fp16'].map((key) => ({
      key,
      read: (scalar) => (isOn(scalar) ? key.slice(-4) : undefined),
    })),
    num_workers: ['dataset.num_workers', 'num_workers'],
    seed: ['common.seed', 'seed'],
    dropout: ['model.dropout', 'dropout'],
    from_scratch: finetuned.map((key) => pretrainedFrom(key)),
    save_interval: [positive('checkpoint.save_interval_updates'), positive('save_interval_updates')],
    eval_interval: [positive('dataset.validate_interval_updates'), positive('validate_interval_updates')],
    log_interval: ['common.log_interval', 'log_interval'],
    patience: [unlessEqual('checkpoint.patience', -1), unlessEqual('patience', -1)],
  },
  irrelevant: fairseqIrrelevant,
  // fairseq/dataclass/configs.py; clip_norm was 25 before it was 0. Those of a scheduler are in fairseq/optim/lr_scheduler/
  // (inverse_square_root_schedule.py, tri_stage_lr_scheduler.py), those of Adam in fairseq/optim/adam.py. total_num_update is max_update;
  // it was 1,000,000 before the configs were dataclasses.
  defaults: {
    of: 'fairseq',
    values: {
      gradient_accumulation: { value: 1 },
      drop_last: { value: false },
      min_lr_ratio: { value: 0.01, when: (other) => schedulerOf(other) === 'tri_stage' },
      warmup_steps: {
        value: WARMUP,
        unless: ['lr_scheduler.phase_ratio'],
        when: (other) => schedulerOf(other) === 'inverse_sqrt' || isByUpdates(other),
      },
      weight_decay: { value: 0, when: isAdam },
      beta1: { value: 0.9, when: isAdam },
      beta2: { value: 0.999, when: isAdam },
      epsilon: { value: 1e-8, when: isAdam },
      num_workers: { value: 1 },
      seed: { value: 1 },
      log_interval: { value: 100 },
    },
  },
};
