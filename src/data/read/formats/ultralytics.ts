/**
 * Ultralytics settings (ultralytics/ultralytics, `ultralytics/cfg/default.yaml`), and `args.yaml`, which every run writes.
 *
 * `batch` is the batch of all devices (`engine/trainer.py` divides it by the world size), so it is counted as that of one.
 */
import {
  isOn,
  numberOf,
  scoreOf,
  wholeBatch,
  type ConfigFormat,
  type KeyRule,
  type Marks,
  type Other,
} from './config-format.ts';
import { ultralyticsIrrelevant } from './irrelevant/ultralytics.ts';

/** YOLOv5 has hyperparameters of the same names, beside ones that Ultralytics rejects. */
const marks: Marks = {
  own: [
    'imgsz',
    'lr0',
    'lrf',
    'warmup_bias_lr',
    'warmup_momentum',
    'close_mosaic',
    'cos_lr',
    'nbs',
    'overlap_mask',
    'mask_ratio',
    'single_cls',
    'save_period',
    'hsv_h',
    'mosaic',
    'fliplr',
  ],
  shared: ['epochs', 'batch', 'task', 'mode', 'model', 'data', 'patience', 'workers', 'warmup_epochs', 'amp', 'device'],
  foreign: ['hyp', 'hyp.', 'anchor_t', 'obj_pw', 'iou_t', 'fl_gamma', 'batch_size', 'weights'],
  least: { own: 2, all: 4 },
};

/** Python's round: halves go to the even neighbour. */
function rounded(x: number): number {
  const below = Math.floor(x);
  return x - below === 0.5 ? below + (below % 2) : Math.round(x);
}

/**
 * `max(round(nbs / batch), 1)` micro-batches, to which the number grows from 1 in the warm-up (`engine/trainer.py`, since 8.0).
 */
function accumulation(other: Other): number | { readonly because: string } | undefined {
  if ([other('nbs'), other('batch')].some((scalar) => scalar?.unread !== undefined))
    return { because: 'the batch is not known' };
  const [nominal, batch] = [numberOf(other('nbs')) ?? 64, numberOf(other('batch')) ?? 16];
  if (batch <= 0) return undefined;
  const count = Math.max(rounded(nominal / batch), 1);
  if (count === 1 || numberOf(other('warmup_epochs')) === 0) return count;
  return { because: `it grows from 1 to ${count} in the warm-up` };
}

/** Below 1 the batch is a part of the memory, and -1 lets the trainer find one. */
const batchKeys = ((): ReturnType<typeof wholeBatch> => {
  const { num_devices } = wholeBatch('batch');
  const batch: KeyRule = {
    key: 'batch',
    read: (scalar) => {
      const size = numberOf(scalar);
      if (size !== null && size < 1) return { because: 'the trainer looks for a batch that fits the memory' };
      return scalar.value ?? undefined;
    },
  };
  return { batch_size: [batch], global_batch_size: [batch], ...(num_devices ? { num_devices } : {}) };
})();

/** `optimizer: auto` chooses the optimizer, its rate and its momentum, and ignores lr0 and momentum. */
const unlessAuto = (key: string): KeyRule => ({
  key,
  read: (scalar, other) =>
    other('optimizer')?.value === 'auto' ? { because: 'optimizer: auto replaces it' } : (scalar.value ?? undefined),
});

const hasNoAuto = (other: Other): boolean => {
  const optimizer = other('optimizer');
  return optimizer !== null && optimizer.value !== 'auto';
};

/** An epoch has as many batches as the data make; some releases warm up for at least 100. */
const warmup: KeyRule = {
  key: 'warmup_epochs',
  read: (scalar) => (numberOf(scalar) === 0 ? 0 : { because: 'it counts epochs, not steps' }),
};

/** Recognised by its names of hyperparameters. */
export const ultralytics: ConfigFormat = {
  name: 'ultralytics',
  title: 'Ultralytics YOLO settings',
  syntaxes: ['yaml', 'json'],
  recognised: 'two keys that only it has and two others, such as imgsz, lr0, lrf, close_mosaic, beside epochs, batch',
  score: (keys) => scoreOf(keys, marks),
  marks,
  keys: {
    ...batchKeys,
    gradient_accumulation: [
      { key: 'nbs', read: (_, other) => accumulation(other) },
      { key: 'batch', read: (_, other) => accumulation(other) },
    ],
    num_epochs: [
      {
        key: 'epochs',
        read: ({ value }, other) =>
          (other('time')?.value ?? null) === null ? (value ?? undefined) : { because: 'time ends the run instead' },
      },
    ],
    learning_rate: [unlessAuto('lr0')],
    min_lr_ratio: ['lrf'],
    lr_schedule: [{ key: 'cos_lr', read: (scalar) => (isOn(scalar) ? 'cosine' : 'linear') }],
    warmup_steps: [warmup],
    optimizer: [{ key: 'optimizer', read: ({ value }) => (value === 'auto' ? undefined : (value ?? undefined)) }],
    momentum: [unlessAuto('momentum')],
    weight_decay: ['weight_decay'],
    label_smoothing: ['label_smoothing'],
    dropout: ['dropout'],
    num_workers: ['workers'],
    // The part of the images that is not used.
    val_set_size: [
      {
        key: 'fraction',
        read: (scalar) => {
          const part = numberOf(scalar);
          if (part === null) return undefined;
          return part > 1 ? { because: 'it counts images' } : 1 - part;
        },
      },
    ],
    precision: [
      {
        key: 'amp',
        read: (scalar) => (typeof scalar.value === 'string' ? scalar.value : isOn(scalar) ? 'fp16' : 'fp32'),
      },
    ],
    patience: [
      { key: 'patience', read: (scalar) => (numberOf(scalar) === 0 ? undefined : (scalar.value ?? undefined)) },
    ],
    seed: ['seed'],
    from_scratch: [
      { key: 'pretrained', read: ({ value }) => (typeof value === 'string' ? false : undefined) },
      { key: 'model', read: ({ value }) => (typeof value === 'string' && value.endsWith('.pt') ? false : undefined) },
    ],
  },
  irrelevant: ultralyticsIrrelevant,
  // ultralytics/cfg/default.yaml, the same from 8.0 on. patience and optimizer changed, and with them the rate.
  defaults: {
    of: 'Ultralytics',
    values: {
      batch_size: { value: 16 },
      num_devices: { value: 1 },
      num_epochs: { value: 100, unless: ['time'] },
      learning_rate: { value: 0.01, when: hasNoAuto },
      min_lr_ratio: { value: 0.01 },
      lr_schedule: { value: 'linear' },
      weight_decay: { value: 0.0005 },
      num_workers: { value: 8 },
      val_set_size: { value: 0 },
      seed: { value: 0 },
    },
  },
};
