/**
 * Configs of trainers, written as their own files are: what each key means, what is left unknown and why, and whose defaults
 * apply. The values are those of public configs that each test names.
 *
 * Holds src/data/read/formats/detectron2.ts, src/data/read/formats/fairseq.ts, src/data/read/formats/keras.ts, src/data/read/formats/megatron.ts,
 * src/data/read/formats/mmengine.ts, src/data/read/formats/nemo.ts, src/data/read/formats/ultralytics.ts.
 */
import { describe, expect, test } from 'vitest';
import { readFileContent, type ReadFile } from '../../support/read-data-file.ts';

/** Values as numbers, and `?` for those that the file leaves unknown. */
function valuesOf({ data }: ReadFile, names: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.keys(names).map((name) => {
      const found = data?.values.get(name);
      return [name, found?.unread === undefined ? found?.value : '?'];
    }),
  );
}

const defaultsOf = ({ data }: ReadFile): Readonly<Record<string, unknown>> =>
  Object.fromEntries([...(data?.defaults ?? [])].map(([name, { value }]) => [name, value]));

interface Case {
  readonly title: string;
  readonly file: string;
  readonly text: string;
  readonly names: Readonly<Record<string, unknown>>;
  readonly defaults?: Readonly<Record<string, unknown>>;
}

function holds(format: string, cases: readonly Case[]): void {
  test.each(cases)('$title', async ({ file, text, names, defaults }) => {
    const read = await readFileContent(file, text);
    expect(read.data?.format).toBe(format);
    expect(valuesOf(read, names)).toEqual(names);
    if (defaults) expect(defaultsOf(read)).toMatchObject(defaults);
  });
}

/** A slip of letters is said, and its name gets no default. */
async function refusesSlip(file: string, text: string, name: string): Promise<void> {
  const read = await readFileContent(file, text);
  expect([read.codes.includes('PV-7039'), read.data?.defaults?.has(name)]).toEqual([true, false]);
}

const rcnn = (solver: string, more: string = ''): string =>
  `MODEL:\n  META_ARCHITECTURE: GeneralizedRCNN\n  RESNETS: { DEPTH: 50 }\nDATASETS:\n  TRAIN: ("coco_2017_train",)\nSOLVER: { ${solver} }\nVERSION: 2\n${more}`;

describe('detectron2', () => {
  holds('detectron2', [
    {
      title: 'Base-RCNN-FPN: the whole batch, and the defaults of what is not said',
      file: 'base.yaml',
      text: rcnn('IMS_PER_BATCH: 16, BASE_LR: 0.02, STEPS: "(60000, 80000)", MAX_ITER: 90000'),
      names: {
        batch_size: 16,
        global_batch_size: 16,
        num_devices: 1,
        gradient_accumulation: 1,
        max_steps: 90_000,
        learning_rate: 0.02,
      },
      defaults: { warmup_steps: 1000, momentum: 0.9, weight_decay: 1e-4, lr_schedule: 'multistep', max_grad_norm: 0 },
    },
    {
      title: 'Cityscapes mask R-CNN, on a base',
      file: 'city.yaml',
      text: '_BASE_: "../Base-RCNN-FPN.yaml"\nMODEL: { WEIGHTS: "detectron2://x.pkl", MASK_ON: True }\nSOLVER:\n  BASE_LR: 0.01\n  STEPS: (18000,)\n  MAX_ITER: 24000\n  IMS_PER_BATCH: 8\nTEST: { EVAL_PERIOD: 8000 }\n',
      names: { batch_size: 8, max_steps: 24_000, learning_rate: 0.01, eval_interval: 8000, from_scratch: false },
    },
    {
      title: 'a cosine with a global clip, as Mask2Former writes it',
      file: 'm2f.yaml',
      text: rcnn(
        'IMS_PER_BATCH: 16, BASE_LR: 0.0001, MAX_ITER: 90000, WARMUP_ITERS: 10, OPTIMIZER: ADAMW, LR_SCHEDULER_NAME: WarmupCosineLR, CLIP_GRADIENTS: { ENABLED: True, CLIP_TYPE: full_model, CLIP_VALUE: 0.01 }, AMP: { ENABLED: True }',
      ),
      names: { lr_schedule: 'cosine', warmup_steps: 10, optimizer: 'ADAMW', max_grad_norm: 0.01, precision: 'fp16' },
    },
    {
      title: 'clipping by parameter is no global norm',
      file: 'clip.yaml',
      text: rcnn('MAX_ITER: 10, CLIP_GRADIENTS: { ENABLED: True, CLIP_TYPE: norm, CLIP_VALUE: 1.0 }', 'SEED: -1\n'),
      names: { max_grad_norm: '?', seed: undefined },
    },
  ]);

  test('a base decides what the file does not say', async () => {
    const read = await readFileContent('r.yaml', `_BASE_: "b.yaml"\n${rcnn('MAX_ITER: 270000')}`);
    expect([read.data?.defaults?.size, read.data?.doubts?.has('learning_rate')]).toEqual([0, true]);
  });

  test('maskrcnn-benchmark and fast-reid are not it', async () => {
    for (const more of ['MODEL: { WEIGHT: "catalog://x" }\n', ''])
      expect(
        (
          await readFileContent(
            'a.yaml',
            `${more}SOLVER: { IMS_PER_BATCH: 64, MAX_EPOCH: 120, BASE_LR: 0.1 }\nDATASETS: { TRAIN: x }\n`,
          )
        ).data?.format,
      ).not.toBe('detectron2');
  });

  test('a slip', () => refusesSlip('a.yaml', rcnn('IMS_PER_BATCH: 16, WARMUP_ITRES: 100'), 'warmup_steps'));
});

