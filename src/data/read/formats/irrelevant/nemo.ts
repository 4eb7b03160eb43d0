/** Keys of NeMo on which no name depends; see `irrelevant` of a config format. */
import { keysIn } from './keys-in.ts';

/** Sections end with a dot, beginnings with a star. */
export const nemoIrrelevant: readonly string[] = keysIn(`
  name exp_manager. hydra. trainer.accelerator trainer.strategy trainer.logger trainer.enable_checkpointing
  trainer.replace_sampler_ddp trainer.use_distributed_sampler trainer.benchmark trainer.sync_batchnorm
  trainer.enable_progress_bar trainer.check_val_every_n_epoch trainer.num_sanity_val_steps
  trainer.limit_test_batches trainer.enable_model_summary model.tokenizer. model.preprocessor. model.spec_augment.
  model.encoder. model.decoder. model.joint. model.decoding. model.loss. model.aux_ctc. model.interctc.
  model.model_defaults. model.validation_ds. model.test_ds. model.sample_rate model.log_prediction
  model.ctc_reduction model.skip_nan_grad model.nsys_profile. model.init_method_std
  model.make_vocab_size_divisible_by model.pre_process model.post_process model.persist_layer_norm
  model.native_amp_init_scale model.native_amp_growth_interval model.hysteresis model.fp32_residual_connection
  model.fp16_lm_cross_entropy model.megatron_amp_O2 model.grad_allreduce_chunk_size_mb model.grad_div_ar_fusion
  model.use_cpu_initialization model.onnx_safe model.apex_transformer_log_level model.gradient_as_bucket_view
  model.gradient_accumulation_fusion model.activations_checkpoint_* model.sequence_parallel
  model.transformer_engine model.fp8 model.fp8_* model.tensor_model_parallel_size
  model.pipeline_model_parallel_size model.context_parallel_size model.kv_channels
  model.apply_query_key_layer_scaling model.layernorm_epsilon model.data.data_prefix model.data.index_mapping_dir
  model.data.data_impl model.data.splits_string model.data.skip_warmup model.data.dataloader_type
  model.data.reset_position_ids model.data.reset_attention_mask model.data.eod_mask_loss model.data.validation_ds.
  model.data.test_ds. model.train_ds.manifest_filepath model.train_ds.sample_rate model.train_ds.shuffle
  model.train_ds.pin_memory model.train_ds.trim_silence model.train_ds.use_start_end_token
  model.train_ds.max_duration model.train_ds.min_duration model.train_ds.bucketing_* trainer.num_nodes
  model.train_ds.tarred_* model.train_ds.is_tarred model.train_ds.shuffle_n model.optim.sched.last_epoch
  model.optim.sched.d_model trainer.strategy.tensor_model_parallel_size
  trainer.strategy.pipeline_model_parallel_size trainer.strategy.context_parallel_size trainer.strategy._target_
  trainer.strategy.gradient_as_bucket_view trainer.strategy.find_unused_parameters trainer.resume_from_checkpoint
  model.resume_from_checkpoint model.train_ds.dataset. model.train_ds.dataloader_params.shuffle
  model.train_ds.dataloader_params.pin_memory model.char_labels. model.save_nemo_on_validation_end model.sync_batch_comm
  model.answer_only_loss model.attention_dropout model.ffn_dropout model.fsdp model.fsdp_* model.peft.
  model.data.train_ds.file_names model.data.train_ds.shuffle model.data.train_ds.memmap_workers
  model.data.train_ds.pin_memory model.data.train_ds.min_seq_length model.data.train_ds.concat_sampling_probabilities
  model.data.train_ds.label_key model.data.train_ds.add_* model.data.train_ds.truncation_* model.data.train_ds.index_mapping_dir
  model.data.train_ds.prompt_template model.data.train_ds.global_sample_mapping model.optim.sched.monitor
  model.optim.sched.reduce_on_plateau model.language_model. model.max_seq_length model.text_normalizer. model.text_tokenizer.
  model.input_fft. model.output_fft. model.duration_predictor. model.pitch_predictor. model.alignment_module. model.task_templates.
  model.prompt_tuning. model.p_tuning.
`);
