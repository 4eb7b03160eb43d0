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

const ofDetectron2 =
  'VERSION OUTPUT_DIR CUDNN_BENCHMARK VIS_PERIOD INPUT. DATASETS. TEST.AUG. TEST.DETECTIONS_PER_IMAGE TEST.EXPECTED_RESULTS ' +
  'TEST.EXPECTED_RESULTS. TEST.KEYPOINT_OKS_SIGMAS TEST.PRECISE_BN. DATALOADER.ASPECT_RATIO_GROUPING ' +
  'DATALOADER.FILTER_EMPTY_ANNOTATIONS DATALOADER.SAMPLER_TRAIN DATALOADER.REPEAT_THRESHOLD MODEL.BACKBONE. MODEL.FPN. ' +
  'MODEL.DEVICE MODEL.META_ARCHITECTURE MODEL.MASK_ON MODEL.KEYPOINT_ON MODEL.LOAD_PROPOSALS MODEL.PIXEL_MEAN ' +
  'MODEL.PIXEL_STD MODEL.PROPOSAL_GENERATOR. MODEL.ANCHOR_GENERATOR. MODEL.RPN. MODEL.ROI_HEADS. MODEL.ROI_BOX_HEAD. ' +
  'MODEL.ROI_BOX_CASCADE_HEAD. MODEL.ROI_MASK_HEAD. MODEL.ROI_KEYPOINT_HEAD. MODEL.SEM_SEG_HEAD. MODEL.PANOPTIC_FPN. ' +
  'MODEL.RETINANET. MODEL.RESNETS. SOLVER.STEPS SOLVER.GAMMA SOLVER.NESTEROV SOLVER.WARMUP_FACTOR SOLVER.WARMUP_METHOD ' +
  'SOLVER.BIAS_LR_FACTOR SOLVER.WEIGHT_DECAY_NORM SOLVER.WEIGHT_DECAY_BIAS SOLVER.CLIP_GRADIENTS.';

const ofUltralytics =
  'task mode data imgsz save save_period cache device project name exist_ok verbose deterministic single_cls rect ' +
  'close_mosaic resume profile freeze multi_scale overlap_mask mask_ratio val split save_json save_hybrid conf iou max_det ' +
  'half dnn plots source vid_stride stream_buffer visualize augment agnostic_nms classes retina_masks embed show save_frames ' +
  'save_txt save_conf save_crop show_labels show_conf show_boxes line_width format keras optimize int8 dynamic simplify opset ' +
  'workspace nms warmup_momentum warmup_bias_lr box cls dfl pose kobj hsv_h hsv_s hsv_v degrees translate scale shear ' +
  'perspective flipud fliplr bgr mosaic mixup cutmix copy_paste copy_paste_mode auto_augment erasing crop_fraction cfg tracker ' +
  'save_dir compile time';

const ofNemo =
  'name exp_manager. hydra. trainer.accelerator trainer.strategy trainer.logger trainer.enable_checkpointing ' +
  'trainer.replace_sampler_ddp trainer.use_distributed_sampler trainer.benchmark trainer.sync_batchnorm ' +
  'trainer.enable_progress_bar trainer.check_val_every_n_epoch trainer.num_sanity_val_steps trainer.limit_test_batches ' +
  'trainer.enable_model_summary model.tokenizer. model.preprocessor. model.spec_augment. model.encoder. model.decoder. ' +
  'model.joint. model.decoding. model.loss. model.aux_ctc. model.interctc. model.model_defaults. model.validation_ds. ' +
  'model.test_ds. model.sample_rate model.log_prediction model.ctc_reduction model.skip_nan_grad model.nsys_profile. ' +
  'model.init_method_std model.make_vocab_size_divisible_by model.pre_process model.post_process model.persist_layer_norm ' +
  'model.native_amp_init_scale model.native_amp_growth_interval model.hysteresis model.fp32_residual_connection ' +
  'model.fp16_lm_cross_entropy model.megatron_amp_O2 model.grad_allreduce_chunk_size_mb model.grad_div_ar_fusion ' +
  'model.use_cpu_initialization model.onnx_safe model.apex_transformer_log_level model.gradient_as_bucket_view ' +
  'model.gradient_accumulation_fusion model.activations_checkpoint_* model.sequence_parallel model.transformer_engine ' +
  'model.fp8 model.fp8_* model.tensor_model_parallel_size model.pipeline_model_parallel_size model.context_parallel_size ' +
  'model.kv_channels model.apply_query_key_layer_scaling model.layernorm_epsilon model.data.data_prefix ' +
  'model.data.index_mapping_dir model.data.data_impl model.data.splits_string model.data.skip_warmup ' +
  'model.data.dataloader_type model.data.reset_position_ids model.data.reset_attention_mask model.data.eod_mask_loss ' +
  'model.data.validation_ds. model.data.test_ds. model.train_ds.manifest_filepath model.train_ds.sample_rate ' +
  'model.train_ds.shuffle model.train_ds.pin_memory model.train_ds.trim_silence model.train_ds.use_start_end_token ' +
  'model.train_ds.max_duration model.train_ds.min_duration model.train_ds.bucketing_* trainer.num_nodes model.train_ds.tarred_* model.train_ds.is_tarred model.train_ds.shuffle_n model.optim.sched.last_epoch ' +
  'model.optim.sched.d_model trainer.strategy.tensor_model_parallel_size trainer.strategy.pipeline_model_parallel_size ' +
  'trainer.strategy.context_parallel_size';