const yolo = (lines: string): string =>
  `task: detect\nmode: train\nmodel: yolov8n.pt\nimgsz: 640\nlr0: 0.01\nlrf: 0.01\nclose_mosaic: 10\n${lines}`;

describe('Ultralytics', () => {
  holds('ultralytics', [
    {
      title: 'default.yaml: auto replaces the rate, and accumulation grows',
      file: 'args.yaml',
      text: yolo(
        'epochs: 100\ntime:\nbatch: 16\noptimizer: auto\nnbs: 64\nwarmup_epochs: 3.0\nmomentum: 0.937\ncos_lr: False\namp: True\nfraction: 1.0\npatience: 100\nworkers: 8\nseed: 0\n',
      ),
      names: {
        batch_size: 16,
        num_devices: 1,
        num_epochs: 100,
        gradient_accumulation: '?',
        learning_rate: '?',
        momentum: '?',
        warmup_steps: '?',
        optimizer: undefined,
        min_lr_ratio: 0.01,
        lr_schedule: 'linear',
        precision: 'fp16',
        val_set_size: 0,
        patience: 100,
        from_scratch: false,
      },
    },
    {
      title: 'args.yaml of a run with SGD and the nominal batch',
      file: 'args.yaml',
      text: yolo('epochs: 300\nbatch: 64\noptimizer: SGD\nnbs: 64\nwarmup_epochs: 0\ncos_lr: True\nfraction: 0.75\n'),
      names: {
        batch_size: 64,
        num_epochs: 300,
        gradient_accumulation: 1,
        learning_rate: 0.01,
        warmup_steps: 0,
        optimizer: 'SGD',
        lr_schedule: 'cosine',
        val_set_size: 0.25,
      },
    },
    {
      title: 'a larger batch than the nominal one, hours, and a batch that is looked for',
      file: 'train.yaml',
      text: yolo('epochs: 50\ntime: 2\nbatch: -1\noptimizer: AdamW\n'),
      names: { num_epochs: '?', batch_size: '?', gradient_accumulation: undefined, learning_rate: 0.01 },
      defaults: { weight_decay: 0.0005, num_workers: 8 },
    },
  ]);

  test('hyperparameters of YOLOv5 are not it', async () => {
    const text =
      'lr0: 0.01\nlrf: 0.1\nmomentum: 0.937\nwarmup_epochs: 3.0\nwarmup_bias_lr: 0.1\nhsv_h: 0.015\nmosaic: 1.0\nanchor_t: 4.0\n';
    expect((await readFileContent('hyp.yaml', text)).data?.format).not.toBe('ultralytics');
  });

  test('the newest default.yaml has cls_pw, which YOLOv5 had first, and keys for its new tasks', async () => {
    const text = yolo('epochs: 100\nbatch: 16\ncls_pw: 0.0\nrle: 1.0\nangle: 1.0\nend2end:\n');
    const { data } = await readFileContent('args.yaml', text);
    expect(data?.format).toBe('ultralytics');
    expect(data?.values.get('num_epochs')?.value).toBe(100);
  });

  test('newer releases name the precision in amp, and count images in fraction', async () => {
    const file = await readFileContent('args.yaml', yolo('epochs: 9\nbatch: 16\namp: bf16\nfraction: 500\n'));
    expect(valuesOf(file, { precision: 0, val_set_size: 0 })).toEqual({ precision: 'bf16', val_set_size: '?' });
  });

  test('a slip', () => refusesSlip('args.yaml', yolo('epohcs: 10\nbatch: 4\n'), 'num_epochs'));
});

const nemoModel = (
  optim: string,
  trainer: string,
  model: string = 'train_ds: { batch_size: 32, num_workers: 8 }',
): string =>
  `name: x\nmodel:\n  ${model}\n  optim: { ${optim} }\ntrainer: { ${trainer} }\nexp_manager: { exp_dir: null, name: x }\n`;

