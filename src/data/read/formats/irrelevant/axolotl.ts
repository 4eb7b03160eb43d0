/** Keys of axolotl on which no name depends; see `irrelevant` of a config format. */
import { keysIn } from './keys-in.ts';
import { huggingFaceIrrelevant } from './training-arguments.ts';

/** Sections end with a dot, beginnings with a star. */
export const axolotlIrrelevant: readonly string[] = [
  ...huggingFaceIrrelevant,
  ...keysIn(`
  adapter lora_model_dir lora_target_linear lora_target_parameters lora_fan_in_fan_out lora_mlp_kernel
  lora_qkv_kernel lora_o_kernel peft. plugins strict model_type tokenizer_type tokenizer_config tokenizer_use_fast
  tokenizer_legacy tokenizer_use_mistral_common processor_type special_tokens. tokens. tokens eot_tokens wandb_*
  trackio_* use_wandb use_tensorboard use_otel_metrics otel_* saves_per_epoch evals_per_epoch eval_sample_packing
  eval_batch_size eval_table_size eval_max_new_tokens eval_causal_lm_metrics do_causal_lm_eval
  dataset_prepared_path push_dataset_to_hub skip_prepare_dataset train_on_inputs hf_use_auth_token
  pad_to_sequence_len flash_attention flash_attn_* flash_optimum xformers_attention sdp_attention s2_attention
  flex_attention flex_attn_compile_kwargs. fused_attn_kernel pretrain_multipack_attn liger_* cut_cross_entropy
  tiled_mlp use_kernels use_scattermoe use_sonicmoe experts_implementation quantize_moe_experts
  activation_offloading fsdp_version fsdp_final_state_dict_type bnb_config_kwargs. gptq gptq_* torchdistx_path
  local_rank debug experimental_skip_move_to_device loss_watchdog_* unfrozen_parameters model_config.
  cls_model_config qat. model_quantization_config model_quantization_config_kwargs. resize_token_embeddings_to_32x
  freeze_mm_modules auto_resume_from_checkpoints vllm. use_ray ray_num_workers datasets.path datasets.name
  datasets.type datasets.type. datasets.field datasets.field_* datasets.message_property_mappings. datasets.roles.
  datasets.data_files datasets.ds_type datasets.conversation datasets.template_thinking_key
  trl. context_parallel_size tensor_parallel_size heads_k_stride ring_attn_func use_eaft eaft_* shuffle_merged_datasets
  dataset_keep_in_memory dataset_processes gc_steps torch_compile torch_compile_backend torch_compile_mode chat_template
  chat_template_jinja default_system_message neftune_noise_alpha rl_beta orpo_alpha rpo_alpha simpo_gamma cpo_alpha
  kto_desirable_weight kto_undesirable_weight low_cpu_mem_usage gpu_memory_limit fix_untrained_tokens eager_attention
  unsloth_* added_tokens_overrides. mean_resizing_embeddings shrink_embeddings include_tokens_per_second profiler_steps
  datasets.drop_system_message datasets.chat_template datasets.train_on_split datasets.step_separator
  datasets.split datasets.train_on_last_step_only datasets.max_completion_length datasets.revision
  datasets.trust_remote_code datasets.preprocess_shards datasets.input_format datasets.input_transform
  datasets.split_thinking datasets.roles_to_train datasets.train_on_eos datasets.train_on_eot datasets.message_field_*
  test_datasets. pretraining_dataset. rl reward_model process_reward_model num_labels ebft. grpo. dpo_* kto_*
  dp_replicate_size expert_parallel_* sequence_parallel_degree ddp ddp_* device device_map max_memory
  dataset_num_proc dataloader_pin_memory dataloader_prefetch_factor accelerator_config.
  max_prompt_len sample_packing_group_size sample_packing_bin_size sample_packing_sequentially curriculum_sampling multipack_real_batches
  pretraining_sample_concatenation pretrain_multipack_buffer_size streaming streaming_multipack_buffer_size
  batch_flattening use_pose pose_* fsdp fsdp_config. fsdp_auto_wrap_policy tensor_parallel. is_falcon_derived_model is_llama_derived_model is_mistral_derived_model is_qwen_derived_model
  attn_implementation llama4_linearized_experts gemma4_hybrid_attn_impl use_onebitllms use_glm_dsa_kernels
  use_dsv4_kernels dsv4_* use_flex lisa_* relora relora_prune_ratio relora_cpu_offload do_bench_eval bench_* greater_is_better
  tf32 fp8 fp8_* float32 overrides_of_model_config. overrides_of_model_kwargs. revision_of_model
  processor_kwargs. image_size image_resize_algorithm diffusion. dynamic_checkpoint. enable_cpu_affinity
`),
];