const ofFairseq =
  'common.log_format common.tensorboard_logdir common.wandb_project common.user_dir common.empty_cache_freq ' +
  'checkpoint.save_dir checkpoint.restore_file checkpoint.no_epoch_checkpoints checkpoint.keep_* ' +
  'checkpoint.best_checkpoint_metric checkpoint.maximize_best_checkpoint_metric checkpoint.save_interval ' +
  'common_eval. generation. hydra. bpe. scoring. tokenizer. dataset.skip_invalid_size_inputs_valid_test ' +
  'dataset.valid_subset dataset.train_subset dataset.required_batch_size_multiple dataset.validate_interval ' +
  'distributed_training.ddp_backend distributed_training.distributed_backend distributed_training.distributed_port ' +
  'optimization.sentence_avg lr_scheduler.phase_ratio task._name task.data task.normalize task.labels task.sample_rate ' +
  'task.max_sample_size task.min_sample_size criterion._name criterion.zero_infinity criterion.infonce criterion.log_keys ' +
  'criterion.loss_weights model. arch task criterion data_path save_dir log_format tensorboard_logdir user_dir ' +
  'skip_invalid_size_inputs_valid_test required_batch_size_multiple ddp_backend keep_last_epochs no_epoch_checkpoints ' +
  'sample_break_mode source_lang target_lang share_decoder_input_output_embed share_all_embeddings';

const ofMegatron =
  'data_path vocab_file merge_file tokenizer_type tokenizer_model split save load tensorboard_dir wandb_* log_* ' +
  'master_addr master_port node_rank nnodes rdzv_* tensor_model_parallel_size pipeline_model_parallel_size ' +
  'context_parallel_size expert_model_parallel_size expert_tensor_parallel_size sequence_parallel use_distributed_optimizer ' +
  'overlap_* use_mcore_models transformer_impl attention_backend use_flash_attn attention_dropout init_method_std ' +
  'position_embedding_type use_rotary_position_embeddings rotary_percent normalization swiglu disable_bias_linear ' +
  'group_query_attention make_vocab_size_divisible_by no_load_optim no_load_rng no_save_optim no_save_rng ' +
  'no_masked_softmax_fusion no_gradient_accumulation_fusion no_bias_gelu_fusion no_async_tensor_model_parallel_allreduce ' +
  'attention_softmax_in_fp32 accumulate_allreduce_grads_in_fp32 distributed_backend distributed_timeout_minutes ' +
  'recompute_method recompute_num_layers timing_log_level data_cache_path mock_data ckpt_format dist_ckpt_format ' +
  'auto_detect_ckpt_format exit_duration_in_mins exit_signal_handler manual_gc manual_gc_interval ' +
  'num_experts moe_* use_legacy_models no_create_attention_mask_in_dataloader deterministic_mode num_layers_per_virtual_pipeline_stage';

const ofMmengine =
  'default_scope model. dataset_type data_root backend_args. file_client_args. work_dir log_level resume env_cfg. visualizer. ' +
  'vis_backends. log_processor. default_hooks. custom_hooks. custom_imports. train_pipeline. test_pipeline. val_pipeline. ' +
  'tta_pipeline. tta_model. img_scale. img_norm_cfg. metainfo. class_name classes num_classes val_dataloader. test_dataloader. ' +
  'val_evaluator. test_evaluator. val_cfg. test_cfg. train_cfg.type train_cfg.val_begin ' +
  'train_cfg.by_epoch train_dataloader.dataset. train_dataloader.sampler. train_dataloader.batch_sampler. ' +
  'train_dataloader.persistent_workers train_dataloader.pin_memory train_dataloader.collate_fn. optim_wrapper.paramwise_cfg. ' +
  'optim_wrapper.constructor optim_wrapper.clip_grad.norm_type optim_wrapper.loss_scale optim_wrapper.dtype param_scheduler. ' +
  'auto_scale_lr. log_config. lr_config.step lr_config.gamma lr_config.warmup lr_config.warmup_ratio lr_config.by_epoch ' +
  'dist_params. workflow resume_from cudnn_benchmark data.train. data.val. data.test. evaluation. opencv_num_threads ' +
  'mp_start_method data_preprocessor. optimizer.paramwise_cfg. optimizer_config.grad_clip.norm_type checkpoint_config. ' +
  'runner.type find_unused_parameters';

