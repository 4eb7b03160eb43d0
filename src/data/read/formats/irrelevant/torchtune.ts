/** Keys of torchtune on which no name depends; see `irrelevant` of a config format. */
import { keysIn } from './keys-in.ts';

/** Sections end with a dot, beginnings with a star. */
export const torchtuneIrrelevant: readonly string[] = keysIn(`
  name output_dir base_model_path device shuffle compile resume_from_checkpoint save_adapter_weights_only
  save_every_n_epochs log_level log_peak_memory_stats enable_activation_offloading optimizer_in_bwd
  custom_sharded_layers fsdp_cpu_offload low_cpu_ram ac_mode ac_option memory_efficient_fsdp_wrap
  use_distributed_state_dict batch_size_val collate_fn model._component_ model.lora_attn_modules
  model.apply_lora_to_mlp model.apply_lora_to_output model.quantize_base model.use_dora model.image_size
  model.decoder_trainable model.encoder_trainable model.fusion_trainable optimizer.fused optimizer.foreach
  dataset._component_ dataset.source dataset.train_on_input dataset.column_map. tokenizer._component_
  tokenizer.path tokenizer.merges_file tokenizer.vocab_path tokenizer.merges_path tokenizer.prompt_template
  tokenizer.image_size tokenizer.max_num_tiles checkpointer. teacher_checkpointer. ref_checkpointer.
  teacher_model. dataset_val. loss. kd_loss. kd_ratio metric_logger. profiler. quantizer. tensor_parallel_plan.
  max_seq_length
`);
