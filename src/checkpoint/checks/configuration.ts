/**
 * The configuration of the resumed run against the one that the checkpoint was trained with. A schedule of another length or peak
 * changes every later learning rate; another batch size changes what a step is.
 */
import { ok } from '../../base/result.ts';
import type { Checkpoint, Setting } from '../checkpoint.ts';
import { critical, notChecked, pass, warn, type Check, type Finding } from './check.ts';

const name = 'configuration';

/** Settings from which the Trainer rebuilds the schedule. */
const ofSchedule = [
  'learning_rate',
  'lr_scheduler_type',
  'warmup_steps',
  'warmup_ratio',
  'max_steps',
  'num_train_epochs',
];

/** Settings that may change on purpose, as on other hardware, but not without being noticed. */
const others = [
  'per_device_train_batch_size',
  'gradient_accumulation_steps',
  'optim',
  'weight_decay',
  'adam_beta1',
  'adam_beta2',
  'adam_epsilon',
  'max_grad_norm',
  'fp16',
  'bf16',
  'seed',
  'data_seed',
];

export const configuration: Check = ({ settings }, { config }) => ok(config === null ? null : judge(settings, config));

function judge(saved: Checkpoint['settings'], config: ReadonlyMap<string, Setting>): Finding {
  const compared = [...ofSchedule, ...others].filter((key) => saved.has(key) && config.has(key));
  if (compared.length === 0)
    return notChecked(
      name,
      'the file has none of the settings of training_args.bin, such as learning_rate, at its top level',
    );
  const changed = compared.filter((key) => !isSame(saved.get(key), config.get(key)));
  const shown = changed.length > 0 ? changed : compared;
  const list = (from: ReadonlyMap<string, Setting>): string => shown.map((key) => `${key} ${from.get(key)}`).join(', ');
  const details = { expected: list(saved), actual: list(config) };
  if (changed.length === 0) return pass(name, details);
  const [was, is] = [saved.get('optim'), config.get('optim')];
  // All kinds of AdamW read each other's states; AdamW and SGD do not.
  if (changed.includes('optim') && !(isAdamW(was) && isAdamW(is)))
    return critical(name, {
      ...details,
      why: 'the state of the optimizer is that of another one: it cannot be loaded, or is of no use to it',
      fix: 'Resume with the optimizer of the run. To train on with another, start a new run from the weights alone.',
    });
  if (!changed.some((key) => ofSchedule.includes(key)))
    return warn(name, {
      ...details,
      why: 'the checkpoint was trained with other settings; a resumed run behaves differently for some hundred steps, or for good',
      fix: 'Keep the settings of the run, or expect a jump of the loss.',
    });
  return critical(name, {
    ...details,
    why: 'the schedule of the resumed run is another one, so every learning rate after this step changes',
    fix: 'Resume with the settings of the run. To train on with others, start a new run from the weights alone.',
  });
}

const isAdamW = (optim: Setting | undefined): boolean => typeof optim === 'string' && optim.startsWith('adamw');

/** Numbers in YAML may be text: PyYAML reads 2e-5 as a string, which the Trainer converts. */
function isSame(saved: Setting | undefined, given: Setting | undefined): boolean {
  if (saved === given) return true;
  return typeof saved === 'number' && typeof given === 'string' && given.trim() !== '' && Number(given) === saved;
}