describe('NeMo', () => {
  holds('nemo', [
    {
      title: 'Citrinet: epochs, and a warm-up in steps',
      file: 'citrinet.yaml',
      text: nemoModel(
        'name: novograd, lr: 0.05, betas: [0.8, 0.25], weight_decay: 0.001, sched: { name: CosineAnnealing, warmup_steps: 1000, warmup_ratio: null, min_lr: 1e-5 }',
        'devices: 1, max_epochs: 100, max_steps: null, num_nodes: 1, accelerator: gpu, accumulate_grad_batches: 4, val_check_interval: 1.0, precision: 32',
      ),
      names: {
        batch_size: 32,
        gradient_accumulation: 4,
        num_devices: 1,
        num_epochs: 100,
        max_steps: undefined,
        learning_rate: 0.05,
        lr_schedule: 'cosine',
        warmup_steps: 1000,
        warmup_ratio: undefined,
        min_learning_rate: 1e-5,
        beta2: 0.25,
        eval_interval: undefined,
        precision: 'fp32',
      },
    },
    {
      title: 'Megatron GPT: accumulation follows from the batches, and the cosine ends before the run',
      file: 'gpt.yaml',
      text: nemoModel(
        'name: fused_adam, lr: 2e-4, sched: { name: CosineAnnealing, warmup_steps: 500, constant_steps: 50000, min_lr: 2e-5 }',
        'devices: 8, num_nodes: 2, accelerator: gpu, max_epochs: 1000, max_steps: 100000, accumulate_grad_batches: 1, val_check_interval: 100, limit_val_batches: 50, gradient_clip_val: 1.0',
        'micro_batch_size: 4\n  global_batch_size: 32\n  tensor_model_parallel_size: 4\n  pipeline_model_parallel_size: 1\n  encoder_seq_length: 512',
      ),
      names: {
        batch_size: 4,
        global_batch_size: 32,
        num_devices: 4,
        gradient_accumulation: undefined,
        max_steps: 100_000,
        num_epochs: undefined,
        decay_steps: 50_000,
        eval_interval: 100,
        eval_steps: 50,
        seq_len: 512,
        max_grad_norm: 1,
      },
    },
    {
      title: "Conformer: the peak of Noam's schedule",
      file: 'conformer.yaml',
      text: nemoModel(
        'name: adamw, lr: 5.0, betas: [0.9, 0.98], weight_decay: 1e-3, sched: { name: NoamAnnealing, d_model: "${model.encoder.d_model}", warmup_steps: 10000, min_lr: 1e-6 }',
        'devices: -1, max_epochs: 1000, accelerator: auto, accumulate_grad_batches: 1',
        'train_ds: { batch_size: 16 }\n  encoder: { d_model: 176 }',
      ),
      names: { learning_rate: 5 / Math.sqrt(1_760_000), lr_schedule: 'noam', num_devices: undefined, batch_size: 16 },
    },
    {
      title: 'a recipe of NeMo 2, as YAML',
      file: 'recipe.yaml',
      text: 'trainer: { devices: 8, num_nodes: 1, max_steps: 1000, accumulate_grad_batches: 1, strategy: { tensor_model_parallel_size: 2 } }\ndata: { micro_batch_size: 1, global_batch_size: 512, seq_length: 8192 }\noptim:\n  config: { optimizer: adam, lr: 3e-4, weight_decay: 0.1, adam_beta2: 0.95, clip_grad: 1.0 }\n  lr_scheduler: { _target_: nemo.lightning.pytorch.optim.lr_scheduler.CosineAnnealingScheduler, warmup_steps: 2000, constant_steps: 0, min_lr: 3e-5 }\n',
      names: {
        batch_size: 1,
        global_batch_size: 512,
        seq_len: 8192,
        num_devices: 4,
        max_steps: 1000,
        decay_steps: 1000,
        learning_rate: 3e-4,
        lr_schedule: 'cosine',
        warmup_steps: 2000,
        beta2: 0.95,
      },
    },
  ]);

  test('a model that its devices cannot hold, and a slip', async () => {
    const text = nemoModel(
      'lr: 1e-4',
      'devices: 8, max_steps: 10',
      'micro_batch_size: 4\n  global_batch_size: 8\n  tensor_model_parallel_size: 16',
    );
    const read = await readFileContent('a.yaml', text);
    expect(valuesOf(read, { num_devices: 0 })).toEqual({ num_devices: '?' });
    await refusesSlip(
      'a.yaml',
      nemoModel('lr: 1e-4, sched: { warmup_stpes: 5 }', 'devices: 1, max_steps: 10'),
      'warmup_steps',
    );
  });
});

const sections = (optimization: string, more: string): string =>
  `common: { fp16: true, log_interval: 200 }\ndataset: { num_workers: 6, max_tokens: 3200000 }\ntask: { _name: audio_pretraining }\noptimization: { ${optimization} }\noptimizer: { _name: adam, adam_betas: "(0.9,0.98)", adam_eps: 1e-08 }\n${more}`;