const ofTorchtitan =
  'hf_assets_path job. loss. model_spec model model.name model.flavor model.tokenizer_path model.print_after_conversion ' +
  'profiling. profiler. metrics. dataloader. activation_checkpoint. compile. comm. experimental. fault_tolerance. ' +
  'parallelism. memory_estimation. float8. mx. quantize. model_converters. optimizer.implementation ' +
  'training.dataset training.dataset_path training.mixed_precision_reduce training.gc_freq training.gc_debug ' +
  'training.deterministic training.enable_cpu_offload training.disable_cuda_graphs training.compile ' +
  'checkpoint.enable checkpoint.enable_checkpoint checkpoint.folder checkpoint.async_mode checkpoint.keep_latest_k ' +
  'checkpoint.export_dtype checkpoint.last_save_* checkpoint.load_step checkpoint.initial_load_in_hf validator. validation.';

const ofKeras =
  'module class_name registered_name keras_version backend config. build_config. compile_config.loss ' +
  'compile_config.loss. compile_config.loss_weights compile_config.metrics compile_config.metrics. ' +
  'compile_config.weighted_metrics compile_config.run_eagerly compile_config.steps_per_execution ' +
  'compile_config.jit_compile compile_config.auto_scale_loss training_config.loss training_config.metrics ' +
  'training_config.weighted_metrics loss metrics weighted_metrics loss_weights compile_config.optimizer.module ' +
  'compile_config.optimizer.registered_name compile_config.optimizer.config.name ' +
  'compile_config.optimizer.config.clipvalue compile_config.optimizer.config.use_ema ' +
  'compile_config.optimizer.config.ema_momentum compile_config.optimizer.config.ema_overwrite_frequency ' +
  'compile_config.optimizer.config.amsgrad compile_config.optimizer.config.nesterov ' +
  'compile_config.optimizer.config.rho compile_config.optimizer.config.centered ' +
  'compile_config.optimizer.config.loss_scale_factor compile_config.optimizer.config.jit_compile ' +
  'compile_config.optimizer.config.is_legacy_optimizer training_config.optimizer_config.module ' +
  'training_config.optimizer_config.registered_name training_config.optimizer_config.config.name ' +
  'training_config.optimizer_config.config.clipvalue training_config.optimizer_config.config.use_ema ' +
  'training_config.optimizer_config.config.ema_momentum ' +
  'training_config.optimizer_config.config.ema_overwrite_frequency ' +
  'training_config.optimizer_config.config.amsgrad training_config.optimizer_config.config.nesterov ' +
  'training_config.optimizer_config.config.rho training_config.optimizer_config.config.centered ' +
  'training_config.optimizer_config.config.loss_scale_factor training_config.optimizer_config.config.jit_compile ' +
  'training_config.optimizer_config.config.is_legacy_optimizer optimizer_config.module ' +
  'optimizer_config.registered_name optimizer_config.config.name optimizer_config.config.clipvalue ' +
  'optimizer_config.config.use_ema optimizer_config.config.ema_momentum ' +
  'optimizer_config.config.ema_overwrite_frequency optimizer_config.config.amsgrad ' +
  'optimizer_config.config.nesterov optimizer_config.config.rho optimizer_config.config.centered ' +
  'optimizer_config.config.loss_scale_factor optimizer_config.config.jit_compile ' +
  'optimizer_config.config.is_legacy_optimizer';

const listed = (text: string): readonly string[] => text.split(' ');

/** By the format whose keys they are; see `irrelevant` of a config format. */
export const irrelevantKeys = {
  'training-arguments': listed(ofHuggingFace),
  'llama-factory': listed(`${ofHuggingFace} ${ofLlamaFactory}`),
  axolotl: listed(`${ofHuggingFace} ${ofAxolotl}`),
  torchtune: listed(ofTorchtune),
  deepspeed: listed(ofDeepspeed),
  entrenar: listed(ofEntrenar),
  detectron2: listed(ofDetectron2),
  ultralytics: listed(ofUltralytics),
  nemo: listed(ofNemo),
  fairseq: listed(ofFairseq),
  megatron: listed(ofMegatron),
  mmengine: listed(ofMmengine),
  keras: listed(ofKeras),
  torchtitan: listed(ofTorchtitan),
} as const;
