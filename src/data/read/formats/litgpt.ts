/**
 * LitGPT recipes (Lightning-AI/litgpt, `config_hub`): the arguments of `litgpt finetune_*` and `litgpt pretrain` as YAML.
 *
 * Read in `litgpt/args.py`, `litgpt/finetune/full.py`, `litgpt/finetune/lora.py`, `litgpt/pretrain.py` and `litgpt/data`. Only
 * `pretrain` has a floor of the learning rate, clips gradients and counts tokens; the others end at a rate of 0.
 */
import {
  numberOf,
  pretrainedFrom,
  scoreOf,
  type ConfigFormat,
  type KeyRule,
  type Marks,
  type Other,
} from './config-format.ts';
import { litgptIrrelevant } from './irrelevant/litgpt.ts';

const marks: Marks = {
  own: [
    'train.lr_warmup_steps',
    'train.lr_warmup_fraction',
    'eval.initial_validation',
    'eval.final_validation',
    'eval.max_new_tokens',
    'initial_checkpoint_dir',
    'lora_projection',
  ],
  shared: [
    'checkpoint_dir',
    'tokenizer_dir',
    'logger_name',
    'data.class_path',
    'optimizer.class_path',
    'eval.max_iters',
    'train.global_batch_size',
    'train.micro_batch_size',
    'train.max_seq_length',
  ],
  least: { own: 2, all: 4 },
};

/** Fine-tuning needs a checkpoint, and pre-training the name of a model. */
const finetunes = (other: Other): boolean => other('checkpoint_dir') !== null && other('model_name') === null;
const pretrains = (other: Other): boolean => !finetunes(other);

/** A key that only `pretrain` uses. */
const ofPretraining = (key: string): KeyRule => ({
  key,
  read: (scalar, other) => (pretrains(other) ? (scalar.value ?? undefined) : undefined),
});

/** `max_tokens // world_size // (micro_batch_size · max_seq_length)` micro-batches, of which so many make a step. */
const stepsOfTokens: KeyRule = {
  key: 'train.max_tokens',
  read: (scalar, other) => {
    const tokens = numberOf(scalar);
    if (tokens === null || !pretrains(other)) return undefined;
    const [batch, micro, length] = ['global_batch_size', 'micro_batch_size', 'max_seq_length'].map((key) =>
      numberOf(other(`train.${key}`)),
    );
    if (!batch || !micro || !length) return { because: 'it counts tokens, and the tokens of a step are not known' };
    const nodes = numberOf(other('num_nodes')) ?? 1;
    const devices = numberOf(other('devices'));
    // Of an unknown number of devices, the batch is what the file says if it can be divided at all.
    const world = devices === null ? 1 : devices * nodes;
    const accumulation = Math.floor(Math.floor(batch / world) / micro);
    if (accumulation < 1 || (devices === null && batch % micro !== 0))
      return { because: 'it counts tokens, and the global batch cannot be divided into micro-batches' };
    return Math.floor(Math.floor(Math.floor(tokens / world) / (micro * length)) / accumulation);
  },
};

/** It is a fraction of an epoch, and no trainer that fine-tunes accepts it. */
const warmupFraction: KeyRule = {
  key: 'train.lr_warmup_fraction',
  read: (scalar) => (numberOf(scalar) ? { because: 'it is a fraction of an epoch' } : undefined),
};

/** A warm-up that is not set, or of 0 steps, gives way to a fraction. */
const warmupSteps: KeyRule = {
  key: 'train.lr_warmup_steps',
  read: (scalar, other) =>
    numberOf(other('train.lr_warmup_fraction')) && !numberOf(scalar) ? undefined : (scalar.value ?? undefined),
};

/** `val_split_fraction` by default: alpaca.py, alpaca_2k.py, dolly.py; longform.py has a file for validation. */
const held: ReadonlyMap<string, number> = new Map([
  ['Alpaca', 0.03865],
  ['Alpaca2k', 0.05],
  ['Dolly', 0.1],
  ['LongForm', 0],
]);

const lastPart = (text: string): string => text.slice(text.lastIndexOf('.') + 1);