describe('fairseq', () => {
  holds('fairseq', [
    {
      title: 'wav2vec base_100h: three stages, and batches of tokens',
      file: 'base_100h.yaml',
      text: sections(
        'max_update: 80000, lr: [0.00003], update_freq: [4]',
        'distributed_training: { distributed_world_size: 2 }\nlr_scheduler: { _name: tri_stage, phase_ratio: [0.1, 0.4, 0.5], final_lr_scale: 0.05 }\nmodel: { w2v_path: ??? }\n',
      ),
      names: {
        batch_size: '?',
        gradient_accumulation: 4,
        num_devices: 2,
        max_steps: 80_000,
        learning_rate: 3e-5,
        lr_schedule: 'tri_stage',
        warmup_ratio: 0.1,
        min_lr_ratio: 0.05,
        beta1: 0.9,
        beta2: 0.98,
        epsilon: 1e-8,
        precision: 'fp16',
        from_scratch: false,
      },
    },
    {
      title: 'wav2vec2_large_librivox: a line down',
      file: 'large.yaml',
      text: sections(
        'max_update: 1000000, lr: [0.005]',
        'lr_scheduler: { _name: polynomial_decay, warmup_updates: 32000 }\ncheckpoint: { save_interval_updates: 25000 }\n',
      ),
      names: { max_steps: 1_000_000, lr_schedule: 'linear', warmup_steps: 32_000, save_interval: 25_000 },
      defaults: { gradient_accumulation: 1, seed: 1 },
    },
    {
      title: 'the flags of the IWSLT example',
      file: 'train.sh',
      text: "CUDA_VISIBLE_DEVICES=0 fairseq-train data-bin/iwslt14 \\\n  --arch transformer_iwslt_de_en --optimizer adam --lr 5e-4 --clip-norm 0 \\\n  --adam-betas '(0.9, 0.98)' --lr-scheduler inverse_sqrt --warmup-updates 4000 \\\n  --criterion label_smoothed_cross_entropy --label-smoothing 0.1 --dropout 0.3 \\\n  --max-tokens 4096 --max-update 50000 --update-freq 8 --weight-decay 0.0001\n",
      names: {
        batch_size: '?',
        learning_rate: 5e-4,
        beta2: 0.98,
        lr_schedule: 'inverse_sqrt',
        warmup_steps: 4000,
        label_smoothing: 0.1,
        gradient_accumulation: 8,
        max_steps: 50_000,
        max_grad_norm: 0,
        optimizer: 'adam',
        dropout: 0.3,
      },
    },
    {
      title: 'an accumulation and a rate that change with the epoch',
      file: 'epochs.yaml',
      text: sections(
        'max_update: 0, max_epoch: 20, lr: [0.1, 0.01], update_freq: [4, 8]',
        'lr_scheduler: { _name: fixed }\n',
      ),
      names: {
        gradient_accumulation: '?',
        learning_rate: '?',
        num_epochs: 20,
        max_steps: undefined,
        lr_schedule: 'constant',
      },
    },
  ]);

  test('a slip', () =>
    refusesSlip(
      'a.yaml',
      sections('max_update: 10, lr: [1]', 'lr_scheduler: { _name: cosine, warmup_updtaes: 5 }\n'),
      'warmup_steps',
    ));
});

const pretrain = (
  training: string,
  parallel: string = '--tensor-model-parallel-size 2 --pipeline-model-parallel-size 2',
): string =>
  `#!/bin/bash\n# Runs a model\nexport CUDA_DEVICE_MAX_CONNECTIONS=1\nGPUS_PER_NODE=8\nNUM_NODES=2\nWORLD_SIZE=$(($GPUS_PER_NODE*$NUM_NODES))\nDATA_PATH=$1 #<path>\nDISTRIBUTED_ARGS=(\n    --nproc_per_node $GPUS_PER_NODE \n    --nnodes $NUM_NODES \n)\nMODEL_ARGS=(\n    --num-layers 24\n    --hidden-size 1024\n    --num-attention-heads 16\n    --seq-length 512\n    --attention-backend auto # Can use (flash/fused)\n)\nTRAINING_ARGS=(\n    ${training}\n)\ntorchrun \${DISTRIBUTED_ARGS[@]} pretrain_gpt.py \\\n    \${MODEL_ARGS[@]} \\\n    \${TRAINING_ARGS[@]} \\\n    ${parallel} --data-path $DATA_PATH\n`;

