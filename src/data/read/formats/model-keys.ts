/**
 * Keys of a model's architecture as Hugging Face's `config.json` names them, and the short names of GPT-2 code.
 */
import type { KeyTable } from './config-format.ts';

const spellings = {
  vocab_size: ['vocab_size', 'padded_vocab_size'],
  hidden_size: ['hidden_size', 'n_embd', 'd_model', 'embed_dim', 'dim'],
  num_layers: ['num_hidden_layers', 'num_layers', 'n_layer', 'n_layers'],
  num_heads: ['num_attention_heads', 'num_heads', 'n_head', 'n_heads'],
  num_kv_heads: ['num_key_value_heads', 'num_kv_heads', 'n_kv_heads', 'n_kv_head'],
  head_dim: ['head_dim'],
  intermediate_size: ['intermediate_size', 'ffn_hidden_size', 'd_ff', 'n_inner'],
  max_positions: ['max_position_embeddings', 'n_positions', 'max_positions'],
  tie_embeddings: ['tie_word_embeddings', 'tie_embeddings'],
  num_parameters: ['num_parameters', 'num_params', 'n_params'],
  rms_norm_eps: ['rms_norm_eps'],
  rope_theta: ['rope_theta'],
  dropout: ['dropout', 'hidden_dropout', 'hidden_dropout_prob'],
} as const satisfies KeyTable;

/** The model's keys below each of `sections`, the first section first; '' is the top. */
export function modelKeys(...sections: readonly string[]): KeyTable {
  const below = (key: string): readonly string[] =>
    sections.map((section) => (section === '' ? key : `${section}.${key}`));
  return Object.fromEntries(Object.entries(spellings).map(([name, keys]) => [name, keys.flatMap(below)]));
}
