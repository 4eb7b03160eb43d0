/**
 * The names that contracts over logs use, each with its meaning and unit, and the keys under which frameworks log them.
 */

/** Which table a column belongs to: `shared` columns are in every table that the row is part of. */
export type ColumnPlace = 'shared' | 'log' | 'eval' | 'summary';

/** A name of a column, and the keys that logs use for it. */
export interface LogName {
  readonly meaning: string;
  readonly unit: string | null;
  readonly place: ColumnPlace;
  /** Keys after {@link normalKey}. */
  readonly keys: readonly string[];
}

const shared = (meaning: string, unit: string | null, ...keys: readonly string[]): LogName => ({
  meaning,
  unit,
  place: 'shared',
  keys,
});
const log = (meaning: string, unit: string | null, ...keys: readonly string[]): LogName => ({
  meaning,
  unit,
  place: 'log',
  keys,
});
const evaluation = (meaning: string, unit: string | null, ...keys: readonly string[]): LogName => ({
  meaning,
  unit,
  place: 'eval',
  keys,
});

/** By name. Keys are compared after normalisation, so case and separators do not matter. */
export const logNames: Readonly<Record<string, LogName>> = {
  step: shared(
    'optimizer steps so far',
    'steps',
    'global_step',
    'current_steps',
    'current_step',
    'iteration',
    'iter',
    'iterations',
    'steps',
    'num_updates',
    'update',
    'trainer_global_step',
    '_step',
    'train_step',
    's',
    'time_total_timesteps',
    'misc_total_timesteps',
    'misc_nupdates',
    'n_updates',
    'nupdates',
    'training_iteration',
    'iters',
  ),
  step_or_row: shared('steps so far, or rows in a log that names epochs only', 'steps'),
  total_steps: shared('optimizer steps of the whole run', 'steps', 'max_steps', 'total_iterations', 'train_iters'),
  epoch: shared('passes over the data so far', 'epochs', 'epochs', 'current_epoch'),
  tokens_seen: shared(
    'training tokens so far',
    'tokens',
    'num_input_tokens_seen',
    'num_tokens_seen',
    'num_tokens',
    'consumed_tokens',
    'n_tokens_seen',
  ),
  samples_seen: shared(
    'training sequences so far',
    'sequences',
    'consumed_samples',
    'consumed_train_samples',
    'num_samples_seen',
  ),
  wall_time: shared(
    'seconds since the start, or since 1970',
    's',
    'timestamp',
    '_timestamp',
    '_runtime',
    'elapsed',
    'elapsed_s',
  ),

  loss: log(
    'training loss',
    'nats',
    'train_loss',
    'training_loss',
    'lm_loss',
    'total_loss',
    'tot_loss',
    'reduced_train_loss',
    'avg_train_loss',
    'loss_train',
    'batch_loss',
    'loss_metrics_global_avg_loss',
    'train_total_loss',
    'loss_total',
    'train_loss_step',
    'loss_step',
    'step_loss',
    'trl',
    'xent',
    'loss_train_total',
    'loss_total_loss',
    'main_loss',
    'cross_entropy',
    'crossentropyloss',
    'avr_loss',
    'avg_loss',
    'average_loss',
    'learn',
  ),
  free_loss: log('losses that need not fall: of reinforcement learning, adversaries, or sums of many batches', null),
  policy_loss: log(
    'loss of a policy',
    null,
    'actor_loss',
    'pg_loss',
    'policy_gradient_loss',
    'actor_pg_loss',
    'loss_policy',
    'loss_policy_avg',
    'losses_policy_loss',
    'loss_policy_loss',
    'losses_actor_loss',
    'loss_actor',
    'surrogate_loss',
    'mean_surrogate_loss',
  ),
  value_loss: log(
    'loss of a value function',
    null,
    'critic_loss',
    'vf_loss',
    'critic_vf_loss',
    'value_function_loss',
    'mean_value_loss',
    'mean_value_function_loss',
    'loss_value',
    'loss_value_avg',
    'losses_value_loss',
    'losses_qf_loss',
    'loss_value_loss',
    'losses_td_loss',
    'loss_critic',
    'loss_vf',
  ),
  generator_loss: log(
    'loss of a generator that trains against a discriminator',
    null,
    'loss_gen_all',
    'loss_gen_total',
    'loss_gen',
    'loss_generator',
    'loss_g',
    'gen_loss',
    'g_loss',
    'losses_gen',
    'losses_g',
    'g_gan',
    'g_a',
  ),
  discriminator_loss: log(
    'loss of a discriminator',
    null,
    'loss_disc_all',
    'loss_disc_total',
    'loss_disc',
    'loss_discriminator',
    'loss_d',
    'disc_loss',
    'd_loss',
    'losses_disc',
    'losses_d',
    'd_real',
    'd_a',
  ),
  learning_rate: log(
    'learning rate of the step',
    null,
    'lr',
    'learning_rate_0',
    'lr_0',
    'lr_adamw',
    'lr_adam',
    'lr_sgd',
    'lr_lion',
    'lr_group_0',
    'train_learning_rate',
    'current_lr',
    'current_lr_0',
    'optim0_lr0',
    'lr_decoupledadamw_group0',
    'lr_decoupledsgdw_group0',
    'lr_adamw_group0',
    'lr_adam_group0',
    'lr_sgd_group0',
    'lr_decoupledlionw_group0',
    'actor_lr',
    'cur_lr',
  ),
  grad_norm: log(
    'global gradient norm as logged',
    null,
    'gnorm',
    'gradient_norm',
    'global_grad_norm',
    'total_grad_norm',
    'grad_norm_total',
    'grad_norm_2',
    'grad_2_0_norm_total',
    'norm',
    'l2_norm_grad_global',
    'actor_grad_norm',
  ),
  grad_norm_before_clip: log(
    'global gradient norm before clipping',
    null,
    'grad_norm_pre_clip',
    'pre_clip_grad_norm',
    'raw_grad_norm',
    'unclipped_grad_norm',
    'grad_norm_raw',
    'grad_norm_unclipped',
  ),
  grad_norm_after_clip: log(
    'global gradient norm after clipping',
    null,
    'grad_norm_post_clip',
    'post_clip_grad_norm',
    'clipped_grad_norm',
    'grad_norm_clipped',
  ),
  clip_scale: log(
    'factor by which gradients were scaled down',
    null,
    'clip_coef',
    'clip_factor',
    'clip_coefficient',
    'grad_clip_scale',
  ),
  loss_scale: log('factor of mixed-precision loss scaling', null, 'grad_scale', 'loss_scaler', 'amp_scale'),
  skipped: log(
    'iterations skipped so far or in this row',
    'steps',
    'number_of_skipped_iterations',
    'skipped_iterations',
    'skipped_iters',
    'skipped_steps',
    'num_skipped_iterations',
    'num_skipped_steps',
  ),
  nan_iterations: log(
    'iterations with NaN so far or in this row',
    'steps',
    'number_of_nan_iterations',
    'nan_iters',
    'nan_steps',
    'num_nan_iterations',
    'num_nan_steps',
  ),
  reward: log(
    'mean reward of a policy',
    null,
    'rewards',
    'reward_mean',
    'mean_reward',
    'critic_rewards_mean',
    'objective_rlhf_reward',
    'total_rewards_mean',
  ),
  episode_reward: log(
    'mean return of the episodes of an environment',
    null,
    'ep_rew_mean',
    'rollout_ep_rew_mean',
    'ep_rewmean',
    'eprewmean',
    'ep_reward_mean',
    'episode_reward_mean',
    'episode_return_mean',
    'env_runners_episode_reward_mean',
    'env_runners_episode_return_mean',
    'mean_episode_reward',
    'mean_episode_return',
    'episode_return',
    'episodic_return',
    'charts_episodic_return',
  ),
  perplexity: log('exp of the training loss', null, 'ppl', 'train_ppl', 'train_perplexity'),
  global_batch_size: log('sequences of this step', 'sequences', 'gbs'),

  eval_loss: evaluation(
    'loss on held-out data',
    'nats',
    'val_loss',
    'valid_loss',
    'validation_loss',
    'test_loss',
    'avg_val_loss',
    'avg_valid_loss',
    'loss_val',
    'loss_valid',
    'loss_validation',
    'loss_eval',
    'loss_test',
    'validation_metrics_loss',
    'dev_loss',
    'lm_loss_value',
    'tel',
    'metrics_eval_languagecrossentropy',
  ),
  eval_perplexity: evaluation(
    'exp of the held-out loss',
    null,
    'val_ppl',
    'valid_ppl',
    'eval_ppl',
    'val_perplexity',
    'validation_perplexity',
    'validation_ppl',
    'lm_loss_ppl',
  ),
  eval_accuracy: evaluation(
    'held-out accuracy',
    null,
    'val_acc',
    'val_accuracy',
    'eval_acc',
    'valid_accuracy',
    'test_accuracy',
    'validation_accuracy',
  ),

  tokens_per_second: shared(
    'throughput',
    'tokens/s',
    'tok_s',
    'tokens_s',
    'tps',
    'tokens_per_sec',
    'tok_sec',
    'train_tokens_per_second',
    'tokens_sec',
    'throughput_tps',
    'tok_per_sec',
    'wps',
  ),
  step_time: shared(
    'wall time of one step',
    's',
    'iter_time',
    'time_per_step',
    'seconds_per_step',
    'step_time_s',
    'iteration_time',
    'sec_per_step',
  ),
  mfu: shared('model FLOPs utilisation, 0 to 1', null),
  train_runtime: { meaning: 'wall time of the whole run', unit: 's', place: 'summary', keys: [] },
};