const heldOut = (key: string): KeyRule => ({
  key,
  read: ({ value }, other) => {
    if (!finetunes(other) || other('data.init_args.val_split_fraction') !== null || typeof value !== 'string')
      return undefined;
    return held.get(lastPart(value)) ?? { because: 'the data module may hold out a part of its data' };
  },
});

const optimizerName = (key: string): KeyRule => ({
  key,
  read: ({ value }) => (typeof value === 'string' ? lastPart(value) : undefined),
});

/** LitGPT passes a name without arguments to `torch.optim`. */
const isPlainAdamW = (other: Other): boolean => /^(?:torch\.optim\.)?AdamW$/.test(optimizerOf(other));
const optimizerOf = (other: Other): string => {
  const value = (other('optimizer') ?? other('optimizer.class_path'))?.value;
  return typeof value === 'string' ? value : '';
};

/** Recognised by its warm-up and by how it evaluates. */
export const litgpt: ConfigFormat = {
  name: 'litgpt',
  title: 'LitGPT recipes',
  syntaxes: ['yaml', 'json'],
  recognised:
    'two keys that only it has and two others, such as train.lr_warmup_steps, eval.final_validation, beside train.global_batch_size',
  score: (keys) => 2 * scoreOf(keys, marks),
  marks,
  keys: {
    vocab_size: ['model_config.padded_vocab_size'],
    hidden_size: ['model_config.n_embd'],
    num_layers: ['model_config.n_layer'],
    num_heads: ['model_config.n_head'],
    intermediate_size: ['model_config.intermediate_size'],
    num_kv_heads: ['model_config.n_query_groups'],
    head_dim: ['model_config.head_size'],
    rms_norm_eps: ['model_config.norm_eps'],
    rope_theta: ['model_config.rope_base'],
    max_positions: ['model_config.block_size'],
    tie_embeddings: ['train.tie_embeddings'],
    batch_size: ['train.micro_batch_size'],
    global_batch_size: ['train.global_batch_size'],
    num_devices: ['devices'],
    seq_len: ['train.max_seq_length'],
    val_set_size: ['data.init_args.val_split_fraction', heldOut('data.class_path'), heldOut('data')],
    num_workers: ['data.init_args.num_workers'],
    num_epochs: ['train.epochs'],
    max_steps: ['train.max_steps', stepsOfTokens],
    learning_rate: ['optimizer.init_args.lr', 'train.learning_rate'],
    min_learning_rate: [ofPretraining('train.min_lr')],
    warmup_steps: [warmupSteps, warmupFraction],
    optimizer: [optimizerName('optimizer.class_path'), optimizerName('optimizer')],
    weight_decay: ['optimizer.init_args.weight_decay', 'train.weight_decay'],
    beta1: ['optimizer.init_args.betas[0]', 'train.beta1'],
    beta2: ['optimizer.init_args.betas[1]', 'train.beta2'],
    epsilon: ['optimizer.init_args.eps'],
    max_grad_norm: [ofPretraining('train.max_norm')],
    precision: ['precision'],
    seed: ['seed'],
    from_scratch: [pretrainedFrom('checkpoint_dir'), pretrainedFrom('initial_checkpoint_dir')],
    lora_rank: ['lora_r'],
    lora_alpha: ['lora_alpha'],
    lora_dropout: ['lora_dropout'],
    save_interval: ['train.save_interval'],
    eval_interval: ['eval.interval'],
    eval_steps: ['eval.max_iters'],
  },
  // The schedule is written into the scripts; the rest are the arguments of setup() in litgpt/finetune.
  defaults: {
    of: 'LitGPT',
    values: {
      lr_schedule: { value: 'cosine' },
      num_devices: { value: 1, when: finetunes },
      num_epochs: { value: 5, when: finetunes },
      warmup_steps: { value: 100, when: finetunes, unless: ['train.lr_warmup_fraction'] },
      drop_last: { value: false, when: finetunes },
      weight_decay: { value: 0.01, when: isPlainAdamW },
      beta1: { value: 0.9, when: isPlainAdamW },
      beta2: { value: 0.999, when: isPlainAdamW },
      epsilon: { value: 1e-8, when: isPlainAdamW },
    },
  },
  irrelevant: litgptIrrelevant,
};
