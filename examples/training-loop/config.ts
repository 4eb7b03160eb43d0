/**
 * The config of the training loop, and each bug as a change of it or a switch in the loop.
 */

/** What a run is trained with; every optimizer hyper-parameter stands here and nowhere else. */
export interface TrainingConfig {
  readonly seed: number;
  readonly vocab_size: number;
  readonly hidden_size: number;
  readonly intermediate_size: number;
  readonly num_layers: number;
  readonly num_parameters: number;
  readonly num_sequences: number;
  readonly seq_len: number;
  readonly batch_size: number;
  readonly gradient_accumulation: number;
  readonly num_epochs: number;
  readonly max_steps: number;
  readonly warmup_steps: number;
  readonly learning_rate: number;
  readonly min_learning_rate: number;
  readonly lr_schedule: 'cosine';
  readonly optimizer: 'adamw';
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  readonly weight_decay: number;
  readonly max_grad_norm: number;
  /** The step after which the weights are hashed. */
  readonly save_interval: number;
}

/** The bugs of the albor table (specification, section 12.5.3), in its order, with a sentence each. */
export const bugs = {
  'alb-043': 'silu_backward writes rows × intermediate into a buffer of rows × hidden',
  'alb-041': 'the gradient of a block goes through a temporary of another size, and the copy is refused',
  transpose: 'the head is transposed into a buffer of hidden × hidden, and hidden × vocab are written',
  'short-sequence': 'a batch shorter than seq_len is copied into buffers of seq_len, and the copy is refused',
  'alb-044-clip': 'the activation gradient reaches the embedding unclipped',
  'alb-044-beta2': "the embedding's optimizer is built from defaults: beta2 0.999, weight decay 0.01",
  'alb-059-gemm': 'n and k of the backward matrix product of the head are exchanged',
  'alb-059-init': 'the optimizer state is allocated and not cleared',
  'alb-060': 'one epoch has 43 of 5000 steps, and warm-up takes 2000',
  'alb-065': 'logits are copied to the host before their stream is synchronised',
} as const;

export type BugName = keyof typeof bugs;

export const isBug = (name: string): name is BugName => Object.hasOwn(bugs, name);

/** 240 steps of 2 × 4 sequences of 8 tokens: 21.8 tokens per parameter, warm-up 10 %, one epoch. */
export const healthyConfig: TrainingConfig = {
  seed: 42,
  vocab_size: 12,
  hidden_size: 8,
  intermediate_size: 16,
  num_layers: 2,
  num_parameters: 704,
  num_sequences: 1920,
  seq_len: 8,
  batch_size: 4,
  gradient_accumulation: 2,
  num_epochs: 1,
  max_steps: 240,
  warmup_steps: 24,
  learning_rate: 0.01,
  min_learning_rate: 0.001,
  lr_schedule: 'cosine',
  optimizer: 'adamw',
  beta1: 0.9,
  beta2: 0.95,
  epsilon: 1e-8,
  weight_decay: 0.1,
  max_grad_norm: 1,
  save_interval: 100,
};

/** The config of a run with `bug`. Only one bug stands in the config; the others are in the loop. */
export function configFor(bug: BugName | null): TrainingConfig {
  if (bug !== 'alb-060') return healthyConfig;
  return {
    ...healthyConfig,
    num_sequences: 344,
    max_steps: 5000,
    warmup_steps: 2000,
    learning_rate: 3e-4,
    save_interval: 40,
  };
}

/** Optimizer steps that the data allow: whole steps of whole epochs, at most max_steps. */
export function achievableSteps(config: TrainingConfig): number {
  const perEpoch = Math.floor(Math.floor(config.num_sequences / config.batch_size) / config.gradient_accumulation);
  return Math.min(config.max_steps, perEpoch * config.num_epochs);
}
