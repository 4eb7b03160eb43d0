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
import { fileName, inFile, type CheckpointFiles, type OpenedTorch } from '../checkpoint-files.ts';
import type { Checkpoint, Position, SchedulerState, Setting, StoredTensor } from '../checkpoint.ts';
import { findTensor } from '../weights.ts';
import { checksummedParts, refusedBy } from './opened-files.ts';
import { mergedOptimizers, optimizersIn } from './optimizers.ts';
import { tensorsIn } from './tensors-in.ts';
import { torchTensor } from './torch-tensors.ts';
import { schedulerState, type FindTensor } from './training-state.ts';

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
    'sched',
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
  const saved = optimizersIn(root);
  const findIn: FindTensor = (item, called) => (opened ? findTensor(opened, name, item, called) : ok(null));
  const optimizer = await mergedOptimizers(saved.states.map((value) => ({ value, find: findIn })));
  if (!optimizer.ok) return inFile(name, optimizer.error);
  const customary = find(entries, customKeys.optimizer)?.[0];
  const optimizerKeys = new Set<Pickled>([...saved.keys, ...(customary === undefined ? [] : [customary])]);
  const tensors = sorted(opened, name, root, optimizerKeys);
  if (!tensors.ok) return tensors;
  const described = describedBy(entries);
  const random = [...entries.keys()].flatMap((key) =>
    typeof key === 'string' && generatorOf(key) !== null ? [key] : [],
  );
  return ok({
    ...described,
    randomBytes: tensors.value.others.filter(({ name: called }) => random.some((key) => isUnder(called, key))),
    format: described.versions.has('pytorch-lightning') ? 'Lightning checkpoint' : 'file of torch.save',
    log: [],
    optimizer: optimizer.value,
    ...tensors.value,
    files: files.names,
    missingWeights: [],
    checksums: checksummedParts(files),
    name: fileName(files.path),
    refused: refusedBy(files),
  });
}

const isUnder = (name: string, key: string): boolean => name === key || name.startsWith(`${key}.`);

