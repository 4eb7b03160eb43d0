/**
 * Keras models as `config.json` of a `.keras` archive says them (keras-team/keras, `keras/src/saving`), `model.to_json()`, and
 * the `training_config` of Keras 2. They hold the optimizer; epochs and the batch are arguments of `fit`, which Keras does not
 * save.
 */
import { isOn, numberOf, scoreOf, type ConfigFormat, type KeyRule, type Marks } from './config-format.ts';
import { kerasIrrelevant } from './irrelevant/keras.ts';

const marks: Marks = {
  own: [
    'compile_config.optimizer.class_name',
    'compile_config.optimizer.module',
    'build_config.',
    'keras_version',
    'training_config.optimizer_config.class_name',
    'optimizer_config.class_name',
  ],
  shared: ['class_name', 'module', 'registered_name', 'backend', 'config.name', 'config.layers[0].class_name', 'loss'],
  least: { own: 1, all: 2 },
};

const outer = ['compile_config.optimizer', 'training_config.optimizer_config', 'optimizer_config'];
/** `LossScaleOptimizer` scales the loss of the one in it. */
const optimizers = ['compile_config.optimizer.config.inner_optimizer', ...outer];
const inOptimizer = (key: string): readonly string[] => optimizers.map((section) => `${section}.${key}`);
const schedules = inOptimizer('config.learning_rate');
const inSchedule = (key: string): readonly string[] => schedules.map((section) => `${section}.config.${key}`);

/** With a warm-up the rate climbs from the initial one to `warmup_target` (`CosineDecay`). */
const peak = (section: string): readonly KeyRule[] => [
  { key: `${section}.config.warmup_target`, read: ({ value }) => value ?? undefined },
  {
    key: `${section}.config.initial_learning_rate`,
    read: (scalar, other) =>
      (other(`${section}.config.warmup_target`)?.value ?? null) === null ? (scalar.value ?? undefined) : undefined,
  },
];

const shapes: ReadonlyMap<string, string> = new Map([
  ['CosineDecay', 'cosine'],
  ['CosineDecayRestarts', 'cosine_with_restarts'],
  ['PolynomialDecay', 'polynomial'],
  ['ExponentialDecay', 'exponential'],
  ['PiecewiseConstantDecay', 'multistep'],
]);

/** Of the schedules, only a cosine and a polynomial that does not cycle end; the decay of a cosine begins after its warm-up. */
const decay = (section: string): KeyRule => ({
  key: `${section}.config.decay_steps`,
  read: (scalar, other) => {
    const steps = numberOf(scalar);
    const ends =
      /^(?:CosineDecay|PolynomialDecay)$/.test(String(other(`${section}.class_name`)?.value)) &&
      !isOn(other(`${section}.config.cycle`));
    return steps === null || !ends ? undefined : steps + (numberOf(other(`${section}.config.warmup_steps`)) ?? 0);
  },
});

/** `clipnorm` clips each variable by itself. */
const clipped = (key: string): KeyRule => ({
  key,
  read: ({ value }) => (value === null ? undefined : { because: 'it clips each variable by itself' }),
});

/** A polynomial is a line unless its power says otherwise. */
const shape = (section: string): KeyRule => ({
  key: `${section}.class_name`,
  read: ({ value }, other) => {
    if (typeof value !== 'string') return undefined;
    const isLine = value === 'PolynomialDecay' && (numberOf(other(`${section}.config.power`)) ?? 1) === 1;
    return isLine && !isOn(other(`${section}.config.cycle`)) ? 'linear' : (shapes.get(value) ?? value);
  },
});

/** Null means that every batch is a step. */
const accumulation = (key: string): KeyRule => ({ key, read: ({ value }) => value ?? 1 });

/** Recognised by how Keras writes objects: a module, a class and a config. */
export const keras: ConfigFormat = {
  name: 'keras',
  title: 'configs of Keras models',
  syntaxes: ['json', 'yaml'],
  recognised: 'a key that only it has and another, such as compile_config.optimizer, build_config, keras_version',
  score: (keys) => 3 * scoreOf(keys, marks),
  marks,
  keys: {
    gradient_accumulation: inOptimizer('config.gradient_accumulation_steps').map(accumulation),
    learning_rate: [...schedules.flatMap(peak), ...schedules, ...inOptimizer('config.lr')],
    min_learning_rate: inSchedule('end_learning_rate'),
    min_lr_ratio: inSchedule('alpha'),
    lr_schedule: schedules.map(shape),
    warmup_steps: inSchedule('warmup_steps'),
    decay_steps: schedules.map(decay),
    optimizer: [...inOptimizer('class_name'), ...outer],
    weight_decay: inOptimizer('config.weight_decay'),
    beta1: inOptimizer('config.beta_1'),
    beta2: inOptimizer('config.beta_2'),
    epsilon: inOptimizer('config.epsilon'),
    momentum: inOptimizer('config.momentum'),
    max_grad_norm: [...inOptimizer('config.global_clipnorm'), ...inOptimizer('config.clipnorm').map(clipped)],
  },
  irrelevant: kerasIrrelevant,
  // keras/src/trainers/data_adapters: the last batch of an epoch may be smaller. What an optimizer takes is all in its config.
  defaults: { of: 'Keras', values: { drop_last: { value: false } } },
};
