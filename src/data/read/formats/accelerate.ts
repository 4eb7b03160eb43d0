/**
 * Launch configs of accelerate (huggingface/accelerate, `src/accelerate/commands/config/config_args.py`): how many processes run
 * and in which arithmetic, for a script whose own config says the rest.
 */
import { numberOf, productOf, scoreOf, type ConfigFormat, type KeyRule, type Marks } from './config-format.ts';
import { accelerateIrrelevant } from './irrelevant/accelerate.ts';

const marks: Marks = {
  own: [
    'compute_environment',
    'distributed_type',
    'downcast_bf16',
    'machine_rank',
    'main_training_function',
    'rdzv_backend',
    'same_network',
    'tpu_use_cluster',
    'megatron_lm_config.',
    'deepspeed_config.zero3_init_flag',
    'fp8_config.backend',
  ],
  shared: [
    'num_processes',
    'num_machines',
    'mixed_precision',
    'use_cpu',
    'gpu_ids',
    'fsdp_config.',
    'deepspeed_config.',
  ],
  least: { own: 1, all: 3 },
};

/** Their product is the number of processes that share one copy of the model and its batches. */
const splits = [
  'tp_config.tp_size',
  'megatron_lm_config.megatron_lm_tp_degree',
  'megatron_lm_config.megatron_lm_pp_degree',
  'parallelism_config.parallelism_config_tp_size',
  'parallelism_config.parallelism_config_cp_size',
  'parallelism_config.parallelism_config_sp_size',
];

/** Processes of all machines together; -1 leaves them to the launcher. */
const devices: KeyRule = {
  key: 'num_processes',
  read: (scalar, other) => {
    const [processes, shared] = [numberOf(scalar), productOf(other, splits)];
    if (processes === null) return scalar.value ?? undefined;
    if (processes < 1) return undefined;
    if (shared === null) return { because: 'how the model is split is not known' };
    return Number.isInteger(processes / shared)
      ? processes / shared
      : { because: `${processes} processes cannot hold a model that is split over ${shared}` };
  },
};

/** Recognised by its keys for machines and processes. */
export const accelerate: ConfigFormat = {
  name: 'accelerate',
  title: 'launch configs of accelerate',
  syntaxes: ['yaml', 'json'],
  recognised:
    'a key that only it has and two others, such as distributed_type, compute_environment, machine_rank, beside num_processes',
  score: (keys) => 2 * scoreOf(keys, marks),
  marks,
  keys: {
    num_devices: [devices],
    gradient_accumulation: ['deepspeed_config.gradient_accumulation_steps'],
    max_grad_norm: ['deepspeed_config.gradient_clipping', 'megatron_lm_config.megatron_lm_gradient_clipping'],
    precision: ['mixed_precision'],
    gradient_checkpointing: ['fsdp_config.fsdp_activation_checkpointing'],
  },
  goesWith: 'the training arguments of the script that it launches',
  // process_config in config_args.py
  defaults: {
    of: 'accelerate',
    values: { num_devices: { value: 1, when: (other) => other('distributed_type')?.value === 'NO' } },
  },
  irrelevant: accelerateIrrelevant,
};