/** What the keys of a saved dict say besides its tensors. */
export function describedBy(
  entries: Entries,
): Pick<Checkpoint, 'position' | 'settings' | 'scheduler' | 'randomStates' | 'lossScale' | 'versions'> {
  const position = positionOf(entries);
  const scale = entriesOf(find(entries, customKeys.scaler)?.[1])?.get('scale');
  return {
    position,
    settings: settingsOf(entries),
    scheduler: schedulerIn(entries, position),
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

/** A scheduler that was stepped once an epoch has the epoch's count, or one more at an epoch's end. */
function schedulerIn(entries: Entries, position: Position | null): SchedulerState | null {
  const state = schedulerState(only(find(entries, customKeys.scheduler)?.[1] ?? null));
  if (state === null) return null;
  const epoch = wholeNumber(find(entries, customKeys.epoch)?.[1]);
  const ofEpoch = epoch !== null && (state.lastEpoch === epoch || state.lastEpoch === epoch + 1);
  return { ...state, countsEpochs: ofEpoch && state.lastEpoch !== position?.globalStep };
}

/** Copies of the weights that no optimizer has, and random states, which are tensors too. */
const isOther = /ema|avg|average|shadow|swa|best|teacher|target|init|rng|random|generator_state/iu;

/** A dict of nothing but tensors, such as the `state_dict()` of a network. */
function isStateDict([key, value]: readonly [Pickled, Pickled]): boolean {
  const values = [...(entriesOf(value)?.values() ?? [])];
  return typeof key === 'string' && !isOther.test(key) && values.length > 0 && values.every((one) => torchTensor(one));
}

/** Tensors under the keys of the weights, and all others; optimizers have their own. */
function sorted(
  opened: OpenedTorch | null,
  file: string,
  root: Pickled,
  optimizerKeys: ReadonlySet<Pickled>,
): Result<{ readonly weights: readonly StoredTensor[]; readonly others: readonly StoredTensor[] }, Problem> {
  if (opened === null) return ok({ weights: [], others: [] });
  const entries: (readonly [Pickled, Pickled])[] = [];
  // Numbers and texts hold no tensors.
  for (const [key, value] of entriesOf(root) ?? [])
    if (typeof value === 'object' && value !== null && !optimizerKeys.has(key)) entries.push([key, value]);
  const inside = (some: readonly (readonly [Pickled, Pickled])[]) =>
    tensorsIn(opened, file, { kind: 'dict', entries: new Map(some) });
  for (const key of customKeys.weights) {
    const value = entries.find(([one]) => one === key)?.[1];
    const weights = value === undefined ? ok([]) : tensorsIn(opened, file, value);
    if (!weights.ok) return weights;
    if (weights.value.length === 0) continue;
    // A discriminator or a head of its own has an optimizer too, or a part of one.
    const more = entries.filter((entry) => entry[0] !== key && isStateDict(entry));
    const networks = inside(more);
    if (!networks.ok) return networks;
    const others = inside(entries.filter((entry) => entry[0] !== key && !more.includes(entry)));
    return others.ok ? ok({ weights: [...weights.value, ...networks.value], others: others.value }) : others;
  }
  if (optimizerKeys.size === 0) {
    const all = tensorsIn(opened, file, root);
    return all.ok ? ok({ weights: all.value, others: [] }) : all;
  }
  // Next to an optimizer, what else is there need not be weights, except dicts of nothing but tensors.
  const networks = entries.filter(isStateDict);
  const weights = inside(networks);
  if (!weights.ok) return weights;
  const others = inside(entries.filter((entry) => !networks.includes(entry)));
  return others.ok ? ok({ weights: weights.value, others: others.value }) : others;
}

const isSetting = (value: Pickled | undefined): value is Setting =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Scalars of the dict itself, and of the hyperparameters in it, as a dict or as an `argparse.Namespace`. */
function settingsOf(entries: Entries): ReadonlyMap<string, Setting> {
  const saved = find(entries, customKeys.settings)?.[1];
  const inner = entriesOf(isPickled(saved, 'call') && isPickled(saved.state, 'dict') ? saved.state : saved);
  const scalars = new Map<string, Setting>();
  for (const some of [entries, inner ?? new Map<Pickled, Pickled>()])
    for (const [key, value] of some) if (typeof key === 'string' && isSetting(value)) scalars.set(key, value);
  return scalars;
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

/** By the first part of a key that names one. */
const generators: Readonly<Record<string, string>> = {
  torch_cpu: 'cpu',
  torch_cuda: 'cuda',
  torch: 'cpu',
  pytorch: 'cpu',
  cpu: 'cpu',
  cuda: 'cuda',
  gpu: 'cuda',
  python: 'python',
  py: 'python',
  random: 'python',
  numpy: 'numpy',
  np: 'numpy',
};

const library = Object.keys(generators).join('|');
const randomKey = new RegExp(
  `^(?:(?<before>${library})_)?(?:rng|random)(?:_states?)?(?:_(?<after>${library}|all))?$|^(?<alone>${library})_(?:random_)?state$`,
  'u',
);

/** The generator whose state is under a key such as `torch_rng_state` or `rng_state_cuda`, PyTorch's own as `cpu`; null for another key. */
function generatorOf(key: string): string | null {
  const found = key === 'random' ? undefined : randomKey.exec(key)?.groups;
  return found === undefined
    ? null
    : (generators[found['before'] ?? found['after'] ?? found['alone'] ?? 'cpu'] ?? 'cpu');
}

/** Names of the generators, PyTorch's own on the CPU as `cpu`; null if there is no such key. */
function randomStatesOf(entries: Entries): readonly string[] | null {
  const names = [...entries].flatMap(([key, value]) => {
    const generator = typeof key === 'string' && typeof value === 'object' && value !== null ? generatorOf(key) : null;
    if (generator === null) return [];
    const inner = [...(entriesOf(value)?.keys() ?? [])].filter((name) => typeof name === 'string');
    return inner.length === 0 ? [generator] : inner.map((name) => generatorOf(name) ?? generators[name] ?? name);
  });
  return names.length === 0 ? null : [...new Set(names)];
}
