/** Keys of fairseq on which no name depends; see `irrelevant` of a config format. */
import { keysIn } from './keys-in.ts';

/** Sections end with a dot, beginnings with a star. */
export const fairseqIrrelevant: readonly string[] = keysIn(`
  common.log_format common.tensorboard_logdir common.wandb_project common.user_dir common.empty_cache_freq
  checkpoint.save_dir checkpoint.restore_file checkpoint.no_epoch_checkpoints checkpoint.keep_*
  checkpoint.best_checkpoint_metric checkpoint.maximize_best_checkpoint_metric checkpoint.save_interval
  common_eval. generation. hydra. bpe. scoring. tokenizer. dataset.skip_invalid_size_inputs_valid_test
  dataset.valid_subset dataset.train_subset dataset.required_batch_size_multiple dataset.validate_interval
  distributed_training.ddp_backend distributed_training.distributed_backend distributed_training.distributed_port
  optimization.sentence_avg lr_scheduler.phase_ratio task._name task.data task.normalize task.labels
  task.sample_rate task.max_sample_size task.min_sample_size criterion._name criterion.zero_infinity
  criterion.infonce criterion.log_keys criterion.loss_weights model. arch task criterion data_path save_dir
  log_format tensorboard_logdir user_dir skip_invalid_size_inputs_valid_test required_batch_size_multiple
  ddp_backend keep_last_epochs no_epoch_checkpoints sample_break_mode source_lang target_lang
  share_decoder_input_output_embed share_all_embeddings
`);
