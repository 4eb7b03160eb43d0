/** The hyperparameters that an optimizer was saved with are those from which the Trainer builds it. A load takes the saved ones. */
import type { Checkpoint, ParameterGroup } from '../checkpoint.ts';
import type { Details } from './check.ts';

/** By the name of the group's setting. */
const sameInAll = [
  ['betas.0', 'adam_beta1'],
  ['betas.1', 'adam_beta2'],
  ['eps', 'adam_epsilon'],
] as const;

/**
 * What differs; null if nothing does. A run may have an optimizer of its own, which the settings do not describe: only one that looks
 * like the Trainer's is compared, an AdamW of two groups, of which the second has no weight decay.
 */
export function settingsApart({ optimizer, settings, scheduler }: Checkpoint): Details | null {
  const groups = optimizer?.groups ?? [];
  const optim = settings.get('optim');
  const isTrainers = typeof optim === 'string' && optim.startsWith('adamw') && !settings.get('optim_args');
  if (!isTrainers || groups.length !== 2 || !groups.every(({ isAdam }) => isAdam)) return null;
  if ((scheduler?.kind ?? 'LambdaLR') !== 'LambdaLR') return null;
  for (const [key, setting] of sameInAll) {
    const [expected, actual] = [settings.get(setting), groups.map((group) => group.settings?.get(key))];
    if (typeof expected === 'number' && actual.some((value) => typeof value === 'number' && value !== expected))
      return apart(`${setting} ${expected}`, `${key.replace('.', ' ')} ${actual.join(', ')}`);
  }
  if (groups.some((group) => group.settings?.get('maximize') === true))
    return apart('an optimizer that minimizes the loss', 'maximize True');
  return decayApart(groups, settings.get('weight_decay'));
}

function decayApart(groups: readonly ParameterGroup[], expected: unknown): Details | null {
  const decays = groups.map((group) => group.settings?.get('weight_decay'));
  if (typeof expected !== 'number' || !decays.every((decay) => typeof decay === 'number')) return null;
  const isAsBuilt = decays.includes(expected) && decays.every((decay) => decay === 0 || decay === expected);
  return isAsBuilt ? null : apart(`weight_decay ${expected}`, `weight_decay ${decays.join(', ')}`);
}

const apart = (expected: string, actual: string): Details => ({
  expected: `${expected} (training_args.bin)`,
  actual: `${actual} in the groups of the optimizer`,
  why: 'the optimizer was changed after the run had built it, or the run has one of its own; a resume goes on with the saved values',
  fix: 'Check which values the run has used.',
});
