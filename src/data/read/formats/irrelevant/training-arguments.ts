/** Keys of Hugging Face's TrainingArguments, and of those who build on it, on which no name depends; see `irrelevant` of a config format. */
import { keysIn } from './keys-in.ts';

/** Sections end with a dot, beginnings with a star. */
export const huggingFaceIrrelevant: readonly string[] = keysIn(`
  output_dir overwrite_output_dir run_name logging_dir logging_strategy log_level disable_tqdm report_to do_train
  do_eval do_predict eval_strategy evaluation_strategy save_strategy save_total_limit save_only_model
  save_safetensors greater_is_better per_device_eval_batch_size
  eval_accumulation_steps predict_with_generate resume_from_checkpoint push_to_hub hub_* torch_dtype dtype tf32
  attn_implementation trust_remote_code model_revision use_liger_kernel gradient_checkpointing_kwargs. ddp_timeout
  ddp_find_unused_parameters remove_unused_columns preprocessing_num_workers dataset_num_proc overwrite_cache
  group_by_length load_in_4bit load_in_8bit use_peft lora_target lora_target_modules lora_modules_to_save
  chat_template eos_token torch_compile deepspeed fsdp fsdp_config. fsdp_transformer_layer_cls_to_wrap
  low_cpu_mem_usage dataset_name dataset_config dataset_train_split dataset_test_split dataset_mixture.seed
  dataset_mixture.datasets.id dataset_mixture.datasets.config dataset_mixture.datasets.split
  dataset_mixture.datasets.columns beta loss_type max_prompt_length average_tokens_across_devices
  SFTConfig DPOConfig KTOConfig ORPOConfig CPOConfig RewardConfig
`);
