/** Holds src/data/read/formats/accelerate.ts and src/data/read/formats/irrelevant/accelerate.ts. The files are those of accelerate's `examples/` and of alignment-handbook's `recipes/`. */
import { expect, test } from 'vitest';
import { readFileContent } from '../../support/read-data-file.ts';

const zero3 = `compute_environment: LOCAL_MACHINE
debug: false
deepspeed_config:
  gradient_accumulation_steps: 4
  gradient_clipping: 1.0
  zero3_init_flag: true
  zero_stage: 3
distributed_type: DEEPSPEED
downcast_bf16: 'no'
machine_rank: 0
main_training_function: main
mixed_precision: bf16
num_machines: 1
num_processes: 8
rdzv_backend: static
same_network: true
tpu_env: []
`;

test.each([
  [
    'ZeRO 3 on one machine',
    zero3,
    { num_devices: 8, gradient_accumulation: 4, max_grad_norm: 1, precision: 'bf16' },
    undefined,
  ],
  [
    'accumulation that the script says',
    zero3.replace('steps: 4', 'steps: auto').replace('bf16\n', "'no'\n"),
    { gradient_accumulation: undefined, precision: 'fp32' },
    undefined,
  ],
  [
    'a single process',
    'distributed_type: "NO"\nmixed_precision: fp16\nuse_cpu: false\n',
    { num_devices: undefined, precision: 'fp16' },
    1,
  ],
  [
    'processes that share a model',
    'distributed_type: MEGATRON_LM\nmegatron_lm_config:\n  megatron_lm_tp_degree: 2\n  megatron_lm_pp_degree: 2\nnum_processes: 16\nnum_machines: 2\n',
    { num_devices: 4 },
    undefined,
  ],
  [
    'processes that the launcher counts',
    'distributed_type: MULTI_GPU\nnum_processes: -1\nnum_machines: 2\n',
    { num_devices: undefined },
    undefined,
  ],
])('%s', async (_, text, names, processes) => {
  const read = await readFileContent('accelerate.yaml', text);
  expect(read.data?.format).toBe('accelerate');
  expect(Object.fromEntries(Object.keys(names).map((name) => [name, read.data?.values.get(name)?.value]))).toEqual(
    names,
  );
  expect(read.data?.defaults?.get('num_devices')?.value).toBe(processes);
  expect(read.codes.filter((code) => code !== 'PV-7032')).toEqual([]);
  expect(read.data?.unused.filter(({ isIrrelevant }) => isIrrelevant !== true)).toEqual([]);
});

test('a model over more processes than there are is said', async () => {
  const text = 'distributed_type: MULTI_GPU\nnum_processes: 6\nnum_machines: 1\ntp_config: { tp_size: 4 }\n';
  const read = await readFileContent('accelerate.yaml', text);
  expect(read.data?.values.get('num_devices')?.unread).toBe('6 processes cannot hold a model that is split over 4');
});

test('a config for Hugging Face that has settings of a launcher remains one', async () => {
  const text =
    'output_dir: x\nper_device_train_batch_size: 2\nlr_scheduler_type: cosine\nnum_processes: 8\nmixed_precision: bf16\n';
  expect((await readFileContent('train.yaml', text)).data?.format).toBe('training-arguments');
});