/** Keys in milliseconds, by what they are in seconds; readers of text add the unit to the key. */
const milliseconds: ReadonlyMap<string, string> = new Map([
  ['elapsed_time_per_iteration_ms', 'step_time'],
  ['step_time_ms', 'step_time'],
  ['iter_time_ms', 'step_time'],
  ['time_ms', 'step_time'],
  ['dt_ms', 'step_time'],
  ['step_ms', 'step_time'],
  ['step_avg_ms', 'step_time_average'],
  ['elapsed_ms', 'wall_time'],
]);

/** Keys in seconds that would otherwise mean something else; readers of text add the unit to the key. */
const seconds: ReadonlyMap<string, string> = new Map([
  ['step_s', 'step_time'],
  ['iter_s', 'step_time'],
  ['iteration_s', 'step_time'],
  ['epoch_s', 'epoch_time'],
]);

/** Names of what a trainer minimises. */
export const objectives = ['loss', 'policy_loss', 'generator_loss'] as const;

/** What a key of a log means here. */
export interface KnownKey {
  /** The vocabulary's name, or the key itself. */
  readonly name: string;
  readonly place: ColumnPlace | 'other';
  /** What the number is multiplied by. */
  readonly scale: number;
  /** The rank among the keys of one name, 0 for the name itself: if two are in one row, the lower takes the name. */
  readonly rank: number;
}