describe('Megatron-LM', () => {
  holds('megatron', [
    {
      title: 'train_bert_340m_distributed: warm-up is a fraction of the decay',
      file: 'bert.sh',
      text: pretrain(
        '--micro-batch-size 4 \n    --global-batch-size 32 \n    --train-iters 1000000 \n    --clip-grad 1.0 \n    --fp16\n    --lr 0.0001\n    --lr-decay-iters 990000 \n    --lr-decay-style linear \n    --min-lr 1.0e-5 \n    --lr-warmup-fraction .01 \n    --clip-grad 1.0 ',
      ),
      names: {
        batch_size: 4,
        global_batch_size: 32,
        num_devices: 4,
        gradient_accumulation: 2,
        max_steps: 1_000_000,
        learning_rate: 1e-4,
        min_learning_rate: 1e-5,
        lr_schedule: 'linear',
        decay_steps: 990_000,
        warmup_ratio: 0.0099,
        precision: 'fp16',
        max_grad_norm: 1,
        num_layers: 24,
        seq_len: 512,
      },
      defaults: { weight_decay: 0.01, beta2: 0.999, seed: 1234, optimizer: 'adam' },
    },
    {
      title: 'train_gpt3_175b_distributed: more parts than devices, and a batch that grows',
      file: 'gpt3.sh',
      text: pretrain(
        '--micro-batch-size 1 --global-batch-size 1536 --rampup-batch-size 16 16 5859375 --train-iters 500000 --lr 6.0e-5 --lr-decay-style cosine --lr-warmup-fraction .001 --lr-decay-iters 430000',
        '--tensor-model-parallel-size 8 --pipeline-model-parallel-size 16',
      ),
      names: {
        batch_size: 1,
        global_batch_size: '?',
        num_devices: '?',
        gradient_accumulation: undefined,
        max_steps: 500_000,
        lr_schedule: 'cosine',
        warmup_ratio: 0.00086,
      },
    },
    {
      title: 'gpt_config.yaml: samples of a fixed batch are steps',
      file: 'gpt.yaml',
      text: 'language_model: { num_layers: 24, hidden_size: 1024, num_attention_heads: 16 }\nmodel_parallel: { tensor_model_parallel_size: 1, bf16: True }\nmicro_batch_size: 2\nglobal_batch_size: 128\noptimizer: adam\nlr: 2.5e-4\nlr_decay_style: cosine\nlr_decay_iters: null\nlr_decay_samples: 255126953\nlr_warmup_fraction: null\nlr_warmup_iters: 0\nlr_warmup_samples: 81381\nmin_lr: 2.5e-5\ntrain_iters: null\ntrain_samples: 268554688\n',
      names: { max_steps: 2_098_083, warmup_steps: 635, decay_steps: 1_993_179, hidden_size: 1024, precision: 'bf16' },
    },
    {
      title: 'model_config.yaml of its tests',
      file: 'model_config.yaml',
      text: 'MODEL_ARGS:\n  --num-layers: 12\n  --hidden-size: 512\n  --micro-batch-size: 4\n  --global-batch-size: 32\n  --train-iters: 100\n  --lr: 0.00015\n  --lr-decay-style: cosine\n  --lr-warmup-fraction: 0.01\n  --clip-grad: 1.0\n  --tensor-model-parallel-size: 1\n  --bf16: true\n',
      names: {
        batch_size: 4,
        global_batch_size: 32,
        max_steps: 100,
        learning_rate: 0.00015,
        warmup_ratio: 0.01,
        precision: 'bf16',
      },
    },
    {
      title: 'one argument a line, without a shell',
      file: 'arguments.txt',
      text: '--micro-batch-size 8\n--train-iters=50\n--lr 1e-3\n--lr-warmup-iters 5\n--seq-length 128\n',
      names: { batch_size: 8, max_steps: 50, warmup_steps: 5 },
      defaults: { gradient_accumulation: 1, lr_schedule: 'linear' },
    },
  ]);

  test.each([
    ['a condition', 'if [ $BIG = 1 ]; then\n  EXTRA="--lr 1e-3"\nfi\n', ''],
    ['two values', '', '--lr 1e-3 --lr 2e-3'],
    ['an argument of the script', '', '--lr $3'],
    ['the environment', '', '--lr ${LR:-1e-3}'],
    ['another program', '', '--lr $(cat lr.txt)'],
    ['a loop', 'for LR in 1e-3 1e-4; do\n', '--lr $LR'],
    ['a variable that changes', 'LR=1e-3\nLR=1e-4\n', '--lr $LR'],
    ['variables that refer to each other', 'A=$B\nB=$A\n', '--lr $A'],
  ])('a value that %s decides is not known', async (_, before, flags) => {
    const read = await readFileContent(
      'a.sh',
      `${before}python pretrain.py --train-iters 10 --lr-decay-style cosine --micro-batch-size 4 --seq-length 8 ${flags}\n`,
    );
    expect([read.data?.format, valuesOf(read, { learning_rate: 0 })]).toEqual(['megatron', { learning_rate: '?' }]);
    expect(read.codes).toContain('PV-7041');
  });

  test('what follows from an unknown value is not known either', async () => {
    const script = pretrain(
      '--micro-batch-size 4 --global-batch-size 32 --train-iters 10 --lr-decay-style cosine --lr-warmup-fraction .01 --lr-decay-iters $DECAY',
      '--tensor-model-parallel-size ${TP:-2}',
    );
    const read = await readFileContent('a.sh', script);
    const names = { num_devices: '?', gradient_accumulation: undefined, warmup_ratio: '?', decay_steps: '?' };
    expect(valuesOf(read, names)).toEqual(names);
    const twice = await readFileContent(
      'a.sh',
      `${pretrain('--micro-batch-size 4 --global-batch-size 32 --train-iters 10 --lr-decay-style cosine')}--micro-batch-size 8\n`,
    );
    expect(valuesOf(twice, { batch_size: '?', gradient_accumulation: 0 })).toEqual({
      batch_size: '?',
      gradient_accumulation: undefined,
    });
  });

  test('a slip, and GPT-NeoX', async () => {
    await refusesSlip('a.sh', pretrain('--train-iters 10 --lr-decay-style cosine --lr-warmup-itres 5'), 'warmup_steps');
    const neox = {
      pipe_parallel_size: 1,
      train_iters: 10,
      lr_decay_style: 'cosine',
      train_micro_batch_size_per_gpu: 4,
      seq_length: 8,
      num_layers: 2,
    };
    expect((await readFileContent('neox.json', JSON.stringify(neox))).data?.format).not.toBe('megatron');
  });
});

