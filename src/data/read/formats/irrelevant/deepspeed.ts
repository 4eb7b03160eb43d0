/** Keys of DeepSpeed on which no name depends; see `irrelevant` of a config format. */
import { keysIn } from './keys-in.ts';

/** Sections end with a dot, beginnings with a star. */
export const deepspeedIrrelevant: readonly string[] = keysIn(`
  zero_allow_untested_optimizer zero_force_ds_cpu_optimizer zero_optimization. fp16. bf16. amp.
  wall_clock_breakdown comms_config. monitor_config. tensorboard. csv_monitor. wandb. flops_profiler.
  activation_checkpointing. aio.
`);
