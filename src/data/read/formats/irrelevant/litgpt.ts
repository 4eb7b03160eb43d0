/** Keys of LitGPT on which no name depends; see `irrelevant` of a config format. */
import { keysIn } from './keys-in.ts';

/** Sections end with a dot, beginnings with a star. */
export const litgptIrrelevant: readonly string[] = keysIn(`
  out_dir num_nodes resume quantize access_token logger_name log. tokenizer_dir model_name lora_query
  lora_key lora_value lora_projection lora_mlp lora_head  data.init_args.mask_prompt
  data.init_args.prompt_style data.init_args.ignore_index data.init_args.seed data.init_args.json_path
  data.init_args.download_dir data.init_args.repo_id data.init_args.include_multiturn_conversations
  data.init_args.data_path data.init_args.train_data_path data.init_args.val_data_path train.log_interval
  eval.max_new_tokens eval.initial_validation eval.final_validation eval.evaluate_example
 model_config model_config.name model_config.vocab_size model_config.hf_config. model_config.scale_embeddings model_config.rotary_percentage
  model_config.parallel_residual model_config.bias model_config.norm_class_name model_config.mlp_class_name
`);