const wrapper =
  "optim_wrapper = dict(\n    type='OptimWrapper',\n    optimizer=dict(type='SGD', lr=0.02, momentum=0.9, weight_decay=0.0001))\n";
const warm = "dict(\n        type='LinearLR', start_factor=0.001, by_epoch=False, begin=0, end=500)";

describe('mmengine', () => {
  holds('mmengine', [
    {
      title: 'schedule_1x of mmdetection',
      file: 'schedule_1x.py',
      text: `# training schedule for 1x\ntrain_cfg = dict(type='EpochBasedTrainLoop', max_epochs=12, val_interval=1)\nparam_scheduler = [\n    ${warm},\n    dict(\n        type='MultiStepLR',\n        begin=0,\n        end=12,\n        by_epoch=True,\n        milestones=[8, 11],\n        gamma=0.1)\n]\n${wrapper}`,
      names: {
        num_epochs: 12,
        max_steps: undefined,
        warmup_steps: 500,
        lr_schedule: 'multistep',
        learning_rate: 0.02,
        momentum: 0.9,
        weight_decay: 1e-4,
        optimizer: 'SGD',
        precision: 'fp32',
        eval_interval: undefined,
      },
      defaults: { gradient_accumulation: 1 },
    },
    {
      title: 'a config of iterations in the new style: micro-batches are not steps',
      file: 'iters.py',
      text: 'from mmengine.optim import PolyLR\nwith read_base():\n    from .._base_.default_runtime import *\ntrain_dataloader = dict(batch_size=4)\noptim_wrapper = dict(\n    type=AmpOptimWrapper,\n    accumulative_counts=4,\n    optimizer=dict(\n        type=AdamW,\n        lr=5e-5,  # a comment, with (brackets\n        betas=(0.9, 0.999)))\nparam_scheduler = [\n    dict(type=LinearLR, start_factor=1e-6, by_epoch=False, begin=0, end=1500),\n    dict(type=PolyLR, eta_min=1e-6, power=1.0, begin=1500, end=80000, by_epoch=False)\n]\ntrain_cfg = dict(type=IterBasedTrainLoop, max_iters=80000, val_interval=2000)\ndefault_hooks = dict(\n    logger=dict(type=LoggerHook, interval=50),\n    checkpoint=dict(type=CheckpointHook, by_epoch=False, interval=2000))\n',
      names: {
        batch_size: 4,
        gradient_accumulation: 4,
        max_steps: 20_000,
        warmup_steps: 375,
        lr_schedule: 'polynomial',
        min_learning_rate: 1e-6,
        optimizer: 'AdamW',
        beta2: 0.999,
        precision: 'fp16',
        save_interval: 500,
        eval_interval: 500,
        log_interval: 50,
      },
    },
    {
      title: 'a shared dictionary, a cosine and a clipped norm, as BEV models have them',
      file: 'bev.py',
      text: `loader = dict(\n    batch_size=1,\n    num_workers=4,\n    drop_last=False)\ntrain_dataloader = dict(\n    **loader,\n    dataset=lyft_train)\ntotal = 24\nparam_scheduler = [\n    ${warm},\n    dict(type='CosineAnnealingLR', by_epoch=True, begin=0, end=total, T_max=total, eta_min_ratio=1e-3)\n]\noptim_wrapper = dict(type='OptimWrapper', optimizer=dict(type='AdamW', lr=2e-4 * 2), clip_grad=dict(max_norm=35, norm_type=2))\ntrain_cfg = {'max_epochs': total, 'val_interval': 2}\n`,
      names: {
        batch_size: 1,
        num_workers: 4,
        drop_last: false,
        num_epochs: 24,
        lr_schedule: 'cosine',
        min_lr_ratio: 1e-3,
        learning_rate: 4e-4,
        max_grad_norm: 35,
      },
    },
    {
      title: 'mmcv, before mmengine',
      file: 'mmcv.py',
      text: "optimizer = dict(type='SGD', lr=0.02, momentum=0.9, weight_decay=0.0001)\noptimizer_config = dict(grad_clip=None)\nlr_config = dict(\n    policy='step',\n    warmup='linear',\n    warmup_iters=500,\n    warmup_ratio=0.001,\n    step=[8, 11])\nrunner = dict(type='EpochBasedRunner', max_epochs=12)\ndata = dict(samples_per_gpu=2, workers_per_gpu=2)\n",
      names: {
        batch_size: 2,
        num_workers: 2,
        num_epochs: 12,
        learning_rate: 0.02,
        lr_schedule: 'multistep',
        warmup_steps: 500,
        warmup_ratio: undefined,
      },
    },
    {
      title: 'a warm-up of epochs, a rate that is scaled, and three schedulers',
      file: 'unknown.py',
      text: "param_scheduler = [\n    dict(type='QuadraticWarmupLR', begin=0, end=5),\n    dict(type='CosineAnnealingLR', begin=5, end=285),\n    dict(type='ConstantLR', begin=285, end=300)]\noptim_wrapper = dict(optimizer=dict(lr=0.01))\nauto_scale_lr = dict(enable=True, base_batch_size=64)\ntrain_dataloader = dict(batch_size=get_batch())\n",
      names: { warmup_steps: '?', lr_schedule: '?', learning_rate: '?', batch_size: '?' },
    },
  ]);

  test('a base decides what the file does not say, and a call what it may add', async () => {
    const base = await readFileContent('a.py', `_base_ = ['./x.py']\n${wrapper}default_scope = 'mmdet'\n`);
    expect([base.data?.format, base.data?.defaults?.size]).toEqual(['mmengine', 0]);
    const call = await readFileContent(
      'a.py',
      "default_scope = 'x'\noptim_wrapper = dict(optimizer=make(lr=0.1), **more)\n",
    );
    expect([call.value('learning_rate'), call.data?.defaults?.size]).toEqual([0.1, 0]);
  });

  test('a slip', () =>
    refusesSlip('a.py', `${wrapper}train_cfg = dict(max_epcohs=12, val_interval=1)\n`, 'num_epochs'));

  test('trees that repeat each other or go too deep are left out', async () => {
    const doubling = Array.from({ length: 60 }, (_, i) => `a${i + 1} = [a${i}, a${i}]\n`).join('');
    for (const text of [`a0 = [1]\n${doubling}`, `a = ${'['.repeat(5000)}1${']'.repeat(5000)}\n`]) {
      const read = await readFileContent('a.py', `lr = 0.1\n${text}`);
      expect([read.value('learning_rate'), read.codes.includes('PV-7035')]).toEqual([0.1, true]);
    }
  });
});

