/** Keys of Keras on which no name depends; see `irrelevant` of a config format. */
import { keysIn } from './keys-in.ts';

/** Sections end with a dot, beginnings with a star. */
export const kerasIrrelevant: readonly string[] = keysIn(`
  module class_name registered_name keras_version backend config. build_config. compile_config.loss
  compile_config.loss. compile_config.loss_weights compile_config.metrics compile_config.metrics.
  compile_config.weighted_metrics compile_config.run_eagerly compile_config.steps_per_execution
  compile_config.jit_compile compile_config.auto_scale_loss training_config.loss training_config.metrics
  training_config.weighted_metrics loss metrics weighted_metrics loss_weights compile_config.optimizer.module
  compile_config.optimizer.registered_name compile_config.optimizer.config.name
  compile_config.optimizer.config.clipvalue compile_config.optimizer.config.use_ema
  compile_config.optimizer.config.ema_momentum compile_config.optimizer.config.ema_overwrite_frequency
  compile_config.optimizer.config.amsgrad compile_config.optimizer.config.nesterov
  compile_config.optimizer.config.rho compile_config.optimizer.config.centered
  compile_config.optimizer.config.loss_scale_factor compile_config.optimizer.config.jit_compile
  compile_config.optimizer.config.is_legacy_optimizer training_config.optimizer_config.module
  training_config.optimizer_config.registered_name training_config.optimizer_config.config.name
  training_config.optimizer_config.config.clipvalue training_config.optimizer_config.config.use_ema
  training_config.optimizer_config.config.ema_momentum
  training_config.optimizer_config.config.ema_overwrite_frequency training_config.optimizer_config.config.amsgrad
  training_config.optimizer_config.config.nesterov training_config.optimizer_config.config.rho
  training_config.optimizer_config.config.centered training_config.optimizer_config.config.loss_scale_factor
  training_config.optimizer_config.config.jit_compile training_config.optimizer_config.config.is_legacy_optimizer
  optimizer_config.module optimizer_config.registered_name optimizer_config.config.name
  optimizer_config.config.clipvalue optimizer_config.config.use_ema optimizer_config.config.ema_momentum
  optimizer_config.config.ema_overwrite_frequency optimizer_config.config.amsgrad optimizer_config.config.nesterov
  optimizer_config.config.rho optimizer_config.config.centered optimizer_config.config.loss_scale_factor
  optimizer_config.config.jit_compile optimizer_config.config.is_legacy_optimizer
`);
