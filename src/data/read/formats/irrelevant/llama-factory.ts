/** Keys of LLaMA-Factory on which no name depends; see `irrelevant` of a config format. */
import { keysIn } from './keys-in.ts';
import { huggingFaceIrrelevant } from './training-arguments.ts';

/** Sections end with a dot, beginnings with a star. */
export const llamaFactoryIrrelevant: readonly string[] = [
  ...huggingFaceIrrelevant,
  ...keysIn(`
  stage finetuning_type template plot_loss dataset_dir eval_dataset tokenized_path adapter_name_or_path
  adapter_folder quantization_bit quantization_method double_quantization image_max_pixels video_max_pixels
  pref_beta pref_loss pissa_* use_badam badam_* use_adam_mini use_eaft_loss use_asft_loss asft_alpha fp8 fp8_*
  oft_block_size oft_target ray_num_workers
`),
];
