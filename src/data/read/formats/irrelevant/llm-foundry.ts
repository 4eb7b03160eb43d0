/** Keys of LLM Foundry on which no name depends; see `irrelevant` of a config format. */
import { keysIn } from './keys-in.ts';

/** Sections end with a dot. */
export const llmFoundryIrrelevant: readonly string[] = keysIn(`
  data_local data_remote run_name tokenizer. tokenizer_name train_loader.name train_loader.dataset.hf_name
  train_loader.dataset.local train_loader.dataset.remote train_loader.dataset.split train_loader.dataset.shuffle
  train_loader.dataset.shuffle_seed train_loader.dataset.max_seq_len train_loader.dataset.tokenizer_name
  train_loader.dataset.allow_pad_trimming train_loader.dataset.decoder_only_format train_loader.pin_memory
  train_loader.prefetch_factor train_loader.persistent_workers train_loader.timeout eval_loader. eval_loaders icl_tasks
  model.name model.init_device model.max_seq_len model.attn_config. model.expansion_ratio model.config_overrides.
  model.pretrained_model_name_or_path model.use_auth_token algorithms.gradient_clipping. eval_first
  eval_subset_num_batches device_eval_batch_size fsdp_config. progress_bar log_to_console console_log_interval callbacks.
  loggers. save_folder save_num_checkpoints_to_keep save_filename load_path load_weights_only autoresume
  python_log_level dist_timeout
`);