const titan = (training: string, more: string = ''): string =>
  `from torchtitan.trainer import Trainer\n\n\ndef llama3_8b() -> Trainer.Config:\n    """One run."""\n    model_spec = model_registry("8B")\n    return Trainer.Config(\n        hf_assets_path="./assets/hf/Llama-3.1-8B",\n        metrics=MetricsProcessor.Config(enable_tensorboard=True),\n        model_spec=model_spec,\n        training=TrainingConfig(\n            ${training}\n        ),\n        ${more}\n        checkpoint=CheckpointManager.Config(interval=500),\n        activation_checkpoint=ActivationCheckpointConfig(mode="selective"),\n        validator=Validator.Config(freq=500, steps=1200),\n    )\n`;

describe('torchtitan in Python', () => {
  holds('torchtitan', [
    {
      title: 'llama3_8b: the sections are those of its TOML',
      file: 'llama3_8b.py',
      text: titan(
        'local_batch_size=1,\n            seq_len=8192,\n            steps=1000,',
        'optimizer=OptimizersContainer.Config(lr=3e-4),',
      ),
      names: {
        batch_size: 1,
        seq_len: 8192,
        max_steps: 1000,
        learning_rate: 3e-4,
        save_interval: 500,
        eval_interval: 500,
        eval_steps: 1200,
      },
      defaults: { warmup_steps: 200, max_grad_norm: 1, beta2: 0.95, gradient_accumulation: 1 },
    },
    {
      title: 'groups of parameters, and a schedule',
      file: 'groups.py',
      text: titan(
        'local_batch_size=4, seq_len=BATCH, steps=10',
        'optimizer=OptimizersContainer.Config(param_groups=[ParamGroupConfig(pattern=r".*", optimizer_name="AdamW", optimizer_kwargs={"lr": 1e-3, "betas": BETAS, "eps": 1e-8})]), lr_scheduler=LRSchedulersContainer.Config(warmup_steps=2, decay_ratio=0.8, decay_type="cosine", min_lr_factor=0.1),',
      ),
      names: {
        learning_rate: 1e-3,
        epsilon: 1e-8,
        warmup_steps: 2,
        decay_ratio: 0.8,
        lr_schedule: 'cosine',
        min_lr_ratio: 0.1,
        seq_len: '?',
      },
    },
    {
      title: 'micro-batches in tokens, with the schedule beside the optimizer',
      file: 'tokens.py',
      text: titan(
        'num_tokens_per_microbatch_per_dp_rank=4 * 2048, max_context_length=2048, steps=1000',
        'optim=Optim.Config(optimizer=OptimizersContainer.Config(optimizers=[AdamW.Config(pattern=r".*", lr=2.2e-4)]), lr_scheduler=LRSchedulersContainer.Config(decay_type="cosine")),',
      ),
      names: { batch_size: 4, seq_len: 2048, learning_rate: 2.2e-4, lr_schedule: 'cosine' },
    },
  ]);

  test('what is handed in, and what a function makes, has no default', async () => {
    const text = titan('local_batch_size=1, steps=10', 'optimizer=default_adamw(lr=1e-3), lr_scheduler=make(),');
    const read = await readFileContent('a.py', text);
    expect([
      read.value('learning_rate'),
      read.data?.defaults?.has('weight_decay'),
      read.data?.defaults?.has('warmup_steps'),
    ]).toEqual([1e-3, false, false]);
    const betas = await readFileContent(
      'a.py',
      titan('local_batch_size=1, steps=10', 'optimizer=O.Config(param_groups=[G(optimizer_kwargs={"betas": B})]),'),
    );
    expect(betas.data?.defaults?.has('beta2')).toBe(false);
  });

  test.each([
    ['two configs', `${titan('steps=1')}\n\ndef other() -> Trainer.Config:\n    return Trainer.Config()\n`],
    [
      'a config that changes afterwards',
      'def f():\n    config = base()\n    config.training.steps = 5\n    return config\n',
    ],
    ['a config under a condition', 'def f(x):\n    if x:\n        return A(b=1)\n    return A(b=2)\n'],
    ['nothing that can be read', 'def f():\n    return base()\n'],
  ])('%s is refused', async (_, text) => {
    const read = await readFileContent('a.py', text);
    expect([read.data, read.codes.includes('PV-7016')]).toEqual([null, true]);
  });

  test('a dataclass gives its fields', async () => {
    const text =
      '@dataclass\nclass Config:\n    """A run."""\n    name: str\n    learning_rate: float = 3e-4\n    batch_size: int = 8  # sequences\n';
    const read = await readFileContent('a.py', text);
    expect([read.data?.format, read.value('learning_rate'), read.value('batch_size')]).toEqual(['plain', 3e-4, 8]);
  });
});

