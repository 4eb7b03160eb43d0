/** Keys of accelerate's launch configs on which no name depends; see `irrelevant` of a config format. */
import { keysIn } from './keys-in.ts';

/** Sections end with a dot. */
export const accelerateIrrelevant: readonly string[] = keysIn(`
  compute_environment distributed_type debug use_cpu machine_rank num_machines gpu_ids main_process_ip main_process_port
  rdzv_backend same_network main_training_function enable_cpu_affinity downcast_bf16
  tpu_name tpu_zone tpu_use_cluster tpu_use_sudo command_file commands tpu_vm tpu_env
  deepspeed_config. fsdp_config. megatron_lm_config. tp_config. fp8_config. ipex_config. mpirun_config. dynamo_config.
  parallelism_config. dynamo_backend
  ec2_instance_type iam_role_name image_uri profile region base_job_name pytorch_version transformers_version py_version
  sagemaker_inputs_file sagemaker_metrics_file additional_args.
`);
