/** Keys of GPT-NeoX on which no name depends; see `irrelevant` of a config format. */
import { keysIn } from './keys-in.ts';

/** Sections end with a dot, beginnings with a star. */
export const gptNeoxIrrelevant: readonly string[] = keysIn(`
  pipe_parallel_size pipe-parallel-size model_parallel_size model-parallel-size norm pos_emb pos-emb rotary_* gpt_j_residual
  gpt-j-residual output_layer_parallelism output-layer-parallelism scaled_* scaled-* bias_gelu_fusion bias-gelu-fusion
  init_method output_layer_init_method zero_optimization. zero_allow_untested_optimizer data_impl data-impl data_path
  data-path vocab_file vocab-file merge_file merge-file tokenizer_type train_data_paths test_data_paths valid_data_paths
  checkpoint_num_layers partition_activations synchronize_each_layer attention_dropout attention-dropout fp16. bf16.
  distributed_backend distributed-backend steps_per_print wall_clock_breakdown keep_last_n_checkpoints keep-last-n-checkpoints save load hostfile
  launcher use_wandb wandb_* tensorboard_dir log_dir attention_config activation mlp_type
`);