const archive = (optimizer: object, className: string = 'Adam'): string =>
  JSON.stringify({
    module: 'keras',
    class_name: 'Sequential',
    config: {
      name: 'sequential',
      trainable: true,
      layers: [{ class_name: 'Dense', config: { units: 10, dropout: 0.5 } }],
    },
    registered_name: null,
    build_config: { input_shape: [null, 4] },
    compile_config: {
      optimizer: { module: 'keras.optimizers', class_name: className, config: optimizer, registered_name: null },
      loss: 'mse',
      metrics: ['mae'],
      jit_compile: false,
    },
  });

const cosine = (config: object): object => ({
  module: 'keras.optimizers.schedules',
  class_name: 'CosineDecay',
  config: { decay_steps: 1000, alpha: 0.1, ...config },
  registered_name: null,
});

describe('Keras', () => {
  holds('keras', [
    {
      title: 'config.json of an archive: the optimizer, and nothing of fit',
      file: 'config.json',
      text: archive({
        name: 'adam',
        learning_rate: 0.001,
        weight_decay: null,
        clipnorm: null,
        global_clipnorm: 1.0,
        gradient_accumulation_steps: null,
        beta_1: 0.9,
        beta_2: 0.999,
        epsilon: 1e-7,
      }),
      names: {
        learning_rate: 0.001,
        optimizer: 'Adam',
        gradient_accumulation: 1,
        max_grad_norm: 1,
        beta2: 0.999,
        epsilon: 1e-7,
        weight_decay: undefined,
        batch_size: undefined,
        num_epochs: undefined,
      },
    },
    {
      title: 'a cosine with a warm-up: the target is the peak, and the decay follows the warm-up',
      file: 'config.json',
      text: archive(
        { learning_rate: cosine({ initial_learning_rate: 0, warmup_target: 0.01, warmup_steps: 100 }), clipnorm: 1 },
        'AdamW',
      ),
      names: {
        learning_rate: 0.01,
        lr_schedule: 'cosine',
        warmup_steps: 100,
        decay_steps: 1100,
        min_lr_ratio: 0.1,
        max_grad_norm: '?',
      },
    },
    {
      title: 'a cosine without one',
      file: 'config.json',
      text: archive(
        {
          learning_rate: cosine({ initial_learning_rate: 0.1, warmup_target: null, warmup_steps: 0 }),
          momentum: 0.9,
          gradient_accumulation_steps: 4,
        },
        'SGD',
      ),
      names: { learning_rate: 0.1, decay_steps: 1000, momentum: 0.9, gradient_accumulation: 4, warmup_steps: 0 },
    },
    {
      title: 'training_config of Keras 2',
      file: 'training.json',
      text: JSON.stringify({
        optimizer_config: { class_name: 'Adam', config: { lr: 5e-4, beta_1: 0.9, epsilon: 1e-7 } },
        loss: 'mse',
        metrics: [],
      }),
      names: { learning_rate: 5e-4, optimizer: 'Adam' },
    },
    {
      title: 'to_json has no training in it',
      file: 'model.json',
      text: JSON.stringify({
        class_name: 'Sequential',
        config: { name: 's', layers: [] },
        keras_version: '2.3.1',
        backend: 'tensorflow',
      }),
      names: { learning_rate: undefined, batch_size: undefined },
    },
  ]);
});
