/** Arguments of Megatron-LM on which no name depends; see `irrelevant` of a config format. */
import { keysIn } from './keys-in.ts';

/** Sections end with a dot, beginnings with a star. */
export const megatronIrrelevant: readonly string[] = keysIn(`
  data_path vocab_file merge_file tokenizer_type tokenizer_model split save load tensorboard_dir wandb_* log_*
  master_addr master_port node_rank nnodes rdzv_* tensor_model_parallel_size pipeline_model_parallel_size
  context_parallel_size expert_model_parallel_size expert_tensor_parallel_size sequence_parallel
  use_distributed_optimizer overlap_* use_mcore_models transformer_impl attention_backend use_flash_attn
  attention_dropout init_method_std position_embedding_type use_rotary_position_embeddings rotary_percent
  normalization swiglu disable_bias_linear group_query_attention make_vocab_size_divisible_by no_load_optim
  no_load_rng no_save_optim no_save_rng no_masked_softmax_fusion no_gradient_accumulation_fusion
  no_bias_gelu_fusion no_async_tensor_model_parallel_allreduce attention_softmax_in_fp32
  accumulate_allreduce_grads_in_fp32 distributed_backend distributed_timeout_minutes recompute_method
  recompute_num_layers timing_log_level data_cache_path mock_data ckpt_format dist_ckpt_format
  auto_detect_ckpt_format exit_duration_in_mins exit_signal_handler manual_gc manual_gc_interval num_experts moe_*
  use_legacy_models no_create_attention_mask_in_dataloader deterministic_mode
  num_layers_per_virtual_pipeline_stage
`);
