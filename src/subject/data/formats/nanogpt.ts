/**
 * nanoGPT (karpathy/nanoGPT, `config/*.py`): Python assignments.
 *
 * `gradient_accumulation_steps` counts the micro-batches of all devices (train.py divides it by the world size), so
 * the accumulation is that of one device that does all of them: `num_devices` is 1 as the file counts.
 */
import { countMarks, type ConfigFormat } from './config-format.ts';
import { modelKeys } from './model-keys.ts';

const marks = [
  'block_size',
  'max_iters',
  'lr_decay_iters',
  'warmup_iters',
  'min_lr',
  'n_layer',
  'n_head',
  'n_embd',
  'eval_iters',
  'decay_lr',
  'grad_clip',
  'init_from',
  'always_save_checkpoint',
  'eval_interval',
  'out_dir',
  'wandb_log',
  'log_interval',
];

/** What `resume` goes on with is not in the file. */
function initFrom(value: number | string | boolean | null): boolean | undefined {
  if (value === 'scratch') return true;
  return typeof value === 'string' && value.startsWith('gpt2') ? false : undefined;
}

export const nanogpt: ConfigFormat = {
  name: 'nanogpt',
  title: 'nanoGPT configs',
  syntaxes: ['python', 'json', 'yaml', 'toml'],
  recognised: 'names such as block_size, max_iters, lr_decay_iters, n_embd',
  score: (keys) => {
    const points = countMarks(keys, marks);
    return points < 2 ? 0 : 2 * points;
  },
  keys: {
    ...modelKeys(''),
    batch_size: ['batch_size'],
    gradient_accumulation: ['gradient_accumulation_steps'],
    num_devices: [
      { key: 'gradient_accumulation_steps', read: ({ value }) => (typeof value === 'number' ? 1 : undefined) },
    ],
    seq_len: ['block_size'],
    num_epochs: ['num_epochs'],
    max_steps: ['max_iters'],
    learning_rate: ['learning_rate'],
    min_learning_rate: ['min_lr'],
    warmup_steps: ['warmup_iters'],
    decay_steps: ['lr_decay_iters'],
    lr_schedule: [
      { key: 'decay_lr', read: ({ value }) => (value === true ? 'cosine' : value === false ? 'constant' : undefined) },
    ],
    from_scratch: [{ key: 'init_from', read: ({ value }) => initFrom(value) }],
    weight_decay: ['weight_decay'],
    beta1: ['beta1'],
    beta2: ['beta2'],
    max_grad_norm: ['grad_clip'],
    precision: ['dtype'],
    seed: ['seed'],
    eval_interval: ['eval_interval'],
    eval_steps: ['eval_iters'],
    log_interval: ['log_interval'],
  },
};
