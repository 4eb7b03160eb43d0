/**
 * detectron2 configs (facebookresearch/detectron2, `detectron2/config/defaults.py`): YAML for yacs, with names in capitals.
 *
 * `SOLVER.IMS_PER_BATCH` is the batch of all devices, so it is counted as that of one.
 */
import {
  isOn,
  numberOf,
  pretrainedFrom,
  scoreOf,
  wholeBatch,
  type ConfigFormat,
  type KeyRule,
  type Marks,
} from './config-format.ts';
import { detectron2Irrelevant } from './irrelevant/detectron2.ts';

/** maskrcnn-benchmark (`MODEL.WEIGHT`) and fast-reid (`SOLVER.MAX_EPOCH`) have sections of these names and other defaults. */
const marks: Marks = {
  own: [
    'SOLVER.IMS_PER_BATCH',
    'SOLVER.MAX_ITER',
    'SOLVER.CHECKPOINT_PERIOD',
    'SOLVER.LR_SCHEDULER_NAME',
    'MODEL.META_ARCHITECTURE',
    'MODEL.WEIGHTS',
    'MODEL.MASK_ON',
    'MODEL.RESNETS.DEPTH',
    'MODEL.ROI_HEADS.',
    'TEST.EVAL_PERIOD',
  ],
  shared: ['SOLVER.BASE_LR', 'SOLVER.STEPS', 'DATASETS.TRAIN', 'DATASETS.TEST', 'INPUT.', '_BASE_', 'VERSION'],
  foreign: [
    'MODEL.WEIGHT',
    'MODEL.BACKBONE.CONV_BODY',
    'MODEL.RPN.USE_FPN',
    'SOLVER.MAX_EPOCH',
    'SOLVER.MAX_EPOCHS',
    'SOLVER.NUM_EPOCHS',
  ],
  least: { own: 1, all: 3 },
};

/** `detectron2/solver/build.py`: the rate falls in steps, or along a cosine to the last iteration. */
const schedule: KeyRule = {
  key: 'SOLVER.LR_SCHEDULER_NAME',
  read: ({ value }) => {
    if (value === 'WarmupCosineLR') return 'cosine';
    return typeof value === 'string' ? value.replace('WarmupMultiStepLR', 'multistep') : undefined;
  },
};

/** `value` and `norm` clip each parameter by itself; projects add `full_model` for the global norm. */
const clipping: KeyRule = {
  key: 'SOLVER.CLIP_GRADIENTS.CLIP_VALUE',
  read: (scalar, other) => {
    const enabled = other('SOLVER.CLIP_GRADIENTS.ENABLED');
    if (enabled?.unread !== undefined || (enabled === null && other('_BASE_') !== null))
      return { because: 'it is not known whether it is on' };
    if (!isOn(enabled)) return 0;
    return other('SOLVER.CLIP_GRADIENTS.CLIP_TYPE')?.value === 'full_model'
      ? (numberOf(scalar) ?? undefined)
      : { because: 'it clips each parameter by itself, not the global norm' };
  },
};

const clippingOff: KeyRule = {
  key: 'SOLVER.CLIP_GRADIENTS.ENABLED',
  read: (scalar) => (isOn(scalar) ? { because: 'it clips each parameter by itself, not the global norm' } : 0),
};

/** 0 and less mean "never", and a random seed. */
const positive = (key: string): KeyRule => ({
  key,
  read: (scalar) => ((numberOf(scalar) ?? 1) > 0 ? (scalar.value ?? undefined) : undefined),
});

/** Recognised by the names of its sections `SOLVER` and `MODEL`. */
export const detectron2: ConfigFormat = {
  name: 'detectron2',
  title: 'detectron2 configs',
  syntaxes: ['yaml', 'json'],
  recognised:
    'three keys of the sections SOLVER, MODEL, DATASETS and TEST, one of which only it has, such as SOLVER.IMS_PER_BATCH, MODEL.WEIGHTS, TEST.EVAL_PERIOD',
  score: (keys) => 10 * scoreOf(keys, marks),
  marks,
  keys: {
    ...wholeBatch('SOLVER.IMS_PER_BATCH'),
    gradient_accumulation: [
      { key: 'SOLVER.IMS_PER_BATCH', read: (scalar) => (numberOf(scalar) === null ? undefined : 1) },
    ],
    max_steps: ['SOLVER.MAX_ITER'],
    learning_rate: ['SOLVER.BASE_LR'],
    min_learning_rate: ['SOLVER.BASE_LR_END'],
    lr_schedule: [schedule],
    warmup_steps: ['SOLVER.WARMUP_ITERS'],
    optimizer: ['SOLVER.OPTIMIZER'],
    momentum: ['SOLVER.MOMENTUM'],
    weight_decay: ['SOLVER.WEIGHT_DECAY'],
    max_grad_norm: [clipping, clippingOff],
    precision: [{ key: 'SOLVER.AMP.ENABLED', read: (scalar) => (isOn(scalar) ? 'fp16' : 'fp32') }],
    num_workers: ['DATALOADER.NUM_WORKERS'],
    seed: [positive('SEED')],
    save_interval: ['SOLVER.CHECKPOINT_PERIOD'],
    eval_interval: [positive('TEST.EVAL_PERIOD')],
    from_scratch: [pretrainedFrom('MODEL.WEIGHTS')],
  },
  irrelevant: detectron2Irrelevant,
  // detectron2/config/defaults.py: `_C.SOLVER`, `_C.DATALOADER`; solver/build.py: CLIP_GRADIENTS is off.
  defaults: {
    of: 'detectron2',
    values: {
      batch_size: { value: 16 },
      gradient_accumulation: { value: 1 },
      num_devices: { value: 1 },
      global_batch_size: { value: 16 },
      max_steps: { value: 40_000 },
      learning_rate: { value: 0.001 },
      lr_schedule: { value: 'multistep' },
      warmup_steps: { value: 1000 },
      optimizer: { value: 'SGD' },
      momentum: { value: 0.9 },
      weight_decay: { value: 0.0001 },
      max_grad_norm: { value: 0 },
      precision: { value: 'fp32' },
      num_workers: { value: 4 },
      save_interval: { value: 5000 },
    },
  },
};
