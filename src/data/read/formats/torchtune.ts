/**
 * torchtune recipes (pytorch/torchtune, `recipes/configs`): YAML in which `_component_` names the function or class that a section
 * is passed to.
 */
import {
  pretrainedFrom,
  scoreOf,
  unlessEqual,
  type ConfigFormat,
  type KeyRule,
  type Marks,
  type Other,
} from './config-format.ts';
import { torchtuneIrrelevant } from './irrelevant/torchtune.ts';

/** Recipes that evaluate, generate or quantize have no optimizer; they are torchtune's all the same. */
const marks: Marks = {
  own: ['._component_'],
  shared: [
    'checkpointer.checkpoint_dir',
    'checkpointer.checkpoint_files[0]',
    'tokenizer.path',
    'tokenizer.max_seq_len',
    'metric_logger.log_dir',
    'max_steps_per_epoch',
    'resume_from_checkpoint',
    'device',
    'batch_size',
    'epochs',
  ],
  least: { own: 1, all: 2 },
};

const componentOf = (other: Other, section: string): string => {
  const { value } = other(`${section}._component_`) ?? {};
  return typeof value === 'string' ? value.slice(value.lastIndexOf('.') + 1) : '';
};

/** `get_cosine_schedule_with_warmup` is the only schedule that torchtune has. */
const schedule: KeyRule = {
  key: 'lr_scheduler._component_',
  read: ({ value }, other) =>
    typeof value === 'string' && /cosine/.test(value) ? 'cosine' : componentOf(other, 'lr_scheduler'),
};

const optimizer: KeyRule = { key: 'optimizer._component_', read: (_, other) => componentOf(other, 'optimizer') };

/** Shards of the model see batches of their own; a degree of -1 is what the machine leaves over. */
const devices: KeyRule = {
  key: 'data_parallel_shard_dim',
  read: ({ value }, other) => {
    const replicas = other('data_parallel_replicate_dim')?.value ?? 1;
    return typeof value === 'number' && value > 0 && typeof replicas === 'number' ? value * replicas : undefined;
  },
};

/** `train[:95%]` leaves the rest for validation. Any other part is not known as a share. */
const heldOut: KeyRule = {
  key: 'dataset.split',
  read: ({ value }) => {
    if (typeof value !== 'string' || !value.includes('[')) return 0;
    const share = /^\w+\[:(\d{1,2})%\]$/.exec(value);
    return share ? (100 - Number(share[1])) / 100 : value;
  },
};

/** Of several data sets, each may hold out another share. */
const heldOutOfSeveral: KeyRule = {
  key: 'dataset[0].split',
  read: ({ value }) => (typeof value === 'string' && !value.includes('[') ? 0 : (value ?? undefined)),
};

const hasNoSchedule = (other: Other): boolean => other('lr_scheduler._component_') === null;
/** Only recipes that train have an optimizer. */
const isTraining = (other: Other): boolean => other('optimizer._component_') !== null;
/** `torch.optim.AdamW`, whose defaults PyTorch documents and has not changed. */
const isAdamW = (other: Other): boolean => other('optimizer._component_')?.value === 'torch.optim.AdamW';

/** Recognised by `_component_`, which no other trainer has. */
export const torchtune: ConfigFormat = {
  name: 'torchtune',
  title: 'torchtune recipes',
  syntaxes: ['yaml', 'json'],
  recognised: 'sections with a key _component_, and a key such as checkpointer.checkpoint_dir or tokenizer.path',
  // Weighted, since the rest of its keys are those of others as well.
  score: (keys) => 10 * scoreOf(keys, marks),
  marks,
  keys: {
    batch_size: ['batch_size'],
    gradient_accumulation: ['gradient_accumulation_steps'],
    num_devices: [devices],
    seq_len: ['tokenizer.max_seq_len'],
    sample_packing: ['dataset.packed', 'dataset[0].packed'],
    val_set_size: [heldOut, heldOutOfSeveral],
    num_epochs: ['epochs'],
    max_steps_per_epoch: [unlessEqual('max_steps_per_epoch', -1)],
    learning_rate: ['optimizer.lr'],
    lr_schedule: [schedule],
    warmup_steps: ['lr_scheduler.num_warmup_steps'],
    optimizer: [optimizer],
    weight_decay: ['optimizer.weight_decay'],
    beta1: ['optimizer.betas[0]'],
    beta2: ['optimizer.betas[1]'],
    epsilon: ['optimizer.eps'],
    momentum: ['optimizer.momentum'],
    max_grad_norm: ['clip_grad_norm'],
    precision: ['dtype'],
    gradient_checkpointing: ['enable_activation_checkpointing'],
    seed: ['seed'],
    from_scratch: [pretrainedFrom('checkpointer.checkpoint_dir')],
    lora_rank: ['model.lora_rank'],
    lora_alpha: ['model.lora_alpha'],
    lora_dropout: ['model.lora_dropout'],
    vocab_size: ['model.vocab_size'],
    hidden_size: ['model.embed_dim'],
    num_layers: ['model.num_layers'],
    num_heads: ['model.num_heads'],
    num_kv_heads: ['model.num_kv_heads'],
    save_interval: ['save_every_n_steps'],
    eval_interval: ['run_val_every_n_steps'],
    log_interval: ['log_every_n_steps'],
  },
  irrelevant: torchtuneIrrelevant,
  // The recipes: without lr_scheduler the rate stays as it is. torch.optim.AdamW and, for packing, torchtune.datasets.
  defaults: {
    of: 'torchtune',
    values: {
      sample_packing: { value: false, when: isTraining },
      lr_schedule: { value: 'constant', when: (other) => isTraining(other) && hasNoSchedule(other) },
      warmup_steps: { value: 0, when: (other) => isTraining(other) && hasNoSchedule(other) },
      weight_decay: { value: 0.01, when: isAdamW },
      beta1: { value: 0.9, when: isAdamW },
      beta2: { value: 0.999, when: isAdamW },
      epsilon: { value: 1e-8, when: isAdamW },
    },
  },
};
