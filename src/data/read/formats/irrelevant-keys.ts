/**
 * Keys of trainers on which nothing depends that contracts over configs ask for: names and places, logging services, how a
 * model is loaded, which kernels run it. A key that could change the number of steps or the learning rate is not here.
 */

const ofHuggingFace =
  'output_dir overwrite_output_dir run_name logging_dir logging_strategy log_level disable_tqdm report_to do_train do_eval do_predict ' +
  'eval_strategy evaluation_strategy save_strategy save_total_limit save_only_model save_safetensors load_best_model_at_end ' +
  'metric_for_best_model greater_is_better per_device_eval_batch_size eval_accumulation_steps predict_with_generate ' +
  'resume_from_checkpoint push_to_hub hub_* torch_dtype dtype tf32 attn_implementation trust_remote_code model_revision ' +
  'use_liger_kernel gradient_checkpointing_kwargs. ddp_timeout ddp_find_unused_parameters remove_unused_columns ' +
  'preprocessing_num_workers dataset_num_proc overwrite_cache group_by_length load_in_4bit load_in_8bit use_peft ' +
  'lora_target lora_target_modules lora_modules_to_save chat_template eos_token torch_compile deepspeed fsdp fsdp_config. ' +
  'fsdp_transformer_layer_cls_to_wrap low_cpu_mem_usage dataset_name dataset_config dataset_train_split dataset_test_split ' +
  'dataset_mixture.seed dataset_mixture.datasets.id dataset_mixture.datasets.config dataset_mixture.datasets.split ' +
  'dataset_mixture.datasets.columns beta loss_type max_prompt_length average_tokens_across_devices';

const ofLlamaFactory =
  'stage finetuning_type template plot_loss dataset_dir eval_dataset tokenized_path adapter_name_or_path adapter_folder ' +
  'quantization_bit quantization_method double_quantization image_max_pixels video_max_pixels pref_beta pref_loss pissa_* ' +
  'use_badam badam_* use_adam_mini use_eaft_loss use_asft_loss asft_alpha fp8 fp8_* oft_block_size oft_target ' +
  'ray_num_workers';

const ofAxolotl =
  'adapter lora_model_dir lora_target_linear lora_target_parameters lora_fan_in_fan_out lora_mlp_kernel lora_qkv_kernel ' +
  'lora_o_kernel peft. plugins strict model_type tokenizer_type tokenizer_config tokenizer_use_fast tokenizer_legacy ' +
  'tokenizer_use_mistral_common processor_type special_tokens. tokens. tokens eot_tokens wandb_* trackio_* use_wandb use_tensorboard ' +
  'use_otel_metrics otel_* saves_per_epoch evals_per_epoch eval_sample_packing eval_batch_size eval_table_size ' +
  'eval_max_new_tokens eval_causal_lm_metrics do_causal_lm_eval dataset_prepared_path push_dataset_to_hub ' +
  'skip_prepare_dataset train_on_inputs hf_use_auth_token pad_to_sequence_len flash_attention flash_attn_* flash_optimum ' +
  'xformers_attention sdp_attention s2_attention flex_attention flex_attn_compile_kwargs. fused_attn_kernel ' +
  'pretrain_multipack_attn liger_* cut_cross_entropy tiled_mlp use_kernels use_scattermoe use_sonicmoe ' +
  'experts_implementation quantize_moe_experts activation_offloading fsdp_version fsdp_final_state_dict_type bnb_config_kwargs. ' +
  'gptq gptq_* torchdistx_path local_rank debug experimental_skip_move_to_device loss_watchdog_* unfrozen_parameters ' +
  'model_config. cls_model_config qat. model_quantization_config model_quantization_config_kwargs. ' +
  'resize_token_embeddings_to_32x freeze_mm_modules auto_resume_from_checkpoints vllm. use_ray ray_num_workers ' +
  'datasets.path datasets.name datasets.type datasets.type. datasets.field datasets.field_* datasets.message_property_mappings. ' +
  'datasets.roles. datasets.data_files datasets.ds_type datasets.conversation datasets.template_thinking_key ' +
  'datasets.drop_system_message datasets.chat_template datasets.train_on_split datasets.step_separator';

const ofDeepspeed =
  'zero_allow_untested_optimizer zero_force_ds_cpu_optimizer zero_optimization. fp16. bf16. amp. wall_clock_breakdown ' +
  'comms_config. monitor_config. tensorboard. csv_monitor. wandb. flops_profiler. activation_checkpointing. aio.';

const ofEntrenar =
  'training.mode training.output_dir data.train data.val data.tokenizer data.input_column data.format model.path ' +
  'model.mode monitoring. output.dir dataset.path lora.target_modules';

const ofTorchtune =
  'name output_dir base_model_path device shuffle compile resume_from_checkpoint save_adapter_weights_only ' +
  'save_every_n_epochs log_level log_peak_memory_stats enable_activation_offloading optimizer_in_bwd ' +
  'custom_sharded_layers fsdp_cpu_offload low_cpu_ram ac_mode ac_option memory_efficient_fsdp_wrap ' +
  'use_distributed_state_dict batch_size_val collate_fn model._component_ model.lora_attn_modules ' +
  'model.apply_lora_to_mlp model.apply_lora_to_output model.quantize_base model.use_dora model.image_size ' +
  'model.decoder_trainable model.encoder_trainable model.fusion_trainable optimizer.fused optimizer.foreach ' +
  'dataset._component_ dataset.source dataset.train_on_input dataset.column_map. tokenizer._component_ ' +
  'tokenizer.path tokenizer.merges_file tokenizer.vocab_path tokenizer.merges_path tokenizer.prompt_template ' +
  'tokenizer.image_size tokenizer.max_num_tiles checkpointer. teacher_checkpointer. ref_checkpointer. ' +
  'teacher_model. dataset_val. loss. kd_loss. kd_ratio metric_logger. profiler. quantizer. tensor_parallel_plan.';

const listed = (text: string): readonly string[] => text.split(' ');

/** By the format whose keys they are; see `irrelevant` of a config format. */
export const irrelevantKeys = {
  'training-arguments': listed(ofHuggingFace),
  'llama-factory': listed(`${ofHuggingFace} ${ofLlamaFactory}`),
  axolotl: listed(`${ofHuggingFace} ${ofAxolotl}`),
  torchtune: listed(ofTorchtune),
  deepspeed: listed(ofDeepspeed),
  entrenar: listed(ofEntrenar),
} as const;
