/** A small run in files, healthy, and the same run with each bug of a real project re-created in small. */
import { copy, kernel, step } from '../../support/kineto-trace.ts';

export type RunFiles = Readonly<Record<string, string>>;

type Row = Readonly<Record<string, number | string>>;

const jsonLines = (rows: readonly Row[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

const config = (training: string): string =>
  [
    'data:',
    '  num_sequences: 22079',
    '  seq_len: 1024',
    '  batch_size: 4',
    'optimizer:',
    '  name: adamw',
    '  lr: 3.0e-4',
    '  beta2: 0.95',
    'training:',
    '  mode: lora',
    '  grad_clip: 1.0',
    '  gradient_accumulation: 128',
    training,
    '',
  ].join('\n');

const losses = (rows: readonly (readonly [loss: number | 'NaN', norm: number])[]): string =>
  rows.map(([loss, norm], i) => `{"step": ${i}, "loss": ${loss}, "clipped_grad_norm": ${norm}}\n`).join('');

const blocks = (rows: readonly (readonly [step: number, gradients: readonly (number | 'NaN')[]])[]): string =>
  rows
    .flatMap(([at, gradients]) =>
      gradients.map((value, i) => `{"step": ${at}, "name": "block${i}.gate", "max_abs_gradient": ${value}}\n`),
    )
    .join('');

const optimizers = (embedding: Row): string =>
  jsonLines([
    { name: 'blocks', beta2: 0.95, max_grad_norm: 1 },
    { name: 'embedding', beta2: 0.95, max_grad_norm: 1, ...embedding },
    { name: 'lm_head', beta2: 0.95, max_grad_norm: 1 },
  ]);

const buffers = (rows: Readonly<Record<string, readonly [required: number, allocated: number]>>): string => {
  const all = { gemm_forward: [4096, 4096], silu_backward: [4096, 4096], transpose: [8192, 8192], ...rows } as const;
  return jsonLines(Object.entries(all).map(([name, [required = 0, allocated = 0]]) => ({ name, required, allocated })));
};

const copies = (lengths: readonly (readonly [source: number, target: number])[]): string =>
  jsonLines(lengths.map(([source_length, target_length], i) => ({ name: `block${i}`, source_length, target_length })));

const gemms = (stride: number): string =>
  jsonLines([
    { name: 'gemm_backward_b', columns_of_output: 64, stride_of_output: 64 },
    { name: 'gemm_backward_a', columns_of_output: 512, stride_of_output: stride },
  ]);

const state = (key: number): string =>
  jsonLines([
    { name: 'm_w_k[block0]', max_abs_at_start: 0 },
    { name: 'v_w_k[block0]', max_abs_at_start: key },
  ]);

/** A copy to the host that begins 300 µs after a kernel of another stream, or while it runs. */
const profile = (synchronised: boolean): string =>
  JSON.stringify({
    schemaVersion: 1,
    traceEvents: [
      step(0, 0),
      ...kernel({ launch: 100, start: 200, duration: synchronised ? 200 : 900, stream: 7, correlation: 1 }),
      ...copy({ call: 600, start: 700, duration: 50, direction: 'DtoH', bytes: 4096, stream: 9, correlation: 2 }),
    ],
  });

export const healthyRun: RunFiles = {
  'run/train.yaml': config('  epochs: 117\n  max_steps: 5000\n  warmup_steps: 200'),
  'run/run.jsonl': losses([
    [10.4, 0.9],
    [10.1, 1],
    [9.7, 1],
    [9.2, 0.8],
  ]),
  'run/gradients.jsonl': blocks([
    [0, [0.1, 0.2, 0.1]],
    [1, [0.1, 0.1, 0.1]],
  ]),
  'run/optimizers.jsonl': optimizers({}),
  'run/buffers.jsonl': buffers({}),
  'run/copies.jsonl': copies([
    [512, 512],
    [512, 512],
  ]),
  'run/gemms.jsonl': gemms(512),
  'run/state.jsonl': state(0),
  'run/profile.json': profile(true),
};

export interface Bug {
  readonly name: string;
  readonly files: RunFiles;
  readonly root: string;
  readonly granularity: string;
  readonly scope: string | null;
  readonly nature: string;
  /** Every obligation of the chain, from the symptom down. */
  readonly whys: readonly string[];
}

const diverged = losses([
  [10.4, 0.9],
  [10.1, 1],
  ['NaN', 1],
  ['NaN', 1],
]);

const broken = blocks([
  [0, [0.1, 0.2, 0.1]],
  [1, [0.1, 'NaN', 0.1]],
]);

const symptoms = ['stability-v1/ST-001', 'gradients-v1/GR-001'];

/** The bugs that albor met, as its specification tells them (section 12.5.3). */
export const bugs: readonly Bug[] = [
  {
    name: 'ALB-043: silu_backward writes intermediate_size into a buffer of hidden_size',
    files: {
      'run/buffers.jsonl': buffers({ silu_backward: [4096, 1024] }),
      'run/gradients.jsonl': broken,
      'run/run.jsonl': diverged,
    },
    root: 'buffers-v1/BUF-001',
    granularity: 'kernel',
    scope: 'local',
    nature: 'static',
    whys: [...symptoms, 'buffers-v1/BUF-001'],
  },
  {
    name: 'ALB-041: device-to-device copy between buffers of two lengths',
    files: {
      'run/copies.jsonl': copies([
        [512, 512],
        [2048, 512],
      ]),
      'run/gradients.jsonl': broken,
    },
    root: 'copies-v1/COPY-001',
    granularity: 'transfer',
    scope: 'local',
    nature: 'static',
    whys: ['gradients-v1/GR-001', 'copies-v1/COPY-001'],
  },
  {
    name: 'backward_attention transposes heads × seq × seq into heads × seq × head_dim',
    files: { 'run/buffers.jsonl': buffers({ transpose: [4_194_304, 524_288] }) },
    root: 'buffers-v1/BUF-001',
    granularity: 'kernel',
    scope: 'local',
    nature: 'static',
    whys: ['buffers-v1/BUF-001'],
  },
  {
    name: 'gpu_forward copies a short sequence into buffers of the longest: every block fails',
    files: {
      'run/copies.jsonl': copies([
        [100, 512],
        [100, 512],
      ]),
    },
    root: 'copies-v1/COPY-001',
    granularity: 'transfer',
    scope: 'global',
    nature: 'static',
    whys: ['copies-v1/COPY-001'],
  },
  {
    name: 'ALB-044: the activation gradient reaches the embedding optimizer unclipped',
    files: {
      'run/run.jsonl': losses([
        [10.4, 0.9],
        [10.1, 3.28e35],
        ['NaN', 1],
      ]),
      'run/gradients.jsonl': blocks([
        [0, [0.1, 0.2]],
        [1, [3.28e35, 0.2]],
      ]),
      'run/optimizers.jsonl': optimizers({ max_grad_norm: 0 }),
    },
    root: 'optimizers-v1/HP-002',
    granularity: 'block',
    scope: 'local',
    nature: 'static',
    whys: ['stability-v1/ST-001', 'stability-v1/ST-002', 'gradients-v1/GR-002', 'optimizers-v1/HP-002'],
  },
  {
    name: 'ALB-044: the CPU optimizer has the default beta2',
    files: { 'run/optimizers.jsonl': optimizers({ beta2: 0.999 }) },
    root: 'optimizers-v1/HP-001',
    granularity: 'block',
    scope: 'local',
    nature: 'static',
    whys: ['optimizers-v1/HP-001'],
  },
  {
    name: 'ALB-059: n and k of the backward matrix multiplication are swapped',
    files: { 'run/gemms.jsonl': gemms(32_768), 'run/gradients.jsonl': broken, 'run/run.jsonl': diverged },
    root: 'gemm-v1/GEMM-001',
    granularity: 'kernel',
    scope: 'local',
    nature: 'static',
    whys: [...symptoms, 'gemm-v1/GEMM-001'],
  },
  {
    name: 'ALB-059: optimizer state is allocated and not cleared',
    files: { 'run/state.jsonl': state(7.5e3) },
    root: 'state-v1/INIT-001',
    granularity: 'block',
    scope: 'local',
    nature: 'dynamic',
    whys: ['state-v1/INIT-001'],
  },
  {
    name: 'ALB-060: one epoch has 43 of 5000 steps',
    files: { 'run/train.yaml': config('  epochs: 1\n  max_steps: 5000\n  warmup_steps: 2000') },
    root: 'training-config-kernel-v1/CFG-002',
    granularity: 'loop',
    scope: 'global',
    nature: 'static',
    // CFG-004 is no part of it: 2000 steps of warm-up are too many of 5000 as well.
    whys: ['CFG-005', 'CFG-003', 'CFG-001', 'CFG-002'].map((id) => `training-config-kernel-v1/${id}`),
  },
  {
    name: 'ALB-065: gradients are copied to the host before their stream is done',
    files: { 'run/profile.json': profile(false), 'run/gradients.jsonl': broken, 'run/run.jsonl': diverged },
    root: 'sync-v1/SYNC-001',
    granularity: 'transfer',
    scope: null,
    nature: 'dynamic',
    whys: [...symptoms, 'sync-v1/SYNC-001'],
  },
];
