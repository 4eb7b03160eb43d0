/**
 * A single file of `torch.save`: a Lightning `.ckpt`, or the dict of a plain PyTorch loop, whose keys follow a few customKeys. What no
 * custom covers is listed, never guessed.
 *
 * Source: Lightning 2.x, trainer/connectors/checkpoint_connector.py (`dump_checkpoint`); PyTorch's tutorial "Saving and loading a
 * general checkpoint".
 */
import type { Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import { entriesOf, isPickled, itemsOf, type Pickled } from '../../pickle/pickled.ts';
import { fileName, type CheckpointFiles, type OpenedTorch } from '../checkpoint-files.ts';
import type { Checkpoint, OptimizerState, Position, SchedulerState, Setting, StoredTensor } from '../checkpoint.ts';
import { checksummedParts, refusedBy } from './opened-files.ts';
import { tensorsIn } from './tensors-in.ts';
import { optimizersIn, together } from './optimizers.ts';
import { schedulerState } from './training-state.ts';

type Entries = ReadonlyMap<Pickled, Pickled>;

/** Keys by custom, the surest first. */
export const customKeys = {
  weights: ['state_dict', 'model_state_dict', 'model', 'module', 'model_state', 'net', 'network', 'weights', 'params'],
  optimizer: ['optimizer_states', 'optimizer_state_dict', 'optimizer', 'optimizer_state', 'optim', 'opt', 'optimizers'],
  scheduler: [
    'lr_schedulers',
    'scheduler_state_dict',
    'lr_scheduler_state_dict',
    'scheduler',
    'lr_scheduler',
    'scheduler_state',
    'schedulers',
  ],
  scaler: [
    'scaler',
    'scaler_state_dict',
    'grad_scaler',
    'amp_scaler',
    'MixedPrecision',
    'MixedPrecisionPlugin',
    'NativeMixedPrecisionPlugin',
  ],
  random: ['rng_state', 'rng_states', 'random_state', 'rng'],
  step: ['global_step', 'step', 'iteration', 'iter', 'global_steps', 'iterations', 'steps'],
  epoch: ['epoch', 'epochs'],
  settings: ['hyper_parameters', 'args', 'config', 'hparams', 'cfg'],
} as const;

const find = (entries: Entries, keys: readonly string[]): readonly [key: string, value: Pickled] | null => {
  const key = keys.find((one) => entries.get(one) !== undefined && entries.get(one) !== null);
  return key === undefined ? null : [key, entries.get(key) ?? null];
};

/** Reads the file; a problem names what is malformed in it. */
export async function readSavedDict(files: CheckpointFiles, name: string): Promise<Result<Checkpoint, Problem>> {
  const torch = await files.torch(name);
  if (!torch.ok) return torch;
  const opened = torch.value;
  const root = opened?.file.pickle.value ?? null;
  const entries: Entries = entriesOf(root) ?? new Map();
  const saved = await readOptimizers(opened, name, entries);
  if (!saved.ok) return saved;
  const tensors = sorted(opened, name, root, saved.value?.key ?? null);
  if (!tensors.ok) return tensors;
  const described = describedBy(entries);
  const optimizers = saved.value?.optimizers ?? [];
  return ok({
    ...described,
    format: described.versions.has('pytorch-lightning') ? 'Lightning checkpoint' : 'file of torch.save',
    log: [],
    ...(severalOf(entries, described.position, optimizers) ?? { optimizer: optimizers[0] ?? null }),
    ...tensors.value,
    files: files.names,
    missingWeights: [],
    checksums: checksummedParts(files),
    name: fileName(files.path),
    refused: refusedBy(files),
  });
}

/** What the keys of a saved dict say besides its tensors. */
export function describedBy(
  entries: Entries,
): Pick<Checkpoint, 'position' | 'settings' | 'scheduler' | 'randomStates' | 'lossScale' | 'versions'> {
  const position = positionOf(entries);
  const scale = entriesOf(find(entries, customKeys.scaler)?.[1])?.get('scale');
  return {
    position,
    settings: settingsOf(entries),
    scheduler: schedulerOf(only(find(entries, customKeys.scheduler)?.[1] ?? null), entries, position),
    randomStates: randomStatesOf(entries),
    lossScale: typeof scale === 'number' ? scale : null,
    versions: versionsOf(entries),
  };
}

const wholeNumber = (value: Pickled | undefined): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;

function positionOf(entries: Entries): Position | null {
  const globalStep = wholeNumber(find(entries, customKeys.step)?.[1]);
  const epoch = find(entries, customKeys.epoch)?.[1];
  return globalStep === null ? null : { globalStep, epoch: typeof epoch === 'number' ? epoch : null, maxSteps: null };
}

/** The one item of a list of one, as Lightning writes; anything else as it is. */
const only = (value: Pickled): Pickled => {
  const items = itemsOf(value);
  return items?.length === 1 ? (items[0] ?? null) : value;
};

/** The optimizers under the customary key; null without such a key. */
async function readOptimizers(
  opened: OpenedTorch | null,
  file: string,
  entries: Entries,
): Promise<Result<{ readonly key: string; readonly optimizers: readonly OptimizerState[] } | null, Problem>> {
  const [key, saved = null] = find(entries, customKeys.optimizer) ?? [];
  if (key === undefined || opened === null) return ok(null);
  const optimizers = await optimizersIn(opened, file, key, saved);
  return optimizers.ok ? ok({ key, optimizers: optimizers.value }) : optimizers;
}

/** Null unless there are several optimizers. */
function severalOf(entries: Entries, position: Position | null, optimizers: readonly OptimizerState[]) {
  if (optimizers.length < 2) return null;
  const saved = find(entries, customKeys.scheduler)?.[1] ?? null;
  const all =
    itemsOf(saved) ??
    (entriesOf(saved)?.has('last_epoch') === true ? [saved] : [...(entriesOf(saved)?.values() ?? [])]);
  const schedulers = all.flatMap((state) => schedulerOf(state, entries, position) ?? []);
  return { optimizer: together(optimizers), scheduler: null, several: { optimizers, schedulers } };
}

/** A scheduler that was stepped once an epoch has the epoch's count, or one more at an epoch's end. */
function schedulerOf(saved: Pickled, entries: Entries, position: Position | null): SchedulerState | null {
  const state = schedulerState(saved);
  if (state === null) return null;
  const epoch = wholeNumber(find(entries, customKeys.epoch)?.[1]);
  const ofEpoch = epoch !== null && (state.lastEpoch === epoch || state.lastEpoch === epoch + 1);
  return { ...state, countsEpochs: ofEpoch && state.lastEpoch !== position?.globalStep };
}

/** Tensors under the key of the weights, and all others; the optimizer has its own. */
function sorted(
  opened: OpenedTorch | null,
  file: string,
  root: Pickled,
  optimizerKey: string | null,
): Result<{ readonly weights: readonly StoredTensor[]; readonly others: readonly StoredTensor[] }, Problem> {
  if (opened === null) return ok({ weights: [], others: [] });
  const entries = entriesOf(root);
  for (const key of customKeys.weights) {
    const value = entries?.get(key);
    const weights = value === undefined ? ok([]) : tensorsIn(opened, file, value);
    if (!weights.ok) return weights;
    if (weights.value.length === 0) continue;
    const rest = new Map([...(entries ?? [])].filter(([one]) => one !== key && one !== optimizerKey));
    const others = tensorsIn(opened, file, { kind: 'dict', entries: rest });
    return others.ok ? ok({ weights: weights.value, others: others.value }) : others;
  }
  const rest = optimizerKey === null ? root : { kind: 'dict' as const, entries: new Map(entries) };
  if (isPickled(rest, 'dict') && optimizerKey !== null) rest.entries.delete(optimizerKey);
  const all = tensorsIn(opened, file, rest);
  // An optimizer without weights next to it: what else is there need not be weights.
  return all.ok
    ? ok(optimizerKey === null ? { weights: all.value, others: [] } : { weights: [], others: all.value })
    : all;
}

const isSetting = (value: Pickled | undefined): value is Setting =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Scalars of the dict itself, and of the hyperparameters in it, as a dict or as an `argparse.Namespace`. */
function settingsOf(entries: Entries): ReadonlyMap<string, Setting> {
  const saved = find(entries, customKeys.settings)?.[1];
  const inner = entriesOf(isPickled(saved, 'call') && isPickled(saved.state, 'dict') ? saved.state : saved);
  const scalars = [...entries, ...(inner ?? [])].flatMap(([key, value]) =>
    typeof key === 'string' && isSetting(value) ? [[key, value] as const] : [],
  );
  return new Map(scalars);
}

/** Keys such as `pytorch_version`, and Lightning's `pytorch-lightning_version`. */
function versionsOf(entries: Entries): ReadonlyMap<string, string> {
  const versions = new Map<string, string>();
  for (const [key, value] of entries) {
    const library = typeof key === 'string' ? /^(.+)_version$/u.exec(key)?.[1] : undefined;
    if (library !== undefined && typeof value === 'string') versions.set(library, value);
  }
  return versions;
}

/** Names of the generators, PyTorch's own on the CPU as `cpu`; null if there is no such key. */
function randomStatesOf(entries: Entries): readonly string[] | null {
  const value = find(entries, customKeys.random)?.[1];
  if (value === undefined) return null;
  const inner = entriesOf(value);
  if (inner === null) return ['cpu'];
  const names = [...inner.keys()].filter((key) => typeof key === 'string');
  return names.map((key) => (/^(?:torch|torch_cpu|torch_rng_state|cpu_rng_state)$/u.test(key) ? 'cpu' : key));
}
