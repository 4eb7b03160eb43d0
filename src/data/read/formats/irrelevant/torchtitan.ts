/** Keys of torchtitan on which no name depends; see `irrelevant` of a config format. */
import { keysIn } from './keys-in.ts';

/** Sections end with a dot, beginnings with a star. */
export const torchtitanIrrelevant: readonly string[] = keysIn(`
  hf_assets_path job. loss. model_spec model model.name model.flavor model.tokenizer_path
  model.print_after_conversion profiling. profiler. metrics. dataloader. activation_checkpoint. compile. comm.
  experimental. fault_tolerance. parallelism. memory_estimation. float8. mx. quantize. model_converters.
  optimizer.implementation training.dataset training.dataset_path training.mixed_precision_reduce training.gc_freq
  training.gc_debug training.deterministic training.enable_cpu_offload training.disable_cuda_graphs
  training.compile checkpoint.enable checkpoint.enable_checkpoint checkpoint.folder checkpoint.async_mode
  checkpoint.keep_latest_k checkpoint.export_dtype checkpoint.last_save_* checkpoint.load_step
  checkpoint.initial_load_in_hf validator. validation.
`);