const byKey: ReadonlyMap<string, { readonly name: string; readonly rank: number }> = new Map(
  Object.entries(logNames).flatMap(([name, { keys }]) =>
    [name, ...keys].map((key, rank) => [key, { name, rank }] as const),
  ),
);

/** `Train/Loss`, `lm loss` and `train.loss` in one spelling: lower case, words joined by `_`. */
export function normalKey(key: string): string {
  const joined = key
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/_$/, '');
  // A leading underscore distinguishes `_step` of Weights & Biases from `step`.
  return key.startsWith('_') ? joined : joined.replace(/^_/, '');
}

/** `num_nan_steps`, `nan_loss_count`, `nonfinite_batches`: every trainer spells these counts in its own way. */
const counters: readonly (readonly [spelling: RegExp, name: 'nan_iterations' | 'skipped'])[] = [
  [counter('nan|non_?finite', 'loss'), 'nan_iterations'],
  [counter('skipped', 'update'), 'skipped'],
];

/** Matches a count of iterations of a kind: with a word that says that it is one, or in the plural. */
function counter(kind: string, another: string): RegExp {
  const units = `(?:iteration|iter|step|batch|${another})`;
  const ofMany = `(?:(?:num|number_of|n|total)_)?(?:${kind})_${units}(?:e?s)(?:_total)?`;
  return new RegExp(`^(?:${ofMany}|(?:num_)?(?:${kind})_${units}_counts?)$`);
}

const evaluated = /^(?:eval|val|valid|validation|test|dev)_/;

/** The meaning of a key; a key that means nothing here keeps its own name. */
export function knownKey(key: string): KnownKey {
  const normal = normalKey(key);
  const inMilliseconds = milliseconds.get(normal);
  if (inMilliseconds !== undefined) return { name: inMilliseconds, place: 'shared', scale: 1e-3, rank: 100 };
  const inSeconds = seconds.get(normal);
  if (inSeconds !== undefined) return { name: inSeconds, place: 'shared', scale: 1, rank: 100 };
  const bare = normal.replace(/^(?:train|training)_/, '');
  const known = byKey.get(normal) ?? byKey.get(bare);
  if (known) return { ...known, place: logNames[known.name]?.place ?? 'shared', scale: 1 };
  const counted = counters.find(([spelling]) => spelling.test(bare));
  if (counted) return { name: counted[1], place: 'log', scale: 1, rank: 100 };
  return { name: key, place: evaluated.test(normal) ? 'eval' : 'other', scale: 1, rank: 0 };
}

/** `closs`, `mse_loss`, `loss_ce`: a loss of training that no trainer known here writes. */
export function isNamedLoss(key: string): boolean {
  const normal = normalKey(key);
  return (
    /^[a-z0-9_]*loss$|^loss_[a-z]\w*$/.test(normal) && !notMinimised.test(normal) && knownKey(key).place === 'other'
  );
}

/** Held-out losses, those of the past, what is counted of losses, and losses that are a part of some other by their nature. */
const notMinimised =
  /(?:^|_)(?:eval|val|valid|validation|test|dev|best|min|max|last|prev|final|ema|stop|no|scale|scaler|weight|count|ratio|time|lr|aux|kl|kld|reg|box|bbox|cls|dfl|obj|seg|mask|rpn|gan|adv|d|g|disc|gen|policy|value|actor|critic|q|entropy)(?:_|$)/;

/** Whether a key has a meaning of its own in logs. */
export function isKnownKey(key: string): boolean {
  return knownKey(key).name !== key || Object.hasOwn(logNames, key);
}
